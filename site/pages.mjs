// Lays out the pages for VitePress in build/site_pages. Every Markdown file that git knows is a page as it is. A source
// file that a page links to becomes a page with its text, and a folder becomes a page with a list of its files.

import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { files, isFolder, isImage, isPage, linksOf, pages, read, root } from "./repository.mjs";

export const staged = join(root, "build/site_pages");

const languages = {
  cpp: [".cpp", ".hpp"],
  c: [".pml"],
  python: [".py"],
  js: [".js", ".mjs"],
  cmake: [".cmake", "CMakeLists.txt"],
  bash: [".sh"],
  rust: [".rs"],
  go: [".go"],
  java: [".java"],
  json: [".json"],
  css: [".css"],
  html: [".html"],
};

function language(name, text) {
  const isKnown = ([, ends]) => ends.includes(extname(name)) || ends.includes(basename(name));
  return Object.entries(languages).find(isKnown)?.[0] ?? text.match(/^#!.*\b(bash|python)/)?.[1] ?? "txt";
}

// The search leaves these out: a reader who looks for a word wants the page that explains it.
const generated = (name, body) =>
  [
    ...["---", `title: ${JSON.stringify(name)}`, "search: false", "aside: false", "prev: false", "next: false", "---"],
    ...["", `# \`${name}\``, "", body, ""],
  ].join("\n");

function sourcePage(name, folder) {
  const text = read(name);
  const fence = "`".repeat(1 + Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const up = folder ? `In [\`${folder}/\`](/${folder})\n\n` : "";
  return generated(name, `${up}${fence}${language(name, text)}:line-numbers\n${text}\n${fence}`);
}

// The files and folders in a folder, folders first.
function inside(folder) {
  const names = files.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1));
  names.sort((a, b) => b.includes("/") - a.includes("/") || a.localeCompare(b));
  return [...new Set(names.map((name) => `${folder}/${name.split("/")[0]}`))];
}

const listPage = (folder) =>
  generated(
    `${folder}/`,
    inside(folder)
      .map((name) => `- [\`${basename(name)}${isFolder(name) ? "/" : ""}\`](/${name})`)
      .join("\n"),
  );

function put(name, text) {
  mkdirSync(dirname(join(staged, name)), { recursive: true });
  writeFileSync(join(staged, name), text);
}

export function layOut() {
  const linked = new Set();
  const reach = (name) => {
    if (isPage(name) || linked.has(name)) return;
    linked.add(name);
    if (isFolder(name)) inside(name).forEach(reach);
  };
  for (const page of pages) linksOf(page).forEach(reach);

  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  symlinkSync(join(root, "site/node_modules"), join(staged, "node_modules")); // pages become modules that import Vue
  for (const page of pages) put(page.replace(/README\.md$/, "index.md"), read(page));
  for (const name of linked) {
    if (isImage(name)) cpSync(join(root, name), join(staged, "public", name));
    else if (isFolder(name)) put(`${name}/index.md`, listPage(name));
    else put(`${name}.md`, sourcePage(name, isPage(dirname(name)) || linked.has(dirname(name)) ? dirname(name) : ""));
  }
}
