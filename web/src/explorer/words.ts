// What something in the drawing is, in words.
import { number } from "../format";
import { Fabric } from "./fabric";
import { Target } from "./hit";

export function inWords(fabric: Fabric, target: Target, loads?: ArrayLike<number>): string {
  if (target.kind === "group") {
    const { name, hosts, switches } = fabric.drawn.groups[target.group]!;
    return `${name}: ${hosts ? `${number(hosts)} hosts, ` : ""}${number(switches)} switch${switches === 1 ? "" : "es"} \u2013 click to open`;
  }
  if (target.kind === "node") return `${fabric.isSwitch(target.node) ? "switch" : "host"} ${fabric.name(target.node)}`;
  if (target.count > 1) return `${number(target.count)} cables, such as ${fabric.cableName(target.cable)}`;
  const [a, b] = [fabric.channel[2 * target.cable]!, fabric.channel[2 * target.cable + 1]!];
  const load = loads ? `: ${number(loads[a])} one way, ${number(loads[b])} back` : "";
  return fabric.cableName(target.cable) + load + (fabric.broken[target.cable] ? ", broken" : "");
}
