// The explorer: one drawing, one panel, and the state in the address.
import "../base/theme.css";
import "../charts/charts.css";
import "./explorer.css";
import { h } from "../base/dom";
import { number } from "../base/format";
import { themeButton } from "../base/theme";
import { Answer, ask, Body, Refused, upload, useToken } from "./api";
import { App, EngineInfo, Listed, Panel } from "./app";
import { Fabric, MapData } from "../map/fabric";
import { renewed, Target } from "../map/hit";
import { legend } from "../map/legend";
import { Colours, Marks } from "../map/paint";
import { BreakPanel } from "./panel_break";
import { CountersPanel } from "./panel_counters";
import { FabricPanel } from "./panel_fabric";
import { LoadPanel } from "./panel_load";
import { PathPanel } from "./panel_path";
import { ProgramPanel } from "./panel_program";
import { ProvePanel } from "./panel_prove";
import { SimulatePanel } from "./panel_simulate";
import { TimePanel } from "./panel_time";
import { button, fileField, refused, save, select } from "./parts";
import { fitMargin, fitted, View } from "../map/scene";
import { afresh, fileName, fromAddress, State, Tab, toAddress } from "./state";
import { TabList } from "./tabs";
import { FabricView } from "./view";
import { inWords } from "../map/words";

const panels: Record<Tab, Panel> = {
  fabric: new FabricPanel(), load: new LoadPanel(), path: new PathPanel(), break: new BreakPanel(), counters: new CountersPanel(), prove: new ProvePanel(), simulate: new SimulatePanel(), time: new TimePanel(), program: new ProgramPanel(),
};

type DrawResult = MapData & { notation: string };

class Explorer implements App {
  state: State;
  fabric: Fabric | null = null;
  engines: App["engines"] = [];
  patterns: App["patterns"] = [];
  collectives: App["collectives"] = [];
  notation = "";
  families: App["families"] = [];
  private readonly views: FabricView[] = [];
  private readonly captions = [0, 1].map(() => h("p", { class: "caption" }));
  private readonly colours: (Colours | null)[] = [null, null];
  private readonly legend = h("div", { class: "legend-place" });
  private readonly status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  private readonly commands = h("ul", { class: "commands" });
  private readonly matrix = h("div", { class: "matrix-place", hidden: true });
  private readonly stage = h("div", { class: "stage" });
  private readonly panel = h("div", { class: "panel-body", role: "tabpanel", id: "panel", tabindex: 0 });
  private readonly tabs = new TabList((tab) => this.update({ tab }));
  private readonly routing = h("div", { class: "controls routing" });
  private readonly input = h("input", { id: "fabric", name: "fabric", "aria-label": "Fabric: a notation, or a file dropped on the page", spellcheck: "false", autocomplete: "off" });
  private loading = new AbortController();
  private refreshing = new AbortController();
  private shownTab: Tab | null = null;

  constructor() {
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    if (token) localStorage.setItem("token", token);  // for other windows too, since it goes from the address
    useToken(localStorage.getItem("token") ?? "");
    this.state = fromAddress(location.hash);
    if (token) history.replaceState(null, "", toAddress(this.state));
    this.build();
    addEventListener("hashchange", () => this.open(fromAddress(location.hash)));
    void this.busily(() => this.begin());
  }

  // --- what panels ask for ---------------------------------------------------------------------------------

  update(patch: Partial<State>): void { this.open({ ...this.state, ...patch }); }

  routed(extra: Body = {}): Body {
    const { engine, paths, tables } = this.state;
    return { ...this.subject(), ...(tables ? { tables } : { engine, ...(paths ? { paths } : {}) }), ...extra };
  }
  get router(): string { return this.state.tables ? fileName(this.state.tables) : this.state.engine; }

  take(files: FileList | null, use: (name: string) => void): void {
    const file = files?.[0];
    if (!file) return;
    this.say(`Reading ${file.name}`);
    upload(file).then(use, (error) => this.fail(error));
  }

  async ask<T>(verb: string, extra: Body, signal: AbortSignal): Promise<Answer<T>> {
    const answer = await ask<T>(verb, verb === "describe" ? extra : this.routed(extra), signal);
    this.told(answer.command);
    return answer;
  }

  told(command: string): void {
    if ([...this.commands.children].some((line) => line.firstChild?.textContent === command)) return;
    const copy = button("Copy", () => { void navigator.clipboard?.writeText(command); this.say("Copied"); }, { "aria-label": `Copy: ${command}` });
    this.commands.append(h("li", {}, h("code", {}, command), copy));
  }

  say(text: string): void { this.status.textContent = text; }

