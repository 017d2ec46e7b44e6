// For looking at a page: node tests/browser/screenshots.mjs REPORT.html FOLDER writes light, dark, phone and print.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, withPage } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
const shot = (name, options) =>
  withPage(browser, file, options, async (page) => {
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  });
await shot("light", {});
await shot("dark", { colorScheme: "dark" });
await shot("phone", { width: 390, height: 844 });
await withPage(browser, file, {}, async (page) =>
  writeFileSync(join(folder, "print.pdf"), await page.pdf({ format: "A4", preferCSSPageSize: true })),
);
await browser.close();
