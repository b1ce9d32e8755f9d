// Debian's Chromium, and pages that are watched: what a page asks of other
// hosts and what it logs as an error is collected, to be held against it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
// Chromium asks its maker's hosts for updates and more unless it is told not to.
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 740 };

/** Starts the browser with a fresh profile; `{ open(url, how), stop() }`. */
export async function startBrowser() {
  const profile = await mkdtemp(join(tmpdir(), "boardsolve-browser-"));
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, HOME: profile } });
  return {
    /** A page in a context of its own; `page.faults` holds what it did wrong. */
    async open(url, { viewport = DESKTOP, colorScheme = "light", reducedMotion = "reduce", ...rest } = {}) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion, ...rest });
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(url).origin });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      page.faults = [];
      page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning")
          page.faults.push(`console: ${message.text()}`);
      });
      page.on("request", (request) => {
        const asked = new URL(request.url());
        if (asked.protocol.startsWith("http") && asked.origin !== new URL(url).origin)
          page.faults.push(`asked ${asked}`);
      });
      await page.goto(url);
      return page;
    },
    async stop() {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
