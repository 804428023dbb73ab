// The tables: work and span, regions, workers, steals and space against their bounds.

import { element } from "./dom.js";
import { amount, amounts, bytes, count, microseconds, nanoseconds, number, percent, seconds, times } from "./format.js";
import { blame, burdened, day, differ, machine, parallelism, serial, speedup, timeOn, verdict } from "./profile.js";
import { measuredSpeedups, oneWorker, processors } from "./speedup_chart.js";
import { utilisation } from "./trace.js";

// Rows begin with a heading; a cell is text, or {text, class}. Of class "aside" is what a narrow screen does without.
function table(heads, rows, classes) {
  const cell = (kind, attributes, c) =>
    c.text == null ? element(kind, attributes, c) : element(kind, { ...attributes, class: c.class }, c.text);
  return element(
    "div",
    { class: heads.at(-1).class === "bar" ? "wide full" : "wide" },
    element(
      "table",
      { class: classes },
      element("thead", {}, element("tr", {}, ...heads.map((h) => cell("th", { scope: "col" }, h)))),
      element(
        "tbody",
        {},
        ...rows.map(({ flagged, cells: [head, ...rest] }) =>
          element(
            "tr",
            { class: flagged ? "flagged" : null },
            element("th", { scope: "row" }, head),
            ...rest.map((c) => cell("td", {}, c)),
          ),
        ),
      ),
    ),
  );
}

// Widths are shares of the whole track.
function track(label, parts) {
  const share = (x) => `${(100 * Math.min(1, Math.max(0, x))).toFixed(2)}%`;
  const spans = parts.map(([kind, x]) =>
    element("span", { class: kind, style: kind === "limit" ? `left: calc(${share(x)} - 2px)` : `width: ${share(x)}` }),
  );
  return element("span", { class: "track", role: "img", "aria-label": label }, ...spans);
}
const aside = (text) => ({ text, class: "aside" });
const barHead = (text = "") => ({ text, class: "bar" });
const barCell = (label, parts) => ({ text: track(label, parts), class: "bar" });

// One column for each program; with only one there is room to say what the rows mean. The space section knows the serial space better:
// in whole pages, of a run that was not profiled.
export function workAndSpan(profiles, pointsOf, spaceKnown) {
  const one = (p) => oneWorker(pointsOf(p));
  const rows = [
    ["one worker, measured", (p) => seconds(one(p)), "the time without a profile", (p) => one(p) != null],
    ["work T₁", (p) => amount(p.work, p.unit), "all strands, one after the other"],
    ["span T∞", (p) => amount(p.span, p.unit), "the longest path: no number of workers is faster"],
    ["burdened span", (p) => amount(p.burdened_span, p.unit), "the same, with what a steal costs at every fork on it"],
    ["parallelism", (p) => number(parallelism(p)), "work through span: the most workers that can be of use"],
    ["burdened parallelism", (p) => number(burdened(p)), "the same with the burdened span"],
    ["forks", (p) => count(p.forks), "branches and children that could have been stolen"],
    ["steals", (p) => count(p.steals), "those that were"],
    ["steal attempts", (p) => count(p.steal_attempts), "looks at a victim, most of which find nothing"],
    ["suspends", (p) => count(p.suspends), "strands that waited for a thief, parked"],
    ["peak of all stacks", (p) => bytes(p.stack_bytes_peak), "resident at once, of the whole pool"],
    [
      "serial space, as profiled",
      (p) => bytes(p.serial_space ?? 0),
      "how deep the serial program's stack is at its forks",
      () => !spaceKnown,
    ],
    ["workers", (p) => count(p.workers.length), "that took part"],
    // What all have in common is in the page's header.
    ["machine", machine, "", () => differ(profiles, machine)],
    ["heist", (p) => p.heist, "", () => differ(profiles, (p) => p.heist)],
    ["day", day, "", () => differ(profiles, day)],
  ].filter(([, , , has]) => !has || profiles.some(has));
  const alone = profiles.length === 1;
  return table(
    ["", ...(alone ? ["this run", ""] : profiles.map((p) => p.program ?? ""))],
    rows.map(([name, value, meaning, has]) => ({
      cells: [
        name,
        ...profiles.map((p) => (!has || has(p) ? value(p) : "")),
        ...(alone ? [{ text: meaning, class: "words" }] : []),
      ],
    })),
    "columns",
  );
}

// Speed-up and time of each program on so many workers.
export function predictions(profiles, pointsOf) {
  const alone = profiles.length === 1;
  const heads = profiles.flatMap((p) => (alone ? ["speed-up", "time"] : [`${p.program ?? ""}: speed-up`, "time"]));
  const rows = processors.map((workers) => ({
    cells: [
      count(workers),
      ...profiles.flatMap((p) => {
        const { least, most } = speedup(p, workers);
        const time = timeOn(p, workers);
        const measured = measuredSpeedups(p, pointsOf(p)).find((m) => m.workers === workers);
        return [
          `${number(least)} to ${number(most)}${measured ? `, measured ${number(measured.speedup)}` : ""}`,
          `${amounts(time.least, time.most, p.unit)}${measured ? `, measured ${seconds(measured.seconds)}` : ""}`,
        ];
      }),
    ],
  }));
  return table(["workers", ...heads], rows, "columns");
}

