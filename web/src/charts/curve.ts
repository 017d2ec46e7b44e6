// Curves with bands: how a value goes with a number that was varied.
import { s } from "../base/dom";
import { number } from "../base/format";
import { inspectable, Mark } from "./inspect";
import { distinct } from "../base/lists";
import { apart, fitting, log, Scale, within } from "./scale";

export interface CurvePoint {
  x: number;
  y: number;
  lo: number;
  hi: number;
  text: string;
  hollow?: boolean; // past the range where it means what it says
}
export interface Series {
  name: string;
  color: number;
  points: CurvePoint[];
}
// A number that is drawn beside the lines: from x to xEnd it is low to high.
export interface Given {
  x: number;
  xEnd: number;
  low: number;
  high: number;
  color: number; // of the line that it is about; -1: none
  text: string;
}
export interface Frame {
  theirs?: Given[];
  ideal?: number; // accepted is offered times this, where nothing is lost
  label: string; // for who cannot see it
  x: string;
  y: string;
  xs: [number, number];
  ys: [number, number]; // shared by the panels of a figure
  width: number;
  height?: number;
  logX?: boolean;
}

const ruler = document.createElement("canvas").getContext("2d");

export function textWidth(text: string, size = 12): number {
  if (!ruler) return text.length * size * 0.62;
  ruler.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(text).width;
}

