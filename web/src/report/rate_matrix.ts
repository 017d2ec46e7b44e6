// The bandwidth between every two ranks while all send at once, in blocks.
import { h, responsive } from "../base/dom";
import { number, stateName } from "../base/format";
import { legend } from "../charts/heatmap";
import { pairMap, rateRange, rateText } from "../charts/pairs";
import { Matrix } from "./model";

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
    text: (i, j, v) => rateText(`from rank ${span(i)}`, span(j), v),
    width,
  });
}

export function matrixFigure(all: Matrix[]): HTMLElement | null {
  if (all.length === 0) return null;
  const range = rateRange(all.flatMap((m) => m.found.values.flat()));
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
    legend("rate, of a link", range),
    h("div", { class: "panels", "data-figure": "matrix" }, ...panels),
  );
}
