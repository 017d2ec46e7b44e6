// A small coloured square for each pair, such as mpiGraph's bandwidth of every two hosts: rows send, columns receive.
import { h, s } from "../base/dom";
import { number } from "../base/format";
import { colorClass, legend } from "./heatmap";
import { inspectable, Mark } from "./inspect";

export interface PairMap {
  label: string;
  values: (number | null)[][]; // by row, then column; null is left without colour
  range: [number, number];
  across: string;
  down: string;
  text: (row: number, column: number, value: number) => string;
  width: number;
  size?: number; // pixels at most
}

const most = 10_000; // squares that are elements of their own; of more, those of a colour are one

export function pairMap(map: PairMap): HTMLElement {
  const columns = map.values[0]?.length ?? 0,
    size = Math.min(map.width, map.size ?? 460),
    cell = size / Math.max(columns, map.values.length);
  const height = cell * map.values.length;
  const svg = s("svg", { viewBox: `0 0 ${map.width} ${height + 20}`, role: "img", "aria-label": map.label });
  const colour = (v: number | null): string => (v === null ? "none" : colorClass(v, map.range));
  const isSmall = columns * map.values.length <= most;
  svg.append(...(isSmall ? squares(map, cell, colour) : areas(map, cell, colour)));
  svg.append(s("text", { class: "title", x: 0, y: height + 15 }, `${map.across} \u2192, ${map.down} \u2193`));
  const mark = (i: number, j: number): Mark[] => {
    const v = map.values[i]?.[j] ?? null;
    return v === null ? [] : [{ x: (j + 0.5) * cell, y: (i + 0.5) * cell, text: map.text(i, j, v), radius: Math.max(3, cell / 2) }];
  };
  const stops = isSmall ? map.values.flatMap((line, i) => line.map((_, j): [number, number] => [i, j])) : least(map.values, 200);
  return inspectable(svg, stops.flatMap(([i, j]) => mark(i, j)), 0, (x, y) => mark(Math.floor(y / cell), Math.floor(x / cell))[0]);
}

function squares(map: PairMap, cell: number, colour: (v: number | null) => string): SVGElement[] {
  return map.values.flatMap((line, i) =>
    line.map((v, j) =>
      s("rect", { class: `pair ${colour(v)}`, x: j * cell, y: i * cell, width: cell + 0.3, height: cell + 0.3, "data-value": v ?? 0 }),
    ),
  );
}

// Squares of the same colour that stand side by side in a row are one.
function areas(map: PairMap, cell: number, colour: (v: number | null) => string): SVGElement[] {
  const paths = new Map<string, string[]>(), f = (v: number): string => v.toFixed(2);
  map.values.forEach((line, i) => {
    for (let from = 0, to = 0; from < line.length; from = to) {
      const name = colour(line[from]!);
      for (to = from + 1; to < line.length && colour(line[to]!) === name; ++to);
      if (!paths.has(name)) paths.set(name, []);
      paths.get(name)!.push(`M${f(from * cell)} ${f(i * cell)}h${f((to - from) * cell + 0.3)}v${f(cell + 0.3)}H${f(from * cell)}z`);
    }
  });
  return [...paths].map(([name, parts]) => s("path", { class: `pair ${name}`, d: parts.join("") }));
}

// The pairs with the smallest values.
export function least(values: (number | null)[][], count: number): [row: number, column: number][] {
  const all = values.flatMap((line, i) => line.flatMap((v, j) => (v === null ? [] : [{ i, j, v }])));
  return all.sort((a, b) => a.v - b.v).slice(0, count).map(({ i, j }) => [i, j]);
}

// How the colours of a map are read, and the map.
export const withLegend = (unit: string, range: [number, number], map: HTMLElement): HTMLElement => h("div", { class: "matrix" }, legend(unit, range), map);

export const rateRange = (values: (number | null)[]): [number, number] => [0, values.reduce((a: number, v) => Math.max(a, v ?? 0), 1e-9)];
export const rateText = (from: string, to: string, rate: number): string => `${from} to ${to}: ${number(rate)} of a link`;
