// The page of a paper: theirs beside ours.
import { curves, Series } from "../charts/curve";
import { h, responsive, unfoldForPrint } from "../base/dom";
import { csv, downloadButton } from "../base/download";
import { counted, number, percent } from "../base/format";
import { isNumeric, PaperData, PaperTable, Statement, StatementKind, Verdict } from "./model";
import { header } from "./page";
import { again, section } from "./sections";
import { sortable } from "../base/table";
import { distances } from "./distance";
import { claims, kindWords, oursText, paperFigure, verdictClass, verdictWords } from "./paper_figures";

// Predictions first: they are what a reproduction is worth.
const kindOrder: StatementKind[] = ["prediction", "ordering", "fit", "identity", "erratum"];
const plural: Record<StatementKind, string> = {
  prediction: "predictions",
  ordering: "orderings",
  fit: "fit targets",
  identity: "identities",
  erratum: "errata",
};
const meaning: Record<StatementKind, string> = {
  prediction: "numbers that nothing was fitted to",
  ordering: "what is not a number: which is larger, what grows",
  fit: "a parameter of ours was fitted to them",
  identity: "they follow from what we put in, or from another statement",
  erratum: "the paper contradicts itself there",
};

export function paperAnswer(paper: PaperData): string {
  const of = (kind: StatementKind): string => {
    const count = paper.summary[kind];
    const all = count.within + count.ordering + count.not_reproduced + count.undecided;
    return all === 0 ? "" : `${count.within + count.ordering} of ${all} ${plural[kind]}`;
  };
  const open = paper.statements.filter((x) => x.verdict === "undecided").length;
  return (
    `Reproduced: ${kindOrder.map(of).filter(Boolean).join(", ")}. ` +
    (open > 0
      ? `${open} ${open === 1 ? "is" : "are"} undecided: intervals reach over the edge, or two measurements disagree. `
      : "") +
    "Statements and tolerances were fixed before the first run." +
    (paper.quick ? " This was the quick run: fewer samples, shorter simulations." : "")
  );
}

function counts(paper: PaperData): HTMLElement {
  const verdicts: Verdict[] = ["within", "ordering", "undecided", "not_reproduced"];
  const kinds = kindOrder.filter((kind) => verdicts.some((v) => paper.summary[kind][v] > 0));
  return sortable(
    "By kind and verdict",
    [
      { title: "kind", isText: true, sort: (k) => plural[k], show: (k) => [plural[k], h("small", {}, ` ${meaning[k]}`)] },
      ...verdicts.map((v) => ({
        title: verdictWords[v],
        sort: (k: StatementKind) => paper.summary[k][v],
        show: (k: StatementKind) => String(paper.summary[k][v]),
      })),
    ],
    kinds,
  );
}

function statements(paper: PaperData): HTMLElement {
  return sortable(
    "Theirs beside ours",
    [
      {
        title: "statement",
        isText: true,
        sort: (x) => x.claim,
        show: (x) => (x.found ? [x.claim, h("div", { class: "found" }, `ours: ${x.found}`)] : x.claim),
      },
      { title: "kind", isText: true, sort: (x) => kindWords[x.kind] },
      { title: "where", isText: true, sort: (x) => x.where },
      {
        title: "theirs",
        sort: (x) => x.theirs ?? "",
        show: (x) => (x.theirs === null ? "" : number(x.theirs) + x.unit),
      },
      { title: "ours", sort: (x) => x.ours ?? "", show: (x) => oursText(x) },
      {
        title: "off by",
        hint: "ours relative to theirs, and what was allowed",
        sort: (x) => (x.theirs && x.ours !== null ? x.ours / x.theirs - 1 : ""),
        show: (x) =>
          x.theirs && x.ours !== null
            ? [
                percent(x.ours / x.theirs - 1, true),
                h("small", {}, x.tolerance === 0 ? " must be exact" : ` of \u00b1${percent(x.tolerance)}`),
              ]
            : "",
      },
      {
        title: "verdict",
        isText: true,
        sort: (x) => verdictWords[x.verdict],
        show: (x) => h("span", { class: verdictClass(x.verdict) }, verdictWords[x.verdict]),
      },
    ],
    paper.statements,
  );
}

function unreproduced(paper: PaperData): HTMLElement | null {
  const all = paper.statements.filter((x) => x.verdict === "not_reproduced");
  if (all.length === 0) return null;
  return section(
    "missing",
    "Not reproduced, and why: tested, known, or a guess",
    h(
      "dl",
      { class: "why" },
      ...all.flatMap((x) => [
        h(
          "dt",
          {},
          x.claim,
          h(
            "small",
            {},
            ` ${x.where}${x.theirs !== null && x.ours !== null ? `: theirs ${number(x.theirs)}${x.unit}, ours ${number(x.ours)}${x.unit}` : ""}`,
          ),
        ),
        h("dd", {}, [x.found && `Ours: ${x.found}.`, x.why || "No reason known."].filter(Boolean).join(" ")),
      ]),
    ),
  );
}

const given = (table: PaperTable, j: number): string[] => table.rows.map((r) => r[j] ?? "").filter((v) => v !== "");

// A table whose first column rises and whose others are numbers is a figure, too; a cell may be empty, a line not.
export function isCurve(table: PaperTable): boolean {
  const first = table.rows.map((r) => r[0] ?? "");
  return (
    table.rows.length > 2 &&
    isNumeric(first) &&
    first.every((v, i) => i === 0 || Number(v) > Number(first[i - 1])) &&
    table.columns.slice(1).every((_, j) => isNumeric(given(table, j + 1)))
  );
}

