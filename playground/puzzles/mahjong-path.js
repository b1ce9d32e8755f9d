// Mahjong paths: the fewest straight segments between two tiles.

import * as grid from "../grid.js";
import { NotDrawable } from "../grid.js";

const EMPTY = " ";
const TILE = "X";
const PAIR = "pair";

const look = (tile) =>
  tile === EMPTY
    ? { kind: "empty", text: "", name: "empty" }
    : {
        kind: "tile",
        text: tile === TILE ? "" : tile,
        name: tile === TILE ? "tile" : `tile ${tile}`,
        hue: 265,
      };

const hueOf = (pair) => (pair * 137.508 + 20) % 360;

const looksOf = ({ board }) => grid.cellsOf(board).map((row) => row.map(look));

const say = ({ row, col }) => `(${row}, ${col})`;

/** The ends of the pairs, each with its pair's number. */
function ends(pairs, draft) {
  const marks = new Map();
  pairs.forEach(({ from, to }, index) => {
    for (const end of [from, to]) {
      const key = `${end.row},${end.col}`;
      const badge = [marks.get(key)?.badge, index + 1].filter(Boolean).join(" ");
      marks.set(key, { ...end, kind: "pair", badge, name: `in pair ${badge}` });
    }
  });
  const half = draft?.from ? [{ ...draft.from, kind: "ends", name: "first of a new pair" }] : [];
  return [...marks.values(), ...half];
}

const scene = (request, cells, rest = {}) => ({
  grids: [{ cells }],
  ring: request.outside !== false,
  ...rest,
});

