// The parts of a study's page that are words and tables.
import { answer } from "./answer";
import { h, unfoldForPrint } from "../base/dom";
import { downloadButton, rowsCsv } from "../base/download";
import { counted, number } from "../base/format";
import { distinct } from "../base/lists";
import { fourNumbers, headline, lossFigure, priceFigure } from "./headline";
import { factorText, Point, StudyData, valueOf } from "./model";
import { summary } from "./summary";
import { Column, sortable } from "../base/table";

export function section(id: string, title: string, ...children: (Node | null)[]): HTMLElement | null {
  const content = children.filter((c): c is Node => c !== null);
  return content.length === 0
    ? null
    : h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...content);
}

function definition(term: string, items: (Node | string)[]): Node[] {
  return items.length === 0
    ? []
    : [h("dt", {}, term), h("dd", {}, h("ul", {}, ...items.map((i) => h("li", {}, i))))];
}

function fabricText(study: StudyData, name: string, notation: string): Node {
  const size = study.points.find(
    (p) => p.measure === "describe" && p.fabric === name && (p.without === "intact" || p.without === ""),
  );
  const drawn = study.drawings?.find((d) => d.pictures[0]!.fabric === name);
  const hosts = size ? valueOf(size, "hosts") : (drawn?.map.whole.hosts ?? null);
  const switches = size ? valueOf(size, "switches") : (drawn?.map.whole.switches ?? null);
  return h(
    "span",
    {},
    name,
    name === notation ? null : h("code", {}, ` ${notation}`),
    hosts === null || switches === null
      ? null
      : h("small", {}, ` ${counted(hosts, "host")}, ${counted(switches, "switch", "switches")}`),
  );
}

export function asked(study: StudyData): HTMLElement | null {
  const of = (name: "without" | "engine" | "traffic" | "placement"): string[] =>
    distinct(study.points.map((p) => p[name]).filter(Boolean));
  const ranks = distinct(study.points.filter((p) => p.ranks > 0).map((p) => p.ranks));
  const options = distinct(
    study.points.map((p) => (p.options ? `${p.measure}: ${p.options}` : "")).filter(Boolean),
  );
  const fixed = study.measures.map((m) => h("span", {}, h("b", {}, m.name), ` ${m.summary}`));
  const varied = [...new Set(options.map((o) => o.split(":")[0]!))]
    .map((m) => variedText(study, m))
    .filter(Boolean);
  return section(
    "asked",
    "What was asked",
    h(
      "dl",
      { class: "asked" },
      ...definition(
        "Fabrics",
        study.fabrics.map((f) => fabricText(study, f.name, f.notation)),
      ),
      ...definition(
        "States",
        of("without").map((w) => factorText("without", w)),
      ),
      ...definition(
        "Routings",
        study.fabrics
          .map((f) => {
            const engines = distinct(
              study.points.filter((p) => p.fabric === f.name && p.engine).map((p) => p.engine),
            );
            return engines.length
              ? study.fabrics.length > 1
                ? `${engines.join(", ")} on ${f.name}`
                : engines.join(", ")
              : "";
          })
          .filter(Boolean),
      ),
      ...definition("Traffic", of("traffic")),
      ...definition(
        "Placement",
        of("placement").length > 1 || (of("placement")[0] ?? "linear") !== "linear" ? of("placement") : [],
      ),
      ...definition("Ranks", ranks.map(String)),
      ...definition("Measures", fixed),
      ...definition("Varied", varied),
    ),
  );
}

function variedText(study: StudyData, measure: string): string {
  const points = study.points.filter((p) => p.measure === measure);
  const keys = distinct(points.flatMap((p) => Object.keys(p.varied ?? {})));
  return keys
    .map((k) => `${measure} ${k}: ${distinct(points.map((p) => p.varied?.[k] ?? "")).join(", ")}`)
    .join("; ");
}

// In a sentence and a few numbers where it was simulated; then, or otherwise, in detail.
export function answered(study: StudyData): (HTMLElement | null)[] {
  const first = headline(study);
  const detail = [h("p", { class: "answer" }, answer(study)), study.points.length ? summary(study) : null];
  if (!first) return [section("answer", "The answer", ...detail)];
  return [
    section("answer", "The answer", h("p", { class: "headline" }, first), fourNumbers(study), priceFigure(study), lossFigure(study)),
    section("detail", "In detail", ...detail),
  ];
}

// --- rows, and how to get them again -----------------------------------------------------------------------

interface FlatRow {
  p: Point;
  metric: string;
  value: number | null;
  unit: string;
  half: number | null;
}

export function rows(study: StudyData): HTMLElement | null {
  const all: FlatRow[] = study.points.flatMap((p) =>
    p.rows.map(([name, value, unit, half]) => ({ p, metric: name, value, unit, half })),
  );
  const text = (title: string, f: (r: FlatRow) => string): Column<FlatRow> => ({ title, isText: true, sort: f });
  const columns: Column<FlatRow>[] = [
    text("measure", (r) => r.p.measure),
    text("fabric", (r) => r.p.fabric),
    text("state", (r) => r.p.without),
    text("routing", (r) => r.p.engine),
    text("traffic", (r) => r.p.traffic),
    text("placement", (r) => r.p.placement),
    text("options", (r) => r.p.options),
    text("metric", (r) => r.metric),
    { title: "value", sort: (r) => r.value ?? "", show: (r) => number(r.value) },
    text("unit", (r) => r.unit),
    {
      title: "\u00b1",
      hint: "half-width of the confidence interval",
      sort: (r) => r.half ?? "",
      show: (r) => number(r.half),
    },
    { title: "seed", sort: (r) => r.p.seed },
  ];
  const used = columns.filter((c) => all.some((r) => c.sort(r) !== ""));
  return section(
    "rows",
    "All rows",
    h(
      "p",
      {},
      `${counted(study.points.length, "point")}, ${counted(all.length, "row")}. `,
      downloadButton("Download as CSV", "rows.csv", () => rowsCsv(study)),
    ),
    sortable("A row for each point and metric", used, all, 15, true),
  );
}

export function again(
  command: string,
  version: string,
  facts: string[],
  file?: { name: string; text: string },
): HTMLElement | null {
  return section(
    "again",
    "How to run it again",
    h(
      "p",
      {},
      "Banyan ",
      version,
      "; ",
      facts.join("; "),
      ". The same seed gives the same bits, on any number of threads.",
    ),
    h("pre", { class: "command", tabindex: 0 }, command),
    file
      ? unfoldForPrint(
          h("details", { class: "file" }, h("summary", {}, file.name), h("pre", { tabindex: 0 }, file.text)),
        )
      : null,
  );
}
