// Loads in nine classes, relative to what the busiest host itself sends or gets, so that pictures compare.
import { number } from "./format";
import { classLegend } from "./heatmap";
import { Drawing, Picture } from "./model";

const bounds = [0.25, 0.5, 0.8, 1.25, 1.75, 2.5, 5, 10];

export function unitOf(drawing: Drawing, picture: Picture): number {
  let most = 0;
  drawing.strands.forEach(([, kind], i) => {
    if (kind === 0) most = Math.max(most, picture.out_mean[i] ?? 0, picture.in_mean[i] ?? 0);
  });
  return most || 1;
}

export function loadClass(load: number, unit: number): string {
  const found = bounds.findIndex((b) => load <= b * unit);
  return `q${found < 0 ? bounds.length : found}`;
}

export function loadLegend(unit: number): HTMLElement {
  return classLegend(
    "mean load, up to",
    "q",
    bounds.map((b) => number(Number((b * unit).toPrecision(3)))),
  );
}
