// A simulation as it runs: throughput, latency, and how busy the channels are. Or a curve over several loads, point by point.
import { Simulate, SimulateCurve, SimulateFollow } from "../base/answers";
import { h, responsive } from "../base/dom";
import { number, percent } from "../base/format";
import { curves } from "../charts/curve";
import { spark } from "../charts/spark";
import { Body, follow } from "./api";
import { App, Panel } from "./app";
import { button, facts, field, refused, table, waiting } from "./parts";
import { trafficFields } from "./traffic";

type Batch = Required<Omit<SimulateFollow, "answer" | "point" | "curve" | "channel_per_mille" | "packet_latency_seconds">> & Pick<SimulateFollow, "packet_latency_seconds"> & { busiest: number };
type Told = "accepted" | "accepted_half_width" | "offered" | "saturated"; // traffic does not end here
type Measured = Simulate & Required<Pick<Simulate, Told>>;
type Point = SimulateCurve["points"][0] & Required<Pick<Simulate, Told>>;
type Curve = Omit<SimulateCurve, "points"> & { points: Point[] };
type Line = Partial<Batch> & { channel_per_mille?: number[]; answer?: Measured; point?: Point; curve?: Curve; ending?: string; status?: number; messages?: string; command?: string };

// Of a cycle, where the speed of links was given.
const nanoseconds = (m: Pick<Simulate, "cycle_seconds"> | undefined): number | null => (m?.cycle_seconds ? 1e9 * m.cycle_seconds : null);

export class SimulatePanel implements Panel {
  private readonly controls = h("div", { class: "controls" });
  private readonly live = h("div", { class: "live" });
  private readonly result = h("div");
  readonly element = h("div", {}, this.controls, this.live, this.result);
  private load = "0.5";
  private cycles = "20000";
  private lanes = "";   // empty: as many as the routing needs
  private flits = "10";
  private speed = "";   // of a link, Gbit/s; empty: times are cycles
  private cable = "";   // metres
  private delay = "";   // of a switch, ns
  private runs = "1";   // of each load of a curve
  private running: AbortController | null = null;
  private batches: Batch[] = [];
  private asked = "";  // what the figures on show belong to

  async refresh(app: App): Promise<void> {
    this.forget(JSON.stringify(app.routed({ traffic: app.state.traffic })));
    const start = button("Start", () => { void this.run(app); }, { id: "start", class: "primary" });
    const whole = button("Load curve", () => { void this.draw(app); }, { id: "curve" });
    const cancel = button("Cancel", () => this.running?.abort(), { id: "cancel" });
    start.disabled = whole.disabled = this.running !== null;
    cancel.disabled = this.running === null;
    this.controls.replaceChildren(
      ...trafficFields(app),
      field("offered", "Offered load, of a link", this.load, (v) => { this.load = v; }, { inputmode: "decimal", size: "5" }),
      field("cycles", "Cycles", this.cycles, (v) => { this.cycles = v; }, { inputmode: "numeric", size: "8" }),
      field("lanes", "Lanes", this.lanes, (v) => { this.lanes = v; }, { inputmode: "numeric", size: "4", placeholder: "as needed" }),
      field("packet", "Packet, flits", this.flits, (v) => { this.flits = v; }, { inputmode: "numeric", size: "4" }),
      field("speed", "Link, Gbit/s", this.speed, (v) => { this.speed = v; }, { inputmode: "decimal", size: "5", placeholder: "for ns" }),
      field("cable", "Cables, m", this.cable, (v) => { this.cable = v; }, { inputmode: "decimal", size: "5", placeholder: "one cycle" }),
      field("delay", "Switch, ns", this.delay, (v) => { this.delay = v; }, { inputmode: "decimal", size: "5", placeholder: "one cycle" }),
      field("runs", "Runs of a load", this.runs, (v) => { this.runs = v; }, { inputmode: "numeric", size: "4" }),
      start, whole, cancel);
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

  private body(): Body {
    return { cycles: this.cycles, ...(this.flits ? { packet_flits: this.flits } : {}), ...(this.lanes ? { lanes: this.lanes } : {}), ...(this.speed ? { link: `${this.speed}G` } : {}),
      ...(this.cable ? { cable: `${this.cable}m` } : {}), ...(this.delay ? { switch_delay: `${this.delay}ns` } : {}) };
  }

  private run(app: App): Promise<void> {
    const body = app.routed({ traffic: app.state.traffic, load: this.load, ...this.body(), follow: true });
    return this.busily(app, "Starting \u2026", (signal) => follow<Line>("simulate", body, signal, (line) => { if (!signal.aborted) this.take(app, line); }));
  }
  // One measurement for each load, drawn as it comes.
  private draw(app: App): Promise<void> {
    const loads = Array.from({ length: 9 }, (_, i) => (i + 1) / 10), points: Point[] = [];
    const body = app.routed({ traffic: app.state.traffic, curve: loads.join(","), ...this.body(), ...(this.runs === "1" ? {} : { replicas: this.runs }), follow: true });
    return this.busily(app, "Measuring nine loads \u2026", (signal) => follow<Line>("simulate", body, signal, (line) => {
      if (signal.aborted) return;
      if (line.curve) return this.finishCurve(app, line.curve);
      if (!line.point) return this.take(app, line);
      points.push(line.point);
      this.live.replaceChildren(waiting(`${points.length} of ${loads.length} loads are measured \u2026`));
      this.showCurve(points);
    }));
  }

  private async busily(app: App, what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.running?.abort();
    const running = this.running = new AbortController();
    this.batches = [];
    this.result.replaceChildren();
    this.live.replaceChildren(waiting(what));
    await this.refresh(app);
    try {
      await work(running.signal);
    } catch (error) {
      if (this.running === running) this.live.replaceChildren();
      if (this.running !== running) return;  // another question by now
      if (running.signal.aborted) {
        this.result.replaceChildren(h("p", { class: "remark", id: "cancelled" }, "Cancelled."));
        app.say("The simulation was cancelled");
      } else {
        this.result.replaceChildren(refused((error as Error).message));
      }
    }
    if (this.running !== running) return;
    this.running = null;
    await this.refresh(app);
  }

  private take(app: App, line: Line): void {
    if (line.answer) return this.finish(app, line.answer);
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
      last.packet_latency_seconds === undefined ? figure("cycles a packet takes", (b) => b.packet_latency, number(last.packet_latency))
        : figure("ns a packet takes", (b) => 1e9 * b.packet_latency_seconds!, number(1e9 * last.packet_latency_seconds)),
      figure("of the time the busiest channel is busy", (b) => b.busiest, percent(last.busiest), 1));
  }

