// Lianliankan: pairs of tiles vanish along paths of few turns.

import * as grid from "../grid.js";
import { readCases } from "../text.js";

const EMPTY = "*";
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];

const look = (tile) =>
  tile === EMPTY
    ? { kind: "empty", text: "", name: "empty" }
    : { kind: "tile", text: tile, name: tile, hue: grid.hueOf(tile) };

const looks = (board) => grid.cellsOf(board).map((row) => row.map(look));

const kindsOf = (board) =>
  [...new Set(board.flatMap((row) => Array.from(row)))].filter((tile) => tile !== EMPTY).sort();

const scene = (request, board, rest = {}) => ({
  grids: [{ cells: looks(board) }],
  ring: request.outside === true,
  ...rest,
});

/** The board after a pair is gone, and what fell, if there is gravity. */
function without(board, gravity, ends) {
  let next = ends.reduce((rows, end) => grid.withCell(rows, end, EMPTY), board);
  if (!gravity) return { board: next, moved: [] };
  const cells = grid.cellsOf(next);
  const moved = [];
  for (let col = 0; col < cells[0].length; col++) {
    let floor = cells.length - 1;
    for (let row = floor; row >= 0; row--) {
      const tile = cells[row][col];
      if (tile === EMPTY) continue;
      if (row !== floor) {
        cells[floor][col] = tile;
        cells[row][col] = EMPTY;
        moved.push({ from: { row, col }, to: { row: floor, col } });
      }
      floor--;
    }
  }
  return { board: cells.map((row) => row.join("")), moved };
}

const say = ({ row, col }) => `row ${row}, column ${col}`;

export const linkgame = {
  name: "linkgame",
  title: "Lianliankan",
  blurb:
    "Two tiles of one kind vanish if a path of at most three straight segments joins them through empty cells. Can the board be cleared?",
  hint: "On the board: arrow keys go, a character sets a tile, Delete empties, Space draws with the chosen tile.",
  size: { rows: [1, 30], cols: [1, 30] },
  options: [
    { name: "outside", kind: "boolean", default: false, label: "Paths may leave the board" },
    { name: "gravity", kind: "boolean", default: false, label: "Tiles fall after each pair" },
    { name: "max_turns", kind: "integer", min: 0, max: 3, default: 2, label: "Most turns of a path" },
  ],

  check({ board }) {
    grid.checkRows(board);
  },

  scene: (request) => scene(request, request.board),

  brushes({ board }) {
    const kinds = kindsOf(board);
    const fresh = LETTERS.find((letter) => !kinds.includes(letter));
    const tiles = (fresh ? [...kinds, fresh] : kinds).map((tile) => ({
      id: tile,
      label: `Tile ${tile}`,
      look: look(tile),
    }));
    return [...tiles, { id: EMPTY, label: "Empty", look: look(EMPTY) }];
  },

  stroke: (request, at, brush, { toggle }) => grid.characterStroke(request, at, brush, EMPTY, toggle),

  key(key) {
    if (key === "Delete") return { brush: EMPTY, onward: [0, 0] };
    if (key === "Backspace") return { brush: EMPTY, onward: [0, -1] };
    if (Array.from(key).length === 1 && key.trim() !== "") return { brush: key, onward: [0, 1] };
  },

  resize: (request, rows, cols) => ({ ...request, board: grid.resized(request.board, rows, cols, EMPTY) }),

  random: {
    fields: [
      { name: "rows", label: "Rows", min: 1, max: 30, default: 8 },
      { name: "cols", label: "Columns", min: 1, max: 30, default: 10 },
      { name: "kinds", label: "Kinds of tiles", min: 1, max: LETTERS.length, default: 16 },
    ],
    /** Pairs of tiles, each kind about equally often; an odd cell at the top stays empty. */
    make(random, { rows, cols, kinds }) {
      const pairs = Math.floor((rows * cols) / 2);
      const letters = LETTERS.slice(0, kinds);
      const tiles = Array.from({ length: pairs }, (_, pair) => letters[pair % kinds]).flatMap((tile) => [
        tile,
        tile,
      ]);
      random.shuffle(tiles);
      const text = EMPTY.repeat((rows * cols) % 2) + tiles.join("");
      const board = Array.from({ length: rows }, (_, row) => text.slice(row * cols, (row + 1) * cols));
      return { board };
    },
  },

  readText: (text) =>
    readCases(text, (words, rows) => ({ board: Array.from({ length: rows }, () => words.word()) })),

  writeText: ({ board }) => `${board.length} ${Array.from(board[0]).length}\n${board.join("\n")}\n0 0\n`,

  replay(request, { moves = [] }) {
    const states = [{ board: request.board, moved: [] }];
    for (const { path } of moves) {
      states.push(without(states.at(-1).board, request.gravity, [path[0], path.at(-1)]));
    }
    // Each pair has a step in which its path is drawn; the last step is the cleared board.
    const length = moves.length === 0 ? 0 : moves.length + 1;
    return {
      length,
      scene(step) {
        if (step === 0) return scene(request, request.board);
        const { board, moved } = states[step - 1];
        if (step === length) return scene(request, board, { caption: "The board is cleared." });
        const { tile, path } = moves[step - 1];
        const ends = [path[0], path.at(-1)];
        return scene(request, board, {
          moved,
          marks: ends.map((end) => ({ ...end, kind: "ends", name: "one of the pair" })),
          shapes: [{ shape: "line", cells: path, kind: "path", dots: true }],
          caption: `Pair ${step} of ${moves.length}: ${tile} at ${say(ends[0])} and ${say(ends[1])}.`,
        });
      },
    };
  },

  facts: (_, { moves }) => (moves ? [["Pairs", moves.length]] : []),

  why(request, reason) {
    const isOfKind = (tile) => tile === reason.kind;
    const cells = reason.cells ?? (reason.kind ? grid.placesWhere(request.board, isOfKind) : []);
    const name = reason.kind ? "of the odd kind" : "locked";
    return { marks: cells.map((cell) => ({ ...cell, kind: "bad", name })) };
  },

  pointed: ({ board }, pointer) =>
    grid.pointedRows(board, pointer).map((place) => ({ ...place, kind: "fault", name: "faulty" })),

  examples: [
    {
      summary: "Twenty-four pairs, paths outside",
      request: {
        board: ["EEEGCDDB", "BGABHACC", "CHDAEFBE", "AFAHCGHD", "HFEGCFDB", "GBFDFAHG"],
        outside: true,
      },
    },
    {
      summary: "Locked: no move at all",
      request: { board: ["AB", "BA"] },
    },
    {
      summary: "Mahjong tiles, paths outside",
      request: { board: ["🀀🀁🀂🀃🀄🀅🀆🀇", "🀇🀆🀅🀄🀃🀂🀁🀀", "🀂🀄🀆🀀🀁🀃🀅🀇", "🀅🀃🀇🀁🀆🀂🀀🀄"], outside: true },
    },
  ],
};
