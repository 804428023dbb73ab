// The tables: work and span, regions, workers, steals and space against their bounds.

import { element } from "./dom.js";
import { amount, bytes, count, microseconds, nanoseconds, number, percent, seconds, times } from "./format.js";
import { burdened, day, differ, machine, parallelism, speedup, verdict } from "./profile.js";
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

// One column for each program; with only one there is room to say what the rows mean.
export function workAndSpan(profiles, pointsOf) {
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
    ["serial space S₁", (p) => bytes(p.serial_space ?? 0), "what one worker needs"],
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

export function predictions(profiles, pointsOf) {
  const rows = processors.map((workers) => ({
    cells: [
      count(workers),
      ...profiles.map((p) => {
        const { least, most } = speedup(p, workers);
        const measured = measuredSpeedups(p, pointsOf(p)).find((m) => m.workers === workers);
        return `${number(least)} to ${number(most)}${measured ? `, measured ${number(measured.speedup)}` : ""}`;
      }),
    ],
  }));
  return table(["workers", ...profiles.map((p) => p.program ?? "speed-up")], rows, "columns");
}

export function verdicts(profiles) {
  return table(
    ["program", "parallelism", ""],
    profiles.map((p) => ({ cells: [p.program ?? "", number(parallelism(p)), { text: verdict(p), class: "words" }] })),
  );
}

// A bar as long as the region's share of the work; its dark part is the region's span: all dark is all serial.
export function regionTable(profile) {
  const regions = [...profile.regions].sort((a, b) => b.work - a.work);
  const rows = regions.map((r) => {
    const p = parallelism(r);
    const label = `${percent(r.work / profile.work)} of the work, parallelism ${number(p)}`;
    return {
      flagged: p < 1.5,
      cells: [
        r.name,
        aside(count(r.times)),
        amount(r.work, profile.unit),
        aside(amount(r.span, profile.unit)),
        number(p),
        { text: p < 1.5 ? "serial" : "", class: "says aside" },
        barCell(label, [
          ["whole", r.work / profile.work],
          ["part", r.span / profile.work],
        ]),
      ],
    };
  });
  return table(
    [
      "region",
      aside("times"),
      "work",
      aside("span"),
      "parallelism",
      aside(""),
      barHead("share of the work; dark: its span"),
    ],
    rows,
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

// What was used against the theorem's bound: a bar and a line. `allowed`, if given, is what is too much beyond; a bound that has a
// constant before it has no such thing.
function bounds(heads, rows, format) {
  return table(
    heads,
    rows.map(({ program, workers, used, bound, allowed }) => {
      const scale = Math.max(used, bound, allowed ?? 0) * 1.02;
      return {
        flagged: used > allowed,
        cells: [
          program ?? "",
          aside(count(workers)),
          format(used),
          format(bound),
          { text: times(bound > 0 ? used / bound : 0), class: "says aside" },
          barCell(`${format(used)}; the bound is ${format(bound)}`, [
            ["allowed", (allowed ?? 0) / scale],
            ["part", used / scale],
            ["limit", bound / scale],
          ]),
        ],
      };
    }),
  );
}

export const stealTable = (rows) =>
  bounds(["program", aside("workers"), "steals", "P·T∞", aside("ratio"), barHead()], rows, count);
export const spaceTable = (rows) =>
  bounds(["program", aside("workers"), "stacks", "P·S₁", aside("ratio"), barHead()], rows, bytes);
