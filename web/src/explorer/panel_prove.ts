// The verdict for all pairs and for all shifts, and the counterexample in the drawing.
import { h } from "../base/dom";
import { Check, CheckShifts } from "../base/answers";
import { number } from "../base/format";
import { App, Panel } from "./app";
import { noMarks } from "../map/paint";
import { button, facts, verdictLine, waiting } from "./parts";

export class ProvePanel implements Panel {
  private readonly result = h("div");
  private readonly shifts = h("div");
  readonly element = h("div", {}, this.result, this.shifts);

  async refresh(app: App, signal: AbortSignal): Promise<void> {
    app.colour(null, 0, "");
    app.mark(noMarks);
    this.result.replaceChildren(waiting("Judging all pairs \u2026"));
    this.shifts.replaceChildren();
    const { result: v } = await app.ask<Check>("check", {}, signal);
    if (signal.aborted) return;
    const { yes } = v;
    this.result.replaceChildren(
      h("p", { class: "headline" }, h("b", { class: yes ? "yes" : "no" }, yes ? "Yes" : "No"), ` for ${app.router}, all ${number(v.pairs)} pairs`),
      h("ul", { class: "verdict" },
        verdictLine(v.reachable, v.reachable ? "every pair is connected" : `${number(v.failing_pairs)} pairs do not arrive`), verdictLine(v.loop_free, v.loop_free ? "no packet goes in circles" : "packets go round in a loop"),
        verdictLine(v.deadlock_free, v.deadlock_free ? `no packets wait for each other in a circle, on ${v.lanes} lane${v.lanes === 1 ? "" : "s"}` : "packets can wait for each other in a circle"),
        verdictLine(v.minimal, v.minimal ? "every path is a shortest one" : `${number(v.longer_pairs)} pairs take longer paths, by up to ${v.longest_excess} channels`)),
      facts([["paths", `${v.longest_path} channels at most, ${number(v.average_path)} on average`]]), ...this.evidence(app, v));
    app.say(yes ? `${app.router}: yes` : `${app.router}: no. ${v.counterexample ?? ""}`);
    this.shifts.replaceChildren(button("Decide all shifts too", () => { void this.decideShifts(app, signal); }, { id: "decide-shifts" }));
  }

  private evidence(app: App, v: Check): HTMLElement[] {
    return v.evidence.map((e) => {
      const show = (): void => { app.mark({ paths: [{ channels: e.channels, kind: "cycle" }], nodes: [] }); app.zoomToChannels(e.channels); };
      app.mark({ paths: [{ channels: e.channels, kind: "cycle" }], nodes: [] });
      const name = (nic: number | null | undefined): string => (nic === null || nic === undefined ? "?" : app.fabric!.name(nic));
      const lines = e.channels.map((c, i) => e.kind === "deadlock"
        ? `${app.fabric!.portName(c)} lane ${e.lanes[i]} waits for ${app.fabric!.portName(e.channels[(i + 1) % e.channels.length]!)} (a packet from ${name(e.sources[i])} to ${name(e.destinations[i])})`
        : `${app.fabric!.portName(c)} \u2192 ${app.fabric!.portName(app.fabric!.reverse(c))}`);
      const title = e.kind === "deadlock" ? "The circle" : e.kind === "loop" ? `From ${name(e.sources[0])} to ${name(e.destinations[0])}: a loop` : `From ${name(e.sources[0])} to ${name(e.destinations[0])}: lost`;
      return h("section", { class: "evidence" }, h("h2", {}, title), h("ol", { class: "hops" }, ...lines.map((line) => h("li", {}, line))), button("Show it", show));
    });
  }

  private async decideShifts(app: App, signal: AbortSignal): Promise<void> {
    this.shifts.replaceChildren(waiting("Deciding all shifts \u2026"));
    try {
      const { result: r } = await app.ask<CheckShifts>("check", { shifts: true }, signal);
      this.shifts.replaceChildren(h("ul", { class: "verdict" }, verdictLine(r.shift_contention_free,
        r.shift_contention_free ? "no channel carries two flows in any shift" : `shift ${r.worst_shift} puts a load of ${number(r.worst_shift_load)} on ${r.worst_channel ?? "a channel"}`)),
        r.shift_contention_free ? "" : button("See this shift", () => app.update({ tab: "load", traffic: `shift:${r.worst_shift}` })));
    } catch (error) {
      if (!signal.aborted) this.shifts.replaceChildren(h("p", { class: "refused", role: "alert" }, (error as Error).message));
    }
  }
}
