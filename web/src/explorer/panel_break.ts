// Broken cables and switches: what re-routing costs, before and after.
import { h } from "../base/dom";
import { Fail } from "../base/answers";
import { number, percent } from "../base/format";
import { Refused } from "./api";
import { App, Panel } from "./app";
import { noMarks } from "../map/paint";
import { Load } from "./panel_load";
import { button, facts, field, refused, table, verdictLine, waiting } from "./parts";

type Side = Fail["before"];

const words = (fault: string): string => fault.replace(/^link=/, "cable at ").replace(/^switch=/, "switch ").replace(/^host=/, "host ")
  .replace(/^links=(\d+),seed=(\d+)$/, "$1 cables at random (seed $2)");

export class BreakPanel implements Panel {
  private readonly result = h("div");
  private readonly controls = h("div", { class: "controls" });
  readonly element = h("div", {}, this.controls, this.result);
  private count = "10";

  async refresh(app: App, signal: AbortSignal): Promise<void> {
    const { without } = app.state;
    const random = button("Break at random", () => {
      const seed = 1 + without.filter((f) => f.startsWith("links=")).length;
      app.update({ without: [...without, `links=${this.count},seed=${seed}`] });
    });
    this.controls.replaceChildren(
      field("random", "Cables", this.count, (v) => { this.count = String(Math.max(1, Math.floor(Number(v)) || 1)); }, { inputmode: "numeric", size: "4" }), random,
      field("fault", "or by name", "", (v) => v && app.update({ without: [...without, /[=]/.test(v) ? v : v.includes(":") ? `link=${v}` : `switch=${v}`] }), { placeholder: "s2-7 or s2-7:3" }));
    app.mark(noMarks);
    const list = h("ul", { class: "faults" }, ...without.map((fault, i) => h("li", {}, words(fault), " ",
      button("Undo", () => app.update({ without: without.filter((_, k) => k !== i) }), { "aria-label": `Undo: ${words(fault)}` }))));
    if (without.length === 0) {
      app.colour(null, 0, "");
      this.result.replaceChildren(h("p", { class: "remark" }, "Nothing is broken. Click a cable or a switch in the drawing to break it; where one line stands for several cables the first of them breaks."));
      return;
    }
    const head = [list, h("p", {}, button("Undo the last", () => app.update({ without: without.slice(0, -1) })), " ", button("Repair all", () => app.update({ without: [] })))];
    this.result.replaceChildren(...head, waiting("Routing again \u2026"));
    const traffic = app.state.traffic;
    try {
      const [{ result: f }, { result: load }] = await Promise.all([
        app.ask<Fail>("fail", { traffic, samples: 100 }, signal), app.ask<Load>("load", { traffic, channels: true, hottest: 5, samples: 100 }, signal)]);
      if (signal.aborted) return;
      app.colour(load.channel_loads!, load.hottest[0]?.load ?? 0, "load");
      this.show(app, f, head);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.result.replaceChildren(...head, refused(error.message), ...this.offers(app));
    }
  }

  private offers(app: App): HTMLElement[] {
    return app.engines.filter((e) => e.applies && e.deadlock_free && e.name !== app.state.engine).slice(0, 4)
      .map(({ name: engine }) => button(`Route with ${engine}`, () => app.update({ engine, paths: "" })));
  }

  private show(app: App, f: Fail, head: HTMLElement[]): void {
    const { before: x, after: y } = f;
    const yes = (s: Side): string => (s.yes ? "yes" : "no");
    const rows = [
      { what: "all well", a: yes(x), b: yes(y) },
      { what: `maximum load, ${app.state.traffic}`, a: number(x.max_load), b: number(y.max_load) },
      { what: "average path", a: number(x.average_path), b: number(y.average_path) },
      { what: "longest path", a: number(x.longest_path), b: number(y.longest_path) },
      { what: "destinations per channel", a: number(x.max_destinations_per_channel), b: number(y.max_destinations_per_channel) },
      { what: "flows that do not arrive", a: number(x.undelivered), b: number(y.undelivered) },
    ];
    this.result.replaceChildren(...head, facts([
      ["cables gone", number(f.links_taken)],
      ["pairs lost", number(f.pairs_lost)],
      ...(f.entries ? [["entries changed", `${number(f.entries_changed!)} of ${number(f.entries)}, ${percent(f.entries_changed! / f.entries)}`] as [string, string]] : []),
    ]), table("before-and-after", "Before and after", [{ title: "", sort: (r) => r.what, isText: true }, { title: "before", sort: (r) => r.a }, { title: "after", sort: (r) => r.b }], rows),
      y.counterexample ? verdictLine(false, y.counterexample) : "");
    app.say(`${f.links_taken} cables gone, ${f.pairs_lost} pairs lost, ${f.entries_changed ?? 0} entries changed, maximum load ${number(x.max_load)} before, ${number(y.max_load)} after`);
  }
}
