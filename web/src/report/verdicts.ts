// The judge's verdicts, and the counterexample of each that is no.
import { h } from "../base/dom";
import { number } from "../base/format";
import { factorText, LeftOut, Point, StudyData, valueOf } from "./model";
import { section } from "./sections";
import { Column, sortable } from "../base/table";

const flag = (value: number | null): string => (value === null ? "" : value === 1 ? "yes" : "NO");

function proof(p: Point): HTMLElement | null {
  const found = (["counterexample", "waiting", "not_applicable"] as const).flatMap((k) =>
    p.texts[k] ? [p.texts[k]!] : [],
  );
  if (found.length === 0) return null;
  const isNo = valueOf(p, "yes") === 0;
  return h(
    "details",
    { class: "proof", open: isNo },
    h("summary", {}, `${p.engine} on ${p.fabric}, ${factorText("without", p.without)}`),
    ...found.map((t) =>
      h(
        "pre",
        {},
        t.replace(/(: |; )(?=\S+ lane)/g, (m) => m.trim() + "\n  "),
      ),
    ),
  );
}

export function verdicts(study: StudyData): HTMLElement | null {
  const points = study.points.filter((p) => p.measure === "verdict");
  const shifts = study.points.filter((p) => p.measure === "shifts");
  const text = (title: string, f: (p: Point) => string): Column<Point> => ({ title, isText: true, sort: f });
  const value = (title: string, name: string): Column<Point> => ({
    title,
    sort: (p) => valueOf(p, name) ?? "",
    show: (p) => number(valueOf(p, name)),
  });
  const yes = (title: string, name: string): Column<Point> => ({
    title,
    isText: true,
    sort: (p) => flag(valueOf(p, name)),
    show: (p) => h("span", { class: valueOf(p, name) === 1 ? "yes" : "no" }, flag(valueOf(p, name))),
  });
  const who = [
    text("fabric", (p) => p.fabric),
    text("state", (p) => factorText("without", p.without)),
    text("routing", (p) => p.engine),
  ];
  const judged =
    points.length === 0
      ? null
      : sortable(
          "For all pairs of hosts; a routing is proved when all arrive, none loops and none waits in a circle",
          [
            ...who,
            yes("verdict", "yes"),
            yes("all arrive", "reachable"),
            yes("no loop", "loop_free"),
            yes("no deadlock", "deadlock_free"),
            { title: "minimal", isText: true, sort: (p) => flag(valueOf(p, "minimal")).toLowerCase() },
            value("lanes", "lanes"),
            value("longest path", "longest_path"),
            value("average path", "average_path"),
            value("idle channels", "idle_channels"),
          ],
          points,
          60,
        );
  const shifted =
    shifts.length === 0
      ? null
      : sortable(
          "All shifts: host i sends to host i + s",
          [
            ...who,
            yes("contention-free", "shift_contention_free"),
            value("worst load", "worst_shift_load"),
            value("in shift", "worst_shift"),
          ],
          shifts,
          60,
        );
  const proofs = study.points.map(proof).filter((p): p is HTMLDetailsElement => p !== null);
  return section(
    "verdicts",
    "Verdicts",
    judged,
    shifted,
    proofs.length ? h("h3", {}, "Counterexamples") : null,
    ...proofs.slice(0, 40),
    study.left_out.length ? leftOut(study.left_out) : null,
  );
}

function leftOut(all: LeftOut[]): HTMLElement {
  return h(
    "div",
    {},
    h("h3", {}, "Left out"),
    h(
      "ul",
      {},
      ...all.map((l) => h("li", {}, `${l.engine} on ${l.fabric}, ${factorText("without", l.without)}: ${l.why}`)),
    ),
  );
}
