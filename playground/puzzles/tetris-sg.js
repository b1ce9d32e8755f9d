// 2×2 squares: players in turn place a square on four free cells; who can't, loses.

import * as grid from "../grid.js";
import { readCases } from "../text.js";

const FREE = "0";
const BLOCKED = "1";
const SQUARE = "square";

const LOOKS = {
  [FREE]: { kind: "free", text: "", name: "free" },
  [BLOCKED]: { kind: "blocked", text: "", name: "blocked" },
};

const boardsOf = ({ board, boards }) => boards ?? [board];

/** The request with other boards: `board` for one, `boards` for several. */
function withBoards({ board, boards, ...options }, changed) {
  return changed.length === 1 ? { board: changed[0], ...options } : { boards: changed, ...options };
}

const withBoard = (request, index, change) =>
  withBoards(
    request,
    boardsOf(request).map((rows, at) => (at === index ? change(rows) : rows)),
  );

const fits = (rows, { row, col }) =>
  [row, row + 1].every((r) => [col, col + 1].every((c) => rows[r]?.[c] === FREE));

const placed = (rows, { row, col }) =>
  [row, row + 1].reduce(
    (done, r) => [col, col + 1].reduce((more, c) => grid.withCell(more, { row: r, col: c }, BLOCKED), done),
    rows,
  );

const scene = (request, rest = {}) => {
  const boards = boardsOf(request);
  return {
    grids: boards.map((rows, index) => ({
      title: boards.length > 1 ? `Board ${index}` : "Board",
      cells: grid.cellsOf(rows).map((row) => row.map((cell) => LOOKS[cell])),
    })),
    ring: false,
    ...rest,
  };
};

