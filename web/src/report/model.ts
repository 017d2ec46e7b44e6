// What the program embeds in a page, and how points are picked and put together.
import { SimulateCurve, Size, TimeProgram } from "../base/answers";
import { stateName } from "../base/format";
import { distinct } from "../base/lists";
import { CellMark, FigurePanel, Spread } from "../charts/boxes";
import { MapData } from "../map/fabric";

export type Row = [metric: string, value: number | null, unit: string, half: number | null];

export interface Point {
  measure: string;
  fabric: string;
  without: string;
  engine: string;
  traffic: string;
  placement: string;
  ranks: number;
  seed: number;
  options: string;
  varied?: Record<string, string>;
  texts: Record<string, string>;
  rows: Row[];
}

export interface Measure {
  name: string;
  summary: string;
  headline: string;
}
export interface LeftOut {
  fabric: string;
  without: string;
  engine: string;
  why: string;
}

// What a picture is of, and what was found.
export interface Pictured<Found> {
  fabric: string;
  without: string;
  engine: string;
  traffic: string;
  placement: string;
  found: Found;
}
export type Picture = Pictured<{
  missing: number[]; // by cable of the map
  remark?: string;
  loads?: number[]; // by channel of the map: the mean of the heaviest
  unit?: string; // of loads
  hottest?: { from: string; port: number | string; to: string; mean: number; peak: number }[];
}>;
export interface Drawing {
  map: MapData & { whole: { hosts: number; switches: number } };
  pictures: Picture[];
}
export type Matrix = Pictured<{
  ranks: number;
  block: number;
  mean: number;
  least: number;
  values: number[][];
}>;

export interface StudyData {
  kind: "study";
  version: string;
  title: string;
  file: string;
  text: string;
  command: string;
  seeds: number[];
  fabrics: { name: string; notation: string }[];
  measures: Measure[];
  left_out: LeftOut[];
  points: Point[];
  drawings?: Drawing[];
  matrices?: Matrix[];
  remarks?: string[];
}

export type Verdict = "within" | "ordering" | "not_reproduced" | "undecided";
export type StatementKind = "prediction" | "fit" | "identity" | "ordering" | "erratum";
// One way of measuring a claim; there may be several.
export interface Finding {
  by: string;
  ours: number | null;
  half_width: number | null; // null: nothing is known about the spread
  verdict: Verdict;
}
export interface Statement {
  id: string;
  kind: StatementKind;
  where: string;
  claim: string;
  theirs: number | null;
  ours: number | null;
  unit: string;
  tolerance: number;
  verdict: Verdict;
  measurements: Finding[];
  why: string;
  found: string;
}
export interface PaperTable {
  title: string;
  columns: string[];
  rows: string[][];
  statements: string[]; // ids
  is_throughput: boolean; // accepted over offered load
  theirs: CurveMark[];
}
// A number of the paper's text, drawn in ours: over x to x_end it is low to high.
export interface CurveMark {
  x: number;
  x_end: number;
  low: number;
  high: number;
  column: string; // the line it is about; empty: all
  text: string;
}
interface FigureOf<Kind extends string, Cell> {
  kind: Kind;
  title: string;
  down: string; // what rows are
  across: string; // what columns are
  value: string; // what a cell holds
  unit: string;
  statements: string[]; // ids
  note: string;
  panels: FigurePanel<Cell>[];
  theirs: (CellMark & { panel: number })[];
}
export type ValueFigure = FigureOf<"heat", number> | FigureOf<"gains", number>;
export type SpreadFigure = FigureOf<"whiskers", Spread> | FigureOf<"bars", Spread>;
export type PaperFigure = ValueFigure | SpreadFigure;
export interface PaperData {
  kind: "paper";
  version: string;
  title: string;
  paper: string;
  quick: boolean;
  seed: number;
  command: string;
  assumptions: string[];
  summary: Record<StatementKind, Record<Verdict, number>>;
  statements: Statement[];
  tables: PaperTable[];
  figures: PaperFigure[];
}

