// The whole run above the timeline: how many workers are busy, and which part of it is shown. A drag moves that part.

import { element } from "./dom.js";
import { busyShare } from "./trace.js";

const height = 26;

export class Minimap {
  constructor(trace, show) {
    this.trace = trace;
    this.canvas = element("canvas", { class: "timeline", "aria-hidden": "true" });
    const drag = (e) => {
      const { left } = this.canvas.getBoundingClientRect();
      const half = (this.view.to - this.view.from) / 2;
      const t =
        trace.start +
        ((e.clientX - left - this.left) / (this.canvas.clientWidth - this.left)) * (trace.end - trace.start);
      show(t - half, t + half);
    };
    this.canvas.addEventListener("pointerdown", (e) => (this.canvas.setPointerCapture(e.pointerId), drag(e)));
    this.canvas.addEventListener("pointermove", (e) => e.buttons && drag(e));
  }

  // For each pixel how busy the workers are: the same in every frame.
  shares(pixels) {
    const each = (this.trace.end - this.trace.start) / pixels;
    const at = (i) => this.trace.start + i * each;
    if (this.known?.length !== pixels)
      this.known = Array.from({ length: pixels }, (_, i) => busyShare(this.trace, at(i), at(i + 1)));
    return this.known;
  }

  draw(view, left, colour) {
    Object.assign(this, { view, left });
    const { trace, canvas } = this;
    const { start, end } = trace;
    const width = canvas.clientWidth;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    const c = canvas.getContext("2d");
    c.scale(devicePixelRatio, devicePixelRatio);
    const room = width - left - 1;
    const x = (t) => left + ((t - start) / (end - start)) * room;
    c.fillStyle = colour("panel");
    c.fillRect(left, 0, room, height);
    c.fillStyle = colour("busy");
    this.shares(room).forEach((share, i) => c.fillRect(left + i, height - share * height, 1, share * height));
    const from = x(view.from);
    const to = Math.max(x(view.to), from + 2);
    c.globalAlpha = 0.6;
    c.fillStyle = colour("ground");
    c.fillRect(left, 0, from - left, height);
    c.fillRect(to, 0, left + room - to, height);
    c.globalAlpha = 1;
    c.strokeStyle = colour("predicted");
    c.lineWidth = 2;
    c.strokeRect(from, 1, to - from, height - 2);
  }
}
