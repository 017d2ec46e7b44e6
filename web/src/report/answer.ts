// The answer in one paragraph: who is best in what, as far as the intervals tell.
import { listed, number, percent, short, stateName } from "../base/format";
import { metric } from "./metrics";
import { distinct } from "../base/lists";
import { factorText, Measure, StudyData, Value, valueOf, values, varying } from "./model";

export function isBetter(better: "less" | "more", a: number, b: number): boolean {
  return better === "less" ? a < b : a > b;
}

// The best, and all whose intervals reach into its interval.
export function best(better: "less" | "more", all: Value[]): Value[] {
  if (all.length === 0) return [];
  const first = all.reduce((a, b) => (isBetter(better, b.value, a.value) ? b : a));
  const same = (v: Value): boolean => v.lo <= first.hi && v.hi >= first.lo;
  return [first, ...all.filter((v) => v !== first && same(v))];
}

const who = (v: Value, withFabric: boolean): string =>
  [v.point.engine, withFabric ? v.point.fabric : ""].filter(Boolean).join(" on ");

function amount(v: Value): string {
  const half = v.seeds === 1 && !v.isCertain ? (v.hi - v.lo) / 2 : 0;
  const interval = half >= 0.005 * Math.abs(v.value) ? ` \u00b1 ${number(Number(half.toPrecision(2)))}` : "";
  return `${number(v.value)}${interval}${v.unit ? " " + v.unit : ""}`;
}

// One state and one kind of traffic: the best of all, and the best of every other fabric.
function bestOf(name: string, all: Value[], where: string): string {
  const { name: title, better } = metric(name);
  if (better === "neither" || all.length < 2) return "";
  const fabrics = distinct(all.map((v) => v.point.fabric));
  const several = fabrics.length > 1;
  const [first, ...others] = best(better, all);
  const word = better === "less" ? "lowest" : "highest";
  let out = `${where}${where ? ", the" : "The"} ${title} is ${word} with ${who(first!, several)} (${amount(first!)})`;
  if (others.length > 0 && others.length <= 3)
    out += `; ${listed(others.map((v) => who(v, several)))} ${others.length === 1 ? "is" : "are"} no different within the interval`;
  else if (others.length > 3) out += `; ${others.length} others are no different within the interval`;
  const rest = fabrics.filter((f) => f !== first!.point.fabric);
  const runnersUp = rest.map(
    (f) =>
      best(
        better,
        all.filter((v) => v.point.fabric === f),
      )[0]!,
  );
  if (runnersUp.length > 0 && runnersUp.length <= 3)
    out += `, against ${listed(runnersUp.map((v) => `${number(v.value)} with ${who(v, true)}`))}`;
  return out + ".";
}

function verdicts(study: StudyData): string {
  const points = study.points.filter((p) => p.measure === "verdict");
  if (points.length === 0) return "";
  const bad = points.filter((p) => valueOf(p, "yes") !== 1);
  if (bad.length === 0)
    return points.length === 1
      ? "The routing was proved: every packet arrives, none loops, none waits in a circle."
      : `All ${points.length} routings were proved: every packet arrives, none loops, none waits in a circle.`;
  const names = distinct(bad.map((p) => `${p.engine} on ${p.fabric}`));
  const why = distinct(
    bad.map((p) =>
      valueOf(p, "deadlock_free") === 0
        ? "may deadlock"
        : valueOf(p, "loop_free") === 0
          ? "loops"
          : "leaves pairs unreached",
    ),
  );
  return (
    `${points.length - bad.length} of ${points.length} routings were proved correct; ` +
    `${names.length <= 4 ? listed(names) : `${names.length} others`} ${why.length === 1 ? why[0] : `failed (${listed(why)})`}.`
  );
}

function cost(study: StudyData): string {
  const all = values(study.points, "cost", "money");
  if (all.length === 0) return "";
  const remark = study.points.some((p) => p.measure === "cost" && p.texts.remark)
    ? "; with placeholder prices, nobody\u2019s offer"
    : "";
  const cheap = all.reduce((a, b) => (b.value < a.value ? b : a));
  const dear = all.reduce((a, b) => (b.value > a.value ? b : a));
  if (cheap === dear || cheap.value === dear.value)
    return `${cheap.point.fabric} costs ${short(cheap.value)} ${cheap.unit}${remark}.`;
  return (
    `${cheap.point.fabric} costs ${percent(1 - cheap.value / dear.value)} less than ${dear.point.fabric} ` +
    `(${short(cheap.value)} against ${short(dear.value)} ${dear.unit}${remark}).` +
    unequal(study, cheap.point.fabric, dear.point.fabric)
  );
}

