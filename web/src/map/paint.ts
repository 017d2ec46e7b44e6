// Draws a scene. In pieces: between two of them whoever has something more urgent may stop it.
import { byteUnit, number } from "../base/format";
import { Box } from "./fabric";
import { Frame, namesLevels, Point, Scene } from "./scene";
import { Pen, Surface } from "./surface";

export const steps = 9;

// Values of channels and what they look like; the steps are whole numbers where that is enough.
export class Colours {
  readonly by: number;
  constructor(readonly values: ArrayLike<number>, readonly most: number, readonly unit: string) {
    const share = Math.max(most, 1) / (steps - 1);
    this.by = ["flows", "load", "errors"].includes(unit) && Number.isInteger(most) && most >= 1 ? Math.ceil(share) : share;
  }
  // Bytes are told in the unit that suits the largest.
  private get size(): [number, string] { return this.unit.startsWith("bytes") ? byteUnit(this.most) : [1, this.unit]; }
  get title(): string { return this.unit === "bytes" ? `load, ${this.size[1]}` : this.unit === "bytes sent" ? `sent, ${this.size[1]}` : this.unit === "flows" ? "load, flows" : this.unit; }
  step(value: number): number {
    return value <= 0 ? 0 : Math.min(steps - 1, Math.ceil(value / this.by - 1e-9));
  }
  get used(): number { return Math.max(1, Math.ceil(this.most / this.by - 1e-9)) + 1; }
  // The name of a step's colour. Few flows look alike in all drawings; many go up to the darkest.
  name(step: number): string { return `q${this.by <= 1 ? step : Math.round((step * (steps - 1)) / (this.used - 1))}`; }
  bound(step: number): string { return number(Number((step * this.by / this.size[0]).toPrecision(2))); }
}

export interface Marks {
  paths: { channels: number[]; kind: "chosen" | "other" | "cycle" | "hot" }[];
  nodes: { node: number; label: string }[];
}
export const noMarks: Marks = { paths: [], nodes: [] };

export interface Palette { [name: string]: string }
const inks = ["paper", "ink", "soft", "faint", "hair", "panel", "link", "good", "bad", "c0", "c1", "c3",
              ...Array.from({ length: steps }, (_, i) => `q${i}`)];
