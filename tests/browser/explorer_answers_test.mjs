// What the explorer says, as a person would ask for it, held against what the command prints.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clickCable, clickNode, commandOf, commands, explorer, pixelsLike, run, settled } from "./explorer.mjs";
import { banyan } from "./study.mjs";

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
    await page.waitForSelector(".matrix svg");
    await settled(page);
    const m = run(await commandOf(page, "load")).mpigraph;
    assert.equal(m.hosts.length, 12);
    assert.equal(await page.locator(".matrix rect.pair").count(), 144);
    await page.locator(".matrix rect.pair").nth(8 * 12 + 3).hover();
    assert.equal(await page.textContent(".matrix .readout"), `${m.hosts[8]} to ${m.hosts[3]}: ${Number(m.rates[8][3].toPrecision(4))} of a link`);
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
    assert.ok(panel.includes(`${f.entries_changed} of ${f.entries}, ${Number(((100 * f.entries_changed) / f.entries).toPrecision(4))}\u202f%`), panel);
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
    assert.equal(await page.locator(".gone li").count(), 5);
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
    assert.deepEqual(await page.locator(".faults li").allTextContents(), ["switch s2-3, 8 cables Undo"]);
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

test("a permutation is the first traffic; collectives are in the list; only engines that apply are offered", () =>
  on({ fabric: "Torus(4x4; hosts=2)", tab: "load" }, async (page) => {
    assert.equal(await page.inputValue("#traffic"), "permutation");
    const groups = await page.locator("#pattern optgroup").evaluateAll((all) => all.map((g) => [g.label, g.children.length]));
    assert.deepEqual(groups.map(([label]) => label), ["Patterns", "Collectives"]);
    assert.ok(groups.every(([, count]) => count > 5), String(groups));
    const offered = await page.locator("#engine option").evaluateAll((all) => all.map((o) => [o.value, o.disabled]));
    const listed = JSON.parse(execFileSync(banyan, ["engines", "--for", "Torus(4x4; hosts=2)", "--json"], { encoding: "utf8" })).engines;
    assert.deepEqual(offered, listed.filter((e) => e.applies).map((e) => [e.name, false]));
  }));

test("a legend has a unit, and bytes do not run into each other", () =>
  on({ fabric: tree, tab: "load", traffic: "alltoall:1048576" }, async (page) => {
    assert.equal(await page.textContent(".key > span"), "load, MiB");
    assert.match(await page.textContent(".headline b"), /^1\u202fMiB$/);
    const boxes = await page.locator(".key .bound").evaluateAll((all) => all.map((e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect(); }).map(({ left, right }) => [left, right]));
    assert.ok(boxes.length > 2 && boxes.every(([left], i) => i === 0 || left >= boxes[i - 1][1]), JSON.stringify(boxes));
    await page.fill("#traffic", "shift:1");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.textContent(".key > span"), "load, flows");
  }));

test("what is told of a cable follows the traffic", () =>
  on({ fabric: tree, tab: "load", engine: "dmodk", traffic: "shift:16" }, async (page) => {
    await clickCable(page, "s2-3:5");
    const told = async () => (await page.locator(".selection span").textContent()).match(/load ([\d.]+) one way/)[1];
    const expected = async () => page.evaluate(() => {
      const { fabric, colours } = window.explorer, cable = fabric.cableAt("s2-3:5");
      return String(colours[0].values[fabric.channel[2 * cable]]);
    });
    const before = await told();
    assert.equal(before, await expected());
    await page.fill("#traffic", "gather:1");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.notEqual(await page.locator(".selection span").textContent(), null);
    const after = await page.locator(".selection span").textContent();
    const value = await page.evaluate(() => { const { fabric, colours } = window.explorer, c = fabric.cableAt("s2-3:5"); return Math.max(colours[0].values[fabric.channel[2 * c]], 0); });
    assert.match(after, new RegExp(`load ${value}\\u202fbytes one way`), after);
  }));

