// What the fabrics cost.
import { h } from "../base/dom";
import { number, short } from "../base/format";
import { distinct } from "../base/lists";
import { Point, StudyData, valueOf } from "./model";
import { section } from "./sections";
import { Column, sortable } from "../base/table";

export function cost(study: StudyData): HTMLElement | null {
  const points = study.points.filter((p) => p.measure === "cost");
  if (points.length === 0) return null;
  const money = points[0]!.rows.find((r) => r[0] === "money")?.[2] ?? "";
  const value = (title: string, name: string, show = number as (v: number | null) => string): Column<Point> => ({
    title,
    sort: (p) => valueOf(p, name) ?? "",
    show: (p) => show(valueOf(p, name)),
  });
  const most = Math.max(...points.map((p) => valueOf(p, "money") ?? 0));
  const bar = (p: Point): HTMLElement => {
    const parts = ["money_switches", "money_cables", "money_nics"].map((name, i) => {
      const part = h("span", {
        class: `part p${i}`,
        title: `${["switches", "cables", "NICs"][i]}: ${number(valueOf(p, name))} ${money}`,
      });
      part.style.width = `${(100 * (valueOf(p, name) ?? 0)) / (most || 1)}%`;
      return part;
    });
    return h(
      "span",
      {
        class: "bar",
        role: "img",
        "aria-label": `switches ${short(valueOf(p, "money_switches") ?? 0)}, cables ${short(valueOf(p, "money_cables") ?? 0)}, NICs ${short(valueOf(p, "money_nics") ?? 0)}`,
      },
      ...parts,
    );
  };
  const remarks = distinct(points.map((p) => p.texts.remark ?? "").filter(Boolean));
  return section(
    "cost",
    "Cost",
    remarks.length ? h("p", { class: "remark" }, remarks.join("; ") + ".") : null,
    sortable(
      `In ${money}: switches, cables and NICs`,
      [
        { title: "fabric", isText: true, sort: (p) => p.fabric },
        {
          title: "switches \u00b7 cables \u00b7 NICs",
          isText: true,
          sort: (p) => valueOf(p, "money") ?? 0,
          show: bar,
        },
        value("in all", "money", (v) => short(v ?? 0)),
        value("per host", "money_per_host"),
        value("switches", "switches"),
        value("ports used", "ports_used"),
        value("cables", "cables"),
        value("metres", "cable_metres"),
        value("longest", "longest_cable"),
        value("watts", "watts"),
        value("racks", "racks"),
      ],
      points,
    ),
  );
}
