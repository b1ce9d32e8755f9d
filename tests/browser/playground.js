// What the tests do on the playground again and again, named as a person would.

import assert from "node:assert/strict";

/** A button by its name. */
export const button = (page, name) => page.getByRole("button", { name, exact: true });

/** A cell of the board. */
export const cell = (page, row, col, board = 0) =>
  page.getByRole("grid").nth(board).getByRole("row").nth(row).getByRole("gridcell").nth(col);

/** Waits until the page shows a board. */
export const shown = (page) => cell(page, 0, 0).waitFor();

/** Chooses what is drawn with. */
export const brush = (page, name) => page.getByRole("radio", { name, exact: true }).check();

/** Chooses an example by its name. */
export const example = (page, name) => page.getByLabel("Example").selectOption({ label: name });

/** Gives the board another size. */
export async function size(page, rows, cols) {
  await page.locator("#size-rows").fill(String(rows));
  await page.locator("#size-cols").fill(String(cols));
}

/** Presses Solve and waits for the verdict: its headline. */
export async function solve(page) {
  await button(page, "Solve").click();
  return verdict(page);
}

export async function verdict(page) {
  const headline = page.locator(".verdict:not(.running) .headline");
  await headline.waitFor();
  return (await headline.innerText()).replace(/^\S\s*/, "");
}

/** Steps the replay to its end, one press after the other, and returns the number of steps. */
export async function stepToEnd(page, press = () => button(page, "One step forward").click()) {
  const [, length] = (await page.locator("#step").innerText()).split(" / ").map(Number);
  const start = button(page, "To the start");
  if ((await start.getAttribute("aria-disabled")) === "false") await start.click();
  for (let step = 1; step <= length; step++) {
    await press();
    assert.equal(await page.locator("#step").innerText(), `${step} / ${length}`);
  }
  return length;
}

/** The request as the page would send it. */
export async function request(page) {
  const command = await page.locator("#curl").textContent();
  return JSON.parse(/-d '([^]*)'$/.exec(command)[1].replaceAll("'\\''", "'"));
}

/** A fact of the answer, such as the winner. */
export const fact = async (page, term) =>
  (await page.locator(`dt:text-is("${term}") + dd`).innerText()).replaceAll("\u00a0", " ");

/** How many cells of the board have a mark of that kind. */
export const marks = (page, kind) => page.locator(`.boards .mark-${kind}`).count();

/** Presses Tab until the focus is where it should be. */
export async function tabTo(page, selector) {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** Opens a folded part of the page. */
export async function unfold(page, title) {
  const details = page.locator("details", { has: page.getByText(title, { exact: true }) });
  if (!(await details.evaluate((node) => node.open))) await details.locator("summary").click();
}

/** The names of the puzzles. */
export const PUZZLES = ["linkgame", "mayan", "tetris-sg", "mahjong-path", "rook-circuit"];
