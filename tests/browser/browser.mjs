// Chromium with a page that may not ask the network for anything nor complain about anything.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const modules = process.env.BANYAN_NODE_MODULES ?? resolve("build/browser/node_modules");
const { chromium } = createRequire(resolve(modules, "none.js"))("playwright-core");

export async function launch() {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: [...sandbox, "--disable-gpu"] });
}

// One window for each browser: opening a file anew in it costs a fraction of a new one.
const windows = new WeakMap();
async function windowOf(browser) {
  if (!windows.has(browser)) {
    const context = await browser.newContext({ acceptDownloads: true });
    context.setDefaultTimeout(120_000); // a busy machine is slow, not wrong
    const page = await context.newPage(),
      complaints = [],
      seen = { page, complaints, address: "" };
    page.on("console", (m) => {
      if (["error", "warning"].includes(m.type())) complaints.push(`console: ${m.text()}`);
    });
    page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
    page.on("request", (r) => {
      if (r.url().split("#")[0] !== seen.address && !r.url().startsWith("blob:")) complaints.push(`request: ${r.url()}`);
    });
    windows.set(browser, seen);
  }
  return windows.get(browser);
}

// Runs `use` with the file opened, and fails on any complaint or request.
export async function withPage(browser, file, { width = 1200, height = 900, colorScheme = "light" }, use) {
  const seen = await windowOf(browser),
    { page, complaints } = seen;
  seen.address = pathToFileURL(file).href;
  complaints.length = 0;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ media: "screen", colorScheme });
  await page.goto(seen.address);
  await page.waitForSelector("section");
  await drawn(page);
  const result = await use(page);
  assert.deepEqual(complaints, []);
  return result;
}

// Every figure on show is there: one that fits its width is drawn only when the browser knows that width.
export function drawn(page) {
  return page.waitForFunction(() => [...document.querySelectorAll(".responsive")].every((box) => box.firstChild || box.clientWidth === 0));
}
