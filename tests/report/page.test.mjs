// The report page does what it should, in a browser.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, open, shown, tip } from "./browser.mjs";
import { makeProfile, makeTrace, region } from "./data.mjs";

after(close);

const grouped = (n) => n.toLocaleString("en");
const runs = (trace) => trace.traceEvents.filter((e) => e.cat === "run");
const titled = (page, title) => page.locator("section", { has: page.locator("h2", { hasText: title }) });
const headings = (page) => page.locator("h2").allInnerTexts();
const points = [
  { program: "merge_sort", workers: 1, seconds: 0.49 },
  { program: "merge_sort", workers: 8, seconds: 0.07 },
];
const several = () => {
  const profiles = ["sum of 100 million", "tree search, 7.7 million", "merge sort"].map((program, i) =>
    makeProfile({ program, span: 1e6 * (i + 1), regions: [] }),
  );
  const measured = profiles.flatMap((p) =>
    [1, 2].map((workers) => ({ program: p.program, workers, seconds: 1 / workers, steals: 7 * workers })),
  );
  const space = profiles.map(({ program }) => ({ program, workers: 2, peak: 61440, bound: 24576, kept: 73728 }));
  return { title: "demo", profiles, points: measured, space, traces: [makeTrace({ workers: 2, slices: 40 })] };
};
const whole = () => ({
  title: "merge_sort",
  heist: "0.1.0",
  profiles: [makeProfile()],
  traces: [makeTrace()],
  points,
  space: [{ program: "merge_sort", workers: 8, peak: 253248, bound: 8 * 20480, kept: 8 * 24576 }],
});

test("a whole report shows everything, complains about nothing, asks the network for nothing", async () => {
  const { page, complaints, timeline } = await open(whole());
  assert.deepEqual(await headings(page), [
    "Speed-up",
    "Work and span",
    "Regions",
    "Workers",
    "Timeline",
    "Steals against P·T∞",
    "Space against its bound",
  ]);
  assert.match(
    await page.locator(".verdict").first().innerText(),
    /^Work 488 ms, span 1.29 ms: parallelism 379, burdened 303. Enough for 30 cores.$/,
  );
  assert.equal((await shown(timeline)).lanes, 8);
  const painted = await timeline.evaluate(
    (c) => new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size,
  );
  assert.ok(painted > 6, `${painted} colours on the timeline`);
  assert.deepEqual(complaints, []);
});

test("only what there is data for is shown", async () => {
  const profile = await open({ title: "p", profiles: [makeProfile({ regions: [] })] });
  assert.deepEqual(await headings(profile.page), ["Speed-up", "Work and span", "Workers", "Steals against P·T∞"]);
  const trace = await open({ title: "t", traces: [makeTrace()] });
  assert.deepEqual(await headings(trace.page), ["Timeline", "Steals against P·T∞"]);
  assert.equal(
    await titled(trace.page, "Steals against").locator(".note").innerText(),
    "A trace has the steals, but not the span: heist trace --profile profile.json -- ./program measures it in the same run, and heist report profile.json heist.trace.json shows both.",
  );
  const nothing = await open({ title: "n" });
  assert.deepEqual(await headings(nothing.page), []);
  for (const { complaints } of [profile, trace, nothing]) assert.deepEqual(complaints, []);
});

test("where and when profiles are from is said once, or for each where they differ", async () => {
  const about = async (page) => page.locator(".about").innerText();
  const one = makeProfile({ program: "one" });
  const same = { ...one, program: "same", started: "2026-11-15T23:00:00Z" };
  const alike = await open({ profiles: [one, same] });
  assert.match(
    await about(alike.page),
    /^1\d November 2026 at \d+:30 · Some CPU, 8 processors, Linux 6.1.0 x86_64 · 8 workers$/,
  );
  const rows = (page) => page.locator("tr", { has: page.locator("th", { hasText: /^(machine|heist|day)$/ }) });
  assert.equal(await rows(alike.page).count(), 0);

  const other = { ...same, cpu: "", processors: 1, heist: "0.2.0", started: "2026-11-16T10:30:00Z" };
  const apart = await open({ profiles: [one, other] });
  assert.equal(await about(apart.page), "8 workers");
  assert.deepEqual(await rows(apart.page).allInnerTexts(), [
    "machine\tSome CPU, 8 processors, Linux 6.1.0 x86_64\t1 processor, Linux 6.1.0 x86_64",
    "heist\t0.1.0\t0.2.0",
    "day\t2026-11-15\t2026-11-16",
  ]);
  for (const { complaints } of [alike, apart]) assert.deepEqual(complaints, []);
});

