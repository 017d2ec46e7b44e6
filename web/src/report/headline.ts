// The answer first: one sentence, four numbers a fabric, price against throughput; and what broken cables cost, as a curve.
import { CurvePoint, curves, Series } from "../charts/curve";
import { scatter, ScatterPoint } from "../charts/scatter";
import { h } from "../base/dom";
import { listed, number, percent, short } from "../base/format";
import { distinct } from "../base/lists";
import { Column, sortable } from "../base/table";
import { colorOf, figure, panel } from "./figures";
import { StudyData, Value, values } from "./model";
import { accepted, isIntact, isPlaceholder, shareOf, trafficsOf } from "./throughput";
import { trafficHeadline, trafficTable } from "./traffics";

interface Numbers {
  fabric: string;
  price: Value | undefined;
  bisection: number | null;
  diameter: number | null;
  best: Value | undefined; // of all routings, intact
  left: number | null; // of that, with the most cables missing, in the mean over their draws
  missing: number;
}

export function numbersOf(study: StudyData): Numbers[] {
  const throughput = accepted(study), prices = values(study.points, "cost", "money");
  if (throughput.length === 0) return [];
  const described = (fabric: string, name: string): number | null =>
    values(study.points, "describe", name).find((v) => v.point.fabric === fabric && isIntact(v))?.value ?? null;
  return distinct(throughput.map((v) => v.point.fabric)).map((fabric) => {
    const here = throughput.filter((v) => v.point.fabric === fabric);
    const best = here.filter(isIntact).reduce<Value | undefined>((a, b) => (a && a.value >= b.value ? a : b), undefined);
    const same = here.filter((v) => v.point.engine === best?.point.engine && v.point.traffic === best.point.traffic);
    const missing = Math.max(0, ...same.map((v) => shareOf(v.point.without) ?? 0));
    const draws = missing > 0 ? same.filter((v) => shareOf(v.point.without) === missing).map((v) => v.value) : [];
    return {
      fabric,
      price: prices.find((v) => v.point.fabric === fabric),
      bisection: described(fabric, "bisection_ratio"),
      diameter: described(fabric, "diameter"),
      best,
      left: best && draws.length > 0 ? draws.reduce((sum, v) => sum + v, 0) / draws.length / best.value : null,
      missing,
    };
  });
}

export function headline(study: StudyData): string {
  if (trafficsOf(study).length > 1) return trafficHeadline(study);
  const all = numbersOf(study).filter((n) => n.best);
  if (all.length === 0) return "";
  const first = all.reduce((a, b) => (b.best!.value > a.best!.value ? b : a));
  const price = (n: Numbers): string => (n.price ? ` for ${short(n.price.value)} ${n.price.unit}` : "");
  const rest = all.filter((n) => n !== first).map((n) => `${percent(n.best!.value)} with ${n.best!.point.engine} on ${n.fabric}${price(n)}`);
  return (
    `${first.fabric} carries the most: it accepts ${percent(first.best!.value)} of a link with ${first.best!.point.engine}${price(first)}` +
    (rest.length ? `, against ${listed(rest)}` : "") +
    (isPlaceholder(study) ? "; prices are placeholders, nobody\u2019s offer." : ".")
  );
}

export function fourNumbers(study: StudyData): HTMLElement | null {
  if (trafficsOf(study).length > 1) return trafficTable(study);
  const all = numbersOf(study);
  if (all.length === 0) return null;
  const money = all.find((n) => n.price)?.price?.unit ?? "";
  const missing = Math.max(...all.map((n) => n.missing));
  const columns: Column<Numbers>[] = [
    { title: "fabric", isText: true, sort: (n) => n.fabric },
    { title: money ? `price, ${money}${isPlaceholder(study) ? " (placeholders)" : ""}` : "price", sort: (n) => n.price?.value ?? "", show: (n) => (n.price ? short(n.price.value) : "") },
    { title: "throughput", hint: "accepted by the best routing, intact, at the highest load", sort: (n) => n.best?.value ?? "", show: (n) => (n.best ? `${percent(n.best.value)} with ${n.best.point.engine}` : "") },
    { title: "bisection \u00b7 diameter", sort: (n) => n.bisection ?? "", show: (n) => [n.bisection === null ? "" : percent(n.bisection), n.diameter === null ? "" : number(n.diameter)].filter(Boolean).join(" \u00b7 ") },
    { title: missing > 0 ? `left with ${percent(missing)} of cables gone` : "left with cables gone", sort: (n) => n.left ?? "", show: (n) => (n.left === null ? "" : percent(n.left)) },
  ];
  return sortable("Four numbers a fabric", columns, all);
}

