// The page of `banyan simulate --curve` and `--saturation`: latency and accepted throughput against offered load.
import { h } from "../base/dom";
import { counted, number, percentExactly as percent } from "../base/format";
import { sortable } from "../base/table";
import { CurvePoint, curves } from "../charts/curve";
import { figure, panel } from "./figures";
import { CurveData } from "./model";
import { header } from "./page";
import { again, section } from "./sections";

type LoadPoint = CurveData["points"][number];

const state = (p: LoadPoint): string => {
  if (p.deadlock) return "deadlock";
  if (p.packets === 0) return "nothing arrived";
  const load = p.saturated ? "saturated" : p.undecided ? "undecided" : "";
  return [load, p.ends_in_warm_up ? "in warm-up" : ""].filter((x) => x).join(", ");
};
const isSaturated = (p: LoadPoint): boolean => (p.saturated ?? false) || p.deadlock;
const sentence = (curve: CurveData): string => {
  const most = percent(Math.max(...curve.points.map((p) => p.accepted ?? 0)));
  const limit = curve.saturation_load;
  if (limit !== undefined && limit < 1) return `It saturates above a load of ${percent(limit)} and never accepts more than ${most}.`;
  const isSure = !curve.points.some((p) => p.undecided);
  if (limit !== undefined) return `${isSure ? "It does not saturate" : "No load was found at which it saturates"}: it accepts up to ${most}.`;
  const last = curve.points.filter((p) => !isSaturated(p)).pop();
  if (!last) return "It is saturated at every load that was offered.";
  const next = curve.points.find((p) => p.load > last.load);
  return (
    `The largest load at which it is not saturated is ${percent(last.load)}, where it accepts ${percent(last.accepted ?? 0)}` +
    `${next ? `; at ${percent(next.load)} it is saturated` : ""}. It never accepts more than ${most}.`
  );
};
// A load that may be saturated counts as one that is not.
const doubt = (curve: CurveData): string => {
  const open = curve.points.filter((p) => p.undecided);
  if (open.length === 0) return "";
  const where = open.length > 3 ? `${open.length} loads` : open.map((p) => percent(p.load)).join(", ");
  return ` Whether it is saturated is undecided at ${where}: the run is too short to tell.`;
};

// A panel of one value against the offered load.
function against(curve: CurveData, name: string, y: string, points: LoadPoint[], value: (p: LoadPoint) => number, half: (p: LoadPoint) => number, ideal?: number): HTMLElement {
  const shown: CurvePoint[] = points.map((p) => ({
    x: p.load,
    y: value(p),
    lo: value(p) - half(p),
    hi: value(p) + half(p),
    hollow: p.saturated ?? false,
    text: `load ${percent(p.load)}: ${number(value(p))}${half(p) > 0 ? ` \u00b1 ${number(half(p))}` : ""}${state(p) ? "; " + state(p) : ""}`,
  }));
  const top = Math.max(ideal ?? 0, ...shown.map((p) => p.hi));
  const label = `${name} by offered load: ${shown.map((p) => `${number(p.x)} ${number(p.y)}`).join(", ")}`;
  return panel("", "", (width) =>
    curves([{ name: curve.engine ?? "", color: 0, points: shown }], { label, x: "offered load, of a link", y, xs: [0, 1], ys: [0, top], width, height: 280, ...(ideal ? { ideal } : {}) }),
  );
}

export function curvePage(curve: CurveData): HTMLElement[] {
  // Past saturation a latency grows as long as one simulates: it is left out.
  const carried = curve.points.filter((p) => !p.saturated && p.packets > 0);
  const sections = [
    section(
      "curve",
      "Latency and throughput",
      h("p", { class: "answer" }, sentence(curve) + doubt(curve)),
      figure(
        "Mean packet latency by offered load; bands: 95 % intervals; not drawn past saturation",
        h("div", { class: "panels", "data-figure": "curve packet_latency" }, against(curve, "Mean packet latency", "cycles", carried, (p) => p.packet_latency ?? 0, (p) => p.packet_latency_half_width ?? 0)),
      ),
      figure(
        "Accepted throughput by offered load; dotted: all that is offered; hollow: saturated",
        h("div", { class: "panels", "data-figure": "curve accepted" }, against(curve, "Accepted throughput", "accepted, of a link", curve.points, (p) => p.accepted ?? 0, (p) => p.accepted_half_width ?? 0, 1)),
      ),
    ),
    section(
      "points",
      "By load",
      sortable(
        "Latencies in cycles",
        [
          { title: "load", sort: (p) => p.load, show: (p) => percent(p.load) },
          { title: "accepted", sort: (p) => p.accepted ?? 0, show: (p) => percent(p.accepted ?? 0) },
          { title: "latency", sort: (p) => p.packet_latency ?? "", show: (p) => (p.packets > 0 ? number(p.packet_latency ?? 0) : "") },
          { title: "median", sort: (p) => p.packet_latency_p50, show: (p) => number(p.packet_latency_p50) },
          { title: "99 %", sort: (p) => p.packet_latency_p99, show: (p) => number(p.packet_latency_p99) },
          { title: "in the network", sort: (p) => p.network_latency ?? "", show: (p) => (p.packets > 0 ? number(p.network_latency ?? 0) : "") },
          { title: "", isText: true, sort: state },
        ],
        curve.points,
      ),
    ),
    again(curve.command, curve.version, [`seed ${curve.seed}`]),
  ].filter((x): x is HTMLElement => x !== null);
  const facts = [counted(curve.points.length, "load"), `${curve.options.packet_flits}-flit packets`, curve.options.flow_control, `Banyan ${curve.version}`];
  return [header("Load curve", curve.title, facts, sections), ...sections, h("footer", {}, "Made by Banyan; this file needs nothing else.")];
}
