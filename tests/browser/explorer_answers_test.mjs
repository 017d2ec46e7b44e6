// What the explorer says, as a person would ask for it, held against what the command prints.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickCable, clickNode, commandOf, commands, explorer, pixelsLike, run, settled } from "./explorer.mjs";

let page_;
before(async () => { page_ = await explorer(); });
after(() => page_.end());
const on = (state, use, options) => page_.on(state, use, options);
const status = (page) => page.textContent(".status");
const tree = "4-ary 3-tree";
const red = [179, 38, 30], orange = [184, 71, 6];

test("the facts are those of describe", () =>
  on({ fabric: tree }, async (page) => {
    const told = await page.textContent(".facts"), d = run(await commandOf(page, "describe"));
    for (const value of [d.hosts, d.switches, d.links, d.diameter, d.bisection_links, d.shortest_paths_max]) assert.ok(told.includes(String(value)), `${value} in ${told}`);
  }));

test("an engine and a traffic are chosen; loads are coloured with a legend, the hottest are listed with their flows", () =>
  on({ fabric: "HyperX(4x4; hosts=4)" }, async (page) => {
    await page.click("#tab-load");
    await settled(page);
    await page.selectOption("#engine", "dor");
    await page.fill("#traffic", "shift:4");
    await page.keyboard.press("Enter");
    await settled(page);
    const load = run(await commandOf(page, "load"));
    assert.equal(await page.textContent(".headline b"), String(load.max_load));
    const steps = await page.locator(".key .bound").allTextContents();
    assert.deepEqual(steps, ["0", "1", "2", "3", "4"]);
    const hot = page.locator(".hottest > li");
    assert.equal(await hot.count(), Math.min(10, load.hottest.length));
    await hot.first().locator("summary").click();
    const flows = await hot.first().locator("ul li").allTextContents();
    assert.deepEqual(flows, load.hottest[0].flows.map((f) => `${f.source} \u2192 ${f.destination}`));
    assert.ok((await hot.first().textContent()).includes(load.hottest[0].name));
    assert.ok((await page.evaluate(() => window.explorer.colours[0].values)).every((v, i) => v === load.channel_loads[i]), "colours are the loads");
  }));

test("a slider goes over the shifts, above the maximum of each", () =>
  on({ fabric: tree, tab: "load", engine: "random", traffic: "shift:1" }, async (page) => {
    await page.locator("#shift").focus();
    for (let i = 0; i < 4; ++i) await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal(await page.inputValue("#traffic"), "shift:5");
    assert.match(await page.textContent(".slider p"), /host i \+ 5/);
    const shown = (await commands(page)).filter((c) => c.startsWith("banyan load"));
    const one = run(shown.find((c) => c.includes("shift:5")));
    assert.equal(await page.textContent(".headline b"), String(one.max_load));
    assert.match(page.url(), /shift%3A5/);
    await page.waitForSelector(".spark path");
    const all = page.locator(".spark svg");
    assert.match(await all.getAttribute("aria-label"), /maximum load of every shift/);
  }));

test("two engines stand side by side, in the same colours and the same view", () =>
  on({ fabric: "HyperX(4x4; hosts=4)", tab: "load", engine: "dor", traffic: "shift:4" }, async (page) => {
    await page.selectOption("#other", "valiant");
    await settled(page);
    const captions = await page.locator(".caption").allTextContents();
    const [a, b] = (await commands(page)).filter((c) => c.includes("shift:4")).map(run);
    assert.deepEqual(captions, [`dor: at most ${a.hottest[0].load}`, `valiant: at most ${b.hottest[0].load}`]);
    assert.equal(await page.locator(".view").count(), 2);
    await page.locator(".view").first().focus();
    await page.keyboard.press("+");
    await settled(page);
    const views = await page.evaluate(() => window.explorer.views.map((v) => v.current));
    assert.deepEqual(views[0], views[1]);
    await page.selectOption("#other", "");
    await settled(page);
    assert.equal(await page.locator(".view").count(), 1);
  }));

