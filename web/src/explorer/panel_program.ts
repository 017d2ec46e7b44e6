// A program whose ranks wait for each other: how long it takes, what its ranks do in the course of time, and, at the time of a
// slider, what each channel carries.
import { TimeProgram } from "../base/answers";
import { h, responsive } from "../base/dom";
import { bytes, counted, duration, number, percent } from "../base/format";
import { moveCursor, programCourse, rowsInWords } from "../charts/course";
import { noMarks } from "../map/paint";
import { ask, Body } from "./api";
import { App, Panel } from "./app";
import { button, facts, field, fileField, refused, select, table, waiting } from "./parts";
import { momentSteps } from "./state";

type Picture = NonNullable<TimeProgram["picture"]>;
type Moment = NonNullable<TimeProgram["moments"]>[number];

const levels = [
  { value: "fluid", label: "fluid \u2013 messages share channels" },
  { value: "loggops", label: "loggops \u2013 a formula for each message" },
  { value: "flit", label: "flit \u2013 simulated, packet by packet" },
];
const placements = ["linear", "random"];
const maxNumbers = 300_000;  // of an answer about several moments
const gigabits = (rate: number): number => (8 * rate) / 1e9;

export class ProgramPanel implements Panel {
  private readonly controls = h("div", { class: "controls" });
  private readonly answer = h("div");
  private readonly course = h("div", { "data-figure": "course" });
  private readonly range = h("input", { type: "range", id: "moment", min: 0, max: momentSteps, step: 1, "aria-label": "time of the run" });
  private readonly told = h("p", { class: "remark", "aria-live": "off" });
  private readonly slider = h("div", { class: "slider" }, this.range, this.told);
  private readonly details = h("div");
  readonly element = h("div", {}, this.controls, this.answer, this.course, this.slider, this.details);
  private kept: { key: string; command: string; found: TimeProgram; blocks: Map<number, { command: string; moments: Moment[] }>; top: number } | null = null;  // top: Gbit/s, of the scale of colours

  async refresh(app: App, signal: AbortSignal): Promise<void> {
    app.mark(noMarks);
    this.showControls(app);
    if (!app.state.program) return this.showHint(app);
    try {
      const found = await this.timed(app, signal);
      if (!signal.aborted) await this.showMoment(app, found, signal);
    } catch (error) {  // what was asked stays on the page, to be mended
      if (signal.aborted) return;
      this.answer.replaceChildren(refused((error as Error).message));
      app.say((error as Error).message);
    }
  }

  private showControls(app: App): void {
    const { state } = app;
    const choose = (program: string): void => app.update({ program });
    const made = app.collectives.map((c) => ({ value: c.name === "barrier" ? c.name : `${c.name}:bytes=1MiB`, label: `${c.name} \u2013 ${c.summary}` }));
    const steps = [{ value: "step:tensor=8,pipeline=2,layers=8,hidden=1024", label: "step \u2013 a step of training" }];
    const where = placements.includes(state.placement) ? placements : [...placements, state.placement];
    this.controls.replaceChildren(
      select("made", "Program", [{ value: "", label: "a file, or as written" }, ...steps, ...made], [...steps, ...made].some((m) => m.value === state.program) ? state.program : "", (v) => v && choose(v)),
      fileField("program", "as written", state.program, "FILE.goal, FILE.et, or allreduce:bytes=1MiB", choose, (files) => app.take(files, choose)),
      select("level", "Level", levels, state.level, (level) => app.update({ level })),
      select("placement", "Placement", where.map((value) => ({ value, label: value })), state.placement, (placement) => app.update({ placement })),
      field("ranks", "Ranks", state.ranks, (ranks) => app.update({ ranks }), { size: "7", placeholder: "all hosts" }),
      field("link-speed", "Link, Gbit/s", state.speed, (speed) => app.update({ speed }), { inputmode: "decimal", size: "7", placeholder: "400" }));
    this.range.oninput = () => app.update({ moment: this.range.value });
  }

  private showHint(app: App): void {
    app.colour(null, 0, "");
    this.hideCourse();
    this.answer.replaceChildren(h("p", { class: "remark" }, "A program is what ranks do as a graph: compute, send, receive, each when what it waits for has ended. Open a file in GOAL or a Chakra trace, or choose a collective or a step of training. A slider then goes through the time of its run, and channels are coloured by what they carry."));
  }
  private hideCourse(): void {
    this.course.replaceChildren();
    this.details.replaceChildren();
    this.slider.hidden = true;
  }

  private body(app: App): Body {
    const { program, level, placement, ranks, speed } = app.state;
    return { program, level, placement, ...(speed ? { link: `${speed}G` } : {}), ...(ranks ? { ranks } : {}) };
  }

  // The run as a whole; it is asked for again only where something else is asked.
  private async timed(app: App, signal: AbortSignal): Promise<TimeProgram> {
    const body = { ...this.body(app), ...(app.state.level === "flit" ? {} : { picture: true }) }, key = JSON.stringify(app.routed(body));
    if (this.kept?.key === key) {
      app.told(this.kept.command);
      return this.kept.found;
    }
    this.kept = null;
    this.hideCourse();
    app.colour(null, 0, "");
    this.answer.replaceChildren(waiting("Running the program \u2026"));
    const { result, command } = await app.ask<TimeProgram>("time", body, signal);
    if (signal.aborted) return result;
    this.kept = { key, command, found: result, blocks: new Map(), top: gigabits(result.link) };
    this.show(app, result);
    return result;
  }

