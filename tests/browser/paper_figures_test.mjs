// The figures of a paper's page: heat maps, gain matrices, whiskers and bars, drawn from the program's own page with
// data of our own, so that what is drawn can be told from the numbers.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { readCsv, runStudy, scratch } from "./study.mjs";

const names = ["tree, ftree", "tree, SSSP", "HyperX, DFSSSP"];
const ranks = Array.from({ length: 20 }, (_, i) => String(i));
const pairs = (f) => ranks.map((_, i) => ranks.map((_, j) => (i === j ? null : f(i, j))));
const spread = (median) => [median - 2, median - 1, median, median + 0.5, median + 3, median + 0.25];
const figures = [
  {
    kind: "heat",
    title: "every pair",
    down: "sending rank",
    across: "receiving rank",
    value: "bandwidth",
    unit: "GB/s",
    statements: ["good", "bad"],
    theirs: [],
    note: "One scale.",
    panels: [1, 2, 4].map((scale) => ({
      title: `layout ${scale}`,
      note: `mean ${scale}`,
      rows: ranks,
      columns: ranks,
      cells: pairs((i, j) => (scale * (20 * i + j)) / 400),
    })),
  },
  {
    kind: "gains",
    title: "a collective",
    down: "message size",
    across: "hosts",
    value: "gain",
    unit: "",
    statements: ["good"],
    theirs: [],
    note: "",
    panels: [
      {
        title: names[2],
        note: "",
        rows: ["8 B", "4 MiB"],
        columns: ["7", "14", "672"],
        cells: [
          [-0.85, -0.02, 0],
          [0.004, 0.3, null],
        ],
      },
    ],
  },
  {
    kind: "whiskers",
    title: "applications",
    down: "hosts",
    across: "combination",
    value: "time",
    unit: "s",
    statements: [],
    theirs: [{ panel: 1, row: 0, column: 1, low: 20, high: 22, text: "theirs: 20 to 22" }],
    note: "",
    panels: ["amg", "milc"].map((title, k) => ({
      title,
      note: "",
      rows: ["7", "14", "28", "56"],
      columns: names,
      cells: [0, 1, 2, 3].map((i) => names.map((_, j) => (i === 3 && j === 2 ? null : spread(10 + 5 * k + 3 * i + j)))),
    })),
  },
  {
    kind: "bars",
    title: "jobs",
    down: "application",
    across: "combination",
    value: "runs finished",
    unit: "",
    statements: [],
    theirs: [],
    note: "",
    panels: [
      { title: "", note: "", rows: ["amg", "hpl"], columns: names, cells: [0, 1].map((i) => names.map((_, j) => spread(40 + 10 * i + 7 * j))) },
    ],
  },
];
const statement = (id, verdict, more) => ({
  id,
  kind: "prediction",
  found: "",
  measurements: [{ by: "", ours: more?.ours ?? null, half_width: 0, verdict }],
  where: "Figure 1",
  claim: `what is ${id}`,
  theirs: null,
  ours: null,
  unit: "",
  tolerance: 0,
  verdict,
  why: "",
  ...more,
});
const paper = {
  kind: "paper",
  version: "0",
  title: "A paper",
  paper: "some",
  quick: false,
  seed: 1,
  command: "banyan reproduce some",
  assumptions: ["one"],
  summary: Object.fromEntries(
    ["prediction", "fit", "identity", "ordering", "erratum"].map((kind) => [
      kind,
      { within: 0, ordering: kind === "prediction" ? 1 : 0, not_reproduced: kind === "prediction" ? 1 : 0, undecided: 0 },
    ]),
  ),
  statements: [
    statement("good", "ordering"),
    statement("bad", "not_reproduced", { theirs: 0.37, ours: 0.5, tolerance: 0.1, why: "nobody knows" }),
  ],
  tables: [],
  figures,
};

const folder = scratch();
const file = join(folder, "paper.html");
let browser;
before(async () => {
  const shell = runStudy(folder, "shell", 'fabrics = "2-ary 2-tree"\n[describe]\n').report;
  const data = JSON.stringify(paper).replace(/</g, "\\u003c");
  writeFileSync(
    file,
    readFileSync(shell, "utf8").replace(/(id="data">)[^]*?(<\/script>)/, (_, a, b) => a + data + b),
  );
  browser = await launch();
});
after(() => browser.close());
const on = (options, use) => withPage(browser, file, options, use);
const data = (locator) => locator.evaluateAll((all) => all.map((e) => ({ ...e.dataset, class: e.getAttribute("class") })));

test("numbers of the paper are drawn where ours stand", () =>
  on({}, async (page) => {
    const given = page.locator("figure[data-kind='whiskers'] rect.theirs");
    assert.equal(await given.count(), 1);
    assert.deepEqual(await given.evaluate((m) => [m.dataset.low, m.dataset.high]), ["20", "22"]);
  }));

test("a heat map has a square for each pair, and one scale for all panels", () =>
  on({}, async (page) => {
    const panels = page.locator("figure[data-kind='heat'] .panel");
    assert.equal(await panels.count(), 3);
    const all = [];
    for (let k = 0; k < 3; ++k) {
      const squares = await data(panels.nth(k).locator("rect.pair"));
      assert.equal(squares.length, 400);
      figures[0].panels[k].cells.flat().forEach((v, i) => {
        assert.equal(Number(squares[i].value), v ?? 0);
        assert.equal(squares[i].class === "pair none", v === null);
      });
      all.push(...squares.filter((s) => s.class !== "pair none"));
    }
    const step = (s) => Number(/b(\d)/.exec(s.class)[1]);
    all.sort((a, b) => a.value - b.value);
    all.slice(1).forEach((s, i) => assert.ok(step(s) >= step(all[i]), "colours rise with the values of all panels"));
    assert.deepEqual(await page.locator("figure[data-kind='heat'] .legend > span").allTextContents(), [
      "bandwidth, GB/s",
      "0",
      "",
      "3.99",
    ].map((x) => x.replace("3.99", String(Number(((4 * 398) / 400).toPrecision(4))))));
  }));

