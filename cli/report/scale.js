// From values to places on an axis, and where the axis has its marks.

export function logarithmic([low, high], [from, to]) {
  const place = (x) => from + ((to - from) * Math.log(x / low)) / Math.log(high / low);
  place.back = (at) => low * Math.exp(((at - from) / (to - from)) * Math.log(high / low));
  return place;
}

export function powersOfTwo(low, high) {
  const powers = [];
  for (let p = low; p <= high; p *= 2) powers.push(p);
  return powers;
}

// Multiples of 1, 2 or 5 times a power of ten inside the interval, about so many.
export function roundMarks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const marks = [];
  for (let i = Math.ceil(low / step); i * step <= high; ++i) marks.push(i * step);
  return { marks, step };
}

export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