test("the counts are the trace's", async () => {
  const trace = makeTrace({ slices: 1234, seed: 5 });
  const steals = trace.traceEvents.filter((e) => e.ph === "s").length;
  const regions = trace.traceEvents.filter((e) => e.ph === "b").length;
  const { page } = await open({ title: "t", traces: [trace] });
  const note = await page.locator("section .note").first().innerText();
  assert.ok(
    note.includes(
      `${grouped(runs(trace).length)} slices, ${grouped(steals)} steals, ${grouped(regions)} regions, 3 dropped`,
    ),
    note,
  );
  await page.getByText("The workers").click();
  const cells = await page
    .locator("details tbody tr")
    .evaluateAll((rows) => rows.map((r) => [...r.cells].map((c) => c.innerText)));
  const end = Math.max(...trace.traceEvents.map((e) => (e.ts ?? 0) + (e.dur ?? 0)));
  const start = Math.min(...trace.traceEvents.filter((e) => e.ts != null).map((e) => e.ts));
  cells.forEach((row, tid) => {
    const own = runs(trace).filter((e) => e.tid === tid);
    const busy = own.reduce((sum, e) => sum + e.dur, 0);
    assert.equal(row[1], `${Math.round((100 * busy) / (end - start))} %`);
    assert.equal(row[4], grouped(own.length));
    assert.equal(row[5], grouped(trace.traceEvents.filter((e) => e.ph === "f" && e.tid === tid).length));
    assert.equal(row[6], grouped(trace.traceEvents.filter((e) => e.ph === "s" && e.tid === tid).length));
    assert.equal(row[7], tid === 1 ? "3" : "0");
  });
});

test("buttons, keys, the wheel and a drag change the interval", async () => {
  const { page, timeline, complaints } = await open({ title: "t", traces: [makeTrace()] });
  const first = await shown(timeline);
  const length = (v) => v.to - v.from;
  const near = (a, b) => assert.ok(Math.abs(a - b) < length(first) / 1000, `${a} is not ${b}`); // about a pixel

  await page.getByRole("button", { name: "Zoom in" }).click();
  const half = await shown(timeline);
  near(length(half), length(first) / 2);
  await page.getByRole("button", { name: "Later" }).click();
  near((await shown(timeline)).from, half.from + length(half) / 4);
  await page.getByRole("button", { name: "whole run" }).click();
  assert.deepEqual(await shown(timeline), first);

  await timeline.focus();
  for (const key of ["+", "+", "ArrowRight"]) await page.keyboard.press(key);
  const keyed = await shown(timeline);
  near(length(keyed), length(first) / 4);
  near(keyed.from, first.from + (3 / 8 + 1 / 40) * length(first));
  await page.keyboard.press("0");
  assert.deepEqual(await shown(timeline), first);

  await timeline.scrollIntoViewIfNeeded();
  const box = await timeline.boundingBox();
  const at = { x: box.x + 132 + (box.width - 133) / 2, y: box.y + 90 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, -400);
  const wheeled = await shown(timeline);
  assert.ok(length(wheeled) < 0.6 * length(first));
  near((wheeled.from + wheeled.to) / 2, (first.from + first.to) / 2); // what is under the pointer stays there
  await page.mouse.down();
  await page.mouse.move(at.x - 100, at.y, { steps: 4 });
  await page.mouse.up();
  const dragged = await shown(timeline);
  near(length(dragged), length(wheeled));
  near(dragged.from, wheeled.from + (100 * length(wheeled)) / (box.width - 133));
  assert.deepEqual(complaints, []);
});

test("a wheel that only passes by does not zoom", async () => {
  const { page, timeline } = await open({ title: "t", traces: [makeTrace()] });
  const first = await shown(timeline);
  await timeline.hover();
  await page.mouse.wheel(0, -400);
  assert.deepEqual(await shown(timeline), first);
});

test("two fingers zoom", async () => {
  const { timeline } = await open({ title: "t", traces: [makeTrace()] });
  const first = await shown(timeline);
  await timeline.evaluate((canvas) => {
    canvas.setPointerCapture = () => {}; // a made event has no pointer to capture
    const { left, top } = canvas.getBoundingClientRect();
    const send = (type, pointerId, x) =>
      canvas.dispatchEvent(
        new PointerEvent(type, { pointerId, pointerType: "touch", clientX: left + x, clientY: top + 100 }),
      );
    send("pointerdown", 1, 400);
    send("pointerdown", 2, 500);
    send("pointermove", 2, 600);
    send("pointerup", 1, 400);
    send("pointerup", 2, 600);
  });
  const pinched = await shown(timeline);
  assert.ok(Math.abs((pinched.to - pinched.from) / (first.to - first.from) - 0.5) < 1e-6);
});

