// Heat maps, bandwidth by pair, drawings of loads and of large fabrics, and the page of a paper.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { readCsv, runStudy, scratch } from "./study.mjs";

const folder = scratch();
const varied = runStudy(
  folder,
  "varied",
  `
fabrics = [{ name = "tree", fabric = "XGFT(2; 4,8; 1,4)" }, { name = "torus", fabric = "Torus(4x3x2; hosts=1)", engines = ["dfsssp", "lash"] },
  { name = "dragonfly", fabric = "Dragonfly(2,4,2)", engines = "minhop" }]
engines = ["dmodk", "minhop", "disjoint:2"]
traffic = ["permutation", "mpigraph", "ring", "shift:3"]
[load]
samples = 20
[rates]
samples = 10
`,
);
const of = (measure, metric) => varied.rows.filter((r) => r.measure === measure && r.metric === metric);
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
const on = (options, use) => withPage(browser, varied.report, options, use);

test("a page that complains or asks for something is caught", async () => {
  for (const bad of [
    "<script>console.error(1)</script>",
    "<img src='http://127.0.0.1:9/x.png'>",
    "<script>none()</script>",
  ]) {
    const file = join(folder, "bad.html");
    writeFileSync(file, `<!doctype html><title>bad</title><section>.</section>${bad}`);
    const opened = withPage(browser, file, {}, (page) => page.waitForLoadState("load"));
    await assert.rejects(opened, (e) => e.code === "ERR_ASSERTION", bad);
  }
});

test("a heat map has a cell for each pair of what was varied, coloured in the order of the values", () =>
  on({}, async (page) => {
    const cells = await page
      .locator("[data-figure='heat max_load'] .panel[data-panel='tree'] rect.cell")
      .evaluateAll((all) =>
        all.map((r) => ({ ...r.dataset, step: Number(/\bb(\d)\b/.exec(r.getAttribute("class"))[1]) })),
      );
    const rows = of("load", "max_load").filter((r) => r.fabric === "tree");
    assert.equal(cells.length, rows.length);
    for (const r of rows) {
      const cell = cells.find((c) => [c.row, c.column].includes(r.engine) && [c.row, c.column].includes(r.traffic));
      assert.equal(Number(cell.value), Number(r.value));
    }
    cells.sort((a, b) => Number(a.value) - Number(b.value));
    cells.slice(1).forEach((c, i) => assert.ok(c.step >= cells[i].step));
  }));

test("the bandwidth of every pair has the mean that the rows have", () =>
  on({}, async (page) => {
    const panels = page.locator("[data-figure='matrix'] .panel");
    assert.equal(await panels.count(), 6);
    const titles = await panels.locator("h4").allTextContents();
    for (const r of of("rates", "mean_rate").filter((x) => x.traffic === "mpigraph")) {
      const i = titles.findIndex((t) => t.startsWith(`${r.engine} on ${r.fabric},`));
      const said = Number(/mean ([\d.]+),/.exec(titles[i])[1]);
      assert.ok(Math.abs(said - Number(r.value)) < 1e-4, `${titles[i]}: ${r.value}`);
      if (r.fabric === "dragonfly") continue; // more ranks than blocks
      const pairs = panels.nth(i).locator("rect.pair");
      const values = await pairs.evaluateAll((all) => all.map((x) => Number(x.dataset.value)));
      const n = Math.sqrt(values.length);
      const mean = values.reduce((sum, v) => sum + v, 0) / (n * n - n); // nothing on the diagonal
      assert.ok(Math.abs(mean - Number(r.value)) < 1e-3, `${titles[i]}: ${mean}`);
    }
  }));

// How many switches and closed groups a drawing shows.
const things = (figure) =>
  figure
    .locator("svg.map path[fill='var(--soft)'], svg.map path[stroke='var(--soft)']")
    .evaluateAll((all) => all.reduce((sum, path) => sum + path.getAttribute("d").split("z").length - 1, 0));

test("the heaviest channel of a drawing has the heaviest load of the rows", () =>
  on({}, async (page) => {
    for (const r of of("load", "max_load").filter((x) => ["ring", "shift:3"].includes(x.traffic))) {
      const drawing = page.locator(`figure[data-fabric='${r.fabric}']`);
      await drawing.locator("select").selectOption({ label: `${r.engine}, ${r.traffic}, intact` });
      const load = await drawing.locator(".hottest tbody tr").first().evaluate((tr) => tr.children[3].textContent);
      assert.equal(Number(load), Number(r.value), `${r.fabric} ${r.engine} ${r.traffic}`);
    }
  }));

test("grids and groups are drawn, switch by switch", () =>
  on({}, async (page) => {
    assert.equal(await things(page.locator("figure[data-fabric='torus']")), 24);
    assert.equal(await things(page.locator("figure[data-fabric='dragonfly']")), 36);
  }));

test("nothing reaches beyond a narrow window", () =>
  on({ width: 390, height: 800 }, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const beyond = await page
      .locator("svg *")
      .evaluateAll((all) => all.filter((e) => e.getBoundingClientRect().right > 391).map((e) => e.outerHTML));
    assert.deepEqual(beyond, []);
  }));