  private showCurve(points: Point[]): void {
    const ns = nanoseconds(points[0]), time = ns ?? 1, unit = ns ? "ns" : "cycles";
    const latency = (m: Point): number => (m.packet_latency ?? 0) * time;
    const wide = (m: Point): number => (m.packet_latency_half_width ?? 0) * time;
    const plusMinus = (half: number, text: (v: number) => string): string => (half > 0 ? ` \u00b1 ${text(half)}` : "");
    const accepted = (m: Point): string => percent(m.accepted) + plusMinus(m.accepted_half_width ?? 0, percent);
    const taken = (m: Point): string => (m.packets ? number(latency(m)) + plusMinus(wide(m), number) : "nothing arrived");
    const line = (value: (m: Point) => number, half: (m: Point) => number, told: (m: Point) => string) =>
      points.map((m) => ({ x: m.load, y: value(m), lo: Math.max(0, value(m) - half(m)), hi: value(m) + half(m), text: `load ${number(m.load)}: ${told(m)}` }));
    const figure = (name: string, y: string, values: ReturnType<typeof line>, ideal?: number): HTMLElement => h("figure", { "data-curve": name }, h("figcaption", {}, name),
      responsive((width) => curves([{ name: "", color: 0, points: values }], { label: `${name} by offered load`, x: "offered load", y, xs: [0, 1], ys: [0, Math.max(ideal ?? 0, ...values.map((v) => v.hi))], width, height: 190, ...(ideal ? { ideal } : {}) })));
    this.result.replaceChildren(
      figure("Accepted load", "of a link", line((m) => m.accepted, (m) => m.accepted_half_width ?? 0, (m) => `${accepted(m)} accepted`), 1),
      figure("Latency of a packet", unit, line(latency, wide, (m) => (m.packets ? `${taken(m)} ${unit}` : taken(m)))),
      table("curve", ns ? `A cycle is ${number(ns)} ns` : "Times in cycles", [{ title: "load", sort: (m) => m.load, show: (m) => percent(m.load) }, { title: "accepted", sort: (m) => m.accepted, show: accepted },
        { title: `latency, ${unit}`, sort: latency, show: taken },
        { title: "", sort: (m) => (m.deadlock ? "deadlock" : m.saturated ? "saturated" : ""), isText: true }], points));
  }

  private finishCurve(app: App, { points, device }: Curve): void {
    this.live.replaceChildren(device ? h("p", { class: "remark", id: "device" }, `Simulated by ${device}`) : "");
    this.showCurve(points);
    const full = points.find((m) => m.saturated);
    app.say(full ? `Saturated from a load of ${percent(full.load)}` : "Not saturated at any of the loads");
  }

  private finish(app: App, m: Measured): void {
    const ns = nanoseconds(m), cycles = (v: number): string => `${number(v)} cycles${ns ? `, ${number(v * ns)} ns` : ""}`;
    this.result.replaceChildren(facts([
      ["accepted", `${percent(m.accepted)} of ${percent(m.offered)}${m.saturated ? ": saturated" : ""}`],
      ["latency", m.packet_latency === null ? "no packet arrived" : ns ? cycles(m.packet_latency) : `${number(m.packet_latency)} cycles, median ${m.packet_latency_p50}, 99 % within ${m.packet_latency_p99}`],
      ...(ns ? [["median", cycles(m.packet_latency_p50)], ["99 % within", cycles(m.packet_latency_p99)], ["a cycle", `${number(ns)} ns: ${m.options.flit_bytes} bytes at ${number((8 * m.options.flit_bytes) / ns)} Gbit/s`]] as [string, string][] : []),
      ["lanes", number(m.options.lanes)], ["packet", `${m.options.packet_flits} flits of ${m.options.flit_bytes} bytes`],
      ["busiest channel", percent(m.max_channel_utilisation)], ["measured", `${number(m.cycles)} cycles`]]),
      m.deadlock ? h("p", { class: "no", role: "alert" }, `Deadlock: ${m.waiting ?? ""}`) : "");
    app.say(`Simulated: ${percent(m.accepted)} accepted, ${number(m.packet_latency)} cycles`);
  }
}
