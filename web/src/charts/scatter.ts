// Points with labels, and a line along the best of them.
import { s } from "../base/dom";
import { Area, axes, fitted, marker, textWidth } from "./curve";
import { inspectable, Mark } from "./inspect";
import { linear, within } from "./scale";

export interface ScatterPoint {
  x: number;
  y: number;
  color: number;
  hollow: boolean;
  label: string; // drawn where there is room; the first points come first
  first?: boolean; // its label comes before all others, at the end of a line to it where there is no room beside it
  text: string; // all that is known of it
}
export interface ScatterFrame {
  label: string; // for who cannot see it
  x: string;
  y: string;
  ys: [number, number];
  width: number;
  height?: number;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

type Corner = [number, number]; // left, top

function firstFree(places: Corner[], width: number, taken: Box[], area: Area): Box | undefined {
  return places
    .map(([left, top]) => ({ left, right: left + width, top, bottom: top + 14 }))
    .find((box) => box.left >= area.left && box.right <= area.right + 4 && box.top >= area.top - 24 && box.bottom <= area.bottom && !taken.some((t) => meet(t, box)));
}

// Right of its point, left, above or below.
function placesBeside(x: number, y: number, width: number): Corner[] {
  return [
    [x + 8, y - 7],
    [x - 8 - width, y - 7],
    [x - width / 2, y - 22],
    [x - width / 2, y + 8],
    [x + 8, y - 20],
    [x + 8, y + 6],
    [x - 8 - width, y + 6],
  ];
}

// Places all over the area, those near the point first.
function placesAround(x: number, y: number, width: number, area: Area): Corner[] {
  const away = ([left, top]: Corner): number => Math.hypot(Math.max(left - x, 0, x - left - width), top + 7 - y);
  const places: Corner[] = [];
  for (let top = area.top; top + 14 <= area.bottom; top += 4)
    for (let left = area.left + 4; left + width <= area.right; left += 8) places.push([left, top]);
  return places.sort((a, b) => away(a) - away(b));
}

// From a point to the nearest place at the edge of its label; no other label lies on it.
function leader(x: number, y: number, box: Box, taken: Box[]): SVGElement {
  const to = (v: number, low: number, high: number): number => Math.min(Math.max(v, low), high);
  const [endX, endY] = [to(x, box.left, box.right), to(y, box.top + 2, box.bottom - 2)];
  taken.push({ left: Math.min(x, endX) - 1, right: Math.max(x, endX) + 1, top: Math.min(y, endY), bottom: Math.max(y, endY) });
  return s("path", { class: "leader", d: `M${x},${y}L${endX},${endY}` });
}

// `line`: what is joined, from left to right; each point holds until the next.
export function scatter(points: ScatterPoint[], line: ScatterPoint[], frame: ScatterFrame): HTMLElement {
  const height = frame.height ?? 380;
  const area = { left: 46, right: frame.width - 16, top: 44, bottom: height - 40 };
  const prices = points.map((p) => p.x);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const pad = Math.max(0.08 * (most - least), 0.1 * most) || 1; // a few percent do not look like a world
  const x = within(Math.max(0, least - pad), most + pad, area.left, area.right, frame.width < 480 ? 3 : 6);
  const y = linear(frame.ys[0], frame.ys[1], area.bottom, area.top);
  const svg = s("svg", { viewBox: `0 0 ${frame.width} ${height}`, role: "img", "aria-label": frame.label });
  axes(svg, x, y, area, frame);
  if (line.length > 0) {
    const path = line.map((p, i) => (i === 0 ? `M${x(p.x)},${y(p.y)}` : `H${x(p.x)}V${y(p.y)}`)).join("");
    svg.append(s("path", { class: "front", d: `${path}H${area.right}` }));
  }
  const at = points.map((p): [number, number] => [x(p.x), y(p.y)]);
  const taken: Box[] = at.map(([px, py]) => ({ left: px - 4, right: px + 4, top: py - 4, bottom: py + 4 }));
  taken.push({ left: 0, right: area.left + textWidth(frame.y, 11), top: 0, bottom: area.top - 6 }); // the title of the axis
  line.forEach((p, i) => {
    const to = line[i + 1];
    taken.push({ left: x(p.x), right: to ? x(to.x) : area.right, top: y(p.y) - 2, bottom: y(p.y) + 2 });
    if (to) taken.push({ left: x(to.x) - 2, right: x(to.x) + 2, top: y(to.y), bottom: y(p.y) });
  });
  const marks: Mark[] = [];
  points.forEach((p, i) => {
    const [px, py] = at[i]!;
    const mark = marker(p.color, px, py, p.hollow);
    mark.setAttribute("data-fabric", p.label);
    mark.setAttribute("data-x", String(p.x));
    mark.setAttribute("data-y", String(p.y));
    svg.append(mark);
    marks.push({ x: px, y: py, text: p.text });
  });
  const order = points.map((_, i) => i).sort((a, b) => Number(points[b]!.first ?? false) - Number(points[a]!.first ?? false));
  order.forEach((i) => {
    const p = points[i]!,
      [px, py] = at[i]!;
    const shown = fitted(p.label, 0.45 * frame.width, 11);
    const width = textWidth(shown, 11);
    const beside = firstFree(placesBeside(px, py, width), width, taken, area);
    const box = beside ?? (p.first ? firstFree(placesAround(px, py, width, area), width, taken, area) : undefined);
    if (!box) return;
    taken.push(box);
    if (!beside) svg.append(leader(px, py, box, taken));
    svg.append(s("text", { class: `label point c${p.color % 8}`, x: box.left, y: box.top + 11 }, shown));
  });
  return inspectable(svg, marks);
}
