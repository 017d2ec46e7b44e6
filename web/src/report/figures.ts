// Figures of a study, chosen by what it varied: curves and whiskers.
import { curves, CurvePoint, Series } from "../charts/curve";
import { h, responsive } from "../base/dom";
import { number, withUnit } from "../base/format";
import { compared, metric } from "./metrics";
import { distinct } from "../base/lists";
import { endsInWarmUp, factor, factorText, isNumeric, isSaturated, Measure, StudyData, Value, valueOf, values, varying } from "./model";
import { Dot, whiskers } from "../charts/whisker";

export const range = (all: number[]): [number, number] => [Math.min(...all), Math.max(...all)];

// Engines keep their colours throughout the page.
export function colorOf(study: StudyData, engine: string): number {
  return distinct(study.points.map((p) => p.engine).filter(Boolean)).indexOf(engine);
}

export function figure(caption: string, panels: HTMLElement, below: HTMLElement | null = null): HTMLElement {
  return h("figure", {}, h("figcaption", {}, caption), below, panels);
}

export function panel(title: string, note: string, draw: (width: number) => HTMLElement): HTMLElement {
  const head = title ? h("h4", {}, title, note ? h("small", {}, ` ${note}`) : null) : null;
  return h("div", { class: "panel", "data-panel": title }, head, responsive(draw));
}