  colour(values: ArrayLike<number> | null, most: number, unit: string, which = 0): void {
    this.colours[which] = values ? new Colours(values, most, unit) : null;
    this.views[which]?.paintBy(this.colours[which]!);
    this.showSelection();
    if (which === 0) this.legend.replaceChildren(values ? legend(this.colours[0]!) : "");
  }
  mark(marks: Marks, which = 0): void { this.views[which]!.mark(marks); if (this.views[1] && which === 0) this.views[1].mark(marks); }
  caption(text: string, which = 0): void { this.captions[which]!.textContent = text; }

  zoomToChannels(channels: number[]): void {
    this.views[0]!.zoomToNodes(channels.flatMap((c) => [this.fabric!.nodeOf[c]!, this.fabric!.nodeOf[this.fabric!.reverse(c)]!]));
  }

  split(second: string | null): void {
    if ((this.views.length > 1) === (second !== null)) return;
    if (second === null) {
      this.views.pop()!.element.parentElement!.remove();
    } else {
      this.views.push(this.addView("The same fabric with the second engine"));
      if (this.fabric) this.views[1]!.show(this.fabric, null);
    }
    this.stage.classList.toggle("split", second !== null);
    this.stage.classList.toggle("stacked", second !== null && this.isBetterStacked());
    this.views.forEach((view) => (this.state.view ? view.look(this.state.view) : view.fit()));
  }

  // Whether two drawings are larger one below the other than one beside the other.
  private isBetterStacked(): boolean {
    if (!this.fabric) return false;
    const { clientWidth: width, clientHeight: height } = this.stage, { fabric } = this;
    return fitted(fabric, fabric.box, width, height / 2 - fitMargin).scale > fitted(fabric, fabric.box, width / 2, height - fitMargin).scale;
  }

  showMatrix(matrix: HTMLElement | null): void {
    this.matrix.replaceChildren(...(matrix ? [matrix] : []));
    this.matrix.hidden = matrix === null;
    this.stage.classList.toggle("has-matrix", matrix !== null);
  }

  // --- what is opened --------------------------------------------------------------------------------------

  private async begin(): Promise<void> {
    try {
      const [patterns, families] = await Promise.all([ask<Record<"patterns" | "collectives", Listed[]>>("patterns", {}), ask<{ topologies: App["families"] }>("topologies", {})]);
      this.patterns = patterns.result.patterns;
      this.collectives = patterns.result.collectives;
      this.families = families.result.topologies;
      await this.draw();
    } catch (error) {
      this.fail(error);
    }
  }

  private open(next: State): void {
    const before = this.state;
    this.state = next;
    const isNew = next.fabric !== before.fabric;
    if (!next.engine && !isNew) next.engine = this.fitting() || before.engine;
    if (isNew && next.view === before.view) next.view = null;
    history.replaceState(null, "", toAddress(next));
    if (isNew) return void this.busily(() => this.draw());
    if (next.without.join() !== before.without.join()) return void this.busily(() => this.redraw());
    if (next.every !== before.every) this.views.forEach((view) => view.showEvery(next.every));
    const isMoved = next.view !== before.view;
    if (isMoved) this.views.forEach((view) => (next.view ? view.look(next.view) : view.fit()));
    const same = { ...next, view: null, every: false }, was = { ...before, view: null, every: false };
    if (JSON.stringify(same) !== JSON.stringify(was)) void this.busily(() => this.refresh());
  }

  private pending = 0;
  private async busily(work: () => Promise<void>): Promise<void> {
    ++this.pending;
    document.body.setAttribute("aria-busy", "true");
    try {
      await work();
    } finally {
      if (--this.pending === 0) document.body.removeAttribute("aria-busy");
    }
  }

  private async draw(): Promise<void> {
    this.loading.abort();
    this.refreshing.abort();
    const loading = this.loading = new AbortController();
    const name = fileName(this.state.fabric);
    this.input.value = name;
    document.title = `${name} \u2013 Banyan`;
    this.selected = null;
    this.showSelection();
    try {
      const engines = this.listEngines(loading.signal);
      engines.catch(() => undefined);  // where the fabric cannot be drawn either, that is said
      const { result, command } = await ask<DrawResult>("draw", this.subject(), loading.signal);
      this.fabric = new Fabric(result);
      this.notation = result.notation;
      this.split(null);
      this.colour(null, 0, "");
      this.views[0]!.show(this.fabric, this.state.view);
      this.views[0]!.showEvery(this.state.every);
      this.say(`${result.notation || name}: ${number(result.hosts)} hosts, ${number(result.switches)} switches, ${number(result.links)} cables`);
      await engines;
      if (!this.state.engine) this.state.engine = this.fitting();
      await this.refresh();
      this.told(command);
    } catch (error) {
      if (!loading.signal.aborted) this.fail(error);
    }
  }

