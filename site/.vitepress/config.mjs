// The settings of the site that script/site builds.

import { join } from "node:path";
import { defineConfig } from "vitepress";
import { highlight } from "../highlight.mjs";
import { repositoryLinks, slug } from "../markdown.mjs";
import { navigation } from "../navigation.mjs";
import { layOut, staged } from "../pages.mjs";
import { root } from "../repository.mjs";

layOut();
const sidebar = navigation();
const first = (items) => items.flatMap((item) => item.items ?? item)[0].link;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#4466d0" stroke-width="2">
<path d="M8 15v-4C8 8 3 9 3 5V1M8 11c0-3 5-2 5-6V1"/></svg>`; // a fork

export default defineConfig({
  title: "heist",
  description: "Fork–join parallelism by work stealing, for C++20",
  lang: "en",
  srcDir: staged,
  outDir: join(root, "build/site"),
  cacheDir: join(root, "build/site_cache"),
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  ignoreDeadLinks: true, // links.mjs checks them, and anchors too
  metaChunk: true,
  vue: { template: { transformAssetUrls: false } }, // images keep their paths
  markdown: {
    config: repositoryLinks,
    anchor: { slugify: slug },
    attrs: { disable: true },
    highlight,
  },
  themeConfig: {
    nav: sidebar.slice(1).map(({ text, items }) => ({ text, link: first(items) })),
    sidebar,
    outline: [2, 3],
    search: { provider: "local", options: { detailedView: true } },
  },
});
