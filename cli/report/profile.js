// What follows from a profile: what to expect on P workers, and in plain words whether that is enough.

import { amount, count, number, plural } from "./format.js";

export const machine = ({ cpu, processors, system }) =>
  [cpu, processors && plural(processors, "processor"), system].filter(Boolean).join(", ");
export const day = ({ started = "" }) => started.slice(0, 10);
export const differ = (profiles, value) => new Set(profiles.map(value)).size > 1;

export const parallelism = ({ work, span }) => (span > 0 ? work / span : 1);
export const burdened = ({ work, burdened_span: span }) => (span > 0 ? work / span : 1);

// The speed-up on so many workers: T1/P plus the burdened span takes at most so long, max(T1/P, span) at least.
export function speedup(profile, workers) {
  const each = profile.work / workers;
  return { least: profile.work / (each + profile.burdened_span), most: profile.work / Math.max(each, profile.span) };
}

// With ten times as much parallelism as cores, each core is busy nine tenths of the time or more.
const slack = 10;
const twoDigits = (n) =>
  n < 100 ? Math.floor(n) : Math.floor(n / 10 ** Math.floor(Math.log10(n) - 1)) * 10 ** Math.floor(Math.log10(n) - 1);

export function verdict(profile) {
  const p = burdened(profile);
  if (p < 1.5) return "Next to no parallelism: more cores will not make it faster.";
  if (p < 2 * slack) return `At most ${number(parallelism(profile))} times as fast, however many cores.`;
  return `Enough for ${count(twoDigits(p / slack))} cores.`;
}

export function sentence(profile) {
  const { work, span, unit } = profile;
  return `Work ${amount(work, unit)}, span ${amount(span, unit)}: parallelism ${number(parallelism(profile))}. ${verdict(profile)}`;
}

// The region that keeps the program serial, if there is one: a single pass of it takes half of the span or more, and has
// next to nothing to do in parallel.
export function culprit({ span, regions = [] }) {
  return regions.find((r) => parallelism(r) < 1.5 && r.span / r.times >= span / 2);
}
