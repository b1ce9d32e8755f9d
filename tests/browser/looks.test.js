// What everybody gets: a page that axe finds no fault with, that fits a phone,
// and that shows where the focus is.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PHONE } from "./browser.js";
import { harness } from "./harness.js";
import { PUZZLES, brush, button, cell, example, shown, solve, unfold } from "./playground.js";

const check = harness();
const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Holds what axe finds against the page. */
async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }),
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
  assert.deepEqual(found, [], what);
}

const NO = {
  linkgame: "Locked: no move at all",
  mayan: "Two blocks never vanish",
  "rook-circuit": "More white cells than black",
};

for (const colorScheme of ["light", "dark"]) {
  for (const name of PUZZLES) {
    check(`axe finds nothing on ${name}, ${colorScheme}`, { at: `/#${name}`, colorScheme }, async (page) => {
      await shown(page);
      for (const title of [
        "Random board",
        "Paste or copy a board as text",
        "The same with curl",
        "The answer as JSON",
      ])
        await unfold(page, title);
      // Between light and dark only colours differ, and the answered board has all of them.
      if (colorScheme === "light") await accessible(page, "asked");
      await solve(page);
      const forward = button(page, "One step forward");
      for (let step = 0; step < 2; step++) if (await forward.isEnabled()) await forward.click();
      await accessible(page, "answered");
      if (!(name in NO)) return;
      await example(page, NO[name]);
      await solve(page);
      await accessible(page, "a no");
    });
  }

  check(
    `axe finds nothing on a problem, ${colorScheme}`,
    { at: "/#rook-circuit", colorScheme, mayRefuse: true },
    async (page) => {
      await example(page, "A courtyard");
      await brush(page, "Start");
      await cell(page, 1, 1).click();
      await solve(page);
      await accessible(page, "a problem");
    },
  );
}

for (const name of PUZZLES) {
  check(
    `${name} fits a phone, and is drawn and solved by touch`,
    { at: `/#${name}`, viewport: PHONE, hasTouch: true, isMobile: true },
    async (page) => {
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await shown(page);
      for (const title of [
        "Random board",
        "Paste or copy a board as text",
        "The same with curl",
        "The answer as JSON",
      ])
        await unfold(page, title);
      assert.ok((await overflow()) <= 0, "asked");
      const before = await cell(page, 0, 0).getAttribute("aria-label");
      // The first brush; where the cell has that already, it clears it.
      await cell(page, 0, 0).tap();
      // A block of Mayan falls to the ground.
      if (name !== "mayan") assert.notEqual(await cell(page, 0, 0).getAttribute("aria-label"), before);
      await button(page, "Undo").tap();
      assert.equal(await cell(page, 0, 0).getAttribute("aria-label"), before);
      await button(page, "Solve").tap();
      await page.locator(".verdict").waitFor();
      assert.ok((await overflow()) <= 0, "answered");
      const { width, height } = await cell(page, 0, 0).boundingBox();
      assert.ok(width >= 24 && height >= 24, `a finger hits cells of ${width} × ${height}`);
    },
  );
}

check("a board of 100 × 100 is drawn, solved and replayed", { at: "/#rook-circuit" }, async (page) => {
  await shown(page);
  await unfold(page, "Random board");
  await page.locator("#random-rows").fill("100");
  await page.locator("#random-cols").fill("100");
  await page.getByLabel("Seed").fill("large");
  await button(page, "Make this board").click();
  await cell(page, 99, 99).waitFor();
  assert.equal(await solve(page), "Solved");
  await button(page, "To the end").click();
  assert.equal(await page.locator(".shape.closed").count(), 1);
});

check("the focus is seen", { at: "/#linkgame" }, async (page) => {
  await cell(page, 0, 0).waitFor();
  await page.keyboard.press("Tab");
  const faint = [];
  for (let presses = 0; presses < 40; presses++) {
    const { what, width } = await page.evaluate(() => {
      const { activeElement: focused } = document;
      const seen = focused.closest(".brush") ?? focused;
      return {
        what: focused.outerHTML.slice(0, 90),
        width: focused === document.body ? 3 : parseFloat(getComputedStyle(seen).outlineWidth),
      };
    });
    if (!(width >= 2)) faint.push(what);
    await page.keyboard.press("Tab");
  }
  assert.deepEqual(faint, []);
});

check("the page's files are revalidated, and nothing inline may run", {}, async (page, service) => {
  await shown(page);
  for (const path of ["/", "/playground/main.js", "/playground/style.css", "/playground/icon.svg"]) {
    const first = await fetch(service.url + path);
    assert.equal(first.status, 200, path);
    const policy = first.headers.get("Content-Security-Policy");
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    const again = await fetch(service.url + path, {
      headers: { "If-None-Match": first.headers.get("ETag") },
    });
    assert.equal(again.status, 304, path);
  }
  assert.equal((await fetch(`${service.url}/playground/none.js`)).status, 404);
});
