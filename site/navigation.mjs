// The groups of the navigation, from the tree: each folder of docs/ is one, and what is documented beside its code
// belongs to one of them. Nothing here lists pages.

import { posix } from "node:path";
import { address, linksOf, pages, title } from "./repository.mjs";

// Further folders of docs/ come after these, and last the project's own pages.
const groups = ["start", "tutorial", "reference", "guides", "internals", "decisions", "evidence"];
const besideCode = { heist: "internals", analysis: "internals", cli: "internals", examples: "guides", bench: "evidence", tests: "evidence" };

function groupOf(page) {
  const [top, next, below] = page.split("/");
  if (page === "README.md" || page === "docs/README.md") return "start";
  if (page === "ARCHITECTURE.md") return "internals";
  if (top === "docs") return below === undefined ? "tutorial" : next;
  return besideCode[top] ?? "project";
}

// In the order in which the start pages link to them; the others after these, by title.
function inOrder() {
  const mentioned = pages.filter((page) => groupOf(page) === "start").sort().reverse().flatMap(linksOf);
  const place = (page) => (mentioned.includes(page) ? mentioned.indexOf(page) : mentioned.length);
  return [...pages].sort((a, b) => place(a) - place(b) || title(a).localeCompare(title(b)));
}

// A module's README is titled "deque: the ready deque …": its first word is enough here.
function item(page) {
  const module = posix.basename(posix.dirname(page));
  const text = title(page);
  return { text: text.startsWith(`${module}: `) ? module : text, link: address(page) };
}

// Modules come last, folded together under the name of their folder.
function items(members) {
  const plain = [];
  const folds = {};
  for (const page of members) {
    const [top, , below] = page.split("/");
    if (top === "docs" || below === undefined) plain.push(item(page));
    else (folds[top] ??= []).push(item(page));
  }
  const folded = Object.entries(folds).map(([top, modules]) => ({ text: `${top}/`, collapsed: true, items: modules }));
  return [...plain, ...folded];
}

export function navigation() {
  const ordered = inOrder();
  const further = new Set(ordered.map(groupOf).filter((name) => !groups.includes(name) && name !== "project"));
  return [...groups, ...further, "project"]
    .map((name) => ({ text: name[0].toUpperCase() + name.slice(1), members: ordered.filter((page) => groupOf(page) === name) }))
    .filter(({ members }) => members.length > 0)
    .map(({ text, members }) => ({ text, items: items(members) }));
}
