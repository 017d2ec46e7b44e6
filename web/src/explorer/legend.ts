// The colours of the drawing and what they mean.
import { h } from "../dom";
import { Colours, steps } from "./paint";

export function legend(colours: Colours): HTMLElement {
  const used = Math.min(steps, colours.used);
  return h("div", { class: "legend load", role: "img", "aria-label": `Colours from 0 to ${colours.bound(used - 1)}, ${colours.unit}` },
    h("span", {}, colours.unit), ...Array.from({ length: used }, (_, i) =>
      h("span", { class: "step" }, h("span", { class: `swatch ${i === 0 ? "quiet" : `q${i}`}` }), h("span", { class: "bound" }, colours.bound(i)))));
}