test("hovering over a slice, a steal, a wait, a sleep and the plot shows their numbers", async () => {
  const event = (more) => ({ ph: "X", pid: 1, tid: 0, ...more });
  const traceEvents = [
    { ph: "M", pid: 1, tid: 0, name: "thread_name", args: { name: "heist-0" } },
    { ph: "M", pid: 1, tid: 1, name: "thread_name", args: { name: "heist-1" } },
    event({ cat: "run", name: "root", ts: 0, dur: 1000, args: { end: "ended" } }),
    { ph: "b", id: 1, pid: 1, tid: 0, ts: 0, cat: "region", name: "<b>merge</b>" },
    { ph: "e", id: 1, pid: 1, tid: 1, ts: 400, cat: "region", name: "<b>merge</b>" },
    { ph: "b", id: 2, pid: 1, tid: 0, ts: 500, cat: "wait", name: "a mutex" },
    { ph: "e", id: 2, pid: 1, tid: 1, ts: 900, cat: "wait", name: "a mutex" },
    { ph: "s", pid: 1, tid: 0, ts: 250, id: 1, cat: "steal", name: "steal" },
    { ph: "f", bp: "e", pid: 1, tid: 1, ts: 250, id: 1, cat: "steal", name: "steal" },
    event({ tid: 1, cat: "run", name: "stolen", ts: 250, dur: 123.4, args: { end: "suspended", from: 0, steal: 1 } }),
    event({ tid: 1, cat: "sleep", name: "asleep", ts: 600, dur: 200 }),
  ];
  const { page, timeline, complaints } = await open({
    title: "t",
    profiles: [makeProfile()],
    points,
    traces: [{ traceEvents, otherData: { dropped: [0, 0] } }],
  });
  await timeline.scrollIntoViewIfNeeded();
  const box = await timeline.boundingBox();
  const top = 84; // of the lanes
  const lane = (box.height - top - 2) / 2;
  const hover = async (t, worker, up = 0.5) => {
    await page.mouse.move(box.x + 132 + ((box.width - 133) * t) / 1000, box.y + top + lane * (worker + up));
    return tip(page);
  };
  const root = await hover(200, 0);
  assert.match(root, /heist-0: 1 ms\na root that entered the pool\n.*0 µs to 1,000 µs\nended/);
  assert.match(await hover(200, 0, -0.7), /region <b>merge<\/b>: 400 µs\nbegan on heist-0, ended on heist-1\n/);
  assert.match(await hover(700, 0, -0.7), /wait for a mutex: 400 µs\nbegan on heist-0, ended on heist-1\n/);
  assert.match(await hover(300, 1), /heist-1: 123 µs\na stolen branch, from heist-0\n.*\nsuspended/);
  assert.match(await hover(250, 1, 0), /Steal: heist-1 from heist-0\nat 250 µs/);
  assert.match(await hover(700, 1), /heist-1: asleep for 200 µs\nfrom 600 µs/);
  assert.match(await hover(900, 1), /heist-1: searching/);
  assert.equal(await hover(-50, 1), null);

  const plot = page.locator("svg.chart");
  await plot.scrollIntoViewIfNeeded();
  const area = await plot.boundingBox();
  await page.mouse.move(area.x + (area.width * (44 + ((560 - 12 - 44) * 3) / 10)) / 560, area.y + 50);
  assert.match(
    await tip(page),
    /8 workers\npredicted: 7.79 to 8 times as fast\n61 to 62.6 ms\nmeasured: 7 times, 70 ms/,
  );
  assert.deepEqual(complaints, []);
});

test("the slices can be walked by keys", async () => {
  const trace = makeTrace();
  const { page, timeline } = await open({ title: "t", traces: [trace] });
  await timeline.focus();
  await page.keyboard.press("n");
  assert.match(await tip(page), /^heist-0: .*\n.*\n.*\n.*\nslice 1 of/);
  await page.keyboard.press("n");
  assert.match(await tip(page), /^heist-0: [^]*slice 2 of/);
  await page.keyboard.press("ArrowDown");
  assert.match(await tip(page), /^heist-1: /);
  await page.keyboard.press("Escape");
  assert.equal(await tip(page), null);
});

