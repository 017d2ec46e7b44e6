// Runs studies with the real program, and reads what it wrote without any of its code.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const banyan = process.argv[2] ?? "build/release/banyan";

export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "banyan-browser-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// { report, rows, output } of a study given as text.
export function runStudy(folder, name, text) {
  const file = join(folder, `${name}.toml`),
    out = join(folder, `${name}-results`),
    csv = join(folder, `${name}.csv`);
  writeFileSync(file, text);
  const output = execFileSync(banyan, ["study", file, "--out", out, "--csv", csv, "--threads", "2"], {
    encoding: "utf8",
  });
  return { report: join(out, "report.html"), rows: readCsv(readFileSync(csv, "utf8")), output };
}

export function readCsv(text) {
  const lines = [];
  let cells = [""],
    quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') {
      cells[cells.length - 1] += '"';
      ++i;
    } else if (c === '"') quoted = !quoted;
    else if (c === "," && !quoted) cells.push("");
    else if (c === "\n" && !quoted) {
      lines.push(cells);
      cells = [""];
    } else cells[cells.length - 1] += c;
  }
  const [head, ...rest] = lines;
  return rest.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

// "4\u202f723\u202f920" -> 4723920
export const parsed = (text) => Number(text.replace(/[\u202f\s]/g, "").replace("\u2212", "-"));