  // Cables are gone, or back; nothing moves.
  private async redraw(): Promise<void> {
    this.loading.abort();
    const loading = this.loading = new AbortController();
    try {
      const [{ result }] = await Promise.all([ask<DrawResult>("draw", this.subject(), loading.signal), this.listEngines(loading.signal)]);
      if (loading.signal.aborted) return;
      this.fabric?.setTaken(result.taken);
      this.showSelection();
      const why = this.engines.find((e) => e.name === this.state.engine)?.why;
      if (why && !this.state.tables) {
        this.say(`${why}; ${this.fitting()} routes this one`);
        this.state = { ...this.state, engine: this.fitting(), paths: "" };
        history.replaceState(null, "", toAddress(this.state));
      }
      this.views.forEach((view) => view.invalidate());
      await this.refresh();
    } catch (error) {
      if (!loading.signal.aborted) this.fail(error);
    }
  }

  private subject(): Body {
    const { fabric, without } = this.state;
    return { fabric, ...(without.length ? { without } : {}) };
  }

  private async listEngines(signal: AbortSignal): Promise<void> {
    const { fabric, ...rest } = this.subject();
    const { result } = await ask<{ engines: EngineInfo[] }>("engines", { for: fabric, ...rest }, signal);
    if (!signal.aborted) this.engines = result.engines;
  }
  // The first that cannot deadlock: one for fabrics like this, else one for any that takes shortest paths.
  private fitting(): string {
    const safe = this.engines.filter((e) => e.applies && e.deadlock_free);
    return (safe.find((e) => !e.any_graph || e.minimal) ?? safe[0])?.name ?? "";
  }

  private fail(error: unknown): void {
    const text = error instanceof Refused || error instanceof Error ? error.message : String(error);
    this.panel.replaceChildren(refused(text));
    this.say(text);
  }

  private async refresh(): Promise<void> {
    this.refreshing.abort();
    const refreshing = this.refreshing = new AbortController();
    const { tab } = this.state;
    if (this.shownTab !== null && this.shownTab !== tab) panels[this.shownTab].leave?.(this);
    this.shownTab = tab;
    this.tabs.show(tab);
    this.panel.setAttribute("aria-labelledby", `tab-${tab}`);
    this.commands.replaceChildren();
    const focused = document.activeElement?.id;
    this.showRouting();
    if (this.panel.firstChild !== panels[tab].element) this.panel.replaceChildren(panels[tab].element);
    if (!this.fabric) return;
    try {
      const refreshed = panels[tab].refresh(this, refreshing.signal);
      this.focusAgain(focused);
      await refreshed;
      this.focusAgain(focused);
    } catch (error) {
      if (!refreshing.signal.aborted) this.fail(error);
    }
  }

  // Fields that are made anew keep the focus; whose field went away goes on in the panel.
  private focusAgain(id: string | undefined): void {
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const again = id ? document.getElementById(id) : null;
    if (again) again.focus({ preventScroll: true });
  }

  private showRouting(): void {
    this.routing.hidden = this.state.tab === "fabric";
    const name = this.state.engine.split(":")[0]!;
    const known = this.engines.filter((e) => e.applies || e.name === name).map((e) => ({ value: e.name, label: `${e.name} \u2013 ${e.applies ? e.summary : e.why}` }));
    const { tables } = this.state, listed = known.some((k) => k.value === name) ? known : [{ value: name, label: name }, ...known];
    const choices = tables ? [{ value: "", label: `none: the tables of ${fileName(tables)}` }, ...listed] : listed;
    this.routing.replaceChildren(
      select("engine", "Engine", choices, tables ? "" : name, (v) => v && this.update({ engine: v, paths: "", tables: "" })),
      fileField("tables", "or tables", tables, "a dump of OpenSM, or a folder on the server", (v) => this.update({ tables: v }), (files) => this.take(files, (v) => this.update({ tables: v }))));
  }

  // --- what is clicked -------------------------------------------------------------------------------------

  private clicked(target: Target): void {
    const { state, fabric } = this;
    if (!fabric || target.kind === "group") return;
    if (target.kind === "cable" || fabric.isSwitch(target.node)) {
      const fault = target.kind === "cable" ? fabric.faultOf(target.cable) : `switch=${fabric.name(target.node)}`;
      if (target.kind === "cable" && fabric.isBroken(target.cable) && !state.without.includes(fault))
        return this.say(`${fabric.cableName(target.cable)} is broken together with others: undo it in the list`);
      if (state.tab === "break")
        return this.update({ without: state.without.includes(fault) ? state.without.filter((f) => f !== fault) : [...state.without, fault] });
      return this.offer(target, fault);
    }
    const name = fabric.name(target.node).replace(/\.r\d+$/, "");
    const starts = !state.from || (state.from && state.to);
    this.update(starts ? { tab: "path", from: name, to: "" } : name === state.from ? { from: "" } : { tab: "path", to: name });
  }

