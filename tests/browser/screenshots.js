// Pictures of the playground to look at: every puzzle, asked and answered, on a
// desk and on a phone, light and dark.
//
//   node tests/browser/screenshots.js FOLDER [PUZZLE]

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DESKTOP, PHONE, startBrowser } from "./browser.js";
import { PUZZLES } from "./playground.js";
import { startService } from "./service.js";

const [folder, only] = process.argv.slice(2);
if (!folder) throw new Error("name a folder for the pictures");
await mkdir(folder, { recursive: true });

const service = await startService();
const browser = await startBrowser();
try {
  for (const name of PUZZLES) {
    if (only && only !== name) continue;
    for (const colorScheme of ["light", "dark"]) {
      for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
        const page = await browser.open(`${service.url}/#${name}`, { viewport, colorScheme });
        const shoot = (what) =>
          page.screenshot({
            path: join(folder, `${name}-${what}-${device}-${colorScheme}.png`),
            fullPage: true,
          });
        await page.getByRole("gridcell").first().waitFor();
        await shoot("asked");
        await page.getByRole("button", { name: "Solve", exact: true }).click();
        await page.locator(".verdict:not(.running)").waitFor();
        if (await page.locator("#player").isVisible()) {
          for (let step = 0; step < 2; step++)
            await page.getByRole("button", { name: "One step forward" }).click();
        }
        await shoot("answered");
        for (const fault of page.faults) console.error(`${name} ${device} ${colorScheme}: ${fault}`);
        await page.context().close();
      }
    }
  }
} finally {
  await browser.stop();
  await service.stop();
}
