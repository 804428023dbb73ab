// The navigation, made from the tree and the pages' titles. Each folder of docs/ is a group. A page that lies beside
// the code it describes belongs to the group of its top folder.

import { posix } from "node:path";
import { address, linksOf, pages, title } from "./repository.mjs";

// Other folders of docs/ come after these. Last come the pages about the project itself.
const groups = ["start", "tutorial", "reference", "guides", "internals", "decisions", "evidence"];
const besideCode = {
  heist: "internals",
  analysis: "internals",
  cli: "internals",
  examples: "guides",
  bench: "evidence",
  tests: "evidence",
};

function groupOf(page) {
  const [top, next, below] = page.split("/");
  if (page === "README.md" || page === "docs/README.md") return "start";
  if (page === "ARCHITECTURE.md") return "internals";
  if (top === "docs") return below === undefined ? "tutorial" : next;
  return besideCode[top] ?? "project";
}

// README.md, then the pages in the order in which docs/README.md and README.md link to them, then the others by title.
function inOrder() {
  const overviews = ["docs/README.md", "README.md"].filter((page) => pages.includes(page));
  const first = ["README.md", ...overviews.flatMap(linksOf)];
  const place = (page) => (first.includes(page) ? first.indexOf(page) : first.length);
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
    .map((name) => ({
      text: name[0].toUpperCase() + name.slice(1),
      items: items(ordered.filter((page) => groupOf(page) === name)),
    }))
    .filter((group) => group.items.length > 0);
}
