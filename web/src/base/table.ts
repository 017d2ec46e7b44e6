// Tables that sort by any column. A table wider than its place scrolls within it.
import { Child, h } from "./dom";

export interface Column<R> {
  title: string;
  hint?: string; // what the title means
  sort: (row: R) => number | string; // numbers stand to the right
  show?: (row: R) => Child | Child[]; // otherwise what is sorted by
  isBest?: (row: R) => boolean;
  isText?: boolean;
}

const absent = (v: number | string): boolean => v === "" || (typeof v === "number" && !Number.isFinite(v));

export function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// `most` lines at first; with `filter` a field that keeps the lines with all the words typed into it.
export function sortable<R>(
  caption: string,
  columns: Column<R>[],
  rows: R[],
  most = Infinity,
  filter = false,
): HTMLElement {
  const body = h("tbody");
  const heads = columns.map((column) => h("th", { scope: "col", class: column.isText ? null : "number" }));
  let kept = rows,
    shown = [...rows],
    sorted = -1,
    ascending = true,
    limit = most;

  const cell = (column: Column<R>, r: R, first: boolean): HTMLElement => {
    const shownAs = column.show ? column.show(r) : String(column.sort(r));
    const tag = first ? "th" : "td";
    const parts = Array.isArray(shownAs) ? shownAs : [shownAs];
    const isLong = parts.some((part) => typeof part === "string" && part.length > 34);
    const classes = [column.isText ? "text" : "number", isLong ? "long" : "", column.isBest?.(r) ? "best" : ""]
      .filter(Boolean)
      .join(" ");
    return h(
      tag,
      { class: classes || null, scope: first ? "row" : null },
      ...parts,
    );
  };
  const more = h("button", { type: "button", class: "more" });
  const render = (): void => {
    body.replaceChildren(
      ...shown.slice(0, limit).map((r) => h("tr", {}, ...columns.map((c, i) => cell(c, r, i === 0)))),
    );
    more.hidden = shown.length <= limit;
    more.textContent = `Show all ${shown.length} lines`;
    heads.forEach((head, i) =>
      head.setAttribute("aria-sort", i !== sorted ? "none" : ascending ? "ascending" : "descending"),
    );
  };
  more.addEventListener("click", () => {
    limit = Infinity;
    render();
  });
  const sortBy = (i: number): void => {
    ascending = sorted === i ? !ascending : true;
    sorted = i;
    arrange();
  };
  const arrange = (): void => {
    const sort = columns[sorted]?.sort ?? (() => 0);
    shown = [...kept].sort((a, b) => {
      const [x, y] = [sort(a), sort(b)];
      if (absent(x) || absent(y)) return Number(absent(x)) - Number(absent(y)); // empty ones stay below
      return ascending ? compare(x, y) : compare(y, x);
    });
    render();
  };
  const field = h("input", { type: "search", placeholder: "Filter", "aria-label": `Filter: ${caption}` });
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (r: R): string =>
      columns
        .map((c) => String(c.sort(r)))
        .join(" ")
        .toLowerCase();
    kept = words.length === 0 ? rows : rows.filter((r) => words.every((w) => text(r).includes(w)));
    arrange();
  });
  columns.forEach((column, i) => {
    const button = h("button", { type: "button", title: column.hint }, column.title);
    button.addEventListener("click", () => sortBy(i));
    heads[i]!.append(button);
  });
  render();
  const table = h(
    "table",
    {},
    h("caption", {}, h("span", {}, caption)),
    h("thead", {}, h("tr", {}, ...heads)),
    body,
  );
  return h(
    "div",
    { class: "table" },
    filter ? h("p", { class: "controls" }, field) : null,
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, table),
    more,
  );
}
