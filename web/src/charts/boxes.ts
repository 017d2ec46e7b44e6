// Whiskers: least, quartiles, median and most, for several things side by side, group by group.
import { axes, fitted, textWidth } from "./curve";
import { s } from "../base/dom";
import { inspectable, Mark } from "./inspect";
import { linear, log, Scale } from "./scale";

// least, lower quartile, median, upper quartile, most, mean
export type Spread = [number, number, number, number, number, number];
export interface FigurePanel<Cell> {
  title: string;
  note: string;
  rows: string[];
  columns: string[];
  cells: (Cell | null)[][]; // row by row; null where nothing was measured
}

// A number of the paper's, or a range, where ours stands.
export interface CellMark {
  row: number;
  column: number;
  low: number;
  high: number;
  text: string;
}

export interface SpreadFrame {
  theirs: CellMark[];
  label: string; // for who cannot see it
  panel: FigurePanel<Spread>;
  down: string; // what the groups are
  unit: string;
  reach: [number, number];
  text: (row: number, column: number, spread: Spread) => string;
  width: number;
}

// The sixth colour is close to the first, for lines that are dashed; boxes and bars have no dashes.
const order = [0, 1, 2, 3, 4, 6, 7, 5];
export const seriesClass = (i: number): string => `c${order[i % 8]}`;

// Boxes need no zero: the axis holds what there is, and shows differences.
function upright([low, high]: [number, number], bottom: number, top: number): Scale {
  if (low > 0 && high / low > 25) return log(low, high, bottom, top);
  const margin = 0.04 * (high - low || Math.abs(high) || 1);
  return linear(Math.max(low >= 0 ? 0 : -Infinity, low - margin), high + margin, bottom, top);
}

export function boxes(frame: SpreadFrame): HTMLElement {
  const { rows, columns, cells } = frame.panel;
  const height = 230;
  const area = { left: 46, right: frame.width - 4, top: 26, bottom: height - 38 };
  const y = upright(frame.reach, area.bottom, area.top);
  const svg = s("svg", { viewBox: `0 0 ${frame.width} ${height}`, role: "img", "aria-label": frame.label });
  const none = Object.assign((v: number) => v, { ticks: [], domain: [0, 1] as [number, number], isLog: false });
  axes(svg, none, y, area, { x: frame.down, y: frame.unit });
  const group = (area.right - area.left) / Math.max(1, rows.length);
  const step = (0.84 * group) / columns.length;
  const marks: Mark[] = [];
  const every = Math.ceil(Math.max(...rows.map((r) => textWidth(r, 11) + 6)) / group);
  rows.forEach((name, i) => {
    const left = area.left + group * (i + 0.08);
    const middle = area.left + group * (i + 0.5);
    if (i > 0)
      svg.append(s("line", { class: "grid", x1: left - 0.08 * group, x2: left - 0.08 * group, y1: area.top, y2: area.bottom }));
    if (i % every === 0)
      svg.append(
        s("text", { class: "tick", x: middle, y: area.bottom + 15, "text-anchor": "middle" }, fitted(name, group * every, 11)),
      );
    columns.forEach((column, j) => {
      const c = cells[i]?.[j];
      if (!c) return;
      const x = left + step * (j + 0.5);
      svg.append(box(c, x, Math.min(12, 0.76 * step), y, seriesClass(j), name, column));
      marks.push({ x, y: y(c[2]), text: frame.text(i, j, c), radius: 5 });
      for (const t of frame.theirs.filter((m) => m.row === i && m.column === j)) {
        const half = Math.max(7, step / 2);
        svg.append(
          s("rect", { class: "theirs", x: x - half, width: 2 * half, y: y(t.high) - 0.8, height: y(t.low) - y(t.high) + 1.6, "data-low": t.low, "data-high": t.high }),
        );
        marks.push({ x: x + half, y: y(t.high), text: t.text, radius: 5 });
      }
    });
  });
  return inspectable(svg, marks);
}

function box(c: Spread, x: number, width: number, y: Scale, color: string, row: string, column: string): SVGElement {
  const [least, lower, median, upper, most] = c;
  const cap = width / 4;
  const line = (from: number, to: number): string => `M${x},${y(from)}V${y(to)}`;
  const across = (at: number): string => `M${x - cap},${y(at)}H${x + cap}`;
  const height = Math.max(1, y(lower) - y(upper));
  return s(
    "g",
    { class: `box ${color}`, "data-row": row, "data-column": column, "data-median": median, "data-least": least, "data-most": most },
    s("path", { class: "whisker", d: `${line(least, lower)}${line(upper, most)}${across(least)}${across(most)}` }),
    s("rect", { class: "quartiles", x: x - width / 2, y: (y(lower) + y(upper) - height) / 2, width, height }),
    s("line", { class: "median", x1: x - width / 2, x2: x + width / 2, y1: y(median), y2: y(median) }),
  );
}
