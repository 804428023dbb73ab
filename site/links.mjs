// Fails if the built site links to a page, heading or file that it does not have, or loads anything from another host.
// Links to other hosts are not followed. node site/links.mjs FOLDER

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [site] = process.argv.slice(2);
const html = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
const text = new Map(html.map((name) => [name, readFileSync(join(site, name), "utf8")]));
const ids = new Map();

function hasAnchor(name, id) {
  if (!ids.has(name)) ids.set(name, new Set([...text.get(name).matchAll(/\sid="([^"]+)"/g)].map((found) => found[1])));
  return ids.get(name).has(id);
}

const plain = (attribute) => decodeURI(attribute.replaceAll("&amp;", "&"));
let links = 0;
const problems = [];
for (const [name, content] of text) {
  for (const [, tag, attributes] of content.matchAll(/<(a|img|source|link|script|iframe|video)\b([^>]*)>/g)) {
    const found = attributes.match(/\s(?:href|src|srcset)="([^"]*)"/);
    if (!found) continue;
    const url = new URL(plain(found[1]), `site:///${name}`);
    if (url.protocol !== "site:") {
      if (tag !== "a" && url.protocol !== "data:") problems.push(`${name}: loads ${found[1]}`);
      continue;
    }
    links++;
    const path = decodeURI(url.pathname).slice(1);
    const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
    const anchor = decodeURIComponent(url.hash.slice(1));
    const missesAnchor = anchor && text.has(file) && !hasAnchor(file, anchor);
    if (!existsSync(join(site, file))) problems.push(`${name}: there is no ${found[1]}`);
    else if (missesAnchor) problems.push(`${name}: ${file} has no heading #${anchor}`);
  }
}
for (const problem of new Set(problems)) console.error(`site/links.mjs: ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(`${html.length} pages, ${links} links lead somewhere`);