  private show(app: App, found: TimeProgram): void {
    const { seconds, critical_path_seconds: path, picture } = found;
    const lines: [string, string][] = [
      ["critical path", `${duration(path)}, ${percent(seconds > 0 ? path / seconds : 1)}`],
      ...(found.exposed_share === undefined ? [] : [["ranks compute nothing in", `${percent(found.exposed_share)} of the time`] as [string, string]]),
      ["ranks", number(found.ranks)], ["messages", `${number(found.messages)}, ${bytes(found.bytes)} in all`], ["level", found.level]];
    this.answer.replaceChildren(h("p", { class: "headline" }, h("b", {}, duration(seconds)), " until the last operation has ended"), facts(lines));
    app.say(`${app.state.program}: ${duration(seconds)}, critical path ${duration(path)}`);
    if (picture) this.showCourse(app, { ...found, picture });
  }

  private showCourse(app: App, found: TimeProgram & { picture: Picture }): void {
    const { picture } = found;
    this.course.replaceChildren(h("p", { class: "remark" }, `What ranks do in the course of time, ${rowsInWords(picture.ranks_of_row)}.`),
      responsive((width) => programCourse(found, width, found.level === "fluid" ? this.share(app) : undefined)));
    const see = (link: Picture["links"][number]): HTMLElement => {
      const channel = app.fabric!.channelAt(link.port), name = link.port ? `${link.port} to ${link.to}` : link.from;
      return button(name, () => { app.mark({ paths: [{ channels: [channel!], kind: "hot" }], nodes: [] }); app.zoomToChannels([channel!]); }, { class: "link", disabled: channel === undefined });
    };
    this.details.replaceChildren(
      ...(picture.links.length ? [table("links", "Links that held the chain up, the worst first", [
        { title: "link", sort: (r) => r.port, show: see, isText: true }, { title: "held up", sort: (r) => r.seconds, show: (r) => duration(r.seconds) }], picture.links)] : []),
      table("chain", `The chain that decided the end: ${counted(picture.chain_steps, "step")}`, [
        { title: "begin", sort: (r) => r.begin, show: (r) => duration(r.begin) }, { title: "lasts", sort: (r) => r.seconds, show: (r) => duration(r.seconds) },
        { title: "rank", sort: (r) => r.rank }, { title: "operation", sort: (r) => r.operation, isText: true }], picture.chain, 8));
  }

  private share(app: App): number { return Math.min(momentSteps, Math.max(0, Number(app.state.moment) || 0)) / momentSteps; }

  private async showMoment(app: App, found: TimeProgram, signal: AbortSignal): Promise<void> {
    const isFluid = found.level === "fluid", step = Math.round(this.share(app) * momentSteps), time = (found.seconds * step) / momentSteps;
    this.slider.hidden = !isFluid;
    if (!isFluid) return app.colour(null, 0, "");
    this.range.value = String(step);
    this.range.setAttribute("aria-valuetext", duration(time));
    moveCursor(this.course, this.share(app));
    const moment = await this.momentAt(app, found, step, signal);
    if (!signal.aborted && moment) this.colour(app, moment);
  }

  // Asked for together with its neighbours, as many as an answer may hold; the command shown is that of the one.
  private async momentAt(app: App, found: TimeProgram, step: number, signal: AbortSignal): Promise<Moment | undefined> {
    const size = Math.max(1, Math.min(momentSteps + 1, Math.floor(maxNumbers / app.fabric!.drawn.channels))), block = Math.floor(step / size);
    const steps = Array.from({ length: Math.min(size, momentSteps + 1 - block * size) }, (_, i) => block * size + i), { blocks } = this.kept!;
    const text = (at: number): string => `${Number(((1e9 * found.seconds * at) / momentSteps).toPrecision(12))}ns`;
    if (!blocks.has(block)) {
      const { result, command } = await ask<TimeProgram>("time", app.routed({ ...this.body(app), at: steps.map(text).join(",") }), signal);
      blocks.set(block, { command, moments: result.moments ?? [] });
    }
    const { command, moments } = blocks.get(block)!;
    if (!signal.aborted) app.told(command.replace(/--at=\S+/, `--at=${text(step)}`));
    return moments[step - block * size];
  }

  private colour(app: App, { time, flows, channels, rates }: Moment): void {
    const values = new Array<number>(app.fabric!.drawn.channels).fill(0);
    channels.forEach((channel, i) => { values[channel] = gigabits(rates[i]!); });
    const kept = this.kept!;
    kept.top = rates.reduce((a, rate) => Math.max(a, gigabits(rate)), kept.top);
    app.colour(values, kept.top, "Gbit/s");
    this.told.textContent = `At ${duration(time)}, ${counted(flows, "flow")} on ${counted(channels.length, "channel")}.`;
  }
}