test("broken cables are named by both ends, and the shape that was recognised is told", () =>
  on({ fabric: tree, tab: "break", engine: "dmodc", without: "link=s2-3:5" }, async (page) => {
    assert.match(await page.textContent(".faults li"), /^cable s2-3:5 \u2013 s3-12:1/);
    assert.match(await page.textContent(".gone"), /1 cable missing.*s2-3:5 \u2013 s3-12:1/);
    assert.equal(await page.textContent("#recognised"), "The shape: XGFT(3; 4,4,4; 1,4,4).");
  }));

test("all rails are loaded, or one alone where that is asked for; hosts count once", () =>
  on({ fabric: "8 x XGFT(2; 16,8; 1,16)", tab: "load", engine: "dmodk", traffic: "shift:1" }, async (page) => {
    const loadedRails = () => page.evaluate(() => {
      const { fabric, colours } = window.explorer, rails = new Set();
      fabric.channel.forEach((c) => { if (colours[0].values[c] > 0 && !fabric.isSwitch(fabric.nodeOf[c])) rails.add(fabric.name(fabric.nodeOf[c]).replace(/.*\.r/, "")); });
      return rails.size;
    });
    assert.match(await page.locator("#rails option:checked").textContent(), /all 8/);
    assert.equal(await loadedRails(), 8);
    await page.waitForSelector(".spark small");
    assert.equal(await page.textContent(".spark small"), "load 0.125 in every shift");
    assert.match(await commandOf(page, "load"), /--rails-policy=basic/);
    await page.selectOption("#rails", "first");
    await settled(page);
    assert.match(await page.locator("#rails option:checked").textContent(), /rail 0 alone/);
    assert.equal(await loadedRails(), 1);
    await page.click("#tab-fabric");
    await settled(page);
    const svg = await page.evaluate(() => window.explorer.drawing.svg());
    assert.match(svg, />128 hosts</);
    assert.doesNotMatch(svg, /1\D?024 hosts/);
    assert.match(svg, />rail 7</);
    assert.match(await page.textContent(".facts"), /hosts128, 8 NICs each/);
    assert.match(await page.textContent(".facts"), /100\u202f% of full/);
  }));

test("the name of a rail stands above the names of its switches", async () => {
  for (const fabric of ["3 x 2-ary 2-tree", "3 x XGFT(2; 4,3; 1,2)", "2 x HyperX(3x2; hosts=1)", "8 x XGFT(2; 16,8; 1,16)", "3 x 2-ary 2-tree + 4-ary 1-tree"])
    await on({ fabric }, async (page) => {
      const inTheWay = await page.evaluate(() => {
        const holder = document.createElement("div");
        holder.innerHTML = window.explorer.drawing.svg();
        document.body.append(holder);
        const texts = [...holder.querySelectorAll("text")], rails = texts.filter((t) => t.textContent.startsWith("rail "));
        const found = rails.length === 0 ? ["no rail is named"] : [];
        for (const a of rails)
          for (const b of texts) {
            const p = a.getBBox(), q = b.getBBox();
            if (a !== b && p.x < q.x + q.width && q.x < p.x + p.width && p.y + 1 < q.y + q.height && q.y + 1 < p.y + p.height) found.push(`${a.textContent} over ${b.textContent}`);
          }
        holder.remove();
        return found;
      });
      assert.deepEqual(inTheWay, [], fabric);
    });
});

