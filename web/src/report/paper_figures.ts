// The figures of a paper as the paper shows them: heat maps, gain matrices, whiskers and bars, each beside what the
// paper says, with the numbers as a table behind it.
import { bars } from "../charts/bars";
import { boxes, FigurePanel, seriesClass, Spread } from "../charts/boxes";
import { h, unfoldForPrint } from "../base/dom";
import { csv, downloadButton } from "../base/download";
import { panel, range } from "./figures";
import { number, percent, withUnit } from "../base/format";
import { colorClass, gainClass, gainLegend, heatmap, HeatCell, legend } from "../charts/heatmap";
import { pairMap } from "../charts/pairs";
import { distinct } from "../base/lists";
import { PaperFigure, SpreadFigure, Statement, StatementKind, ValueFigure, Verdict } from "./model";
import { Column, sortable } from "../base/table";

export const verdictWords: Record<Verdict, string> = {
  within: "within tolerance",
  ordering: "holds",
  not_reproduced: "not reproduced",
  undecided: "undecided",
};
export const kindWords: Record<StatementKind, string> = {
  prediction: "prediction",
  fit: "fit target",
  identity: "identity",
  ordering: "ordering",
  erratum: "erratum",
};
export const verdictClass = (v: Verdict): string => (v === "not_reproduced" ? "no" : v === "undecided" ? "open" : "yes");

// Every measurement, with its interval where it has one.
export const oursText = (x: Statement): string =>
  x.measurements
    .filter((m) => m.ours !== null)
    .map(
      (m) =>
        `${number(m.ours)}${m.half_width ? ` \u00b1 ${number(Number(m.half_width.toPrecision(2)))}` : ""}${x.unit}` +
        (x.measurements.length > 1 ? ` (${m.by})` : ""),
    )
    .join(", ");

// What the paper says of it, and whether it came out.
export function claims(about: Statement[]): HTMLElement | null {
  if (about.length === 0) return null;
  const line = (x: Statement): HTMLElement => {
    const numbers =
      x.theirs !== null && x.ours !== null
        ? `theirs ${number(x.theirs)}${x.unit}, ours ${oursText(x)}`
        : "";
    return h(
      "li",
      { "data-statement": x.id },
      h("span", { class: verdictClass(x.verdict) }, verdictWords[x.verdict]),
      h("small", {}, ` ${kindWords[x.kind]}`),
      ` ${x.claim}`,
      h("small", {}, ` ${[x.where, numbers, x.found && `ours: ${x.found}`, x.why].filter(Boolean).join("; ")}`),
    );
  };
  return h("ul", { class: "claims", "aria-label": "What the paper says" }, ...about.map(line));
}

const flat = <Cell>(panels: FigurePanel<Cell>[]): Cell[] =>
  panels.flatMap((p) => p.cells.flat()).filter((c): c is Cell => c !== null);

const place = <Cell>(figure: PaperFigure, p: FigurePanel<Cell>, i: number, j: number): string =>
  `${figure.down} ${p.rows[i]}, ${figure.across} ${p.columns[j]}`;

const labelOf = <Cell>(figure: PaperFigure, p: FigurePanel<Cell>): string =>
  `${figure.title}${p.title ? ", " + p.title : ""}${p.note ? ", " + p.note : ""}`;

// --- one for each kind ---------------------------------------------------------------------------------------------

function heatPanels(figure: ValueFigure): [HTMLElement, HTMLElement[]] {
  const reach: [number, number] = [0, Math.max(...flat(figure.panels))];
  const name = [figure.value, figure.unit].filter(Boolean).join(", ");
  return [
    legend(name, reach),
    figure.panels.map((p) =>
      panel(p.title, p.note, (width) =>
        p.columns.length > 16
          ? pairMap({
              label: labelOf(figure, p),
              values: p.cells,
              range: reach,
              across: figure.across,
              down: figure.down,
              text: (i, j, v) => `${place(figure, p, i, j)}: ${withUnit(v, figure.unit)}`,
              width,
            })
          : heatmap({
              label: labelOf(figure, p),
              rows: p.rows,
              columns: p.columns,
              cells: p.cells.map((line, i) =>
                line.map((v, j): HeatCell => ({
                  value: v,
                  shown: number(v),
                  text: `${place(figure, p, i, j)}: ${v === null ? "not measured" : withUnit(v, figure.unit)}`,
                })),
              ),
              color: (v) => colorClass(v, reach),
              width,
            }),
      ),
    ),
  ];
}

