// How the explorer shows fabrics: aggregated, opened, moved, linked to, saved; for hands, keys and readers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { clickNode, commands, explorer, pixelsLike, place, settled } from "./explorer.mjs";
import { banyan, readCsv, scratch } from "./study.mjs";

let page_;
before(async () => { page_ = await explorer(); });
after(() => page_.end());
const on = (state, use, options) => page_.on(state, use, options);
const counts = (page) => page.evaluate(() => window.explorer.drawing.counts);
const view = (page) => page.evaluate(() => ({ ...window.explorer.drawing.current }));
const folder = scratch();
const middle = async (page) => {
  const box = await page.locator(".view").boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

test("a notation is typed", () =>
  on({ fabric: "4-ary 2-tree" }, async (page) => {
    await page.fill("#fabric", "HyperX(3x2; hosts=2)");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.explorer.fabric.kind === "grid");
    await settled(page);
    assert.match(await page.textContent(".status"), /12 hosts, 6 switches, 21 cables/);
    assert.match(page.url(), /HyperX/);
  }));

test("what cannot be read is told, and what was drawn stays", () =>
  on({ fabric: "4-ary 2-tree" }, async (page) => {
    await page.fill("#fabric", "4-ary 2-treee");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#panel .refused");
    assert.match(await page.textContent("#panel .refused"), /4-ary 2-tree/);
  }));

for (const [name, format] of [["fabric.json", "json"], ["plan.csv", "csv"], ["fabric.net", "ibsim"]])
  test(`a file is dropped: ${name}`, () =>
    on({ fabric: "4-ary 2-tree" }, async (page) => {
      const text = execFileSync(banyan, ["convert", "XGFT(2; 3,4; 1,2)", "-", "--format", format], { encoding: "utf8" });
      const data = await page.evaluateHandle(([content, file]) => {
        const out = new DataTransfer();
        out.items.add(new File([content], file));
        return out;
      }, [text, name]);
      await page.dispatchEvent("body", "drop", { dataTransfer: data });
      await page.waitForFunction(() => window.explorer.fabric.drawn.hosts === 12);
      await settled(page);
      assert.equal(await page.evaluate(() => window.explorer.fabric.kind), "tree", "its shape is found");
    }));

for (const file of ["tests/data/ibnetdiscover.out", "examples/last-night.out"])
  test(`what ibnetdiscover found is opened by the button, and counted as describe counts it: ${file}`, () =>
    on({ fabric: "4-ary 2-tree" }, async (page) => {
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("text=Open a file")]);
      await chooser.setFiles(file);
      await page.waitForFunction((name) => window.explorer.state.fabric.includes(name), file.split("/").pop());
      await settled(page);
      const found = JSON.parse(execFileSync(banyan, ["describe", file, "--json"], { encoding: "utf8" }));
      assert.ok((await page.textContent(".status")).includes(`${found.hosts} hosts, ${found.switches} switches, ${found.links} cables`));
    }));

test("where a token is asked for, the address that is printed has it", async () => {
  const guarded = await explorer("--token", "open-sesame");
  try {
    await guarded.on({ fabric: "4-ary 2-tree", token: "open-sesame" }, async (page) => {
      assert.match(await page.textContent(".status"), /16 hosts/);
      await page.click("#tab-load");
      await settled(page);
      assert.ok(!page.url().includes("sesame"), "it goes from the address, which is given to others");
      assert.match(await page.textContent(".headline"), /maximum load/);
    });
  } finally {
    await guarded.end();
  }
});

for (const [fabric, kind, most] of [
  ["4-ary 2-tree", "tree", 64], ["PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "tree", 3000], ["PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "tree", 3000],
  ["HyperX(12x8; hosts=7)", "grid", 1600], ["Dragonfly(4,8,4)", "ring", 2600], ["Jellyfish(40,6; hosts=4)", "free", 300]])
  test(`${fabric} is drawn as ${kind}, in no more lines than one can see`, () =>
    on({ fabric }, async (page) => {
      assert.equal(await page.evaluate(() => window.explorer.fabric.kind), kind);
      const { bundles } = await counts(page);
      assert.ok(bundles > 0 && bundles <= most, `${bundles} lines`);
    }));

