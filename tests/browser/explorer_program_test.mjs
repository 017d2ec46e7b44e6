// The tab for programs: what it tells is what the command prints, and at the time of its slider channels have the rates that
// a computation of its own finds.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands, explorer, run, settled } from "./explorer.mjs";

// Eight hosts on four leaves, two spines. Bytes are chosen so that messages of a link's speed last whole milliseconds at 8 Gbit/s.
const fabric = "XGFT(2; 2,4; 1,2)";
const link = 1e9; // bytes a second
const messages = [
  { from: 0, to: 2, start: 0, bytes: 4e6 },
  { from: 1, to: 2, start: 1e-3, bytes: 3e6 },
  { from: 3, to: 2, start: 2e-3, bytes: 2e6 },
  { from: 4, to: 6, start: 0, bytes: 5e6 },
  { from: 5, to: 6, start: 3e-3, bytes: 1e6 },
  { from: 7, to: 0, start: 4e-3, bytes: 6e6 },
];

function goal() {
  const ranks = Array.from({ length: 8 }, () => []);
  messages.forEach(({ from, to, start, bytes }, i) => {
    ranks[from].push(`c${i}: calc ${Math.round(1e9 * start)} cpu ${i}`, `m${i}: send ${bytes}b to ${to} tag ${i} cpu ${i} nic ${i}`, `m${i} requires c${i}`);
    ranks[to].push(`recv ${bytes}b from ${from} tag ${i} cpu ${i}`);
  });
  return ["num_ranks 8", ...ranks.map((lines, rank) => `rank ${rank} {\n${lines.join("\n")}\n}`)].join("\n") + "\n";
}

// Max-min fair rates by their definition: all rise together, and those on the first channel that is full stop.
function fairRates(ways) {
  const rates = ways.map(() => null);
  for (;;) {
    let least = Infinity, full = null;
    for (const channel of new Set(ways.flat())) {
      const on = ways.flatMap((way, f) => (way.includes(channel) ? [f] : [])), rising = on.filter((f) => rates[f] === null);
      if (rising.length === 0) continue;
      const level = (link - on.reduce((sum, f) => sum + (rates[f] ?? 0), 0)) / rising.length;
      if (level < least) [least, full] = [level, rising];
    }
    if (!full) return rates;
    for (const f of full) rates[f] = least;
  }
}

// By channel at a time: the messages run event by event, all rates anew for each.
function carriedAt(time, ways) {
  const left = messages.map((m) => m.bytes);
  for (let now = 0; ; ) {
    const active = messages.flatMap((m, i) => (m.start <= now + 1e-12 && left[i] > 1e-3 ? [i] : []));
    const rates = fairRates(active.map((i) => ways[i]));
    const events = [...messages.map((m) => m.start).filter((s) => s > now + 1e-12), ...active.map((i, at) => now + left[i] / rates[at])];
    const next = Math.min(...events);
    if (next > time * (1 + 1e-9) || active.length + events.length === 0) {
      const out = new Map();
      active.forEach((i, at) => ways[i].forEach((c) => out.set(c, (out.get(c) ?? 0) + rates[at])));
      return out;
    }
    active.forEach((i, at) => { left[i] -= rates[at] * (next - now); });
    now = next;
  }
}

let page_, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "banyan-program-"));
  writeFileSync(join(folder, "meet.goal"), goal());
  page_ = await explorer();
});
after(async () => {
  await page_.end();
  rmSync(folder, { recursive: true });
});
const on = (state, use, options) => page_.on(state, use, options);
const values = (page) => page.evaluate(() => Array.from(window.explorer.colours[0]?.values ?? []));

test("a file is opened; the slider changes what channels carry to what the definition gives", () =>
  on({ fabric, tab: "program", engine: "dmodk", speed: "8" }, async (page) => {
    assert.match(await page.textContent("#panel"), /Open a file in GOAL or a Chakra trace/);
    await page.setInputFiles("#program-file", join(folder, "meet.goal"));
    await page.waitForSelector("#moment");
    await settled(page);
    const [whole] = (await commands(page)).filter((c) => c.includes("--picture"));
    const found = run(whole.replace("meet.goal", join(folder, "meet.goal")));
    assert.equal(await page.textContent(".headline b"), `${Number((1e3 * found.seconds).toPrecision(4))} ms`);
    assert.ok((await page.textContent(".facts")).includes(`${Number((1e3 * found.critical_path_seconds).toPrecision(4))} ms`));
    const ways = await Promise.all(messages.map(async ({ from, to }) => run(`banyan path '${fabric}' h${from} h${to} --engine dmodk --json`).paths[0].channels));
    const seen = new Set();
    for (const step of [8, 64, 100, 140, 200, 239, 240]) {
      await page.locator("#moment").fill(String(step));
      await settled(page);
      const expected = carriedAt((found.seconds * step) / 240, ways), shown = await values(page);
      for (let c = 0; c < shown.length; ++c) assert.ok(Math.abs(shown[c] - (8 * (expected.get(c) ?? 0)) / 1e9) < 1e-6, `step ${step}, channel ${c}: ${shown[c]}, expected ${(8 * (expected.get(c) ?? 0)) / 1e9}`);
      seen.add(JSON.stringify(shown));
      const line = await page.evaluate(() => {
        const at = document.querySelector("line.moment"), svg = at.ownerSVGElement.viewBox.baseVal.width;
        return (Number(at.getAttribute("x1")) - 64) / (svg - 64);
      });
      assert.ok(Math.abs(line - step / 240) < 2e-3, `the cursor is at ${line}`);
    }
    assert.ok(seen.size >= 5, "the slider changes the drawing");
    assert.match(page.url(), /moment=240/);
    assert.equal((await values(page)).filter((v) => v > 0).length, 0);
  }));

