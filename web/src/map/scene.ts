// What is shown of a fabric at a scale: groups whose members would be too small are one thing, and the cables between
// two things shown are one bundle.
import { Box, bulge, Fabric } from "./fabric";

export const readable = 6;  // pixels between the members of a group that is worth opening

export interface Point { x: number; y: number }
export interface View { x: number; y: number; scale: number }  // the middle, and pixels for one unit
export interface Frame { width: number; height: number; view: View; margin: number }  // pixels; drawn beyond the edges too

export class Scene {
  // What a node is shown as: itself, or nodes + the number of the outermost closed group around it.
  readonly rep: Int32Array;
  readonly nodes: number[] = [];
  readonly closed: number[] = [];
  readonly opened: number[] = [];
  readonly a: number[] = [];         // bundles: their ends,
  readonly b: number[] = [];
  readonly start: number[] = [0];    // and where their cables begin in `cables`
  readonly side: number[] = [];      // which of several lines with the same ends: 0 is the middle
  readonly cables: Uint32Array;
  readonly bundleOf: Int32Array;     // by cable; -1: inside a closed group

  // With `every`, cables with the same ends are lines of their own.
  constructor(readonly fabric: Fabric, readonly open: Uint8Array, readonly every = false) {
    const { groups } = fabric.drawn;
    const shown = new Int32Array(groups.length).fill(-1);
    groups.forEach((group, g) => {
      const above = group.parent === null ? -1 : shown[group.parent]!;
      shown[g] = above >= 0 ? above : open[g] ? -1 : g;
      if (above < 0) (open[g] ? this.opened : this.closed).push(g);
    });
    this.rep = new Int32Array(fabric.nodes);
    for (let v = 0; v < fabric.nodes; ++v) {
      const g = fabric.group(v);
      this.rep[v] = g >= 0 && shown[g]! >= 0 ? fabric.nodes + shown[g]! : v;
      if (this.rep[v] === v) this.nodes.push(v);
    }
    this.bundleOf = new Int32Array(fabric.cables).fill(-1);
    this.cables = this.bundle();
  }

  private bundle(): Uint32Array {
    const { fabric, rep, bundleOf: of } = this;
    const size = fabric.nodes + fabric.drawn.groups.length;
    const found = new Map<number, number>(), last = new Map<number, number>();
    const counts: number[] = [], like: number[] = [];  // by bundle: its cables, and the one before it with the same ends
    for (let c = 0; c < fabric.cables; ++c) {
      const u = rep[fabric.end[2 * c]!]!, v = rep[fabric.end[2 * c + 1]!]!;
      if (u === v) continue;
      const key = Math.min(u, v) * size + Math.max(u, v);
      let i = this.every ? undefined : found.get(key);
      if (i === undefined) {
        i = counts.length;
        if (this.every) {
          like.push(last.get(key) ?? -1);
          last.set(key, i);
        } else {
          found.set(key, i);
        }
        counts.push(0);
        this.a.push(u);
        this.b.push(v);
      }
      of[c] = i;
      ++counts[i];
    }
    this.spread(like, last);
    for (const count of counts) this.start.push(this.start[this.start.length - 1]! + count);
    const next = this.start.slice(), out = new Uint32Array(this.start[counts.length]!);
    of.forEach((i, c) => { if (i >= 0) out[next[i]++] = c; });
    return out;
  }

  // Lines with the same ends lie side by side.
  private spread(like: number[], last: Map<number, number>): void {
    for (let i = 0; i < this.a.length; ++i) this.side.push(0);
    for (const end of last.values()) {
      if (like[end]! < 0) continue;
      const all: number[] = [];
      for (let i = end; i >= 0; i = like[i]!) all.push(i);
      all.forEach((i, k) => { this.side[i] = k - (all.length - 1) / 2; });
    }
  }

  get bundles(): number { return this.a.length; }
  members(i: number): Uint32Array { return this.cables.subarray(this.start[i], this.start[i + 1]); }
  count(i: number): number { return this.members(i).reduce((sum, c) => sum + this.fabric.count[c]!, 0); }
  missing(i: number): number { return this.members(i).reduce((sum, c) => sum + this.fabric.missing[c]!, 0); }

  // Where lines to a thing end.
  at(rep: number): Point {
    const { fabric } = this;
    if (rep < fabric.nodes) return { x: fabric.x[rep]!, y: fabric.y[rep]! };
    const { box: [left, top, right, bottom], hosts } = fabric.drawn.groups[rep - fabric.nodes]!;
    const isBelow = hosts > 0 && (fabric.kind === "tree" || fabric.kind === "layers");
    return { x: (left + right) / 2, y: isBelow ? top : (top + bottom) / 2 };
  }

  // Lines along a row or column of a grid bend around what stands between; null: straight.
  bend(p: Point, q: Point): Point | null {
    if (this.fabric.kind !== "grid") return null;
    const dx = q.x - p.x, dy = q.y - p.y, length = Math.hypot(dx, dy);
    if (length < 11 || (Math.abs(dx) > 1 && Math.abs(dy) > 1)) return null;
    const by = bulge(length);
    return Math.abs(dy) <= 1 ? { x: (p.x + q.x) / 2, y: Math.min(p.y, q.y) - by } : { x: Math.min(p.x, q.x) - by, y: (p.y + q.y) / 2 };
  }
}

const labelled = 500;  // pixels: narrower drawings have no room for the names of levels
export const namesLevels = (fabric: Fabric, width: number): boolean => width > labelled && fabric.drawn.levels.length > 0;

// Pixels above and below a drawing, for captions and buttons.
export const fitMargin = 110;
// All of a box in a window, with what is below and above it.
export function fitted(fabric: Fabric, [l, t, r, b]: Box, width: number, height: number): View {
  const names = namesLevels(fabric, width) ? 116 : 0;  // at the left
  const scale = Math.min(40, (width - 24 - names) / Math.max(1, r - l), height / Math.max(1, b - t));
  return { x: (l + r) / 2 - names / 2 / scale, y: (t + b) / 2, scale };
}

export function openness(fabric: Fabric, scale: number, every: boolean): Uint8Array {
  return Uint8Array.from(fabric.drawn.groups, (group) => (every || group.detail * scale >= readable ? 1 : 0));
}