test("a figure stands beside what the paper says of it", () =>
  on({}, async (page) => {
    const lines = page.locator("figure[data-kind='heat'] .claims li");
    assert.equal(await lines.count(), 2);
    assert.equal((await lines.nth(0).textContent()).replace(/\s+/g, " ").trim(), "holds prediction what is good Figure 1");
    assert.match(await lines.nth(1).textContent(), /^not reproduced prediction what is bad Figure 1; theirs 0.37, ours 0.5; nobody knows$/);
    assert.equal(await page.locator("figure[data-kind='bars'] .claims").count(), 0);
  }));

test("gains have their numbers, colours on either side of zero, and blanks where nothing was measured", () =>
  on({}, async (page) => {
    const figure = page.locator("figure[data-kind='gains']");
    const cells = await data(figure.locator("rect.cell"));
    assert.deepEqual(
      cells.map((c) => /(d\d|none)/.exec(c.class)[1]),
      ["d0", "d3", "d4", "d4", "d7", "none"],
    );
    const shown = await figure.locator(".incell").allTextContents();
    assert.deepEqual(shown, ["\u221285", "\u22122.0", "0", "+0.4", "+30", ""]);
  }));

test("whiskers stand side by side, higher for higher values", () =>
  on({}, async (page) => {
    const panel = page.locator("figure[data-kind='whiskers'] .panel").first();
    const boxes = await panel.locator("g.box").evaluateAll((all) =>
      all.map((g) => {
        const [box, median] = [g.querySelector(".quartiles").getBBox(), g.querySelector(".median")];
        return { ...g.dataset, x: box.x, top: box.y, bottom: box.y + box.height, at: Number(median.getAttribute("y1")) };
      }),
    );
    assert.equal(boxes.length, 11, "four numbers of hosts, three combinations, one not measured");
    boxes.slice(1).forEach((b, i) => assert.ok(b.x > boxes[i].x));
    for (const b of boxes) assert.ok(b.top < b.at && b.at < b.bottom && Number(b.least) < Number(b.median));
    const heights = boxes.map((b) => [Number(b.median), b.at]).sort((a, b) => a[0] - b[0]);
    heights.slice(1).forEach(([m, y], i) => assert.ok(m === heights[i][0] || y < heights[i][1]));
  }));

test("bars are as long as their means", () =>
  on({}, async (page) => {
    const bars = await page.locator("figure[data-kind='bars'] rect.column").evaluateAll((all) =>
      all.map((r) => ({ value: Number(r.dataset.value), width: Number(r.getAttribute("width")) })),
    );
    assert.equal(bars.length, 6);
    for (const b of bars) assert.ok(Math.abs(b.width / b.value - bars[0].width / bars[0].value) < 1e-6);
    assert.equal(bars[0].value, 40.25);
  }));

test("behind each figure is a table, and a file", () =>
  on({}, async (page) => {
    for (const [kind, lines, first] of [
      ["heat", 40, ["layout 1", "0", "", "0.0025"]],
      ["gains", 2, ["8 B", "\u221285", "\u22122.0", "0"]],
      ["whiskers", 22, ["amg", "7", names[0], "8", "9", "10", "10.5", "13"]],
      ["bars", 2, ["amg", "40.25", "47.25", "54.25"]],
    ]) {
      const figure = page.locator(`figure[data-kind='${kind}']`);
      await figure.locator("summary").click();
      await figure.locator("tbody tr").first().waitFor();
      assert.equal(await figure.locator("tbody tr").count(), lines, kind);
      const cells = await figure.locator("tbody tr").first().locator("th, td").allTextContents();
      assert.deepEqual(cells.slice(0, first.length), first);
    }
    const bars = page.locator("figure[data-kind='bars']");
    const [download] = await Promise.all([page.waitForEvent("download"), bars.locator("button.download").click()]);
    const rows = readCsv(readFileSync(await download.path(), "utf8"));
    assert.equal(rows.length, 6);
    assert.deepEqual(
      [rows[5].application, rows[5].combination, Number(rows[5].mean), Number(rows[5].most)],
      ["hpl", names[2], 64.25, 67],
    );
  }));

test("marks are told by pointer and by keyboard", () =>
  on({}, async (page) => {
    const chart = page.locator("figure[data-kind='heat'] .panel").nth(1).locator(".chart");
    await chart.locator("rect.pair").nth(45).hover();
    await assert.doesNotReject(chart.locator(".readout.shown").waitFor());
    assert.equal(await chart.locator(".readout").textContent(), "sending rank 2, receiving rank 5: 0.225 GB/s");
    const boxes = page.locator("figure[data-kind='whiskers'] .panel").first().locator(".chart");
    await boxes.locator("svg").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await boxes.locator(".readout").textContent(), /^hosts 7, tree, ftree: median 10 s, quartiles 9 and 10.5, 8 to 13$/);
  }));

test("nothing reaches beyond a narrow window, light or dark", () =>
  on({ width: 390, height: 800, colorScheme: "dark" }, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const beyond = await page
      .locator("#figures svg *")
      .evaluateAll((all) => all.filter((e) => e.getBoundingClientRect().right > 391).map((e) => e.outerHTML));
    assert.deepEqual(beyond, []);
  }));