// What `banyan size` answers.
export interface SizeData extends Size {
  kind: "size";
  title: string;
  command: string;
}

// What `banyan simulate --curve` or `--saturation` answers.
export interface CurveData extends SimulateCurve {
  kind: "curve";
  title: string;
  command: string;
  saturation_load?: number; // of a search
}

// What `banyan time --program` answers, and what a page shows of the run.
export interface ProgramData extends TimeProgram {
  kind: "program";
  title: string;
  command: string;
  picture: NonNullable<TimeProgram["picture"]>;
}

// --- factors: what can differ between points ---------------------------------------------------------------

export const factors = ["fabric", "without", "engine", "traffic", "placement", "ranks"] as const;

export function factor(point: Point, name: string): string {
  if ((factors as readonly string[]).includes(name)) return String(point[name as keyof Point]);
  return point.varied?.[name] ?? "";
}

export function factorText(name: string, value: string): string {
  if (name === "without") return stateName(value);
  if (name === "ranks") return value === "0" ? "all hosts" : `${value} ranks`;
  return (factors as readonly string[]).includes(name) ? value : `${name} ${value}`;
}

// The factors that take several values among these points.
export function varying(points: Point[]): string[] {
  const names = [...factors, ...distinct(points.flatMap((p) => Object.keys(p.varied ?? {})))];
  return names.filter((name) => distinct(points.map((p) => factor(p, name))).length > 1);
}

export function isNumeric(values: string[]): boolean {
  return values.length > 0 && values.every((v) => v.trim() !== "" && Number.isFinite(Number(v)));
}

// --- values: a metric of a point, seeds put together -------------------------------------------------------

export interface Value {
  point: Point; // the first of them, for its factors
  value: number;
  lo: number;
  hi: number; // interval of one run, or range over seeds
  isCertain: boolean; // no interval is known
  unit: string;
  seeds: number;
}

export function row(point: Point, metric: string): Row | undefined {
  return point.rows.find((r) => r[0] === metric);
}

export function valueOf(point: Point, metric: string): number | null {
  return row(point, metric)?.[1] ?? null;
}

export function values(points: Point[], measure: string, metric: string): Value[] {
  const groups = new Map<string, [Point, Row][]>();
  for (const point of points) {
    const found = point.measure === measure ? row(point, metric) : undefined;
    if (!found || found[1] === null) continue;
    const key = JSON.stringify([...factors.map((f) => point[f]), point.options]);
    groups.set(key, [...(groups.get(key) ?? []), [point, found]]);
  }
  return [...groups.values()].map(together);
}

function together(group: [Point, Row][]): Value {
  const [point, first] = group[0]!;
  const all = group.map(([, r]) => r[1]!);
  const mean = all.reduce((sum, v) => sum + v, 0) / all.length;
  const half = first[3];
  if (group.length > 1)
    return {
      point,
      value: mean,
      lo: Math.min(...all),
      hi: Math.max(...all),
      isCertain: false,
      unit: first[2],
      seeds: all.length,
    };
  return {
    point,
    value: mean,
    lo: mean - (half ?? 0),
    hi: mean + (half ?? 0),
    isCertain: half === null,
    unit: first[2],
    seeds: 1,
  };
}

// Whether a simulation accepts less than it is offered.
export function isSaturated(v: Value): boolean {
  return v.point.measure === "simulate" && valueOf(v.point, "saturated") === 1;
}

// Whether it ended before its warm-up did: it is not a steady state.
export function endsInWarmUp(v: Value): boolean {
  return v.point.measure === "simulate" && valueOf(v.point, "ends_in_warm_up") === 1;
}

export interface TicketData {
  kind: "ticket";
  version: string;
  title: string;
  command: string;
  answer: string;
  broken: string[];
  steps: string[];
  costs: { what: string; before: string; after: string }[];
  drawing: Drawing;
}
