// The bandwidth between every two ranks while all send at once, in blocks.
import { h, responsive, s } from "./dom";
import { number, stateName } from "./format";
import { colorClass, legend } from "./heatmap";
import { inspectable, Mark } from "./inspect";
import { Matrix } from "./model";

function draw(m: Matrix, range: [number, number], width: number): HTMLElement {
  const n = m.values.length,
    size = Math.min(width, 460),
    cell = size / n;
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${size + 20}`,
    role: "img",
    "aria-label": `Bandwidth between ranks, ${m.engine} on ${m.fabric}: mean ${number(m.mean)}, least ${number(m.least)}`,
  });
  const marks: Mark[] = [];
  m.values.forEach((line, i) =>
    line.forEach((v, j) => {
      svg.append(
        s("rect", {
          class: `pair ${i === j && m.block === 1 ? "none" : colorClass(v, range)}`,
          x: j * cell,
          y: i * cell,
          width: cell + 0.3,
          height: cell + 0.3,
          "data-value": v,
        }),
      );
      const span = (k: number): string =>
        m.block === 1 ? String(k) : `${k * m.block} to ${Math.min(m.ranks, (k + 1) * m.block) - 1}`;
      marks.push({
        x: (j + 0.5) * cell,
        y: (i + 0.5) * cell,
        text: `from rank ${span(i)} to ${span(j)}: ${number(v)}`,
        radius: cell / 2,
      });
    }),
  );
  svg.append(s("text", { class: "title", x: 0, y: size + 15 }, "receiving rank \u2192, sending rank \u2193"));
  return inspectable(svg, marks);
}

export function matrixFigure(all: Matrix[]): HTMLElement | null {
  if (all.length === 0) return null;
  const values = all.flatMap((m) => m.values.flat()).filter((v) => v > 0);
  const range: [number, number] = [0, Math.max(...values)];
  const panels = all.map((m) =>
    h(
      "div",
      { class: "panel", "data-panel": m.engine },
      h(
        "h4",
        {},
        `${m.engine} on ${m.fabric}, ${stateName(m.without)}`,
        h("small", {}, ` mean ${number(m.mean)}, least ${number(m.least)}`),
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
