// Fabrics drawn and coloured by load, a picture at a time.
import { h, responsive } from "./dom";
import { drawGrid } from "./fabric_grid";
import { drawGroups } from "./fabric_groups";
import { drawTree, Drawn } from "./fabric_tree";
import { counted, number, stateName } from "./format";
import { inspectable } from "./inspect";
import { loadLegend, unitOf } from "./load_colors";
import { distinct, Drawing, Picture } from "./model";
import { sortable } from "./table";

function drawn(drawing: Drawing, picture: Picture, unit: number, width: number): Drawn {
  if (drawing.kind === "tree") return drawTree(drawing, picture, unit, width);
  return drawing.kind === "grid"
    ? drawGrid(drawing, picture, unit, width)
    : drawGroups(drawing, picture, unit, width);
}

function titleOf(drawing: Drawing, p: Picture): string {
  const several = distinct(drawing.pictures.map((o) => o.traffic)).length > 1,
    places = distinct(drawing.pictures.map((o) => o.placement)).length > 1;
  return [p.engine, several ? p.traffic : "", places ? p.placement : "", stateName(p.without)]
    .filter(Boolean)
    .join(", ");
}

const how = {
  tree: "Each row is a level, each box a subtree; a line across joins the cells that all reach each other. Of two upright lines the left is the way up, the right the way down; a single one is the heavier way",
  grid: "A bar for each dimension, the square for the cables to hosts; the heavier way counts",
  groups: "Strips of a switch, from the left: ",
};

function note(drawing: Drawing, picture: Picture): string {
  const cells = Math.max(...drawing.cells.map((c) => c[3]));
  const parts = [drawing.kind === "groups" ? how.groups + drawing.kinds.join(", ") : how[drawing.kind]];
  if (cells > 1) parts.push(`up to ${cells} switches in a cell, with their heaviest channel`);
  if (drawing.planes > 1) parts.push(`${drawing.planes} planes on top of each other`);
  if (picture.missing.some((m) => m > 0)) parts.push("circles: cables are missing");
  const what = picture.rounds
    ? `Colour: load under ${picture.traffic}, ${picture.remark}. `
    : picture.remark
      ? `${picture.remark}. `
      : "";
  return what + parts.join("; ") + ".";
}

interface Hot {
  name: string;
  kind: string;
  way: string;
  mean: number;
  peak: number;
}

function hottest(drawing: Drawing, p: Picture): HTMLElement | null {
  if (!p.rounds) return null;
  const all = drawing.strands
    .flatMap(([cell, kind], i): Hot[] => {
      const name = drawing.cells[cell]![0],
        k = drawing.kinds[kind]!;
      return [
        { name, kind: k, way: "out", mean: p.out_mean[i]!, peak: p.out_peak[i]! },
        { name, kind: k, way: "in", mean: p.in_mean[i]!, peak: p.in_peak[i]! },
      ];
    })
    .filter((x) => x.way === "out" || x.kind === "hosts")
    .sort((a, b) => b.mean - a.mean)
    .slice(0, 8);
  return h(
    "details",
    { class: "hottest" },
    h("summary", {}, "The heaviest"),
    sortable(
      "The heaviest channel of each bundle of cables",
      [
        { title: "switch", isText: true, sort: (x) => x.name },
        {
          title: "cables",
          isText: true,
          sort: (x) => `${x.kind}${x.kind === "hosts" ? (x.way === "in" ? ", from them" : ", to them") : ""}`,
        },
        { title: "mean load", sort: (x) => x.mean, show: (x) => number(x.mean) },
        { title: "heaviest", sort: (x) => x.peak, show: (x) => number(x.peak) },
      ],
      all,
    ),
  );
}

export function fabricFigure(drawing: Drawing): HTMLElement {
  const place = h("div", { class: "picture" }),
    select = h("select", { "aria-label": `Picture of ${drawing.fabric}` });
  drawing.pictures.forEach((p, i) => select.append(h("option", { value: i }, titleOf(drawing, p))));
  const show = (): void => {
    const picture = drawing.pictures[Number(select.value)]!;
    const unit = unitOf(drawing, picture);
    place.replaceChildren(
      ...[
        picture.rounds ? loadLegend(unit) : null,
        responsive((width) => {
          const d = drawn(drawing, picture, unit, width);
          return inspectable(d.svg, d.marks, 16);
        }),
        h("p", { class: "note" }, note(drawing, picture)),
        hottest(drawing, picture),
      ].filter((x): x is HTMLElement => x !== null),
    );
  };
  select.addEventListener("change", show);
  show();
  const title = h(
    "h3",
    {},
    drawing.fabric,
    h("small", {}, ` ${counted(drawing.hosts, "host")}, ${counted(drawing.switches, "switch", "switches")}`),
  );
  const only = h("span", { class: "facts" }, titleOf(drawing, drawing.pictures[0]!));
  return h(
    "figure",
    { class: "drawing", "data-fabric": drawing.fabric },
    title,
    drawing.pictures.length > 1 ? h("p", { class: "controls" }, select) : h("p", {}, only),
    place,
  );
}