test("the predicted speed-up and time are those the profile says", async () => {
  const profile = makeProfile({ work: 9e8, span: 7e6, burdened_span: 9.5e6 });
  const { page } = await open({ title: "p", profiles: [profile], points: [{ workers: 2, seconds: 0.46 }] });
  await page.getByText("The numbers").click();
  const rows = (await page.locator("details tbody tr").allInnerTexts()).map((row) => row.split("\t"));
  assert.equal(rows.length, profile.speedup.length);
  const near = (text, expected) =>
    text
      .match(/[\d.]+/g)
      .forEach((n, i) => assert.ok(Math.abs(n / expected[i] - 1) < 0.006, `${text} is not ${expected}`));
  profile.speedup.forEach(({ workers, least, most, shortest, longest }, i) => {
    const [processors, faster, time] = rows[i];
    assert.equal(processors, grouped(workers));
    near(faster, [least, most, 9e8 / 0.46e9]);
    assert.match(time, /^[\d.]+ to [\d.]+ ms(, measured 460 ms)?$/);
    near(time, [shortest / 1e6, longest / 1e6, 460]);
  });
  assert.equal(rows[1][2], "450 to 460 ms, measured 460 ms");

  const strands = makeProfile({ unit: "strand", work: 9000, span: 70, burdened_span: 95 });
  const counted = await open({ title: "p", profiles: [strands] });
  await counted.page.getByText("The numbers").click();
  assert.equal(
    await counted.page.locator("details tbody tr").nth(3).innerText(),
    "8\t7.38 to 8\t1,125 to 1,220 strands",
  );
});

// Work, span and burdened span in milliseconds.
const verdicts = {
  "much parallelism": [[1000, 2, 2.5], "parallelism 500, burdened 400. Enough for 40 cores."],
  "much parallelism, fine forks": [
    [1000, 1, 4],
    "parallelism 1,000, burdened 250. Enough for 25 cores, and for up to 100 with coarser forks along the span.",
  ],
  "so much parallelism that fine forks do not matter": [
    [9000, 0.03, 2],
    "parallelism 300,000, burdened 4,500. Enough for 450 cores.",
  ],
  "little parallelism": [
    [1000, 100, 125],
    "parallelism 10, burdened 8. However many cores, at most 10 times as fast, and 8 if every fork on the span is stolen.",
  ],
  "little parallelism, few forks on the span": [
    [1000, 100, 101],
    "parallelism 10, burdened 9.9. However many cores, at most 10 times as fast.",
  ],
  "little parallelism, hardly a fork on the span": [
    [1000, 100, 100.01],
    "parallelism 10. However many cores, at most 10 times as fast.",
  ],
  "much parallelism, but forks that are too fine for it": [
    [1000, 1000 / 330, 1000 / 14],
    "parallelism 330, burdened 14. However many cores, count on 14 times as fast, not 330: its forks are too fine along the span, where a steal costs more than what lies between two of them.",
  ],
  "next to no parallelism": [
    [1000, 800, 810],
    "parallelism 1.25, burdened 1.23. Next to no parallelism: more cores will not make it faster.",
  ],
};
for (const [name, [[work, span, burdened_span], words]] of Object.entries(verdicts))
  test(`the verdict on ${name}`, async () => {
    const figures = { work: work * 1e6, span: span * 1e6, burdened_span: burdened_span * 1e6, regions: [] };
    const { page } = await open({ title: "p", profiles: [makeProfile(figures)] });
    const said = await page.locator(".verdict").allInnerTexts();
    assert.equal(said.length, 1);
    assert.equal(said[0].replace(/^.*?: /, ""), words);
  });

// What is said of where to look, in a program of 760 ms of work and 77 ms of span.
async function blamed(...regions) {
  const profile = makeProfile({ work: 760e6, span: 77e6, burdened_span: 77e6, regions });
  const { page } = await open({ title: "p", profiles: [profile] });
  return (await page.locator(".verdict").allInnerTexts()).slice(1);
}
const sorting = region("sort", { work: 759e6, span: 76.9e6, forks: 4095 });

