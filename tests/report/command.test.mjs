// What a real program left behind, through `heist report` into a browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { close, heist, openFile, scratch, shown } from "./browser.mjs";

after(close);

test("a run's profile and trace become one page with the run's counts", async () => {
  const [profile, trace, page] = ["profile.json", "trace.json", "page.html"].map(scratch);
  const variables = { HEIST_WORKERS: "4", HEIST_PROFILE: `json:${profile}`, HEIST_TRACE: trace };
  execFileSync(process.env.HEIST_EXAMPLE, { env: { ...process.env, ...variables }, timeout: 60_000 });
  heist("report", profile, trace, "--title", "</script><i>a title</i>", "-o", page);

  const { page: seen, complaints, timeline } = await openFile(page);
  assert.equal(await seen.locator("h1").innerText(), "</script><i>a title</i>");
  const { traceEvents, otherData } = JSON.parse(readFileSync(trace, "utf8"));
  const number = (what) => traceEvents.filter(what).length;
  const note = await seen.locator("section", { hasText: "Timeline" }).locator(".note").innerText();
  const dropped = otherData.dropped.reduce((a, b) => a + b, 0);
  const plural = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
  assert.ok(
    note.includes(
      `${plural(
        number((e) => e.cat === "run"),
        "slice",
      )}, ${plural(
        number((e) => e.ph === "s"),
        "steal",
      )}, `,
    ),
    note,
  );
  assert.ok(note.endsWith(`${dropped} dropped.`), note);
  const view = await shown(timeline);
  assert.ok(view.lanes >= 4 && view.from === 0 && view.to > 0);

  const { forks } = JSON.parse(readFileSync(profile, "utf8"));
  assert.match(
    await seen.locator("tr", { hasText: "forks" }).first().innerText(),
    new RegExp(`^forks\\t${forks.toLocaleString("en")}\\t`),
  );
  assert.deepEqual(complaints, []);
});
