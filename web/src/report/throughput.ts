// What was simulated at full speed: the rows that the answer's sentence, tables and figures share.
import { distinct } from "../base/lists";
import { StudyData, Value, values } from "./model";

export const isIntact = (v: Value): boolean => ["", "intact"].includes(v.point.without);
export const shareOf = (without: string): number | null => {
  const found = /^share=([0-9.]+)%?(?:,seed=\d+)?$/.exec(without);
  return found ? Number(found[1]) * (without.includes("%") ? 0.01 : 1) : ["", "intact"].includes(without) ? 0 : null;
};

// What each routing accepts at the highest load that was offered.
export function accepted(study: StudyData): Value[] {
  const all = values(study.points, "simulate", "accepted");
  const load = (v: Value): number => Number(v.point.varied?.load ?? 0);
  const most = Math.max(0, ...all.map(load));
  return all.filter((v) => load(v) === most);
}

export const trafficsOf = (study: StudyData): string[] => distinct(accepted(study).map((v) => v.point.traffic));

// Of prices that are nobody's offer.
export const isPlaceholder = (study: StudyData): boolean => study.points.some((p) => p.measure === "cost" && p.texts.remark);