const isLoad = (table: PaperTable): boolean => table.columns[0] === "load";

function curve(table: PaperTable): HTMLElement {
  const series: Series[] = table.columns.slice(1).map((name, j) => ({
    name,
    color: j,
    points: table.rows
      .filter((r) => r[j + 1] !== "")
      .map((r) => {
        const [x, y] = [Number(r[0]), Number(r[j + 1])];
        return { x, y, lo: y, hi: y, text: `${name}, ${table.columns[0]} ${r[0]}: ${r[j + 1]}` };
      }),
  }));
  const theirs = table.theirs.map((t) => ({
    x: t.x,
    xEnd: t.x_end,
    low: t.low,
    high: t.high,
    color: t.column ? table.columns.indexOf(t.column) - 1 : -1,
    text: t.text,
  }));
  const xs = table.rows.filter((r) => r.slice(1).some((v) => v !== "")).map((r) => Number(r[0])),
    ys = [...series.flatMap((l) => l.points.map((p) => p.y)), ...theirs.flatMap((t) => [t.low, t.high])];
  const logX = !isLoad(table) && xs[0]! > 0 && xs.every((x, i) => i === 0 || x >= 1.5 * xs[i - 1]!);
  return h(
    "div",
    { "data-panel": table.title },
    responsive((width) =>
      curves(series, {
        label: table.title,
        x: table.columns[0]!,
        y: "",
        xs: [logX ? xs[0]! : Math.min(0, xs[0]!), xs[xs.length - 1]!],
        ys: [isLoad(table) && table.is_throughput ? 0 : Math.min(...ys), Math.max(...ys)],
        theirs,
        ...(table.is_throughput ? { ideal: 100 } : {}),
        width,
        height: 250,
        logX,
      }),
    ),
  );
}

function shown(table: PaperTable, all: Statement[]): HTMLElement {
  const about = claims(all.filter((x) => table.statements.includes(x.id)));
  const isText = table.columns.map(
    (_, j) => !isNumeric(table.rows.map((r) => r[j] ?? "").filter((v) => v !== "" && v !== "-")),
  );
  const columns = table.columns.map((title, j) => ({
    title,
    isText: isText[j]!,
    sort: (r: string[]) => (isText[j] ? (r[j] ?? "") : r[j] === "" || r[j] === "-" ? "" : Number(r[j])),
    show: (r: string[]) => (r[j] ?? "").replace(/^-(?=\d)/, "\u2212"),
  }));
  const numbers = sortable(table.title, columns, table.rows, 60);
  if (!isCurve(table)) return h("div", { class: "shown" }, numbers, about);
  const details = unfoldForPrint(h("details", {}, h("summary", {}, "The numbers"), numbers));
  return h("figure", { class: "shown panel" }, h("figcaption", {}, table.title), curve(table), about, details);
}

// Figures side by side, tables below each other, in their order.
function shownTogether(tables: PaperTable[], all: Statement[]): HTMLElement[] {
  const out: HTMLElement[] = [];
  for (const table of tables) {
    const last = out[out.length - 1];
    if (!isCurve(table)) out.push(shown(table, all));
    else if (last?.classList.contains("panels")) last.append(shown(table, all));
    else out.push(h("div", { class: "panels" }, shown(table, all)));
  }
  return out;
}

function figures(paper: PaperData): HTMLElement[] {
  return paper.figures.map((figure) => {
    const about = paper.statements.filter((x) => figure.statements.includes(x.id));
    return paperFigure(figure, claims(about), paper.paper);
  });
}

export function paperPage(paper: PaperData): HTMLElement[] {
  const lines = (): string =>
    csv([
      ["id", "kind", "where", "claim", "theirs", "ours", "unit", "tolerance", "verdict", "why", "found"],
      ...paper.statements.map((x) => [
        x.id,
        x.kind,
        x.where,
        x.claim,
        x.theirs,
        x.ours,
        x.unit,
        x.tolerance,
        x.verdict,
        x.why,
        x.found,
      ]),
    ]);
  const numbers = paper.statements.filter((x) => x.theirs !== null && x.ours !== null && x.theirs !== 0);
  const sections = [
    section(
      "answer",
      "The answer",
      h("p", { class: "answer" }, paperAnswer(paper)),
      counts(paper),
      statements(paper),
      h("p", {}, downloadButton("Download as CSV", `${paper.paper}.csv`, lines)),
    ),
    numbers.length > 1 ? section("distances", "How far ours are from theirs", distances(numbers)) : null,
    unreproduced(paper),
    section("figures", "As the paper shows it", ...figures(paper)),
    section("tables", paper.figures.length > 0 ? "Tables and curves" : "Tables and figures", ...shownTogether(paper.tables, paper.statements)),
    section(
      "assumed",
      "What was assumed",
      h("ul", { class: "assumed" }, ...paper.assumptions.map((a) => h("li", {}, a))),
    ),
    again(paper.command, paper.version, [
      `seed ${paper.seed}`,
      `statements and tolerances from papers/${paper.paper}/statements.csv`,
    ]),
  ].filter((x): x is HTMLElement => x !== null);
  const facts = [
    counted(paper.statements.length, "statement"),
    paper.quick ? "quick run" : "full run",
    `seed ${paper.seed}`,
    `Banyan ${paper.version}`,
  ];
  return [
    header("Paper, reproduced", paper.title, facts, sections),
    ...sections,
    h("footer", {}, "Made by Banyan; this file needs nothing else."),
  ];
}
