// The speed-up against the number of workers, both axes logarithmic: what is predicted, and what was measured.

import { element, hideTip, showTip } from "./dom.js";
import { amounts, number, plural, seconds } from "./format.js";
import { speedup, timeOn } from "./profile.js";
import { logarithmic, powersOfTwo } from "./scale.js";

const mostWorkers = 1024;
export const processors = powersOfTwo(1, mostWorkers);

// `points`: measured, of this program: {workers, seconds}.
export const oneWorker = (points) => points.find((p) => p.workers === 1)?.seconds;

// The speed-up over one worker, or else over the work.
export function measuredSpeedups(profile, points) {
  const one = oneWorker(points) ?? (profile.unit === "ns" ? profile.work / 1e9 : null);
  return one == null ? [] : points.map((p) => ({ ...p, speedup: one / p.seconds }));
}

export function speedupChart(profile, points, { width, height }) {
  const measured = measuredSpeedups(profile, points);
  const right = width - 12;
  const bottom = height - 38;
  const x = logarithmic([1, mostWorkers], [44, right]);
  const lowest = Math.min(0.5, ...measured.map((p) => p.speedup), speedup(profile, 1).least);
  const y = logarithmic([lowest, mostWorkers], [bottom, 10]);
  const line = (at) =>
    processorsFinely.map((p, i) => `${i ? "L" : "M"}${x(p).toFixed(1)} ${y(at(p)).toFixed(1)}`).join("");
  const least = (p) => speedup(profile, p).least;
  const most = (p) => speedup(profile, p).most;
  const back = [...processorsFinely]
    .reverse()
    .map((p) => `L${x(p).toFixed(1)} ${y(least(p)).toFixed(1)}`)
    .join("");

  const guide = element("line", { class: "guide", y1: 10, y2: bottom, visibility: "hidden" });
  const chart = element(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${height}`,
      tabindex: 0,
      role: "img",
      "aria-label": described(profile, measured),
    },
    ...[1, 4, 16, 64, 256, 1024].flatMap((p) => [
      element("line", { class: "grid", x1: x(p), x2: x(p), y1: 10, y2: bottom }),
      element("line", { class: "grid", x1: 44, x2: right, y1: y(p), y2: y(p) }),
      element("text", { x: x(p), y: bottom + 16, "text-anchor": "middle" }, String(p)),
      element("text", { x: 38, y: y(p) + 4, "text-anchor": "end" }, String(p)),
    ]),
    element("text", { x: (44 + right) / 2, y: height - 4, "text-anchor": "middle" }, "workers"),
    element(
      "text",
      { x: 0, y: 0, transform: `translate(10 ${(10 + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" },
      "speed-up",
    ),
    element("path", { class: "band", d: `${line(most)}${back}Z` }),
    element("path", { class: "edge", d: line(most) }),
    element("path", { class: "edge", d: line(least) }),
    element("path", { class: "ideal", d: `M${x(1)} ${y(1)}L${x(mostWorkers)} ${y(mostWorkers)}` }),
    guide,
    ...measured.map((p) => element("circle", { class: "measured", cx: x(p.workers), cy: y(p.speedup), r: 5 })),
  );

  let at = 0; // index into processors
  const show = (i) => {
    at = Math.min(Math.max(i, 0), processors.length - 1);
    const place = x(processors[at]);
    for (const end of ["x1", "x2"]) guide.setAttribute(end, place);
    guide.setAttribute("visibility", "visible");
    const frame = chart.getBoundingClientRect();
    showTip(
      numbersAt(profile, measured, processors[at]),
      frame.left + (place * frame.width) / width,
      frame.top + frame.height / 3,
    );
  };
  const hide = () => (guide.setAttribute("visibility", "hidden"), hideTip());
  chart.addEventListener("pointermove", (e) => {
    const frame = chart.getBoundingClientRect();
    show(Math.round(Math.log2(x.back(((e.clientX - frame.left) * width) / frame.width))));
  });
  chart.addEventListener("pointerleave", hide);
  chart.addEventListener("blur", hide);
  chart.addEventListener("keydown", (e) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!by) return;
    e.preventDefault();
    show(at + by);
  });
  return chart;
}

// Between powers of two as well, so that the bend is where the parallelism is.
const processorsFinely = Array.from({ length: 81 }, (_, i) => 2 ** (i / 8));

function numbersAt(profile, measured, workers) {
  const { least, most } = speedup(profile, workers);
  const lines = [plural(workers, "worker"), `predicted: ${number(least)} to ${number(most)} times as fast`];
  const time = timeOn(profile, workers);
  lines.push(amounts(time.least, time.most, profile.unit));
  for (const p of measured.filter((m) => m.workers === workers))
    lines.push(`measured: ${number(p.speedup)} times, ${seconds(p.seconds)}`);
  return lines;
}

function described(profile, measured) {
  const { least, most } = speedup(profile, mostWorkers);
  const points = measured.map((p) => `; measured ${number(p.speedup)} on ${plural(p.workers, "worker")}`).join("");
  return `Speed-up against workers: predicted ${number(least)} to ${number(most)} on ${mostWorkers}${points}. Arrow keys show the numbers.`;
}
