// Numbers and names as people read them.
const thin = "\u202f";

export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (size >= 10000) return grouped(Math.round(value));
  if (size !== 0 && size < 0.0001) return value.toExponential(2).replace("-", "\u2212");
  return minus(String(Number(value.toPrecision(4))));
}

function grouped(value: number): string {
  return minus(String(value).replace(/\B(?=(\d{3})+$)/g, thin));
}

function minus(text: string): string {
  return text.replace("-", "\u2212");
}

export function percent(share: number, sign = false): string {
  const value = 100 * share;
  const size = Math.abs(value);
  const isZero = Number(size.toFixed(1)) === 0;
  const text = isZero
    ? "0"
    : size >= 999.5
      ? grouped(Math.round(size))
      : size >= 10
        ? size.toFixed(0)
        : size.toFixed(1);
  return (isZero ? "" : value < 0 ? "\u2212" : sign ? "+" : "") + text + thin + "%";
}

// 0.7234 -> 72.3 %, where neighbours would look alike without the decimal.
export function percentExactly(share: number): string {
  return minus((100 * share).toFixed(1)) + thin + "%";
}

// 4723920 -> 4.72 M
export function short(value: number): string {
  for (const [unit, size] of [
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ] as const)
    if (Math.abs(value) >= 10 * size || (Math.abs(value) >= size && unit !== "k"))
      return minus(String(Number((value / size).toPrecision(3)))) + thin + unit;
  return number(value);
}

// The binary unit in which a number of bytes is at least 1.
export function byteUnit(bytes: number): [size: number, name: string] {
  const units: [number, string][] = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
  return units.find(([size]) => bytes >= size) ?? [1, "bytes"];
}
export function bytes(value: number): string {
  const [size, name] = byteUnit(value);
  return `${number(value / size)}${thin}${name}`;
}

export function duration(seconds: number): string {
  const [size, unit] = seconds >= 1 ? [1, "s"] : seconds >= 1e-3 ? [1e3, "ms"] : seconds >= 1e-6 || seconds === 0 ? [1e6, "\u00b5s"] : [1e9, "ns"];
  return `${number(size * seconds)} ${unit}`;
}

export function withUnit(value: number | null, unit: string): string {
  return unit ? `${number(value)} ${unit}` : number(value);
}

export function counted(count: number, one: string, many = one + "s"): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

// "a, b and c"
export function listed(items: string[]): string {
  if (items.length < 2) return items.join("");
  return items.slice(0, -1).join(", ") + " and " + items[items.length - 1];
}

// Numbers of one column, with the same number of decimals: four digits of the largest.
export function aligned(all: number[]): (value: number) => string {
  const most = Math.max(0, ...all.map(Math.abs).filter(Number.isFinite));
  if (all.every(Number.isInteger) || most >= 10000 || most === 0) return number;
  const decimals = Math.max(0, Math.min(4, 3 - Math.floor(Math.log10(most))));
  return (value) => minus(value.toFixed(decimals));
}

let seedsMatter = false;

// The states of the study: seeds are named only where they tell states apart.
export function setStates(all: string[]): void {
  seedsMatter = false;
  const states = new Set(all.filter(Boolean));
  seedsMatter = new Set([...states].map(stateName)).size < states.size;
}

// A state of a fabric, from the text that --without takes.
export function stateName(without: string): string {
  if (without === "" || without === "intact") return "intact";
  const share = /^share=([0-9.]+)(?:,seed=(\d+))?$/.exec(without);
  const links = /^links=(\d+)(?:,seed=(\d+))?$/.exec(without);
  if (!share && !links) return `without ${without}`;
  const seed = (share ?? links)![2];
  const what = share ? `${Number((100 * Number(share[1])).toPrecision(4))}${thin}%` : String(links![1]);
  return (
    `${what} of cables missing`.replace(/^(\d+) of cables/, "$1 cables") +
    (seed && seedsMatter ? ` (seed ${seed})` : "")
  );
}
