#!/usr/bin/env node
// How fast the explorer loads and moves, in Chromium without a graphics card: bench/explorer.mjs [BANYAN]
//
// Frames a second depend on who else uses the machine; processor time per frame, of all of Chromium, does not.
import { readdirSync, readFileSync } from "node:fs";
import { explorer, settled } from "../tests/browser/explorer.mjs";

// Seconds of processor time of everything that this process started.
function spent() {
  const parent = new Map(), ticks = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
      parent.set(pid, fields[1]);
      ticks.set(pid, Number(fields[11]) + Number(fields[12]));
    } catch {
      // it has ended
    }
  }
  const isOurs = (pid) => pid !== undefined && (pid === String(process.pid) || isOurs(parent.get(pid)));
  return [...ticks].filter(([pid]) => pid !== String(process.pid) && isOurs(pid)).reduce((sum, [, t]) => sum + t, 0) / 100;
}

const page_ = await explorer();
const b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";

for (const fabric of ["4-ary 2-tree", b, d])
  await page_.on({ fabric }, async (page) => {
    const found = [];
    for (let i = 0; i < 5; ++i) {
      const begin = Date.now();
      await page.reload({ waitUntil: "load" });
      const loaded = Date.now() - begin;
      await page.waitForFunction(() => window.explorer?.drawing.isDrawn, null, { polling: "raf" });
      found.push([loaded, Date.now() - begin]);
    }
    found.sort((x, y) => x[1] - y[1]);
    console.log(`${fabric}: loaded after ${found[2][0]} ms, drawn after ${found[2][1]} ms (median of 5)`);
  });

for (const state of [{ fabric: b }, { fabric: d }, { fabric: d, every: "1" }, { fabric: d, every: "1", tab: "load" }])
  await page_.on(state, async (page) => {
    const box = await page.locator(".view").boundingBox();
    const measure = async (what, move) => {
      await settled(page);
      await page.evaluate(() => {
        window.frames_ = [];
        const tick = (now) => { window.frames_.push(now); window.ticking = requestAnimationFrame(tick); };
        requestAnimationFrame(tick);
      });
      const before = spent();
      await move();
      const used = spent() - before;
      const frames = await page.evaluate(() => { cancelAnimationFrame(window.ticking); return window.frames_; });
      const gaps = frames.slice(1).map((t, i) => t - frames[i]).sort((x, y) => x - y);
      const rate = (1000 * gaps.length) / (frames[frames.length - 1] - frames[0]);
      const { bundles } = await page.evaluate(() => window.explorer.drawing.counts);
      console.log(`${state.fabric}${state.every ? ", every cable" : ""}${state.tab ? ", coloured" : ""}: ${what} at ${rate.toFixed(0)} frames a second, ` +
        `${((1000 * used) / gaps.length).toFixed(0)} ms of processor time each; ${bundles} lines`);
    };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await measure("panned", async () => {
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let i = 0; i < 90; ++i) await page.mouse.move(x + 150 * Math.sin(i / 8), y + 60 * Math.cos(i / 11));
      await page.mouse.up();
    });
    await measure("zoomed", async () => {
      for (let i = 0; i < 60; ++i) await page.mouse.wheel(0, i < 30 ? -60 : 60);
    });
  });
await page_.end();
