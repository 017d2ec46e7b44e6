// The drawing on the screen: pan, zoom, what is pointed at. While it moves the last picture is moved with it, and a
// new one is made in slices of a few milliseconds, so that no fabric is too large to move.
import { h } from "../base/dom";
import { Box, Fabric } from "../map/fabric";
import { listenTo } from "./hands";
import { cableOf, hitAt, Target } from "../map/hit";
import { Colours, Marks, noMarks, Painter, Palette, palette } from "../map/paint";
import { fitMargin, fitted, Frame, openness, Scene, View } from "../map/scene";
import { CanvasSurface, SvgSurface } from "../map/surface";

export interface Listener {
  moved(view: View | null): void;
  clicked(target: Target): void;
  describe(target: Target): string;
  tell(text: string): void;  // what keys stepped to
}

const slice = 10;  // milliseconds
const quick = 14;  // what a picture may take to be made anew for every frame of a movement
const still = 120;  // without a movement: then it is made anew in any case
const overlap = 0.2;  // of the size, drawn beyond each edge

export class FabricView {
  readonly element: HTMLElement;
  private base = h("canvas", { class: "base", "aria-hidden": "true" });
  private spare = h("canvas", { class: "base", "aria-hidden": "true" });
  private readonly over = h("canvas", { class: "over", "aria-hidden": "true" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private fabric: Fabric | null = null;
  private scene: Scene | null = null;
  private colours: Colours | null = null;
  private highlight: Marks = noMarks;
  private every = false;
  private view: View = { x: 0, y: 0, scale: 1 };
  private isFitted = true;
  private drawn: Frame | null = null;   // of the picture in `base`
  private job: { frame: Frame; steps: Generator<void>; spent: number } | null = null;
  private cost = 0;      // of the last picture, milliseconds
  private movedAt = -Infinity;
  private inks: Palette | null = null;
  private isMarked = false;
  private isScheduled = false;
  private isStale = true;
  private pointed: [number, number] | null = null;
  private cursor = -1;  // among what keys step through,
  private line = -1;    // and among the lines of what they stepped to
  private reached: Target | null = null;  // what they stepped to

  constructor(private readonly listener: Listener, label: string) {
    this.element = h("div", { class: "view", tabindex: 0, role: "application", "aria-label": label,
      "aria-roledescription": "drawing of a fabric", "aria-describedby": "view-help" }, this.base, this.over, this.tip);
    new ResizeObserver(() => { if (this.isFitted) this.fit(); this.invalidate(); }).observe(this.element);
    new MutationObserver(() => { this.inks = null; this.invalidate(); }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.listen();
  }

  get width(): number { return Math.max(1, this.element.clientWidth); }
  get height(): number { return Math.max(1, this.element.clientHeight); }

  show(fabric: Fabric, view: View | null): void {
    this.fabric = fabric;
    this.scene = null;
    this.drawn = null;
    this.colours = null;
    this.highlight = noMarks;
    this.forgetSteps();
    view ? this.look(view) : this.fit();
    this.invalidate();
  }
  paintBy(colours: Colours | null): void {
    this.colours = colours;
    if (this.pointed) this.point(...this.pointed);  // what is told has new numbers
    this.invalidate();
  }
  mark(marks: Marks): void { this.highlight = marks; this.schedule(); }
  showEvery(every: boolean): void { this.every = every; this.invalidate(); }
  invalidate(): void { this.isStale = true; this.schedule(); }

  look(view: View): void {
    this.view = view;
    this.isFitted = false;
    this.movedAt = performance.now();
    this.schedule();
  }
  private fitted(box: Box): View {
    const view = fitted(this.fabric!, box, this.width, this.height - fitMargin);
    return { ...view, y: view.y + 14 / view.scale };
  }
  fit(): void {
    if (!this.fabric) return;
    this.view = this.fitted(this.fabric.box);
    this.isFitted = true;
    this.schedule();
  }
  fitByHand(): void { this.fit(); this.listener.moved(null); }

  // Moves there, so that one sees where that is.
  zoomTo(box: Box): void {
    const from = { ...this.view }, to = this.fitted(box), begin = performance.now();
    const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350;
    const move = (now: number): void => {
      const t = duration === 0 ? 1 : Math.min(1, (now - begin) / duration), e = t * t * (3 - 2 * t);
      const scale = from.scale * (to.scale / from.scale) ** e;
      const share = Math.abs(to.scale / from.scale - 1) < 1e-3 ? e : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
      this.look({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, scale });
      if (t < 1) requestAnimationFrame(move);
      else this.listener.moved(this.view);
    };
    move(begin);
  }
  zoomToNodes(nodes: number[]): void {
    if (!this.fabric || nodes.length === 0) return;
    const xs = nodes.map((v) => this.fabric!.x[v]!), ys = nodes.map((v) => this.fabric!.y[v]!);
    const pad = Math.max(8, 0.15 * (Math.max(...xs) - Math.min(...xs)));
    this.zoomTo([Math.min(...xs) - pad, Math.min(...ys) - pad, Math.max(...xs) + pad, Math.max(...ys) + pad]);
  }

  get current(): View { return this.view; }
  get counts(): { bundles: number; closed: number } { return { bundles: this.scene?.bundles ?? 0, closed: this.scene?.closed.length ?? 0 }; }
  get isDrawn(): boolean { return this.drawn !== null; }
  get isSettled(): boolean { return !this.isStale && !this.job && !this.isScheduled; }

  // --- drawing ---------------------------------------------------------------------------------------------

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => { this.isScheduled = false; this.frame(); });
  }

  private sceneNow(): Scene | null {
    if (!this.fabric) return null;
    const open = openness(this.fabric, this.view.scale, this.every);
    if (!this.scene || this.scene.fabric !== this.fabric || this.scene.every !== this.every || open.some((o, g) => o !== this.scene!.open[g])) this.scene = new Scene(this.fabric, open, this.every);
    return this.scene;
  }

  private frameNow(): Frame {
    return { width: this.width, height: this.height, view: { ...this.view }, margin: Math.ceil(overlap * Math.max(this.width, this.height)) };
  }

  private frame(): void {
    const isSame = this.drawn !== null && this.drawn.view.x === this.view.x && this.drawn.view.y === this.view.y && this.drawn.view.scale === this.view.scale &&
      this.drawn.width === this.width && this.drawn.height === this.height;
    const target = this.job?.frame.view;
    const isAimed = target !== undefined && target.x === this.view.x && target.y === this.view.y && target.scale === this.view.scale;
    const waits = this.drawn !== null && this.cost > quick && performance.now() - this.movedAt < still;
    if (!waits && (this.isStale || (!isSame && !isAimed))) this.start();
    if (!waits) this.work();
    this.place();
    this.drawOver();
    if (this.job || waits) this.schedule();
  }

  private start(): void {
    const scene = this.sceneNow();
    if (!scene) return;
    this.isStale = false;
    const frame = this.frameNow();
    const painter = new Painter(scene, frame, this.colours, this.palette());
    this.job = { frame, steps: painter.paint(new CanvasSurface(this.prepare(this.spare, frame))), spent: 0 };
  }
  private palette(): Palette { return this.inks ??= palette(this.element); }

  private prepare(canvas: HTMLCanvasElement, frame: Frame): CanvasRenderingContext2D {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const width = Math.round((frame.width + 2 * frame.margin) * ratio), height = Math.round((frame.height + 2 * frame.margin) * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(ratio, 0, 0, ratio, frame.margin * ratio, frame.margin * ratio);
    return context;
  }

  private work(): void {
    if (!this.job) return;
    const begin = performance.now(), { frame } = this.job;
    let isDone = false;
    while (!isDone && performance.now() < begin + slice) isDone = this.job.steps.next().done ?? false;
    this.job.spent += performance.now() - begin;
    if (!isDone) return;
    this.spare.style.width = `${frame.width + 2 * frame.margin}px`;
    this.spare.style.height = `${frame.height + 2 * frame.margin}px`;
    this.base.replaceWith(this.spare);
    [this.base, this.spare] = [this.spare, this.base];
    this.drawn = frame;
    this.cost = this.job.spent;
    this.job = null;
  }

  // The picture where it belongs now.
  private place(): void {
    if (!this.drawn) return;
    const by = this.view.scale / this.drawn.view.scale;
    const x = (this.drawn.view.x - this.view.x) * this.view.scale + this.width / 2 - by * (this.drawn.width / 2 + this.drawn.margin);
    const y = (this.drawn.view.y - this.view.y) * this.view.scale + this.height / 2 - by * (this.drawn.height / 2 + this.drawn.margin);
    this.base.style.transform = `translate(${x}px, ${y}px) scale(${by})`;
  }

  private drawOver(): void {
    const hasMarks = this.highlight.paths.length + this.highlight.nodes.length > 0;
    if (!hasMarks && !this.isMarked) return;
    this.isMarked = hasMarks;
    this.over.hidden = !hasMarks;
    const scene = this.sceneNow();
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.over.width !== width || this.over.height !== height) {
      this.over.width = width;
      this.over.height = height;
    }
    const context = this.over.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    if (scene) this.painter(scene).marks(new CanvasSurface(context), this.highlight);
  }
  private painter(scene: Scene): Painter { return new Painter(scene, { ...this.frameNow(), margin: 0 }, this.colours, this.palette()); }

  // The picture as it is now, complete.
  svg(): string {
    const scene = this.sceneNow()!, painter = this.painter(scene);
    const surface = new SvgSurface(this.width, this.height, painter.palette.paper!);
    for (const _ of painter.paint(surface)) void _;
    painter.marks(surface, this.highlight);
    return surface.toString();
  }
  png(): Promise<Blob> {
    const scene = this.sceneNow()!, painter = this.painter(scene), canvas = h("canvas");
    const ratio = 2;
    canvas.width = this.width * ratio;
    canvas.height = this.height * ratio;
    const context = canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    context.fillStyle = painter.palette.paper!;
    context.fillRect(0, 0, this.width, this.height);
    for (const _ of painter.paint(new CanvasSurface(context))) void _;
    painter.marks(new CanvasSurface(context), this.highlight);
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
  }

  // --- what is pointed at ----------------------------------------------------------------------------------

  // Where a node is on the screen, for whoever wants to point at it.
  pixel(node: number): { x: number; y: number } {
    return { x: (this.fabric!.x[node]! - this.view.x) * this.view.scale + this.width / 2,
             y: (this.fabric!.y[node]! - this.view.y) * this.view.scale + this.height / 2 };
  }

  hit(px: number, py: number): Target | null {
    const scene = this.sceneNow();
    return scene && hitAt(this.painter(scene), px, py);
  }

  // --- hands -----------------------------------------------------------------------------------------------

  private zoomAt(px: number, py: number, by: number): void {
    const scale = Math.max(1e-3, Math.min(200, this.view.scale * by));
    const x = (px - this.width / 2) / this.view.scale + this.view.x, y = (py - this.height / 2) / this.view.scale + this.view.y;
    this.look({ x: x - (px - this.width / 2) / scale, y: y - (py - this.height / 2) / scale, scale });
    this.listener.moved(this.view);
  }

  private listen(): void {
    listenTo(this.element, {
      zoom: (x, y, by) => this.zoomAt(x, y, by),
      pan: (dx, dy) => this.look({ ...this.view, x: this.view.x - dx / this.view.scale, y: this.view.y - dy / this.view.scale }),
      rest: () => this.listener.moved(this.view),
      click: (x, y) => { const target = this.hit(x, y); if (target) this.activate(target); },
      point: (x, y) => this.point(x, y),
      leave: () => { this.tip.hidden = true; this.pointed = null; },
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  private activate(target: Target): void {
    if (target.kind === "group") this.zoomTo(this.fabric!.drawn.groups[target.group]!.box);
    this.listener.clicked(target);
  }

  private key(event: KeyboardEvent): void {
    const step = 60 / this.view.scale, middle = [this.width / 2, this.height / 2] as const;
    const move = (dx: number, dy: number): void => { this.look({ ...this.view, x: this.view.x + dx, y: this.view.y + dy }); this.listener.moved(this.view); };
    const keys: Record<string, () => void> = {
      ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0), ArrowUp: () => move(0, -step), ArrowDown: () => move(0, step),
      "+": () => this.zoomAt(...middle, 1.3), "=": () => this.zoomAt(...middle, 1.3), "-": () => this.zoomAt(...middle, 1 / 1.3),
      "0": () => this.fitByHand(),
      n: () => this.step(1), p: () => this.step(-1), c: () => this.stepLine(),
      Enter: () => { const target = this.reached ?? this.hit(...middle); if (target) this.activate(target); },
      Escape: () => { this.forgetSteps(); this.tip.hidden = true; this.pointed = null; },
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // What keys step through: closed groups, switches, hosts.
  private things(): Target[] {
    const scene = this.sceneNow();
    if (!scene) return [];
    const { fabric } = scene, nodes = [...scene.nodes.filter((v) => fabric.isSwitch(v)), ...scene.nodes.filter((v) => !fabric.isSwitch(v))];
    return [...scene.closed.map((group): Target => ({ kind: "group", group })), ...nodes.map((node): Target => ({ kind: "node", node }))];
  }
  private forgetSteps(): void { this.cursor = this.line = -1; this.reached = null; }
  private step(by: number): void {
    const things = this.things(), target = things[this.cursor = (this.cursor + by + things.length + (this.cursor < 0 && by < 0 ? 1 : 0)) % Math.max(1, things.length)];
    if (!target || !this.fabric) return;
    this.line = -1;
    const box = target.kind === "group" ? this.fabric.drawn.groups[target.group]!.box : null, node = target.kind === "node" ? target.node : 0;
    this.reach(target, box ? (box[0] + box[2]) / 2 : this.fabric.x[node]!, box ? (box[1] + box[3]) / 2 : this.fabric.y[node]!);
  }
  // To the next line at the group, switch or host that was stepped to.
  private stepLine(): void {
    const scene = this.sceneNow(), thing = this.things()[this.cursor];
    if (!scene || !thing || thing.kind === "cable") return;
    const end = thing.kind === "group" ? scene.fabric.nodes + thing.group : thing.node;
    const lines = scene.a.flatMap((a, i) => (a === end || scene.b[i] === end ? [i] : []));
    if (lines.length === 0) return;
    const line = lines[this.line = (this.line + 1) % lines.length]!, { p, q, bend } = this.painter(scene).curve(line);
    const middle = (a: number, b: number, c?: number): number => (c === undefined ? (a + b) / 2 : (a + 2 * c + b) / 4);
    this.reach(cableOf(scene, line), (middle(p.x, q.x, bend?.x) - this.width / 2) / this.view.scale + this.view.x,
               (middle(p.y, q.y, bend?.y) - this.height / 2) / this.view.scale + this.view.y);
  }
  // Shows and tells what keys stepped to, at this place of the sheet.
  private reach(target: Target, x: number, y: number): void {
    const place = (): [number, number] => [(x - this.view.x) * this.view.scale + this.width / 2, (y - this.view.y) * this.view.scale + this.height / 2];
    const [px, py] = place();
    if (px < 0 || py < 0 || px > this.width || py > this.height)
      this.look({ ...this.view, x: this.view.x + (px - this.width / 2) / this.view.scale, y: this.view.y + (py - this.height / 2) / this.view.scale });
    this.reached = target;
    this.point(...place(), target);
    this.listener.tell(this.listener.describe(target));
  }

  private point(px: number, py: number, target = this.hit(px, py)): void {
    this.pointed = [px, py];
    this.element.classList.toggle("pointing", target !== null);
    this.tip.hidden = target === null;
    if (!target) return;
    this.tip.textContent = this.listener.describe(target);
    const left = Math.min(px + 14, this.width - this.tip.offsetWidth - 8), below = py + 18 + this.tip.offsetHeight < this.height;
    this.tip.style.left = `${Math.max(4, left)}px`;
    this.tip.style.top = `${below ? py + 18 : py - this.tip.offsetHeight - 10}px`;
  }
}