// What differs between panels, of the points shown in one.
export function panelsOf(all: Value[], inside: string[]): { title: string; values: Value[] }[] {
  const names = varying(all.map((v) => v.point)).filter((name) => !inside.includes(name));
  const groups = new Map<string, Value[]>();
  for (const v of all) {
    const title = names
      .map((name) => factorText(name, factor(v.point, name)))
      .filter(Boolean)
      .join(", ");
    groups.set(title, [...(groups.get(title) ?? []), v]);
  }
  return [...groups].map(([title, members]) => ({ title, values: members }));
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function interval(v: Value): string {
  if (v.seeds > 1) return ` (${number(v.lo)} to ${number(v.hi)} over ${v.seeds} seeds)`;
  return v.isCertain || v.hi === v.lo ? "" : ` \u00b1 ${number((v.hi - v.lo) / 2)}`;
}

// --- curves ------------------------------------------------------------------------------------------------

export function numericAxes(all: Value[]): string[] {
  return varying(all.map((v) => v.point)).filter(
    (name) =>
      !["fabric", "without", "engine", "traffic", "placement"].includes(name) &&
      isNumeric(distinct(all.map((v) => factor(v.point, name)))),
  );
}

export function curveFigures(study: StudyData, measure: Measure): HTMLElement[] {
  const out: HTMLElement[] = [];
  for (const name of compared(measure.name, measure.headline)) {
    const found = values(study.points, measure.name, name);
    const axis = numericAxes(found)[0];
    if (!axis) continue;
    // Past saturation a latency grows as long as one simulates: it is left out.
    const all = name.includes("latency") ? found.filter((v) => !isSaturated(v)) : found;
    if (all.length === 0) continue;
    const engines = distinct(all.map((v) => v.point.engine));
    const series = engines.length > 1 ? "engine" : "fabric";
    const xs = range(all.map((v) => Number(factor(v.point, axis))));
    const ys = range(all.flatMap((v) => [v.lo, v.hi, v.value]).filter((v) => v > 0 || name !== "packet_latency"));
    const unit = all[0]!.unit;
    const isIdeal = axis === "load" && name === "accepted";  // what is offered, where nothing is lost
    const panels = panelsOf(all, [axis, series]).map(({ title, values: members }) => {
      const lines: Series[] = distinct(members.map((v) => factor(v.point, series))).map((key) => ({
        name: key,
        color: series === "engine" ? colorOf(study, key) : distinct(all.map((v) => v.point.fabric)).indexOf(key),
        points: members
          .filter((v) => factor(v.point, series) === key)
          .map((v): CurvePoint => ({
            x: Number(factor(v.point, axis)),
            y: v.value,
            lo: v.lo,
            hi: v.hi,
            hollow: isSaturated(v),
            text: `${key}, ${axis} ${factor(v.point, axis)}: ${withUnit(v.value, unit)}${interval(v)}${isSaturated(v) ? "; saturated" : ""}${endsInWarmUp(v) ? "; in warm-up" : ""}`,
          }))
          .sort((a, b) => a.x - b.x),
      }));
      const label = `${metric(name).name} by ${axis}${title ? ", " + title : ""}: ${lines.map((l) => `${l.name} ${l.points.map((p) => number(p.y)).join(", ")}`).join("; ")}`;
      return panel(title, "", (width) =>
        curves(lines, {
          label,
          x: axis === "load" ? "offered load, of a link" : axis,
          y: unit,
          xs: [Math.min(0, xs[0]) || (xs[0] < 0.5 * xs[1] ? 0 : xs[0]), xs[1]],
          ys: isIdeal ? [0, Math.max(xs[1], ys[1])] : ys,
          width,
          ...(isIdeal ? { ideal: 1 } : {}),
        }),
      );
    });
    const bands = all.some((v) => v.seeds > 1)
      ? "bands: the range over seeds"
      : all.some((v) => !v.isCertain)
        ? `bands: ${measure.name === "simulate" ? 95 : 99} % intervals`
        : "";
    out.push(
      figure(
        `${capital(metric(name).name)} by ${axis === "load" ? "offered load" : axis}${bands ? `; ${bands}` : ""}` +
          (found.length > all.length ? "; not drawn past saturation" : all.some(isSaturated) ? "; hollow: saturated" : "") +
          (isIdeal ? "; dotted: all that is offered" : ""),
        h("div", { class: "panels", "data-figure": `curve ${name}` }, ...panels),
      ),
    );
  }
  return out;
}

// --- whiskers ----------------------------------------------------------------------------------------------

const ends: Record<string, [string, string, string, string]> = {
  max_load: [
    "max_load_least",
    "max_load_worst",
    "bound",
    "the lightest and the heaviest sample; upright: the least possible",
  ],
  packet_latency: ["packet_latency_p50", "packet_latency_p99", "", "median and 99th percentile"],
};

// Whether more is known of it than its mean.
export const hasSamples = (name: string): boolean => name in ends;

export function whiskerFigure(study: StudyData, measure: Measure, name: string): HTMLElement | null {
  const all = values(study.points, measure.name, name);
  if (all.length < 2 || numericAxes(all).length > 0) return null;
  const [low, high, tick, meaning] = ends[name] ?? ["", "", "", ""];
  const first = distinct(all.map((v) => v.point.without))[0];
  const inside = ["engine", "without"];
  const states = distinct(all.map((v) => v.point.without)).length > 1;
  const dots = (members: Value[]): Dot[] =>
    members.map((v) => ({
      label: [
        v.point.engine,
        states && v.point.without !== first
          ? factorText("without", v.point.without).replace("of cables missing", "gone")
          : "",
      ]
        .filter(Boolean)
        .join(", "),
      color: colorOf(study, v.point.engine),
      hollow: v.point.without !== first,
      value: v.value,
      lo: v.lo,
      hi: v.hi,
      least: low ? valueOf(v.point, low) : null,
      most: high ? valueOf(v.point, high) : null,
      tick: tick ? valueOf(v.point, tick) : null,
      text:
        `${v.point.engine}, ${factorText("without", v.point.without)}: ${withUnit(v.value, v.unit)}${interval(v)}` +
        (high && valueOf(v.point, high) !== null
          ? `; samples from ${number(valueOf(v.point, low))} to ${number(valueOf(v.point, high))}`
          : ""),
    }));
  const grouped = panelsOf(all, inside).map((p) => ({ title: p.title, dots: dots(sorted(p.values)) }));
  const reach = grouped.flatMap((g) =>
    g.dots.flatMap((d) => [d.lo, d.hi, d.least ?? d.lo, d.most ?? d.hi, d.tick ?? d.lo]),
  );
  const panels = grouped.map((g) =>
    panel(g.title, "", (width) =>
      whiskers(g.dots, {
        label: `${metric(name).name}${g.title ? ", " + g.title : ""}: ${g.dots.map((d) => `${d.label} ${number(d.value)}`).join("; ")}`,
        x: all[0]!.unit || metric(name).name,
        xs: range(reach),
        width,
      }),
    ),
  );
  return figure(
    `${capital(metric(name).name)}: mean${meaning ? `; thin: ${meaning}` : ""}${states ? "; hollow: with cables missing" : ""}`,
    h("div", { class: "panels wide", "data-figure": `whisker ${name}` }, ...panels),
  );
}

// Engine by engine, its states one below the other.
function sorted(all: Value[]): Value[] {
  const engines = distinct(all.map((v) => v.point.engine));
  return [...all].sort((a, b) => engines.indexOf(a.point.engine) - engines.indexOf(b.point.engine));
}
