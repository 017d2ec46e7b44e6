// What is at a place of the drawing: a node, a closed group, or the nearest cable.
import { Fabric } from "./fabric";
import { Painter } from "./paint";
import { Scene } from "./scene";

export type Target = { kind: "node"; node: number } | { kind: "group"; group: number }
  | { kind: "cable"; cable: number; count: number; missing: number; there: number[]; back: number[] };  // its channels, and those of others like it

// The same after cables broke or were mended.
export function renewed(fabric: Fabric, target: Target): Target {
  if (target.kind !== "cable") return target;
  const cables = [...new Set([...target.there, ...target.back].map((c) => fabric.cableOf[c]!))];
  return { ...target, missing: cables.reduce((sum, c) => sum + fabric.missing[c]!, 0) };
}

export function hitAt(painter: Painter, px: number, py: number): Target | null {
  const { scene } = painter, { fabric } = scene;
  let best: Target | null = null, nearest = Math.max(8, painter.switchSize() + 2);
  for (const v of scene.nodes) {
    const d = Math.hypot(painter.x(fabric.x[v]!) - px, painter.y(fabric.y[v]!) - py);
    if (d < nearest) { nearest = d; best = { kind: "node", node: v }; }
  }
  if (best) return best;
  for (const g of scene.closed) {
    const [l, t, r, b] = fabric.drawn.groups[g]!.box;
    if (px >= painter.x(l) && px <= painter.x(r) && py >= painter.y(t) && py <= painter.y(b)) return { kind: "group", group: g };
  }
  return cableAt(painter, px, py);
}

function cableAt(painter: Painter, px: number, py: number): Target | null {
  const { scene } = painter;
  let nearest = 5, bundle = -1;
  for (let i = 0; i < scene.bundles; ++i) {
    const { p, q, bend } = painter.curve(i);
    let [x0, y0] = [p.x, p.y];
    const parts = bend ? 8 : 1;  // a bent line is nearly as many straight ones
    for (let k = 1; k <= parts; ++k) {
      const t = k / parts, u = 1 - t;
      const x1 = bend ? u * u * p.x + 2 * u * t * bend.x + t * t * q.x : q.x;
      const y1 = bend ? u * u * p.y + 2 * u * t * bend.y + t * t * q.y : q.y;
      const dx = x1 - x0, dy = y1 - y0;
      const along = Math.max(0, Math.min(1, ((px - x0) * dx + (py - y0) * dy) / Math.max(1e-9, dx * dx + dy * dy)));
      const d = Math.hypot(x0 + along * dx - px, y0 + along * dy - py);
      if (d < nearest) { nearest = d; bundle = i; }
      [x0, y0] = [x1, y1];
    }
  }
  return bundle < 0 ? null : cableOf(scene, bundle);
}

// A line of the drawing: its cables, of which one that is whole stands for all.
export function cableOf(scene: Scene, bundle: number): Target {
  const { fabric } = scene, members = [...scene.members(bundle)];
  const from = (end: number): number[] => members.flatMap((c) => [fabric.channel[2 * c]!, fabric.channel[2 * c + 1]!]).filter((c) => scene.rep[fabric.nodeOf[c]!] === end);
  return { kind: "cable", cable: members.find((c) => !fabric.isBroken(c)) ?? members[0]!, count: scene.count(bundle), missing: scene.missing(bundle),
           there: from(scene.a[bundle]!), back: from(scene.b[bundle]!) };
}
