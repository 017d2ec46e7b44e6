// The page of a program's run, in Chromium: what is drawn is compared with the answer of the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { banyan, scratch } from "./study.mjs";

const folder = scratch();
const made = (name, fabric, program, ...more) => {
  const report = join(folder, name);
  const answer = execFileSync(banyan, ["time", fabric, "--program", program, "--report", report, "--json", ...more], { encoding: "utf8" });
  return { report, answer: JSON.parse(answer) };
};
const small = made("small.html", "XGFT(2; 4,4; 1,2)", "alltoall:bytes=1MiB");
const large = made("large.html", "XGFT(2; 32,32; 1,8)", "allreduce:bytes=1MiB,algorithm=recursive-doubling", "--placement", "random");
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test("a row for each rank, the chain across them, and the links that held it up", () =>
  withPage(browser, small.report, {}, async (page) => {
    assert.match(await page.textContent("h1"), /alltoall:bytes=1MiB on XGFT/);
    assert.equal(await page.locator("#chain th", { hasText: "line" }).count(), 0); // there is no file
    const figure = page.locator("[data-figure=course]");
    assert.match(await figure.locator("svg").getAttribute("aria-label"), /timeline of 16 ranks/);
    assert.equal(await figure.locator("text.tick", { hasText: "rank" }).count(), 16);
    assert.ok((await figure.locator("path[data-layer=waits], path[data-layer=sends]").count()) > 0);
    assert.equal(await figure.locator("path.chain").count(), 1);
    assert.ok((await page.locator("#links tbody tr").count()) > 0);
    assert.ok((await page.locator("#chain tbody tr").count()) > 0);
    const data = JSON.parse(await page.textContent("#data"));
    assert.equal(data.seconds, small.answer.seconds);
    const p = data.picture;
    const chain = p.computing_seconds + p.message_seconds + p.other_seconds;
    assert.ok(Math.abs(chain - data.seconds) <= 1e-9 * data.seconds, `${chain} ${data.seconds}`);
    assert.ok(p.held_seconds > 0 && p.held_seconds < data.seconds);
    for (const name of ["computing", "sending", "waiting"]) assert.equal(p[name].length, 16);
  }));

test("many ranks share rows", () =>
  withPage(browser, large.report, {}, async (page) => {
    const data = JSON.parse(await page.textContent("#data"));
    assert.equal(data.ranks, 1024);
    assert.equal(data.picture.ranks_of_row, 8);
    assert.equal(data.picture.computing.length, 128);
    assert.match(await page.textContent("figcaption"), /8 ranks in a row/);
    assert.ok((await page.locator("[data-figure=course] path").count()) < 20);
  }));
