// A plausible trace and profile, the same for the same seed.

function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// Workers that run, search and sleep; at least so many slices in all. What is stolen comes from a worker that runs at the time.
export function makeTrace({ workers = 8, slices = 400, regions = true, seed = 1 } = {}) {
  const random = dice(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const events = [{ ph: "M", pid: 1, tid: 0, name: "process_name", args: { name: "pool 1" } }];
  const round = (x) => Math.round(x * 1000) / 1000;
  const clocks = Array(workers).fill(0);
  let steals = 0;
  let opened = 0;
  for (let tid = 0; tid < workers; ++tid)
    events.push({ ph: "M", pid: 1, tid, name: "thread_name", args: { name: `heist-${tid}` } });
  for (let n = 0; n < slices; ++n) {
    const tid = n === 0 ? 0 : clocks.indexOf(Math.min(...clocks));
    let ts = clocks[tid];
    if (n > 0 && random() < 0.3) {
      const asleep = n < workers ? 30 : 20 + 200 * random() ** 3;
      events.push({ ph: "X", pid: 1, tid, ts: round(ts + 2), dur: round(asleep), cat: "sleep", name: "asleep" });
      ts += asleep + 3;
    }
    ts = round(ts + 0.4 + 3 * random());
    const name = n === 0 ? "root" : pick(["stolen", "stolen", "stolen", "resumed", "continuation"]);
    const args = { end: pick(["ended", "ended", "suspended", "resumed another"]) };
    if (name === "stolen" || name === "continuation") {
      args.from = (tid + 1 + Math.floor(random() * (workers - 1))) % workers;
      args.steal = ++steals;
      events.push({ ph: "s", pid: 1, tid: args.from, ts: round(ts - 0.3), id: steals, cat: "steal", name: "steal" });
      events.push({ ph: "f", bp: "e", pid: 1, tid, ts, id: steals, cat: "steal", name: "steal" });
    }
    const dur = round(5 + 400 * random() ** 4);
    events.push({ ph: "X", pid: 1, tid, ts, dur, cat: "run", name, args });
    if (regions && dur > 60) {
      const region = (name, from, to) => {
        const same = { id: ++opened, pid: 1, tid, cat: "region", name };
        events.push({ ph: "b", ts: round(ts + dur * from), ...same }, { ph: "e", ts: round(ts + dur * to), ...same });
      };
      region(pick(["split", "sort"]), 0, 0.9);
      region("merge", 0.1, 0.6);
    }
    clocks[tid] = ts + dur;
  }
  const dropped = clocks.map((_, i) => (i === 1 ? 3 : 0));
  return {
    traceEvents: events,
    displayTimeUnit: "ns",
    otherData: {
      heist: "0.1.0",
      format: 1,
      program: "merge_sort",
      workers,
      dropped,
      forgotten: { pools: 0, events: 0 },
      started: "2026-11-15T10:30:00Z",
    },
  };
}

// What heist/measure/report.cpp writes.
export function makeProfile({
  program = "merge_sort",
  unit = "ns",
  work = 487785262,
  span = 1286421,
  burdened_span = 1608421,
  forks = 374100,
  regions,
} = {}) {
  const speedup = [];
  for (let workers = 1; workers <= 1024; workers *= 2)
    speedup.push({
      workers,
      least: +(work / (work / workers + burdened_span)).toPrecision(4),
      most: +(work / Math.max(work / workers, span)).toPrecision(4),
      shortest: Math.round(Math.max(work / workers, span)),
      longest: Math.round(work / workers + burdened_span),
    });
  return {
    heist_profile: 1,
    unit,
    program,
    heist: "0.1.0",
    started: "2026-11-15T10:30:00Z",
    cpu: "Some CPU",
    processors: 8,
    system: "Linux 6.1.0 x86_64",
    work,
    span,
    burdened_span,
    burden: 5000,
    parallelism: work / span,
    forks,
    steals: 311,
    steal_attempts: 1580,
    suspends: 204,
    stack_bytes_peak: 253248,
    serial_space: 49152,
    workers: Array.from({ length: 8 }, (_, i) => ({ strands: 5165 + 311 * i, busy: work / 8 + 1e6 * i })),
    speedup,
    regions: regions ?? [
      region("sort", { times: 1, work: work * 0.7, span: span * 0.3, forks: 4095 }),
      region("merge", { times: 64, work: work * 0.25, span: span * 0.6, longest: span * 0.1, forks: 370000 }),
      region("read the file", { times: 1, work: span * 0.2, span: span * 0.2 }),
    ],
  };
}

// One pass after the other, unless it is said how long the longest is.
export const region = (name, { times = 1, work, span, longest = span / times, forks = 0 }) => ({
  name,
  times,
  work,
  span,
  longest,
  burdened_span: span + 5000 * forks,
  forks,
});