test("11,664 hosts are drawn with few marks", async () => {
  const large = runStudy(
    folder,
    "large",
    `fabrics = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)"
engines = "dmodk"
traffic = "permutation"
[load]
samples = 2
`,
  );
  assert.ok(statSync(large.report).size < 500_000);
  await withPage(browser, large.report, {}, async (page) => {
    assert.equal(await things(page.locator("figure.drawing")), 36 + 18); // subtrees, and roots above the same switches
    assert.ok((await page.locator("figure.drawing svg *").count()) < 6000);
    assert.match(await page.textContent("figure.drawing"), /11\u202f664 hosts/);
  });
});

// --- the page of a paper: the program's own page with a paper's data instead -------------------------------------

const paper = {
  kind: "paper",
  version: "0",
  title: "A paper & <its> title",
  paper: "some",
  quick: true,
  seed: 1,
  command: "banyan reproduce some",
  assumptions: ["one", "two"],
  statements: [
    {
      id: "a",
      kind: "prediction",
      measurements: [{ by: "", ours: 37, half_width: 1, verdict: "within" }],
      where: "Table 1",
      claim: "first, with a comma",
      theirs: 40,
      ours: 37,
      unit: "%",
      tolerance: 0.1,
      verdict: "within",
      why: "",
      found: "",
    },
    {
      id: "b",
      kind: "fit",
      measurements: [{ by: "", ours: 350, half_width: 0, verdict: "not_reproduced" }],
      where: "Figure 2",
      claim: "second",
      theirs: 100,
      ours: 350,
      unit: "",
      tolerance: 0.05,
      verdict: "not_reproduced",
      why: "the text is silent",
      found: "",
    },
    {
      id: "c",
      kind: "ordering",
      measurements: [{ by: "", ours: null, half_width: null, verdict: "ordering" }],
      where: "Section 3",
      claim: "third",
      theirs: null,
      ours: null,
      unit: "",
      tolerance: 0,
      verdict: "ordering",
      why: "",
      found: "3 and 2",
    },
  ],
  summary: Object.fromEntries(
    [
      ["prediction", 1, 0, 0],
      ["fit", 0, 0, 1],
      ["identity", 0, 0, 0],
      ["ordering", 0, 1, 0],
      ["erratum", 0, 0, 0],
    ].map(([kind, within, ordering, not_reproduced]) => [kind, { within, ordering, not_reproduced, undecided: 0 }]),
  ),
  figures: [],
  tables: [
    {
      statements: ["b"],
      is_throughput: false,
      theirs: [{ x: 16, x_end: 64, low: 2, high: 3, column: "y", text: "2 to 3" }],
      title: "A figure",
      columns: ["KB", "x", "y"],
      rows: [
        ["4", "1.5", "2"],
        ["16", "1", ""],
        ["64", "0.5", "4"],
      ],
    },
    {
      statements: [],
      is_throughput: false,
      theirs: [],
      title: "A table",
      columns: ["tree", "hosts"],
      rows: [
        ["XGFT", "10"],
        ["GFT", "9"],
      ],
    },
  ],
};

test("a paper's page puts theirs beside ours", async () => {
  const file = join(folder, "paper.html");
  const html = readFileSync(varied.report, "utf8");
  const data = JSON.stringify(paper).replace(/</g, "\\u003c");
  writeFileSync(
    file,
    html.replace(/(id="data">)[^]*?(<\/script>)/, (_, a, b) => a + data + b),
  );
  await withPage(browser, file, {}, async (page) => {
    assert.equal(await page.textContent("h1"), paper.title);
    const lines = await page
      .locator("#answer table")
      .nth(1) // after the counts by kind
      .locator("tbody tr")
      .evaluateAll((all) => all.map((tr) => [...tr.children].map((c) => c.textContent)));
    assert.deepEqual(lines[0].slice(0, 5), ["first, with a comma", "prediction", "Table 1", "40%", "37 \u00b1 1%"]);
    assert.deepEqual(
      lines.map((l) => l[6]),
      ["within tolerance", "not reproduced", "holds"],
    );
    assert.equal(lines[2][0], "thirdours: 3 and 2");
    assert.match(
      await page.textContent("p.answer"),
      /^Reproduced: 1 of 1 predictions, 1 of 1 orderings, 0 of 1 fit targets\./,
    );
    const given = page.locator("#tables rect.theirs");
    assert.equal(await given.count(), 1);
    assert.deepEqual(await given.evaluate((m) => [m.dataset.x, m.dataset.low, m.dataset.high]), ["16", "2", "3"]);
    assert.match(await page.textContent("#tables figure .claims"), /not reproduced/);
    assert.match(await page.textContent("#missing"), /the text is silent/);
    const shares = await page
      .locator("#distances circle.mark")
      .evaluateAll((all) => all.map((m) => Number(m.dataset.share)));
    assert.deepEqual(
      shares.map((x) => x.toFixed(3)),
      ["-0.075", "2.500"],
    );
    const marks = await page
      .locator("#tables .series .mark")
      .evaluateAll((all) => all.map((m) => [m.parentElement.dataset.series, m.dataset.x, m.dataset.y]));
    assert.deepEqual(marks, [
      ["x", "4", "1.5"],
      ["x", "16", "1"],
      ["x", "64", "0.5"],
      ["y", "4", "2"],
      ["y", "64", "4"],
    ]);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("button.download")]);
    const got = readCsv(readFileSync(await download.path(), "utf8"));
    assert.deepEqual(
      got.map((g) => [g.claim, g.theirs, g.ours, g.verdict]),
      paper.statements.map((x) => [
        x.claim,
        x.theirs === null ? "" : String(x.theirs),
        x.ours === null ? "" : String(x.ours),
        x.verdict,
      ]),
    );
  });
});
