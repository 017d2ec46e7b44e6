// Switches in groups, each with a strip for every kind of its cables: hosts, within the group, to others.
import { s } from "./dom";
import { cellText, Drawn } from "./fabric_tree";
import { Mark } from "./inspect";
import { loadClass } from "./load_colors";
import { Drawing, Picture } from "./model";

export function drawGroups(drawing: Drawing, picture: Picture, unit: number, width: number): Drawn {
  const groups = Math.max(...drawing.cells.map((c) => c[2])) + 1;
  const most = Math.max(
    ...Array.from({ length: groups }, (_, g) => drawing.cells.filter((c) => c[2] === g).length),
  );
  const side = Math.ceil(Math.sqrt(most));
  const across = Math.max(1, Math.min(groups, Math.floor(width / (side * 12 + 18))));
  const pitch = Math.max(4, Math.min(26, (width / across - 18) / side));
  const box = side * pitch + 8,
    rowsUsed = (n: number): number => Math.ceil(n / side);
  const high = rowsUsed(most) * pitch + 8;
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${Math.ceil(groups / across) * (high + 8)}`,
    role: "img",
    class: "fabric",
    "aria-label": `${drawing.fabric}: ${groups} groups of switches`,
  });
  const places: [number, number][] = [];
  const seen: number[] = new Array<number>(groups).fill(0);
  for (let g = 0; g < groups; ++g)
    svg.append(
      s("rect", {
        class: "box",
        x: (g % across) * (box + 10) + 1,
        y: Math.floor(g / across) * (high + 8) + 1,
        width: box,
        height: high,
        rx: 3,
      }),
    );
  drawing.cells.forEach(([, , g], i) => {
    const at = seen[g]!;
    seen[g] = at + 1;
    places[i] = [
      (g % across) * (box + 10) + 5 + ((at % side) + 0.5) * pitch,
      Math.floor(g / across) * (high + 8) + 5 + (Math.floor(at / side) + 0.5) * pitch,
    ];
  });
  const strips = drawing.kinds.length,
    size = 0.8 * pitch;
  drawing.strands.forEach(([cell, kind], i) => {
    const [x, y] = places[cell]!;
    const load = Math.max(picture.out_mean[i] ?? 0, picture.in_mean[i] ?? 0);
    svg.append(
      s("rect", {
        class: `strand ${picture.rounds ? loadClass(load, unit) : "plain"}`,
        x: x - size / 2 + (size * kind) / strips,
        y: y - size / 2,
        width: size / strips,
        height: size,
        "data-strand": i,
        "data-load": load,
      }),
    );
    if (kind !== 0 && picture.missing[i])
      svg.append(
        s("circle", { class: "missing", cx: x, cy: y + size / 2, r: 2, "data-missing": picture.missing[i] }),
      );
  });
  const marks: Mark[] = drawing.cells.map((_, i) => ({
    x: places[i]![0],
    y: places[i]![1],
    text: cellText(drawing, picture, i),
    radius: 0.6 * pitch,
  }));
  return { svg, marks };
}
