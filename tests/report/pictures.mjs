// The README's pictures, from a page: node pictures.mjs PAGE FOLDER

import { join } from "node:path";
import { chromium } from "playwright-core";

const [page, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"], timeout: 60_000 });

async function open(width, scheme) {
  const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  await tab.goto(`file://${page}`);
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return tab;
}

for (const scheme of ["light", "dark"]) {
  const tab = await open(1280, scheme);
  for (const [name, title] of Object.entries({ speedup: "Speed-up", timeline: "Timeline" })) {
    const box = await tab.locator("section", { has: tab.locator("h2", { hasText: title }) }).boundingBox();
    const around = { x: box.x - 16, y: box.y - 16, width: box.width + 32, height: box.height + 32 };
    await tab.screenshot({ path: join(folder, `demo_${name}_${scheme}.png`), clip: around, fullPage: true });
  }
}
const narrow = await open(400, "light");
await narrow.screenshot({ path: join(folder, "demo_narrow.png") });
await browser.close();