test("a program without parallelism is told so, and where", async () => {
  const regions = [region("read", { work: 9e8, span: 9e8 })];
  const { page } = await open({
    title: "p",
    profiles: [makeProfile({ work: 1e9, span: 9.1e8, burdened_span: 9.1e8, regions })],
  });
  const [first, second] = await page.locator(".verdict").allInnerTexts();
  assert.match(first, /Next to no parallelism/);
  assert.equal(second, "The region “read” takes 99 % of the span, and its parallelism is 1: look there first.");
  assert.match(await page.locator("tr.flagged").first().innerText(), /read.*serial/s);
});

test("a serial region of many passes is found by its longest one", async () => {
  const merge = region("merge", { times: 4095, work: 436e6, span: 436e6, longest: 38.5e6 });
  assert.deepEqual(await blamed(sorting, merge), [
    "The region “merge” takes, in its longest pass, 50 % of the span, and its parallelism is 1: look there first.",
  ]);
  const longer = region("copy", { times: 12, work: 60e6, span: 50e6, longest: 46.2e6 });
  assert.match(
    (await blamed(merge, longer, sorting))[0],
    /“copy” takes, in its longest pass, 60 % .* parallelism is 1.2:/,
  );

  // An older profile knows the average pass.
  const { longest, forks, burdened_span, ...older } = merge;
  assert.deepEqual(await blamed(older), []);
  assert.match(
    (await blamed({ ...older, times: 2, work: 60e6, span: 60e6 }))[0],
    /“merge” takes, in an average pass, 39 %/,
  );
});

test("a region that is long but parallel, or serial but short, is not blamed", async () => {
  const parallel = region("merge", { times: 4095, work: 436e6, span: 200e6, longest: 38.5e6, forks: 9000 });
  const short = region("leaf", { times: 4096, work: 320e6, span: 320e6, longest: 19e6 });
  assert.deepEqual(await blamed(sorting, parallel, short), []);
});

test("several programs are each told where to look", async () => {
  const slow = makeProfile({
    program: "slow",
    span: 1e8,
    burdened_span: 1e8,
    regions: [region("read", { work: 5e7, span: 5e7 })],
  });
  const { page } = await open({ title: "p", profiles: [slow, makeProfile({ program: "fast" })] });
  const rows = await titled(page, "What to expect").locator("tbody tr").allInnerTexts();
  assert.deepEqual(rows, [
    "slow\t4.88\t4.88\tHowever many cores, at most 4.88 times as fast. The region “read” takes 50 % of the span, and its parallelism is 1: look there first.",
    "fast\t379\t303\tEnough for 30 cores.",
  ]);
});

test("regions have their longest pass and their forks, where the profile knows them", async () => {
  const cells = async (regions) => {
    const { page } = await open({ title: "p", profiles: [makeProfile({ regions })] });
    const table = titled(page, "Regions").locator("tr");
    return table.evaluateAll((rows) => rows.map((r) => [...r.cells].map((c) => c.innerText)));
  };
  const merge = region("merge", { times: 4095, work: 4e8, span: 8e6, longest: 2.5e5, forks: 12345 });
  const { longest, forks, burdened_span, ...older } = merge;
  const bar = "share of the work";
  assert.deepEqual(await cells([merge]), [
    ["region", "times", "work", "span", "longest pass", "forks", "parallelism", "", bar],
    ["merge", "4,095", "400 ms", "8 ms", "250 µs", "12,345", "50", "", ""],
  ]);
  assert.deepEqual(await cells([older]), [
    ["region", "times", "work", "span", "parallelism", "", bar],
    ["merge", "4,095", "400 ms", "8 ms", "50", "", ""],
  ]);
});

test("captions name colours by swatches that have them, in light and in dark", async () => {
  const colours = new Set();
  for (const scheme of ["light", "dark"]) {
    const { page } = await open(whole(), { scheme });
    const captions = await page.locator(".note, .key, .hint, th").allInnerTexts();
    for (const text of captions) assert.doesNotMatch(text, /\b(dark|light|bright|pale)/i);
    const background = (found) =>
      found.evaluateAll((all) => [...new Set(all.map((e) => getComputedStyle(e).backgroundColor))]);
    for (const [title, marks] of Object.entries({
      Regions: { whole: "work", part: "span" },
      "Steals against": { part: "steals", limit: "P·T∞" },
      "Space against": { part: "resident at the peak", limit: "P·S₁ and what stacks hold besides" },
    })) {
      const section = titled(page, title);
      assert.deepEqual(await section.locator(".key li").allInnerTexts(), Object.values(marks));
      for (const kind of Object.keys(marks)) {
        const swatch = await background(section.locator(`.swatch.${kind}`));
        assert.equal(swatch.length, 1);
        assert.deepEqual(swatch, await background(section.locator(`.track .${kind}`)));
        colours.add(swatch[0]);
      }
    }
  }
  assert.equal(colours.size, 6); // three marks, twice
});

