// Makes VitePress read Markdown as the pages are written: links name files of the repository, anchors are GitHub's,
// pictures may be for light or dark, and neither Vue's nor VitePress's own syntax means anything.

import { posix } from "node:path";
import { files, onSite, read } from "./repository.mjs";

export const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");

const darkSource = /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/;
const picture = new RegExp(`<picture>\\s*${darkSource.source}\\s*<img src="([^"]+)"([^>]*)>\\s*</picture>`, "g");

// <picture> goes by the system's scheme, and the reader may have chosen the other one on the page. So the page has both
// images, and the theme hides one.
const bothSchemes = (html) =>
  html.replace(picture, '<img class="in-light" src="$2"$3><img class="in-dark" src="$1"$3>');

// A drawing that has no colours for dark pages. The theme inverts it there.
const drawnInLight = (src) =>
  src.endsWith(".svg") && files.includes(src.slice(1)) && !read(src.slice(1)).includes("prefers-color-scheme");

function rewrite(token, folder) {
  for (const name of ["href", "src"])
    if (token.attrGet(name)) token.attrSet(name, onSite(folder, token.attrGet(name)));
  if (token.type === "image" && drawnInLight(token.attrGet("src"))) token.attrJoin("class", "drawn-in-light");
  if (token.type === "code_block") Object.assign(token, { type: "fence", tag: "code", info: "txt", markup: "```" });
  if (token.type.startsWith("html_"))
    token.content = bothSchemes(token.content).replace(
      /(\b(?:href|src|srcset)=")([^"]+)"/g,
      (_, before, link) => `${before}${onSite(folder, link)}"`,
    );
  for (const child of token.children ?? []) rewrite(child, folder);
}

export function repositoryLinks(md) {
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false }); // "notes.md" is a file, not a host
  md.core.ruler.push("repository_links", (state) => {
    const folder = posix.dirname(state.env.relativePath ?? "");
    for (const token of state.tokens) rewrite(token, folder);
  });
  for (const kind of ["text", "code_inline"]) {
    const rule = md.renderer.rules[kind];
    md.renderer.rules[kind] = (...all) => rule(...all).replaceAll("{{", "&#123;&#123;"); // else Vue evaluates it
  }
}
