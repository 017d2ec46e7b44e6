// Fabrics drawn and coloured by load, a picture at a time.
import { h, responsive } from "../base/dom";
import { counted, number, stateName } from "../base/format";
import { distinct } from "../base/lists";
import { sortable } from "../base/table";
import { inspectable, Mark } from "../charts/inspect";
import { Fabric } from "../map/fabric";
import { hitAt, Target } from "../map/hit";
import { legend } from "../map/legend";
import { Colours, livePalette, Painter } from "../map/paint";
import { fitted, openness, Scene } from "../map/scene";
import { SvgSurface } from "../map/surface";
import { inWords } from "../map/words";
import { Drawing, Picture } from "./model";

function titleOf({ pictures }: Drawing, p: Picture): string {
  const varies = (of: (o: Picture) => string): boolean => distinct(pictures.map(of)).length > 1;
  return [p.engine, varies((o) => o.traffic) ? p.traffic : "", varies((o) => o.placement) ? p.placement : "", stateName(p.without)]
    .filter(Boolean)
    .join(", ");
}

function note(p: Picture): string {
  const missing = p.found.missing.reduce((sum, m) => sum + m, 0);
  return [
    p.found.loads ? `Colour: load under ${p.traffic}, ${p.found.remark}; of the two ways of a cable the heavier.` : "",
    !p.found.loads && p.found.remark ? `${p.found.remark}.` : "",
    "A box stands for all that is in it, a line for all cables between two things; its colour is that of the heaviest.",
    missing ? `${counted(missing, "cable is", "cables are")} missing: dashed where none is left, a circle where some are, a red edge where they are in a box.` : "",
  ].filter(Boolean).join(" ");
}

function hottest(p: Picture): HTMLElement | null {
  if (!p.found.hottest) return null;
  return h(
    "details",
    { class: "hottest" },
    h("summary", {}, "The heaviest"),
    sortable(
      "The heaviest channels",
      [
        { title: "from", isText: true, sort: (x) => x.from },
        { title: "port", sort: (x) => x.port },
        { title: "to", isText: true, sort: (x) => x.to },
        { title: "mean load", sort: (x) => x.mean, show: (x) => number(x.mean) },
        { title: "heaviest", sort: (x) => x.peak, show: (x) => number(x.peak) },
      ],
      p.found.hottest,
    ),
  );
}

function draw(fabric: Fabric, name: string, colours: Colours | null, width: number): HTMLElement {
  const [, t, , b] = fabric.box;
  const view = fitted(fabric, fabric.box, width, Math.min(800, 1.2 * width));
  const height = Math.ceil((b - t) * view.scale + 16);
  const frame = { width, height, view, margin: 0 };
  const scene = new Scene(fabric, openness(fabric, view.scale, false));
  const painter = new Painter(scene, frame, colours, livePalette);
  const surface = new SvgSurface(width, height, "none");
  for (const _ of painter.paint(surface));
  const svg = new DOMParser().parseFromString(surface.toString(), "image/svg+xml").documentElement as unknown as SVGSVGElement;
  svg.setAttribute("class", "map");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${name}, drawn as ${fabric.kind}`);
  const mark = (target: Target, x: number, y: number): Mark => ({ x, y, text: inWords(fabric, target, colours?.values), radius: 8 });
  const marks = [
    ...scene.closed.map((group) => { const { x, y } = scene.at(fabric.nodes + group); return mark({ kind: "group", group }, painter.x(x), painter.y(y)); }),
    ...scene.nodes.filter((v) => fabric.isSwitch(v)).map((node) => mark({ kind: "node", node }, painter.x(fabric.x[node]!), painter.y(fabric.y[node]!))),
  ];
  return inspectable(svg, marks, 0, (x, y) => { const target = hitAt(painter, x, y); return target ? mark(target, x, y) : undefined; });
}

export function fabricFigure(drawing: Drawing): HTMLElement {
  const { pictures, map } = drawing, name = pictures[0]!.fabric;
  const fabric = new Fabric(map);
  const place = h("div", { class: "picture" }),
    select = h("select", { "aria-label": `Picture of ${name}` });
  pictures.forEach((p, i) => select.append(h("option", { value: i }, titleOf(drawing, p))));
  const show = (): void => {
    const picture = pictures[Number(select.value)]!, { loads, missing, unit } = picture.found;
    // The same colours for the same traffic, so that routings compare.
    const most = Math.max(0, ...pictures.filter((p) => p.traffic === picture.traffic).map((p) => (p.found.loads ?? []).reduce((a, v) => Math.max(a, v), 0)));
    const colours = loads ? new Colours(loads, most, `load, in ${unit}`) : null;
    fabric.missing.set(missing);
    place.replaceChildren(
      ...[
        colours ? legend(colours) : null,
        responsive((width) => draw(fabric, name, colours, width)),
        h("p", { class: "note" }, note(picture)),
        hottest(picture),
      ].filter((x): x is HTMLElement => x !== null),
    );
  };
  select.addEventListener("change", show);
  show();
  const { hosts, switches } = map.whole;
  return h(
    "figure",
    { class: "drawing", "data-fabric": name },
    h("h3", {}, name, h("small", {}, ` ${counted(hosts, "host")}, ${counted(switches, "switch", "switches")}`)),
    pictures.length > 1 ? h("p", { class: "controls" }, select) : h("p", {}, h("span", { class: "facts" }, titleOf(drawing, pictures[0]!))),
    place,
  );
}
