// Each puzzle is drawn and solved, by clicks alone and by keys alone, and its
// answer is stepped to the end.

import assert from "node:assert/strict";
import { harness } from "./harness.js";
import {
  brush,
  button,
  cell,
  example,
  fact,
  marks,
  request,
  shown,
  size,
  solve,
  stepToEnd,
  tabTo,
  verdict,
} from "./playground.js";

const check = harness();

check("linkgame by clicks", { at: "/#linkgame" }, async (page) => {
  await example(page, "Locked: no move at all");
  await cell(page, 0, 1).click();
  await brush(page, "Tile B");
  await cell(page, 1, 1).click();
  assert.deepEqual(await request(page), { board: ["AA", "BB"] });
  assert.equal(await solve(page), "Solved");
  assert.equal(await fact(page, "Pairs"), "2");
  assert.equal(await stepToEnd(page), 3);
  assert.equal(await page.locator("#caption").innerText(), "The board is cleared.");
  assert.equal(await page.locator(".boards .tile").count(), 0);
});

check("mayan by clicks", { at: "/#mayan" }, async (page) => {
  await example(page, "Two blocks never vanish");
  await brush(page, "Empty");
  for (const [row, col] of [
    [5, 1],
    [6, 1],
    [6, 2],
    [6, 3],
    [6, 4],
  ])
    await cell(page, row, col).click();
  await brush(page, "Colour 1");
  // A block that is set in the air falls.
  await cell(page, 2, 1).click();
  await cell(page, 6, 3).click();
  await page.getByLabel("Moves", { exact: true }).first().fill("1");
  assert.deepEqual(await request(page), { steps: 1, columns: [[1], [1], [], [1], []] });
  assert.equal(await solve(page), "Solved");
  assert.equal(await fact(page, "Moves"), "3 0 -1");
  // The drag, the fall, what vanishes, what is left.
  assert.equal(await stepToEnd(page), 4);
  assert.equal(await page.locator(".boards .tile").count(), 0);
});

check("tetris-sg by clicks", { at: "/#tetris-sg" }, async (page) => {
  await example(page, "An empty 9 × 9 board");
  await size(page, 2, 3);
  await page.getByLabel("Winning moves").selectOption("all");
  await page.getByLabel("Grundy value").check();
  assert.equal(await solve(page), "The first player wins");
  assert.equal(await fact(page, "Grundy value"), "1");
  assert.equal(await stepToEnd(page), 2);
  assert.equal(await page.locator(".shape.square").count(), 2);
  await brush(page, "Blocked");
  await cell(page, 0, 1).click();
  assert.equal(await solve(page), "The second player wins");
});

check("tetris-sg is played against the solver", { at: "/#tetris-sg" }, async (page) => {
  await example(page, "An empty 9 × 9 board");
  await size(page, 2, 5);
  await brush(page, "A 2×2 square");
  await cell(page, 0, 0).click();
  assert.equal(await page.locator(".boards .blocked").count(), 4);
  await button(page, "Let the solver move").click();
  await page.getByText("The solver placed a square").waitFor();
  assert.equal(await page.locator(".boards .blocked").count(), 8);
  await button(page, "Let the solver move").click();
  await page.getByText("No square fits").waitFor();
});

check("several tetris-sg boards are a sum", { at: "/#tetris-sg" }, async (page) => {
  await example(page, "An empty 9 × 9 board");
  await size(page, 2, 3);
  await button(page, "Add a board").click();
  assert.deepEqual((await request(page)).boards, [
    ["000", "000"],
    ["000", "000"],
  ]);
  assert.equal(await solve(page), "The second player wins");
  await cell(page, 0, 1, 1).click();
  assert.equal(await solve(page), "The first player wins");
  assert.match(await fact(page, "Winning moves"), /^\(0, 0\)/);
});