test("what one points at is told, and opens", () =>
  on({ fabric: "PGFT(3; 18,18,36; 1,18,18; 1,1,1)" }, async (page) => {
    const before = await counts(page);
    assert.ok(before.closed >= 36, "subtrees are closed");
    const { x, y } = await place(page, "h3000");
    await page.mouse.move(x, y - 2);
    await page.waitForSelector(".tip:not([hidden])");
    assert.match(await page.textContent(".tip"), /^subtree 9: 324 hosts, 36 switches/);
    await page.mouse.click(x, y - 2);
    await page.waitForFunction(() => window.explorer.drawing.counts.closed !== 54);
    await settled(page);
    const leaf = await place(page, "h3000");
    await page.mouse.click(leaf.x, leaf.y);
    await page.waitForFunction(() => window.explorer.drawing.current.scale > 10);
    await settled(page);
    await clickNode(page, "h3000");
    assert.equal(await page.inputValue("#from"), "h3000");
  }));

test("it is moved and zoomed by mouse, wheel and keys; the picture follows before it is drawn anew", () =>
  on({ fabric: "PGFT(3; 18,18,36; 1,18,18; 1,1,1)", every: "1" }, async (page) => {
    assert.equal((await counts(page)).bundles, 34992);
    const [x, y] = await middle(page), from = await view(page);
    const transform = () => page.evaluate(() => document.querySelector(".view .base").style.transform);
    const was = await transform();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20, { steps: 4 });
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
    assert.notEqual(await transform(), was);
    await page.mouse.up();
    const to = await view(page);
    assert.ok(Math.abs((from.x - to.x) * to.scale - 60) < 8, "by as much as the mouse");
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((scale) => window.explorer.drawing.current.scale > 1.3 * scale, to.scale);
    await page.locator(".view").focus();
    await page.keyboard.press("0");
    await settled(page);
    const back = await view(page);
    assert.ok(Math.abs(back.scale - from.scale) < 1e-6 && Math.abs(back.x - from.x) < 1e-3);
    await page.keyboard.press("ArrowRight");
    assert.ok((await view(page)).x > back.x);
    assert.match(page.url(), /view=/);
  }));

test("the address opens the same view", () =>
  on({ fabric: "4-ary 3-tree", tab: "load", engine: "smodk", traffic: "shift:9" }, async (page) => {
    await page.locator(".view").focus();
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    const [address, seen, head] = [page.url(), await view(page), await page.textContent(".headline")];
    const other = await page.context().newPage();
    await other.goto(address);
    await settled(other);
    const again = await view(other);
    for (const key of ["x", "y", "scale"]) assert.ok(Math.abs(again[key] - seen[key]) < 1e-3 * Math.max(1, Math.abs(seen[key])), key);
    assert.equal(await other.textContent(".headline"), head);
    assert.equal(await other.inputValue("#engine"), "smodk");
    assert.equal(await other.getAttribute("#tab-load", "aria-selected"), "true");
    await other.close();
  }));

async function saved(page, label) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`button:text-is("${label}")`)]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

test("the drawing is saved as PNG and SVG, tables as CSV", () =>
  on({ fabric: "4-ary 2-tree", tab: "load", traffic: "shift:5" }, async (page) => {
    const png = readFileSync(await saved(page, "PNG"));
    assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.ok(png.readUInt32BE(16) > 1000, "as wide as the window, twice");
    const svg = readFileSync(await saved(page, "SVG"), "utf8");
    const tags = await page.evaluate((text) => [...new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("*")].map((e) => e.tagName), svg);
    assert.ok(!tags.includes("parsererror") && tags.includes("path") && tags.includes("text"));
    assert.match(svg, />h15</);
    assert.match(svg, /16 hosts/);
    const rows = readCsv(readFileSync(await saved(page, "CSV"), "utf8"));
    assert.deepEqual(Object.keys(rows[0]), ["channels", "cabled", "loaded", "most", "mean"]);
    assert.equal(rows.length, 4);
  }));

test("everything is reached by keys, and named for who cannot see", () =>
  on({ fabric: "4-ary 2-tree" }, async (page) => {
    await page.locator("#tab-fabric").focus();
    for (const tab of ["load", "path", "break", "counters", "prove", "simulate"]) {
      await page.keyboard.press("ArrowRight");
      await settled(page);
      assert.equal(await page.evaluate(() => document.activeElement.id), `tab-${tab}`);
      assert.equal(await page.getAttribute("#panel", "aria-labelledby"), `tab-${tab}`);
      const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role=application], [tabindex='0']")]
        .filter((e) => e.offsetParent !== null && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby") && !e.labels?.length && !e.textContent.trim()).map((e) => e.outerHTML));
      assert.deepEqual(nameless, []);
    }
    assert.equal(await page.getAttribute(".status", "aria-live"), "polite");
    await page.click("#tab-path");
    await page.fill("#from", "h0");
    await page.keyboard.press("Tab");
    await page.fill("#to", "h15");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.match(await page.textContent(".status"), /h0 to h15: dmodk takes 1 of 4 shortest paths/);
  }));