export function palette(element: Element): Palette {
  const style = getComputedStyle(element);
  return Object.fromEntries(inks.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}
// A colour as it is seen through `alpha` on paper. Lines are drawn some hundred at a time: where those of two times cross, lines
// that let through would be darker than where those of one time do.
function onPaper(colour: string, paper: string, alpha: number): string {
  const parts = (hex: string): number[] => (/^#[0-9a-f]{6}$/i.test(hex) ? [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) : []);
  const below = parts(paper), above = parts(colour);
  if (below.length === 0 || above.length === 0) return `color-mix(in srgb, ${colour} ${Math.round(100 * alpha)}%, ${paper})`;
  return `#${above.map((part, i) => Math.round(alpha * part + (1 - alpha) * below[i]!).toString(16).padStart(2, "0")).join("")}`;
}
// For SVG within a page: its colours change with those of the page.
export const livePalette: Palette = Object.fromEntries(inks.map((name) => [name, `var(--${name})`]));

// What a text takes in the middle of which this point is, in pixels; a little more than its letters.
function aroundText(x: number, y: number, text: string, size: number): Box {
  const width = 0.6 * size * text.length, height = 1.2 * size;
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
}

export class Painter {
  constructor(readonly scene: Scene, readonly frame: Frame, readonly colours: Colours | null, readonly palette: Palette) {}

  x(x: number): number { return (x - this.frame.view.x) * this.frame.view.scale + this.frame.width / 2; }
  y(y: number): number { return (y - this.frame.view.y) * this.frame.view.scale + this.frame.height / 2; }

  private sees(x0: number, y0: number, x1: number, y1: number): boolean {
    const { width, height, margin } = this.frame;
    return Math.max(x0, x1) >= -margin && Math.min(x0, x1) <= width + margin &&
           Math.max(y0, y1) >= -margin && Math.min(y0, y1) <= height + margin;
  }

  *paint(surface: Surface): Generator<void> {
    this.backgrounds(surface);
    yield;
    yield* this.cables(surface);
    this.boxes(surface);
    yield* this.nodes(surface);
    this.labels(surface);
  }

  private backgrounds(surface: Surface): void {
    const { scene, palette } = this;
    surface.shape({ fill: palette.panel }, (pen) => {
      for (const g of scene.opened) {
        const { parent, box: [l, t, r, b] } = scene.fabric.drawn.groups[g]!;
        if (parent === null && this.sees(this.x(l), this.y(t), this.x(r), this.y(b))) pen.rect(this.x(l), this.y(t), this.x(r) - this.x(l), this.y(b) - this.y(t));
      }
    });
  }

  // The largest step of either direction of a bundle's cables; -1: all of them are broken.
  bundleStep(i: number): number {
    let step = -1;
    for (const cable of this.scene.members(i)) if (!this.scene.fabric.isBroken(cable)) step = Math.max(step, this.cableStep(cable));
    return step;
  }
  private cableStep(cable: number): number {
    const { colours } = this, { channel } = this.scene.fabric;
    return colours ? colours.step(Math.max(colours.values[channel[2 * cable]!] ?? 0, colours.values[channel[2 * cable + 1]!] ?? 0)) : 0;
  }

  // Where a bundle's line goes, in pixels: from, to, and what pulls it aside; null: nothing does.
  curve(i: number): { p: Point; q: Point; bend: Point | null } {
    const { scene } = this, a = scene.at(scene.a[i]!), b = scene.at(scene.b[i]!), way = scene.bend(a, b), side = scene.side[i]!;
    const p = { x: this.x(a.x), y: this.y(a.y) }, q = { x: this.x(b.x), y: this.y(b.y) };
    if (!way && side === 0) return { p, q, bend: null };
    const bend = way ? { x: this.x(way.x), y: this.y(way.y) } : { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 };
    const gap = 2 * Math.max(1.6, Math.min(6, 0.4 * this.frame.view.scale)) * side;  // half of it in the middle
    const [dx, dy] = p.x < q.x || (p.x === q.x && p.y < q.y) ? [q.x - p.x, q.y - p.y] : [p.x - q.x, p.y - q.y], length = Math.max(1e-9, Math.hypot(dx, dy));
    return { p, q, bend: { x: bend.x - (gap * dy) / length, y: bend.y + (gap * dx) / length } };
  }
  line(pen: Pen, i: number): void {
    const { scene } = this;
    if (scene.side[i] === 0 && scene.fabric.kind !== "grid") {  // nearly all lines: no curve is made for them
      const a = scene.at(scene.a[i]!), b = scene.at(scene.b[i]!);
      pen.moveTo(this.x(a.x), this.y(a.y));
      return pen.lineTo(this.x(b.x), this.y(b.y));
    }
    const { p, q, bend } = this.curve(i);
    pen.moveTo(p.x, p.y);
    if (bend) pen.quadraticCurveTo(bend.x, bend.y, q.x, q.y);
    else pen.lineTo(q.x, q.y);
  }

  private *cables(surface: Surface): Generator<void> {
    const { scene, colours, palette } = this;
    const byStep: number[][] = Array.from({ length: steps + 1 }, () => []);  // the last: broken
    for (let i = 0; i < scene.bundles; ++i) {
      const p = scene.at(scene.a[i]!), q = scene.at(scene.b[i]!);
      const extra = scene.fabric.kind === "grid" ? 0.2 * Math.hypot(p.x - q.x, p.y - q.y) * this.frame.view.scale : 0;
      const x0 = this.x(p.x), y0 = this.y(p.y), x1 = this.x(q.x), y1 = this.y(q.y);
      if (!this.sees(Math.min(x0, x1) - extra, Math.min(y0, y1) - extra, Math.max(x0, x1) + extra, Math.max(y0, y1) + extra)) continue;
      const step = this.bundleStep(i);
      byStep[step < 0 ? steps : step]!.push(i);
    }
    yield;
    const crowd = byStep.reduce((sum, list) => sum + list.length, 0);
    const slim = Math.max(0.35, Math.min(1, Math.sqrt(500 / Math.max(1, crowd))));
    const thin = Math.max(0.15, Math.min(1, 1500 / Math.max(1, crowd)));
    // Few hot lines stand out; where most are hot none would, and thin ones can be told apart.
    const hot = byStep.slice(3, steps).reduce((sum, list) => sum + list.length, 0);
    const bold = Math.max(0.3, Math.min(1, Math.sqrt(250 / Math.max(1, hot))));
    const least = crowd < 2000 ? 0.6 : 0;  // pixels that can be seen on any screen
    for (let step = 0; step < steps; ++step) {
      const isQuiet = !colours || step === 0;
      const alpha = isQuiet ? 0.22 + 0.4 * thin : 0.55 + 0.45 * Math.max(thin, (step / steps) * bold);
      const stroke = onPaper(isQuiet ? palette.faint! : palette[colours.name(step)]!, palette.paper!, alpha);
      const list = byStep[step]!;
      for (let from = 0; from < list.length; from += 400) {
        const byWidth = new Map<number, number[]>();
        for (const i of list.slice(from, from + 400)) {
          const width = Math.min(3.5, Math.round(4 * (0.8 + 0.22 * Math.log2(scene.count(i)))) / 4);
          byWidth.set(width, [...(byWidth.get(width) ?? []), i]);
        }
        for (const [width, members] of byWidth)
          surface.shape({ stroke, width: step > 2 ? Math.max(width * slim, bold * (0.8 + 0.2 * step)) : Math.max(least, width * slim) },
                        (pen) => { for (const i of members) this.line(pen, i); });
        yield;
      }
    }
    this.broken(surface, byStep);
  }

  // Broken cables are dashed and red; where others beside them are whole, a ring in the middle says so.
  private broken(surface: Surface, byStep: number[][]): void {
    const { scene, palette } = this;
    const partly = scene.fabric.missing.some((count) => count > 0) ? byStep.slice(0, steps).flat().filter((i) => scene.missing(i) > 0) : [];
    surface.shape({ stroke: palette.bad, width: 1.6, dash: [4, 4] },
                  (pen) => { for (const i of [...byStep[steps]!, ...partly]) this.line(pen, i); });
    surface.shape({ stroke: palette.bad, width: 1.6, fill: palette.paper },
                  (pen) => { for (const i of partly) { const { x, y } = this.middle(i); pen.circle(x, y, 3); } });
  }

  // The middle of a line, in pixels.
  private middle(i: number): Point {
    const { p, q, bend } = this.curve(i), { x, y } = bend ?? { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 };
    return { x: (p.x + 2 * x + q.x) / 4, y: (p.y + 2 * y + q.y) / 4 };
  }

  // A closed group has the colour of the hottest cable in it, and a red edge where one is missing.
  private boxes(surface: Surface): void {
    const { scene, colours, palette } = this, { fabric } = scene;
    const step = new Map<number, number>(), damaged = new Set<number>();
    for (let c = 0; c < fabric.cables; ++c) {
      const rep = scene.rep[fabric.end[2 * c]!]!, g = rep - fabric.nodes;
      if (g < 0 || rep !== scene.rep[fabric.end[2 * c + 1]!]) continue;
      if (fabric.missing[c]) damaged.add(g);
      if (colours && !fabric.isBroken(c)) step.set(g, Math.max(step.get(g) ?? 0, this.cableStep(c)));
    }
    const alike = new Map<string, number[]>();
    for (const g of scene.closed) {
      const look = `${step.get(g) ?? 0} ${damaged.has(g) ? "bad" : "soft"}`;
      alike.set(look, [...(alike.get(look) ?? []), g]);
    }
    for (const [look, groups] of alike) {
      const [hottest, edge] = look.split(" ") as [string, string];
      const style = { fill: hottest === "0" ? palette.paper : palette[colours!.name(Number(hottest))], stroke: palette[edge], width: edge === "bad" ? 1.6 : 1 };
      surface.shape(style, (pen) => { for (const g of groups) this.box(pen, g); });
    }
  }
  private box(pen: Pen, g: number): void {
    const [l, t, r, b] = this.scene.fabric.drawn.groups[g]!.box;
    const x = this.x(l), y = this.y(t), w = this.x(r) - x, h = this.y(b) - y;
    if (!this.sees(x, y, x + w, y + h)) return;
    const inset = Math.min(2, 0.15 * w);
    pen.rect(x + inset, y, Math.max(1.5, w - 2 * inset), Math.max(3, h));
  }

  switchSize(): number { return Math.max(2.2, Math.min(9, 0.8 * this.frame.view.scale)); }
  hostSize(): number { return Math.max(1.2, Math.min(5, 0.3 * this.frame.view.scale)); }

  private *nodes(surface: Surface): Generator<void> {
    const { scene, palette } = this;
    const { fabric } = scene;
    const s = this.switchSize(), r = this.hostSize();
    const seen = scene.nodes.filter((v) => this.sees(this.x(fabric.x[v]!), this.y(fabric.y[v]!), this.x(fabric.x[v]!), this.y(fabric.y[v]!)));
    for (let from = 0; from < seen.length; from += 2000) {
      const part = seen.slice(from, from + 2000);
      surface.shape({ fill: palette.soft }, (pen) => {
        for (const v of part) if (fabric.isSwitch(v)) pen.rect(this.x(fabric.x[v]!) - s, this.y(fabric.y[v]!) - s, 2 * s, 2 * s);
      });
      surface.shape({ fill: palette.c0 }, (pen) => {
        for (const v of part)
          if (!fabric.isSwitch(v))
            r < 2 ? pen.rect(this.x(fabric.x[v]!) - r, this.y(fabric.y[v]!) - r, 2 * r, 2 * r) : pen.circle(this.x(fabric.x[v]!), this.y(fabric.y[v]!), r);
      });
      yield;
    }
  }

  private labels(surface: Surface): void {
    const { scene, palette, frame } = this;
    const { fabric } = scene;
    const { scale } = frame.view;
    for (const g of scene.closed) {
      const { name, box: [l, t, r, b] } = fabric.drawn.groups[g]!;
      const room = this.x(r) - this.x(l);
      const fits = [name, name.replace(/^\D*/, "")].find((text) => text && room > 6.5 * text.length + 4);
      if (fits && this.y(b) - this.y(t) > 11 && room > 14)
        surface.text(this.x((l + r) / 2), this.y((t + b) / 2), fits, { fill: palette.ink!, size: 11, anchor: "middle", halo: this.colours ? palette.paper : undefined });
    }
    const told: Box[] = [];  // where names stand
    const most = 400, hostRoom = (v: number): number => scale * Math.min(1, fabric.drawn.groups[fabric.group(v)]?.detail ?? 1);
    for (const v of scene.nodes) {
      if (told.length >= most) break;
      const x = this.x(fabric.x[v]!), y = this.y(fabric.y[v]!), name = fabric.name(v);
      if (x < 0 || x > frame.width || y < 0 || y > frame.height) continue;
      const room = !fabric.isSwitch(v) ? hostRoom(v) : fabric.kind === "ring" ? 4.2 * scale : fabric.kind === "free" ? 9 * scale : this.switchRoom(v);
      if (room < 6.4 * name.length + 6) continue;
      const beside = fabric.isSwitch(v) ? y - this.switchSize() - 8 : y + this.hostSize() + 9;
      told.push(aroundText(x, beside, name, 11));
      surface.text(x, beside, name, { fill: palette.soft!, size: 11, anchor: "middle", halo: palette.paper });
    }
    for (const g of scene.opened) this.rail(surface, g, told);
    this.levels(surface);
  }

  // The name of a rail, above it and above the names of its switches.
  private rail(surface: Surface, g: number, told: readonly Box[]): void {
    const { name, parent, box: [l, t, r] } = this.scene.fabric.drawn.groups[g]!;
    if (parent !== null || !name.startsWith("rail ") || this.x(r) - this.x(l) < 40) return;
    const x = this.x((l + r) / 2);
    let y = this.y(t) - 8;
    for (const [left, top, right, bottom] of [...told].sort((a, b) => b[3] - a[3])) {
      const [ownLeft, ownTop, ownRight, ownBottom] = aroundText(x, y, name, 12);
      if (ownLeft < right && left < ownRight && ownTop < bottom && top < ownBottom) y = top - 8;
    }
    surface.text(x, y, name, { fill: this.palette.ink!, size: 12, weight: 600, anchor: "middle", halo: this.palette.paper });
  }

  private rooms: Map<number, number> | null = null;
  // Pixels to the next switch of the same row.
  private switchRoom(v: number): number {
    const { fabric } = this.scene;
    if (!this.rooms) {
      this.rooms = new Map();
      const rows = new Map<number, number[]>();
      for (const u of this.scene.nodes) if (fabric.isSwitch(u)) rows.set(fabric.y[u]!, [...(rows.get(fabric.y[u]!) ?? []), fabric.x[u]!]);
      for (const [y, xs] of rows) {
        xs.sort((a, b) => a - b);
        let least = Infinity;
        for (let i = 1; i < xs.length; ++i) least = Math.min(least, xs[i]! - xs[i - 1]!);
        this.rooms.set(y, least);
      }
    }
    return Math.min(200, this.rooms.get(fabric.y[v]!)! * this.frame.view.scale);
  }

  // The levels of a tree, at the left edge.
  private levels(surface: Surface): void {
    const { scene, palette, frame } = this;
    const { fabric } = scene;
    if (!namesLevels(fabric, frame.width)) return;
    const { levels } = fabric.drawn, highest = levels.length - 1;
    let last = Infinity;
    levels.forEach(({ nodes, y }, level) => {
      const py = this.y(y);
      if (nodes === 0 || py < 8 || py > frame.height - 8 || Math.abs(last - py) < 15) return;
      last = py;
      const what = level === 0 ? "hosts" : level === 1 ? (highest === 1 ? "switches" : "leaf switches") : level === highest ? "roots" : `level ${level}`;
      const tiled = fabric.drawn.groups.filter((g) => g.parent === null && g.name.startsWith("rail ")).length;
      const count = level > 0 && tiled > 1 ? `${tiled} \u00d7 ${number(nodes / tiled)}` : number(nodes);
      surface.text(10, py, `${count} ${what}`, { fill: palette.ink!, size: 12, weight: 600, halo: palette.paper });
    });
  }

  // What is marked goes on top.
  marks(surface: Surface, marks: Marks): void {
    const { scene, palette } = this;
    const { fabric } = scene;
    const style = {
      other: { stroke: palette.c0, width: 1.5, alpha: 0.55 }, chosen: { stroke: palette.c1, width: 3.5 },
      cycle: { stroke: palette.bad, width: 4 }, hot: { stroke: palette.ink, width: 3 },
    };
    for (const kind of ["other", "chosen", "hot", "cycle"] as const)
      for (const path of marks.paths.filter((p) => p.kind === kind)) {
        surface.shape(style[kind], (pen) => {
          for (const c of path.channels) {
            const i = scene.bundleOf[fabric.cableOf[c]!] ?? -1;
            if (i >= 0) this.line(pen, i);
          }
        });
        if (kind !== "other") surface.shape({ fill: style[kind].stroke }, (pen) => { for (const c of path.channels) this.arrow(pen, c); });
      }
    for (const { node, label } of marks.nodes) {
      const p = scene.at(scene.rep[node]!), x = this.x(p.x), y = this.y(p.y);
      surface.shape({ stroke: palette.c1, width: 2.5, fill: palette.paper }, (pen) => pen.circle(x, y, 6));
      surface.text(x, y + 18, label, { fill: palette.ink!, size: 13, weight: 600, anchor: "middle", halo: palette.paper });
    }
  }

  private arrow(pen: Pen, channel: number): void {
    const { scene } = this;
    const { fabric } = scene;
    const i = scene.bundleOf[fabric.cableOf[channel]!] ?? -1;
    if (i < 0) return;
    const a = scene.rep[fabric.nodeOf[channel]!]!, b = scene.rep[fabric.nodeOf[fabric.reverse(channel)]!]!;
    const p = scene.at(a), q = scene.at(b), { x, y } = this.middle(i), length = Math.hypot(q.x - p.x, q.y - p.y);
    const dx = (q.x - p.x) / length, dy = (q.y - p.y) / length, size = 7;
    pen.moveTo(x + dx * size, y + dy * size);
    pen.lineTo(x - dx * size - dy * size * 0.8, y - dy * size + dx * size * 0.8);
    pen.lineTo(x - dx * size + dy * size * 0.8, y - dy * size - dx * size * 0.8);
    pen.lineTo(x + dx * size, y + dy * size);
  }
}
