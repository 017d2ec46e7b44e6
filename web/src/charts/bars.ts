// Bars in groups: the mean, and a thin line from the least to the most.
import { fitted, textWidth } from "./curve";
import { s } from "../base/dom";
import { seriesClass, SpreadFrame } from "./boxes";
import { number } from "../base/format";
import { inspectable, Mark } from "./inspect";
import { linear } from "./scale";

export function bars(frame: SpreadFrame): HTMLElement {
  const { rows, columns, cells } = frame.panel;
  const thick = 11,
    gap = 12,
    top = 6;
  const group = thick * columns.length + gap;
  const left = Math.min(0.3 * frame.width, Math.max(...rows.map((r) => textWidth(r))) + 12);
  const bottom = top + group * rows.length;
  const right = frame.width - 44;
  const x = linear(Math.min(0, frame.reach[0]), Math.max(0, frame.reach[1]), left, right, 4);
  const svg = s("svg", { viewBox: `0 0 ${frame.width} ${bottom + 34}`, role: "img", "aria-label": frame.label });
  for (const t of x.ticks)
    svg.append(
      s("line", { class: "grid", x1: x(t), x2: x(t), y1: top, y2: bottom }),
      s("text", { class: "tick", x: x(t), y: bottom + 14, "text-anchor": "middle" }, number(t)),
    );
  svg.append(s("text", { class: "title", x: right, y: bottom + 30, "text-anchor": "end" }, frame.unit));
  const marks: Mark[] = [];
  rows.forEach((name, i) => {
    const begin = top + group * i + gap / 2;
    svg.append(
      s(
        "text",
        { class: "row", x: left - 10, y: begin + (group - gap) / 2 + 4, "text-anchor": "end" },
        fitted(name, left - 10),
      ),
    );
    columns.forEach((column, j) => {
      const c = cells[i]?.[j];
      if (!c) return;
      const y = begin + thick * j;
      const [least, , , , most, mean] = c;
      const [from, to] = [Math.min(x(0), x(mean)), Math.max(x(0), x(mean))];
      const end = Math.max(to, x(most)) + 4;
      svg.append(
        s("rect", {
          class: `column ${seriesClass(j)}`,
          x: from,
          y: y + 1,
          width: Math.max(0.5, to - from),
          height: thick - 2,
          "data-row": name,
          "data-column": column,
          "data-value": mean,
        }),
      );
      if (most > least) svg.append(s("line", { class: "extent", x1: x(least), x2: x(most), y1: y + thick / 2, y2: y + thick / 2 }));
      svg.append(s("text", { class: "small value", x: end, y: y + thick - 2 }, number(Number(mean.toPrecision(3)))));
      marks.push({ x: to, y: y + thick / 2, text: frame.text(i, j, c), radius: 5 });
      for (const t of frame.theirs.filter((m) => m.row === i && m.column === j)) {
        svg.append(
          s("rect", { class: "theirs", x: x(t.low) - 0.8, width: x(t.high) - x(t.low) + 1.6, y: y - 2, height: thick + 4, "data-low": t.low, "data-high": t.high }),
        );
        marks.push({ x: x(t.high), y: y + thick / 2, text: t.text, radius: 5 });
      }
    });
  });
  return inspectable(svg, marks, 400);
}
