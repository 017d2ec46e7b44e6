import { AnswerHead, Draw } from "../base/answers";

export type Box = [left: number, top: number, right: number, bottom: number];

// A fabric as `banyan draw` gives it and reports embed it, in flat arrays.
export type MapData = Omit<Draw, keyof AnswerHead | "notation" | "box" | "groups"> & {
  box: Box;
  counts?: number[];  // of the cables that each one stands for, where the map is an overview
  groups: (Omit<Draw["groups"][number], "box"> & { box: Box })[];
};

// How far the middle of a line along a row or column of a grid is pulled aside; the line goes half as far. Never 12 or
// more: hosts stand beyond half of that.
export const bulge = (length: number): number => 12 * (1 - Math.exp(-(0.16 * length + 1) / 12));

export class Fabric {
  readonly kind: MapData["kind"];
  readonly box: Box;
  readonly nodes: number;
  readonly nics: number;
  readonly hosts: number;  // that have a place, those that were not seen included
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly cables: number;
  readonly channel: Uint32Array;  // two of each cable
  readonly end: Uint32Array;      // the nodes they leave
  readonly nodeOf: Uint32Array;   // by channel
  readonly cableOf: Int32Array;   // by channel; -1: an empty port
  readonly count: ArrayLike<number>;  // by cable: for how many it stands,
  readonly missing: Uint32Array;      // and how many of them are missing
  private readonly byName = new Map<string, number>();

  // All cables, those taken away included: breaking one moves nothing.
  constructor(readonly drawn: MapData) {
    this.kind = drawn.kind;
    const [l, t, r, b] = drawn.box;
    this.box = this.kind === "grid" ? [l - bulge(b - t) / 2, t - bulge(r - l) / 2, r, b] : drawn.box;
    this.nodes = drawn.names.length;
    this.nics = drawn.nics;
    this.hosts = drawn.nics / drawn.rails;
    this.x = Float64Array.from(drawn.x);
    this.y = Float64Array.from(drawn.y);
    this.nodeOf = new Uint32Array(drawn.channels);
    for (let v = 0; v < this.nodes; ++v) this.nodeOf.fill(v, drawn.first_channel[v], drawn.first_channel[v + 1] ?? drawn.channels);
    this.channel = Uint32Array.from([...drawn.cables, ...drawn.taken]);
    this.cables = this.channel.length / 2;
    this.end = this.channel.map((c) => this.nodeOf[c]!);
    this.cableOf = new Int32Array(drawn.channels).fill(-1);
    this.channel.forEach((c, i) => { this.cableOf[c] = i >> 1; });
    this.count = drawn.counts ?? new Uint8Array(this.cables).fill(1);
    this.missing = new Uint32Array(this.cables);
    this.setTaken(drawn.taken);
    drawn.names.forEach((name, v) => this.byName.set(name, v));
  }

  setTaken(taken: number[]): void {
    this.missing.fill(0);
    for (const c of taken) if (this.cableOf[c]! >= 0) this.missing[this.cableOf[c]!] = 1;
  }
  isBroken(cable: number): boolean { return this.missing[cable]! >= this.count[cable]!; }

  // Those that are missing altogether.
  gone(): number[] {
    const out: number[] = [];
    for (let c = 0; c < this.cables; ++c) if (this.isBroken(c)) out.push(c);
    return out;
  }
  // The channel that leaves a port with a cable, as portName() names it.
  channelAt(port: string): number | undefined {
    const [name, label] = [port.slice(0, port.lastIndexOf(":")), port.slice(port.lastIndexOf(":") + 1)], node = this.find(name);
    if (node === undefined || !label) return undefined;
    const named = this.channelsOf(node).filter((c) => this.cableOf[c]! >= 0 && this.portName(c) === `${this.name(node)}:${label}`);
    return named.find((c) => !this.isBroken(this.cableOf[c]!)) ?? named[0];  // a cable that the file lacks has a made-up port
  }
  cableAt(port: string): number | undefined {
    const channel = this.channelAt(port);
    return channel === undefined ? undefined : this.cableOf[channel];
  }

  channelsOf(node: number): number[] {
    const first = this.drawn.first_channel[node]!, end = this.drawn.first_channel[node + 1] ?? this.drawn.channels;
    return Array.from({ length: end - first }, (_, i) => first + i);
  }
  isSwitch(node: number): boolean { return node >= this.nics; }
  name(node: number): string { return this.drawn.names[node] ?? String(node); }
  find(name: string): number | undefined {
    return this.byName.get(name) ?? (/^\d+$/.test(name) && Number(name) < this.hosts ? Number(name) : undefined);
  }
  group(node: number): number { return this.drawn.group[node]!; }

  portName(channel: number): string {
    const node = this.nodeOf[channel]!;
    const label = this.drawn.port_labels?.[channel] ?? channel - this.drawn.first_channel[node]! + 1;
    return label ? `${this.name(node)}:${label}` : this.name(node);
  }
  cableName(cable: number): string {
    return `${this.portName(this.channel[2 * cable]!)} \u2013 ${this.portName(this.channel[2 * cable + 1]!)}`;
  }
  reverse(channel: number): number {
    const cable = this.cableOf[channel]!;
    return this.channel[2 * cable] === channel ? this.channel[2 * cable + 1]! : this.channel[2 * cable]!;
  }
  // As --without names it: from the switch's side.
  faultOf(cable: number): string {
    const [a, b] = [this.channel[2 * cable]!, this.channel[2 * cable + 1]!];
    return `link=${this.portName(this.isSwitch(this.nodeOf[a]!) ? a : b)}`;
  }
}
