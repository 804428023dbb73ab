// The files of the repository, the links between its Markdown pages, and the address that the site gives to each.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { extname, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const images = new Set([".svg", ".png", ".jpg", ".gif", ".webp"]);

export const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((name) => name && existsSync(root + name));
export const pages = files.filter((name) => name.endsWith(".md"));

const known = new Set(files);
const folders = new Set();
for (const name of files)
  for (let folder = posix.dirname(name); folder !== "."; folder = posix.dirname(folder)) folders.add(folder);

export const read = (name) => readFileSync(root + name, "utf8");
export const isImage = (name) => images.has(extname(name));
export const isFolder = (name) => folders.has(name);
export const isPage = (name) => name.endsWith(".md") || known.has(`${name}/README.md`);

// The path in the repository that a link means, for a page in `folder`; undefined if it leads elsewhere.
function target(folder, link) {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#|^$/i.test(link)) return undefined;
  const path = decodeURI(link.replace(/[?#].*/, ""));
  return posix.join(path.startsWith("/") ? "." : folder, path).replace(/\/$/, "");
}

export function address(name) {
  if (name === ".") return "/";
  if (isImage(name)) return `/${name}`;
  if (isFolder(name)) return `/${name}/`;
  if (posix.basename(name) === "README.md") return `/${name.replace(/README\.md$/, "")}`;
  return `/${name.replace(/\.md$/, "")}.html`;
}

// A link as the site needs it. A missing file gets an address too, at which links.mjs finds nothing.
export function onSite(folder, link) {
  const name = target(folder, link);
  return name === undefined ? link : address(name) + (link.match(/[?#].*/)?.[0] ?? "");
}

// The files and folders that a page links to, in the order of its text.
export function linksOf(page) {
  const prose = read(page).replace(/^```[^]*?^```|`[^`\n]*`/gm, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: *(\S+)|(?:src|href|srcset)="([^"\s]+)"/gm)]
    .map((found) => target(posix.dirname(page), found[1] ?? found[2] ?? found[3]))
    .filter((name) => known.has(name) || folders.has(name));
}

export function title(page) {
  const heading = read(page).match(/^# +(.+)$/m)?.[1] ?? posix.basename(page, ".md");
  return heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
}