test("a simulation takes lanes, packets and a speed; a curve goes over the loads", () =>
  on({ fabric: "4-ary 2-tree", tab: "simulate", traffic: "uniform" }, async (page) => {
    for (const [id, value] of [["lanes", "2"], ["packet", "4"], ["cycles", "1000"], ["speed", "400"]]) await page.fill(`#${id}`, value);
    await page.click("#start");
    await page.waitForSelector("#panel .facts");
    await settled(page);
    const answer = run((await commandOf(page, "simulate")).replace(" --follow", "")), told = await page.textContent("#panel .facts");
    assert.deepEqual([answer.options.lanes, answer.options.packet_flits], [2, 4]);
    assert.ok(told.includes(`${Number((1e9 * answer.packet_latency_seconds).toPrecision(4))} ns`), told);
    assert.match(told, /a cycle0.32 ns: 16 bytes at 400 Gbit\/s/);
    await page.click("#curve");
    await page.waitForSelector("#cancel:disabled");
    await settled(page);
    const points = run((await commands(page)).find((c) => c.includes("--curve")).replace(" --follow", "")).points;
    assert.equal(points.length, 9);
    assert.equal(await page.locator("[data-curve='Accepted load'] .mark").count(), 9);
    assert.match(await page.textContent("[data-curve='Latency of a packet']"), /ns/);
    const rows = await page.locator("#panel tbody tr").allTextContents();
    assert.ok(rows[0].includes(String(Number((points[0].packet_latency * 0.32).toPrecision(4)))), rows[0]);
  }));

test("points of a curve come one after the other, each with its interval", () =>
  on({ fabric: "4-ary 3-tree", tab: "simulate", traffic: "uniform" }, async (page) => {
    const fill = async (cycles) => {
      for (const [id, value] of [["cycles", cycles], ["runs", "2"]]) await page.fill(`#${id}`, value);
    };
    await fill("200000"); // seconds: some points are seen before the others are measured
    await page.click("#curve");
    await page.waitForFunction(() => {
      const count = (part) => document.querySelectorAll(`[data-curve='Latency of a packet'] ${part}`).length;
      const told = /^([2-8]) of 9 loads are measured/.exec(document.querySelector(".live").textContent);
      return told && count(".mark") === Number(told[1]) && count(".band") === 1;
    });
    await page.click("#cancel");
    await page.waitForSelector("#cancelled");
    await fill("2000");
    await page.click("#curve");
    await page.waitForSelector("#cancel:disabled");
    await settled(page);
    assert.equal(await page.locator("[data-curve='Latency of a packet'] .band").count(), 1);
    assert.equal(await page.locator("[data-curve='Latency of a packet'] .mark").count(), 9);
    const answer = run((await commands(page)).find((c) => c.includes("--curve") && /--cycles.2000\b/.test(c)).replace(" --follow", ""));
    assert.ok(answer.points.every((point) => point.replicas === 2 && point.packet_latency_half_width > 0));
    const rows = await page.locator("#panel tbody tr").allTextContents();
    assert.ok(rows[0].includes(`\u00b1 ${Number(answer.points[0].packet_latency_half_width.toPrecision(4))}`), rows[0]);
  }));

test("cables and switches take time in a simulation, and latencies are told in ns as they come", () =>
  on({ fabric: "4-ary 2-tree", tab: "simulate", traffic: "uniform" }, async (page) => {
    for (const [id, value] of [["cycles", "4000"], ["speed", "400"], ["cable", "2"], ["delay", "100"]]) await page.fill(`#${id}`, value);
    await page.click("#start");
    await page.waitForSelector("#panel .facts");
    await settled(page);
    const answer = run((await commandOf(page, "simulate")).replace(" --follow", "")), told = await page.textContent("#panel .facts");
    assert.deepEqual([answer.options.link, answer.options.cable, answer.options.switch_delay], [50e9, 2, 1e-7]);
    assert.ok(told.includes(`${Number((1e9 * answer.packet_latency_seconds).toPrecision(4))} ns`), told);
    assert.match(await page.textContent(".live"), /ns a packet takes/);
  }));