export const mahjongPath = {
  name: "mahjong-path",
  title: "Mahjong path",
  blurb:
    "Join two tiles by horizontal and vertical segments through empty cells. How few segments does it take?",
  hint: "On the board: arrow keys go, a character sets a tile, Delete empties, Space draws. To add a pair choose “Pair” and take one tile after the other, or press Enter with “Pair” chosen.",
  size: { rows: [1, 100], cols: [1, 100] },
  options: [
    { name: "outside", kind: "boolean", default: true, label: "Paths may leave the board" },
    { name: "max_segments", kind: "integer", min: 1, max: 1_000_000, label: "Most segments (empty: no cap)" },
    { name: "corners", kind: "boolean", default: true, label: "Give the corners (needed to draw the paths)" },
  ],

  check({ board, pairs }) {
    grid.checkRows(board);
    const isEnd = (end) => Number.isInteger(end?.row) && Number.isInteger(end?.col);
    if (!Array.isArray(pairs) || !pairs.every(({ from, to }) => isEnd(from) && isEnd(to))) {
      throw new NotDrawable("`pairs` is not a list of pairs");
    }
    if (pairs.length > 200) throw new NotDrawable("this page draws up to 200 pairs");
  },

  scene: (request, draft) => scene(request, looksOf(request), { marks: ends(request.pairs, draft) }),

  brushes: () => [
    { id: TILE, label: "Tile", look: look(TILE) },
    { id: EMPTY, label: "Empty", look: look(EMPTY) },
    { id: PAIR, label: "Pair", look: { kind: "free", text: "1–2", name: "pair" } },
  ],

  stroke(request, at, brush, { toggle, draft }) {
    if (brush !== PAIR) return grid.characterStroke(request, at, brush, EMPTY, toggle);
    return (before, { row, col }) => {
      const place = { row, col };
      const { from } = draft;
      if (!from || grid.same(from, place)) {
        draft.from = from ? undefined : place;
        return before;
      }
      draft.from = undefined;
      return { ...before, pairs: [...before.pairs, { from, to: place }] };
    };
  },

  key(key) {
    if (key === "Delete") return { brush: EMPTY, onward: [0, 0] };
    if (key === "Backspace") return { brush: EMPTY, onward: [0, -1] };
    if (Array.from(key).length === 1 && key.trim() !== "") return { brush: key, onward: [0, 1] };
  },

  resize(request, rows, cols) {
    const isOn = ({ row, col }) => row < rows && col < cols;
    return {
      ...request,
      board: grid.resized(request.board, rows, cols, EMPTY),
      pairs: request.pairs.filter(({ from, to }) => isOn(from) && isOn(to)),
    };
  },

  random: {
    fields: [
      { name: "rows", label: "Rows", min: 1, max: 100, default: 10 },
      { name: "cols", label: "Columns", min: 1, max: 100, default: 12 },
      { name: "tiles", label: "Tiles, %", min: 1, max: 100, default: 45 },
      { name: "pairs", label: "Pairs", min: 1, max: 50, default: 6 },
    ],
    make(random, { rows, cols, tiles, pairs: count }) {
      const cell = () => (random.next() * 100 < tiles ? TILE : EMPTY);
      const board = Array.from({ length: rows }, () => Array.from({ length: cols }, cell).join(""));
      const places = random.shuffle(grid.placesWhere(board, (tile) => tile === TILE));
      const pairs = [];
      while (pairs.length < count && places.length >= 2) pairs.push({ from: places.pop(), to: places.pop() });
      return { board, pairs };
    },
  },

  /** Read by lines, since blanks are cells here. */
  readText(text) {
    const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    const cases = [];
    const numbers = (line) => (line ?? "").trim().split(/\s+/).map(Number);
    for (let at = 0; at < lines.length;) {
      if (lines[at].trim() === "") {
        at++;
        continue;
      }
      const [cols, rows] = numbers(lines[at++]);
      if (cols === 0 && rows === 0) break;
      if (!(cols > 0 && rows > 0)) throw new NotDrawable("the board’s size is missing");
      const board = Array.from({ length: rows }, () => {
        const cells = Array.from(lines[at++] ?? "").slice(0, cols);
        return cells.join("") + EMPTY.repeat(cols - cells.length);
      });
      const pairs = [];
      for (; at < lines.length; at++) {
        const pair = numbers(lines[at]);
        if (pair.length !== 4 && lines[at].trim() !== "") break;
        const [fromX, fromY, toX, toY] = pair;
        if (pair.length === 4 && fromX === 0) {
          at++;
          break;
        }
        if (pair.length === 4)
          pairs.push({ from: { row: fromY - 1, col: fromX - 1 }, to: { row: toY - 1, col: toX - 1 } });
      }
      cases.push({ board, pairs });
    }
    return cases;
  },

  writeText({ board, pairs }) {
    const lines = pairs.map(({ from, to }) => `${from.col + 1} ${from.row + 1} ${to.col + 1} ${to.row + 1}`);
    return [`${Array.from(board[0]).length} ${board.length}`, ...board, ...lines, "0 0 0 0", "0 0", ""].join(
      "\n",
    );
  },

  replay(request, { paths = [] }) {
    const cells = looksOf(request);
    const marks = ends(request.pairs);
    const shape = (index, isNow) => ({
      shape: "line",
      cells: paths[index].corners,
      kind: isNow ? "path hued" : "path hued past",
      hue: hueOf(index),
      dots: true,
    });
    return {
      length: paths.length,
      scene(step) {
        if (step === 0) return scene(request, cells, { marks });
        const { from, to } = request.pairs[step - 1];
        const { segments } = paths[step - 1];
        const what = segments === 0 ? "no path" : segments === 1 ? "1 segment" : `${segments} segments`;
        const shown = paths
          .slice(0, step)
          .flatMap((path, index) => (path.corners?.length > 1 ? [index] : []));
        return scene(request, cells, {
          marks: marks.map((mark) =>
            grid.same(mark, from) || grid.same(mark, to)
              ? { ...mark, kind: segments === 0 ? "bad" : "ends", name: `${mark.name}, ${what}` }
              : mark,
          ),
          shapes: shown.map((index) => shape(index, index === step - 1)),
          caption: `Pair ${step} of ${paths.length}, ${say(from)} to ${say(to)}: ${what}.`,
        });
      },
    };
  },

  facts: (_, { paths, answered }) =>
    [
      paths && [
        "Segments",
        paths.map(({ segments }) => segments || "no path").join(", ") || "no pairs asked",
      ],
      answered !== undefined && ["Pairs answered in time", answered],
    ].filter(Boolean),

  why: () => ({ marks: [] }),

  pointed(request, pointer) {
    const [, pair, end] = /^\/pairs\/(\d+)(?:\/(from|to))?/.exec(pointer) ?? [];
    const places =
      pair === undefined
        ? grid.pointedRows(request.board, pointer)
        : (end ? [end] : ["from", "to"]).map((which) => request.pairs[pair]?.[which]).filter(Boolean);
    return places.map((place) => ({ ...place, kind: "fault", name: "faulty" }));
  },

  extras(request, { button, change, element, clearDraft }) {
    const items = request.pairs.map(({ from, to }, index) => {
      const remove = button("Remove", () => {
        clearDraft();
        change({ ...request, pairs: request.pairs.filter((_, at) => at !== index) });
      });
      remove.setAttribute("aria-label", `Remove pair ${index + 1}`);
      return element("li", { class: "pair" }, [`${say(from)} – ${say(to)} `, remove]);
    });
    const list = element("ol", { class: "pairs", "aria-label": "Pairs to join" }, items);
    return items.length > 0
      ? [list]
      : [element("p", { class: "hint" }, ["No pairs yet: choose “Pair” and take two tiles."])];
  },

  examples: [
    {
      summary: "Five pairs",
      request: {
        board: [
          "XXX    XXX ",
          "    X      ",
          "X X XXX   X",
          " XX   X XX ",
          " XX  XX    ",
          "X  X XX XXX",
          " X  X X X X",
          "  XXX XXXX ",
        ],
        pairs: [
          [5, 3, 0, 9],
          [6, 10, 1, 4],
          [3, 8, 0, 2],
          [7, 6, 6, 4],
          [7, 9, 0, 8],
        ].map(([row, col, toRow, toCol]) => ({
          from: { row, col },
          to: { row: toRow, col: toCol },
        })),
      },
    },
  ],
};
