// Reads the data that `heist report` put into the page, and shows the sections there is data for.
//
// data: {title, heist, machine, date, profiles: [profile…], traces: [trace…], traced,
//        points: [{program, workers, seconds, steals}…], space: [{program, workers, peak, bound, kept}…]}; each may be missing.

import { element } from "./dom.js";
import { count, nanoseconds, percent, plural } from "./format.js";
import { culprit, day, differ, machine, sentence } from "./profile.js";
import { oneWorker, speedupChart } from "./speedup_chart.js";
import {
  busyTable,
  laneTable,
  predictions,
  regionTable,
  spaceTable,
  stealTable,
  verdicts,
  workAndSpan,
} from "./tables.js";
import { Timeline } from "./timeline.js";
import { busyShare, readTrace } from "./trace.js";

const data = JSON.parse(document.getElementById("data").textContent);
const profiles = (data.profiles ?? []).filter((p) => p.work > 0);
const traces = (data.traces ?? []).map(readTrace);
const pointsOf = (profile) => (data.points ?? []).filter((p) => profiles.length === 1 || p.program === profile.program);
const report = document.getElementById("report");
let place = report; // where the next section goes

function section(title, note, ...content) {
  const id = title.toLowerCase().replaceAll(/\W+/g, "-");
  place.append(
    element(
      "section",
      { "aria-labelledby": id },
      element("h2", { id }, title),
      note && element("p", { class: "note" }, note),
      ...content,
    ),
  );
}

function header() {
  const title = data.title ?? traces[0]?.program ?? "heist";
  document.title = `${title}: heist report`;
  const common = (value) => profiles.length > 0 && !differ(profiles, value);
  const started = data.date ?? traces[0]?.started ?? (common(day) && profiles[0].started);
  const workers = traces[0]?.workers.length ?? profiles[0]?.workers.length;
  const about = [
    started && new Date(started).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" }),
    data.machine ?? (common(machine) && machine(profiles[0])),
    workers && plural(workers, "worker"),
  ];
  const alone = profiles.length === 1 ? profiles[0] : null;
  const serial = alone && culprit(alone);
  report.append(
    element(
      "header",
      {},
      element("h1", {}, title),
      element("p", { class: "about" }, about.filter(Boolean).join(" · ")),
      alone && element("p", { class: "verdict" }, sentence(alone)),
      serial &&
        element(
          "p",
          { class: "verdict bad" },
          `The region “${serial.name}” is serial and takes ${percent(Math.min(1, serial.span / alone.span))} of the span: look there first.`,
        ),
    ),
  );
}

function speedups() {
  const alone = profiles.length === 1;
  const key = (kind, text) => element("li", {}, element("span", { class: `swatch ${kind}` }), text);
  const measured = profiles.some((p) => pointsOf(p).length > 0);
  section(
    "Speed-up",
    "What this program's own work and span predict: at least T₁/(T₁/P + burdened span), at most T₁/max(T₁/P, T∞).",
    element("ul", { class: "key" }, key("band", "predicted"), key("line", "ideal"), measured && key("dot", "measured")),
    element(
      "div",
      { class: alone ? "charts single" : "charts" },
      ...profiles.map((p) =>
        element(
          "figure",
          {},
          !alone && element("h3", {}, p.program ?? ""),
          speedupChart(
            p,
            pointsOf(p),
            alone && innerWidth > 640 ? { width: 560, height: 400 } : { width: 380, height: 290 },
          ),
        ),
      ),
    ),
    element("details", {}, element("summary", {}, "The numbers"), predictions(profiles, pointsOf)),
  );
}

// A clock takes longer to read than some strands take to run, and goes on while another program has the core.
function tooFine() {
  const fine = profiles.filter((p) => p.unit === "ns" && p.work > 1.5e9 * oneWorker(pointsOf(p)));
  if (fine.length === 0) return null;
  const names = fine.map((p) => p.program ?? data.title).join("; ");
  return `The work is far more than what one worker takes for ${names}: strands of some nanoseconds are too short for the clock, or the machine was busy. Take the figures as upper estimates.`;
}

function timeline(trace) {
  const made = new Timeline(trace);
  const busy = percent(busyShare(trace, trace.start, trace.end));
  const counts = [
    plural(trace.slices, "slice"),
    plural(trace.steals.length, "steal"),
    trace.regionCount > 0 && plural(trace.regionCount, "region"),
    `${count(trace.dropped)} dropped`,
    trace.forgotten > 0 && `${count(trace.forgotten)} of pools that had ended forgotten`,
  ];
  section(
    data.traced || traces.length > 1 ? `Timeline: ${data.traced ?? trace.program}` : "Timeline",
    `${nanoseconds((trace.end - trace.start) * 1e3)} on ${plural(trace.workers.length, "worker")}, ${busy} busy. ${counts.filter(Boolean).join(", ")}.`,
    made.element,
    element("details", {}, element("summary", {}, "The workers"), laneTable(trace)),
  );
}

// Time is counted in steals: one step of the theorem is as long as one steal takes here.
function stealBounds() {
  const rows = profiles.flatMap((p) => {
    const span = p.unit === "ns" ? p.span / p.burden : p.span;
    const row = (workers, used) => ({ program: p.program ?? data.title, workers, used, bound: workers * span });
    const points = pointsOf(p).filter((m) => m.steals != null && m.workers > 1);
    if (!(span > 0) || !Number.isFinite(span)) return [];
    return points.length > 0 ? points.map((m) => row(m.workers, m.steals)) : [row(p.workers.length, p.steals)];
  });
  if (rows.length === 0) return;
  const step =
    profiles[0].unit === "ns"
      ? `T∞ is counted in steps of ${nanoseconds(profiles[0].burden)}, what a steal costs here.`
      : "T∞ is counted in strands.";
  section(
    "Steals against P·T∞",
    `The theorem: O(P·T∞) steals, however large the work; the line is P·T∞ itself. ${step}`,
    stealTable(rows),
  );
}

function spaceNote() {
  const theorem = "The theorem: P workers need at most P times the stack of one.";
  return data.space.some((s) => s.kept)
    ? `${theorem} Light: what stacks may hold besides frames, as pages are whole and each stack keeps a few for its next use.`
    : theorem;
}

header();
if (profiles.length > 1) section("What to expect", null, verdicts(profiles));
if (profiles.length > 0) {
  if (profiles.length === 1) report.append((place = element("div", { class: "pair" })));
  speedups();
  section("Work and span", tooFine(), workAndSpan(profiles, pointsOf));
  place = report;
}
for (const p of profiles.filter((q) => q.regions?.length > 0))
  section(
    profiles.length > 1 ? `Regions: ${p.program}` : "Regions",
    "A bar that is all dark has no parallelism: only its span counts, however many workers there are.",
    regionTable(p),
  );
if (profiles.length === 1 && profiles[0].workers.length > 0)
  section("Workers", "Busy time and strands of each.", busyTable(profiles[0]));
traces.forEach(timeline);
if (profiles.length > 0) stealBounds();
if (data.space?.length > 0)
  section(
    "Space against P·S₁",
    spaceNote(),
    spaceTable(data.space.map((s) => ({ ...s, used: s.peak, allowed: s.bound + (s.kept ?? 0) }))),
  );
report.append(element("footer", {}, `Made by heist ${data.heist ?? ""}. One file: nothing was loaded from anywhere.`));