export function verdicts(profiles) {
  return table(
    ["program", aside("parallelism"), aside("burdened"), ""],
    profiles.map((p) => ({
      cells: [
        p.program ?? "",
        aside(number(parallelism(p))),
        aside(number(burdened(p))),
        { text: [verdict(p), blame(p)].filter(Boolean).join(" "), class: "words" },
      ],
    })),
  );
}

// A bar as long as the region's share of the work, and on it one as long as its span: where they are alike, all is serial.
export function regionTable(profile) {
  const regions = [...profile.regions].sort((a, b) => b.work - a.work);
  const { unit } = profile;
  // A column that an older profile has nothing for is left out.
  const columns = [
    ["times", (r) => aside(count(r.times)), aside],
    ["work", (r) => amount(r.work, unit)],
    ["span", (r) => aside(amount(r.span, unit)), aside],
    ["longest pass", (r) => aside(r.longest == null ? "" : amount(r.longest, unit)), aside, "longest"],
    ["forks", (r) => aside(r.forks == null ? "" : count(r.forks)), aside, "forks"],
    ["parallelism", (r) => number(parallelism(r))],
    ["", (r) => ({ text: serial(r) ? "serial" : "", class: "says aside" }), aside],
  ].filter(([, , , member]) => !member || regions.some((r) => r[member] != null));
  const bar = (r) =>
    barCell(
      `${percent(r.work / profile.work)} of the work, span ${percent(r.span / r.work)} of that, parallelism ${number(parallelism(r))}`,
      [
        ["whole", r.work / profile.work],
        ["part", r.span / profile.work],
      ],
    );
  return table(
    ["region", ...columns.map(([name, , kind]) => (kind ? kind(name) : name)), barHead("share of the work")],
    regions.map((r) => ({ flagged: serial(r), cells: [r.name, ...columns.map(([, cell]) => cell(r)), bar(r)] })),
  );
}

export function busyTable(profile) {
  const most = Math.max(...profile.workers.map((w) => w.busy), 1);
  const rows = profile.workers.map((w, i) => ({
    cells: [
      `worker ${i}`,
      nanoseconds(w.busy),
      count(w.strands),
      barCell(nanoseconds(w.busy), [["whole", w.busy / most]]),
    ],
  }));
  return table(["worker", "busy", "strands", barHead()], rows);
}

export function laneTable(trace) {
  const { start, end } = trace;
  const rows = trace.lanes.map((l) => ({
    cells: [
      l.name,
      percent(utilisation(l, start, end)),
      microseconds(l.runs.covered(start, end)),
      microseconds(l.sleeps.covered(start, end)),
      count(l.runs.length),
      count(l.stole),
      count(l.robbed),
      count(l.dropped),
    ],
  }));
  return table(["worker", "utilisation", "busy", "asleep", "slices", "stole", "was robbed", "dropped"], rows);
}

// What was used against a bound: a bar and a line. `parts` are what the bound is made of, if it is not one thing. A bound
// that is `promised` has no constant before it: more is too much.
function bounds(heads, rows, format) {
  return table(
    ["program", aside("workers"), ...heads, "ratio", barHead()],
    rows.map(({ program, workers, used, parts = [], bound, promised }) => {
      const scale = Math.max(used, bound) * 1.02;
      const broken = promised && used > bound;
      return {
        flagged: broken,
        cells: [
          program ?? "",
          aside(count(workers)),
          format(used),
          ...parts.map((n) => aside(format(n))),
          aside(format(bound)),
          { text: `${times(bound > 0 ? used / bound : 0)}${broken ? ", too much" : ""}`, class: "says" },
          barCell(`${format(used)}; the bound is ${format(bound)}`, [
            ["part", used / scale],
            ["limit", bound / scale],
          ]),
        ],
      };
    }),
  );
}

export const stealTable = (rows) => bounds(["steals", aside("P·T∞")], rows, count);

// What stacks hold besides frames is no part of the theorem, but of what is promised. Figures without it promise P·S₁ alone.
export function spaceTable(space) {
  const known = space.some((s) => s.kept);
  const rows = space.map(({ program, workers, peak, bound, kept = 0 }) => ({
    program,
    workers,
    used: peak,
    parts: known ? [bound, kept] : [],
    bound: bound + kept,
    promised: true,
  }));
  return bounds(["stacks", ...(known ? ["P·S₁", "besides frames", "bound"] : ["P·S₁"]).map(aside)], rows, bytes);
}
