// What ports count: errors and traffic on the drawing, and the cables with errors ranked by what each costs the others.
import { FailCounters } from "../base/answers";
import { h } from "../base/dom";
import { bytes, counted, number } from "../base/format";
import { noMarks } from "../map/paint";
import { App, Panel } from "./app";
import { button, facts, fileField, select, table, waiting } from "./parts";
import { railField, railOptions, trafficFields } from "./traffic";

type Cable = FailCounters["cables"][number];
type Shown = "errors" | "bytes";

// What the others pay where a cable is lost; the order of the list.
function cost(cable: Cable): string {
  if (cable.not_applicable) return cable.not_applicable;
  return cable.pairs_lost > 0 ? `${counted(cable.pairs_lost, "pair")} lost` : `maximum load ${number(cable.max_load ?? 0)}`;
}

export class CountersPanel implements Panel {
  private readonly result = h("div");
  private readonly controls = h("div", { class: "controls" });
  readonly element = h("div", {}, this.controls, this.result);
  private shown: Shown = "errors";

  async refresh(app: App, signal: AbortSignal): Promise<void> {
    const { counters, traffic } = app.state;
    const choose = (name: string): void => app.update({ counters: name });
    app.mark(noMarks);
    this.controls.replaceChildren(
      fileField("counters", "Counters", counters, "perfquery, ibqueryerrors or CSV", choose, (files) => app.take(files, choose)), ...(counters ? [...trafficFields(app), ...railField(app)] : []));
    if (!counters) {
      app.colour(null, 0, "");
      this.result.replaceChildren(h("p", { class: "remark" }, "Open what perfquery or ibqueryerrors prints, or ethtool's counters as CSV with the columns node, port, counter and value. Cables are coloured by errors or by traffic; those with errors are ranked by what the others pay without each."));
      return;
    }
    this.result.replaceChildren(waiting("Losing each cable with errors in turn \u2026"));
    const { result } = await app.ask<FailCounters>("fail", { counters, traffic, ...railOptions(app) }, signal);
    if (signal.aborted) return;
    this.colour(app, result);
    this.show(app, result);
    const [worst] = result.cables;
    app.say(worst ? `${counted(result.cables.length, "cable")} with errors; the worst to lose is ${worst.cable}: ${cost(worst)}` : `${counted(result.ports, "port")}, no cable with errors`);
  }

  private colour(app: App, found: FailCounters): void {
    const values = new Array<number>(app.fabric!.drawn.channels).fill(0);
    for (const port of found.by_port) values[port.channel] = (this.shown === "errors" ? port.errors : port.bytes) ?? 0;
    app.colour(values, values.reduce((a, b) => Math.max(a, b), 0), this.shown === "errors" ? "errors" : "bytes sent");
  }

  private show(app: App, found: FailCounters): void {
    const hasBytes = found.by_port.some((port) => port.bytes !== undefined);
    const by = select("counted", "Colours", [{ value: "errors", label: "errors that a port counts" }, { value: "bytes", label: "bytes that a port sent", disabled: !hasBytes }], this.shown,
                      (v) => { this.shown = v === "bytes" ? "bytes" : "errors"; this.colour(app, found); });
    const see = (cable: Cable): HTMLElement => {
      const channels = cable.cable.split(" - ").flatMap((port) => app.fabric!.channelAt(port) ?? []);
      return button(cable.cable, () => { app.mark({ paths: [{ channels: channels.slice(0, 1), kind: "hot" }], nodes: [] }); app.zoomToChannels(channels); }, { class: "link", disabled: channels.length === 0 });
    };
    const details = (cable: Cable): string => cable.counters.map((c) => `${c.port} ${c.counter} ${number(c.value)}`).join("; ");
    this.result.replaceChildren(
      facts([["ports with counters", number(found.ports)], ["cables with errors", number(found.cables.length)], ["maximum load with all cables", number(found.max_load)]]), by,
      table("counters", "The worst to lose first", [
        { title: "cable", sort: (r) => r.cable, show: see, isText: true }, { title: "errors", sort: (r) => r.errors, show: (r) => h("span", { title: details(r) }, number(r.errors)) },
        { title: "load", hint: "flows on the cable: they suffer from its errors", sort: (r) => r.load, show: (r) => number(r.load) },
        { title: "without it", hint: "what the others pay", sort: cost, isText: true },
        ...(hasBytes ? [{ title: "sent", sort: (r: Cable) => r.bytes ?? 0, show: (r: Cable) => bytes(r.bytes ?? 0) }] : [])], found.cables),
      ...(found.uncabled.length ? [table("uncabled", "Errors of ports without a cable", [{ title: "port", sort: (r) => r.port, isText: true }, { title: "counter", sort: (r) => r.counter, isText: true },
        { title: "value", sort: (r) => r.value, show: (r) => number(r.value) }], found.uncabled)] : []));
  }

  leave(app: App): void { app.mark(noMarks); }
}
