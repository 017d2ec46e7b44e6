// The bandwidth between every two ranks while all send at once, in blocks.
import { h, responsive, s } from "../base/dom";
import { number, stateName } from "../base/format";
import { colorClass, legend } from "../charts/heatmap";
import { inspectable, Mark } from "../charts/inspect";
import { Matrix } from "./model";

export interface PairMap {
  label: string;
  values: (number | null)[][]; // by row, then column; null is left without colour
  range: [number, number];
  across: string;
  down: string;
  text: (row: number, column: number, value: number) => string;
  width: number;
}

// A small coloured square for each row and column.
export function pairMap(map: PairMap): HTMLElement {
  const columns = map.values[0]?.length ?? 0,
    size = Math.min(map.width, 460),
    cell = size / Math.max(columns, map.values.length);
  const height = cell * map.values.length;
  const svg = s("svg", {
    viewBox: `0 0 ${map.width} ${height + 20}`,
    role: "img",
    "aria-label": map.label,
  });
  const marks: Mark[] = [];
  map.values.forEach((line, i) =>
    line.forEach((v, j) => {
      svg.append(
        s("rect", {
          class: `pair ${v === null ? "none" : colorClass(v, map.range)}`,
          x: j * cell,
          y: i * cell,
          width: cell + 0.3,
          height: cell + 0.3,
          "data-value": v ?? 0,
        }),
      );
      if (v === null) return;
      marks.push({ x: (j + 0.5) * cell, y: (i + 0.5) * cell, text: map.text(i, j, v), radius: cell / 2 });
    }),
  );
  svg.append(s("text", { class: "title", x: 0, y: height + 15 }, `${map.across} \u2192, ${map.down} \u2193`));
  return inspectable(svg, marks);
}

function draw(m: Matrix, range: [number, number], width: number): HTMLElement {
  const { block, ranks, mean, least, values } = m.found;
  const span = (k: number): string =>
    block === 1 ? String(k) : `${k * block} to ${Math.min(ranks, (k + 1) * block) - 1}`;
  return pairMap({
    label: `Bandwidth between ranks, ${m.engine} on ${m.fabric}: mean ${number(mean)}, least ${number(least)}`,
    values: values.map((line, i) => line.map((v, j) => (i === j && block === 1 ? null : v))),
    range,
    across: "receiving rank",
    down: "sending rank",
    text: (i, j, v) => `from rank ${span(i)} to ${span(j)}: ${number(v)}`,
    width,
  });
}

export function matrixFigure(all: Matrix[]): HTMLElement | null {
  if (all.length === 0) return null;
  const values = all.flatMap((m) => m.found.values.flat()).filter((v) => v > 0);
  const range: [number, number] = [0, Math.max(...values)];
  const panels = all.map((m) =>
    h(
      "div",
      { class: "panel", "data-panel": m.engine },
      h(
        "h4",
        {},
        `${m.engine} on ${m.fabric}, ${stateName(m.without)}`,
        h("small", {}, ` mean ${number(m.found.mean)}, least ${number(m.found.least)}`),
      ),
      responsive((width) => draw(m, range, width)),
    ),
  );
  return h(
    "figure",
    {},
    h("figcaption", {}, "Bandwidth of every pair while all send at once, as mpiGraph measures it"),
    legend("rate", range),
    h("div", { class: "panels", "data-figure": "matrix" }, ...panels),
  );
}
