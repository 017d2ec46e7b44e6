// Heat maps of points by two things that were varied, and gain matrices.
import { h } from "../base/dom";
import { capital, figure, interval, numericAxes, panel, panelsOf, range } from "./figures";
import { number, percent, withUnit } from "../base/format";
import { colorClass, gainClass, gainLegend, heatmap, HeatCell, legend } from "../charts/heatmap";
import { metric } from "./metrics";
import { distinct } from "../base/lists";
import { factor, factorText, Measure, StudyData, Value, values, varying } from "./model";

// --- heat maps ---------------------------------------------------------------------------------------------

export function heatFigure(study: StudyData, measure: Measure, name: string): HTMLElement | null {
  const all = values(study.points, measure.name, name);
  const curved = numericAxes(all)[0];
  const names = varying(all.map((v) => v.point)).filter((f) => f !== curved && f !== "fabric");
  const size = (f: string): number => distinct(all.map((v) => factor(v.point, f))).length;
  const [rows, columns] = names.sort((a, b) => size(b) - size(a));
  if (
    !rows ||
    !columns ||
    curved ||
    size(columns) < 2 ||
    size(rows) * size(columns) < 6 ||
    (columns === "without" && size(columns) < 3)
  )
    return null;
  const reach = range(all.map((v) => v.value));
  const panels = panelsOf(all, [rows, columns]).map(({ title, values: members }) => {
    const at = (f: string): string[] => distinct(members.map((v) => factor(v.point, f)));
    const [rs, cs] = [at(rows), at(columns)];
    const cells = rs.map((r) =>
      cs.map((c): HeatCell => {
        const v = members.find((m) => factor(m.point, rows) === r && factor(m.point, columns) === c);
        return {
          value: v?.value ?? null,
          shown: number(v?.value),
          text: `${factorText(rows, r)}, ${factorText(columns, c)}: ${v ? withUnit(v.value, v.unit) + interval(v) : "not measured"}`,
        };
      }),
    );
    return panel(title, "", (width) =>
      heatmap({
        label: `${metric(name).name} by ${rows} and ${columns}${title ? ", " + title : ""}`,
        rows: rs.map((r) => factorText(rows, r)),
        columns: cs.map((c) => factorText(columns, c)),
        cells,
        color: (v) => colorClass(v, reach),
        width,
      }),
    );
  });
  const title = `${capital(metric(name).name)} by ${rows === "engine" ? "routing" : rows} and ${columns === "without" ? "state" : columns}`;
  return figure(
    title,
    h("div", { class: "panels wide", "data-figure": `heat ${name}` }, ...panels),
    legend(all[0]!.unit, reach),
  );
}

// --- gains -------------------------------------------------------------------------------------------------

// By how much one is better than another, as a geometric mean over all that was measured for both.
export function gain(better: "less" | "more", rows: Value[], columns: Value[]): number | null {
  const logs = rows.flatMap((v) => {
    const o = columns.find((c) =>
      ["fabric", "without", "traffic", "placement", "ranks", "options"].every(
        (f) => c.point[f as "fabric"] === v.point[f as "fabric"],
      ),
    );
    return o && o.value > 0 && v.value > 0
      ? [Math.log(better === "more" ? v.value / o.value : o.value / v.value)]
      : [];
  });
  return logs.length === 0 ? null : Math.exp(logs.reduce((sum, l) => sum + l, 0) / logs.length) - 1;
}

export function gainFigure(study: StudyData, measure: Measure, name: string): HTMLElement | null {
  const { better, name: title } = metric(name);
  const all = values(study.points, measure.name, name);
  if (better === "neither") return null;
  const fabrics = distinct(all.map((v) => v.point.fabric))
    .map((fabric) => {
      const members = all.filter((v) => v.point.fabric === fabric);
      const engines = distinct(members.map((v) => v.point.engine)).filter(Boolean);
      const of = (engine: string): Value[] => members.filter((v) => v.point.engine === engine);
      const gains = engines.map((r) => engines.map((c) => (r === c ? null : gain(better, of(r), of(c)))));
      return { fabric, engines, gains };
    })
    .filter((f) => f.engines.length > 2);
  if (fabrics.length === 0) return null;
  const panels = fabrics.map(({ fabric, engines, gains }) => {
    const cells = gains.map((line, i) =>
      line.map((g, j): HeatCell => ({
        value: g,
        shown: g === null ? "" : percent(g, true),
        text:
          g === null || g === undefined
            ? engines[i]!
            : `${engines[i]} is ${percent(Math.abs(g))} ${g >= 0 ? "better" : "worse"} than ${engines[j]}`,
      })),
    );
    return panel(fabric, "", (width) =>
      heatmap({
        label: `Gain in ${title} on ${fabric}`,
        rows: engines,
        columns: engines,
        cells,
        color: gainClass,
        width,
      }),
    );
  });
  const contexts = better === "less" ? "less is better" : "more is better";
  return figure(
    `Gain in ${title} (${contexts}) of the routing at the left over the one above, mean over all that was measured for both`,
    h("div", { class: "panels wide", "data-figure": `gain ${name}` }, ...panels),
    gainLegend(),
  );
}
