// The page for a ticket, in Chromium: what it says and draws is compared with the answers of the program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { banyan, scratch } from "./study.mjs";

const folder = scratch();
// Exit status 1 is a verdict: something differs, or packets are lost.
function ask(name, ...args) {
  const report = join(folder, `${name}.html`);
  const done = spawnSync(banyan, [...args, "--report", report, "--json"], { encoding: "utf8" });
  assert.ok(done.status <= 1, done.stderr);
  return { report, answer: JSON.parse(done.stdout) };
}
const damaged = join(folder, "damaged.csv");
spawnSync(banyan, ["convert", "4-ary 3-tree", damaged, "--without", "switch=s2-1", "--without", "link=s1-0:7"]);
const described = ask("describe", "describe", damaged);
const compared = ask("diff", "diff", "4-ary 3-tree", damaged);
const failed = ask("fail", "fail", "4-ary 2-tree", "--without", "links=3,seed=2", "--engine", "dmodc");
writeFileSync(join(folder, "c.csv"), "node,port,counter,value\ns1-1,5,rx_crc_errors,9000\nh3,1,rx_crc_errors,1\n");
const counted = ask("counters", "fail", "4-ary 2-tree", "--counters", join(folder, "c.csv"));

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
const lines = (page, id) => page.locator(`#${id} li`).allTextContents();

test("a dead switch is one line and the last step, and the map is drawn", () =>
  withPage(browser, described.report, {}, async (page) => {
    const dead = described.answer.dead_switches[0];
    assert.ok((await lines(page, "broken")).includes(`${dead.name} is dead: ${dead.cables} cables`));
    const steps = await lines(page, "steps");
    assert.equal(steps.length, 2);
    assert.match(steps[0], /^plug in /);
    assert.ok(steps[1].startsWith(`give ${dead.name} power`));
    assert.ok((await page.locator("#costs tbody tr").count()) > 3);
    assert.equal(await page.locator("#map svg.map").count(), 1);
    assert.match(await page.textContent("#map .note"), /9 cables are missing/);
  }));

test("the steps of a comparison are its repair", () =>
  withPage(browser, compared.report, {}, async (page) => {
    assert.equal((await lines(page, "broken")).length, compared.answer.dead_switches.length + 1);
    assert.match((await lines(page, "steps")).at(-1), /^s2-1 is dead, 8 cables: give it power/);
    assert.equal(await page.locator("#map svg.map").count(), 1);
  }));

test("what fails is told with what it costs", () =>
  withPage(browser, failed.report, {}, async (page) => {
    const rows = await page.locator("#costs tbody tr").allTextContents();
    assert.ok(rows.some((row) => row.startsWith("maximum load, permutation")), rows.join("\n"));
    assert.match(await page.textContent("#answer"), /Without 3 cables, the fabric loses 0 pairs of NICs/);
    assert.match(await page.textContent("#map .note"), /3 cables are missing/);
  }));

test("cables with errors are taken out in the order of what that costs the others", () =>
  withPage(browser, counted.report, {}, async (page) => {
    const steps = await lines(page, "steps");
    assert.equal(steps.length, counted.answer.cables.length);
    assert.ok(steps[0].startsWith(`take out ${counted.answer.cables.at(-1).cable}`));
    assert.ok(steps.at(-1).startsWith(`take out ${counted.answer.cables[0].cable}`));
    assert.ok((await lines(page, "broken")).includes("s1-1:5: rx_crc_errors 9000"));
  }));
