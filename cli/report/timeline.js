// The timeline: workers as lanes; which interval is shown, and what pointer, wheel and keys do to it.

import { describe, describeSlice, explained } from "./describe.js";
import { element, hideTip, showTip } from "./dom.js";
import { microseconds, moment, plural } from "./format.js";
import { Minimap } from "./minimap.js";
import { colours, layOut, Painter, regionColour } from "./paint.js";
import { clamp } from "./scale.js";
import { runKinds } from "./trace.js";

const shortest = 0.02; // microseconds: no clock tells more

export class Timeline {
  constructor(trace) {
    this.trace = trace;
    this.view = { from: trace.start, to: trace.end };
    this.pointers = new Map();
    this.selected = null; // {lane, index} of the slice that the keys are at
    this.canvas = element("canvas", {
      class: "timeline",
      tabindex: 0,
      role: "application",
      "aria-label": `Timeline of ${plural(trace.lanes.length, "worker")}, ${microseconds(trace.end - trace.start)}. Plus and minus zoom, arrow keys move, N and P go through the slices of a worker, up and down change the worker, 0 shows everything.`,
    });
    this.shown = element("output", { "aria-live": "off" });
    this.minimap = new Minimap(trace, (from, to) => this.show(from, to));
    this.element = element("figure", {}, this.tools(), this.minimap.canvas, this.canvas, this.legend());
    this.listen();
  }

  tools() {
    const button = (text, label, act) => {
      const made = element("button", { type: "button", "aria-label": label, title: label }, text);
      made.addEventListener("click", act);
      return made;
    };
    const centre = () => (this.view.from + this.view.to) / 2;
    return element(
      "div",
      { class: "bar-of-tools" },
      button("+", "Zoom in", () => this.zoom(0.5, centre())),
      button("−", "Zoom out", () => this.zoom(2, centre())),
      button("←", "Earlier", () => this.pan(-0.25)),
      button("→", "Later", () => this.pan(0.25)),
      button("All", "Show the whole run", () => this.show(this.trace.start, this.trace.end)),
      this.shown,
    );
  }

  legend() {
    const item = (name, text, shape = "") =>
      element("li", {}, element("span", { class: `swatch ${shape}`, style: `background: var(--${name})` }), text);
    const used = runKinds.filter((kind) => this.trace.lanes.some((l) => l.runs.events.some((e) => e.name === kind)));
    return element(
      "figcaption",
      { class: "timeline-keys" },
      element(
        "ul",
        { class: "key" },
        ...used.map((kind) => item(kind, explained[kind])),
        item("asleep", "asleep"),
        item("muted", "searching", "thin"),
        ...this.trace.regionNames
          .slice(0, 8)
          .map((name) => item(regionColour(this.trace, name), name, "thin")),
      ),
      element(
        "p",
        { class: "hint" },
        "Click and turn the wheel to zoom (or Ctrl and wheel, pinch, + and −); drag to move; arrows are steals, from the victim to the thief; where there are too many, notches at the thief's lane." +
          (this.trace.loans > 0 ? " Arrows from machine to machine are loans, from when a branch was lent to when it began." : ""),
      ),
    );
  }

  // The interval to be shown, kept inside the run.
  show(from, to) {
    const { start, end } = this.trace;
    const length = clamp(to - from, shortest, end - start);
    from = clamp(from, start, end - length);
    this.view = { from, to: from + length };
    this.draw();
  }

  zoom(factor, about) {
    const { from, to } = this.view;
    const length = clamp((to - from) * factor, shortest, this.trace.end - this.trace.start);
    const start = about - ((about - from) / (to - from)) * length;
    this.show(start, start + length);
  }

  pan(share) {
    const { from, to } = this.view;
    const by = share * (to - from);
    this.show(from + by, to + by);
  }

  // Many wishes, one frame.
  draw() {
    this.frame ??= requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    this.frame = null;
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const box = layOut(this.trace, width);
    const dots = devicePixelRatio;
    this.canvas.style.height = `${box.height}px`;
    this.canvas.width = Math.round(width * dots);
    this.canvas.height = Math.round(box.height * dots);
    const context = this.canvas.getContext("2d");
    context.scale(dots, dots);
    const colour = colours(this.canvas);
    const names = new Map();
    const cached = (name) => names.get(name) ?? (names.set(name, colour(name)), names.get(name));
    this.painter = new Painter(context, this.trace, box, this.view, cached);
    this.painter.paint();
    this.outlineSelected(context);
    this.minimap.draw(this.view, box.left, cached);
    const { from, to } = this.view;
    const length = to - from;
    const whole = this.trace.end - this.trace.start;
    this.shown.textContent =
      length < whole
        ? `${moment(from, length)} to ${moment(to, length)}: ${microseconds(length)} of ${microseconds(whole)}`
        : `the whole run: ${microseconds(whole)}`;
    // What the tests look at.
    Object.assign(this.canvas.dataset, {
      from,
      to,
      rectangles: this.painter.rectangles,
      arrows: this.painter.arrows.length,
      lanes: this.trace.lanes.length,
    });
  }

  outlineSelected(context) {
    if (!this.selected) return;
    const { lane, index } = this.selected;
    const { painter } = this;
    const x = painter.x(lane.runs.start[index]);
    context.strokeStyle = painter.colour("ink");
    context.lineWidth = 2;
    context.strokeRect(
      x,
      painter.box.top + lane.index * painter.box.laneHeight + 1,
      Math.max(2, painter.x(lane.runs.end[index]) - x),
      painter.box.laneHeight - 2,
    );
  }