test("mpiGraph is a matrix, pair by pair", () =>
  on({ fabric: "HyperX(3x2; hosts=2)", tab: "load", engine: "dor" }, async (page) => {
    await page.check("#matrix");
    await page.waitForSelector(".matrix canvas");
    await settled(page);
    const m = run(await commandOf(page, "load")).mpigraph;
    assert.equal(m.hosts.length, 12);
    const box = await page.locator(".matrix canvas").boundingBox();
    await page.mouse.move(box.x + (3.5 / 12) * box.width, box.y + (8.5 / 12) * box.height);
    assert.equal(await page.textContent(".matrix p"), `${m.hosts[8]} to ${m.hosts[3]}: ${Number(m.rates[8][3].toPrecision(4))} of a link`);
    await page.uncheck("#matrix");
    await settled(page);
    assert.equal(await page.locator(".matrix").count(), 0);
  }));

test("two hosts are clicked: every path is drawn, the chosen one marked, each hop has its reason", () =>
  on({ fabric: tree }, async (page) => {
    await clickNode(page, "h0");
    assert.match(await page.textContent("#panel"), /Now click the host that receives/);
    await clickNode(page, "h63");
    const found = run(await commandOf(page, "path"));
    assert.equal(found.shortest.length, 16);
    assert.match(await page.textContent("#panel .facts"), /16, all drawn/);
    const hops = await page.locator(".hops li").allTextContents();
    assert.equal(hops.length, 6);
    found.paths[0].reasons.forEach((reason, i) => assert.ok(hops[i].includes(reason), `${reason} in ${hops[i]}`));
    assert.ok(hops[1].includes("up port 3 = floor(63 / 1) mod 4"));
    const marks = await page.evaluate(() => window.explorer.drawing.highlight.paths);
    assert.equal(marks.filter((p) => p.kind === "other").length, 16);
    assert.deepEqual(marks.filter((p) => p.kind === "chosen").map((p) => p.channels), found.paths.map((p) => p.channels));
    assert.ok((await pixelsLike(page, orange)) > 500, "the chosen path is seen");
    assert.match(await status(page), /h0 to h63/);
  }));

test("several paths are listed with their shares", () =>
  on({ fabric: tree, tab: "path", engine: "disjoint", paths: "4", from: "h0", to: "h63" }, async (page) => {
    assert.equal(await page.locator("details.path").count(), 4);
    assert.match(await page.textContent("details.path summary"), /25\u202f% of the traffic/);
  }));

test("a cable is clicked and breaks: routed again at once, what changed is told, undone", () =>
  on({ fabric: tree, tab: "break", traffic: "shift:16" }, async (page) => {
    await clickCable(page, "s2-3:5");
    assert.match(page.url(), /without=link%3Ds2-3%3A5/);
    const f = run(await commandOf(page, "fail"));
    const panel = await page.textContent("#panel");
    assert.equal(f.links_taken, 1);
    assert.ok(panel.includes(`${f.entries_changed} of`), panel);
    const cells = await page.locator("#panel tbody tr").allTextContents();
    assert.ok(cells.some((row) => row.includes("maximum load") && row.endsWith(`${f.before.max_load}${f.after.max_load}`)), cells.join("; "));
    assert.equal(await page.inputValue("#engine"), "dmodc");
    assert.ok((await pixelsLike(page, red)) > 20, "it is drawn as broken");
    await page.click("text=Undo the last");
    await settled(page);
    assert.ok(!page.url().includes("without"));
    assert.match(await page.textContent("#panel"), /Nothing is broken/);
  }));

test("a switch is clicked and breaks, and N cables at random; each is undone by itself", () =>
  on({ fabric: tree, tab: "break" }, async (page) => {
    await clickNode(page, "s2-1");
    await page.fill("#random", "5");
    await page.click("text=Break at random");
    await settled(page);
    const f = run(await commandOf(page, "fail"));
    assert.equal(f.links_taken, 13);
    assert.match(await page.textContent("#panel .facts"), /cables gone13/);
    assert.equal(await page.evaluate(() => window.explorer.fabric.missing.reduce((a, b) => a + b, 0)), 13);
    await page.locator(".faults button").first().click();
    await settled(page);
    assert.deepEqual(await page.locator(".faults li").allTextContents(), ["5 cables at random (seed 1) Undo"]);
    await page.click("text=Repair all");
    await settled(page);
    assert.equal(await page.evaluate(() => window.explorer.fabric.missing.reduce((a, b) => a + b, 0)), 0);
  }));

