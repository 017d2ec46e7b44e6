// What is looked at, and how it is written in the address: a link opens the same view.
import { View } from "../map/scene";

export type Tab = "fabric" | "load" | "path" | "break" | "counters" | "prove" | "simulate" | "time" | "program";
export const tabs: Tab[] = ["fabric", "load", "path", "break", "counters", "prove", "simulate", "time", "program"];

export interface State {
  fabric: string;
  without: string[];
  engine: string;
  paths: string;   // empty: the engine's own number
  tables: string;  // a file or folder of tables instead of the engine; empty: none
  counters: string;  // a file or folder of counters of ports; empty: none
  other: string;   // a second engine beside it; empty: none
  traffic: string;
  rails: "all" | "first";  // over which hosts with several NICs send
  from: string; to: string;
  program: string;    // a file, or what the command line takes; empty: none
  level: string; placement: string;
  ranks: string;      // of a program that is made; empty: all hosts
  speed: string;      // of a link, Gbit/s; empty: 400, or what the fabric says
  moment: string;     // of a program's run, of momentSteps
  tab: Tab;
  matrix: boolean;
  every: boolean;  // every cable, however small
  view: View | null;  // null: all of it
}

export const momentSteps = 240;

export const initial: State = {
  fabric: "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", without: [], engine: "", paths: "", tables: "", counters: "", other: "", traffic: "permutation", rails: "all",
  from: "", to: "", program: "", level: "fluid", placement: "linear", ranks: "", speed: "", moment: "120", tab: "fabric", matrix: false, every: false, view: null,
};

// An uploaded file has a number before the name that it has where it came from.
export const fileName = (file: string): string => file.replace(/^[0-9a-f]{16}-/, "");

// What another fabric begins with.
export const afresh = { without: [], engine: "", paths: "", tables: "", counters: "", other: "", from: "", to: "", view: null };

export function toAddress(state: State): string {
  const out = new URLSearchParams();
  out.set("fabric", state.fabric);
  for (const fault of state.without) out.append("without", fault);
  for (const key of ["engine", "paths", "tables", "counters", "other", "traffic", "rails", "from", "to", "program", "level", "placement", "ranks", "speed", "moment"] as const)
    if (state[key] !== initial[key]) out.set(key, state[key]);
  if (state.tab !== initial.tab) out.set("tab", state.tab);
  if (state.matrix) out.set("matrix", "1");
  if (state.every) out.set("every", "1");
  if (state.view) out.set("view", [state.view.x, state.view.y, state.view.scale].map((v) => Number(v.toPrecision(5))).join(","));
  return "#" + out.toString();
}

export function fromAddress(hash: string): State {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (key: keyof State): string => given.get(key) ?? String(initial[key]);
  const view = (given.get("view") ?? "").split(",").map(Number);
  const tab = tabs.find((t) => t === given.get("tab")) ?? initial.tab;
  return {
    fabric: text("fabric"), without: given.getAll("without"), engine: text("engine"), paths: text("paths"),
    tables: text("tables"), counters: text("counters"), other: text("other"), traffic: text("traffic"), rails: given.get("rails") === "first" ? "first" : "all", from: text("from"), to: text("to"),
    program: text("program"), level: text("level"), placement: text("placement"), ranks: text("ranks"), speed: text("speed"), moment: text("moment"), tab,
    matrix: given.has("matrix"), every: given.has("every"),
    view: view.length === 3 && view.every(Number.isFinite) && view[2]! > 0 ? { x: view[0]!, y: view[1]!, scale: view[2]! } : null,
  };
}