const contrast = (page) => page.evaluate(() => {
  const channel = (v) => { const c = v / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const light = (rgb) => { const [r, g, b] = rgb.match(/[\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll(".side *, .topbar *, .status")].filter((e) => e.childNodes.length && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && e.offsetParent && !e.disabled && !e.matches(".primary"))
    .map((e) => { const ink = light(getComputedStyle(e).color); return [(Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05), e.textContent.slice(0, 30)]; })
    .filter(([ratio]) => ratio < 4.5);
});

for (const colorScheme of ["light", "dark"])
  test(`text can be read when it is ${colorScheme}`, () =>
    on({ fabric: "4-ary 2-tree", tab: "load" }, async (page) => assert.deepEqual(await contrast(page), []), { colorScheme }));

test("a narrow window has the panel below, and nothing sticks out", () =>
  on({ fabric: "4-ary 3-tree", tab: "load" }, async (page) => {
    const side = await page.locator(".side").boundingBox(), stage = await page.locator(".stage").boundingBox();
    assert.ok(side.y >= stage.y + stage.height - 1);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }, { width: 390, height: 800 }));

test("it asks for nothing before it is opened but its own files, and they are small", () =>
  on({ fabric: "4-ary 2-tree" }, async (page) => {
    const sizes = await page.evaluate(async () => Promise.all(["/", "/explorer.js", "/explorer.css", "/icon.svg"].map(async (p) => (await (await fetch(p)).text()).length)));
    assert.ok(sizes.reduce((a, b) => a + b, 0) < 150000, String(sizes));
  }));

for (const every of [false, true])
  test(`a broken cable among parallel ones is drawn red${every ? ", also among every cable" : ""}`, () =>
    on({ fabric: "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", tab: "break", without: "link=s2-14:20", ...(every ? { every: "1" } : {}) }, async (page) => {
      assert.ok((await pixelsLike(page, [179, 38, 30])) > 150, "a line of its length");
      const alone = await page.evaluate(() => {
        const { fabric, drawing } = window.explorer, scene = drawing.sceneNow(), cable = fabric.cableAt("s2-14:20");
        return scene.members(scene.bundleOf[cable]).length;
      });
      assert.equal(alone, every ? 1 : 6);
    }));

test("the command of an uploaded file names the file as its owner has it", () =>
  on({ fabric: "4-ary 2-tree" }, async (page) => {
    const text = execFileSync(banyan, ["convert", "XGFT(2; 3,4; 1,2)", "-", "--format", "json"], { encoding: "utf8" });
    const data = await page.evaluateHandle((content) => {
      const out = new DataTransfer();
      out.items.add(new File([content], "my fabric.json"));
      return out;
    }, text);
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
    await page.waitForFunction(() => window.explorer.fabric.drawn.hosts === 12);
    await settled(page);
    for (const command of await commands(page)) assert.match(command, /'my fabric\.json'/);
    assert.equal(await page.inputValue("#fabric"), "myfabric.json");
    assert.match(await page.textContent(".facts"), /shapeXGFT\(2; 3,4; 1,2\)/);
    await page.click("text=Draw");
    await settled(page);
    assert.equal(await page.evaluate(() => window.explorer.fabric.drawn.hosts), 12, "the same file again");
  }));

test("the hosts of a torus do not lie on its cables", () =>
  on({ fabric: "Torus(12x6; hosts=5)", every: "1" }, async (page) => {
    const least = await page.evaluate(() => {
      const { fabric, drawing } = window.explorer, scene = drawing.sceneNow(), painter = drawing.painter(scene);
      let out = Infinity;
      for (let i = 0; i < scene.bundles; ++i) {
        if (!fabric.isSwitch(scene.a[i]) || !fabric.isSwitch(scene.b[i])) continue;
        const { p, q, bend } = painter.curve(i);
        for (let t = 0; t <= 1; t += 0.01) {
          const u = 1 - t, c = bend ?? { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 };
          const x = u * u * p.x + 2 * u * t * c.x + t * t * q.x, y = u * u * p.y + 2 * u * t * c.y + t * t * q.y;
          for (let v = 0; v < fabric.nics; ++v) out = Math.min(out, Math.hypot(painter.x(fabric.x[v]) - x, painter.y(fabric.y[v]) - y) - painter.hostSize());
        }
      }
      return out;
    });
    assert.ok(least >= 0, `${least} pixels between a host and a cable`);
  }));

test("two drawings use the room: one above the other where they are wide", () =>
  on({ fabric: "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", tab: "load", engine: "dmodk", other: "random" }, async (page) => {
    const [a, b] = await page.locator(".view").evaluateAll((all) => all.map((e) => e.getBoundingClientRect()));
    assert.ok(b.y >= a.y + a.height - 1 && Math.abs(a.x - b.x) < 1);
    const scale = await page.evaluate(() => window.explorer.drawing.current.scale);
    await page.selectOption("#other", "");
    await settled(page);
    const alone = await page.evaluate(() => window.explorer.drawing.current.scale);
    assert.ok(scale > 0.55 * alone, `${scale} beside ${alone}`);
  }));

test("every step of load stands out from the paper, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"])
    await on({ fabric: "4-ary 2-tree" }, async (page) => {
      const ratios = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement), channel = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        const light = (name) => { const n = parseInt(style.getPropertyValue(name).trim().slice(1), 16); return 0.2126 * channel((n >> 16) / 255) + 0.7152 * channel(((n >> 8) & 255) / 255) + 0.0722 * channel((n & 255) / 255); };
        return Array.from({ length: 8 }, (_, i) => { const [a, b] = [light(`--q${i + 1}`), light("--paper")]; return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); });
      });
      assert.ok(ratios.every((r, i) => r >= 2 && (i === 0 || r >= 0.95 * ratios[i - 1])), `${colorScheme}: ${ratios}`);
    }, { colorScheme });
});

