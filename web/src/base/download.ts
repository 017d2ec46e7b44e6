// The rows as a file: the columns of `banyan study --csv`.
import { h } from "./dom";
import { StudyData } from "../report/model";

const quoted = (cell: string): string => (/[,"\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell);

export function csv(lines: (string | number | null)[][]): string {
  return lines.map((line) => line.map((c) => (c === null ? "" : quoted(String(c)))).join(",") + "\n").join("");
}

export function rowsCsv(study: StudyData): string {
  const head = [
    "measure",
    "fabric",
    "without",
    "engine",
    "traffic",
    "placement",
    "ranks",
    "options",
    "metric",
    "value",
    "unit",
    "half_width",
    "seed",
    "version",
  ];
  const lines = study.points.flatMap((p) =>
    p.rows.map(([metric, value, unit, half]) => [
      p.measure,
      p.fabric,
      p.without,
      p.engine,
      p.traffic,
      p.placement,
      p.ranks,
      p.options,
      metric,
      value,
      unit,
      half,
      p.seed,
      study.version,
    ]),
  );
  return csv([head, ...lines]);
}

export function downloadButton(label: string, name: string, content: () => string): HTMLButtonElement {
  const button = h("button", { type: "button", class: "download" }, label);
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([content()], { type: "text/csv;charset=utf-8" }));
    const link = h("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  });
  return button;
}