test("a collective is timed, at one size and from 8 B to 8 GiB", () =>
  on({ fabric: "4-ary 2-tree", tab: "time", engine: "dmodk" }, async (page) => {
    await page.fill("#size", "1MiB");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => [...document.querySelectorAll(".commands code")].some((c) => c.textContent.includes("1MiB")));
    const one = run((await commands(page)).filter((c) => c.startsWith("banyan time ")).at(-1)).sizes[0], told = await page.textContent("#panel .facts");
    assert.equal(one.size, 1 << 20);
    assert.equal(await page.textContent("#panel .headline b"), `${Number((1e6 * one.seconds).toPrecision(4))} \u00b5s`);
    assert.ok(told.includes(`${Number((1e-9 * one.bus_bandwidth).toPrecision(4))} GB/s`), told);
    await page.click("#sizes");
    await page.waitForSelector("#panel tbody tr");
    await settled(page);
    const all = run((await commands(page)).find((c) => c.includes("8:8GiB:8"))).sizes;
    assert.equal(all.length, 11);
    assert.ok((await page.locator("#panel tbody tr").first().textContent()).includes(all[0].algorithm));
    await page.fill("#size", "0");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#panel .refused");
  }));

test("a fabric that has speeds is timed with them, and no others", () =>
  on({ fabric: "XGFT(2; 4,2; 1,4; capacity=100G)", tab: "time", engine: "dmodk" }, async (page) => {
    const command = (await commands(page)).filter((c) => c.startsWith("banyan time ")).at(-1);
    assert.ok(!command.includes("--link"), command);
    assert.ok(run(command).sizes[0].bus_bandwidth <= 12.5e9);
    await page.fill("#speed", "200");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#panel .refused");
    assert.match(await page.textContent("#panel .refused"), /speeds already, 100G/);
  }));

test("of many shortest paths an even sample is drawn", () =>
  on({ fabric: "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", tab: "path", engine: "dmodk", from: "h0", to: "h1943" }, async (page) => {
    const found = run(await commandOf(page, "path"));
    assert.ok(found.shortest_paths > 128 && found.shortest.length === 128);
    const roots = new Set(found.shortest.map((path) => path[1]));
    assert.equal(roots.size, 18, "over every switch above the first leaf");
  }));

