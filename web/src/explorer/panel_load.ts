// What a traffic puts on the channels: colours, the hottest with their flows, all shifts, two engines, mpiGraph.
import { Load as Answer } from "../base/answers";
import { h, responsive } from "../base/dom";
import { bytes, counted, number } from "../base/format";
import { spark } from "../charts/spark";
import { App, Panel } from "./app";
import { least, pairMap, rateRange, rateText, withLegend } from "../charts/pairs";
import { noMarks } from "../map/paint";
import { select, table, verdictLine, waiting } from "./parts";
import { railField, railOptions, trafficFields } from "./traffic";

// What is there because the panel asks for it.
type With<A, K extends keyof A> = A & Required<Pick<A, K>>;
export type Load = With<Answer, "channels" | "hottest" | "worst_round">;
type Rates = With<Answer, "mean_rate" | "min_rate">;

export const unitOf = (load: Load): string => (load.in_bytes ? "bytes" : "flows");
const told = (load: Load, value: number): string => (load.in_bytes ? bytes(value) : number(value));

const shiftOf = (traffic: string): number | null => {
  const found = /^shift(?::(\d+))?$/.exec(traffic);
  return found ? Number(found[1] ?? 1) : null;
};

export class LoadPanel implements Panel {
  private readonly result = h("div");
  private readonly slider = h("div", { class: "slider" });
  private readonly controls = h("div", { class: "controls" });
  readonly element = h("div", {}, this.controls, this.slider, this.result);
  private series: { key: string; loads: number[] } | null = null;

  async refresh(app: App, signal: AbortSignal): Promise<void> {
    this.showControls(app);
    const shift = shiftOf(app.state.traffic);
    this.showSlider(app, shift);
    if (app.state.matrix) return this.showMatrix(app, signal);
    app.showMatrix(null);
    if (!this.result.firstChild) this.result.replaceChildren(waiting("Counting flows \u2026"));
    const body = { traffic: app.state.traffic, ...railOptions(app), channels: true, hottest: 10, ...(shift === null ? { samples: 200 } : {}) };
    const both = await Promise.all([app.ask<Load>("load", body, signal),
      app.state.other ? app.ask<Load>("load", { ...body, engine: app.state.other, paths: undefined, tables: undefined }, signal) : null]);
    const [first, second] = [both[0].result, both[1]?.result];
    if (signal.aborted) return;
    const most = Math.max(first.hottest[0]?.load ?? 0, second?.hottest[0]?.load ?? 0);
    app.colour(first.channel_loads!, most, unitOf(first));
    app.mark(noMarks);
    app.split(second ? app.state.other : null);
    app.caption(second ? `${app.router}: at most ${told(first, first.hottest[0]?.load ?? 0)}` : "");
    if (second) {
      app.colour(second.channel_loads!, most, unitOf(second), 1);
      app.caption(`${app.state.other}: at most ${told(second, second.hottest[0]?.load ?? 0)}`, 1);
    }
    this.show(app, first, second);
    app.say(`${app.router} under ${app.state.traffic}: maximum load ${told(first, first.max_load)}${second ? `; ${app.state.other}: ${told(second, second.max_load)}` : ""}`);
    if (shift !== null && app.fabric!.hosts <= 4000) await this.loadSeries(app, signal);
  }

  leave(app: App): void { app.split(null); app.showMatrix(null); app.caption(""); }

  private showControls(app: App): void {
    const { state } = app;
    const other = [{ value: "", label: "one engine only" }, ...app.engines.filter((e) => e.applies && (state.tables || e.name !== state.engine)).map((e) => ({ value: e.name, label: e.name }))];
    const matrix = h("input", { type: "checkbox", id: "matrix", checked: state.matrix });
    matrix.addEventListener("change", () => app.update({ matrix: matrix.checked }));
    this.controls.replaceChildren(
      ...trafficFields(app), ...railField(app),
      select("other", "Side by side with", other, state.other, (v) => app.update({ other: v })),
      h("label", { class: "check" }, matrix, "mpiGraph: the bandwidth of every pair"));
  }

  private showSlider(app: App, shift: number | null): void {
    this.slider.hidden = shift === null || app.state.matrix;
    if (shift === null || !app.fabric) return;
    const most = Math.max(1, app.fabric.hosts - 1);
    let range = this.slider.querySelector("input");
    if (!range || range.max !== String(most)) {
      range = h("input", { type: "range", id: "shift", min: 1, max: most, step: 1, value: shift, "aria-label": "shift" });
      range.addEventListener("input", () => app.update({ traffic: `shift:${range!.value}` }));
      this.slider.replaceChildren(h("p", { class: "remark" }), range, h("div", { class: "spark" }));
    }
    range.value = String(shift);
    range.setAttribute("aria-valuetext", `shift by ${shift}`);
    this.slider.firstElementChild!.textContent = `Every host i sends to host i + ${shift}.`;
    if (this.series && this.series.key !== JSON.stringify(app.routed(railOptions(app)))) {
      this.series = null;
      this.slider.querySelector(".spark")?.replaceChildren();
    }
    this.drawSeries(shift);
  }

