// Paints the shown interval of a trace on a canvas. However many slices there are, a lane costs at most two rectangles a pixel:
// slices thinner than a pixel become one mark, as dense as their time is used.

import { moment, percent } from "./format.js";
import { roundMarks } from "./scale.js";
import { busyShare, stealsIn, utilisation } from "./trace.js";

const axisHeight = 20;
const stripHeight = 34;
const regionHeight = 5;
const mostRegionLevels = 8;
const mostArrows = 300; // more would hide what they point at

// Where things are, in CSS pixels.
export function layOut(trace, width) {
  const lanes = Math.max(1, trace.lanes.length);
  const levels = Math.min(mostRegionLevels, trace.regions.length);
  const laneHeight = Math.min(30, 720 / lanes); // of many workers all are seen, thin
  const regionsTop = axisHeight + stripHeight + 8;
  const top = regionsTop + (levels > 0 ? Math.max(16, (regionHeight + 1) * levels) + 6 : 0);
  const left = width < 600 ? 100 : trace.several ? 240 : 132;
  return {
    width,
    left,
    right: width - 1,
    regionsTop,
    levels,
    regionHeight,
    top,
    laneHeight,
    height: top + laneHeight * lanes + 2,
  };
}

export function colours(element) {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

// The colour of a region, the same wherever its name occurs; waits have one of their own.
export const regionColour = (trace, name) =>
  name.startsWith("wait for ") ? "wait" : `region-${1 + (trace.regionNames.indexOf(name) % 4)}`;

export class Painter {
  constructor(context, trace, box, view, colour) {
    Object.assign(this, { context, trace, box, view, colour, rectangles: 0, arrows: [] });
    this.perPixel = (view.to - view.from) / (box.right - box.left);
  }

  x(t) {
    return this.box.left + (t - this.view.from) / this.perPixel;
  }

  time(x) {
    return this.view.from + (x - this.box.left) * this.perPixel;
  }

  rectangle(x, y, width, height) {
    ++this.rectangles;
    this.context.fillRect(x, y, width, height);
  }

  text(text, x, y, name = "muted", align = "left") {
    this.context.fillStyle = this.colour(name);
    this.context.textAlign = align;
    this.context.fillText(text, x, y);
  }

  // A text that covers what is behind it, to the right of x, or to the left if there is no room.
  plate(text, x, y) {
    const width = this.context.measureText(text).width + 8;
    const left = x + width > this.box.right ? x - 2 - width : x;
    this.context.fillStyle = this.colour("ground");
    this.rectangle(left, y - 8, width, 16);
    this.text(text, left + 4, y, "ink");
  }

  paint() {
    const { context: c, box } = this;
    c.clearRect(0, 0, box.width, box.height);
    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "middle";
    this.paintAxis();
    this.paintStrip();
    this.paintRegions();
    for (const lane of this.trace.lanes) this.paintLane(lane);
    c.save();
    c.beginPath();
    c.rect(box.left, box.top, box.right - box.left, box.height - box.top);
    c.clip();
    this.paintSteals();
    this.paintMarks();
    c.restore();
  }

  paintAxis() {
    const { context: c, box, view } = this;
    const length = view.to - view.from;
    const { marks } = roundMarks(view.from, view.to, (box.right - box.left) / 130);
    for (const t of marks) {
      const x = Math.round(this.x(t));
      c.fillStyle = this.colour("rule");
      this.rectangle(x, axisHeight - 4, 1, box.height - axisHeight + 4);
      const label = moment(t, length);
      const half = c.measureText(label).width / 2;
      if (x - half >= box.left - 4 && x + half <= box.width) this.text(label, x, axisHeight / 2 - 1, "muted", "center");
    }
  }

  // How many of the workers are busy, over time.
  paintStrip() {
    const { box, view } = this;
    const bottom = axisHeight + stripHeight;
    const step = 2;
    this.context.fillStyle = this.colour("panel");
    this.rectangle(box.left, axisHeight, box.right - box.left, stripHeight);
    this.context.fillStyle = this.colour("busy");
    for (let x = box.left; x < box.right; x += step) {
      const height = stripHeight * busyShare(this.trace, this.time(x), this.time(Math.min(x + step, box.right)));
      if (height > 0) this.rectangle(x, bottom - height, Math.min(step, box.right - x), height);
    }
    this.head("all", busyShare(this.trace, view.from, view.to), axisHeight + stripHeight / 2);
  }

  head(name, share, y) {
    const { context: c, box } = this;
    const value = share == null ? "" : percent(share);
    this.text(value, box.left - 10, y, "ink", "right");
    const room = box.left - 20 - c.measureText(value).width;
    while (name.length > 2 && c.measureText(name).width > room) name = `…${name.slice(2)}`; // the number is at the end
    this.text(name, 0, y);
  }

  // Of several pools or machines: each one's name stands at its first lane, and a line above that.
  headOf(lane, y) {
    const { context: c, box, view } = this;
    const share = utilisation(lane, view.from, view.to);
    if (!lane.group || box.left < 200) return this.head(lane.name, share, y);
    const value = percent(share);
    this.text(value, box.left - 10, y, "ink", "right");
    this.text(lane.label, box.left - 54, y, "muted", "right");
    if (!lane.leads) return;
    const room = box.left - 64 - c.measureText(lane.label).width;
    let name = lane.group;
    while (name.length > 2 && c.measureText(name).width > room) name = `${name.slice(0, -2)}…`;
    this.text(name, 0, y, "ink");
    c.fillStyle = this.colour("muted");
    if (lane.index > 0) this.rectangle(0, box.top + lane.index * box.laneHeight - 0.5, box.right, 1);
  }

  // A region's strand may move from worker to worker, so a region has a bar beside the lanes.
  paintRegions() {
    const { box, trace } = this;
    for (let level = 0; level < box.levels; ++level)
      this.paintSlices(trace.regions[level], box.regionsTop + level * (regionHeight + 1), regionHeight, (e) =>
        regionColour(trace, e.name),
      );
    if (box.levels === 0) return;
    const bars = trace.waitCount === 0 ? "regions" : trace.regionCount === 0 ? "waits" : "regions, waits";
    this.head(
      trace.regions.length > box.levels ? `${bars} (+${trace.regions.length - box.levels})` : bars,
      null,
      box.regionsTop + 8,
    );
  }

  paintLane(lane) {
    const { box } = this;
    const y = box.top + lane.index * box.laneHeight;
    const gap = box.laneHeight > 8 ? 3 : 0;
    const height = box.laneHeight - gap * 2;
    this.context.fillStyle = this.colour("rule");
    this.rectangle(box.left, y + gap + height / 2 - 0.5, box.right - box.left, Math.min(1, height));
    this.paintSlices(lane.sleeps, y + gap + height * 0.32, height * 0.36, () => "asleep");
    this.paintSlices(lane.runs, y + gap, height, (e) => e.name);
    if (box.laneHeight >= 14 || lane.index % Math.ceil(14 / box.laneHeight) === 0)
      this.headOf(lane, y + gap + Math.max(height / 2, 6));
  }

  paintSlices(slices, y, height, colourOf) {
    const { context: c, box, view } = this;
    for (let i = slices.after(view.from); i < slices.length && slices.start[i] < view.to;) {
      const x = this.x(slices.start[i]);
      const width = this.x(slices.end[i]) - x;
      c.fillStyle = this.colour(colourOf(slices.events[i]));
      if (width >= 1) {
        const from = Math.max(x, box.left);
        const seam = width > 4 ? 0.5 : 0; // neighbours of one colour stay apart
        this.rectangle(from, y, Math.min(x + width - seam, box.right) - from, height);
        ++i;
        continue;
      }
      const pixel = Math.max(Math.floor(x), box.left);
      let next = Math.max(i + 1, slices.from(this.time(pixel + 1)));
      if (next - 1 > i && slices.end[next - 1] - slices.start[next - 1] >= this.perPixel) --next;
      const dense = slices.covered(slices.start[i], slices.end[next - 1]) / this.perPixel;
      c.globalAlpha = Math.min(1, Math.max(0.35, dense));
      this.rectangle(pixel, y, 1, height);
      c.globalAlpha = 1;
      i = next;
    }
  }

  middle(lane) {
    return this.box.top + (lane.index + 0.5) * this.box.laneHeight;
  }

  paintSteals() {
    const { context: c, box, trace, view } = this;
    const [first, last] = stealsIn(trace, view.from, view.to);
    c.strokeStyle = c.fillStyle = this.colour("steal");
    if (last - first > mostArrows) return this.paintStealMarks(first, last);
    for (let i = first; i < last; ++i) {
      const steal = trace.steals[i];
      const from = { x: this.x(steal.at), y: this.middle(steal.victim) };
      const to = { x: this.x(steal.until), y: this.middle(steal.thief) };
      this.arrows.push({ steal, from, to });
      const down = Math.sign(to.y - from.y);
      const head = Math.min(5, box.laneHeight / 3);
      c.beginPath();
      c.moveTo(from.x, from.y);
      c.lineTo(to.x, to.y - down * head);
      c.stroke();
      c.beginPath();
      c.arc(from.x, from.y, 2, 0, 7);
      c.moveTo(to.x, to.y);
      c.lineTo(to.x - head * 0.7, to.y - down * head * 1.4);
      c.lineTo(to.x + head * 0.7, to.y - down * head * 1.4);
      c.fill();
    }
  }

  // A machine was lost: a line through all lanes.
  paintMarks() {
    const { box, trace, view } = this;
    for (const { at, name } of trace.marks) {
      if (at < view.from || at > view.to) continue;
      const x = Math.round(this.x(at));
      this.context.fillStyle = this.colour("ink");
      this.rectangle(x, box.top, 2, box.height - box.top);
      this.plate(name, x + 2, box.top + box.laneHeight / 2);
    }
  }

  // Too many for arrows: a notch at the thief's lane, one a pixel.
  paintStealMarks(first, last) {
    const { box, trace } = this;
    const marked = new Int32Array(trace.lanes.length).fill(-1);
    for (let i = first; i < last; ++i) {
      const { thief, until } = trace.steals[i];
      const x = Math.floor(this.x(until));
      if (marked[thief.index] === x) continue;
      marked[thief.index] = x;
      this.rectangle(x, box.top + thief.index * box.laneHeight, 1, Math.min(4, box.laneHeight / 2));
    }
  }
}
