// What is not a solution: a "no" with its reason shown, a request that the
// service refuses, a solve that takes long and is cancelled.

import assert from "node:assert/strict";
import { harness } from "./harness.js";
import {
  brush,
  button,
  cell,
  example,
  marks,
  request,
  shown,
  size,
  solve,
  unfold,
  verdict,
} from "./playground.js";

const check = harness("--places", "1", "--max-time-limit-ms", "600000");

const reason = (page) => page.locator(".verdict .code-name").innerText();

// ---- No ----

check("linkgame's locked tiles are marked", { at: "/#linkgame" }, async (page) => {
  await example(page, "Locked: no move at all");
  assert.equal(await solve(page), "No solution");
  assert.equal(await reason(page), "locked");
  assert.equal(await marks(page, "bad"), 4);
  assert.match(await cell(page, 0, 0).getAttribute("aria-label"), /^row 0, column 0: A, locked$/);
  await brush(page, "Empty");
  await cell(page, 0, 0).click();
  assert.equal(await solve(page), "No solution");
  assert.equal(await reason(page), "odd_kind");
  assert.equal(await marks(page, "bad"), 1);
});

check("mayan's colour in the way is marked", { at: "/#mayan" }, async (page) => {
  await example(page, "Two blocks never vanish");
  await brush(page, "Empty");
  await cell(page, 6, 0).click();
  assert.equal(await solve(page), "No solution");
  assert.equal(await reason(page), "too_few");
  assert.equal(await marks(page, "bad"), 2);
});

check("rook-circuit's dead end and colours are marked", { at: "/#rook-circuit" }, async (page) => {
  await example(page, "A corner that ends dead");
  assert.equal(await solve(page), "No solution");
  assert.equal(await reason(page), "dead_end");
  assert.equal(await marks(page, "bad"), 1);
  await example(page, "More white cells than black");
  assert.equal(await solve(page), "No solution");
  assert.equal(await reason(page), "parity");
  assert.equal(await marks(page, "white"), 13);
  assert.equal(await marks(page, "black"), 12);
});

check("a mahjong pair without a path is told", { at: "/#mahjong-path" }, async (page) => {
  await page.getByLabel("Most segments").fill("1");
  assert.equal(await solve(page), "Solved");
  await button(page, "To the end").click();
  assert.match(await page.locator("#caption").innerText(), /no path/);
  assert.ok((await marks(page, "bad")) > 0);
});

// ---- Refused ----

check("a refused option is marked with what is wrong", { at: "/#mayan", mayRefuse: true }, async (page) => {
  await shown(page);
  const steps = page.locator("#option-steps");
  await steps.fill("11");
  assert.notEqual(await solve(page), "Solved");
  assert.equal(await reason(page), "invalid_puzzle");
  assert.equal(await steps.getAttribute("aria-invalid"), "true");
  assert.match(await page.locator("#option-steps-fault").innerText(), /10/);
  await steps.fill("3");
  await solve(page);
  assert.equal(await steps.getAttribute("aria-invalid"), null);
});

check("a refused place is marked on the board", { at: "/#rook-circuit", mayRefuse: true }, async (page) => {
  await example(page, "A courtyard");
  await brush(page, "Start");
  await cell(page, 1, 1).click();
  await solve(page);
  assert.equal(await reason(page), "invalid_puzzle");
  assert.equal(await marks(page, "fault"), 1);
  assert.match(await cell(page, 1, 1).getAttribute("aria-label"), /faulty/);
});

check("a refused pair is marked on the board", { at: "/#mahjong-path", mayRefuse: true }, async (page) => {
  await shown(page);
  await brush(page, "Pair");
  await cell(page, 1, 0).click();
  await cell(page, 0, 0).click();
  await solve(page);
  assert.equal(await reason(page), "invalid_puzzle");
  assert.equal(await marks(page, "fault"), 1);
});

check("a time limit that is none is refused", { at: "/#linkgame", mayRefuse: true }, async (page) => {
  await shown(page);
  await page.getByLabel("Time limit, ms").fill("-5");
  await solve(page);
  assert.equal(await reason(page), "invalid_query");
  assert.equal(await page.getByLabel("Time limit, ms").getAttribute("aria-invalid"), "true");
});

check(
  "a faulty text is explained, and the caret put to the place",
  { at: "/#tetris-sg", mayRefuse: true },
  async (page) => {
    await shown(page);
    await unfold(page, "Paste or copy a board as text");
    const text = page.locator("#text");
    await text.fill("2 3\n000\n0X0\n");
    await button(page, "Load this text").click();
    await page.locator("#text-problem").waitFor();
    assert.match(await page.locator("#text-problem").innerText(), /line 3, column 2/);
    const caret = await text.evaluate((node) => [node.selectionStart, node.selectionEnd]);
    assert.deepEqual(caret, [9, 10]);
    await text.fill('{"board": ["00"');
    await button(page, "Load this text").click();
    await page.getByText("The body is not JSON").waitFor();
  },
);

check(
  "an unknown field of a pasted request is named by the service",
  { at: "/#linkgame", mayRefuse: true },
  async (page) => {
    await shown(page);
    await unfold(page, "Paste or copy a board as text");
    await page.locator("#text").fill('{"board": ["AA"], "colour": 3}');
    await button(page, "Load this text").click();
    await solve(page);
    assert.match(await page.locator(".verdict").innerText(), /colour/);
  },
);

// ---- Long ----

/** A board that no solver decides within the test. */
async function hardBoard(page) {
  await example(page, "An empty 9 × 9 board");
  await size(page, 16, 17);
  await page.getByLabel("Grundy value").check();
  await page.getByLabel("Time limit, ms").fill("300000");
}

async function freed(service) {
  for (let tries = 0; tries < 100; tries++) {
    if ((await service.metric("boardsolve_places_in_use")) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail("the place was not freed");
}

check(
  "a long solve shows its time, and its place is free once it is cancelled",
  { at: "/#tetris-sg" },
  async (page, service) => {
    await hardBoard(page);
    await button(page, "Solve").click();
    await page.locator("#elapsed", { hasText: /^[1-9]/ }).waitFor();
    assert.equal(await service.metric("boardsolve_places_in_use"), 1);
    await button(page, "Cancel").click();
    assert.match(await verdict(page), /^Cancelled after/);
    assert.ok(await button(page, "Cancel").isHidden());
    await freed(service);
    await size(page, 4, 4);
    assert.equal(await solve(page), "The first player wins");
  },
);

check("Escape cancels, and so does another board", { at: "/#tetris-sg" }, async (page, service) => {
  await hardBoard(page);
  await page.keyboard.press("Control+Enter");
  await page.locator("#elapsed").waitFor();
  await page.keyboard.press("Escape");
  await freed(service);
  await button(page, "Solve").click();
  await page.locator("#elapsed").waitFor();
  await cell(page, 0, 0).click();
  assert.equal(await page.locator(".verdict").count(), 0);
  await freed(service);
});

check("a board that is not decided in time says so", { at: "/#tetris-sg" }, async (page) => {
  await hardBoard(page);
  await page.getByLabel("Time limit, ms").fill("50");
  const headline = await solve(page);
  const undecided =
    headline === "Not decided" ? await reason(page) : await page.locator(".facts").innerText();
  assert.match(undecided, /time_limit|grundy/);
  assert.equal((await request(page)).board.length, 16);
});
