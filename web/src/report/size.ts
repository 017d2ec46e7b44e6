// The page of a sizing: price against throughput, then everything else.
import { Size } from "../base/answers";
import { h, s } from "../base/dom";
import { counted, listed, number, percent, short } from "../base/format";
import { distinct } from "../base/lists";
import { Column, sortable } from "../base/table";
import { marker } from "../charts/curve";
import { scatter, ScatterPoint } from "../charts/scatter";
import { figure, panel } from "./figures";
import { SizeData } from "./model";
import { header } from "./page";
import { again, section } from "./sections";

type Candidate = Size["candidates"][number];

const placeholders = "The prices are placeholders, nobody\u2019s offer.";

// What is drawn: what is listed, and the whole line of the cheapest.
function drawn(size: SizeData): Candidate[] {
  const listedToo = size.candidates.filter((c) => !size.cheapest.some((o) => o.fabric === c.fabric));
  return [...size.cheapest, ...listedToo];
}

export function sizeAnswer(size: SizeData): string {
  const money = (c: Candidate): string => `${short(c.price)} ${size.currency}`;
  const best = size.candidates[0];
  if (!best) return "Nothing that could be built is within all limits.";
  const rest: string[] = [];
  const cheap = size.cheapest[0], strong = size.cheapest[size.cheapest.length - 1];
  if (cheap && cheap.fabric !== best.fabric)
    rest.push(`${cheap.fabric} is the cheapest (${money(cheap)}, ${percent(cheap.throughput_worst)})`);
  if (strong && strong.fabric !== best.fabric && strong.fabric !== cheap?.fabric)
    rest.push(`${strong.fabric} carries the most (${percent(strong.throughput_worst)}, ${money(strong)})`);
  return (
    `${best.fabric} comes first of ${counted(size.within_limits, "candidate")}: ${money(best)} for ` +
    `${percent(best.throughput_worst)} of full throughput under the worst traffic` +
    (rest.length ? `; ${listed(rest)}.` : ".") +
    (size.placeholder_prices ? " " + placeholders : "")
  );
}

function words(size: SizeData, c: Candidate): string {
  return [
    `${c.fabric}: ${short(c.price)} ${size.currency}${size.placeholder_prices ? " (placeholder prices)" : ""}`,
    `${percent(c.throughput_worst)} under the worst traffic, ${percent(c.throughput_uniform)} under uniform`,
    `bisection ${percent(c.bisection_ratio)}`,
    `diameter ${c.diameter}, mean distance ${number(c.mean_distance)}`,
    `${counted(c.hosts, "host")}, ${counted(c.switches, "switch", "switches")}, ${counted(c.links, "cable")}`,
    `${short(c.watts)} W`,
  ].join("; ");
}

