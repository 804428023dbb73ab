// What makes of VitePress's Markdown the one that the pages are written for: links relative to files of the repository,
// anchors as forges make them, pictures for light and dark, and no syntax of Vue's or VitePress's own.

import { posix } from "node:path";
import { onSite } from "./repository.mjs";

export const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");

// The reader may choose another scheme than the system's, and <source media> knows only that: so both images, one shown.
function bothSchemes(html) {
  return html.replace(
    /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img src="([^"]+)"([^>]*)>\s*<\/picture>/g,
    '<img class="in-light" src="$2"$3><img class="in-dark" src="$1"$3>',
  );
}

function rewrite(token, folder) {
  for (const name of ["href", "src"])
    if (token.attrGet(name)) token.attrSet(name, onSite(folder, token.attrGet(name)));
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
  const text = md.renderer.rules.text;
  md.renderer.rules.text = (...all) => text(...all).replaceAll("{{", "&#123;&#123;"); // else Vue evaluates it
}