test("what the command prints at a time is what is drawn", () =>
  on({ fabric: "XGFT(2; 4,4; 1,2)", tab: "program", engine: "dmodk", program: "alltoall:bytes=64KiB", placement: "random", moment: "90" }, async (page) => {
    const [at] = (await commands(page)).filter((c) => c.includes("--at="));
    const { moments } = run(at), shown = await values(page);
    assert.ok(moments[0].channels.length > 10);
    moments[0].channels.forEach((c, i) => assert.equal(shown[c], (8 * moments[0].rates[i]) / 1e9));
    assert.equal(shown.filter((v) => v > 0).length, moments[0].channels.length);
    assert.match(await page.textContent(".slider .remark"), new RegExp(`${moments[0].flows} flows on ${moments[0].channels.length} channels`));
    const steps = await page.locator(".key .bound").allTextContents();
    assert.equal(steps.at(-1), "400");
    await page.locator("#moment").focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.match(page.url(), /moment=91/);
  }));

test("each level tells what it knows", () =>
  on({ fabric: "XGFT(2; 4,4; 1,4)", tab: "program", engine: "dmodk", program: "allreduce:algorithm=ring,bytes=64KiB" }, async (page) => {
    const times = {};
    for (const level of ["fluid", "loggops", "flit"]) {
      await page.selectOption("#level", level);
      await settled(page);
      times[level] = await page.textContent(".headline b");
      assert.equal(await page.locator("[data-figure=course] svg").count(), level === "flit" ? 0 : 1);
      assert.equal(await page.locator("#moment").isVisible(), level === "fluid");
      assert.equal((await page.evaluate(() => window.explorer.colours[0])) !== null, level === "fluid");
      const [whole] = (await commands(page)).filter((c) => c.startsWith("banyan time"));
      assert.equal(run(whole).level, level);
    }
    assert.notEqual(times.fluid, times.flit);
  }));

test("many ranks share rows; a link that held the chain up is shown", () =>
  on({ fabric: "XGFT(2; 16,16; 1,4)", tab: "program", engine: "dmodk", program: "step:tensor=8,pipeline=2,layers=2,hidden=512" }, async (page) => {
    assert.match(await page.textContent("[data-figure=course]"), /2 ranks in a row/);
    const ticks = await page.evaluate(() => [...document.querySelectorAll("[data-figure=course] text.tick")].filter((tick) => !tick.textContent.startsWith("rank"))
      .map((tick) => tick.getBoundingClientRect()).map(({ left, right }) => ({ left, right })));
    ticks.slice(1).forEach(({ left }, i) => assert.ok(left > ticks[i].right + 4, "times stand apart"));
    const cursor = await page.evaluate(() => [...document.querySelectorAll("line.moment")].map((line) => getComputedStyle(line).stroke));
    assert.equal(new Set(cursor).size, 2); // an edge of another colour: it is seen on all colours of the timeline
    assert.ok((await page.locator("[data-figure=course] path").count()) < 20);
    await page.locator("#panel button.link").first().click();
    await settled(page);
    assert.equal(await page.evaluate(() => window.explorer.drawing.highlight.paths.length), 1);
  }));

test("a program that is broken is refused with rank and line", () =>
  on({ fabric, tab: "program", engine: "dmodk" }, async (page) => {
    writeFileSync(join(folder, "broken.goal"), "num_ranks 2\nrank 0 {\nsend 5b to 1\n}\nrank 1 {\n}\n");
    await page.setInputFiles("#program-file", join(folder, "broken.goal"));
    await page.waitForSelector(".refused");
    assert.match(await page.textContent(".refused"), /broken.goal:3: rank 0 sends to rank 1/);
    await page.fill("#program", "allreduce:bytes=1MiB"); // the fields are still there
    await page.locator("#program").press("Enter");
    await page.waitForSelector(".headline");
    assert.equal(await page.locator(".refused").count(), 0);
  }));

test("on a phone it fits", () =>
  on({ fabric, tab: "program", engine: "dmodk", program: "allreduce:bytes=1MiB" }, async (page) => {
    const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(inner <= outer, `${inner} > ${outer}`);
    assert.ok(await page.locator("#moment").isVisible());
  }, { width: 390, height: 800 }));
