// A small line without axes; `level` is a line across at a value, `at` an upright one at a place.
import { s } from "../base/dom";

export function spark(label: string, values: number[], height: number, { level, at }: { level?: number; at?: number }): SVGSVGElement {
  const width = 300, most = Math.max(level ?? 0, ...values, 1e-9);
  const x = (i: number): number => (i / Math.max(1, values.length - 1)) * width, y = (v: number): number => height - 2 - (v / most) * (height - 6);
  const out = s("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
  if (level !== undefined) out.append(s("line", { class: "axis", x1: 0, x2: width, y1: y(level), y2: y(level) }));
  out.append(s("path", { class: "line c0", d: "M" + values.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join("L") }));
  if (at !== undefined) out.append(s("line", { class: "reference", x1: x(at), x2: x(at), y1: 0, y2: height }));
  return out;
}
