// Boards of characters: the puzzles whose JSON form is rows of text.

/** The largest board that the page draws; the service takes larger ones. */
export const MAX_DRAWN = 100;

/** A board that is well-formed to the service perhaps, but not to this page. */
export class NotDrawable extends Error {}

/** The rows as arrays of characters (Unicode scalar values, not UTF-16 units). */
export const cellsOf = (rows) => rows.map((row) => Array.from(row));

/** The rows with one cell changed. */
export function withCell(rows, { row, col }, character) {
  return rows.map((text, index) => {
    if (index !== row) return text;
    const cells = Array.from(text);
    cells[col] = character;
    return cells.join("");
  });
}

/** The rows cut or filled to another size. */
export function resized(rows, height, width, fill) {
  return Array.from({ length: height }, (_, row) => {
    const cells = Array.from(rows[row] ?? "").slice(0, width);
    return cells.join("") + fill.repeat(width - cells.length);
  });
}

/** Refuses what can't be drawn: no rows, ragged rows, too many cells, characters that are no cells. */
export function checkRows(rows, characters) {
  if (!Array.isArray(rows) || rows.length === 0 || rows.some((row) => typeof row !== "string")) {
    throw new NotDrawable("the board is not a list of rows");
  }
  const width = Array.from(rows[0]).length;
  if (width === 0 || rows.some((row) => Array.from(row).length !== width)) {
    throw new NotDrawable("the rows are not equally long");
  }
  if (Math.max(rows.length, width) > MAX_DRAWN) {
    throw new NotDrawable(`this page draws boards up to ${MAX_DRAWN} × ${MAX_DRAWN} cells`);
  }
  if (characters && rows.some((row) => Array.from(row).some((cell) => !characters.includes(cell)))) {
    throw new NotDrawable(`a cell is one of ${characters}`);
  }
}

/** All places of a board whose cell passes a test. */
export function placesWhere(rows, test) {
  return cellsOf(rows).flatMap((cells, row) =>
    cells.flatMap((cell, col) => (test(cell, row, col) ? [{ row, col }] : [])),
  );
}

/** Whether two places are the same. */
export const same = (a, b) => a.row === b.row && a.col === b.col;

/**
 * A stroke that sets cells of `request.board` to one character. A stroke that
 * toggles and begins on a cell that already has it clears cells instead.
 */
export function characterStroke(request, at, brush, blank, toggle) {
  const isThere = cellsOf(request.board)[at.row][at.col] === brush;
  const character = toggle && isThere ? blank : brush;
  return (before, place) => ({ ...before, board: withCell(before.board, place, character) });
}

/** A hue for each character, far from its neighbours' (the golden angle). */
export const hueOf = (character) => (character.codePointAt(0) * 137.508) % 360;

/** The cells that a JSON pointer into `board` names: a row, or the whole board. */
export function pointedRows(rows, pointer, base = "/board") {
  if (!`${pointer}/`.startsWith(`${base}/`)) return [];
  const [row, col] = pointer
    .slice(base.length + 1)
    .split("/")
    .map(Number);
  if (pointer === base) return [];
  return placesWhere(rows, (_, r, c) => r === row && (!(col >= 0) || c === col));
}
