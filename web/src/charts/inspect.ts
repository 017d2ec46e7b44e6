// What a mark says when one points at it, or walks over the marks with the arrow keys.
import { h, s } from "../base/dom";

export interface Mark {
  x: number;
  y: number;
  text: string;
  series?: number;
  radius?: number;
}

// Puts the drawing into a box with a readout. Marks are in the drawing's own units. What is pointed at is the nearest mark,
// unless `find` says what there is at a place.
export function inspectable(
  svg: SVGSVGElement,
  marks: Mark[],
  reach = 28, // pixels
  find?: (x: number, y: number) => Mark | undefined,
): HTMLElement {
  const readout = h("div", { class: "readout", role: "status" });
  const ring = s("circle", { class: "ring", r: 6, visibility: "hidden" });
  const box = h("div", { class: "chart" }, svg, readout);
  svg.append(ring);
  svg.setAttribute("tabindex", "0");
  let current: Mark | undefined;

  const show = (mark: Mark | undefined): void => {
    current = mark;
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
  const pointedAt = (event: PointerEvent): Mark | undefined => {
    const area = svg.getBoundingClientRect();
    const factor = (svg.viewBox.baseVal.width || 1) / (area.width || 1);
    const x = (event.clientX - area.left) * factor,
      y = (event.clientY - area.top) * factor;
    if (find) return find(x, y);
    let best: Mark | undefined,
      least = (reach * factor) ** 2;
    for (const mark of marks) {
      const d = (mark.x - x) ** 2 + (mark.y - y) ** 2;
      if (d < least) [best, least] = [mark, d];
    }
    return best;
  };
  svg.addEventListener("pointermove", (event) => {
    const mark = pointedAt(event);
    if (mark?.text !== current?.text) show(mark);
  });
  svg.addEventListener("pointerdown", (event) => show(pointedAt(event)));
  svg.addEventListener("pointerleave", () => show(undefined));
  svg.addEventListener("blur", () => show(undefined));
  svg.addEventListener("keydown", (event) => {
    const next = moved(marks, current ? marks.indexOf(current) : -1, event.key);
    if (next === null) return;
    event.preventDefault();
    show(marks[next]);
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