  private async loadSeries(app: App, signal: AbortSignal): Promise<void> {
    const key = JSON.stringify(app.routed(railOptions(app)));
    if (this.series?.key !== key) {
      const { result } = await app.ask<Load>("load", { traffic: "all-shifts", ...railOptions(app), channels: true, hottest: 1 }, signal);
      this.series = { key, loads: result.round_max_loads ?? [result.max_load_worst] };
    }
    this.drawSeries(shiftOf(app.state.traffic) ?? 1);
  }

  private drawSeries(shift: number): void {
    const place = this.slider.querySelector(".spark");
    if (!place || !this.series) return;
    const { loads } = this.series, most = Math.max(...loads), worst = loads.indexOf(most);
    place.replaceChildren(
      spark(`maximum load of every shift, from ${number(Math.min(...loads))} to ${number(most)}`, loads, 44, { at: shift - 1 }),
      h("small", {}, most > Math.min(...loads) ? `worst: shift ${worst + 1}, load ${number(most)}` : `load ${number(most)} in every shift`));
  }

  private show(app: App, first: Load, second?: Load): void {
    const line = (load: Load): HTMLElement => h("p", { class: "headline" }, h("b", {}, told(load, load.max_load)), " maximum load",
      load.samples > 1 ? `, mean of ${load.samples} samples` : load.rounds > 1 ? `, mean of ${load.rounds} rounds` : "",
      load.bound === null ? "" : `; at best ${told(load, load.bound)}`);
    const hot = h("ol", { class: "hottest" }, ...first.hottest.map((c) => {
      const flows = h("ul", {}, ...c.flows.slice(0, 40).map((f) => h("li", {}, `${f.source} \u2192 ${f.destination}`, f.load === 1 ? "" : ` (${told(first, f.load)})`)),
                      c.flows.length > 40 ? h("li", {}, `and ${c.flows.length - 40} more`) : null);
      const details = h("details", { "data-channel": c.channel }, h("summary", {}, h("b", {}, told(first, c.load)), ` ${c.name} `, h("small", {}, counted(c.flows.length, "flow"))), flows);
      details.addEventListener("toggle", () => {
        if (!details.open) return;
        app.mark({ paths: [{ channels: [c.channel], kind: "hot" }], nodes: [] });
        app.zoomToChannels([c.channel]);
      });
      return h("li", {}, details);
    }));
    this.result.replaceChildren(line(first), second ? h("p", { class: "headline" }, h("b", {}, told(second, second.max_load)), ` with ${app.state.other}`) : "",
      first.undelivered ? verdictLine(false, `${number(first.undelivered)} flows do not arrive`) : "",
      h("h2", {}, "The hottest channels"), hot,
      table("loads", "By kind of channel", [
        { title: "channels", sort: (r) => r.kind, isText: true }, { title: "cabled", sort: (r) => r.channels }, { title: "loaded", sort: (r) => r.loaded },
        { title: "most", sort: (r) => r.max_load, show: (r) => told(first, r.max_load) }, { title: "mean", sort: (r) => r.mean_load, show: (r) => told(first, r.mean_load) }], first.channels));
  }

  private async showMatrix(app: App, signal: AbortSignal): Promise<void> {
    const ranks = Math.min(400, app.fabric!.hosts);
    this.result.replaceChildren(waiting(`Rates of ${number(ranks * (ranks - 1))} pairs \u2026`));
    app.split(null);
    const { result } = await app.ask<Rates>("load", { traffic: "mpigraph", rates: true, ranks, hottest: 1 }, signal);
    if (signal.aborted) return;
    const { hosts, rates: values } = result.mpigraph ?? { hosts: [], rates: [] }, range = rateRange(values.flat());
    const text = `${number(hosts.length)} hosts: from ${number(result.min_rate)} to ${number(range[1])} of a link, ${number(result.mean_rate)} on average`;
    const rows = least(values, 200).map(([i, j]) => ({ from: hosts[i]!, to: hosts[j]!, rate: values[i]![j]! }));
    app.showMatrix(withLegend("of a link", range, responsive((width) => pairMap({ label: `Bandwidth of every pair of hosts. ${text}`, values, range, across: "receiver", down: "sender",
      text: (i, j, v) => rateText(hosts[i]!, hosts[j]!, v), width, size: Math.min(width, 0.7 * innerHeight) }))));
    this.result.replaceChildren(h("p", { class: "headline" }, h("b", {}, number(result.mean_rate)), " of a link is what a pair gets on average"), h("p", { class: "remark" }, text),
      table("mpigraph", "The slowest pairs", [{ title: "from", sort: (r) => r.from, isText: true }, { title: "to", sort: (r) => r.to, isText: true },
        { title: "rate", sort: (r) => r.rate, show: (r) => number(r.rate) }], rows));
    app.say(text);
  }
}
