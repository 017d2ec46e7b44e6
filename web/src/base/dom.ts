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

// Draws anew whenever there is another width to draw in; `draw` gets whole pixels. Paper is narrower, and has two
// panels side by side.
export function responsive(draw: (width: number) => Element): HTMLElement {
  const box = h("div", { class: "responsive" });
  let drawn = 0;
  const show = (width: number): void => {
    if (width <= 0 || width === drawn) return;
    drawn = width;
    box.replaceChildren(draw(width));
  };
  new ResizeObserver(() => show(Math.floor(box.clientWidth))).observe(box);
  addEventListener("beforeprint", () => show(box.closest(".panel:not(:only-child)") ? 330 : 680));
  addEventListener("afterprint", () => show(Math.floor(box.clientWidth)));
  return box;
}

// What is folded away on the screen is on paper.
export function unfoldForPrint(details: HTMLDetailsElement): HTMLDetailsElement {
  let wasOpen = false;
  addEventListener("beforeprint", () => ([wasOpen, details.open] = [details.open, true]));
  addEventListener("afterprint", () => (details.open = wasOpen));
  return details;
}
