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

// Runs `use` with the file opened in a window of its own, and fails on any complaint or request.
export async function withPage(browser, file, options, use) {
  const { width = 1200, height = 900, ...more } = options;
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...more });
  context.setDefaultTimeout(120_000); // a busy machine is slow, not wrong
  const page = await context.newPage();
  const address = pathToFileURL(file).href,
    complaints = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type())) complaints.push(`console: ${m.text()}`);
  });
  page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
  page.on("request", (r) => {
    if (r.url().split("#")[0] !== address && !r.url().startsWith("blob:")) complaints.push(`request: ${r.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector("section");
  try {
    return await use(page);
  } finally {
    await context.close();
    assert.deepEqual(complaints, []);
  }
}
