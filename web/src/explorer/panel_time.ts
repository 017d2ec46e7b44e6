// How long a collective takes, in seconds, with its bus bandwidth as NCCL's tests count it; or at sizes from 8 B to 8 GiB.
import { Time, TimeSizes } from "../base/answers";
import { h } from "../base/dom";
import { bytes, duration, number } from "../base/format";
import { noMarks } from "../map/paint";
import { Body } from "./api";
import { App, Panel } from "./app";
import { button, facts, field, refused, select, table, waiting } from "./parts";

const gigabytes = (speed: number | undefined): string => (speed === undefined ? "" : `${number(speed / 1e9)} GB/s`);

export class TimePanel implements Panel {
  private readonly controls = h("div", { class: "controls" });
  private readonly result = h("div");
  readonly element = h("div", {}, this.controls, this.result);
  private collective = "allreduce";
  private algorithm = "";   // empty: the program's choice
  private size = "1GiB";
  private speed = "";       // of a link of capacity 1, Gbit/s; empty: 400, or what the fabric says
  private accelerators = "1";
  private inside = "";      // of a host, Gbit/s; empty: no limit
  private cable = "";       // metres
  private delay = "";       // of a switch, ns
  private asking = new AbortController();

  async refresh(app: App): Promise<void> {
    app.colour(null, 0, "");
    app.mark(noMarks);
    this.showControls(app);
    await this.show(app, false);
  }

  leave(): void { this.asking.abort(); }

  private showControls(app: App): void {
    const text = (id: string, label: string, value: string, set: (v: string) => void, placeholder = ""): HTMLElement =>
      field(id, label, value, (v) => { set(v); void this.show(app, false); }, { size: "7", placeholder });
    this.controls.replaceChildren(
      select("collective", "Collective", app.collectives.map((c) => ({ value: c.name, label: `${c.name} \u2013 ${c.summary}` })), this.collective, (v) => { this.collective = v; void this.show(app, false); }),
      text("algorithm", "Algorithm", this.algorithm, (v) => { this.algorithm = v; }, "auto"),
      text("size", "Size", this.size, (v) => { this.size = v; }),
      text("speed", "Link, Gbit/s", this.speed, (v) => { this.speed = v; }, "400, or its own"),
      text("accelerators", "Accelerators of a host", this.accelerators, (v) => { this.accelerators = v; }),
      text("inside", "Inside a host, Gbit/s", this.inside, (v) => { this.inside = v; }, "no limit"),
      text("cable", "Cables, m", this.cable, (v) => { this.cable = v; }, "0"),
      text("delay", "Switch, ns", this.delay, (v) => { this.delay = v; }, "0"),
      button("8 B to 8 GiB", () => { void this.show(app, true); }, { id: "sizes" }));
  }

  private body(sizes: string): Body {
    return { traffic: this.algorithm ? `${this.collective}:algorithm=${this.algorithm}` : this.collective, sizes, ...(this.speed ? { link: `${this.speed}G` } : {}),
      ...(this.accelerators && this.accelerators !== "1" ? { accelerators: this.accelerators } : {}), ...(this.inside ? { inside: `${this.inside}G` } : {}),
      ...(this.cable ? { cable: `${this.cable}m` } : {}), ...(this.delay ? { switch_delay: `${this.delay}ns` } : {}) };
  }

  // A barrier has no size, and is asked for without one.
  private async show(app: App, all: boolean): Promise<void> {
    this.asking.abort();
    const { signal } = this.asking = new AbortController();
    this.result.replaceChildren(waiting("Timing \u2026"));
    try {
      if (this.collective === "barrier") {
        const { result } = await app.ask<Time>("time", { ...this.body(""), sizes: undefined }, signal);
        if (!signal.aborted) this.tell(app, duration(result.seconds), facts([["algorithm", result.algorithm ?? ""], ["ranks", number(result.ranks)]]));
        return;
      }
      const { result } = await app.ask<TimeSizes>("time", this.body(all ? "8:8GiB:8" : this.size), signal);
      if (signal.aborted) return;
      all ? this.tellAll(app, result) : this.tellOne(app, result);
    } catch (error) {
      if (!signal.aborted) this.result.replaceChildren(refused((error as Error).message));
    }
  }

  private tell(app: App, time: string, rest: HTMLElement): void {
    this.result.replaceChildren(h("p", { class: "headline" }, h("b", {}, time), ` for ${this.collective}`), rest);
    app.say(`${this.collective}: ${time}`);
  }

  private tellOne(app: App, { sizes, ranks, hosts, level }: TimeSizes): void {
    const one = sizes[0]!;
    this.tell(app, duration(one.seconds), facts([["size", bytes(one.size)], ["algorithm", one.algorithm], ["algorithm bandwidth", gigabytes(one.algorithm_bandwidth)],
      ["bus bandwidth", gigabytes(one.bus_bandwidth)], ["ranks", `${number(ranks)}, the fabric has ${number(hosts)} hosts`], ["level", level]]));
  }

  private tellAll(app: App, { sizes }: TimeSizes): void {
    this.result.replaceChildren(table("time", this.speed ? `${this.collective} at ${this.speed} Gbit/s a link` : this.collective, [
      { title: "size", sort: (r) => r.size, show: (r) => bytes(r.size) }, { title: "algorithm", sort: (r) => r.algorithm, isText: true },
      { title: "time", sort: (r) => r.seconds, show: (r) => duration(r.seconds) }, { title: "algorithm, GB/s", sort: (r) => r.algorithm_bandwidth, show: (r) => number(r.algorithm_bandwidth / 1e9) },
      { title: "bus, GB/s", sort: (r) => r.bus_bandwidth, show: (r) => number(r.bus_bandwidth / 1e9) }], sizes));
    app.say(`${this.collective} at ${sizes.length} sizes`);
  }
}
