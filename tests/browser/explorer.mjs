// The explorer in Chromium: a server on a free port, ended by its id, and pages that may ask it alone and not complain.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { drawn, launch } from "./browser.mjs";
import { banyan } from "./study.mjs";

export async function serve(...options) {
  const child = spawn(banyan, ["serve", "--port", "0", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const [, url, token] = /(http:\S+\/)#token=(\S+)/.exec(line);
  return {
    url,
    token: decodeURIComponent(token),
    end: async () => {
      child.kill("SIGINT");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

let browser = null,
  users = 0;

// A browser and a window for all tests of a file: each opens the page anew in it, which costs a fraction of a new one.
export async function explorer(...options) {
  ++users;
  browser ??= launch();
  const server = await serve(...options),
    context = await (await browser).newContext({ acceptDownloads: true }),
    page = await context.newPage(),
    complaints = [];
  context.setDefaultTimeout(120_000); // a busy machine is slow, not wrong
  page.on("console", (m) => {
    // Chromium tells of every refusal; whether one was expected is the test's business.
    if (["error", "warning"].includes(m.type()) && !/status of 422/.test(m.text())) complaints.push(`console: ${m.text()}`);
  });
  page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
  page.on("request", (r) => {
    if (!r.url().startsWith(server.url) && !/^(blob|data):/.test(r.url())) complaints.push(`request: ${r.url()}`);
  });
  let visits = 0;
  return {
    url: server.url,
    end: async () => {
      await context.close();
      if (--users === 0) await (await browser).close();
      await server.end();
    },
    // Runs `use` with the page that shows this state.
    on: async (state, use, { width = 1300, height = 850, colorScheme = "light" } = {}) => {
      complaints.length = 0;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${server.url}?${++visits}#${new URLSearchParams({ token: server.token, ...state })}`);
      await settled(page);
      const result = await use(page);
      assert.deepEqual(complaints, []);
      return result;
    },
  };
}

// Nothing is being asked or drawn any more.
export async function settled(page) {
  await page.waitForFunction(() => window.explorer?.fabric && window.explorer.isSettled, null, { timeout: 120_000 });
  await drawn(page);
}

// The words of a command as the page shows it; quotes as a shell reads them.
export function run(command) {
  const words = [...command.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
  assert.equal(words[0], "banyan");
  try {
    return JSON.parse(execFileSync(banyan, words.slice(1), { encoding: "utf8", maxBuffer: 1 << 28 }));
  } catch (error) {
    if (error.status === 1) return JSON.parse(error.stdout); // the verdict is no
    throw error;
  }
}

export const commands = (page) => page.locator(".commands code").allTextContents();
export async function commandOf(page, verb) {
  const found = (await commands(page)).filter((c) => c.startsWith(`banyan ${verb} `));
  assert.ok(found.length > 0, `no ${verb} among the commands shown`);
  return found[0];
}

// Where a node stands on the screen.
export async function place(page, name) {
  return page.evaluate((wanted) => {
    const { drawing, fabric } = window.explorer;
    const { x, y } = drawing.pixel(fabric.find(wanted)), box = drawing.element.getBoundingClientRect();
    return { x: x + box.left, y: y + box.top };
  }, name);
}
export async function clickNode(page, name) {
  const { x, y } = await place(page, name);
  await page.mouse.click(x, y);
  await settled(page);
}
// The middle of a cable, by the name of one of its ports.
export async function clickCable(page, port) {
  const at = await page.evaluate((wanted) => {
    const { drawing, fabric } = window.explorer, box = drawing.element.getBoundingClientRect();
    for (let c = 0; c < fabric.cables; ++c) {
      const [a, b] = [fabric.channel[2 * c], fabric.channel[2 * c + 1]];
      if (fabric.portName(a) !== wanted && fabric.portName(b) !== wanted) continue;
      const p = drawing.pixel(fabric.nodeOf[a]), q = drawing.pixel(fabric.nodeOf[b]);
      for (let t = 0.1; t < 0.9; t += 0.02) {
        const [x, y] = [p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)], hit = drawing.hit(x, y);
        if (hit?.kind === "cable" && hit.cable === c) return { x: x + box.left, y: y + box.top };
      }
    }
    return null;
  }, port);
  assert.ok(at, `the cable at ${port} can be pointed at`);
  await page.mouse.click(at.x, at.y);
  await settled(page);
}

// How much of the drawing has a colour like this one: an array of red, green and blue.
export function pixelsLike(page, rgb, within = 40) {
  return page.evaluate(([wanted, most]) => {
    let count = 0;
    for (const canvas of document.querySelectorAll(".cell canvas")) {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 100 && Math.abs(data[i] - wanted[0]) + Math.abs(data[i + 1] - wanted[1]) + Math.abs(data[i + 2] - wanted[2]) < most) ++count;
    }
    return count;
  }, [rgb, within]);
}