// What is compared, where two fabrics are no equals.
function unequal(study: StudyData, a: string, b: string): string {
  const intact = values(study.points, "describe", "bisection_ratio").filter((v) => ["", "intact"].includes(v.point.without));
  const [first, second] = [a, b].map((fabric) => intact.find((v) => v.point.fabric === fabric)?.value);
  if (first === undefined || second === undefined || Math.abs(first - second) < 0.005) return "";
  return ` They are not equals: ${a} has ${percent(first)} of full bisection, ${b} ${percent(second)}.`;
}

// The most that a metric changed from intact to a state, over all that were measured in both.
function change(study: StudyData, measure: Measure, name: string, without: string): string {
  const { name: title, better } = metric(name);
  if (better === "neither") return "";
  const all = values(study.points, measure.name, name);
  const twin = (v: Value): Value | undefined =>
    all.find(
      (o) =>
        o.point.without === "intact" &&
        ["fabric", "engine", "traffic", "placement", "ranks", "options"].every(
          (f) => o.point[f as "fabric"] === v.point[f as "fabric"],
        ),
    );
  const changes = all
    .filter((v) => v.point.without === without)
    .flatMap((v) => {
      const before = twin(v);
      return before && before.value !== 0 ? [{ v, by: v.value / before.value - 1 }] : [];
    });
  if (changes.length === 0) return "";
  const worse = changes.reduce((a, b) => ((better === "less" ? b.by > a.by : b.by < a.by) ? b : a));
  if (better === "less" ? worse.by <= 0.0005 : worse.by >= -0.0005) return `the ${title} gets no worse anywhere`;
  const fabrics = distinct(all.map((v) => v.point.fabric)).length > 1;
  const extra = factsOf(
    worse.v,
    varying(changes.map((c) => c.v.point)).filter((f) => !["fabric", "engine", "without"].includes(f)),
  );
  return `the ${title} gets worse by at most ${percent(Math.abs(worse.by))} (${[who(worse.v, fabrics), extra].filter(Boolean).join(", ")})`;
}

const factsOf = (v: Value, names: string[]): string =>
  names
    .map((f) => factorText(f, f in v.point ? String(v.point[f as "fabric"]) : (v.point.varied?.[f] ?? "")))
    .join(", ");

// The hardest case stands for all: the highest of each number that was varied.
function hardest(all: Value[]): { rest: Value[]; where: string } {
  let rest = all;
  const parts: string[] = [];
  for (const name of distinct(all.flatMap((v) => Object.keys(v.point.varied ?? {})))) {
    const levels = distinct(rest.map((v) => v.point.varied?.[name] ?? ""));
    const last = levels.every((l) => Number.isFinite(Number(l)))
      ? String(Math.max(...levels.map(Number)))
      : levels[0]!;
    rest = rest.filter((v) => Number(v.point.varied?.[name]) === Number(last) || v.point.varied?.[name] === last);
    if (levels.length > 1) parts.push(`at ${name} ${last}`);
  }
  return { rest, where: parts.join(", ") };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function answer(study: StudyData): string {
  const out = [verdicts(study)];
  const states = distinct(study.points.filter((p) => p.engine).map((p) => p.without));
  for (const measure of study.measures) {
    if (["cost", "verdict", "describe"].includes(measure.name) || !measure.headline) continue;
    const first = values(study.points, measure.name, measure.headline).filter((v) => v.point.without === states[0]);
    const traffics = distinct(first.map((v) => v.point.traffic));
    for (const traffic of traffics.slice(0, 3)) {
      const { rest, where } = hardest(first.filter((v) => v.point.traffic === traffic));
      const parts = [
        states.length > 1 ? stateName(states[0]!) : "",
        traffics.length > 1 ? `under ${traffic}` : "",
        where,
      ];
      out.push(bestOf(measure.headline, rest, capital(parts.filter(Boolean).join(", "))));
    }
  }
  for (const state of states.slice(1, 3)) {
    const changes = study.measures
      .filter((m) => m.headline && !["cost", "verdict"].includes(m.name))
      .map((m) => change(study, m, m.headline, state))
      .filter(Boolean);
    if (changes.length > 0) out.push(`With ${stateName(state)} ${listed(changes)}.`);
  }
  out.push(cost(study));
  if (study.left_out.length > 0)
    out.push(
      `${study.left_out.length === 1 ? "One routing does" : `${study.left_out.length} routings do`} not apply and ` +
        `${study.left_out.length === 1 ? "was" : "were"} left out.`,
    );
  return out.filter(Boolean).join(" ");
}
