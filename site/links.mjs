// Fails if anything that the built site links to, shows or loads is not in it, anchors included, or is on another host
// than a page's text says: node site/links.mjs FOLDER

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
    if (!existsSync(join(site, file))) problems.push(`${name}: there is no ${found[1]}`);
    else if (anchor && text.has(file) && !hasAnchor(file, anchor)) problems.push(`${name}: no heading #${anchor} in ${file}`);
  }
}
for (const problem of new Set(problems)) console.error(problem);
console.log(`${html.length} pages, ${links} links lead somewhere`);
process.exit(problems.length > 0 ? 1 : 0);
