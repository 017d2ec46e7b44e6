// The page of a paper: theirs beside ours.
import { curves, Series } from "../charts/curve";
import { h, responsive, unfoldForPrint } from "../base/dom";
import { csv, downloadButton } from "../base/download";
import { counted, listed, number, percent } from "../base/format";
import { isNumeric, PaperData, PaperTable, Statement } from "./model";
import { header } from "./page";
import { again, section } from "./sections";
import { sortable } from "../base/table";
import { distances } from "./distance";
import { claims, paperFigure, verdictWords } from "./paper_figures";

export function paperAnswer(paper: PaperData): string {
  const count = (v: Statement["verdict"]): number => paper.statements.filter((x) => x.verdict === v).length;
  const good = count("within") + count("ordering"),
    bad = count("not_reproduced");
  const failed = paper.statements.filter((x) => x.verdict === "not_reproduced").map((x) => x.where);
  return (
    `${good} of ${counted(paper.statements.length, "statement")} come out: ${count("within")} numbers are ours too, within the tolerance that was fixed before the first run, ` +
    `and ${count("ordering")} orderings or exact statements hold. ` +
    (bad === 0
      ? "Everything was reproduced."
      : `${bad} ${bad === 1 ? "is" : "are"} not reproduced (${listed([...new Set(failed)].slice(0, 6))}${new Set(failed).size > 6 ? " \u2026" : ""}); below is why we think so.`) +
    (paper.quick ? " This was the quick run: fewer samples, shorter simulations." : "")
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
      { title: "where", isText: true, sort: (x) => x.where },
      {
        title: "theirs",
        sort: (x) => x.theirs ?? "",
        show: (x) => (x.theirs === null ? "" : number(x.theirs) + x.unit),
      },
      { title: "ours", sort: (x) => x.ours ?? "", show: (x) => (x.ours === null ? "" : number(x.ours) + x.unit) },
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
        show: (x) => h("span", { class: x.verdict === "not_reproduced" ? "no" : "yes" }, verdictWords[x.verdict]),
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
    "Not reproduced, and why we think so",
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
  const xs = table.rows.filter((r) => r.slice(1).some((v) => v !== "")).map((r) => Number(r[0])),
    ys = series.flatMap((l) => l.points.map((p) => p.y));
  const logX = xs[0]! > 0 && xs.every((x, i) => i === 0 || x >= 1.5 * xs[i - 1]!);
  return h(
    "div",
    { "data-panel": table.title },
    responsive((width) =>
      curves(series, {
        label: table.title,
        x: table.columns[0]!,
        y: "",
        xs: [logX ? xs[0]! : Math.min(0, xs[0]!), xs[xs.length - 1]!],
        ys: [Math.min(...ys), Math.max(...ys)],
        width,
        height: 250,
        logX,
      }),
    ),
  );
}

function shown(table: PaperTable): HTMLElement {
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
  if (!isCurve(table)) return h("div", { class: "shown" }, numbers);
  const details = unfoldForPrint(h("details", {}, h("summary", {}, "The numbers"), numbers));
  return h("figure", { class: "shown panel" }, h("figcaption", {}, table.title), curve(table), details);
}

// Figures side by side, tables below each other, in their order.
function shownTogether(tables: PaperTable[]): HTMLElement[] {
  const out: HTMLElement[] = [];
  for (const table of tables) {
    const last = out[out.length - 1];
    if (!isCurve(table)) out.push(shown(table));
    else if (last?.classList.contains("panels")) last.append(shown(table));
    else out.push(h("div", { class: "panels" }, shown(table)));
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
      ["id", "where", "claim", "theirs", "ours", "unit", "tolerance", "verdict", "why", "found"],
      ...paper.statements.map((x) => [
        x.id,
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
      statements(paper),
      h("p", {}, downloadButton("Download as CSV", `${paper.paper}.csv`, lines)),
    ),
    numbers.length > 1 ? section("distances", "How far ours are from theirs", distances(numbers)) : null,
    unreproduced(paper),
    section("figures", "As the paper shows it", ...figures(paper)),
    section("tables", paper.figures.length > 0 ? "Tables and curves" : "Tables and figures", ...shownTogether(paper.tables)),
    section(
      "assumed",
      "What was assumed",
      h("ul", { class: "assumed" }, ...paper.assumptions.map((a) => h("li", {}, a))),
    ),
    again(paper.command, paper.version, [
      `seed ${paper.seed}`,
      `statements and tolerances from papers/${paper.paper}.csv`,
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