// A panel for each traffic.
export function priceFigure(study: StudyData): HTMLElement | null {
  const prices = values(study.points, "cost", "money"), intact = accepted(study).filter(isIntact);
  if (distinct(prices.map((v) => v.point.fabric)).length < 2 || intact.length === 0) return null;
  const scale = Math.max(...prices.map((v) => v.value)) >= 1e6 ? 1e6 : 1e3;
  const pointsUnder = (traffic: string): ScatterPoint[] =>
    intact.filter((v) => v.point.traffic === traffic).flatMap((v) => {
      const price = prices.find((p) => p.point.fabric === v.point.fabric);
      if (!price) return [];
      const label = `${v.point.fabric}, ${v.point.engine}`;
      return [{ x: price.value / scale, y: v.value, color: colorOf(study, v.point.engine), hollow: false, label, text: `${label}: accepts ${percent(v.value)} of a link for ${short(price.value)} ${price.unit}` }];
    });
  const unit = `${scale === 1e6 ? "million" : "thousand"} ${prices[0]!.unit}${isPlaceholder(study) ? ", PLACEHOLDERS" : ""}`;
  const traffics = distinct(intact.map((v) => v.point.traffic)), most = Math.max(...intact.map((v) => v.value));
  const drawn = traffics.map((traffic) => {
    const points = pointsUnder(traffic);
    return panel(traffics.length > 1 ? traffic : "", "", (width) => scatter(points, [], { label: points.map((p) => p.text).join("; "), x: `price, ${unit}`, y: "accepted, of a link", ys: [0, most], width, height: 280 }));
  });
  return figure(
    "Price against throughput: what each routing accepts of the highest load, intact",
    h("div", { class: "panels", "data-figure": "price throughput" }, ...drawn),
  );
}

// Where several shares of the cables were taken away: what a routing keeps of its throughput. A panel for each traffic.
export function lossFigure(study: StudyData): HTMLElement | null {
  const all = accepted(study).filter((v) => shareOf(v.point.without) !== null);
  if (distinct(all.map((v) => v.point.without)).length < 3) return null;
  const traffics = distinct(all.map((v) => v.point.traffic));
  const drawn = traffics.flatMap((traffic) => {
    const series = lossUnder(study, all.filter((v) => v.point.traffic === traffic));
    const xs = series.flatMap((l) => l.points.map((p) => p.x)), ys = series.flatMap((l) => l.points.flatMap((p) => [p.lo, p.hi]));
    if (series.length === 0) return [];
    const label = `what is left of the throughput: ${series.map((l) => `${l.name} ${l.points.map((p) => number(p.y)).join(", ")} %`).join("; ")}`;
    return [panel(traffics.length > 1 ? traffic : "", "", (width) => curves(series, { label, x: "cables between switches that are gone, %", y: "% of the throughput intact", xs: [0, Math.max(...xs)], ys: [Math.min(...ys), Math.max(...ys)], width }))];
  });
  if (drawn.length === 0) return null;
  return figure("What is left of the throughput when cables are cut", h("div", { class: "panels", "data-figure": "loss" }, ...drawn));
}

function lossUnder(study: StudyData, all: Value[]): Series[] {
  const key = (v: Value): string => `${v.point.engine} on ${v.point.fabric}`;
  return distinct(all.map(key)).flatMap((name) => {
    const mine = all.filter((v) => key(v) === name);
    const whole = mine.find(isIntact);
    if (!whole || !(whole.value > 0)) return [];
    const points = mine
      .map((v): CurvePoint => {
        const [x, y] = [shareOf(v.point.without)!, v.value / whole.value];
        return { x: 100 * x, y: 100 * y, lo: (100 * v.lo) / whole.value, hi: (100 * v.hi) / whole.value, text: `${name}: ${percent(y)} of its throughput is left with ${percent(x)} of the cables gone` };
      })
      .sort((a, b) => a.x - b.x);
    return [{ name, color: colorOf(study, whole.point.engine), points }];
  });
}
