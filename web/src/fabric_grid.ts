// A grid as a grid: a bar for each dimension through every switch, so that the bars of a line join; the square is
// its hosts' cables. More than two dimensions: slices, and small squares in the corners for the others.
import { s } from "./dom";
import { cellText, Drawn } from "./fabric_tree";
import { Mark } from "./inspect";
import { loadClass } from "./load_colors";
import { Drawing, Picture } from "./model";

export function drawGrid(drawing: Drawing, picture: Picture, unit: number, width: number): Drawn {
  const [columns = 1, rows = 1, ...more] = drawing.widths;
  const slices = more.reduce((product, w) => product * w, 1);
  const wanted = slices === 1 ? 48 : 22;
  const across = Math.max(
    1,
    Math.min(slices, Math.floor((width + 16) / (columns * Math.min(wanted, width / columns) + 16))),
  );
  const pitch = Math.max(3, Math.min(wanted, (width - 16 * (across - 1) - 2) / across / columns));
  const label = slices > 1 ? 18 : 4;
  const sliceHeight = rows * pitch + label + 8;
  const height = Math.ceil(slices / across) * sliceHeight;
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    class: "fabric",
    "aria-label": `${drawing.fabric} as a grid of ${drawing.widths.join(" by ")}`,
  });
  const marks: Mark[] = [];
  const centre = (cell: number): [number, number, number] => {
    const slice = Math.floor(cell / (columns * rows)),
      within = cell % (columns * rows);
    return [
      (slice % across) * (columns * pitch + 16) + ((within % columns) + 0.5) * pitch + 1,
      Math.floor(slice / across) * sliceHeight + label + (Math.floor(within / columns) + 0.5) * pitch,
      slice,
    ];
  };
  for (let slice = 0; slices > 1 && slice < slices; ++slice) {
    const [x, y] = centre(slice * columns * rows);
    svg.append(s("text", { class: "tick", x: x - pitch / 2, y: y - pitch / 2 - 5 }, sliceName(more, slice)));
  }
  const order = drawing.strands.map((_, i) => i).sort((a, b) => drawing.strands[b]![1] - drawing.strands[a]![1]);
  order.forEach((i) => {
    // hosts last, above the bars
    const [cell, kind] = drawing.strands[i]!;
    const [x, y] = centre(cell);
    const load = Math.max(picture.out_mean[i] ?? 0, picture.in_mean[i] ?? 0);
    svg.append(
      s("rect", {
        ...barOf(kind, x, y, pitch),
        class: `strand ${picture.rounds ? loadClass(load, unit) : "plain"}`,
        "data-strand": i,
        "data-load": load,
      }),
    );
  });
  drawing.strands.forEach(([cell, kind], i) => {
    // above all bars
    const [x, y] = centre(cell);
    if (kind !== 0 && picture.missing[i])
      svg.append(
        s("circle", {
          class: "missing",
          cx: kind === 1 ? x + 0.34 * pitch : x,
          cy: kind === 1 ? y : y + 0.34 * pitch,
          r: Math.max(1.2, Math.min(3, pitch * 0.06)),
          "data-missing": picture.missing[i],
        }),
      );
  });
  drawing.cells.forEach((_, i) => {
    const [x, y] = centre(i);
    marks.push({ x, y, text: cellText(drawing, picture, i), radius: 0.4 * pitch });
  });
  return { svg, marks };
}

function sliceName(widths: number[], slice: number): string {
  const at: number[] = [];
  for (const w of widths) {
    at.push(slice % w);
    slice = Math.floor(slice / w);
  }
  return at.map((v, d) => `dimension ${d + 3}: ${v}`).join(", ");
}

function barOf(
  kind: number,
  x: number,
  y: number,
  pitch: number,
): { x: number; y: number; width: number; height: number; rx?: number } {
  const thick = Math.max(1, 0.2 * pitch),
    gap = Math.min(1.5, 0.05 * pitch);
  if (kind === 1) return { x: x - pitch / 2 + gap, y: y - thick / 2, width: pitch - 2 * gap, height: thick };
  if (kind === 2) return { x: x - thick / 2, y: y - pitch / 2 + gap, width: thick, height: pitch - 2 * gap };
  const size = kind === 0 ? 0.4 * pitch : 0.2 * pitch;
  const [dx, dy] =
    kind === 0 ? [0, 0] : [kind % 2 === 1 ? 0.3 * pitch : -0.3 * pitch, kind < 5 ? -0.3 * pitch : 0.3 * pitch];
  return { x: x + dx - size / 2, y: y + dy - size / 2, width: size, height: size, rx: 0.06 * pitch };
}