  listen() {
    const { canvas } = this;
    new ResizeObserver(() => this.draw()).observe(canvas);
    for (const query of ["(prefers-color-scheme: dark)", "print"])
      matchMedia(query).addEventListener("change", () => this.drawNow());
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    canvas.addEventListener("pointerdown", (e) => this.press(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (e) => this.release(e));
    canvas.addEventListener("pointerleave", hideTip);
    canvas.addEventListener("dblclick", (e) => this.zoomToSlice(this.place(e)));
    canvas.addEventListener("keydown", (e) => this.key(e));
    canvas.addEventListener("blur", () => {
      this.selected = null;
      hideTip();
      this.draw();
    });
  }

  // Where the pointer is: in the canvas, and in time.
  place(e) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const { box } = this.painter;
    const x = e.clientX - left;
    const y = e.clientY - top;
    const level = Math.floor((y - box.regionsTop) / (box.regionHeight + 1));
    return {
      x,
      y,
      t: this.painter.time(x),
      lane: this.trace.lanes[Math.floor((y - box.top) / box.laneHeight)],
      level: level < box.levels ? this.trace.regions[level] : null,
    };
  }

  // A wheel that only passes by scrolls the page.
  wheel(e) {
    const sideways = Math.abs(e.deltaX) > Math.abs(e.deltaY);
    if (!sideways && !e.ctrlKey && document.activeElement !== this.canvas) return;
    e.preventDefault();
    const lines = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (sideways) this.pan((e.deltaX * lines) / this.canvas.clientWidth);
    else this.zoom(Math.exp(e.deltaY * lines * (e.ctrlKey ? 0.01 : 0.002)), this.place(e).t);
    hideTip();
  }

  press(e) {
    this.canvas.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, this.place(e).t);
    if (e.pointerType === "touch") this.hover(e);
  }

  // One pointer that is down holds a moment under it; two hold two, which is a pinch.
  move(e) {
    if (!this.pointers.has(e.pointerId)) return this.hover(e);
    hideTip();
    this.canvas.classList.add("held");
    const { x } = this.place(e);
    const held = this.pointers.get(e.pointerId);
    const other = [...this.pointers].find(([id]) => id !== e.pointerId);
    const { left, right } = this.painter.box;
    if (!other) {
      const length = this.view.to - this.view.from;
      const from = held - ((x - left) / (right - left)) * length;
      return this.showAtOnce(from, from + length);
    }
    const otherX = this.painter.x(other[1]);
    if (Math.abs(x - otherX) < 8 || held === other[1]) return;
    const perPixel = (held - other[1]) / (x - otherX);
    if (perPixel > 0) this.showAtOnce(held - (x - left) * perPixel, held + (right - x) * perPixel);
  }

  // The next place() must see it.
  showAtOnce(from, to) {
    this.show(from, to);
    cancelAnimationFrame(this.frame);
    this.drawNow();
  }

  release(e) {
    this.pointers.delete(e.pointerId);
    this.canvas.classList.remove("held");
  }

  key(e) {
    const centre = (this.view.from + this.view.to) / 2;
    const act = {
      "+": () => this.zoom(0.5, centre),
      "=": () => this.zoom(0.5, centre),
      "-": () => this.zoom(2, centre),
      0: () => this.show(this.trace.start, this.trace.end),
      ArrowLeft: () => this.pan(-0.1),
      ArrowRight: () => this.pan(0.1),
      ArrowUp: () => this.select(-1, 0),
      ArrowDown: () => this.select(1, 0),
      n: () => this.select(0, 1),
      p: () => this.select(0, -1),
      Escape: () => this.canvas.blur(),
    }[e.key];
    if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    act();
  }

  // To another worker, or to the next slice of the same one; the view follows.
  select(lanes, slices) {
    const running = this.trace.lanes.filter((l) => l.runs.length > 0);
    if (running.length === 0) return;
    const before = this.selected ?? { lane: running[0], index: running[0].runs.after(this.view.from) - slices };
    const lane = running[clamp(running.indexOf(before.lane) + lanes, 0, running.length - 1)];
    const wanted = lane === before.lane ? before.index + slices : lane.runs.after(before.lane.runs.start[before.index]);
    const index = clamp(wanted, 0, lane.runs.length - 1);
    this.selected = { lane, index };
    const { from, to } = this.view;
    const start = lane.runs.start[index];
    if (start < from || start > to) this.show(start - (to - from) / 2, start + (to - from) / 2);
    this.drawNow();
    const { left, top } = this.canvas.getBoundingClientRect();
    showTip(
      describeSlice(this.trace, this.painter, lane, index),
      left + this.painter.x(start),
      top + this.painter.middle(lane),
    );
  }

  zoomToSlice({ lane, t }) {
    const i = lane?.runs.after(t);
    if (!lane || i === lane.runs.length || lane.runs.start[i] > t) return;
    const length = lane.runs.end[i] - lane.runs.start[i];
    this.show(lane.runs.start[i] - length / 10, lane.runs.end[i] + length / 10);
  }

  hover(e) {
    const at = this.place(e);
    const { left, right } = this.painter.box;
    const lines = at.x < left || at.x > right ? null : describe(this.trace, this.painter, at);
    if (lines) showTip(lines, e.clientX, e.clientY);
    else hideTip();
  }
}
