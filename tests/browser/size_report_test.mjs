// The page of a sizing, in Chromium: what is drawn is compared with the answer of the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { banyan, scratch } from "./study.mjs";

const report = join(scratch(), "size.html");
const answer = JSON.parse(
  execFileSync(banyan, ["size", "--hosts", "200", "--ports", "16", "--limit", "6", "--deep", "--cycles", "300", "--report", report, "--json"], {
    encoding: "utf8",
  }),
);
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
const on = (use) => withPage(browser, report, {}, use);

test("the first picture is price against throughput, with every candidate where its numbers are", () =>
  on(async (page) => {
    const figure = page.locator("figure").first();
    assert.equal(await figure.locator("[data-figure]").getAttribute("data-figure"), "price throughput");
    const marks = await figure.locator(".chart .mark").evaluateAll((all) => all.map((m) => ({ fabric: m.dataset.fabric, x: Number(m.dataset.x), y: Number(m.dataset.y) })));
    const expected = new Map([...answer.cheapest, ...answer.candidates].map((c) => [c.fabric, c]));
    assert.equal(marks.length, expected.size);
    for (const { fabric, x, y } of marks) {
      const c = expected.get(fabric);
      assert.ok(Math.abs(x * 1e3 - c.price) < 1e-6 * c.price || Math.abs(x * 1e6 - c.price) < 1e-6 * c.price, fabric);
      assert.ok(Math.abs(y - c.throughput_worst) < 1e-9, fabric);
    }
    assert.equal(await figure.locator(".front").count(), 1);
    assert.ok((await figure.locator("text.label.point").count()) > 0);
    const families = [...new Set([...answer.cheapest, ...answer.candidates].map((c) => c.family))];
    assert.deepEqual((await figure.locator(".legend .entry").allTextContents()).map((t) => t.trim()).sort(), families.sort());
  }));

test("no label lies on the line, and what the answer names first has its label", () =>
  on(async (page) => {
    const figure = page.locator("figure").first();
    const labels = await figure.locator("text.label.point").evaluateAll((all) => all.map((t) => ({ text: t.textContent, box: t.getBBox() })));
    assert.ok(labels.some((l) => l.text === answer.candidates[0].fabric));
    const line = await figure.locator(".front").evaluate((path) => {
      const length = path.getTotalLength();
      return Array.from({ length: 400 }, (_, i) => path.getPointAtLength((i * length) / 399)).map(({ x, y }) => ({ x, y }));
    });
    for (const { text, box } of labels)
      for (const { x, y } of line)
        assert.ok(!(x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 3 && y < box.y + box.height - 3), `${text} is crossed`);
  }));

test("on a phone the candidates that the answer names have their labels too", () =>
  withPage(browser, report, { width: 390, height: 844 }, async (page) => {
    const shown = (await page.locator("figure").first().locator("text.label.point").allTextContents()).map((t) => t.replace(/\u2026$/, ""));
    for (const c of [answer.candidates[0], answer.cheapest[0], answer.cheapest.at(-1)])
      assert.ok(shown.some((t) => c.fabric.startsWith(t)), `${c.fabric} among ${shown}`);
  }));

test("a mark tells the rest", () =>
  on(async (page) => {
    const svg = page.locator("figure svg").first();
    await svg.focus();
    await page.keyboard.press("ArrowRight");
    const text = await page.locator(".readout.shown").textContent();
    assert.ok(text.includes(answer.cheapest[0].fabric) && text.includes("diameter") && text.includes("placeholder"), text);
  }));

test("placeholders are named wherever money is shown, and every price has a date and a source", () =>
  on(async (page) => {
    assert.match(await page.textContent("#answer"), /placeholders, nobody/);
    assert.match(await page.textContent("#prices"), /placeholders, nobody/);
    const lines = await page.locator("#prices tbody tr").allTextContents();
    assert.equal(lines.length, answer.prices.length);
    for (const line of lines) assert.match(line, /\d{4}-\d\d-\d\d/);
  }));

test("what was routed and simulated is a table", () =>
  on(async (page) => {
    const lines = await page.locator("#deep tbody tr").count();
    assert.equal(lines, answer.candidates.flatMap((c) => c.deep).length);
    assert.ok(answer.candidates.every((c) => c.on_front && c.deep.length >= 2));
  }));