export const tetrisSg = {
  name: "tetris-sg",
  title: "2×2 squares",
  blurb:
    "Two players in turn place a 2×2 square on four free cells. Who can’t, loses. Who wins, and with which move?",
  hint: "On the board: arrow keys go, 1 blocks, 0 frees, x places a square with its top left corner here, Space draws.",
  size: { rows: [1, 64], cols: [1, 64] },
  options: [
    { name: "moves", kind: "choice", values: ["all", "one", "none"], default: "one", label: "Winning moves" },
    { name: "grundy", kind: "boolean", default: true, label: "Grundy value (off: may be far quicker)" },
  ],

  check(request) {
    if (request.board !== undefined && request.boards !== undefined) {
      throw new grid.NotDrawable("`board` and `boards` are given both");
    }
    const boards = boardsOf(request);
    if (!Array.isArray(boards) || boards.length === 0) throw new grid.NotDrawable("there is no board");
    for (const rows of boards) grid.checkRows(rows, FREE + BLOCKED);
  },

  scene: (request) => scene(request),

  brushes: () => [
    { id: BLOCKED, label: "Blocked", look: LOOKS[BLOCKED] },
    { id: FREE, label: "Free", look: LOOKS[FREE] },
    { id: SQUARE, label: "A 2×2 square", look: { kind: "blocked", text: "2×2", name: "square" } },
  ],

  stroke(request, at, brush, { toggle }) {
    if (brush === SQUARE) {
      return (before, place) =>
        withBoard(before, place.board, (rows) => (fits(rows, place) ? placed(rows, place) : rows));
    }
    const isThere = boardsOf(request)[at.board][at.row][at.col] === brush;
    const cell = toggle && isThere ? FREE : brush;
    return (before, place) => withBoard(before, place.board, (rows) => grid.withCell(rows, place, cell));
  },

  key(key) {
    if (key === "1" || key === "#") return { brush: BLOCKED, onward: [0, 1] };
    if (key === "0" || key === ".") return { brush: FREE, onward: [0, 1] };
    if (key === "Delete") return { brush: FREE, onward: [0, 0] };
    if (key === "Backspace") return { brush: FREE, onward: [0, -1] };
    if (key === "x" || key === "X") return { brush: SQUARE, onward: [0, 0] };
  },

  resize: (request, rows, cols, board) =>
    withBoard(request, board, (before) => grid.resized(before, rows, cols, FREE)),

  random: {
    fields: [
      { name: "rows", label: "Rows", min: 1, max: 64, default: 7 },
      { name: "cols", label: "Columns", min: 1, max: 64, default: 8 },
      { name: "blocked", label: "Blocked, %", min: 0, max: 100, default: 15 },
    ],
    make(random, { rows, cols, blocked }) {
      const cell = () => (random.next() * 100 < blocked ? BLOCKED : FREE);
      return { board: Array.from({ length: rows }, () => Array.from({ length: cols }, cell).join("")) };
    },
  },

  readText: (text) =>
    readCases(text, (words, rows) => ({ board: Array.from({ length: rows }, () => words.word()) })),

  writeText: (request) =>
    boardsOf(request)
      .map((rows) => `${rows.length} ${rows[0].length}\n${rows.join("\n")}\n`)
      .join(""),

  replay(request, { winning_moves: moves = [] }) {
    return {
      length: moves.length,
      scene(step) {
        const square = ({ board, row, col }, index) => ({
          shape: "square",
          board,
          row,
          col,
          size: 2,
          kind: index === step - 1 ? "square now" : "square past",
          label: index + 1,
        });
        if (step === 0) return scene(request);
        const { board, row, col } = moves[step - 1];
        const where = boardsOf(request).length > 1 ? `board ${board}, ` : "";
        const count = moves.length > 1 ? ` ${step} of ${moves.length}` : "";
        return scene(request, {
          shapes: moves.slice(0, step).map(square),
          caption: `Winning move${count}: ${where}row ${row}, column ${col}.`,
        });
      },
    };
  },

  headline: ({ winner }) => `The ${winner} player wins`,

  facts(_, { grundy, winning_moves: moves, undecided = [] }) {
    const facts = [];
    if (grundy !== undefined) facts.push(["Grundy value", grundy]);
    if (moves)
      facts.push([
        "Winning moves",
        moves.length === 0
          ? "none"
          : moves
              .map(({ board, row, col }) => `(${row}, ${col})${board ? ` on board ${board}` : ""}`)
              .join(", "),
      ]);
    if (undecided.length > 0) facts.push(["Not decided", undecided.join(", ")]);
    return facts;
  },

  why: () => ({ marks: [] }),

  pointed(request, pointer) {
    return boardsOf(request).flatMap((rows, board) => {
      const base = request.boards ? `/boards/${board}` : "/board";
      return grid
        .pointedRows(rows, pointer, base)
        .map((place) => ({ ...place, board, kind: "fault", name: "faulty" }));
    });
  },

  /** More boards make a sum; and the solver can make a move, to be played against. */
  extras(request, { button, change, ask, say }) {
    const boards = boardsOf(request);
    const add = button("Add a board", () =>
      change(withBoards(request, [...boards, boards.at(-1).map((row) => FREE.repeat(row.length))])),
    );
    const remove = button("Remove the last board", () => change(withBoards(request, boards.slice(0, -1))));
    remove.disabled = boards.length === 1;
    const move = button("Let the solver move", async () => {
      const answer = await ask({ ...request, moves: "one" });
      if (!answer || answer.status !== "solved") return;
      const legal = boards.flatMap((rows, board) =>
        grid.placesWhere(rows, (_, row, col) => fits(rows, { row, col })).map((at) => ({ board, ...at })),
      );
      const best = answer.winning_moves?.[0] ?? legal[0];
      if (!best) return say("No square fits: whoever is to move has lost.");
      change(withBoard(request, best.board, (rows) => placed(rows, best)));
      const verdict = answer.winner === "first" ? "It wins from here." : "It is lost if you play well.";
      say(
        `The solver placed a square at row ${best.row}, column ${best.col}. ${verdict} Your move: choose “A 2×2 square”.`,
      );
    });
    return [add, remove, move];
  },

  examples: [
    {
      summary: "A board with holes, all winning moves",
      request: {
        board: ["00000000", "00100010", "01000000", "00000000", "00000100", "00000000"],
        moves: "all",
      },
    },
    { summary: "An empty 9 × 9 board", request: { board: Array(9).fill("000000000"), grundy: false } },
  ],
};
