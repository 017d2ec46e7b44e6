// A simulation as it runs: throughput, latency, and how busy the channels are.
import { h } from "../base/dom";
import { Simulate, SimulateFollow } from "../base/answers";
import { number, percent } from "../base/format";
import { spark } from "../charts/spark";
import { follow } from "./api";
import { App, Panel } from "./app";
import { button, facts, field, refused } from "./parts";

type Batch = Required<Omit<SimulateFollow, "answer" | "channel_per_mille">> & { busiest: number };
type Measured = Simulate & Required<Pick<Simulate, "offered" | "accepted" | "saturated">>;
type Line = SimulateFollow & { ending?: string; status?: number; messages?: string; command?: string };

export class SimulatePanel implements Panel {
  private readonly controls = h("div", { class: "controls" });
  private readonly live = h("div", { class: "live" });
  private readonly result = h("div");
  readonly element = h("div", {}, this.controls, this.live, this.result);
  private load = "0.5";
  private cycles = "20000";
  private running: AbortController | null = null;
  private batches: Batch[] = [];
  private asked = "";  // what the figures on show belong to

  async refresh(app: App): Promise<void> {
    this.forget(JSON.stringify(app.routed({ traffic: app.state.traffic })));
    const start = button("Start", () => { void this.run(app); }, { id: "start", class: "primary" });
    const cancel = button("Cancel", () => this.running?.abort(), { id: "cancel" });
    start.disabled = this.running !== null;
    cancel.disabled = this.running === null;
    this.controls.replaceChildren(
      field("traffic-simulated", "Traffic", app.state.traffic, (v) => app.update({ traffic: v })),
      field("offered", "Offered load, of a link", this.load, (v) => { this.load = v; }, { inputmode: "decimal", size: "5" }),
      field("cycles", "Cycles", this.cycles, (v) => { this.cycles = v; }, { inputmode: "numeric", size: "8" }), start, cancel);
    if (this.batches.length === 0 && !this.running) app.colour(null, 0, "");
  }

  private forget(asks: string): void {
    if (asks === this.asked) return;
    this.asked = asks;
    this.running?.abort();
    this.running = null;
    this.batches = [];
    this.live.replaceChildren();
    this.result.replaceChildren();
  }

  leave(): void { this.running?.abort(); }

  private async run(app: App): Promise<void> {
    this.running?.abort();
    const running = this.running = new AbortController();
    this.batches = [];
    this.result.replaceChildren();
    this.live.replaceChildren(h("p", { class: "remark" }, "Starting \u2026"));
    await this.refresh(app);
    const body = app.routed({ traffic: app.state.traffic, load: this.load, cycles: this.cycles, follow: true });
    try {
      await follow<Line>("simulate", body, running.signal, (line) => { if (!running.signal.aborted) this.take(app, line); });
    } catch (error) {
      if (this.running !== running) return;  // another question by now
      if (running.signal.aborted) {
        this.result.replaceChildren(h("p", { class: "remark", id: "cancelled" }, "Cancelled."));
        app.say("The simulation was cancelled");
      } else {
        this.result.replaceChildren(refused((error as Error).message));
      }
    }
    if (this.running === running) this.running = null;
    await this.refresh(app);
  }

  private take(app: App, line: Line): void {
    if (line.answer) return this.finish(app, line.answer as Measured);
    if (line.ending) {
      if (line.command) app.told(line.command);
      if (line.status && line.status > 1) this.result.replaceChildren(refused((line.messages || line.ending).replace(/^banyan: /gm, "")));
      return;
    }
    const { channel_per_mille: busy, ...batch } = line as Batch & { channel_per_mille: number[] };
    this.batches.push({ ...batch, busiest: Math.max(0, ...busy) / 1000 });
    app.colour(busy.map((v) => v / 1000), 1, "busy, share of the time");
    this.show();
  }

  private show(): void {
    const last = this.batches[this.batches.length - 1]!;
    const figure = (label: string, value: (b: Batch) => number, shown: string, level?: number): HTMLElement =>
      h("figure", { class: "spark" }, h("figcaption", {}, h("b", {}, shown), ` ${label}`), spark(`${label}: ${shown}`, this.batches.map(value), 60, { level }));
    this.live.replaceChildren(h("p", { class: "remark", id: "now" }, `cycle ${number(last.now)}`),
      figure(`accepted of ${percent(last.offered)} offered`, (b) => b.accepted, percent(last.accepted), last.offered),
      figure("cycles a packet takes", (b) => b.packet_latency, number(last.packet_latency)),
      figure("of the time the busiest channel is busy", (b) => b.busiest, percent(last.busiest), 1));
  }

  private finish(app: App, m: Measured): void {
    this.result.replaceChildren(facts([
      ["accepted", `${percent(m.accepted)} of ${percent(m.offered)}${m.saturated ? ": saturated" : ""}`],
      ["latency", `${number(m.packet_latency)} cycles, median ${m.packet_latency_p50}, 99 % within ${m.packet_latency_p99}`],
      ["busiest channel", percent(m.max_channel_utilisation)], ["measured", `${number(m.cycles)} cycles`]]),
      m.deadlock ? h("p", { class: "no", role: "alert" }, `Deadlock: ${m.waiting ?? ""}`) : "");
    app.say(`Simulated: ${percent(m.accepted)} accepted, ${number(m.packet_latency)} cycles`);
  }
}
