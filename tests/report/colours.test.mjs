// The colours of cli/report/page.css: text is readable, marks are seen, and those of the timeline stay apart for people who do not
// tell all colours apart, in light and in dark.

import { readFileSync } from "node:fs";
import { test } from "node:test";
import assert from "node:assert/strict";

const css = readFileSync(new URL("../../cli/report/page.css", import.meta.url), "utf8");
const [light, dark] = [...css.matchAll(/:root \{([^}]*)\}/g)].map((m) =>
  Object.fromEntries([...m[1].matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((c) => [c[1], c[2]])),
);

const linear = (hex) =>
  [1, 3, 5]
    .map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function contrast(a, b) {
  const [low, high] = [luminance(linear(a)), luminance(linear(b))].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

// What eyes without one kind of cone see, as matrices on linear light (Machado, Oliveira and Fernandes 2009).
const eyes = {
  "all cones": [1, 0, 0, 0, 1, 0, 0, 0, 1],
  "no red cones": [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  "no green cones": [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  "no blue cones": [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
const seen = (rgb, m) =>
  [0, 3, 6].map((i) => Math.min(1, Math.max(0, m[i] * rgb[0] + m[i + 1] * rgb[1] + m[i + 2] * rgb[2])));

// CIE L*a*b*, where distances are about as large as they look.
function lab([r, g, b]) {
  const f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const distance = (a, b, m) => Math.hypot(...lab(seen(linear(a), m)).map((v, i) => v - lab(seen(linear(b), m))[i]));

for (const [scheme, colour] of Object.entries({ light, dark })) {
  test(`${scheme}: text has a contrast of 4.5 or more`, () => {
    for (const text of ["ink", "muted", "bad"])
      for (const ground of ["ground", "panel"])
        assert.ok(contrast(colour[text], colour[ground]) >= 4.5, `${text} on ${ground}`);
  });
  test(`${scheme}: marks have a contrast of 3 or more`, () => {
    for (const mark of [
      "predicted",
      "measured",
      "root",
      "stolen",
      "resumed",
      "continuation",
      "steal",
      "busy",
      "region-1",
      "region-2",
      "region-3",
      "region-4",
    ])
      assert.ok(
        contrast(colour[mark], colour.ground) >= 3,
        `${mark}: ${contrast(colour[mark], colour.ground).toFixed(2)}`,
      );
  });
  test(`${scheme}: the kinds of runs and sleep stay apart for all eyes`, () => {
    const kinds = ["root", "stolen", "resumed", "continuation", "asleep"];
    for (const [eye, matrix] of Object.entries(eyes))
      for (const a of kinds)
        for (const b of kinds.slice(kinds.indexOf(a) + 1)) {
          const d = distance(colour[a], colour[b], matrix);
          assert.ok(d >= 20, `${a} and ${b}, ${eye}: ${d.toFixed(1)}`);
        }
  });
}
