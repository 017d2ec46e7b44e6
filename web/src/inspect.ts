// What a mark says when one points at it, or walks over the marks with the arrow keys.
import { h, s } from "./dom";

export interface Mark {
  x: number;
  y: number;
  text: string;
  series?: number;
  radius?: number;
}

export interface Inspected {
  figure: HTMLElement;
  svg: SVGSVGElement;
}

// Puts the drawing into a box with a readout. Marks are in the drawing's own units.
export function inspectable(svg: SVGSVGElement, marks: Mark[], reach = 28): HTMLElement {
  const readout = h("div", { class: "readout", role: "status" });
  const ring = s("circle", { class: "ring", r: 6, visibility: "hidden" });
  const box = h("div", { class: "chart" }, svg, readout);
  svg.append(ring);
  svg.setAttribute("tabindex", "0");
  let current = -1;

  const show = (i: number): void => {
    current = i;
    const mark = marks[i];
    ring.setAttribute("visibility", mark ? "visible" : "hidden");
    readout.textContent = mark ? mark.text : "";
    readout.classList.toggle("shown", mark !== undefined);
    if (!mark) return;
    ring.setAttribute("cx", String(mark.x));
    ring.setAttribute("cy", String(mark.y));
    ring.setAttribute("r", String(mark.radius ?? 6));
    place(mark);
  };
  const place = (mark: Mark): void => {
    const view = svg.viewBox.baseVal,
      area = svg.getBoundingClientRect(),
      outer = box.getBoundingClientRect();
    const factor = area.width / (view.width || 1);
    const x = mark.x * factor + area.left - outer.left,
      y = mark.y * factor + area.top - outer.top;
    const width = Math.min(readout.offsetWidth, outer.width);
    readout.style.left = `${Math.max(0, Math.min(outer.width - width, x - width / 2))}px`;
    const above = y - readout.offsetHeight - 12;
    readout.style.top = `${above >= -40 ? above : y + 14}px`;
  };
  const nearest = (event: PointerEvent): number => {
    const area = svg.getBoundingClientRect();
    const factor = (svg.viewBox.baseVal.width || 1) / (area.width || 1);
    const x = (event.clientX - area.left) * factor,
      y = (event.clientY - area.top) * factor;
    let best = -1,
      least = reach * reach * factor * factor;
    marks.forEach((mark, i) => {
      const d = (mark.x - x) ** 2 + (mark.y - y) ** 2;
      if (d < least) [best, least] = [i, d];
    });
    return best;
  };
  svg.addEventListener("pointermove", (event) => {
    const i = nearest(event);
    if (i !== current) show(i);
  });
  svg.addEventListener("pointerdown", (event) => show(nearest(event)));
  svg.addEventListener("pointerleave", () => show(-1));
  svg.addEventListener("blur", () => show(-1));
  svg.addEventListener("keydown", (event) => {
    const next = moved(marks, current, event.key);
    if (next === null) return;
    event.preventDefault();
    show(next);
  });
  return box;
}

// Right and left go through the marks of a series, down and up to the nearest mark of another one.
export function moved(marks: Mark[], at: number, key: string): number | null {
  if (key === "Escape") return -1;
  if (!["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"].includes(key) || marks.length === 0)
    return null;
  if (at < 0 || key === "Home") return 0;
  if (key === "End") return marks.length - 1;
  const here = marks[at]!;
  if (key === "ArrowRight") return Math.min(marks.length - 1, at + 1);
  if (key === "ArrowLeft") return Math.max(0, at - 1);
  const side = key === "ArrowDown" ? 1 : -1;
  let best = at,
    least = Infinity;
  marks.forEach((mark, i) => {
    if (i === at || (mark.y - here.y) * side <= 0) return;
    const d = 4 * Math.abs(mark.x - here.x) + Math.abs(mark.y - here.y);
    if (d < least) [best, least] = [i, d];
  });
  return best;
}
