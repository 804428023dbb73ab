// Elements, and the one tip that shows numbers beside the pointer.

const svgNames = new Set(["svg", "g", "path", "line", "circle", "text", "rect"]);

// element("td", {class: "bar"}, "text", child): what is null or false is left out.
export function element(name, attributes = {}, ...children) {
  const made = svgNames.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value != null) made.setAttribute(key, value);
  made.append(...children.filter((c) => c != null && c !== false));
  return made;
}

// What the marks of a chart or a bar mean: [kind, name] of each. A swatch has its mark's colours, in light and in dark.
export function key(...marks) {
  const entry = ([kind, name]) =>
    element("li", {}, element("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), name);
  return element("ul", { class: "key" }, ...marks.filter(Boolean).map(entry));
}

let tip = null;

// Shows lines at a place of the window; the first line is the heading.
export function showTip([heading, ...lines], x, y) {
  if (!tip) document.body.append((tip = element("div", { class: "tip", role: "status" })));
  tip.replaceChildren(element("b", {}, heading), ...lines.map((line) => element("div", {}, line)));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const left = x + 14 + width > innerWidth ? x - 14 - width : x + 14;
  tip.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - height - 4))}px`;
}

export function hideTip() {
  if (tip) tip.hidden = true;
}
