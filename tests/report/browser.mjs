// A report page in real Chromium, and everything it complained about or asked the network for.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { close as closeChromium, newPage } from "./chromium.mjs";

const template = readFileSync(process.env.HEIST_REPORT_PAGE, "utf8");
const folder = mkdtempSync(join(tmpdir(), "heist-report-"));
let pages = 0;

export async function open(data, options = {}) {
  const file = join(folder, `${++pages}.html`);
  writeFileSync(
    file,
    template.replace("/*DATA*/", () => JSON.stringify(data).replaceAll("<", "\\u003c")),
  );
  return openFile(file, options);
}

// A page whose files are given, for what cannot be opened from disk. Nothing leaves the browser.
export async function serve(files) {
  const page = await newPage();
  const types = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
  await page.route("**", (route) => {
    const { pathname } = new URL(route.request().url());
    if (!(pathname in files)) return route.fulfill({ status: 404 });
    return route.fulfill({ contentType: types[pathname.split(".").at(-1)] ?? "text/html", body: files[pathname] });
  });
  await page.goto("http://localhost/");
  return page;
}

export async function openFile(file, options = {}) {
  const page = await newPage(options);
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on(
    "request",
    (request) =>
      request.url() === `file://${file}` || request.url() === "data:," || complaints.push(`asked for ${request.url()}`),
  );
  await page.goto(`file://${file}`);
  return { page, complaints, timeline: page.locator("canvas.timeline[tabindex]") };
}

// The interval a timeline shows, and what it took to paint it, after the frame that is under way.
export async function shown(timeline) {
  return timeline.evaluate(async (canvas) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return Object.fromEntries(Object.entries(canvas.dataset).map(([key, value]) => [key, Number(value)]));
  });
}

export async function tip(page) {
  const found = page.locator(".tip:not([hidden])");
  return (await found.count()) > 0 ? found.innerText() : null;
}

// The command itself.
export function heist(...parts) {
  return execFileSync(process.env.HEIST_COMMAND, parts, {
    encoding: "utf8",
    timeout: 60_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
export const scratch = (name) => join(folder, name);

export async function close() {
  await closeChromium();
  rmSync(folder, { recursive: true });
}