check("mahjong-path by clicks", { at: "/#mahjong-path" }, async (page) => {
  await shown(page);
  await size(page, 2, 3);
  for (const [row, col, has] of [
    [0, 0, true],
    [0, 1, true],
    [0, 2, true],
    [1, 0, false],
    [1, 1, false],
    [1, 2, false],
  ]) {
    await brush(page, has ? "Tile" : "Empty");
    const isTile = /\btile\b/.test(await cell(page, row, col).getAttribute("class"));
    if (isTile !== has) await cell(page, row, col).click();
  }
  await brush(page, "Pair");
  await cell(page, 0, 0).click();
  await cell(page, 0, 2).click();
  assert.deepEqual(await request(page), {
    board: ["XXX", "   "],
    pairs: [{ from: { row: 0, col: 0 }, to: { row: 0, col: 2 } }],
  });
  assert.equal(await solve(page), "Solved");
  assert.equal(await fact(page, "Segments"), "3");
  assert.equal(await stepToEnd(page), 1);
  assert.equal(await page.locator(".shape.path").count(), 1);
  assert.match(await page.locator("#caption").innerText(), /3 segments/);
});

check("rook-circuit by clicks", { at: "/#rook-circuit" }, async (page) => {
  await example(page, "More white cells than black");
  await size(page, 3, 3);
  await cell(page, 1, 1).click();
  await brush(page, "Start");
  await cell(page, 2, 2).click();
  await page.getByLabel("Is it the only circuit?").check();
  await page.getByLabel("Count the circuits").check();
  assert.deepEqual(await request(page), {
    board: ["...", ".#.", "..."],
    start: { row: 2, col: 2 },
    unique: true,
    count: true,
  });
  assert.equal(await solve(page), "Solved");
  assert.equal(await fact(page, "Circuits"), "1");
  assert.equal(await fact(page, "The only circuit"), "yes");
  assert.equal(await stepToEnd(page), 8);
  assert.equal(await page.locator(".shape.closed").count(), 1);
});

// ---- By keys alone ----

/** From the top of the page to a puzzle's board. */
async function goTo(page, name) {
  await shown(page);
  await tabTo(page, `a[href="#${name}"]`);
  await page.keyboard.press("Enter");
  await page.locator(`a[href="#${name}"][aria-current]`).waitFor();
  await tabTo(page, ".boards [role=gridcell]");
}

/** Gives the board another size by keys, and comes back to it. */
async function resizeByKeys(page, rows, cols) {
  for (const [id, value] of [
    ["size-rows", rows],
    ["size-cols", cols],
  ]) {
    await tabTo(page, `#${id}`);
    await page.keyboard.press("Control+A");
    await page.keyboard.type(String(value));
  }
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Shift+Tab");
    if (await page.evaluate(() => document.activeElement.matches(".boards [role=gridcell]"))) break;
  }
  await page.keyboard.press("Control+Home");
}

const type = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key === " " ? "Space" : key);
};

/** Solves by keys, and steps to the end of the answer by keys. */
async function solveByKeys(page) {
  await page.keyboard.press("Control+Enter");
  const headline = await verdict(page);
  if (await page.locator("#player").isVisible()) {
    await tabTo(page, "#forward");
    const [, length] = (await page.locator("#step").innerText()).split(" / ").map(Number);
    for (let step = 0; step < length; step++) await page.keyboard.press("Enter");
    assert.equal(await page.locator("#step").innerText(), `${length} / ${length}`);
    assert.equal(await page.evaluate(() => document.activeElement.id), "forward", "the focus stays");
  }
  return headline;
}

check("linkgame by keys", {}, async (page) => {
  await goTo(page, "linkgame");
  await resizeByKeys(page, 2, 2);
  await type(page, "Q", "Q", "ArrowDown", "Home", "Z", "Z");
  assert.deepEqual((await request(page)).board, ["QQ", "ZZ"]);
  assert.equal(await solveByKeys(page), "Solved");
  assert.equal(await page.locator(".boards .tile").count(), 0);
});

