// The report of a study with several traffics, in Chromium: its answer is one for each of them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { runStudy, scratch } from "./study.mjs";

const text = `
title = "Two fabrics, three traffics"
without = ["", "share=0.1,seed=3", "share=0.1,seed=4", "share=0.1,seed=5"]
traffic = ["uniform", "shift:4", "permutation"]

[[fabrics]]
name = "tree"
fabric = "XGFT(2; 4,4; 1,4)"
engines = ["dmodc", "adaptive"]

[[fabrics]]
name = "grid"
fabric = "HyperX(4x4; hosts=2)"
engines = ["dfsssp", "ugal"]

[cost]
[simulate]
load = 1
lanes = 8
cycles = 1000
`;

const { report, rows } = runStudy(scratch(), "traffics", text);
const traffics = ["uniform", "shift:4", "permutation"];
const accepted = rows.filter((r) => r.measure === "simulate" && r.metric === "accepted").map((r) => ({ ...r, value: Number(r.value) }));
// Of the routings; where cables are missing, each in the mean over the draws.
const best = (fabric, traffic, without) => {
  const found = accepted.filter((r) => r.fabric === fabric && r.traffic === traffic && (r.without === "intact") === (without === "intact"));
  const engines = [...new Set(found.map((r) => r.engine))];
  return Math.max(...engines.map((engine) => found.filter((r) => r.engine === engine).reduce((sum, r, _, all) => sum + r.value / all.length, 0)));
};
const mean = (fabric, without) => traffics.reduce((sum, t) => sum + best(fabric, t, without), 0) / traffics.length;
const shown = (cell) => Number(/^([0-9.]+)/.exec(cell)[1]);
const near = (a, b, by) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
const on = (use) => withPage(browser, report, {}, use);

test("the sentence names the best fabric under each traffic, and the mean over all", () =>
  on(async (page) => {
    const sentence = await page.textContent("#answer p.headline");
    for (const traffic of traffics) {
      const first = best("tree", traffic, "intact") > best("grid", traffic, "intact") ? "tree" : "grid";
      assert.ok(sentence.includes(`under ${traffic} it is ${first} (`), sentence);
    }
    const first = mean("tree", "intact") > mean("grid", "intact") ? "tree" : "grid";
    assert.ok(sentence.includes(`In the mean over the 3 traffics, each with the routing that is best there, ${first} accepts most`), sentence);
  }));

test("the table has a column for each traffic, and what holds over all", () =>
  on(async (page) => {
    const heads = (await page.locator("#answer thead th").allTextContents()).map((t) => t.trim());
    const lines = await page.locator("#answer tbody tr").evaluateAll((all) => all.map((tr) => [...tr.children].map((c) => c.textContent)));
    assert.equal(lines.length, 2);
    const cell = (line, title) => line[heads.findIndex((h) => h.startsWith(title))];
    for (const line of lines) {
      for (const traffic of traffics) near(shown(cell(line, traffic)), 100 * best(line[0], traffic, "intact"), 0.5);
      near(shown(cell(line, "mean")), 100 * mean(line[0], "intact"), 0.5);
      near(shown(cell(line, "worst")), 100 * Math.min(...traffics.map((t) => best(line[0], t, "intact"))), 0.5);
      near(shown(cell(line, "left with")), (100 * mean(line[0], "damaged")) / mean(line[0], "intact"), 0.5);
    }
  }));

test("price against throughput has a panel for each traffic, with every routing once", () =>
  on(async (page) => {
    const panels = page.locator("[data-figure='price throughput'] .panel");
    assert.deepEqual(await panels.evaluateAll((all) => all.map((p) => p.dataset.panel)), traffics);
    for (let i = 0; i < traffics.length; ++i) assert.equal(await panels.nth(i).locator(".mark").count(), 4);
  }));
