// Dots with whiskers: a value, its interval, and how far single samples went.
import { s } from "../base/dom";
import { fitted, marker, textWidth } from "./curve";
import { number } from "../base/format";
import { inspectable, Mark } from "./inspect";
import { fitting } from "./scale";

export interface Dot {
  label: string;
  color: number;
  hollow: boolean;
  value: number;
  lo: number;
  hi: number;
  least: number | null;
  most: number | null; // of single samples
  tick: number | null; // such as the least possible
  text: string;
}

export function whiskers(
  dots: Dot[],
  frame: { label: string; x: string; xs: [number, number]; width: number },
): HTMLElement {
  const line = 22,
    top = 8;
  const left = Math.min(0.45 * frame.width, Math.max(...dots.map((d) => textWidth(d.label))) + 12);
  const bottom = top + line * dots.length + 4;
  const right = frame.width - 46;
  const svg = s("svg", { viewBox: `0 0 ${frame.width} ${bottom + 38}`, role: "img", "aria-label": frame.label });
  const x = fitting(frame.xs[0], frame.xs[1], left, right);
  const ticks = x.ticks.filter((_, i) => i % 2 === 0 || x(x.ticks[1]!) - x(x.ticks[0]!) >= 26);
  for (const t of ticks)
    svg.append(
      s("line", { class: "grid", x1: x(t), x2: x(t), y1: top, y2: bottom }),
      s("text", { class: "tick", x: x(t), y: bottom + 14, "text-anchor": "middle" }, number(t)),
    );
  svg.append(
    s(
      "text",
      { class: "title", x: right, y: bottom + 31, "text-anchor": "end" },
      frame.x + (x.isLog ? ", log" : ""),
    ),
  );
  const marks: Mark[] = [];
  dots.forEach((dot, i) => {
    const y = top + line * (i + 0.5);
    const c = `c${dot.color % 8}`;
    const group = s("g", { class: "dot", "data-label": dot.label });
    group.append(
      s("text", { class: "row", x: left - 10, y: y + 4, "text-anchor": "end" }, fitted(dot.label, left - 10)),
    );
    if (dot.least !== null && dot.most !== null)
      group.append(
        s("line", {
          class: `whisker ${c}`,
          x1: x(dot.least),
          x2: x(dot.most),
          y1: y,
          y2: y,
          "data-least": dot.least,
          "data-most": dot.most,
        }),
      );
    if (dot.hi > dot.lo)
      group.append(s("line", { class: `interval ${c}`, x1: x(dot.lo), x2: x(dot.hi), y1: y, y2: y }));
    if (dot.tick !== null)
      group.append(s("line", { class: "reference", x1: x(dot.tick), x2: x(dot.tick), y1: y - 7, y2: y + 7 }));
    const mark = marker(dot.color, x(dot.value), y, dot.hollow);
    mark.setAttribute("data-x", String(dot.value));
    const end = Math.max(x(dot.value), dot.most === null ? 0 : x(dot.most));
    group.append(mark, s("text", { class: "value", x: end + 8, y: y + 4 }, number(dot.value)));
    svg.append(group);
    marks.push({ x: x(dot.value), y, text: dot.text });
  });
  return inspectable(svg, marks, 60);
}
