// Numbers as people read them: three digits that matter, and a unit that keeps them small.

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

// The largest of the units that leaves one or more; they are given from the smallest.
function unitFor(n, units) {
  let best = units[0];
  for (const unit of units) if (Math.abs(n) >= unit[0] * 0.9995) best = unit;
  return best;
}
function inUnits(n, units) {
  const [factor, name] = unitFor(n, units);
  return `${digits.format(n / factor)} ${name}`;
}
const timeUnits = [
  [1, "ns"],
  [1e3, "µs"],
  [1e6, "ms"],
  [1e9, "s"],
];

export const count = (n) => whole.format(n);
export const number = (n) => (Math.abs(n) >= 1000 ? whole.format(n) : digits.format(n));
export const percent = (x) => (x > 0 && x < 0.01 ? "< 1 %" : `${Math.round(100 * x)} %`);
export const times = (x) => `${number(x)} ×`;
export const nanoseconds = (ns) => inUnits(ns, timeUnits);
export const microseconds = (us) => nanoseconds(us * 1e3);
export const seconds = (s) => nanoseconds(s * 1e9);
export const bytes = (n) =>
  inUnits(n, [
    [1, "B"],
    [2 ** 10, "KiB"],
    [2 ** 20, "MiB"],
    [2 ** 30, "GiB"],
  ]);

// What a profile counts: time, or strands.
export const amount = (n, unit) => (unit === "ns" ? nanoseconds(n) : `${count(n)} ${n === 1 ? "strand" : "strands"}`);
// 12.3 to 14.5 ms: both in the unit of the larger.
export function amounts(least, most, unit) {
  const [factor, name] = unit === "ns" ? unitFor(most, timeUnits) : [1, "strands"];
  const [low, high] = [least, most].map((n) => (unit === "ns" ? digits.format(n / factor) : count(n)));
  return `${low === high ? high : `${low} to ${high}`} ${name}`;
}

// 1 worker, 2 workers.
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

// A moment of a timeline that shows an interval of this length: as many digits as tell neighbours apart.
export function moment(us, length) {
  const [factor, name] =
    length >= 2e6 ? [1e6, "s"] : length >= 2e3 ? [1e3, "ms"] : length >= 2 ? [1, "µs"] : [1e-3, "ns"];
  const places = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(length / factor))));
  return `${(us / factor).toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places })} ${name}`;
}
