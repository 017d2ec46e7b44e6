// The page of a study.
import { cost } from "./cost";
import { curveFigures, hasSamples, whiskerFigure } from "./figures";
import { gainFigure, heatFigure } from "./matrices";
import { h } from "../base/dom";
import { counted, setStates } from "../base/format";
import { fabricFigure } from "./drawing";
import { matrixFigure } from "./rate_matrix";
import { compared } from "./metrics";
import { StudyData } from "./model";
import { header } from "./page";
import { again, answered, asked, rows, section } from "./sections";
import { verdicts } from "./verdicts";

const titles: Record<string, string> = {
  load: "Loads of channels",
  rates: "Rates of flows",
  simulate: "Throughput and latency",
  shifts: "All shifts",
};

function measured(study: StudyData): (HTMLElement | null)[] {
  return study.measures
    .filter((m) => m.headline && !["cost", "verdict"].includes(m.name))
    .map((measure) => {
      const names = compared(measure.name, measure.headline);
      const heats = names.map((n) => heatFigure(study, measure, n));
      const figures = [
        ...curveFigures(study, measure),
        ...names.map((n, i) => (heats[i] && !hasSamples(n) ? null : whiskerFigure(study, measure, n))),
        ...heats,
        names.map((n) => gainFigure(study, measure, n)).find((g) => g !== null) ?? null,
        measure.name === "rates" ? matrixFigure(study.matrices ?? []) : null,
      ];
      return section(measure.name, titles[measure.name] ?? measure.name, ...figures);
    });
}

function drawings(study: StudyData): HTMLElement | null {
  const remarks = (study.remarks ?? []).map((r) => h("p", { class: "remark" }, `${r}.`));
  return section(
    "fabrics",
    "The fabrics, coloured by load",
    ...(study.drawings ?? []).map(fabricFigure),
    ...remarks,
  );
}

export function studyPage(study: StudyData): HTMLElement[] {
  setStates(study.points.map((p) => p.without));
  const facts = [
    counted(study.points.length, "point"),
    `seed${study.seeds.length > 1 ? "s" : ""} ${study.seeds.join(", ")}`,
    `Banyan ${study.version}`,
  ];
  const sections = [
    ...answered(study),
    asked(study),
    ...measured(study),
    drawings(study),
    verdicts(study),
    cost(study),
    rows(study),
    again(
      study.command,
      study.version,
      [study.file, `seed${study.seeds.length > 1 ? "s" : ""} ${study.seeds.join(", ")}`],
      { name: study.file, text: study.text },
    ),
  ].filter((x): x is HTMLElement => x !== null);
  return [
    header("Study", study.title || study.file, facts, sections),
    ...sections,
    h("footer", {}, "Made by Banyan; this file needs nothing else."),
  ];
}
