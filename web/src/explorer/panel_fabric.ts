// What the fabric is, and others to look at.
import { Describe } from "../base/answers";
import { h } from "../base/dom";
import { number, percent } from "../base/format";
import { App, Panel } from "./app";
import { button, facts, waiting } from "./parts";

export class FabricPanel implements Panel {
  readonly element = h("div");
  async refresh(app: App, signal: AbortSignal): Promise<void> {
    app.colour(null, 0, "");
    const list = h("ul", { class: "examples" }, ...app.families.map(({ example, summary }) =>
      h("li", {}, button(example, () => app.update({ fabric: example, without: [], engine: "", other: "", from: "", to: "", view: null })), h("small", {}, summary))));
    const rest = [h("h2", {}, "Others to look at"), list,
      h("p", { class: "remark" }, "Or type a notation above, or drop a file on the page: ibnetdiscover, JSON, a cabling CSV.")];
    this.element.replaceChildren(waiting("Measuring \u2026"), ...rest);
    const { result: d } = await app.ask<Describe>("describe", { fabric: app.state.fabric, without: app.state.without }, signal);
    this.element.replaceChildren(facts([
      ...(d.notation && d.notation !== app.state.fabric ? [["shape", d.notation] as [string, string]] : []),
      ["family", d.family], ["hosts", number(d.hosts) + (d.rails > 1 ? `, ${d.rails} NICs each` : "")],
      ["switches", number(d.switches) + (d.switches_per_level.length > 1 ? `, ${d.switches_per_level.map(number).join(" + ")} from the leaves up` : "")],
      ["ports", d.switch_ports_min === d.switch_ports_max ? number(d.switch_ports_max) : `${d.switch_ports_min} to ${d.switch_ports_max}`],
      ["cables", number(d.links) + (d.missing_links ? `; ${number(d.missing_links)} missing` : "")],
      ["diameter", `${d.diameter} channels, ${number(d.average_distance)} on average`],
      ["shortest paths", `up to ${number(d.shortest_paths_max)} between two hosts`],
      ["bisection", `${number(d.bisection_links)} cables, ${percent(Math.min(1, d.bisection_ratio))} of full${d.bisection_exact ? "" : " (best cut found)"}`],
      ...(d.unreachable_pairs ? [["unreachable", `${number(d.unreachable_pairs)} pairs of hosts`] as [string, string]] : []),
      ...(d.rlft === null ? [] : [["RLFT", d.rlft ? "yes" : `no: ${d.rlft_failed.join("; ")}`] as [string, string]]),
    ]), ...rest);
  }
}
