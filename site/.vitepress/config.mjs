// The site of the documents: script/site builds it.

import { join } from "node:path";
import { defineConfig } from "vitepress";
import { repositoryLinks, slug } from "../markdown.mjs";
import { highlight } from "../highlight.mjs";
import { navigation } from "../navigation.mjs";
import { layOut, staged } from "../pages.mjs";
import { root } from "../repository.mjs";

layOut();
const sidebar = navigation();
const first = (items) => items.flatMap((item) => item.items ?? item)[0].link;

export default defineConfig({
  title: "heist",
  description: "Fork–join parallelism by work stealing, for C++20",
  lang: "en",
  srcDir: staged,
  outDir: join(root, "build/site"),
  cacheDir: join(root, "build/site_cache"),
  ignoreDeadLinks: true, // links.mjs looks at all of them, anchors included
  metaChunk: true,
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
    search: {
      provider: "local",
      options: { detailedView: true },
    },
  },
});