// A file as one would choose it.
const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const inFolder = async (files, use) => {
  const folder = mkdtempSync(join(tmpdir(), "banyan-explorer-"));
  try {
    for (const { name, buffer } of files) writeFileSync(join(folder, name), buffer);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
const answer = (...words) => JSON.parse(execFileSync(banyan, [...words, "--json"], { encoding: "utf8" }));

test("counters colour the ports, and cables with errors are ranked as fail ranks them", () =>
  on({ fabric: tree, tab: "counters", engine: "dmodc", traffic: "shift:16" }, async (page) => {
    assert.match(await page.textContent("#panel"), /Open what perfquery/);
    const counters = file("errors.csv", "node,port,counter,value\ns1-0,1,symbol_errors,3\ns2-3,5,rx_crc_errors_phy,40\ns2-3,5,tx_bytes,5000\ns3-1,2,tx_bytes,9000\n");
    await page.setInputFiles("#counters-file", counters);
    await page.waitForFunction(() => window.explorer.state.counters.endsWith("errors.csv"));
    await settled(page);
    const shown = await commandOf(page, "fail");
    assert.match(shown, /--counters=errors\.csv/);
    const found = await inFolder([counters], (folder) => answer("fail", tree, "--engine", "dmodc", "--traffic", "shift:16", "--counters", join(folder, "errors.csv")));
    assert.equal(found.cables[0].pairs_lost > 0, true, "a host's only cable is the worst to lose");
    const rows = await page.locator("#panel tbody tr").allTextContents();
    assert.equal(rows.length, 2);
    found.cables.forEach((cable, i) => assert.ok(rows[i].startsWith(`${cable.cable}${cable.errors}`), rows[i]));
    assert.match(rows[0], /pairs lost/);
    assert.match(rows[1], new RegExp(`maximum load ${found.cables[1].max_load}`));
    const colours = () => page.evaluate(() => ({ unit: window.explorer.colours[0].unit, values: [...window.explorer.colours[0].values] }));
    const errors = await colours();
    assert.equal(errors.unit, "errors");
    for (const port of found.by_port) assert.equal(errors.values[port.channel], port.errors);
    assert.equal(errors.values.reduce((a, b) => a + b, 0), 43);
    await page.selectOption("#counted", "bytes");
    const sent = await colours();
    assert.equal(sent.unit, "bytes sent");
    for (const port of found.by_port) assert.equal(sent.values[port.channel], port.bytes ?? 0);
    assert.match(await page.textContent(".key"), /sent/);
    await page.locator("#panel tbody button").nth(1).click();
    await settled(page);
    assert.equal(await page.evaluate(() => window.explorer.fabric.portName(window.explorer.drawing.highlight.paths[0].channels[0])), found.cables[1].cable.split(" - ")[0]);
    assert.match(await status(page), /2 cables with errors; the worst to lose is/);
  }));

test("a counters file that cannot be read is told with its line", () =>
  on({ fabric: tree, tab: "counters", engine: "dmodc" }, async (page) => {
    await page.setInputFiles("#counters-file", file("bad.csv", "node,port,counter,value\nnobody,1,symbol_errors,3\n"));
    await page.waitForSelector("#panel .refused");
    assert.match(await page.textContent("#panel .refused"), /bad\.csv:2/);
  }));

// The file lacks a switch of its shape, so that its numbers are not those of the shape.
test("tables that are live replace the engine: loads, paths and colours are theirs, an engine stands beside them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "banyan-explorer-"));
  try {
    const fabric = "examples/last-night.out", lfts = join(folder, "opensm-lfts.dump");
    execFileSync(banyan, ["route", fabric, "--engine", "updn", "--out", join(folder, "out")]);
    writeFileSync(lfts, readFileSync(join(folder, "out", "lfts")));
    await on({ fabric: tree }, async (page) => {
      await page.setInputFiles("#file", fabric);
      await page.waitForFunction(() => window.explorer.state.fabric.endsWith("last-night.out"));
      await settled(page);
      await page.click("#tab-load");
      await settled(page);
      await page.setInputFiles("#tables-file", lfts);
      await page.waitForFunction(() => window.explorer.state.tables.endsWith("opensm-lfts.dump"));
      await settled(page);
      await page.fill("#traffic", "shift:3");
      await page.keyboard.press("Enter");
      await settled(page);
      assert.match(await commandOf(page, "load"), /--tables=opensm-lfts\.dump/);
      const live = answer("load", fabric, "--tables", lfts, "--traffic", "shift:3", "--channels", "--hottest", "10");
      assert.equal(await page.textContent(".headline b"), String(live.max_load));
      const colour = (which, name) => page.evaluate(([k, port]) => window.explorer.colours[k].values[window.explorer.fabric.channelAt(port)], [which, name.split(" ")[0]]);
      for (const c of live.hottest) assert.equal(await colour(0, c.name), c.load, c.name);
      await page.click("#tab-path");
      for (const [id, host] of [["from", "h0"], ["to", "h100"]]) {
        await page.fill(`#${id}`, host);
        await page.keyboard.press("Enter");
        await settled(page);
      }
      const names = answer("path", fabric, "h0", "h100", "--tables", lfts).paths[0].names, hops = await page.locator(".hops li b").allTextContents();
      assert.deepEqual(hops.map((hop) => hop.split(" \u2192 ")[1]), names.slice(1));
      assert.deepEqual(hops.map((hop) => hop.split(":")[0]), names.slice(0, -1), "drawn where they are");
      await page.click("#tab-load");
      await settled(page);
      await page.selectOption("#other", "updn");
      await settled(page);
      const engine = answer("load", fabric, "--engine", "updn", "--traffic", "shift:3", "--channels", "--hottest", "10");
      for (const c of engine.hottest) assert.equal(await colour(1, c.name), c.load, c.name);
      const loaded = (values) => values.filter((v) => v > 0).sort();
      assert.deepEqual(loaded(await page.evaluate(() => [...window.explorer.colours[1].values])), loaded(engine.channel_loads), "each at its port");
      await page.selectOption("#engine", "updn");
      await settled(page);
      assert.equal(await page.inputValue("#tables"), "");
      assert.doesNotMatch(await commandOf(page, "load"), /--tables/);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
