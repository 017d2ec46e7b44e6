// The colours of the drawing and what they mean.
import { h } from "../base/dom";
import { Colours } from "./paint";

export function legend(colours: Colours): HTMLElement {
  const used = colours.used;
  const chip = (i: number): HTMLElement =>
    h("li", {}, h("span", { class: `chip ${i === 0 ? "quiet" : colours.name(i)}` }), h("span", { class: "bound" }, colours.bound(i)));
  return h("div", { class: "key", role: "img", "aria-label": `Colours from 0 to ${colours.bound(used - 1)}, ${colours.title}` },
    h("span", {}, colours.title), h("ul", {}, ...Array.from({ length: used }, (_, i) => chip(i))));
}
