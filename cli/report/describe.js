// What is under the pointer, in words and numbers.

import { count, microseconds, moment, percent, plural } from "./format.js";

export const explained = {
  root: "a root that entered the pool",
  stolen: "a stolen branch",
  resumed: "a parked stack that went on",
  continuation: "a stolen continuation",
};

const endings = {
  suspended: "suspended: its stack was parked",
  "resumed another": "went on with a parked stack",
  lent: "then a caller borrowed the seat",
  "saw work": "got up again: there was work",
  "trace ended": "not over when the trace ended",
};
const ending = (args) => (args?.end ? [endings[args.end] ?? args.end] : []);

// A moment, as exactly as the view shows it.
const at = ({ view }, t) => moment(t, view.to - view.from);

// What the pointer is at, as lines for the tip, or nothing.
export function describe(trace, painter, { x, y, t, lane, level }) {
  if (level) return describeRegion(painter, level, t);
  const steal = painter.arrows.find(({ from, to }) => nearSegment(x, y, from, to))?.steal;
  if (steal?.loan != null)
    return [
      `Loan of ${steal.loan}: ${steal.thief.name} from ${steal.victim.name}`,
      `lent at ${at(painter, steal.at)}, began at ${at(painter, steal.until)}`,
    ];
  if (steal) return [`Steal: ${steal.thief.name} from ${steal.victim.name}`, `at ${at(painter, steal.until)}`];
  if (!lane) return null;
  const half = painter.perPixel / 2;
  const first = lane.runs.after(t - half);
  const last = lane.runs.from(t + half);
  if (last - first > 1)
    return [
      `${lane.name}: ${plural(last - first, "slice")} in ${microseconds(2 * half)}`,
      `${percent(lane.runs.covered(t - half, t + half) / (2 * half))} busy, about ${at(painter, t)}`,
    ];
  if (last - first === 1) return describeSlice(trace, painter, lane, first);
  const asleep = lane.sleeps.after(t);
  if (asleep < lane.sleeps.length && lane.sleeps.start[asleep] <= t)
    return [
      `${lane.name}: asleep for ${microseconds(lane.sleeps.events[asleep].dur)}`,
      `from ${at(painter, lane.sleeps.start[asleep])}`,
      ...ending(lane.sleeps.events[asleep].args),
    ];
  return [`${lane.name}: searching`, `at ${at(painter, t)}`];
}

function describeRegion(painter, level, t) {
  const half = painter.perPixel / 2;
  const first = level.after(t - half);
  const inSight = level.from(t + half) - first;
  if (inSight < 1) return null;
  if (inSight > 1) return [plural(inSight, "bar"), `in ${microseconds(2 * half)}`];
  const { name, ts, dur, from, to } = level.events[first];
  return [
    `${name}: ${microseconds(dur)}`,
    from === to ? `on ${from.name}` : `began on ${from.name}, ended on ${to.name}`,
    `${at(painter, ts)} to ${at(painter, ts + dur)}`,
  ];
}

export function describeSlice(trace, painter, lane, index) {
  const { name, args, ts, dur } = lane.runs.events[index];
  const from =
    args?.from != null
      ? `, from ${trace.lanes.find((l) => l.pool === lane.pool && l.number === args.from)?.name ?? `worker ${args.from}`}`
      : "";
  return [
    `${lane.name}: ${microseconds(dur)}`,
    `${explained[name] ?? name}${from}`,
    `${at(painter, ts)} to ${at(painter, ts + dur)}`,
    ...ending(args),
    `slice ${count(index + 1)} of ${count(lane.runs.length)}`,
  ];
}

function nearSegment(x, y, a, b) {
  const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  const along = length ? Math.min(1, Math.max(0, ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length)) : 0;
  return Math.hypot(x - a.x - along * (b.x - a.x), y - a.y - along * (b.y - a.y)) <= 4;
}
