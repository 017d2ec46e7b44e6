// A tree by levels, subtrees grouped. Cables that meet in a hub are drawn as a bus: each cell has a stub to it, and
// reaches all others of the bus. Of two stubs side by side the left one is the way up, the right one the way down.
import { s } from "./dom";
import { counted, number } from "./format";
import { Mark } from "./inspect";
import { loadClass } from "./load_colors";
import { Drawing, Picture } from "./model";

interface Bus {
  low: number;
  high: number;
  track: number;
  boundary: number;
}

export interface Drawn {
  svg: SVGSVGElement;
  marks: Mark[];
}

// Buses whose ranges do not meet share a track.
function tracks(buses: Bus[]): number {
  const ends: number[] = [];
  for (const bus of [...buses].sort((a, b) => a.low - b.low || a.high - b.high)) {
    let t = ends.findIndex((end) => end < bus.low);
    if (t < 0) t = ends.length;
    ends[t] = bus.high;
    bus.track = t;
  }
  return ends.length;
}

class TreePlan {
  readonly left: number;
  readonly xs: number[] = [];
  readonly ys = new Map<number, number>();
  readonly buses = new Map<number, Bus>();
  readonly top: number;
  height = 0;
  slot = 1;

  constructor(
    readonly drawing: Drawing,
    readonly width: number,
  ) {
    this.left = width < 500 ? 62 : 96;
    this.top = Math.max(...drawing.cells.map((c) => c[1]));
    this.place();
    this.connect();
  }

  private place(): void {
    const { cells } = this.drawing;
    const groups = Math.max(...cells.map((c) => c[2])) + 1;
    const room = this.width - this.left - 4,
      gap = groups > 1 ? Math.min(12, (0.2 * room) / groups) : 0;
    const seen = new Map<string, number>(),
      sizes = new Map<string, number>();
    const key = (row: number, group: number): string => `${row} ${group}`;
    for (const [, row, group] of cells) sizes.set(key(row, group), (sizes.get(key(row, group)) ?? 0) + 1);
    let slot = Infinity;
    cells.forEach(([, row, group], i) => {
      const k = key(row, group),
        n = sizes.get(k)!,
        at = seen.get(k) ?? 0;
      seen.set(k, at + 1);
      const whole = row === this.top;
      const [from, wide] = whole
        ? [this.left, room]
        : [this.left + (group * room) / groups + gap / 2, room / groups - gap];
      this.xs[i] = from + (wide * (at + 0.5)) / n;
      slot = Math.min(slot, wide / n);
    });
    this.slot = slot;
  }

  private connect(): void {
    const { strands, cells } = this.drawing;
    for (const [cell, kind, hub] of strands) {
      if (kind === 0) continue;
      const boundary = cells[cell]![1] - (kind === 2 ? 1 : 0);
      const bus = this.buses.get(hub) ?? { low: Infinity, high: -Infinity, track: 0, boundary };
      bus.low = Math.min(bus.low, this.xs[cell]!);
      bus.high = Math.max(bus.high, this.xs[cell]!);
      this.buses.set(hub, bus);
    }
    let y = 24;
    for (let row = this.top; row >= 1; --row) {
      this.ys.set(row, y);
      const count = tracks([...this.buses.values()].filter((b) => b.boundary === row - 1));
      y += 46 + Math.max(0, count - 1) * 7;
    }
    this.height = this.ys.get(1)! + 32;
  }

  trackY(bus: Bus): number {
    return this.ys.get(bus.boundary + 1)! + 27 + bus.track * 7;
  }
}

