// Who sends to whom, and over which rails: the fields that several panels have.
import { h } from "../base/dom";
import { Body } from "./api";
import { App } from "./app";
import { field, select } from "./parts";

const named = (traffic: string): string => traffic.split(":")[0]!;

// A list of patterns and collectives, and the traffic as it is written.
export function trafficFields(app: App): HTMLElement[] {
  const { traffic } = app.state;
  const group = (label: string, listed: App["patterns"]): HTMLElement =>
    h("optgroup", { label }, ...listed.map((p) => h("option", { value: p.name }, `${p.name} \u2013 ${p.summary}`)));
  const isKnown = [...app.patterns, ...app.collectives].some((p) => p.name === named(traffic));
  const choose = select("pattern", "Traffic", isKnown ? [] : [{ value: "", label: traffic }], "", (v) => v && app.update({ traffic: v }));
  const box = choose.querySelector("select")!;
  box.append(group("Patterns", app.patterns), group("Collectives", app.collectives));
  box.value = isKnown ? named(traffic) : "";
  return [choose, field("traffic", "as written", traffic, (v) => app.update({ traffic: v }))];
}

// Hosts with several NICs send over all of them, or over the first.
export function railField(app: App): HTMLElement[] {
  const rails = app.fabric?.drawn.rails ?? 1;
  if (rails < 2) return [];
  return [select("rails", "Rails", [{ value: "all", label: `all ${rails}: every flow is spread over them` }, { value: "first", label: "rail 0 alone; the others stay idle" }], app.state.rails,
                 (v) => app.update({ rails: v === "first" ? "first" : "all" }))];
}
export function railOptions(app: App): Body {
  return (app.fabric?.drawn.rails ?? 1) > 1 && app.state.rails === "all" ? { rails_policy: "basic" } : {};
}
