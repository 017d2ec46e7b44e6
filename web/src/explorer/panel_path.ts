// The paths of two hosts: every shortest one, those that the engine takes, and why.
import { h } from "../base/dom";
import { Path } from "../base/answers";
import { csv, downloadButton } from "../base/download";
import { number, percent } from "../base/format";
import { App, Panel } from "./app";
import { noMarks } from "../map/paint";
import { button, facts, field, waiting } from "./parts";

// With the reasons and the shortest paths that are asked for.
type Paths = Omit<Required<Path>, "paths"> & { paths: Required<Path["paths"][number]>[] };

export class PathPanel implements Panel {
  private readonly result = h("div");
  private readonly controls = h("div", { class: "controls" });
  readonly element = h("div", {}, this.controls, this.result);

  async refresh(app: App, signal: AbortSignal): Promise<void> {
    const { from, to } = app.state;
    app.colour(null, 0, "");
    this.controls.replaceChildren(
      field("from", "From host", from, (v) => app.update({ from: v }), { placeholder: "h0" }),
      field("to", "to host", to, (v) => app.update({ to: v }), { placeholder: "h63" }),
      button("Swap", () => app.update({ from: to, to: from })));
    const ends = [from, to].flatMap((name) => { const node = name ? app.fabric!.find(name) : undefined; return node === undefined ? [] : [{ node, label: app.fabric!.name(node) }]; });
    app.mark({ paths: [], nodes: ends });
    if (!from || !to) {
      this.result.replaceChildren(h("p", { class: "remark" }, from ? "Now click the host that receives." : "Click two hosts in the drawing, or type their names. Zoom in until hosts can be seen."));
      return;
    }
    this.result.replaceChildren(waiting("Following \u2026"));
    const { result } = await app.ask<Paths>("path", { source: from, destination: to, why: true, all: 128 }, signal);
    if (signal.aborted) return;
    // All that are chosen; the one that is open in the list stands out.
    const mark = (open: number | null): void => app.mark({
      paths: [...result.shortest.map((channels) => ({ channels, kind: "other" as const })),
              ...result.paths.slice(0, 64).map((p) => ({ channels: p.channels, kind: "chosen" as const })),
              ...result.paths.filter((_, i) => i === open).map((p) => ({ channels: p.channels, kind: "hot" as const }))], nodes: ends });
    mark(null);
    const list = result.paths.slice(0, 32).map((path, i) => {
      const hops = h("ol", { class: "hops" }, ...path.channels.map((c, k) =>
        h("li", {}, h("b", {}, `${app.fabric!.portName(c)} \u2192 ${path.names[k + 1]}`), h("br"), path.reasons[k] ?? "")));
      const details = h("details", { class: "path", open: i === 0 }, h("summary", {}, `Path ${number(path.index)}`,
        h("small", {}, ` ${path.channels.length} channels${result.paths.length > 1 ? `, ${percent(path.weight)} of the traffic` : ""}`), path.arrives ? "" : h("span", { class: "no" }, " does not arrive")), hops);
      details.addEventListener("toggle", () => mark(details.open && result.paths.length > 1 ? i : null));
      return details;
    });
    this.result.replaceChildren(facts([["shortest paths", number(result.shortest_paths) + (result.shortest.length < result.shortest_paths ? `, ${result.shortest.length} drawn` : ", all drawn")],
      [app.router, `takes ${result.paths.length === 1 ? "one" : number(result.paths.length)}`]]), ...list,
      downloadButton("CSV", "hops.csv", () => csv([["path", "from", "to", "why"], ...result.paths.flatMap((p) => p.channels.map((c, k) => [p.index, app.fabric!.portName(c), p.names[k + 1]!, p.reasons[k] ?? ""]))])));
    app.say(`${from} to ${to}: ${app.router} takes ${result.paths.length} of ${result.shortest_paths} shortest paths. ${result.paths[0]?.reasons.join(". ") ?? ""}`);
  }

  leave(app: App): void { app.mark(noMarks); }
}