test("where everything is busy lines are thin enough to be told apart", () =>
  on({ fabric: "PGFT(3; 18,18,6; 1,18,3; 1,1,6)" }, async (page) => {
    const share = await page.evaluate(() => {
      const { explorer } = window;
      explorer.colour(new Float64Array(explorer.fabric.drawn.channels).fill(1), 1, "busy, share of the time");
      const widths = [...explorer.drawing.svg().matchAll(/fill="none" stroke="#[0-9a-f]+" stroke-width="([\d.]+)"/g)].map((m) => Number(m[1]));
      return Math.max(...widths);
    });
    assert.ok(share <= 1.6, `${share} pixels`);
  }, { colorScheme: "dark" }));

// 512 bundles are drawn in two pieces: where those cross, nothing is darker.
test("cables of one load have one colour, in however many pieces they are drawn", () =>
  on({ fabric: "RLFT(64 ports, 16384 hosts)" }, async (page) => {
    const svg = await page.evaluate(() => window.explorer.drawing.svg());
    const strokes = [...svg.matchAll(/<path d="M[^"]*L[^"]*" fill="none" stroke="([^"]+)"/g)].map((m) => m[1]);
    assert.ok(strokes.length >= 2, String(strokes));
    assert.equal(new Set(strokes).size, 1);
    assert.doesNotMatch(svg, /opacity/);
  }));

test("cables can be seen on a phone", () =>
  on({ fabric: "Torus(16x16; hosts=2)", tab: "load", engine: "dor", traffic: "shift:2" }, async (page) => {
    const svg = await page.evaluate(() => window.explorer.drawing.svg());
    const widths = [...svg.matchAll(/<path d="M[^"]*" fill="none" stroke="[^"]+" stroke-width="([\d.]+)"/g)].map((m) => Number(m[1]));
    assert.ok(widths.length > 0 && Math.min(...widths) >= 0.6, String(widths));
  }, { width: 390, height: 800 }));

test("keys step through what is drawn; a field that is chosen keeps the focus", () =>
  on({ fabric: "4-ary 2-tree", tab: "load" }, async (page) => {
    await page.locator(".view").focus();
    await page.keyboard.press("n");
    assert.match(await page.textContent(".status"), /^switch s1-0: load at most/);
    await page.keyboard.press("c");
    assert.match(await page.textContent(".status"), /s1-0:\d.*: load \S+ one way, \S+ back/);
    const cable = await page.textContent(".status");
    assert.equal(await page.textContent(".tip"), cable);
    await page.keyboard.press("c");
    assert.notEqual(await page.textContent(".status"), cable, "another of its cables");
    await page.keyboard.press("Enter");
    assert.match(await page.textContent(".selection"), /s1-0:\d.*Break it/);
    await page.click(".selection button:text-is('Close')");
    await page.locator(".view").focus();
    await page.keyboard.press("n");
    assert.match(await page.textContent(".status"), /^switch s1-1/);
    await page.keyboard.press("p");
    await page.keyboard.press("p");
    assert.match(await page.textContent(".status"), /^host h15/);
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.inputValue("#from"), "h15");
    await page.locator("#engine").focus();
    await page.selectOption("#engine", "smodk");
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), "engine");
    const levels = await page.locator("h1, h2, h3, h4").evaluateAll((all) => all.filter((e) => e.offsetParent).map((e) => Number(e.tagName[1])));
    assert.ok(levels.every((l, i) => i === 0 || l <= levels[i - 1] + 1), `no level of headings is left out: ${levels}`);
  }));
