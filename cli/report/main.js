// Reads the data that `heist report` put into the page, and shows the sections there is data for.
//
// data: {title, heist, machine, date, profiles: [profile…], traces: [trace…], traced,
//        points: [{program, workers, seconds, steals}…], space: [{program, workers, peak, bound, kept}…]}; each may be missing.

import { element, key } from "./dom.js";
import { count, nanoseconds, percent, plural } from "./format.js";
import { blame, day, differ, enough, inflated, machine, perFork, sentence } from "./profile.js";
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

// `note`: text, or text and elements.
function section(title, note, ...content) {
  const id = title.toLowerCase().replaceAll(/\W+/g, "-");
  place.append(
    element(
      "section",
      { "aria-labelledby": id },
      element("h2", { id }, title),
      note && element("p", { class: "note" }, ...[note].flat()),
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
  const where = alone && blame(alone);
  report.append(
    element(
      "header",
      {},
      element("h1", {}, title),
      element("p", { class: "about" }, about.filter(Boolean).join(" · ")),
      alone && element("p", { class: "verdict" }, sentence(alone)),
      where && element("p", { class: enough(alone) ? "verdict" : "verdict bad" }, where),
    ),
  );
}

function speedups() {
  const alone = profiles.length === 1;
  const measured = profiles.some((p) => pointsOf(p).length > 0);
  section(
    "Speed-up",
    "What this program's own work and span predict: at least T₁/(T₁/P + burdened span), at most T₁/max(T₁/P, T∞).",
    key(["band", "predicted"], ["line", "ideal"], measured && ["dot", "measured"]),
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

// What makes the figures too large, of which programs, in one sentence.
function doubts() {
  const time = (p) => oneWorker(pointsOf(p));
  const of = (why) => profiles.filter((p) => inflated(p, time(p)) === why);
  const alone = profiles.length === 1;
  const little = (p) => `${nanoseconds(perFork(p, time(p)))} a fork`;
  const reason = (found, what, detail) => {
    const each = found.map((p) => (alone ? detail(p) : `${p.program}${detail(p) && `: ${detail(p)}`}`)).filter(Boolean);
    return found.length > 0 && `${what}${each.length > 0 ? ` (${each.join("; ")})` : ""}`;
  };
  const reasons = [
    reason(of("measuring"), "there is so little work between forks that measuring is a good part of it", little),
    reason(of("interrupted"), "the work is far more than what one worker takes, as on a busy machine", () => ""),
  ].filter(Boolean);
  if (reasons.length === 0) return null;
  const text = `${reasons.join(", and ")}: work and span are then upper estimates, and the parallelism is more often too low than too high.`;
  return text[0].toUpperCase() + text.slice(1);
}

// What crossing machines cost, in a sentence.
function crossing({ loans, lost, bytes_sent, to_begin_us, to_return_us }) {
  const time = (us) => nanoseconds(us * 1e3);
  return [
    ` ${plural(loans, "branch", "branches")} crossed, and ${count(bytes_sent)} bytes were sent.`,
    loans > 0 && ` A branch began ${time(to_begin_us)} after it was lent, and its result was used ${time(to_return_us)} after it was there (medians).`,
    lost > 0 && ` ${plural(lost, "machine was", "machines were")} lost.`,
  ]
    .filter(Boolean)
    .join("");
}

function timeline(trace) {
  const made = new Timeline(trace);
  const busy = percent(busyShare(trace, trace.start, trace.end));
  const counts = [
    plural(trace.slices, "slice"),
    plural(trace.steals.length - trace.loans, "steal"),
    trace.loans > 0 && plural(trace.loans, "loan"),
    trace.regionCount > 0 && plural(trace.regionCount, "region"),
    trace.waitCount > 0 && plural(trace.waitCount, "wait"),
    `${count(trace.dropped)} dropped`,
    trace.forgotten > 0 && `${count(trace.forgotten)} forgotten, of pools that had ended`,
  ];
  section(
    data.traced || traces.length > 1 ? `Timeline: ${data.traced ?? trace.program}` : "Timeline",
    `${nanoseconds((trace.end - trace.start) * 1e3)} on ${plural(trace.workers.length, "worker")}, ${busy} busy. ${counts.filter(Boolean).join(", ")}.${trace.crossed ? crossing(trace.crossed) : ""}`,
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
    stealTitle,
    `The theorem: O(P·T∞) steals, however large the work; the line is P·T∞ itself. ${step}`,
    key(["part", "steals"], ["limit", "P·T∞"]),
    stealTable(rows),
  );
}

const stealTitle = "Steals against P·T∞";

function howToGetStealBounds() {
  // An option is not to be broken at its hyphens.
  const code = (text) =>
    element(
      "code",
      {},
      ...text
        .split(" ")
        .flatMap((word) => [" ", element("span", {}, word)])
        .slice(1),
    );
  section(stealTitle, [
    "A trace has the steals, but not the span: ",
    code("heist trace --profile profile.json -- ./program"),
    " measures it in the same run, and ",
    code("heist report profile.json heist.trace.json"),
    " shows both.",
  ]);
}

function space() {
  const besides = data.space.some((s) => s.kept);
  const theorem = "The theorem: the frames of P workers need at most P times the stack of one, P·S₁.";
  const promise =
    "The bound adds what stacks may hold besides frames: the rest of a page, and a few pages that each stack keeps for its next use. Where the ratio is 1 or less, the promise is kept.";
  section(
    "Space against its bound",
    `${theorem} ${besides ? promise : "Where the ratio is 1 or less, it holds."}`,
    key(["part", "resident at the peak"], ["limit", besides ? "P·S₁ and what stacks hold besides" : "P·S₁"]),
    spaceTable(data.space),
  );
}

header();
if (profiles.length > 1) section("What to expect", null, verdicts(profiles));
if (profiles.length > 0) {
  if (profiles.length === 1) report.append((place = element("div", { class: "pair" })));
  speedups();
  section("Work and span", doubts(), workAndSpan(profiles, pointsOf, data.space?.length > 0));
  place = report;
}
for (const p of profiles.filter((q) => q.regions?.length > 0))
  section(
    profiles.length > 1 ? `Regions: ${p.program}` : "Regions",
    "A bar is as long as the region's share of the work. Where the span fills it there is no parallelism: only the span counts, however many workers there are.",
    key(["whole", "work"], ["part", "span"]),
    regionTable(p),
  );
if (profiles.length === 1 && profiles[0].workers.length > 0)
  section("Workers", "Busy time and strands of each.", busyTable(profiles[0]));
traces.forEach(timeline);
if (profiles.length > 0) stealBounds();
else if (traces.length > 0) howToGetStealBounds();
if (data.space?.length > 0) space();
report.append(element("footer", {}, `Made by heist ${data.heist ?? ""}. One file: nothing was loaded from anywhere.`));
