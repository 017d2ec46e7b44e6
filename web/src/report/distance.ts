// Ours relative to theirs, statement by statement, each with the tolerance that was fixed for it.
import { fitted, textWidth } from "../charts/curve";
import { h, responsive, s } from "../base/dom";
import { number, percent } from "../base/format";
import { inspectable, Mark } from "../charts/inspect";
import { Statement } from "./model";
import { linear } from "../charts/scale";

const share = (x: Statement): number => x.ours! / x.theirs! - 1;
const bound = 1; // what is further off stands at the edge, with its number

function draw(all: Statement[], width: number): HTMLElement {
  const line = 20,
    top = 8,
    bottom = top + line * all.length + 4;
  const left = Math.min(0.5 * width, Math.max(...all.map((x) => textWidth(x.id))) + 14),
    right = width - 58;
  const most = Math.min(bound, Math.max(0.05, ...all.map((x) => Math.max(Math.abs(share(x)), x.tolerance))));
  const x = linear(-most, most, left, right, width < 500 ? 3 : 6);
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${bottom + 38}`,
    role: "img",
    "aria-label": `Ours relative to theirs: ${all.map((a) => `${a.id} ${percent(share(a), true)}`).join("; ")}`,
  });
  for (const t of x.ticks)
    svg.append(
      s("line", { class: t === 0 ? "axis" : "grid", x1: x(t), x2: x(t), y1: top, y2: bottom }),
      s("text", { class: "tick", x: x(t), y: bottom + 14, "text-anchor": "middle" }, percent(t, true)),
    );
  svg.append(
    s(
      "text",
      { class: "title", x: right, y: bottom + 31, "text-anchor": "end" },
      "ours relative to theirs; bar: tolerance",
    ),
  );
  const marks: Mark[] = [];
  all.forEach((a, i) => {
    const y = top + line * (i + 0.5),
      clamp = (v: number): number => Math.max(x.domain[0], Math.min(x.domain[1], v));
    const at = x(clamp(share(a)));
    const ok = a.verdict === "within";
    svg.append(
      s("text", { class: "row", x: left - 10, y: y + 4, "text-anchor": "end" }, fitted(a.id, left - 10)),
      s("rect", {
        class: "tolerance",
        x: x(clamp(-a.tolerance)),
        y: y - 5,
        width: Math.max(1, x(clamp(a.tolerance)) - x(clamp(-a.tolerance))),
        height: 10,
        rx: 2,
      }),
      s("circle", {
        class: `mark ${ok ? "c0" : "c1 hollow"}`,
        cx: at,
        cy: y,
        r: 4,
        "data-id": a.id,
        "data-share": share(a),
      }),
    );
    if (!ok || Math.abs(share(a)) > bound)
      svg.append(s("text", { class: "value", x: right + 8, y: y + 4 }, percent(share(a), true)));
    marks.push({
      x: at,
      y,
      text: `${a.claim}: theirs ${number(a.theirs)}${a.unit}, ours ${number(a.ours)}${a.unit} (${percent(share(a), true)}, \u00b1${percent(a.tolerance)} allowed)`,
    });
  });
  return inspectable(svg, marks, 80);
}

export function distances(all: Statement[]): HTMLElement {
  return h(
    "figure",
    {},
    h("figcaption", {}, "Filled: within tolerance; hollow: not reproduced or undecided"),
    responsive((width) => draw(all, width)),
  );
}