test("a broken cable is clicked and mended, unless it broke together with others", () =>
  on({ fabric: tree, tab: "break", engine: "dmodc", without: "switch=s2-3" }, async (page) => {
    await clickCable(page, "s2-3:5");
    assert.match(await status(page), /broken together with others/);
    await clickCable(page, "s2-2:5");
    assert.equal(await page.locator(".faults li").count(), 2);
    await clickCable(page, "s2-2:5");
    assert.deepEqual(await page.locator(".faults li").allTextContents(), ["switch s2-3 Undo"]);
  }));

test("outside the Break tab a cable says what it is, and offers to break", () =>
  on({ fabric: tree, tab: "load" }, async (page) => {
    await clickCable(page, "s2-3:5");
    assert.match(await page.textContent(".selection"), /s2-3:5/);
    await page.click("text=Break it");
    await settled(page);
    assert.equal(await page.getAttribute("#tab-break", "aria-selected"), "true");
    assert.equal(await page.locator(".faults li").count(), 1);
  }));

test("an engine that cannot route what is left says so", () =>
  on({ fabric: "HyperX(3x3; hosts=2)", tab: "break", engine: "dor", without: "link=s0:3" }, async (page) => {
    assert.match(await page.textContent("#panel .refused"), /dimension order needs a complete grid/);
    await page.click("text=Route with dfsssp");
    await settled(page);
    assert.match(await page.textContent("#panel .facts"), /cables gone1/);
  }));

test("a verdict is shown, and the circle of a deadlock lights up", () =>
  on({ fabric: "Torus(4x4; hosts=2)", engine: "minhop" }, async (page) => {
    assert.ok((await pixelsLike(page, red)) < 5);
    await page.click("#tab-prove");
    await settled(page);
    const verdict = run(await commandOf(page, "check"));
    assert.equal(verdict.deadlock_free, false);
    assert.equal(await page.textContent(".headline b"), "No");
    const lines = await page.locator(".evidence li").allTextContents();
    assert.equal(lines.length, verdict.evidence[0].channels.length);
    assert.ok((await pixelsLike(page, red)) > 1000, "it lights up");
    assert.deepEqual(await page.evaluate(() => window.explorer.drawing.highlight.paths[0].channels), verdict.evidence[0].channels);
    await page.selectOption("#engine", "dfsssp");
    await settled(page);
    assert.equal(await page.textContent(".headline b"), "Yes");
    assert.ok((await pixelsLike(page, red)) < 5, "and goes out");
  }));

test("all shifts are decided, and the worst can be seen", () =>
  on({ fabric: tree, tab: "prove", engine: "random" }, async (page) => {
    await page.click("#decide-shifts");
    await page.waitForSelector("text=See this shift");
    const shifts = run((await commands(page)).find((c) => c.includes("--shifts")));
    await page.click("text=See this shift");
    await settled(page);
    assert.equal(await page.inputValue("#traffic"), `shift:${shifts.worst_shift}`);
    assert.equal(await page.textContent(".headline b"), String(shifts.worst_shift_load));
  }));

test("a simulation is watched as it runs, and its end is what the command measures", () =>
  on({ fabric: "4-ary 2-tree", tab: "simulate", traffic: "uniform" }, async (page) => {
    await page.fill("#offered", "0.4");
    await page.fill("#cycles", "5000");
    await page.click("#start");
    await page.waitForSelector(".live .spark path");
    await page.waitForSelector("#panel .facts");
    await settled(page);
    const command = await commandOf(page, "simulate"), answer = run(command.replace(" --follow", ""));
    const told = await page.textContent("#panel .facts");
    assert.ok(told.includes(`${Number(answer.packet_latency.toPrecision(4))} cycles`), told);
    assert.match(await page.textContent(".key"), /busy/);
    assert.equal(await page.textContent("#now"), "cycle 5000");
  }));

test("a simulation is cancelled at any time", () =>
  on({ fabric: "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", tab: "simulate", traffic: "uniform" }, async (page) => {
    await page.fill("#cycles", "100000000");
    await page.click("#start");
    await page.waitForFunction(() => document.querySelector("#cancel").disabled === false);
    await page.click("#cancel");
    await page.waitForSelector("#cancelled");
    assert.equal(await page.isEnabled("#start"), true);
  }));