check("mayan by keys", {}, async (page) => {
  await goTo(page, "mayan");
  for (let col = 0; col < 5; col++) {
    await type(page, "PageDown", ...Array(7).fill("Delete"), "ArrowRight");
  }
  await type(page, "Home", "2", "ArrowDown", "ArrowRight", "2", "ArrowDown", "ArrowRight", "ArrowRight", "2");
  await tabTo(page, "#option-steps");
  await page.keyboard.press("Control+A");
  await type(page, "1");
  assert.deepEqual(await request(page), { steps: 1, columns: [[2], [2], [], [2], []] });
  assert.equal(await solveByKeys(page), "Solved");
});

check("tetris-sg by keys", {}, async (page) => {
  await goTo(page, "tetris-sg");
  await resizeByKeys(page, 2, 3);
  await type(page, "0", "1", "0", "ArrowDown", "0");
  assert.deepEqual((await request(page)).board, ["010", "000"]);
  assert.equal(await solveByKeys(page), "The second player wins");
});

check("mahjong-path by keys", {}, async (page) => {
  await goTo(page, "mahjong-path");
  await resizeByKeys(page, 1, 3);
  await type(page, "X", "Delete", "ArrowRight", "X");
  await page.keyboard.press("Tab");
  await type(page, "ArrowRight", "ArrowRight");
  assert.ok(await page.getByRole("radio", { name: "Pair" }).isChecked());
  await page.keyboard.press("Shift+Tab");
  await type(page, "Home", " ", "End", "Enter");
  const { board, pairs } = await request(page);
  assert.deepEqual(board, ["X X"]);
  assert.deepEqual(pairs.at(-1), { from: { row: 0, col: 0 }, to: { row: 0, col: 2 } });
  assert.equal(await solveByKeys(page), "Solved");
});

check("rook-circuit by keys", {}, async (page) => {
  await goTo(page, "rook-circuit");
  await resizeByKeys(page, 3, 3);
  await type(page, ..."...", "ArrowDown", "Home", ...".", "#", ".", "ArrowDown", "Home", ..."...", "s");
  assert.deepEqual(await request(page), { board: ["...", ".#.", "..."], start: { row: 2, col: 2 } });
  assert.equal(await solveByKeys(page), "Solved");
});

// ---- Replay ----

check(
  "an answer plays by itself, pauses, and can be sped up",
  { at: "/#linkgame", reducedMotion: "no-preference" },
  async (page) => {
    await shown(page);
    await solve(page);
    await page.locator("#step", { hasText: /^[2-9] / }).waitFor();
    await button(page, "Pause").click();
    const paused = await page.locator("#step").innerText();
    await page.waitForTimeout(1200);
    assert.equal(await page.locator("#step").innerText(), paused);
    await button(page, "One step back").click();
    await page.getByLabel("Speed").selectOption("10×");
    await button(page, "Play").click();
    await button(page, "Play again").waitFor();
    assert.equal(await page.locator(".boards .tile").count(), 0);
    await page.locator("#progress").fill("0");
    assert.equal(await page.locator(".boards .tile").count(), 48);
  },
);

check(
  "with reduced motion nothing plays by itself",
  { at: "/#linkgame", reducedMotion: "reduce" },
  async (page) => {
    await shown(page);
    await solve(page);
    await page.waitForTimeout(1200);
    assert.match(await page.locator("#step").innerText(), /^0 /);
  },
);

check("drawing drops the answer, and can be undone", { at: "/#linkgame" }, async (page) => {
  await example(page, "Locked: no move at all");
  await solve(page);
  assert.equal(await marks(page, "bad"), 4);
  await cell(page, 1, 1).click();
  assert.equal(await page.locator(".verdict").count(), 0);
  assert.equal(await marks(page, "bad"), 0);
  assert.deepEqual(await request(page), { board: ["AB", "B*"] });
  await button(page, "Undo").click();
  assert.deepEqual(await request(page), { board: ["AB", "BA"] });
});