export function drawTree(drawing: Drawing, picture: Picture, unit: number, width: number): Drawn {
  const plan = new TreePlan(drawing, width);
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${plan.height}`,
    role: "img",
    class: "fabric",
    "aria-label": `${drawing.fabric} as a tree of ${plan.top} levels`,
  });
  boxes(svg, plan);
  labels(svg, plan);
  for (const [, bus] of plan.buses) {
    const y = plan.trackY(bus);
    svg.append(s("line", { class: "bus", x1: bus.low - 2, x2: bus.high + 2, y1: y, y2: y }));
  }
  const stub = Math.max(0.8, Math.min(3, plan.slot * 0.26)),
    isPair = plan.slot >= 5;
  const order = drawing.strands.map((_, i) => i).sort((a, b) => heaviest(picture, a) - heaviest(picture, b));
  for (const i of order) {
    const [cell, kind, hub] = drawing.strands[i]!;
    const x = plan.xs[cell]!,
      y = plan.ys.get(drawing.cells[cell]![1])!;
    const ends: [number, number] =
      kind === 0
        ? [y + 6, y + 18]
        : kind === 1
          ? [y - 6, plan.trackY(plan.buses.get(hub)!)]
          : [y + 6, plan.trackY(plan.buses.get(hub)!)];
    const [out, into] = [picture.out_mean[i] ?? 0, picture.in_mean[i] ?? 0];
    const [up, down] = kind === 1 ? [out, into] : [into, out];
    const line = (dx: number, load: number, way: string): void => {
      svg.append(
        s("line", {
          class: `strand ${picture.rounds ? loadClass(load, unit) : "plain"}`,
          "stroke-width": stub,
          x1: x + dx,
          x2: x + dx,
          y1: ends[0],
          y2: ends[1],
          "data-strand": i,
          "data-way": way,
          "data-load": load,
        }),
      );
    };
    if (isPair) {
      line(-0.75 * stub, up, "up");
      line(0.75 * stub, down, "down");
    } else line(0, Math.max(up, down), "both");
    if (kind === 1 && picture.missing[i])
      svg.append(
        s("circle", {
          class: "missing",
          cx: x,
          cy: y - 9,
          r: Math.max(1.5, Math.min(2.6, plan.slot * 0.4)),
          "data-missing": picture.missing[i],
        }),
      );
  }
  const size = Math.max(1, Math.min(13, plan.slot * 0.8));
  drawing.cells.forEach(([, row], i) =>
    svg.append(
      s("rect", {
        class: "switch",
        "data-cell": i,
        x: plan.xs[i]! - size / 2,
        y: plan.ys.get(row)! - 5,
        width: size,
        height: 10,
        rx: Math.min(2, size / 4),
      }),
    ),
  );
  return { svg, marks: marksOf(drawing, picture, plan) };
}

const heaviest = (p: Picture, i: number): number => Math.max(p.out_mean[i] ?? 0, p.in_mean[i] ?? 0);

function boxes(svg: SVGSVGElement, plan: TreePlan): void {
  const groups = new Map<number, [number, number]>();
  plan.drawing.cells.forEach(([, row, group], i) => {
    if (row === plan.top) return;
    const [low, high] = groups.get(group) ?? [Infinity, -Infinity];
    groups.set(group, [Math.min(low, plan.xs[i]!), Math.max(high, plan.xs[i]!)]);
  });
  if (groups.size < 2) return;
  const y = plan.ys.get(plan.top - 1)! - 13,
    pad = Math.max(1.5, Math.min(7, plan.slot * 0.7));
  for (const [low, high] of groups.values())
    svg.append(
      s("rect", { class: "box", x: low - pad, y, width: high - low + 2 * pad, height: plan.height - y - 2, rx: 3 }),
    );
}

function labels(svg: SVGSVGElement, plan: TreePlan): void {
  const { drawing } = plan;
  for (const [row, y] of plan.ys) {
    const cells = drawing.cells.filter((c) => c[1] === row);
    const count = cells.reduce((sum, c) => sum + c[3], 0) * drawing.planes;
    const name = row === plan.top && row > 1 ? "roots" : row === 1 ? "leaves" : `level ${row}`;
    svg.append(
      s("text", { class: "row", x: 0, y: y + 1 }, name),
      s(
        "text",
        { class: "tick", x: 0, y: y + 14 },
        counted(count, "switch", "switches").replace(/ switch(es)?$/, ""),
      ),
    );
  }
  svg.append(s("text", { class: "tick", x: 0, y: plan.ys.get(1)! + 28 }, counted(drawing.hosts, "host")));
}

export function strandText(drawing: Drawing, picture: Picture, i: number): string {
  const [, kind, , cables] = drawing.strands[i]!;
  const load = (mean: number | undefined, peak: number | undefined): string =>
    `${number(mean)} (at most ${number(peak)})`;
  const loads = picture.rounds
    ? `, load out ${load(picture.out_mean[i], picture.out_peak[i])}, in ${load(picture.in_mean[i], picture.in_peak[i])}`
    : "";
  return `${drawing.kinds[kind]}: ${counted(cables, "cable")}${picture.missing[i] ? `, ${picture.missing[i]} missing` : ""}${loads}`;
}

export function cellText(drawing: Drawing, picture: Picture, cell: number): string {
  const own = drawing.strands.flatMap((t, i) => (t[0] === cell ? [strandText(drawing, picture, i)] : []));
  return `${drawing.cells[cell]![0]}. ${own.join("; ")}`;
}

function marksOf(drawing: Drawing, picture: Picture, plan: TreePlan): Mark[] {
  const texts = new Map<number, string[]>();
  drawing.strands.forEach((t, i) => texts.set(t[0], [...(texts.get(t[0]) ?? []), strandText(drawing, picture, i)]));
  return drawing.cells.map(([name, row], i) => ({
    x: plan.xs[i]!,
    y: plan.ys.get(row)!,
    text: `${name}. ${(texts.get(i) ?? []).join("; ")}`,
    radius: 8,
  }));
}
