// One Chromium for a file of tests, started when the first page is asked for.

import { chromium } from "playwright-core";

let browser = null;

export async function newPage({ width = 1280, height = 900, scheme = "light" } = {}) {
  browser ??= await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"], timeout: 60_000 });
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  page.setDefaultTimeout(60_000);
  return page;
}

export async function close() {
  await browser?.close();
}
