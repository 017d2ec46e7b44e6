// The page of a load curve, in Chromium: what is drawn is compared with the answer of the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { banyan, scratch } from "./study.mjs";

const report = join(scratch(), "curve.html");
const answer = JSON.parse(
  execFileSync(banyan, ["simulate", "4-ary 2-tree", "--engine", "dmodk", "--curve", "auto:8", "--cycles", "3000", "--report", report, "--json"], {
    encoding: "utf8",
  }),
);
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
const on = (use) => withPage(browser, report, {}, use);
const marks = (page, name) =>
  page.locator(`[data-figure="curve ${name}"] .mark`).evaluateAll((all) => all.map((m) => [Number(m.dataset.x), Number(m.dataset.y)]));

test("accepted throughput stands at every load, beside all that is offered", () =>
  on(async (page) => {
    assert.deepEqual(await marks(page, "accepted"), answer.points.map((p) => [p.load, p.accepted]));
    assert.equal(await page.locator('[data-figure="curve accepted"] .ideal').count(), 1);
  }));

test("the sentence names loads with a decimal, and says how many are undecided", () =>
  on(async (page) => {
    const text = (await page.textContent("#curve .answer")).replace(/\u202f/g, " ");
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    const last = answer.points.filter((p) => !p.saturated).pop();
    const next = answer.points.find((p) => p.load > last.load);
    assert.ok(text.startsWith(`The largest load at which it is not saturated is ${percent(last.load)}, where it accepts ${percent(last.accepted)}; at ${percent(next.load)} it is saturated.`), text);
    const open = answer.points.filter((p) => p.undecided);
    assert.ok(open.length > 0);
    const where = open.length > 3 ? `${open.length} loads` : open.map((p) => percent(p.load)).join(", ");
    assert.ok(text.includes(`undecided at ${where}:`), text);
  }));

test("latency is drawn up to saturation", () =>
  on(async (page) => {
    const carried = answer.points.filter((p) => !p.saturated);
    assert.ok(carried.length < answer.points.length);
    assert.deepEqual(await marks(page, "packet_latency"), carried.map((p) => [p.load, p.packet_latency]));
    assert.equal(await page.locator('[data-figure="curve packet_latency"] .ideal').count(), 0);
  }));

test("every load has a row, and the page says how to get it again", () =>
  on(async (page) => {
    assert.equal(await page.locator("#points tbody tr").count(), answer.points.length);
    assert.match(await page.textContent("#again"), /banyan simulate '4-ary 2-tree' --engine dmodk --curve auto:8 --cycles 3000 --report/);
  }));
