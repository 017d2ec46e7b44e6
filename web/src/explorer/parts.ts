// Small things that the panels are made of.
import { Child, h } from "../base/dom";
import { csv, downloadButton } from "../base/download";
import { Column, sortable } from "../base/table";
import { fileName } from "./state";

export function facts(lines: [string, Child][]): HTMLElement {
  return h("dl", { class: "asked facts" }, ...lines.flatMap(([key, value]) => [h("dt", {}, key), h("dd", {}, value)]));
}

export function button(label: string, action: () => void, attributes: Record<string, string | boolean> = {}): HTMLButtonElement {
  const out = h("button", { type: "button", ...attributes }, label);
  out.addEventListener("click", action);
  return out;
}

export interface Choice { value: string; label: string; disabled?: boolean }
export function select(id: string, label: string, choices: Choice[], value: string, changed: (value: string) => void): HTMLElement {
  const box = h("select", { id }, ...choices.map((c) => h("option", { value: c.value, disabled: c.disabled }, c.label)));
  box.value = value;
  box.addEventListener("change", () => changed(box.value));
  return h("label", { class: "field" }, h("span", {}, label), box);
}

export function field(id: string, label: string, value: string, changed: (value: string) => void, attributes: Record<string, string> = {}): HTMLElement {
  const box = h("input", { id, value, autocomplete: "off", spellcheck: "false", ...attributes });
  box.addEventListener("change", () => changed(box.value.trim()));
  return h("label", { class: "field" }, h("span", {}, label), box);
}

// A file: the name of one on the server, or a button that uploads one.
export function fileField(id: string, label: string, value: string, placeholder: string, changed: (value: string) => void, take: (files: FileList | null) => void): HTMLElement {
  const hidden = h("input", { type: "file", id: `${id}-file`, hidden: true });
  hidden.addEventListener("change", () => take(hidden.files));
  return h("div", { class: "file-field" }, field(id, label, fileName(value), (v) => changed(v === fileName(value) ? value : v), { placeholder }),
           button("Open a file", () => hidden.click(), { "aria-label": `${label}: open a file` }), hidden);
}

// With a button that saves what the table shows.
export function table<R>(name: string, caption: string, columns: Column<R>[], rows: R[], most = 12): HTMLElement {
  const content = (): string => csv([columns.map((c) => c.title), ...rows.map((r) => columns.map((c) => c.sort(r)))]);
  return h("div", { class: "with-csv" }, sortable(caption, columns, rows, most), downloadButton("CSV", `${name}.csv`, content));
}

export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content), link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export function verdictLine(yes: boolean, text: string): HTMLElement {
  return h("li", { class: yes ? "yes" : "no" }, h("span", { "aria-hidden": "true" }, yes ? "\u2713 " : "\u2717 "), h("span", { class: "hidden" }, yes ? "yes: " : "no: "), text);
}

export function waiting(text: string): HTMLElement {
  return h("p", { class: "remark waiting" }, text);
}
export function refused(text: string): HTMLElement {
  return h("p", { class: "refused", role: "alert" }, text);
}
