// Broken cables and switches: what re-routing costs, before and after.
import { Fail } from "../base/answers";
import { h } from "../base/dom";
import { counted, number } from "../base/format";
import { Fabric } from "../map/fabric";
import { Refused } from "./api";
import { App, Panel } from "./app";
import { noMarks } from "../map/paint";
import { Load, unitOf } from "./panel_load";
import { railField, railOptions, trafficFields } from "./traffic";
import { button, facts, field, refused, table, verdictLine, waiting } from "./parts";

// A fault in words: a cable by both of its ends, a switch with how many cables go with it.
function words(fabric: Fabric, fault: string): string {
  const [, kind, name = ""] = /^(\w+)=(.*)$/.exec(fault) ?? [];
  if (kind === "link") {
    const cable = fabric.cableAt(name);
    return `cable ${cable === undefined ? name : fabric.cableName(cable)}`;
  }
  const node = kind === "switch" || kind === "host" ? fabric.find(name) : undefined;
  if (node !== undefined) return `${kind} ${name}, ${counted(fabric.channelsOf(node).filter((c) => fabric.cableOf[c]! >= 0).length, "cable")}`;
  return fault.replace(/^links=(\d+),seed=(\d+)$/, "$1 cables at random (seed $2)");
}

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
      ...trafficFields(app), ...railField(app),
      field("random", "Cables", this.count, (v) => { this.count = String(Math.max(1, Math.floor(Number(v)) || 1)); }, { inputmode: "numeric", size: "4" }), random,
      field("fault", "or by name", "", (v) => v && app.update({ without: [...without, /[=]/.test(v) ? v : v.includes(":") ? `link=${v}` : `switch=${v}`] }), { placeholder: "s2-7 or s2-7:3" }));
    app.mark(noMarks);
    const list = h("ul", { class: "faults" }, ...without.map((fault, i) => h("li", {}, words(app.fabric!, fault), " ",
      button("Undo", () => app.update({ without: without.filter((_, k) => k !== i) }), { "aria-label": `Undo: ${words(app.fabric!, fault)}` }))));
    const damage = this.damage(app);
    if (without.length === 0) {
      app.colour(null, 0, "");
      this.result.replaceChildren(...damage, h("p", { class: "remark" }, "Nothing is broken. Click a cable or a switch in the drawing to break it; where one line stands for several cables the first of them breaks."));
      return;
    }
    const head = [...damage, list, h("p", {}, button("Undo the last", () => app.update({ without: without.slice(0, -1) })), " ", button("Repair all", () => app.update({ without: [] })))];
    this.result.replaceChildren(...head, waiting("Routing again \u2026"));
    const traffic = app.state.traffic;
    try {
      const [{ result: f }, { result: load }] = await Promise.all([
        app.ask<Fail>("fail", { traffic, samples: 100 }, signal), app.ask<Load>("load", { traffic, ...railOptions(app), channels: true, hottest: 5, samples: 100 }, signal)]);
      if (signal.aborted) return;
      app.colour(load.channel_loads!, load.hottest[0]?.load ?? 0, unitOf(load));
      this.show(app, f, head);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.result.replaceChildren(...head, refused(error.message), ...this.offers(app));
    }
  }

  // What the drawing lacks: as which shape it was recognised, and the cables by name.
  private damage(app: App): HTMLElement[] {
    const { fabric, notation, state } = app, gone = fabric!.gone();
    const shape = notation && notation !== state.fabric ? [h("p", { class: "remark", id: "recognised" }, `The shape: ${notation}.`)] : [];
    if (gone.length === 0) return shape;
    const most = 200, names = gone.slice(0, most).map((cable) => h("li", {}, fabric!.cableName(cable)));
    return [...shape, h("details", { class: "gone", open: gone.length <= 6 }, h("summary", {}, `${counted(gone.length, "cable")} missing`),
      h("ul", {}, ...names, gone.length > most ? h("li", {}, `and ${number(gone.length - most)} more`) : null))];
  }

  private offers(app: App): HTMLElement[] {
    return app.engines.filter((e) => e.applies && e.deadlock_free && e.name !== app.state.engine).slice(0, 4)
      .map(({ name: engine }) => button(`Route with ${engine}`, () => app.update({ engine, paths: "" })));
  }

  private show(app: App, f: Fail, head: HTMLElement[]): void {
    const { before: x, after: y } = f;
    const yes = (s: Fail["before"]): string => (s.yes && s.disconnected_pairs === 0 ? "yes" : "no");
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
      ["pairs lost", number(f.pairs_lost)], ...(f.host_pairs_lost === undefined ? [] : [["pairs of hosts without a rail", number(f.host_pairs_lost)] as [string, string]]),
      ...(f.entries ? [["entries changed", `${number(f.entries_changed!)} of ${number(f.entries)}, ${number((100 * f.entries_changed!) / f.entries)}\u202f%`] as [string, string]] : []),
    ]), table("before-and-after", "Before and after", [{ title: "", sort: (r) => r.what, isText: true }, { title: "before", sort: (r) => r.a }, { title: "after", sort: (r) => r.b }], rows),
      y.counterexample ? verdictLine(false, y.counterexample) : "");
    app.say(`${counted(f.links_taken, "cable")} gone, ${counted(f.pairs_lost, "pair")} lost, ${counted(f.entries_changed ?? 0, "entry", "entries")} changed, maximum load ${number(x.max_load)} before, ${number(y.max_load)} after`);
  }
}
