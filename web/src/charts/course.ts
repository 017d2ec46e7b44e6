// What ranks do in the course of time: a row for each rank, or for neighbours that share one, and the chain of operations that
// decided the end as a line through them.
import { TimeProgram } from "../base/answers";
import { h, s } from "../base/dom";
import { counted, duration } from "../base/format";

interface Course {
  label: string;
  seconds: number;
  rows: number;
  ranksOfRow: number;
  layers: { name: string; color: string; cells: number[][] }[]; // percent, by row and column
  chain: { rank: number; to: number; begin: number; seconds: number }[];
  time: (seconds: number) => string;
  width: number;
  cursor?: number; // a share of the time: an upright line, which moveCursor() moves
}

const levels = 5; // of opacity
const left = 64;

// All cells of one opacity as one path: neighbours in a row are one rectangle.
function paths(cells: number[][], x: (column: number) => number, y: (row: number) => number): string[] {
  const out: string[] = Array.from({ length: levels + 1 }, () => "");
  const level = (percent: number): number => (percent === 0 ? 0 : Math.max(1, Math.round((percent / 100) * levels)));
  cells.forEach((row, i) => {
    for (let j = 0; j < row.length; ) {
      const own = level(row[j]!);
      let end = j + 1;
      while (end < row.length && level(row[end]!) === own) ++end;
      if (own > 0) out[own] += `M${x(j).toFixed(1)} ${y(i).toFixed(1)}H${x(end).toFixed(1)}V${y(i + 1).toFixed(1)}H${x(j).toFixed(1)}Z`;
      j = end;
    }
  });
  return out;
}

export function moveCursor(within: Element, share: number): void {
  for (const line of within.querySelectorAll<SVGLineElement>("line.moment")) {
    const x = left + (line.ownerSVGElement!.viewBox.baseVal.width - left) * share;
    for (const name of ["x1", "x2"]) line.setAttribute(name, x.toFixed(1));
  }
}

// Of a program's run.
export function programCourse(of: TimeProgram & Required<Pick<TimeProgram, "picture">>, width: number, cursor?: number): HTMLElement {
  const { picture } = of;
  return course({
    label: `timeline of ${counted(of.ranks, "rank")} over ${duration(of.seconds)}`,
    seconds: of.seconds,
    rows: picture.computing.length,
    ranksOfRow: picture.ranks_of_row,
    layers: [
      { name: "waits", color: "b1", cells: picture.waiting },
      { name: "computes", color: "c0", cells: picture.computing },
      { name: "sends", color: "c1", cells: picture.sending },
    ],
    chain: picture.chain,
    time: duration,
    width,
    cursor,
  });
}
export const rowsInWords = (ranksOfRow: number): string =>
  ranksOfRow === 1 ? "a row for each rank" : `${ranksOfRow} ranks in a row: the deeper a colour, the more of them`;

function course(of: Course): HTMLElement {
  const below = 22;
  const rowHeight = Math.min(18, Math.max(2.5, 420 / of.rows));
  const height = of.rows * rowHeight;
  const columns = of.layers[0]?.cells[0]?.length ?? 1;
  const x = (column: number): number => left + ((of.width - left) * column) / columns;
  const y = (row: number): number => row * rowHeight;
  const svg = s("svg", { viewBox: `0 0 ${of.width} ${height + below}`, role: "img", "aria-label": of.label });
  for (const layer of of.layers)
    paths(layer.cells, x, y).forEach((d, level) => {
      if (d) svg.append(s("path", { class: `cell ${layer.color}`, "data-layer": layer.name, "fill-opacity": level / levels, d }));
    });
  const at = (seconds: number): number => x((columns * seconds) / of.seconds);
  const middle = (rank: number): number => y(Math.floor(rank / of.ranksOfRow) + 0.5);
  const line = of.chain
    .map((step, i) => `${i === 0 ? "M" : "L"}${at(step.begin).toFixed(1)} ${middle(step.rank).toFixed(1)}L${at(step.begin + step.seconds).toFixed(1)} ${middle(step.to).toFixed(1)}`)
    .join("");
  if (line) svg.append(s("path", { class: "reference chain", fill: "none", d: line }));
  if (of.cursor !== undefined) {
    for (const kind of ["moment edge", "moment"]) svg.append(s("line", { class: kind, y1: 0, y2: height }));
    moveCursor(svg, of.cursor);
  }
  const ticks = of.width - left < 400 ? 2 : 4;  // as many as have room
  for (let i = 0; i <= ticks; ++i)
    svg.append(s("text", { class: "tick", x: x((columns * i) / ticks), y: height + 15, "text-anchor": i === 0 ? "start" : i === ticks ? "end" : "middle" },
                 of.time((of.seconds * i) / ticks)));
  const step = Math.max(1, Math.ceil(of.rows / Math.max(1, Math.floor(height / 14))));
  for (let row = 0; row < of.rows; row += step)
    svg.append(s("text", { class: "tick", x: left - 6, y: y(row) + Math.min(rowHeight, 14) / 2 + 4, "text-anchor": "end" }, `rank ${row * of.ranksOfRow}`));
  const swatches = of.layers.map((layer) => [h("span", { class: `swatch ${layer.color}` }), h("span", {}, layer.name)]).flat();
  return h("div", {}, h("div", { class: "legend" }, ...swatches, h("span", {}, "line: what decided the end")), svg);
}