test("the space bound is the one that is promised, and its parts are named", async () => {
  const KiB = 1024;
  const space = [
    { program: "kept", workers: 2, peak: 60 * KiB, bound: 24 * KiB, kept: 3 * 24 * KiB },
    { program: "broken", workers: 2, peak: 192 * KiB, bound: 24 * KiB, kept: 3 * 24 * KiB },
  ];
  const { page } = await open({ title: "s", space, profiles: [makeProfile()] });
  const section = titled(page, "Space against");
  const cells = await section
    .locator("tr")
    .evaluateAll((rows) => rows.map((r) => [...r.cells].slice(0, 7).map((c) => c.innerText)));
  assert.deepEqual(cells, [
    ["program", "workers", "stacks", "P·S₁", "besides frames", "bound", "ratio"],
    ["kept", "2", "60 KiB", "24 KiB", "72 KiB", "96 KiB", "0.625 ×"],
    ["broken", "2", "192 KiB", "24 KiB", "72 KiB", "96 KiB", "2 ×, too much"],
  ]);
  assert.deepEqual(await section.locator("tr.flagged th").allInnerTexts(), ["broken"]);
  assert.match(await section.locator(".note").innerText(), /Where the ratio is 1 or less, the promise is kept\.$/);
});

test("the profiled run's serial space is not called S₁, and left out where the space section has it", async () => {
  const serial = async (data) => {
    const { page } = await open(data);
    return page.locator("tr", { hasText: "serial space" }).allInnerTexts();
  };
  assert.deepEqual(await serial({ profiles: [makeProfile()] }), [
    "serial space, as profiled\t48 KiB\thow deep the serial program's stack is at its forks",
  ]);
  assert.deepEqual(await serial(whole()), []);
});

test("figures that measuring or a busy machine made too large are said to be so", async () => {
  const note = async (data) => {
    const { page } = await open({ title: "p", ...data });
    const found = titled(page, "Work and span").locator(".note");
    return (await found.count()) > 0 ? found.innerText() : null;
  };
  const then = ": work and span are then upper estimates, and the parallelism is more often too low than too high.";
  const little = "There is so little work between forks that measuring is a good part of it";
  const busy = "he work is far more than what one worker takes, as on a busy machine";
  const fine = makeProfile({ program: "fib", work: 90e6, forks: 1e6 });
  const coarse = makeProfile({ program: "sort", work: 90e6, forks: 1e5 });
  assert.equal(await note({ profiles: [fine] }), `${little} (90 ns a fork)${then}`);
  assert.equal(await note({ profiles: [coarse] }), null);
  assert.equal(await note({ profiles: [{ ...fine, unit: "strand" }] }), null);
  const measured = [{ program: "sort", workers: 1, seconds: 0.05 }];
  assert.equal(await note({ profiles: [coarse], points: measured }), `T${busy}${then}`);
  const slowed = { ...fine, work: 900e6 }; // but one worker took 0.09 s for a million forks
  assert.equal(
    await note({ profiles: [slowed], points: [{ program: "fib", workers: 1, seconds: 0.09 }] }),
    `${little} (90 ns a fork)${then}`,
  );
  assert.equal(
    await note({ profiles: [fine, coarse], points: measured }),
    `${little} (fib: 90 ns a fork), and t${busy} (sort)${then}`,
  );
});

test("200,000 slices: painted in work bounded by pixels, and zoomed", async () => {
  const trace = makeTrace({ slices: 200_000, regions: false });
  const { page, timeline, complaints } = await open({ title: "t", traces: [trace] });
  assert.ok((await page.locator("section .note").first().innerText()).includes("200,000 slices"));
  const first = await shown(timeline);
  const { width } = await timeline.boundingBox();
  // Two rectangles a pixel for runs and for sleeps, and a notch for steals; the strip, the axis and the lanes' lines.
  const bound = 8 * width * 5 + width + 100;
  assert.ok(
    first.rectangles > 8 * width && first.rectangles < bound,
    `${first.rectangles} rectangles, the bound is ${bound}`,
  );
  await timeline.focus();
  let before = first;
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press("+");
    const now = await shown(timeline);
    assert.ok(now.to - now.from < 0.51 * (before.to - before.from));
    assert.ok(now.rectangles < bound && now.arrows <= 300, `${now.rectangles} rectangles, ${now.arrows} arrows`);
    before = now;
  }
  // What is in sight now is all painted, and no more.
  const inSight = trace.traceEvents.filter((e) => e.ph === "f" && e.ts >= before.from && e.ts <= before.to).length;
  assert.ok(inSight > 0 && inSight <= 300);
  assert.equal(before.arrows, inSight);
  assert.deepEqual(complaints, []);
});

