// Elements without markup: text is always text, whatever a name contains.
export type Child = Node | string | null;
export type Attributes = Record<string, string | number | boolean | null | undefined>;

const svgNamespace = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes))
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

// Draws anew whenever there is another width to draw in; `draw` gets whole pixels. Paper has a width of its own.
export function responsive(draw: (width: number) => Element): HTMLElement {
  const box = h("div", { class: "responsive" });
  let drawn = 0;
  const paperWidth = 660;
  const show = (width: number): void => {
    if (width <= 0 || width === drawn) return;
    drawn = width;
    box.replaceChildren(draw(width));
  };
  new ResizeObserver(() => show(Math.floor(box.clientWidth))).observe(box);
  addEventListener("beforeprint", () => show(Math.min(paperWidth, Number(box.dataset.paper ?? paperWidth))));
  addEventListener("afterprint", () => show(Math.floor(box.clientWidth)));
  return box;
}