export function axes(svg: SVGSVGElement, x: Scale, y: Scale, area: Area, frame: { x: string; y: string }): void {
  const { left, right, top, bottom } = area;
  for (const t of y.ticks) {
    svg.append(
      s("line", { class: "grid", x1: left, x2: right, y1: y(t), y2: y(t) }),
      s("text", { class: "tick", x: left - 6, y: y(t) + 4, "text-anchor": "end" }, number(t)),
    );
  }
  for (const t of x.ticks)
    svg.append(
      s("line", { class: "axis", x1: x(t), x2: x(t), y1: bottom, y2: bottom + 4 }),
      s("text", { class: "tick", x: x(t), y: bottom + 17, "text-anchor": "middle" }, number(t)),
    );
  svg.append(
    s("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }),
    s("text", { class: "title", x: left, y: top - 10 }, [frame.y, y.isLog ? "log" : ""].filter(Boolean).join(", ")),
    s(
      "text",
      { class: "title", x: right, y: bottom + 33, "text-anchor": "end" },
      frame.x + (x.isLog ? ", log" : ""),
    ),
  );
}
// As much of a text as fits.
export function fitted(text: string, width: number, size = 12): string {
  if (textWidth(text, size) <= width) return text;
  let kept = text;
  while (kept.length > 1 && textWidth(kept + "\u2026", size) > width) kept = kept.slice(0, -1);
  return kept + "\u2026";
}

export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const shapes = ["circle", "square", "diamond", "triangle"] as const;

// A mark of a shape of its own for each colour: told apart without colours.
export function marker(color: number, x: number, y: number, hollow = false): SVGElement {
  const attributes = { class: `mark c${color % 8}${hollow ? " hollow" : ""}` };
  const r = 3.5;
  switch (shapes[color % 4]) {
    case "square":
      return s("rect", { ...attributes, x: x - r + 0.4, y: y - r + 0.4, width: 2 * r - 0.8, height: 2 * r - 0.8 });
    case "diamond":
      return s("path", {
        ...attributes,
        d: `M${x},${y - r - 1}L${x + r + 1},${y}L${x},${y + r + 1}L${x - r - 1},${y}Z`,
      });
    case "triangle":
      return s("path", {
        ...attributes,
        d: `M${x},${y - r - 0.6}L${x + r + 0.8},${y + r}L${x - r - 0.8},${y + r}Z`,
      });
    default:
      return s("circle", { ...attributes, cx: x, cy: y, r });
  }
}

// From the first value to the last; the ticks are the values themselves where they are few enough.
function along(isLog: boolean, [low, high]: [number, number], area: Area, values: number[]): Scale {
  const plain = isLog
    ? log(low, high, area.left, area.right)
    : within(low, high, area.left, area.right, area.right - area.left < 240 ? 3 : 5);
  const a = Math.log(low);
  const x = isLog
    ? (v: number) => area.left + ((Math.log(v) - a) / (Math.log(high) - a)) * (area.right - area.left)
    : plain;
  const places = values.map(x);
  const isRoomy = values.length > 1 && places.every((p, i) => i === 0 || p - places[i - 1]! >= 30);
  const ticks = isRoomy ? values : plain.ticks.filter((t) => t >= low && t <= high);
  return Object.assign((v: number) => x(v), { ticks, domain: [low, high] as [number, number], isLog });
}

export function curves(series: Series[], frame: Frame): HTMLElement {
  const height = frame.height ?? 240;
  const widest = Math.max(0, ...series.map((line) => textWidth(line.name, 12)));
  const labelled = widest < 0.4 * frame.width && series.length > 0;
  const area = { left: 46, right: frame.width - (labelled ? widest + 18 : 12), top: 28, bottom: height - 40 };
  const xs = distinct(series.flatMap((line) => line.points.map((p) => p.x))).sort((a, b) => a - b);
  const x = along(frame.logX ?? false, frame.xs, area, xs);
  const y = fitting(frame.ys[0], frame.ys[1], area.bottom, area.top);
  const svg = s("svg", { viewBox: `0 0 ${frame.width} ${height}`, role: "img", "aria-label": frame.label });
  axes(svg, x, y, area, frame);
  const marks: Mark[] = [];
  const floor = (v: number): number => (y.isLog ? Math.max(v, y.domain[0]) : v);
  for (const line of series) {
    const { points, color } = line;
    const path = (f: (p: CurvePoint) => number): string =>
      points.map((p) => `${x(p.x).toFixed(1)},${y(floor(f(p))).toFixed(1)}`).join("L");
    const back = [...points]
      .reverse()
      .map((p) => `${x(p.x).toFixed(1)},${y(floor(p.lo)).toFixed(1)}`)
      .join("L");
    const group = s("g", { class: "series", "data-series": line.name });
    if (points.some((p) => p.hi > p.lo))
      group.append(s("path", { class: `band c${color % 8}`, d: `M${path((p) => p.hi)}L${back}Z` }));
    group.append(s("path", { class: `line c${color % 8}`, d: `M${path((p) => p.y)}` }));
    for (const p of points) {
      const mark = marker(color, x(p.x), y(floor(p.y)), p.hollow);
      mark.setAttribute("data-x", String(p.x));
      mark.setAttribute("data-y", String(p.y));
      group.append(mark);
      marks.push({ x: x(p.x), y: y(floor(p.y)), text: p.text });
    }
    svg.append(group);
  }
  given(svg, frame, x, (v) => y(floor(v)), marks);
  if (labelled) labels(svg, series, area, x, (p) => y(floor(p.y)));
  return inspectable(svg, marks);
}

function given(svg: SVGSVGElement, frame: Frame, x: Scale, y: (v: number) => number, marks: Mark[]): void {
  if (frame.ideal !== undefined) {
    const end = Math.min(frame.xs[1], frame.ys[1] / frame.ideal);
    svg.append(s("path", { class: "ideal", d: `M${x(0)},${y(0)}L${x(end)},${y(frame.ideal * end)}` }));
  }
  for (const t of frame.theirs ?? []) {
    const color = t.color < 0 ? "" : ` c${t.color % 8}`;
    const data = { "data-x": t.x, "data-low": t.low, "data-high": t.high };
    const [left, right, top, bottom] = [x(t.x), x(t.xEnd), y(t.high), y(t.low)];
    if (right - left < 1 && bottom - top < 1)
      svg.append(s("path", { class: `theirs${color}`, d: `M${left - 5},${top - 5}L${left + 5},${top + 5}M${left - 5},${top + 5}L${left + 5},${top - 5}`, ...data }));
    else
      svg.append(s("rect", { class: `theirs${color}`, x: left - 0.8, y: top - 0.8, width: right - left + 1.6, height: bottom - top + 1.6, ...data }));
    marks.push({ x: (left + right) / 2, y: top, text: `theirs: ${t.text}` });
  }
}

// At the ends of the lines; a leader where a label had to move.
function labels(svg: SVGSVGElement, series: Series[], area: Area, x: Scale, y: (p: CurvePoint) => number): void {
  const ends = series.filter((line) => line.points.length > 0);
  const last = ends.map((line) => line.points[line.points.length - 1]!);
  const at = last.map(y);
  const spread = apart(at, 14, area.top - 4, area.bottom + 2);
  ends.forEach((line, i) => {
    const from = x(last[i]!.x) + 6;
    if (Math.abs(spread[i]! - at[i]!) > 3)
      svg.append(
        s("path", { class: `leader c${line.color % 8}`, d: `M${from},${at[i]}L${area.right + 12},${spread[i]}` }),
      );
    svg.append(s("text", { class: `label c${line.color % 8}`, x: area.right + 14, y: spread[i]! + 4 }, line.name));
  });
}
