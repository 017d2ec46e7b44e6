// What something in the drawing is, in words.
import { bytes, counted, number, percent } from "../base/format";
import { Fabric } from "./fabric";
import { Target } from "./hit";

export function inWords(fabric: Fabric, target: Target, loads?: ArrayLike<number>, unit = "flows"): string {
  if (target.kind === "group") {
    const { name, hosts, switches } = fabric.drawn.groups[target.group]!;
    return `${name}: ${hosts ? `${counted(hosts, "host")}, ` : ""}${counted(switches, "switch", "switches")}`;
  }
  const isBusy = unit.startsWith("busy"), told = unit.startsWith("bytes") ? bytes : isBusy ? percent : number;
  const what = isBusy ? "busy" : unit === "errors" ? "errors" : unit === "bytes sent" ? "sent" : "load";
  const load = (ways: [number[], string][]): string => loads
    ? `: ${what} ${ways.map(([channels, way]) => `${channels.length > 1 ? "at most " : ""}${told(Math.max(0, ...channels.map((c) => loads[c] ?? 0)))} ${way}`).join(", ")}`
    : "";
  if (target.kind === "node") {
    const out = fabric.channelsOf(target.node).filter((c) => fabric.cableOf[c]! >= 0);
    return `${fabric.isSwitch(target.node) ? "switch" : "host"} ${fabric.name(target.node)}` + load([[out, "out"], [out.map((c) => fabric.reverse(c)), "in"]]);
  }
  const { cable, count, missing, there, back } = target;
  return (count > 1 ? `${number(count)} cables, such as ` : "") + fabric.cableName(cable) + load([[there, "one way"], [back, "back"]]) +
    (missing === 0 ? "" : missing < count ? `, ${number(missing)} missing` : ", broken");
}