// Per cent, as the legend says.
const gainText = (gain: number): string => percent(gain, true).replace(/\u202f%$/, "");

function gainPanels(figure: ValueFigure): [HTMLElement, HTMLElement[]] {
  const cell = (p: FigurePanel<number>, v: number | null, i: number, j: number): HeatCell => ({
    value: v,
    shown: v === null ? "" : gainText(v),
    text: `${place(figure, p, i, j)}: ${v === null ? "not measured" : percent(v, true)}`,
  });
  return [
    gainLegend(),
    figure.panels.map((p) =>
      panel(p.title, p.note, (width) =>
        heatmap({
          label: labelOf(figure, p),
          rows: p.rows,
          columns: p.columns,
          cells: p.cells.map((line, i) => line.map((v, j) => cell(p, v, i, j))),
          color: gainClass,
          width,
          axes: `${figure.across} \u2192, ${figure.down} \u2193`,
        }),
      ),
    ),
  ];
}

// Which colour is which.
function series(names: string[]): HTMLElement {
  const one = (name: string, i: number): HTMLElement =>
    h("span", { class: "entry" }, h("span", { class: `swatch ${seriesClass(i)}` }), name);
  return h("div", { class: "legend" }, ...names.map(one));
}

const spreadText = (figure: SpreadFigure, s: Spread): string =>
  s[0] === s[4]
    ? withUnit(s[2], figure.unit)
    : `median ${withUnit(s[2], figure.unit)}, quartiles ${number(s[1])} and ${number(s[3])}, ${number(s[0])} to ${number(s[4])}`;

function spreadPanels(figure: SpreadFigure): [HTMLElement, HTMLElement[]] {
  const reach = range([
    ...flat(figure.panels).flatMap((c) => [c[0], c[4]]),
    ...figure.theirs.flatMap((m) => [m.low, m.high]),
  ]);
  const draw = figure.kind === "bars" ? bars : boxes;
  return [
    series(distinct(figure.panels.flatMap((p) => p.columns))),
    figure.panels.map((p, k) =>
      panel(p.title, p.note, (width) =>
        draw({
          theirs: figure.theirs.filter((m) => m.panel === k),
          label: labelOf(figure, p),
          panel: p,
          down: figure.down,
          unit: figure.unit || figure.value,
          reach: figure.kind === "bars" ? reach : range([
            ...flat([p]).flatMap((c) => [c[0], c[4]]),
            ...figure.theirs.filter((m) => m.panel === k).flatMap((m) => [m.low, m.high]),
          ]),
          text: (i, j, c) =>
            `${figure.down} ${p.rows[i]}, ${p.columns[j]}: ` +
            (figure.kind === "bars"
              ? `${withUnit(c[5], figure.unit)}${c[0] === c[4] ? "" : `, from ${number(c[0])} to ${number(c[4])}`}`
              : spreadText(figure, c)),
          width,
        }),
      ),
    ),
  ];
}

// --- the numbers behind it -----------------------------------------------------------------------------------------

interface Line {
  panel: string;
  row: string;
  cells: (number | null)[];
}

