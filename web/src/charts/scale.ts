// From values to pixels, and the values worth a tick.
export interface Scale {
  (value: number): number;
  ticks: number[];
  domain: [number, number];
  isLog: boolean;
}

function make(f: (v: number) => number, ticks: number[], domain: [number, number], isLog: boolean): Scale {
  return Object.assign(f, { ticks, domain, isLog });
}

export function step(span: number, count: number): number {
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const m of [1, 2, 5]) if (raw <= m * power * 1.0001) return m * power;
  return 10 * power;
}

// The domain as given, with ticks inside it.
export function within(low: number, high: number, from: number, to: number, count = 5): Scale {
  if (!(high > low)) return linear(low, high, from, to, count);
  const by = step(high - low, count);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / by - 1e-9); i * by <= high * (1 + 1e-9); ++i)
    ticks.push(Number((i * by).toPrecision(12)));
  return make((v) => from + ((v - low) / (high - low)) * (to - from), ticks, [low, high], false);
}

// The domain grows to whole ticks.
export function linear(low: number, high: number, from: number, to: number, count = 5): Scale {
  if (!(high > low)) [low, high] = low === 0 ? [0, 1] : [Math.min(0, 2 * low), Math.max(0, 2 * low)];
  const by = step(high - low, count);
  const first = Math.floor(low / by + 1e-9),
    last = Math.ceil(high / by - 1e-9);
  const ticks: number[] = [];
  for (let i = first; i <= last; ++i) ticks.push(Number((i * by).toPrecision(12)));
  const [a, b] = [first * by, last * by];
  return make((v) => from + ((v - a) / (b - a)) * (to - from), ticks, [a, b], false);
}

export function log(low: number, high: number, from: number, to: number): Scale {
  const first = Math.floor(Math.log10(low) + 1e-9);
  const candidates: number[] = [];
  for (let e = first; e <= Math.ceil(Math.log10(high)); ++e)
    for (const m of [1, 2, 5]) candidates.push(m * 10 ** e);
  const a = Math.max(...candidates.filter((t) => t <= low * 1.0001));
  const b = Math.min(...candidates.filter((t) => t >= high * 0.9999));
  let ticks = candidates.filter((t) => t >= a && t <= b);
  if (ticks.length > 7) ticks = ticks.filter((t) => Number.isInteger(Number(Math.log10(t).toFixed(9))));
  const span = Math.log10(b) - Math.log10(a);
  const f = (v: number): number => from + ((Math.log10(v) - Math.log10(a)) / span) * (to - from);
  return make(f, ticks, [a, b], true);
}

// Logarithmic where the values would otherwise be crushed, and can be.
export function fitting(low: number, high: number, from: number, to: number): Scale {
  return low > 0 && high / low > 25 ? log(low, high, from, to) : linear(Math.min(0, low), high, from, to);
}

// One of `steps` classes for a value; the last for all from `high` on.
export function quantum(value: number, low: number, high: number, steps: number): number {
  if (!(high > low)) return 0;
  return Math.max(0, Math.min(steps - 1, Math.floor(((value - low) / (high - low)) * steps)));
}

// Labels that keep a distance, as near to where they belong as that allows; in the order given by `at`.
export function apart(at: number[], distance: number, low: number, high: number): number[] {
  const order = at.map((_, i) => i).sort((a, b) => at[a]! - at[b]!);
  const out = [...at];
  let edge = low;
  for (const i of order) edge = (out[i] = Math.max(out[i]!, edge)) + distance;
  edge = high;
  for (const i of [...order].reverse()) edge = (out[i] = Math.min(out[i]!, edge)) - distance;
  return out;
}
