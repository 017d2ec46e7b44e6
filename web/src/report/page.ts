// What all pages share: the head with its contents.
import { h } from "../base/dom";
import { themeButton } from "../base/theme";

// A long title breaks behind a comma rather than within a number.
function breakable(title: string): (string | HTMLElement)[] {
  return title.split(/(?<=,)/).flatMap((part, i) => (i === 0 ? [part] : [h("wbr"), part]));
}

export function header(kind: string, title: string, facts: string[], sections: HTMLElement[]): HTMLElement {
  const links = sections.map((part) =>
    h("li", {}, h("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? "")),
  );
  return h(
    "header",
    {},
    h("div", { class: "top" }, h("span", { class: "kind" }, kind), themeButton()),
    h("h1", {}, ...breakable(title)),
    h("p", { class: "facts" }, facts.join(" \u00b7 ")),
    h("nav", { "aria-label": "Contents" }, h("ul", {}, ...links)),
  );
}
