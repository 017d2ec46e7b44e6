// A fabric as `banyan draw` gives it, in flat arrays.
export interface DrawResult {
  notation: string; kind: "tree" | "grid" | "ring" | "layers" | "free";
  hosts: number; rails: number; nics: number; switches: number; links: number; channels: number;
  box: [number, number, number, number];
  names: string[]; x: number[]; y: number[]; level: number[]; group: number[]; first_channel: number[];
  cables: number[]; taken: number[]; port_labels?: number[];
  groups: { name: string; parent: number | null; hosts: number; switches: number; detail: number; box: [number, number, number, number] }[];
}

export class Fabric {
  readonly kind: DrawResult["kind"];
  readonly nodes: number;
  readonly nics: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly cables: number;
  readonly channel: Uint32Array;  // two of each cable
  readonly end: Uint32Array;      // the nodes they leave
  readonly nodeOf: Uint32Array;   // by channel
  readonly cableOf: Int32Array;   // by channel; -1: an empty port
  readonly broken: Uint8Array;    // by cable
  private readonly byName = new Map<string, number>();

  // All cables, those taken away included: breaking one moves nothing.
  constructor(readonly drawn: DrawResult) {
    this.kind = drawn.kind;
    this.nodes = drawn.names.length;
    this.nics = drawn.nics;
    this.x = Float64Array.from(drawn.x);
    this.y = Float64Array.from(drawn.y);
    this.nodeOf = new Uint32Array(drawn.channels);
    for (let v = 0; v < this.nodes; ++v)
      this.nodeOf.fill(v, drawn.first_channel[v], v + 1 < this.nodes ? drawn.first_channel[v + 1] : drawn.channels);
    this.channel = Uint32Array.from([...drawn.cables, ...drawn.taken]);
    this.cables = this.channel.length / 2;
    this.end = this.channel.map((c) => this.nodeOf[c]!);
    this.cableOf = new Int32Array(drawn.channels).fill(-1);
    this.channel.forEach((c, i) => { this.cableOf[c] = i >> 1; });
    this.broken = new Uint8Array(this.cables);
    this.setTaken(drawn.taken);
    drawn.names.forEach((name, v) => this.byName.set(name, v));
  }

  setTaken(taken: number[]): void {
    this.broken.fill(0);
    for (const c of taken) if (this.cableOf[c]! >= 0) this.broken[this.cableOf[c]!] = 1;
  }

  isSwitch(node: number): boolean { return node >= this.nics; }
  name(node: number): string { return this.drawn.names[node] ?? String(node); }
  find(name: string): number | undefined {
    return this.byName.get(name) ?? (/^\d+$/.test(name) && Number(name) < this.drawn.hosts ? Number(name) : undefined);
  }
  level(node: number): number { return this.drawn.level[node]!; }
  group(node: number): number { return this.drawn.group[node]!; }

  portName(channel: number): string {
    const node = this.nodeOf[channel]!;
    const label = this.drawn.port_labels?.[channel] ?? channel - this.drawn.first_channel[node]! + 1;
    return `${this.name(node)}:${label}`;
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
