// The report of a small real study, in Chromium: what is drawn is held against the rows that the program wrote.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { parsed, readCsv, runStudy, scratch } from "./study.mjs";

const nasty = "HyperX </script><img src=x onerror=alert(1)>";
const text = `
title = "Small & <b>real</b> </title>"
without = ["", "share=0.1,seed=3"]
traffic = "permutation"

[[fabrics]]
name = "tree"
fabric = "XGFT(2; 4,4; 1,4)"
engines = ["dmodc", "minhop", "ftree"]

[[fabrics]]
name = "${nasty}"
fabric = "HyperX(3x4; hosts=2)"
engines = ["dfsssp", "minhop", "lash"]

[describe]
[cost]
[verdict]
[load]
samples = 60
[simulate]
load = [0.2, 0.5, 0.8]
cycles = 600
`;

const { report, rows, output } = runStudy(scratch(), "small", text);
const of = (measure, metric) => rows.filter((r) => r.measure === measure && r.metric === metric);
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
const on = (options, use) => withPage(browser, report, options, use);
const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what ?? ""} ${a} is not ${b}`);

test("the program names the report", () => assert.match(output, /The report is .*report\.html\n$/));

test("names are text, whatever they contain", () =>
  on({}, async (page) => {
    assert.equal(await page.title(), "Small & <b>real</b> </title>");
    assert.equal(await page.textContent("h1"), "Small & <b>real</b> </title>");
    assert.equal(await page.locator("img").count(), 0);
    assert.ok((await page.textContent("#asked")).includes(nasty));
  }));

test("the answer is a sentence, four numbers a fabric, and price against throughput", () =>
  on({}, async (page) => {
    const at = (r) => r.options.includes("load=0.8") && r.without === "intact" ;
    const best = of("simulate", "accepted").filter(at).sort((a, b) => b.value - a.value)[0];
    const sentence = await page.textContent("#answer p.headline");
    assert.ok(sentence.startsWith(`${best.fabric} carries the most`) && sentence.includes(best.engine), sentence);
    assert.match(sentence, /placeholders/);
    assert.equal(await page.locator("#answer tbody tr").count(), 2);
    assert.equal(await page.locator("#answer thead th").count(), 5);
    assert.equal(await page.locator("#answer figure").first().locator("[data-figure]").getAttribute("data-figure"), "price throughput");
  }));

test("latency is not drawn past saturation, and throughput there is hollow", () =>
  on({}, async (page) => {
    const saturated = of("simulate", "saturated").filter((r) => Number(r.value) === 1).length;
    const all = of("simulate", "saturated").length;
    assert.ok(saturated > 0 && saturated < all);
    assert.equal(await page.locator("[data-figure='curve accepted'] .mark").count(), all);
    assert.equal(await page.locator("[data-figure='curve accepted'] .mark.hollow").count(), saturated);
    assert.equal(await page.locator("[data-figure='curve packet_latency'] .mark").count(), all - saturated);
  }));

test("the policy of the page forbids every request", () =>
  on({}, async (page) => {
    const policy = await page.getAttribute("meta[http-equiv='Content-Security-Policy']", "content");
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  }));

test("the answer's table says what the rows say", () =>
  on({}, async (page) => {
    const heads = await page.locator("#detail thead button").allTextContents();
    const lines = await page
      .locator("#detail tbody tr")
      .evaluateAll((all) => all.map((tr) => [...tr.children].map((c) => c.textContent)));
    assert.equal(lines.length, 12); // 2 fabrics, 2 states, 3 routings
    const column = (name) => {
      const i = heads.indexOf(name);
      assert.ok(i >= 0, `${name} in ${heads}`);
      return i;
    };
    for (const row of of("load", "max_load")) {
      const state = row.without === "intact" ? "intact" : "10\u202f% of cables missing";
      const line = lines.find((l) => l[0] === row.fabric && l[1] === state && l[2] === row.engine);
      near(parsed(line[column("max load")]), Number(row.value), 1e-3 * Number(row.value));
      const accepted = of("simulate", "accepted").find(
        (r) =>
          r.fabric === row.fabric &&
          r.without === row.without &&
          r.engine === row.engine &&
          r.options.includes("load=0.5"),
      );
      near(parsed(line[column("accepted load 0.5")]), Number(accepted.value), 1e-3);
      const yes = of("verdict", "yes").find(
        (r) => r.fabric === row.fabric && r.without === row.without && r.engine === row.engine,
      );
      assert.equal(line[column("verdict")], yes.value === "1" ? "yes" : "NO");
    }
  }));

test("the answer names the best, and every routing that failed", () =>
  on({}, async (page) => {
    const answer = await page.textContent("p.answer");
    const intact = of("load", "max_load").filter((r) => r.without === "intact");
    const best = intact.reduce((a, b) => (Number(b.value) < Number(a.value) ? b : a));
    assert.ok(
      answer.includes(`heaviest load of a channel is lowest with ${best.engine} on ${best.fabric}`),
      answer,
    );
    for (const r of of("verdict", "yes").filter((v) => v.value === "0"))
      assert.ok(answer.includes(`${r.engine} on ${r.fabric}`), answer);
    const cost = of("cost", "money").sort((a, b) => Number(a.value) - Number(b.value));
    assert.ok(answer.includes(`${cost[0].fabric} costs`), answer);
    const share = (fabric) => of("describe", "bisection_ratio").find((r) => r.fabric === fabric && ["", "intact"].includes(r.without))?.value;
    if (Math.abs(share(cost[0].fabric) - share(cost.at(-1).fabric)) > 0.005) assert.match(answer, /They are not equals/);
  }));

// The scale that a chart's own ticks show: from value to pixel.
const scaleOf = (ticks) => {
  const [a, b] = [ticks[0], ticks[ticks.length - 1]];
  return (v) => a.at + ((v - a.value) / (b.value - a.value)) * (b.at - a.at);
};
const chart = (panel) =>
  panel.evaluate((el) => {
    const number = (t) => Number(t.textContent.replace(/[\u202f\s]/g, "").replace("\u2212", "-"));
    const ticks = [...el.querySelectorAll("text.tick")].map((t) => ({
      value: number(t),
      end: t.getAttribute("text-anchor"),
      x: Number(t.getAttribute("x")),
      y: Number(t.getAttribute("y")),
    }));
    const middle = (m) => {
      const b = m.getBBox();
      return {
        cx: b.x + b.width / 2,
        cy: b.y + b.height / 2,
        x: Number(m.dataset.x),
        y: Number(m.dataset.y),
        series: m.parentElement.dataset.series,
      };
    };
    return {
      x: ticks.filter((t) => t.end === "middle").map((t) => ({ value: t.value, at: t.x })),
      y: ticks.filter((t) => t.end === "end").map((t) => ({ value: t.value, at: t.y - 4 })),
      marks: [...el.querySelectorAll(".series .mark")].map(middle),
      bands: el.querySelectorAll(".band").length,
      labels: [...el.querySelectorAll("text.label")].map((t) => t.textContent),
      log: el.textContent.includes(", log"),
    };
  });

for (const metric of ["accepted", "packet_latency"])
  test(`curves of ${metric} go through the rows`, () =>
    on({}, async (page) => {
      const panels = page.locator(`[data-figure='curve ${metric}'] .panel`);
      assert.equal(await panels.count(), 4);
      let marks = 0;
      for (let i = 0; i < 4; ++i) {
        const c = await chart(panels.nth(i)),
          title = await panels.nth(i).getAttribute("data-panel");
        marks += c.marks.length;
        assert.equal(c.log, false);
        const [x, y] = [scaleOf(c.x), scaleOf(c.y)];
        for (const m of c.marks) {
          near(m.cx, x(m.x), 0.6, `${title} ${m.series} x`);
          near(m.cy, y(m.y), 1.1, `${title} ${m.series} y`);
          const row = of("simulate", metric).find(
            (r) =>
              title.startsWith(r.fabric) &&
              (r.without === "intact") === title.includes("intact") &&
              r.engine === m.series &&
              r.options.split(" ").includes(`load=${m.x}`),
          );
          assert.equal(m.y, Number(row.value));
        }
        assert.equal(c.bands, 3);
        assert.equal(c.labels.length, 3);
      }
      const saturated = of("simulate", "saturated").filter((r) => Number(r.value) === 1).length;
      assert.equal(marks, of("simulate", metric).length - (metric === "packet_latency" ? saturated : 0));
    }));

test("the answer comes first", () =>
  on({}, async (page) => assert.equal(await page.locator("section").first().getAttribute("id"), "answer")));

test("on a phone a table scrolls under its headings, and the names of its lines stay", () =>
  on({ width: 390, height: 800 }, async (page) => {
    const seen = await page.locator("#detail .scroll").first().evaluate((box) => {
      box.scrollTo(10_000, 10_000);
      const at = (e) => e.getBoundingClientRect(), table = box.querySelector("table"), last = table.tBodies[0].rows[table.tBodies[0].rows.length - 1];
      const head = table.tHead.rows[0].cells;
      return { moved: box.scrollLeft, outer: at(box).x, top: at(box).y, heads: [...head].map((c) => at(c).x), cells: [...last.cells].map((c) => at(c).x), headTop: at(head[1]).y };
    });
    assert.ok(seen.moved > 0, "the table is wider than the phone");
    seen.cells.forEach((x, i) => near(x, seen.heads[i], 1, `column ${i}`));
    near(seen.cells[0], seen.outer, 1, "the first column");
    assert.ok(seen.headTop >= seen.top - 1, "the headings are in sight");
  }));

test("whiskers reach from the lightest sample to the heaviest", () =>
  on({}, async (page) => {
    const dots = await page.locator("[data-figure='whisker max_load'] .dot").evaluateAll((all) =>
      all.map((d) => ({
        value: Number(d.querySelector(".mark").dataset.x),
        least: Number(d.querySelector(".whisker").dataset.least),
        most: Number(d.querySelector(".whisker").dataset.most),
        x1: Number(d.querySelector(".whisker").getAttribute("x1")),
        x2: Number(d.querySelector(".whisker").getAttribute("x2")),
      })),
    );
    assert.deepEqual(
      dots.map((d) => d.value).sort(),
      of("load", "max_load")
        .map((r) => Number(r.value))
        .sort(),
    );
    assert.deepEqual(
      dots.map((d) => d.most).sort(),
      of("load", "max_load_worst")
        .map((r) => Number(r.value))
        .sort(),
    );
    for (const d of dots) assert.ok(d.x1 <= d.x2 && d.least <= d.value && d.value <= d.most);
  }));

test("gains are means over what was measured for both", () =>
  on({}, async (page) => {
    const cells = await page
      .locator("[data-figure='gain max_load'] .panel[data-panel='tree'] rect")
      .evaluateAll((all) => all.map((r) => ({ ...r.dataset })));
    assert.equal(cells.length, 9);
    const loads = of("load", "max_load").filter((r) => r.fabric === "tree");
    const at = (engine, without) => Number(loads.find((r) => r.engine === engine && r.without === without).value);
    for (const c of cells.filter((x) => x.row !== x.column)) {
      const logs = ["intact", "share=0.1,seed=3"].map((w) => Math.log(at(c.column, w) / at(c.row, w)));
      near(Number(c.value), Math.exp((logs[0] + logs[1]) / 2) - 1, 1e-9);
    }
  }));

test("verdicts come with their counterexamples", () =>
  on({}, async (page) => {
    const bad = of("verdict", "yes").filter((r) => r.value === "0");
    assert.ok(bad.length > 0, "the study is meant to have a routing that fails");
    assert.equal(await page.locator("#verdicts tbody tr").count(), 12);
    assert.equal(await page.locator("#verdicts details[open] pre").count(), bad.length);
    assert.match(await page.locator("#verdicts details[open] pre").first().textContent(), /\S/);
  }));

test("drawings show every switch, loads, and the cables that are missing", () =>
  on({}, async (page) => {
    const tree = page.locator("figure[data-fabric='tree']"),
      grid = page.locator("figure.drawing").nth(1);
    const count = (figure, paths, mark) =>
      figure
        .locator(`svg.map path${paths}`)
        .evaluateAll((all, m) => all.reduce((sum, path) => sum + path.getAttribute("d").split(m).length - 1, 0), mark);
    assert.equal(await count(tree, "[fill='var(--soft)']", "z"), 8);
    assert.equal(await count(grid, "[fill='var(--soft)']", "z"), 12);
    assert.ok((await count(tree, "[stroke*='var(--q']", "M")) > 16, "hosts and cables are coloured");
    assert.equal(await count(tree, "[stroke-dasharray]", "M"), 0);
    const options = await tree.locator("select option").allTextContents();
    assert.equal(options.length, 6);
    await tree.locator("select").selectOption({ label: "minhop, 10\u202f% of cables missing" });
    await tree.locator("svg.map path[stroke-dasharray]").first().waitFor({ state: "attached" }); // it is drawn when its width is known
    const described = of("describe", "missing_links").find((r) => r.fabric === "tree" && r.without !== "intact");
    assert.equal(await count(tree, "[stroke-dasharray]", "M"), Number(described.value));
    assert.ok((await tree.locator(".note").textContent()).includes(`${described.value} cables are missing`));
  }));

test("pointing at a switch of a drawing says its loads, and so do the arrow keys", () =>
  on({}, async (page) => {
    const map = page.locator("figure[data-fabric='tree'] svg.map"),
      readout = page.locator("figure[data-fabric='tree'] .readout");
    await map.focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await readout.textContent(), /^switch s1-0: load at most [\d.]+ out, at most [\d.]+ in$/);
    await page.keyboard.press("ArrowRight");
    assert.match(await readout.textContent(), /^switch s1-1/);
  }));

test("tables sort by any column, both ways", () =>
  on({}, async (page) => {
    const button = page.locator("#detail thead button", { hasText: "max load" });
    const index = await button.evaluate((b) => [...b.closest("tr").children].indexOf(b.parentElement));
    const column = async () =>
      (
        await page
          .locator("#detail tbody tr")
          .evaluateAll((all, i) => all.map((tr) => tr.children[i].textContent), index)
      ).map(parsed);
    await button.click();
    assert.equal(await button.locator("..").getAttribute("aria-sort"), "ascending");
    const up = await column();
    assert.deepEqual(
      up,
      [...up].sort((a, b) => a - b),
    );
    await button.click();
    assert.equal(await button.locator("..").getAttribute("aria-sort"), "descending");
    assert.deepEqual(
      await column(),
      [...up].sort((a, b) => b - a),
    );
  }));

test("the rows can be had as the CSV that the program writes", () =>
  on({}, async (page) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("#rows button.download").click(),
    ]);
    assert.equal(download.suggestedFilename(), "rows.csv");
    const got = readCsv(readFileSync(await download.path(), "utf8"));
    assert.equal(got.length, rows.length);
    got.forEach((line, i) => {
      for (const [key, cell] of Object.entries(rows[i]))
        if (["value", "half_width"].includes(key) && cell !== "") assert.equal(Number(line[key]), Number(cell));
        else assert.equal(line[key], cell);
    });
  }));

test("everything can be reached with the keyboard", () =>
  on({}, async (page) => {
    const seen = new Set();
    for (let i = 0; i < 400; ++i) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const e = document.activeElement;
        return e === document.body ? "" : `${e.tagName.toLowerCase()}.${e.className?.baseVal ?? e.className}`;
      });
      if (at === "") break;
      seen.add(at);
    }
    for (const kind of [
      "button.theme",
      "a.",
      "button.",
      "button.download",
      "svg.",
      "svg.map",
      "select.",
      "summary.",
      "div.scroll",
    ])
      assert.ok(seen.has(kind), `${kind} in ${[...seen]}`);
    const svg = page.locator("[data-figure='curve accepted'] svg").first();
    await svg.focus();
    await page.keyboard.press("ArrowRight");
    const readout = page.locator("[data-figure='curve accepted'] .readout").first();
    const first = await readout.textContent();
    assert.match(first, /load 0\.2: [\d.]+ of a link/);
    await page.keyboard.press("ArrowRight");
    assert.match(await readout.textContent(), /load 0\.5/);
    await page.keyboard.press("Escape");
    assert.equal(await readout.textContent(), "");
    const head = page.locator("#detail thead button").last();
    await head.focus();
    await page.keyboard.press("Enter");
    assert.equal(await head.locator("..").getAttribute("aria-sort"), "ascending");
  }));

test("pointing at a mark says what it is", () =>
  on({}, async (page) => {
    const mark = page.locator("[data-figure='curve accepted'] .mark").first();
    await mark.scrollIntoViewIfNeeded();
    const box = await mark.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match(await page.locator("[data-figure='curve accepted'] .readout.shown").textContent(), /load/);
  }));

for (const [width, colorScheme] of [
  [390, "light"],
  [390, "dark"],
  [320, "light"],
  [768, "light"],
])
  test(`no sideways scrolling at ${width} pixels, ${colorScheme}`, () =>
    on({ width, height: 800, colorScheme }, async (page) => {
      await page.waitForSelector("svg");
      near(await page.evaluate(() => document.documentElement.scrollWidth), width, 0);
      const overhang = await page
        .locator("svg text")
        .evaluateAll(
          (all, w) =>
            all
              .filter((t) => t.getBoundingClientRect().right > w + 1 || t.getBoundingClientRect().left < -1)
              .map((t) => t.textContent),
          width,
        );
      assert.deepEqual(overhang, []);
    }));

const contrasts = (page) =>
  page.evaluate(() => {
    const luminance = (color) => {
      const [r, g, b] = color
        .match(/[\d.]+/g)
        .slice(0, 3)
        .map((v) => Number(v) / 255)
        .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paper = luminance(getComputedStyle(document.body).backgroundColor);
    const ratio = (c) => {
      const l = luminance(c);
      return (Math.max(l, paper) + 0.05) / (Math.min(l, paper) + 0.05);
    };
    const texts = [
      ...document.querySelectorAll(
        "p, th, td, h1, h2, h4, figcaption, dt, dd, a, small, code, caption, thead button, .yes, .no",
      ),
    ].map((e) => ({ what: `${e.tagName}.${e.className}`, ratio: ratio(getComputedStyle(e).color) }));
    const marks = [
      ...document.querySelectorAll("svg text.tick, svg text.row, svg text.title, svg text.label, svg text.value"),
    ].map((e) => ({ what: e.getAttribute("class"), ratio: ratio(getComputedStyle(e).fill) }));
    const lowest = [...texts, ...marks].reduce((a, b) => (b.ratio < a.ratio ? b : a));
    return { paper, lowest };
  });

for (const colorScheme of ["light", "dark"])
  test(`every text can be read, ${colorScheme}`, () =>
    on({ colorScheme }, async (page) => {
      const { paper, lowest } = await contrasts(page);
      assert.ok(colorScheme === "dark" ? paper < 0.05 : paper > 0.9);
      assert.ok(lowest.ratio >= 4.5, `${lowest.what} has a contrast of ${lowest.ratio}`);
    }));

test("the button changes the colours", () =>
  on({ colorScheme: "dark" }, async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.click("button.theme");
    assert.notEqual(await paper(), dark);
  }));

test("it prints black on white, without what paper cannot do", () =>
  on({ colorScheme: "dark" }, async (page) => {
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 20000);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    for (const gone of ["nav", "button.theme", "button.download", "select"])
      assert.equal(await page.locator(gone).first().isVisible(), false);
    assert.ok(await page.locator("svg").first().isVisible());
  }));
