// What follows from a profile: what to expect on P workers, and in plain words whether that is enough.

import { amount, count, number, percent, plural } from "./format.js";

export const machine = ({ cpu, processors, system }) =>
  [cpu, processors && plural(processors, "processor"), system].filter(Boolean).join(", ");
export const day = ({ started = "" }) => started.slice(0, 10);
export const differ = (profiles, value) => new Set(profiles.map(value)).size > 1;

export const parallelism = ({ work, span }) => (span > 0 ? work / span : 1);
export const burdened = ({ work, burdened_span: span }) => (span > 0 ? work / span : 1);

// The time on so many workers, as measurement::time_on() has it: max(T1/P, span) at best, T1/P plus the burdened span at worst.
export function timeOn({ work, span, burdened_span }, workers) {
  const each = work / workers;
  return { least: Math.max(each, span), most: each + burdened_span };
}
export function speedup(profile, workers) {
  const { least, most } = timeOn(profile, workers);
  return { least: profile.work / most, most: profile.work / least };
}

// With ten times as much parallelism as cores, each core is busy nine tenths of the time or more.
const slack = 10;
const twoDigits = (n) =>
  n < 100 ? Math.floor(n) : Math.floor(n / 10 ** Math.floor(Math.log10(n) - 1)) * 10 ** Math.floor(Math.log10(n) - 1);
const cores = (p) => count(twoDigits(p / slack));

// More than these, and nobody misses what coarser forks would bring.
const manyCores = 128;

export const enough = (profile) => burdened(profile) >= 2 * slack;
// On the longest path, what steals may cost is more than what is done there.
const tooFine = ({ span, burdened_span }) => burdened_span > 2 * span;

// What to count on comes from the burdened parallelism; the parallelism is what coarser forks might make of it.
export function verdict(profile) {
  const most = parallelism(profile);
  const least = burdened(profile);
  if (most < 1.5) return "Next to no parallelism: more cores will not make it faster.";
  if (enough(profile)) {
    const better =
      tooFine(profile) && least < slack * manyCores
        ? `, and for up to ${cores(most)} with coarser forks along the span`
        : "";
    return `Enough for ${cores(least)} cores${better}.`;
  }
  if (tooFine(profile))
    return `However many cores, count on ${number(least)} times as fast, not ${number(most)}: its forks are too fine along the span, where a steal costs more than what lies between two of them.`;
  const stolen = least > 0.95 * most ? "" : `, and ${number(least)} if every fork on the span is stolen`;
  return `However many cores, at most ${number(most)} times as fast${stolen}.`;
}

export function sentence(profile) {
  const { work, span, unit } = profile;
  const [plain, burden] = [parallelism(profile), burdened(profile)].map(number);
  return `Work ${amount(work, unit)}, span ${amount(span, unit)}: parallelism ${plain}${burden === plain ? "" : `, burdened ${burden}`}. ${verdict(profile)}`;
}

export const serial = (region) => parallelism(region) < 1.5;
// How much of the program's span the region's longest pass is; older profiles know only the average pass.
const share = ({ span }, region) => Math.min(1, (region.longest ?? region.span / region.times) / span);

// The region that keeps the program from being more parallel, if there is one: a pass of it is a quarter of the span or more, and the
// region has next to nothing to do in parallel.
export function culprit(profile) {
  const suspects = (profile.regions ?? []).filter((r) => serial(r) && share(profile, r) >= 1 / 4);
  return suspects.sort((a, b) => share(profile, b) - share(profile, a))[0];
}

// Where to look first, or nothing.
export function blame(profile) {
  const region = culprit(profile);
  if (!region) return null;
  const pass =
    region.times === 1
      ? "takes"
      : region.longest == null
        ? "takes, in an average pass,"
        : "takes, in its longest pass,";
  return `The region “${region.name}” ${pass} ${percent(share(profile, region))} of the span, and its parallelism is ${number(parallelism(region))}: look there first.`;
}

// A clock takes longer to read than some strands take to run, and goes on while another program has the core. `time`: what one worker
// takes without a profile, in seconds, if that is known: then that is the work.
const littlePerFork = 200;
export const perFork = ({ work, forks }, time = Infinity) => Math.min(work, 1e9 * time) / forks;
export function inflated(profile, time) {
  if (profile.unit !== "ns") return null;
  if (perFork(profile, time) < littlePerFork) return "measuring";
  return profile.work > 1.5e9 * time ? "interrupted" : null;
}
