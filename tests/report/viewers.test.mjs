// A trace in the two viewers it is written for: Chrome's, in the form that Debian has it with Go's tools, and Perfetto's
// engine, which is what ui.perfetto.dev asks. Each must find every lane, slice, steal and region, and complain about nothing.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { close, scratch, serve } from "./browser.mjs";

after(close);

let text;
let expected; // of every lane: its pool, its name, its slices
let steals;
let regions;

before(() => {
  const trace = scratch("viewed.json");
  const variables = { HEIST_WORKERS: "12", HEIST_TRACE: trace }; // heist-10 comes after heist-9
  execFileSync(process.env.HEIST_TRACED, { env: { ...process.env, ...variables }, timeout: 60_000 });
  text = readFileSync(trace, "utf8");
  const { traceEvents: events } = JSON.parse(text);
  const pools = new Map(events.filter((e) => e.name === "process_name").map((e) => [e.pid, e.args.name]));
  const slices = (tid) => events.filter((e) => e.ph === "X" && e.tid === tid).length;
  expected = events.filter((e) => e.name === "thread_name").map((e) => [pools.get(e.pid), e.args.name, slices(e.tid)]);
  steals = events.filter((e) => e.ph === "s").length;
  regions = events.filter((e) => e.ph === "b").length;
  assert.ok(pools.size === 3 && steals > 0 && regions === 42, "the program did not do what the viewers should show");
});

test("Chrome's trace viewer shows it", async () => {
  const from = process.env.HEIST_TRACE_VIEWER;
  const page = await serve({
    "/": `<!doctype html><script src="webcomponents.min.js"></script><link rel="import" href="trace_viewer_full.html">
      <style>html, body { height: 100%; margin: 0 } tr-ui-timeline-view { height: 100% }</style>
      <tr-ui-timeline-view><track-view-container id="track_view_container"></track-view-container></tr-ui-timeline-view>`,
    "/webcomponents.min.js": readFileSync(`${from}/webcomponents.min.js`, "utf8"),
    "/trace_viewer_full.html": readFileSync(`${from}/trace_viewer_full.html`, "utf8"),
  });
  await page.waitForFunction(() => window.tr?.importer?.Import && document.querySelector("tr-ui-timeline-view").set);
  const seen = await page.evaluate(async (text) => {
    const model = new tr.Model();
    await new tr.importer.Import(model).importTracesWithProgressDialog([text]);
    document.querySelector("tr-ui-timeline-view").model = model;
    const threads = model.getAllThreads().sort(tr.model.Thread.compare); // as they are shown, one below the other
    return {
      lanes: threads.map((t) => [t.parent.name, t.name, t.sliceGroup.length]),
      regions: threads.reduce((n, t) => n + t.asyncSliceGroup.length, 0),
      steals: model.flowEvents.length,
      complaints: model.importWarnings.map((w) => w.message),
    };
  }, text);
  assert.deepEqual(seen, { lanes: expected, regions, steals, complaints: [] });
});

test("Perfetto's engine reads it", async () => {
  const from = process.env.HEIST_PERFETTO;
  const engine = readFileSync(`${from}/engine_bundle.node.js`, "utf8");
  const page = await serve({
    "/": "<!doctype html><script>globalThis.process = { env: {} };</script>",
    "/worker.js": engine.replace("this.useMemory64 = hasMemory64Support()", "this.useMemory64 = false"), // for want of the other
    "/engine.js": readFileSync(`${from}/engine.mjs`, "utf8"),
    "/trace_processor.wasm": readFileSync(`${from}/trace_processor.wasm`),
  });
  const seen = await page.evaluate(async (text) => {
    const { EngineBase } = await import("/engine.js");
    const { port1: here, port2: there } = new MessageChannel();
    class Engine extends EngineBase {
      rpcSendRequestBytes(bytes) {
        here.postMessage(bytes);
      }
    }
    const engine = new Engine();
    here.onmessage = (answer) => engine.onRpcResponseBytes(answer.data);
    new Worker("/worker.js").postMessage(there, [there]);
    await engine.parse(new TextEncoder().encode(text));
    await engine.notifyEof();
    const ask = async (sql) => {
      const answer = await engine.query(sql);
      const rows = [];
      for (const row = answer.iter({}); row.valid(); row.next())
        rows.push(answer.columns().map((c) => (typeof row.get(c) === "bigint" ? Number(row.get(c)) : row.get(c))));
      return rows;
    };
    const count = async (what) => (await ask(`select count(*) as n from ${what}`))[0][0];
    return {
      lanes: await ask(`select process.name as pool, thread.name as lane, count(slice.id) as slices
        from thread join process using (upid) left join thread_track using (utid)
        left join slice on slice.track_id = thread_track.id
        where thread.name is not null group by utid order by thread.tid`),
      regions: await count("slice where category = 'region'"),
      steals: await count("flow"),
      complaints: await ask("select name, value from stats where severity != 'info' and value > 0"),
    };
  }, text);
  assert.deepEqual(seen, { lanes: expected, regions, steals, complaints: [] });
});