// Panels with the same columns are one table.
function tables(figure: PaperFigure): HTMLElement[] {
  if (figure.kind === "whiskers") return [whiskerTable(figure)];
  const all = figure.panels as FigurePanel<number | Spread>[];
  return distinct(all.map((p) => p.columns.join("\n"))).map((columns) => {
    const lines = all
      .filter((p) => p.columns.join("\n") === columns)
      .flatMap((p) =>
        p.rows.map((row, i): Line => ({
          panel: p.title,
          row,
          cells: p.cells[i]!.map((c) => (Array.isArray(c) ? c[5] : c)),
        })),
      );
    const show = figure.kind === "gains" ? gainText : number;
    const names = columns.split("\n");
    const first: Column<Line>[] = all.length > 1 ? [{ title: "", isText: true, sort: (l) => l.panel }] : [];
    return sortable(
      `${figure.title}${figure.kind === "gains" ? ", in %" : figure.unit ? ", " + figure.unit : ""}; ${figure.down} by ${figure.across}`,
      [
        ...first,
        { title: figure.down, isText: true, sort: (l) => l.row },
        ...names.map((title, j): Column<Line> => ({
          title,
          sort: (l) => l.cells[j] ?? "",
          show: (l) => (l.cells[j] === null ? "" : show(l.cells[j]!)),
        })),
      ],
      lines,
      40,
      lines.length > 40,
    );
  });
}

function whiskerTable(figure: SpreadFigure): HTMLElement {
  const lines = figure.panels.flatMap((p) =>
    p.rows.flatMap((row, i) =>
      p.columns.flatMap((column, j) => {
        const c = p.cells[i]![j];
        return c ? [{ panel: p.title, row, column, c }] : [];
      }),
    ),
  );
  type Spreading = (typeof lines)[number];
  const first: Column<Spreading>[] =
    figure.panels.length > 1 ? [{ title: "", isText: true, sort: (l) => l.panel }] : [];
  return sortable(
    `${figure.title}${figure.unit ? ", " + figure.unit : ""}`,
    [
      ...first,
      { title: figure.down, sort: (l) => Number(l.row) || l.row },
      { title: figure.across, isText: true, sort: (l) => l.column },
      ...["least", "lower quartile", "median", "upper quartile", "most"].map((title, k): Column<Spreading> => ({
        title,
        sort: (l) => l.c[k]!,
        show: (l) => number(l.c[k]),
      })),
    ],
    lines,
    40,
    lines.length > 40,
  );
}

function lines(figure: PaperFigure): string {
  const isSpread = figure.kind === "whiskers" || figure.kind === "bars";
  const values = isSpread
    ? ["least", "lower_quartile", "median", "upper_quartile", "most", "mean"]
    : [figure.value || "value"];
  const all = figure.panels as FigurePanel<number | Spread>[];
  return csv([
    ["panel", figure.down, figure.across, ...values],
    ...all.flatMap((p) =>
      p.cells.flatMap((line, i) =>
        line.flatMap((c, j) =>
          c === null ? [] : [[p.title, p.rows[i]!, p.columns[j]!, ...(Array.isArray(c) ? c : [c])]],
        ),
      ),
    ),
  ]);
}

// Built when it is opened: a heat map has thousands of numbers. Those of bars, few, are on paper too.
function numbers(figure: PaperFigure, paper: string): HTMLElement {
  const details = h("details", { class: "numbers" }, h("summary", {}, "The numbers"));
  const file = `${paper}-${figure.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40)}.csv`;
  const fill = (): void => {
    if (details.childElementCount > 1) return;
    details.append(...tables(figure), h("p", {}, downloadButton("Download as CSV", file, () => lines(figure))));
  };
  details.addEventListener("toggle", fill);
  if (figure.kind !== "bars") return details;
  addEventListener("beforeprint", fill);
  return unfoldForPrint(details);
}

export function paperFigure(figure: PaperFigure, about: HTMLElement | null, paper: string): HTMLElement {
  const [key, panels] =
    figure.kind === "heat"
      ? heatPanels(figure)
      : figure.kind === "gains"
        ? gainPanels(figure)
        : spreadPanels(figure);
  const isSmall = figure.kind === "heat" && figure.panels.length % 3 === 0;
  return h(
    "figure",
    { class: "asthepaper", "data-kind": figure.kind, "data-title": figure.title },
    h("h3", {}, figure.title),
    figure.note ? h("p", { class: "note" }, figure.note) : null,
    key,
    h("div", { class: `panels${isSmall ? " thirds" : ""}` }, ...panels),
    figure.theirs.length > 0 ? h("p", { class: "note" }, "Grey bars: what the paper's text gives.") : null,
    about,
    numbers(figure, paper),
  );
}
