// mpiGraph's matrix: senders downwards, receivers to the right, the darker the less a pair gets.
import { h } from "../base/dom";
import { Load } from "../base/answers";
import { number } from "../base/format";
import { palette, steps } from "../map/paint";

export type Matrix = Required<Pick<Load, "mean_rate" | "min_rate">> & Pick<Load, "mpigraph">;
export interface PairRate { from: string; to: string; rate: number }

export function matrixOf(result: Matrix): { element: HTMLElement; text: string; rows: PairRate[] } {
  const { hosts, rates } = result.mpigraph ?? { hosts: [], rates: [] };
  const canvas = h("canvas", { width: hosts.length, height: hosts.length, role: "img", "aria-label": "bandwidth of every pair of hosts" });
  const readout = h("p", { class: "remark" }, "Senders downwards, receivers to the right; point at a pair.");
  const most = Math.max(1e-9, ...rates.map((line) => Math.max(...line.map((v) => v ?? 0))));
  const paint = (): void => {
    const colours = palette(document.documentElement);
    const rgb = Array.from({ length: steps }, (_, i) => parseInt((colours[`q${i}`] ?? "#888888").slice(1), 16));
    const context = canvas.getContext("2d")!, image = context.createImageData(Math.max(1, hosts.length), Math.max(1, hosts.length));
    rates.forEach((line, i) => line.forEach((rate, j) => {
      if (rate === null) return;
      const c = rgb[Math.min(steps - 1, Math.floor((1 - rate / most) * steps))]!, at = 4 * (i * hosts.length + j);
      image.data.set([c >> 16, (c >> 8) & 255, c & 255, 255], at);
    }));
    context.putImageData(image, 0, 0);
  };
  paint();
  new MutationObserver(paint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const j = Math.floor(((event.clientX - box.left) / box.width) * hosts.length), i = Math.floor(((event.clientY - box.top) / box.height) * hosts.length);
    const rate = rates[i]?.[j];
    readout.textContent = rate === undefined || rate === null ? "" : `${hosts[i]} to ${hosts[j]}: ${number(rate)} of a link`;
  });
  const pairs: PairRate[] = rates.flatMap((line, i) => line.flatMap((rate, j) => (rate === null ? [] : [{ from: hosts[i]!, to: hosts[j]!, rate }])));
  pairs.sort((a, b) => a.rate - b.rate);
  const text = `${number(hosts.length)} hosts: from ${number(result.min_rate)} to ${number(most)} of a link, ${number(result.mean_rate)} on average`;
  const key = h("div", { class: "key", role: "img", "aria-label": `from ${number(most)} of a link, pale, to 0, dark` }, h("span", {}, "of a link"),
    h("ul", {}, ...Array.from({ length: steps }, (_, i) => h("li", {}, h("span", { class: `chip q${i}` }), h("span", { class: "bound" }, (most * (1 - i / steps)).toFixed(2))))));
  return { element: h("div", { class: "matrix" }, canvas, readout, key), text, rows: pairs.slice(0, 200) };
}
