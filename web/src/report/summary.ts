// The answer as a table: a line for each fabric, state, routing and traffic, with the headline of every measure.
import { aligned, short } from "../base/format";
import { best } from "./answer";
import { metric } from "./metrics";
import { distinct } from "../base/lists";
import { factor, factors, factorText, StudyData, Value, values } from "./model";
import { Column, sortable } from "../base/table";

interface Line {
  factors: string[];
  cells: Map<string, Value>;
}
interface Head {
  key: string;
  title: string;
  measure: string;
  metric: string;
}

const lineFactors = factors.filter((f) => f !== "ranks");

function holdsFor(general: string[], line: string[]): boolean {
  return general.every((v, i) => v === "" || v === line[i]);
}

export function summaryLines(study: StudyData): { lines: Line[]; heads: Head[] } {
  const heads: Head[] = [],
    found: { factors: string[]; key: string; value: Value }[] = [];
  const last = study.measures.filter((m) => m.name === "cost"); // it matters less how often it is told
  for (const measure of [...study.measures.filter((m) => m.name !== "cost"), ...last]) {
    if (!measure.headline) continue;
    const all = values(study.points, measure.name, measure.headline);
    for (const value of all) {
      const varied = Object.entries(value.point.varied ?? {})
        .map(([k, v]) => ` ${k} ${v}`)
        .join("");
      const title =
        (measure.headline === "yes" ? "verdict" : measure.headline.replace(/_/g, " ")) +
        varied +
        (value.point.ranks ? ` ${value.point.ranks} ranks` : "");
      const key = measure.name + title;
      if (!heads.some((c) => c.key === key))
        heads.push({ key, title, measure: measure.name, metric: measure.headline });
      found.push({ factors: lineFactors.map((f) => factor(value.point, f)), key, value });
    }
  }
  const texts = distinct(found.map((f) => JSON.stringify(f.factors))).map((t) => JSON.parse(t) as string[]);
  const whole = texts.filter((t) => !texts.some((o) => o !== t && holdsFor(t, o))); // others are part of these
  const lines = whole.map((t) => ({
    factors: t,
    cells: new Map(found.filter((f) => holdsFor(f.factors, t)).map((f) => [f.key, f.value])),
  }));
  return { lines, heads };
}

export function summary(study: StudyData): HTMLElement {
  const { lines, heads } = summaryLines(study);
  const columns: Column<Line>[] = [];
  lineFactors.forEach((name, i) => {
    const several = distinct(lines.map((l) => l.factors[i])).length > 1;
    if (!several && name !== "fabric") return;
    const title = name === "without" ? "state" : name === "engine" ? "routing" : name;
    columns.push({ title, isText: true, sort: (l) => factorText(name, l.factors[i]!) });
  });
  for (const head of heads) {
    const { better, name } = metric(head.metric);
    const all = lines.flatMap((l) => l.cells.get(head.key) ?? []);
    const top =
      better === "neither" || all.length < 2 || head.metric === "yes" || head.metric === "money"
        ? []
        : best(better, all);
    const format = aligned(all.map((v) => v.value));
    columns.push({
      title: head.title,
      hint: name,
      sort: (l) => l.cells.get(head.key)?.value ?? "",
      show: (l) => shown(head.metric, l.cells.get(head.key), format),
      isBest: (l) => {
        const v = l.cells.get(head.key);
        return v !== undefined && top.includes(v);
      },
    });
  }
  return sortable(
    "The headline of every measure; bold: the best of its column, and what its interval cannot tell from it",
    columns,
    lines,
    60,
  );
}

function shown(name: string, v: Value | undefined, format: (v: number) => string): string {
  if (!v) return "";
  if (name === "yes") return v.value === 1 ? "yes" : v.value === 0 ? "NO" : "both";
  return name === "money" ? short(v.value) : format(v.value);
}