  private selected: { target: Target; fault: string } | null = null;
  private offer(target: Target, fault: string): void {
    this.selected = { target, fault };
    this.showSelection();
    this.say(this.describe(target));
  }
  // What was clicked, with the numbers of now.
  private showSelection(): void {
    const box = this.stage.querySelector(".selection"), { selected } = this;
    if (!selected || !this.fabric) return box?.remove();
    const text = this.describe(renewed(this.fabric, selected.target));
    if (box) return void (box.firstElementChild!.textContent = text);
    const close = (): void => { this.selected = null; this.showSelection(); };
    this.stage.append(h("div", { class: "selection" }, h("span", {}, text),
      button("Break it", () => { close(); this.update({ tab: "break", without: [...this.state.without, selected.fault] }); }), button("Close", close)));
  }

  private describe(target: Target, which = 0): string {
    const colours = this.colours[which];
    return inWords(this.fabric!, target, colours?.values, colours?.unit) + (target.kind === "group" ? " \u2013 click to open" : "");
  }

  // --- the page --------------------------------------------------------------------------------------------

  private addView(label: string): FabricView {
    const which = this.views.length;
    const view: FabricView = new FabricView({ moved: (v: View | null) => this.moved(view, v), clicked: (t) => this.clicked(t), describe: (t) => this.describe(t, which), tell: (text) => this.say(text) }, label);
    this.stage.insertBefore(h("div", { class: "cell" }, this.captions[this.views.length]!, view.element), this.matrix);
    return view;
  }
  private moved(by: FabricView, view: View | null): void {
    for (const other of this.views) if (other !== by) view ? other.look(view) : other.fit();
    this.state = { ...this.state, view: view ? { ...view } : null };
    history.replaceState(null, "", toAddress(this.state));
  }

  private build(): void {
    const file = h("input", { type: "file", id: "file", hidden: true });
    const opened = (name: string): void => this.update({ fabric: name, ...afresh });
    file.addEventListener("change", () => this.take(file.files, opened));
    const form = h("form", { class: "fabric-form", role: "search" }, this.input, h("button", { type: "submit", class: "primary" }, "Draw"), button("Open a file", () => file.click()), file);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = this.input.value.trim(), fabric = typed === fileName(this.state.fabric) ? this.state.fabric : typed;
      if (fabric) this.update({ fabric, ...afresh });
    });
    const every = h("input", { type: "checkbox", id: "every", checked: this.state.every });
    every.addEventListener("change", () => this.update({ every: every.checked }));
    const tools = h("div", { class: "tools" }, button("Fit", () => this.views.forEach((v) => v.fitByHand()), { title: "Show all of it (0)" }),
      h("label", { class: "check" }, every, "every cable"), button("PNG", () => { void this.views[0]!.png().then((b) => save("fabric.png", b)); }),
      button("SVG", () => save("fabric.svg", new Blob([this.views[0]!.svg()], { type: "image/svg+xml" }))),
      button("Link", () => { void navigator.clipboard?.writeText(location.href); this.say("The address of this view is copied"); }));
    this.stage.append(this.matrix, this.legend, tools);
    this.views.push(this.addView("The fabric"));
    document.body.replaceChildren(
      h("header", { class: "topbar" }, h("h1", {}, "Banyan"), form, themeButton()),
      h("main", { class: "explorer" }, this.stage, h("aside", { class: "side", "aria-label": "What is asked" }, this.tabs.element, this.routing, this.panel,
        h("section", { class: "same" }, h("h2", {}, "The same on the command line"), this.commands))),
      h("p", { id: "view-help", class: "hidden" }, "Arrow keys move, plus and minus zoom, 0 shows all of it, n and p step through groups, switches and hosts and tell what they are, c through the cables of the one stepped to, Enter opens or picks the one stepped to, or else what is in the middle. Everything can also be done by the fields beside it."),
      this.status);
    addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
    addEventListener("dragleave", () => document.body.classList.remove("dropping"));
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      this.take(event.dataTransfer?.files ?? null, opened);
    });
  }

  get isSettled(): boolean { return this.pending === 0 && this.views.every((v) => v.isSettled); }
  get drawing(): FabricView { return this.views[0]!; }
}

// For whoever looks at the page from a console, or tests it.
(window as unknown as { explorer: Explorer }).explorer = new Explorer();
