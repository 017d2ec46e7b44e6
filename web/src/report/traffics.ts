// The answer where several traffics were simulated: a fabric that is best under one of them need not be under another, so each
// traffic has its own best routing of each fabric. What holds over all of them is the mean and the worst of these.
import { listed, number, percent, short } from "../base/format";
import { distinct } from "../base/lists";
import { Column, sortable } from "../base/table";
import { best } from "./answer";
import { StudyData, Value, values } from "./model";
import { accepted, isIntact, isPlaceholder, shareOf, trafficsOf } from "./throughput";

interface Carried {
  fabric: string;
  price: Value | undefined;
  bisection: number | null;
  diameter: number | null;
  intact: (Value | undefined)[]; // by traffic: of the routing that accepts most
  mean: number | null; // over all traffics, unless one is missing
  left: number | null; // of the mean, when the most cables are gone
}

const topOf = (all: Value[]): Value | undefined => (all.length > 0 ? best("more", all)[0] : undefined);

function meanOf(all: (number | undefined)[]): number | null {
  return all.every((v) => v !== undefined) ? all.reduce((sum: number, v) => sum + v!, 0) / all.length : null;
}

// Which cables are missing was drawn, several times perhaps: of each routing the mean over the draws, and of these the best.
function bestOverDraws(all: Value[]): number | undefined {
  const means = distinct(all.map((v) => v.point.engine)).map((engine) => meanOf(all.filter((v) => v.point.engine === engine).map((v) => v.value))!);
  return means.length > 0 ? Math.max(...means) : undefined;
}

const missingOf = (study: StudyData): number => Math.max(0, ...accepted(study).map((v) => shareOf(v.point.without) ?? 0));

export function carriedBy(study: StudyData): Carried[] {
  const all = accepted(study), traffics = trafficsOf(study), missing = missingOf(study);
  const described = (fabric: string, name: string): number | null =>
    values(study.points, "describe", name).find((v) => v.point.fabric === fabric && isIntact(v))?.value ?? null;
  return distinct(all.map((v) => v.point.fabric)).map((fabric) => {
    const under = (holds: (v: Value) => boolean): Value[][] =>
      traffics.map((traffic) => all.filter((v) => v.point.fabric === fabric && v.point.traffic === traffic && holds(v)));
    const intact = under(isIntact).map(topOf), mean = meanOf(intact.map((v) => v?.value));
    const broken = missing > 0 ? meanOf(under((v) => shareOf(v.point.without) === missing).map(bestOverDraws)) : null;
    return {
      fabric,
      price: values(study.points, "cost", "money").find((v) => v.point.fabric === fabric),
      bisection: described(fabric, "bisection_ratio"),
      diameter: described(fabric, "diameter"),
      intact,
      mean,
      left: mean && broken !== null ? broken / mean : null,
    };
  });
}

// The fabric that carries most under one traffic, and those whose intervals reach into its interval.
function winner(all: Carried[], at: number): string {
  const [first, ...others] = best("more", all.flatMap((c) => c.intact[at] ?? []));
  if (!first) return "";
  const same = others.map((v) => v.point.fabric);
  const text = `${first.point.fabric} (${percent(first.value)} with ${first.point.engine})`;
  return same.length > 0 ? `${text}, no different within the interval from ${listed(same)}` : text;
}

export function trafficHeadline(study: StudyData): string {
  const all = carriedBy(study), traffics = trafficsOf(study);
  const under = traffics.flatMap((traffic, i) => {
    const text = winner(all, i);
    return text ? [`under ${traffic} it is ${text}`] : [];
  });
  if (under.length === 0) return "";
  const tops = traffics.flatMap((_, i) => topOf(all.flatMap((c) => c.intact[i] ?? []))?.point.fabric ?? []);
  const one = distinct(tops).length === 1 ? `${tops[0]} carries the most of a link under each traffic: ` : "What carries the most of a link depends on the traffic: ";
  const whole = all.filter((c) => c.mean !== null).sort((a, b) => b.mean! - a.mean!);
  const means = whole.map((c, i) => (i === 0 ? `${c.fabric} accepts most (${percent(c.mean!)})` : `${percent(c.mean!)} on ${c.fabric}`));
  const mean = means.length === 0 ? "" : ` In the mean over the ${traffics.length} traffics, each with the routing that is best there, ${means[0]}${means.length > 1 ? `, against ${listed(means.slice(1))}` : ""}.`;
  return `${one}${under.join("; ")}.${mean}${isPlaceholder(study) ? " Prices are placeholders, nobody\u2019s offer." : ""}`;
}

export function trafficTable(study: StudyData): HTMLElement | null {
  const all = carriedBy(study), traffics = trafficsOf(study), missing = missingOf(study);
  if (all.length === 0) return null;
  const money = all.find((c) => c.price)?.price?.unit ?? "";
  const worst = (c: Carried): number | string => (c.mean === null ? "" : Math.min(...c.intact.map((v) => v!.value)));
  const share = (v: number | string): string => (typeof v === "number" ? percent(v) : "");
  const under = traffics.map((traffic, i): Column<Carried> => {
    const top = best("more", all.flatMap((c) => c.intact[i] ?? []));
    return {
      title: traffic,
      hint: `accepted under ${traffic} by the best routing, intact, at the highest load`,
      sort: (c) => c.intact[i]?.value ?? "",
      show: (c) => (c.intact[i] ? `${percent(c.intact[i]!.value)} with ${c.intact[i]!.point.engine}` : ""),
      isBest: (c) => c.intact[i] !== undefined && top.includes(c.intact[i]!),
    };
  });
  const columns: Column<Carried>[] = [
    { title: "fabric", isText: true, sort: (c) => c.fabric },
    { title: money ? `price, ${money}${isPlaceholder(study) ? " (placeholders)" : ""}` : "price", sort: (c) => c.price?.value ?? "", show: (c) => (c.price ? short(c.price.value) : "") },
    ...under,
    { title: "mean", hint: "over all traffics, each with the routing that is best there", sort: (c) => c.mean ?? "", show: (c) => share(c.mean ?? "") },
    { title: "worst", hint: "of all traffics, each with the routing that is best there", sort: worst, show: (c) => share(worst(c)) },
    { title: "bisection \u00b7 diameter", sort: (c) => c.bisection ?? "", show: (c) => [c.bisection === null ? "" : percent(c.bisection), c.diameter === null ? "" : number(c.diameter)].filter(Boolean).join(" \u00b7 ") },
    { title: missing > 0 ? `left with ${percent(missing)} of cables gone` : "left with cables gone", hint: "of the mean, each traffic with the routing that is best then, in the mean over the draws of missing cables", sort: (c) => c.left ?? "", show: (c) => share(c.left ?? "") },
  ];
  const told = columns.filter((column) => all.some((c) => column.sort(c) !== ""));
  return sortable("What each fabric accepts under each traffic; bold: the most, and what its interval cannot tell from it", told, all);
}