// Which mark is which family.
function familyKey(families: string[]): HTMLElement {
  const one = (name: string, i: number): HTMLElement =>
    h("span", { class: "entry" }, s("svg", { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, marker(i, 6, 6)), ` ${name}`);
  return h("div", { class: "legend" }, ...families.map(one));
}

function picture(size: SizeData): HTMLElement | null {
  const all = drawn(size);
  if (all.length === 0) return null;
  const named = new Set([size.candidates[0], size.cheapest[0], size.cheapest[size.cheapest.length - 1]].map((c) => c?.fabric));
  const families = distinct(all.map((c) => c.family));
  const [scale, unit] = Math.max(...all.map((c) => c.price)) >= 1e6 ? [1e6, "million "] : [1e3, "thousand "];
  const point = (c: Candidate): ScatterPoint => ({
    x: c.price / scale,
    y: c.throughput_worst,
    color: families.indexOf(c.family),
    hollow: !c.on_front,
    label: c.fabric,
    first: named.has(c.fabric),
    text: words(size, c),
  });
  const label = `price against throughput: ${all.map((c) => `${c.fabric} ${short(c.price)} ${size.currency}, ${percent(c.throughput_worst)}`).join("; ")}`;
  const frame = { label, x: `price, ${unit}${size.currency}${size.placeholder_prices ? ", PLACEHOLDERS" : ""}`, y: "throughput under the worst traffic (bound), of full", ys: [0, 1] as [number, number] };
  return figure(
    "Price against throughput. The line joins what nothing beats in both; a full mark: nothing is as good in price, throughput, distance and cables that part hosts, and better in one. Point at a mark for the rest.",
    familyKey(families),
    h("div", { class: "panels wide", "data-figure": "price throughput" }, panel("", "", (width) => scatter(all.map(point), size.cheapest.map(point), { ...frame, width }))),
  );
}

function table(size: SizeData): HTMLElement | null {
  const value = (title: string, sort: (c: Candidate) => number | null, show = number as (v: number) => string, hint?: string): Column<Candidate> => ({
    title,
    hint,
    sort: (c) => sort(c) ?? "",
    show: (c) => { const v = sort(c); return v === null ? "" : show(v); },
  });
  return sortable(
    `What is listed, best first, then the rest of the line, in ${size.currency}${size.placeholder_prices ? " (placeholder prices)" : ""}; * on the front`,
    [
      { title: "fabric", isText: true, sort: (c) => c.fabric },
      value("price", (c) => c.price, short),
      value("throughput", (c) => c.throughput_worst, percent, "under the worst traffic: a bound for any routing"),
      value("distance", (c) => c.mean_distance, number, "mean, in channels"),
      value("cables to part", (c) => c.cables_to_part_hosts, number, "the fewest cables between switches whose loss parts hosts"),
      { title: "front", isText: true, sort: (c) => (c.on_front ? "*" : "") },
      value("bisection", (c) => c.bisection_ratio, percent),
      value("diameter", (c) => c.diameter),
      value("hosts", (c) => c.hosts),
      value("switches", (c) => c.switches),
      value("cables", (c) => c.links),
      value("copper", (c) => c.cables_copper),
      value("active optical", (c) => c.cables_active_optical),
      value("transceivers", (c) => c.cables_transceivers, number, "fibres with a transceiver at each end"),
      value("longest, m", (c) => c.longest_cable),
      value("watts", (c) => c.watts, short),
      value("idle ports", (c) => c.idle_ports),
      value("grows to", (c) => c.expandable_to, number, "hosts, with no cable moved"),
    ],
    [...size.candidates, ...size.cheapest.filter((c) => !size.candidates.some((o) => o.fabric === c.fabric))],
    20,
    true,
  );
}

const withHalf = (value: number | null, half: number | null | undefined, show: (v: number) => string): string =>
  value === null ? "" : show(value) + (half ? ` \u00b1 ${show(half)}` : "");
const stateOf = (broken: number): string => (broken > 0 ? `${percent(broken)} of cables broken` : "intact");

function deep(size: SizeData): HTMLElement | null {
  const rows = size.candidates.flatMap((c) => (c.deep ?? []).map((d) => ({ c, d })));
  if (rows.length === 0) return null;
  return section(
    "deep",
    "Routed, loaded and simulated",
    h("p", {}, "Each candidate of the front under the same traffic. Intervals: 99 % of loads and 95 % of simulations; of broken cables 95 % over the draws."),
    sortable(
      "What routings make of the traffic",
      [
        { title: "fabric", isText: true, sort: (r) => r.c.fabric },
        { title: "routing", isText: true, sort: (r) => r.d.engine },
        { title: "state", isText: true, sort: (r) => stateOf(r.d.broken) },
        { title: "maximum load", sort: (r) => r.d.max_load ?? "", show: (r) => withHalf(r.d.max_load, r.d.max_load_half_width, number) },
        { title: "accepted", sort: (r) => r.d.accepted ?? "", show: (r) => withHalf(r.d.accepted, r.d.accepted_half_width, percent) },
        {
          title: rows.some((r) => r.d.packet_latency_seconds !== undefined) ? "latency, ns" : "latency, cycles",
          sort: (r) => r.d.packet_latency ?? "",
          show: (r) =>
            r.d.packet_latency_seconds === undefined
              ? withHalf(r.d.packet_latency, r.d.packet_latency_half_width, number)
              : withHalf(r.d.packet_latency_seconds, r.d.packet_latency_seconds_half_width, (v) => number(1e9 * v)),
        },
        { title: "flows lost", sort: (r) => r.d.lost, show: (r) => percent(r.d.lost) },
        { title: "remark", isText: true, sort: (r) => r.d.remark ?? "" },
      ],
      rows,
    ),
  );
}

function steps(size: SizeData): HTMLElement | null {
  const rows = size.candidates.flatMap((c) => (c.steps ?? []).map((d) => ({ c, d })));
  if (rows.length === 0) return null;
  const milliseconds = (v: number): string => number(1000 * v);
  return section(
    "steps",
    "A step of training",
    sortable(
      "Milliseconds of a step, and of these waiting for messages; over draws of broken cables, 95 % intervals",
      [
        { title: "fabric", isText: true, sort: (r) => r.c.fabric },
        { title: "routing", isText: true, sort: (r) => r.d.engine },
        { title: "state", isText: true, sort: (r) => stateOf(r.d.broken) },
        { title: "step, ms", sort: (r) => r.d.seconds ?? "", show: (r) => withHalf(r.d.seconds, r.d.seconds_half_width, milliseconds) },
        { title: "exposed, ms", sort: (r) => r.d.exposed_seconds ?? "", show: (r) => withHalf(r.d.exposed_seconds, r.d.exposed_seconds_half_width, milliseconds) },
        { title: "remark", isText: true, sort: (r) => r.d.remark ?? "" },
      ],
      rows,
    ),
  );
}

function prices(size: SizeData): HTMLElement | null {
  return section(
    "prices",
    "Where the prices come from",
    size.placeholder_prices ? h("p", { class: "remark" }, placeholders) : null,
    sortable(
      `The price list, in ${size.currency}`,
      [
        { title: "item", isText: true, sort: (p) => p.item },
        { title: "price", sort: (p) => p.money, show: (p) => number(p.money) },
        { title: "watts", sort: (p) => p.watts, show: (p) => number(p.watts) },
        { title: "date", isText: true, sort: (p) => p.date },
        { title: "source", isText: true, sort: (p) => p.source },
      ],
      size.prices,
    ),
  );
}

export function sizePage(size: SizeData): HTMLElement[] {
  const sections = [
    section("answer", "The answer", h("p", { class: "answer" }, sizeAnswer(size)), picture(size), table(size)),
    deep(size),
    steps(size),
    prices(size),
    again(size.command, size.version, [`${counted(size.considered, "candidate")} considered`]),
  ].filter((x): x is HTMLElement => x !== null);
  const facts = [counted(size.considered, "candidate"), `${number(size.on_front)} on the front`, `Banyan ${size.version}`];
  return [
    header("Sizing", size.title, facts, sections),
    ...sections,
    h("footer", {}, "Made by Banyan; this file needs nothing else."),
  ];
}