test("narrow and wide, light and dark: nothing sticks out, and the timeline has the scheme's colours", async () => {
  const corners = new Set();
  for (const [data, width] of [
    [whole(), 400],
    [whole(), 1280],
    [several(), 400],
  ])
    for (const scheme of ["light", "dark"]) {
      const { page, timeline, complaints } = await open(data, { width, scheme });
      await shown(timeline);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      corners.add(
        `${scheme} ${await timeline.evaluate((c) =>
          c
            .getContext("2d")
            .getImageData(c.width - 4, 30 * devicePixelRatio, 1, 1)
            .data.join(),
        )}`,
      );
      const parts = await page
        .locator("main section, main figure, main .wide")
        .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().right));
      assert.ok(Math.max(...parts) <= width);
      // Bars and verdicts are in sight without scrolling.
      const tables = page.locator(".wide.full, .wide:has(tbody td.words:last-child:not(.columns *))");
      for (const inner of await tables.evaluateAll((all) => all.map((e) => e.scrollWidth - e.clientWidth)))
        assert.equal(inner, 0);
      assert.deepEqual(complaints, []);
    }
  assert.equal(new Set([...corners].map((c) => c.split(" ")[1])).size, 2, [...corners].join("; "));
});

test("everything that does something is reached by Tab and has a name", async () => {
  const { page } = await open(whole());
  const names = [];
  for (let i = 0; i < 10; ++i) {
    await page.keyboard.press("Tab");
    names.push(
      await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText),
    );
  }
  for (const wanted of [
    /^Speed-up against workers/,
    /^The numbers$/,
    /^Zoom in$/,
    /^Show the whole run$/,
    /^Timeline of 8 workers/,
    /^The workers$/,
  ])
    assert.ok(
      names.some((n) => wanted.test(n)),
      `${wanted} is not among ${names.join(" | ")}`,
    );
});

test("several programs are laid side by side", async () => {
  const { page, complaints } = await open(several());
  assert.equal(await page.locator("svg.chart").count(), 3);
  assert.equal(await page.locator("svg.chart .measured").count(), 6);
  const steals = titled(page, "Steals against").locator("tbody tr");
  assert.deepEqual(
    (await steals.allInnerTexts()).map((row) => row.split("\t").slice(0, 4)),
    [
      ["sum of 100 million", "2", "14", "400"],
      ["tree search, 7.7 million", "2", "14", "800"],
      ["merge sort", "2", "14", "1,200"],
    ],
  );
  assert.deepEqual(complaints, []);
});

test("pools that coexist have lanes of their own, and a trace of nothing is no error", async () => {
  const run = (pid, ts) => ({ ph: "X", pid, tid: 0, ts, dur: 10, cat: "run", name: "root", args: { end: "ended" } });
  const names = [1, 2].flatMap((pid) => [
    { ph: "M", pid, tid: 0, name: "process_name", args: { name: `pool ${pid}` } },
    { ph: "M", pid, tid: 0, name: "thread_name", args: { name: "heist-0" } },
  ]);
  const { page, complaints } = await open({
    title: "t",
    traces: [
      { traceEvents: [...names, run(1, 0), run(2, 20), run(2, 40)], otherData: { program: "a", dropped: [0, 0] } },
      { traceEvents: [], otherData: { program: "b" } },
    ],
  });
  await page.getByText("The workers").first().click();
  assert.deepEqual(await page.locator("details").first().locator("tbody th").allInnerTexts(), [
    "pool 1, heist-0",
    "pool 2, heist-0",
  ]);
  assert.deepEqual(await headings(page), ["Timeline: a", "Timeline: b", "Steals against P·T∞"]);
  assert.deepEqual(complaints, []);
});

