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

// Slices that overlap, as levels of slices that do not: each on the first level that is free when it starts.
function levels(list) {
  list.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const found = [];
  for (const e of list) {
    let level = found.findIndex((l) => l.at(-1).ts + l.at(-1).dur <= e.ts);
    if (level < 0) level = found.push([]) - 1;
    found[level].push(e);
  }
  return found.map((level) => new Slices(level));
}

export function readTrace(json) {
  const about = json.otherData ?? {};
  const lanes = new Map(); // in the order of their names, which is that of the counts of dropped events
  const pools = new Map();
  const laneOf = (e) => {
    const key = `${e.pid}/${e.tid}`;
    if (!lanes.has(key))
      lanes.set(key, { pool: e.pid, number: e.tid, name: `heist-${e.tid}`, runs: [], sleeps: [], robbed: 0, stole: 0 });
    return lanes.get(key);
  };
  // A region, or a wait for something: both have a bar beside the lanes.
  const barName = (e) => (e.cat === "wait" ? `wait for ${e.name}` : `region ${e.name}`);
  const thefts = new Map();
  const regions = new Map();
  const marks = []; // moments, such as the loss of a machine
  let start = Infinity;
  let end = -Infinity;
  for (const e of json.traceEvents) {
    if (e.ph === "M") {
      if (e.name === "thread_name") Object.assign(laneOf(e), { name: e.args.name, number: e.args.lane ?? e.tid });
      if (e.name === "process_name") pools.set(e.pid, e.args.name);
      continue;
    }
    start = Math.min(start, e.ts);
    end = Math.max(end, e.ts + (e.dur ?? 0));
    if (e.ph === "X") laneOf(e)[e.cat === "sleep" ? "sleeps" : "runs"].push(e);
    if (e.ph === "b") regions.set(e.id, { name: barName(e), ts: e.ts, dur: 0, from: laneOf(e), to: laneOf(e) });
    if (e.ph === "e" && regions.has(e.id))
      Object.assign(regions.get(e.id), { dur: e.ts - regions.get(e.id).ts, to: laneOf(e) });
    if (e.ph === "i") marks.push({ at: e.ts, name: e.name });
    if (e.ph === "s")
      thefts.set(e.id, { at: e.ts, victim: laneOf(e), until: e.ts, thief: null, loan: e.cat === "loan" ? e.name : null });
    if (e.ph === "f" && thefts.has(e.id)) Object.assign(thefts.get(e.id), { until: e.ts, thief: laneOf(e) });
  }
  if (start > end) start = end = 0;

  [...lanes.values()].forEach((lane, i) => {
    lane.dropped = about.dropped?.[i] ?? 0;
    lane.isWorker = lane.name.startsWith("heist-"); // or else the seat of a caller
    lane.runs = new Slices(lane.runs);
    lane.sleeps = new Slices(lane.sleeps);
  });
  const shown = [...lanes.values()].filter((l) => l.isWorker || l.runs.length > 0);
  const several = new Set(shown.map((l) => l.pool)).size > 1;
  shown.forEach((lane, i) => {
    lane.index = i;
    lane.label = lane.name;
    if (!several) return;
    lane.group = pools.get(lane.pool) ?? `pool ${lane.pool}`;
    lane.leads = shown[i - 1]?.pool !== lane.pool; // the first lane of its pool or machine
    lane.name = `${lane.group}, ${lane.name}`;
  });
  const steals = [...thefts.values()].filter((s) => s.thief).sort((a, b) => a.until - b.until);
  for (const s of steals) {
    ++s.thief.stole;
    ++s.victim.robbed;
  }
  const names = [...regions.values()].map((r) => r.name);
  return {
    program: about.program,
    started: about.started,
    start,
    end: Math.max(end, start + 1e-3),
    lanes: shown,
    workers: shown.filter((l) => l.isWorker),
    steals,
    loans: steals.filter((s) => s.loan != null).length,
    crossed: about.crossed, // of a trace of several machines
    several,
    stealTimes: Float64Array.from(steals, (s) => s.until),
    marks,
    regions: levels([...regions.values()]),
    regionCount: names.filter((n) => !n.startsWith("wait for ")).length,
    waitCount: names.filter((n) => n.startsWith("wait for ")).length,
    regionNames: [...new Set(names)],
    slices: shown.reduce((n, l) => n + l.runs.length, 0),
    dropped: (about.dropped ?? []).reduce((a, b) => a + b, 0),
    forgotten: about.forgotten?.events ?? 0,
  };
}

// Which steals end in an interval: from the first index to before the second.
export function stealsIn(trace, from, to) {
  return [bisect(trace.stealTimes, from, (x) => x < from), bisect(trace.stealTimes, to)];
}

export const utilisation = (lane, from, to) => lane.runs.covered(from, to) / (to - from);

// The share of all workers that is busy in an interval.
export function busyShare(trace, from, to) {
  return trace.workers.reduce((sum, lane) => sum + utilisation(lane, from, to), 0) / Math.max(1, trace.workers.length);
}
