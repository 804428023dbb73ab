// A trace as the timeline needs it: for each worker its slices, sorted by time, so that any interval is found by bisection.
// Times are in microseconds from the trace's first event.

export const runKinds = ["root", "stolen", "resumed", "continuation"];

// Slices that do not overlap, in order.
export class Slices {
  constructor(list) {
    list.sort((a, b) => a.ts - b.ts);
    this.events = list;
    this.start = Float64Array.from(list, (e) => e.ts);
    this.end = Float64Array.from(list, (e) => e.ts + e.dur);
    this.sums = new Float64Array(list.length + 1); // the length of all slices before this one
    for (let i = 0; i < list.length; ++i) this.sums[i + 1] = this.sums[i] + list[i].dur;
  }

  get length() {
    return this.events.length;
  }

  // The first that ends after t.
  after(t) {
    return bisect(this.end, t);
  }

  // The first that starts at t or later.
  from(t) {
    return bisect(this.start, t, (x) => x < t);
  }

  // How much of an interval the slices cover, however many they are.
  covered(from, to) {
    return Math.max(0, this.coveredUntil(to) - this.coveredUntil(from));
  }

  coveredUntil(t) {
    const i = this.after(t);
    return this.sums[i] + (i < this.length ? Math.max(0, t - this.start[i]) : 0);
  }
}

// The first place of a sorted array that is not before t; `before` says what is.
function bisect(sorted, t, before = (x) => x <= t) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(sorted[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Slices that nest, as levels of slices that do not overlap: what is inside is one level deeper.
function levels(list) {
  list.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const open = [];
  const found = [];
  for (const e of list) {
    while (open.length > 0 && open.at(-1).ts + open.at(-1).dur <= e.ts) open.pop();
    (found[open.length] ??= []).push(e);
    open.push(e);
  }
  return found.map((level) => new Slices(level));
}

export function readTrace(json) {
  const about = json.otherData ?? {};
  const lanes = new Map();
  const pools = new Map();
  const laneOf = (e) => {
    const key = `${e.pid}/${e.tid}`;
    if (!lanes.has(key)) lanes.set(key, { pool: e.pid, worker: e.tid, name: `worker ${e.tid}`, runs: [], sleeps: [], regions: [], robbed: 0, stole: 0 });
    return lanes.get(key);
  };
  const thefts = new Map();
  const begun = new Map(); // regions: a bar in the lane where they began, wherever they ended
  let start = Infinity;
  let end = -Infinity;
  for (const e of json.traceEvents) {
    if (e.ph === "M") {
      if (e.name === "thread_name") laneOf(e).name = e.args.name;
      if (e.name === "process_name") pools.set(e.pid, e.args.name);
      continue;
    }
    start = Math.min(start, e.ts);
    end = Math.max(end, e.ts + (e.dur ?? 0));
    if (e.ph === "X") laneOf(e)[{ run: "runs", sleep: "sleeps", region: "regions" }[e.cat]]?.push(e);
    if (e.ph === "b") begun.set(e.id, e);
    if (e.ph === "e" && begun.has(e.id)) laneOf(begun.get(e.id)).regions.push({ ...begun.get(e.id), dur: e.ts - begun.get(e.id).ts });
    if (e.ph === "s") thefts.set(e.id, { at: e.ts, victim: laneOf(e), until: e.ts, thief: null });
    if (e.ph === "f" && thefts.has(e.id)) Object.assign(thefts.get(e.id), { until: e.ts, thief: laneOf(e) });
  }
  if (start > end) start = end = 0;

  const sorted = [...lanes.values()].sort((a, b) => a.pool - b.pool || a.worker - b.worker);
  const several = new Set(sorted.map((l) => l.pool)).size > 1;
  sorted.forEach((lane, i) => {
    lane.index = i;
    lane.dropped = about.dropped?.[i] ?? 0;
    if (several) lane.name = `${pools.get(lane.pool) ?? `pool ${lane.pool}`}, ${lane.name}`;
    lane.runs = new Slices(lane.runs);
    lane.sleeps = new Slices(lane.sleeps);
    lane.regions = levels(lane.regions);
  });
  const steals = [...thefts.values()].filter((s) => s.thief).sort((a, b) => a.until - b.until);
  for (const s of steals) {
    ++s.thief.stole;
    ++s.victim.robbed;
  }
  const regionNames = [...new Set(sorted.flatMap((l) => l.regions.flatMap((r) => r.events.map((e) => e.name))))];
  return {
    program: about.program,
    started: about.started,
    start,
    end: Math.max(end, start + 1e-3),
    lanes: sorted,
    steals,
    stealTimes: Float64Array.from(steals, (s) => s.until),
    regionNames,
    slices: sorted.reduce((n, l) => n + l.runs.length, 0),
    dropped: (about.dropped ?? []).reduce((a, b) => a + b, 0),
  };
}

// Which steals end in an interval: from the first index to before the second.
export function stealsIn(trace, from, to) {
  return [bisect(trace.stealTimes, from, (x) => x < from), bisect(trace.stealTimes, to)];
}

export const utilisation = (lane, from, to) => lane.runs.covered(from, to) / (to - from);

// The share of all workers that is busy in an interval; a lane for regions outside every pool is none.
export function busyShare(trace, from, to) {
  const workers = trace.lanes.filter((lane) => lane.runs.length + lane.sleeps.length > 0);
  return workers.reduce((sum, lane) => sum + utilisation(lane, from, to), 0) / Math.max(1, workers.length);
}
