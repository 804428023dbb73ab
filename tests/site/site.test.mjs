// The site that script/site builds and serves, in real Chromium.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { close, newPage } from "../report/chromium.mjs";

let server;
let site;

before(async () => {
  server = spawn(fileURLToPath(new URL("../../script/site", import.meta.url)), ["--serve", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: server.stdout })) {
    site = line.match(/http:\/\/127\.0\.0\.1:\d+\//)?.[0];
    if (site) return;
  }
  throw new Error("script/site --serve ended before it served anything");
});

after(async () => {
  server.kill();
  await close();
});

// A page of the site, and everything it complained about or asked another host for.
async function open(path, options) {
  const page = await newPage(options);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site) && !url.startsWith("data:")) complaints.push(`asked for ${url}`);
  });
  await page.goto(site + path, { waitUntil: "networkidle" });
  return { page, complaints };
}

const sidebarLinks = (page) =>
  page.locator(".VPSidebar a").evaluateAll((links) => links.map((link) => new URL(link.href).pathname.slice(1)));

test("the start page is README.md, beside the groups of the documents in their order", async () => {
  const { page, complaints } = await open("");
  assert.match(await page.locator("h1").innerText(), /^heist\b/);
  const groups = await page.locator(".VPSidebarItem.level-0 > .item h2").allInnerTexts();
  const wanted = ["Tutorial", "Reference", "Guides", "Internals", "Decisions", "Evidence"];
  assert.deepEqual(
    groups.filter((name) => wanted.includes(name)),
    wanted.filter((name) => name !== "Tutorial" || groups.includes(name)),
  );
  assert.deepEqual(complaints, []);
});

test("a search for join finds sections about it, and leads to one", async () => {
  const { page, complaints } = await open("");
  await page.locator(".VPNavBarSearch button").click();
  await page.locator(".VPLocalSearchBox input").fill("join"); // waits until the box is there
  const found = page.locator(".VPLocalSearchBox .result", { hasText: "join" }).first();
  await found.click();
  await page.waitForURL(/\.html#|\/#/);
  assert.match(await page.locator(".vp-doc").innerText(), /heist::join/);
  assert.deepEqual(complaints, []);
});

test("the reader's choice of light or dark holds for the page, its images and the next visit", async () => {
  const { page, complaints } = await open("", { scheme: "light" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const images = () =>
    page.locator(".vp-doc img").evaluateAll((all) => all.filter((img) => img.checkVisibility()).map((img) => img.src));
  const [light, lightImages] = [await background(), await images()];
  await page.locator(".VPNavBarAppearance button").click();
  await page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor !== before, light);
  const [dark, darkImages] = [await background(), await images()];
  assert.equal(lightImages.length, darkImages.length);
  assert.ok(lightImages.every((src) => !src.includes("_dark")) && darkImages.every((src) => !src.includes("_light")));
  await page.reload();
  assert.equal(await background(), dark);
  assert.deepEqual(complaints, []);
});

test("a system in the dark gets the dark site", async () => {
  const { page } = await open("", { scheme: "dark" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
});

test("every page of the navigation loads in silence, its images too, and fits a telephone's width", async () => {
  const { page, complaints } = await open("", { width: 390, height: 844 });
  const links = await sidebarLinks(page);
  assert.ok(links.length > 20, `${links.length} pages`);
  for (const link of links) {
    await page.goto(site + link, { waitUntil: "networkidle" });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 390) complaints.push(`${link} is ${width} pixels wide`);
    const missing = await page
      .locator(".vp-doc img")
      .evaluateAll((all) => all.filter((img) => img.complete && img.naturalWidth === 0).map((img) => img.src));
    complaints.push(...missing.map((src) => `${link} does not show ${src}`));
  }
  assert.deepEqual(complaints, []);
});

test("a link to a source file shows the file, with its lines numbered", async () => {
  const { page, complaints } = await open("examples/");
  await page.locator('.vp-doc a[href$="/examples/fib.hpp.html"]').first().click();
  await page.waitForURL("**/examples/fib.hpp.html");
  const code = page.locator(".vp-doc .language-cpp");
  assert.match(await code.innerText(), /heist::join/);
  const lines = (await code.locator("code").innerText()).split("\n").length;
  assert.equal(await code.locator(".line-number").count(), lines);
  assert.deepEqual(complaints, []);
});
