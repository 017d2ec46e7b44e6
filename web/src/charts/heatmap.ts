// Cells coloured by value: points by two things that were varied, gains of one over another, bandwidth by pair.
import { Attributes, h, s } from "../base/dom";
import { fitted, textWidth } from "./curve";
import { number } from "../base/format";
import { inspectable, Mark } from "./inspect";
import { quantum } from "./scale";

export const steps = 9;

export interface HeatCell {
  value: number | null;
  text: string;
  shown: string;
}
export interface Heat {
  label: string;
  rows: string[];
  columns: string[];
  cells: HeatCell[][];
  color: (value: number) => string; // class of its colour
  width: number;
  axes?: string; // what is written below it
}

export function colorClass(value: number, range: [number, number]): string {
  return `b${quantum(value, range[0], range[1], steps)}`;
}

// Gains in classes, that widen away from zero.
const gains = [-0.5, -0.2, -0.05, -0.01, 0.01, 0.05, 0.25, 1];

export function gainClass(gain: number): string {
  const found = gains.findIndex((bound) => gain <= bound);
  return `d${found < 0 ? gains.length : found}`;
}

export function heatmap(heat: Heat): HTMLElement {
  const left = Math.min(0.42 * heat.width, Math.max(30, ...heat.rows.map((r) => textWidth(r) + 14)));
  const widest = Math.max(...heat.columns.map((c) => textWidth(c)));
  const even = Math.min(92, (heat.width - left) / heat.columns.length);
  const slanted = widest > even - 6;
  const lean = slanted ? Math.min(110, 0.72 * widest) : 0; // a slanted name reaches so far up and right
  const cellWidth = Math.min(92, (heat.width - left - lean) / (heat.columns.length - (slanted ? 0.5 : 0)));
  const widestValue = (size: number): number =>
    Math.max(...heat.cells.flat().map((cell) => textWidth(cell.shown, size)));
  const isTight = cellWidth < 34 || widestValue(11.5) > cellWidth - 4;
  const shows = !isTight || widestValue(9.5) <= cellWidth - 3;
  const top = slanted ? lean + 14 : 24;
  const cellHeight = 28;
  const height = top + cellHeight * heat.rows.length + (heat.axes ? 20 : 4);
  const svg = s("svg", { viewBox: `0 0 ${heat.width} ${height}`, role: "img", "aria-label": heat.label });
  const marks: Mark[] = [];
  heat.columns.forEach((name, j) => {
    const x = left + cellWidth * (j + 0.5);
    const place: Attributes = slanted
      ? { x, y: top - 8, transform: `rotate(-45 ${x} ${top - 8})` }
      : { x, y: top - 8, "text-anchor": "middle" };
    svg.append(s("text", { class: "row", ...place }, slanted ? fitted(name, 150) : name));
  });
  heat.rows.forEach((name, i) => {
    const y = top + cellHeight * i;
    svg.append(s("text", { class: "row", x: left - 10, y: y + 18, "text-anchor": "end" }, fitted(name, left - 10)));
    heat.cells[i]!.forEach((cell, j) => {
      const x = left + cellWidth * j;
      const color = cell.value === null ? "none" : heat.color(cell.value);
      svg.append(
        s("rect", {
          class: `cell ${color}`,
          x: x + 1,
          y: y + 1,
          width: cellWidth - 2,
          height: cellHeight - 2,
          rx: 2,
          "data-row": name,
          "data-column": heat.columns[j],
          "data-value": cell.value,
        }),
      );
      if (shows)
        svg.append(
          s(
            "text",
            { class: `incell${isTight ? " small" : ""} on-${color}`, x: x + cellWidth / 2, y: y + 18, "text-anchor": "middle" },
            cell.shown,
          ),
        );
      marks.push({ x: x + cellWidth / 2, y: y + cellHeight / 2, text: cell.text, radius: 0 });
    });
  });
  if (heat.axes) svg.append(s("text", { class: "title", x: left, y: height - 4 }, heat.axes));
  return inspectable(svg, marks, 40);
}

// What the colours mean.
export function legend(title: string, range: [number, number]): HTMLElement {
  const swatches = Array.from({ length: steps }, (_, i) => h("span", { class: `swatch b${i}` }));
  return h(
    "div",
    { class: "legend" },
    h("span", {}, title),
    h("span", {}, number(range[0])),
    h("span", { class: "ramp", "aria-hidden": "true" }, ...swatches),
    h("span", {}, number(range[1])),
  );
}

// Classes with the bounds between them.
export function gainLegend(): HTMLElement {
  const bounds = gains.map((g) => `${g > 0 ? "+" : "\u2212"}${Math.abs(100 * g)}`);
  const step = (i: number): HTMLElement =>
    h(
      "span",
      { class: "step" },
      h("span", { class: `swatch d${i}` }),
      h("span", { class: "bound" }, bounds[i] ?? ""),
    );
  const ramp = h("span", { class: "ramp" }, ...Array.from({ length: steps }, (_, i) => step(i)));
  return h("div", { class: "legend classes" }, h("span", {}, "gain in %"), ramp);
}