test("a trace of several machines shows their lanes, loans, a machine that was lost, and what crossing cost", async () => {
  const name = (pid, text) => ({ ph: "M", pid, tid: 0, name: "process_name", args: { name: text } });
  const lane = (pid) => ({ ph: "M", pid, tid: pid, name: "thread_name", args: { name: "heist-0", lane: 0, pool: 1 } });
  const run = (pid, ts, dur, what) => ({ ph: "X", pid, tid: pid, ts, dur, cat: "run", name: what, args: { end: "ended" } });
  const loan = (id, from, to, lent, began, task) => [
    { ph: "s", id, pid: from, tid: from, ts: lent, cat: "loan", name: task },
    { ph: "f", bp: "e", id, pid: to, tid: to, ts: began, cat: "loan", name: task },
  ];
  const traceEvents = [
    ...[name(1, "one:11 (driver)"), lane(1), name(2, "two:22 (helper)"), lane(2)],
    ...[run(1, 0, 1000, "root"), run(2, 300, 400, "root")],
    ...loan(1, 1, 2, 100, 300, "<b>queens</b>"),
    ...loan(2, 1, 2, 500, 650, "queens"),
    { ph: "i", s: "g", pid: 1, tid: 1, ts: 400, cat: "lost", name: "machine 0123abcd lost" },
  ];
  const crossed = { loans: 2, lost: 1, bytes_sent: 12345, to_begin_us: 175, to_return_us: 200 };
  const otherData = { heist: "0.1.0", format: 1, program: "p", workers: 2, dropped: [0, 0], machines: 2, crossed };
  const { page, timeline, complaints } = await open({ title: "t", traces: [{ traceEvents, otherData }] });
  const { lanes } = await shown(timeline);
  assert.equal(lanes, 2);
  const note = await page.locator("section .note").first().innerText();
  for (const said of ["0 steals, 2 loans", "2 branches crossed, and 12,345 bytes were sent.", "A branch began 175 µs after", "1 machine was lost."])
    assert.ok(note.includes(said), `${said} is not in: ${note}`);
  assert.match(await page.locator(".hint").first().innerText(), /Arrows from machine to machine are loans/);
  await page.getByText("The workers").click();
  assert.deepEqual(await page.locator("details tbody th").allInnerTexts(), ["one:11 (driver), heist-0", "two:22 (helper), heist-0"]);

  // The mark is a line through all lanes, of the ink's colour; what it says covers the lane behind it.
  const dark = await timeline.evaluate((canvas) => {
    const ink = Number.parseInt(getComputedStyle(canvas).getPropertyValue("--ink").trim().slice(1), 16);
    const [r, g, b] = [ink >> 16, (ink >> 8) & 255, ink & 255];
    const { width, height, data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const most = { x: 0, pixels: 0 };
    for (let x = 1; x < width; ++x) {
      let pixels = 0;
      for (let y = 0; y < height; ++y) {
        const at = 4 * (y * width + x);
        pixels += Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 12;
      }
      if (pixels > most.pixels) Object.assign(most, { x, pixels });
    }
    const ground = Number.parseInt(getComputedStyle(canvas).getPropertyValue("--ground").trim().slice(1), 16);
    let covered = 0;
    for (let y = 0; y < height; ++y) {
      const at = 4 * (y * width + most.x + 4 * devicePixelRatio);
      covered += data[at + 3] === 255 && ((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]) === ground;
    }
    return { ...most, covered: covered / devicePixelRatio, share: most.pixels / height, at: most.x / (width / canvas.clientWidth), room: canvas.clientWidth };
  });
  assert.ok(dark.share > 0.4, JSON.stringify(dark));
  assert.ok(dark.covered >= 10, JSON.stringify(dark));
  const where = 240 + 0.4 * (dark.room - 241); // names of machines are long
  assert.ok(Math.abs(dark.at - where) < 4, `${JSON.stringify(dark)} is not at ${where}`);

  // A loan's arrow says what was lent, as text.
  await timeline.scrollIntoViewIfNeeded();
  const box = await timeline.boundingBox();
  const x = (t) => box.x + 240 + (t / 1000) * (box.width - 241);
  const seen = new Set();
  for (let y = box.y; y < box.y + box.height; y += 2) {
    await page.mouse.move((x(100) + x(300)) / 2, y);
    const text = await tip(page);
    if (text?.startsWith("Loan")) seen.add(text);
  }
  assert.equal(seen.size, 1, [...seen].join());
  assert.match([...seen][0], /^Loan of <b>queens<\/b>: two:22 \(helper\), heist-0 from one:11 \(driver\), heist-0\nlent at 100 µs, began at 300 µs$/);
  assert.deepEqual(complaints, []);
});
