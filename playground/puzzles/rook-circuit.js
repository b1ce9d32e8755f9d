// Rook circuit: a closed tour of all free cells, one step at a time.

import * as grid from "../grid.js";
import { Words } from "../text.js";

const FREE = ".";
const BLOCKED = "#";
const START = "start";
const STEPS = { N: [-1, 0], S: [1, 0], E: [0, 1], W: [0, -1] };
/** A long tour is shown in about this many strides. */
const MOST_STRIDES = 400;

const LOOKS = {
  [FREE]: { kind: "free", text: "", name: "free" },
  [BLOCKED]: { kind: "blocked", text: "", name: "blocked" },
};

const startMark = ({ start }) => (start ? [{ ...start, kind: "start", badge: "S", name: "start" }] : []);

/** The looks of a board, made once a board: scenes of one replay share them. */
const looksOf = ({ board }) => grid.cellsOf(board).map((row) => row.map((cell) => LOOKS[cell]));

/** The cells of a tour, the start at both ends. */
function tourOf(board, start, moves) {
  let { row, col } = start ?? grid.placesWhere(board, (cell) => cell === FREE)[0];
  const tour = [{ row, col }];
  for (const move of moves) {
    row += STEPS[move][0];
    col += STEPS[move][1];
    tour.push({ row, col });
  }
  return tour;
}

/** The tour so far: its tip, or once it is closed its first step, shows the direction. */
function tourShapes(cells, isClosed) {
  if (!isClosed) return [{ shape: "line", kind: "tour", cells, arrow: true, label: "S" }];
  return [
    { shape: "line", kind: "tour closed", cells },
    { shape: "line", kind: "tour", cells: cells.slice(0, 2), arrow: true, label: "S" },
  ];
}

const NAMES = { bad: "part of the reason", white: "a white cell", black: "a black cell" };
const marked = (kind, badge) => (cell) => ({ ...cell, kind, badge, name: NAMES[kind] });

/**
 * A board that has a circuit: a square of four cells grows by turning a step
 * a–b of its circuit into a–c–d–b, for as long as that reaches fresh cells.
 */
function planted(random, rows, cols, blockedShare) {
  const isOn = Array.from({ length: rows }, () => Array(cols).fill(false));
  const top = random.below(rows - 1);
  const left = random.below(cols - 1);
  let circuit = [
    [top, left],
    [top, left + 1],
    [top + 1, left + 1],
    [top + 1, left],
  ];
  for (const [row, col] of circuit) isOn[row][col] = true;
  const isFresh = (row, col) => row >= 0 && col >= 0 && row < rows && col < cols && !isOn[row][col];
  const wanted = Math.max(4, Math.round(rows * cols * (1 - blockedShare)));
  let failures = 0;
  while (circuit.length < wanted && failures < circuit.length * 8) {
    const at = random.below(circuit.length);
    const [[aRow, aCol], [bRow, bCol]] = [circuit[at], circuit[(at + 1) % circuit.length]];
    const side = random.pick([1, -1]);
    const [byRow, byCol] = [(bCol - aCol) * side, (aRow - bRow) * side];
    const [c, d] = [
      [aRow + byRow, aCol + byCol],
      [bRow + byRow, bCol + byCol],
    ];
    if (!isFresh(...c) || !isFresh(...d)) {
      failures++;
      continue;
    }
    failures = 0;
    for (const [row, col] of [c, d]) isOn[row][col] = true;
    circuit.splice(at + 1, 0, c, d);
  }
  return isOn.map((row) => row.map((on) => (on ? FREE : BLOCKED)).join(""));
}

export const rookCircuit = {
  name: "rook-circuit",
  title: "Rook circuit",
  blurb: "Visit every free cell exactly once, stepping to a neighbour, and come back to the start.",
  hint: "On the board: arrow keys go, # blocks a cell, . frees it, s starts the tour there, Space draws.",
  size: { rows: [1, 100], cols: [1, 100] },
  options: [
    { name: "unique", kind: "boolean", default: false, label: "Is it the only circuit?" },
    { name: "count", kind: "boolean", default: false, label: "Count the circuits (narrow boards)" },
  ],

  check({ board, start }) {
    grid.checkRows(board, FREE + BLOCKED);
    if (start !== undefined && board[start?.row]?.[start?.col] === undefined) {
      throw new grid.NotDrawable("the start lies off the board");
    }
  },

  scene: (request) => ({ grids: [{ cells: looksOf(request) }], marks: startMark(request) }),

  brushes: () => [
    { id: BLOCKED, label: "Blocked", look: LOOKS[BLOCKED] },
    { id: FREE, label: "Free", look: LOOKS[FREE] },
    { id: START, label: "Start", look: { kind: "free", text: "S", name: "start" } },
  ],

  stroke(request, at, brush, { toggle }) {
    if (brush !== START) return grid.characterStroke(request, at, brush, FREE, toggle);
    return (before, { row, col }) => {
      const { start, ...rest } = before;
      return toggle && start && grid.same(start, { row, col }) ? rest : { ...rest, start: { row, col } };
    };
  },

  key(key) {
    if (key === "#") return { brush: BLOCKED, onward: [0, 1] };
    if (key === ".") return { brush: FREE, onward: [0, 1] };
    if (key === "Delete") return { brush: FREE, onward: [0, 0] };
    if (key === "Backspace") return { brush: FREE, onward: [0, -1] };
    if (key === "s" || key === "S") return { brush: START, onward: [0, 0] };
  },

  resize(request, rows, cols) {
    const { start, ...rest } = request;
    const kept = start && start.row < rows && start.col < cols ? { start } : {};
    return { ...rest, board: grid.resized(request.board, rows, cols, FREE), ...kept };
  },

  random: {
    fields: [
      { name: "rows", label: "Rows", min: 2, max: 100, default: 12 },
      { name: "cols", label: "Columns", min: 2, max: 100, default: 12 },
      { name: "blocked", label: "Blocked, %", min: 0, max: 90, default: 15 },
      { name: "planted", label: "Has a circuit for sure", kind: "boolean", default: true },
    ],
    make(random, { rows, cols, blocked, planted: isPlanted }) {
      if (isPlanted) return { board: planted(random, rows, cols, blocked / 100) };
      const cell = () => (random.next() * 100 < blocked ? BLOCKED : FREE);
      const board = Array.from({ length: rows }, () => Array.from({ length: cols }, cell).join(""));
      return { board };
    },
  },

  readText(text) {
    const words = new Words(text);
    const cases = [];
    while (!words.atEnd) {
      const [rows, cols, blocks, startCol, startRow] = words.numbers(5);
      if (rows === 0 && cols === 0) break;
      if (Math.max(rows, cols) > grid.MAX_DRAWN) grid.checkRows(Array(rows).fill(FREE.repeat(cols)));
      let board = Array(rows).fill(FREE.repeat(cols));
      for (let block = 0; block < blocks; block++) {
        const [col, row] = words.numbers(2);
        if (board[row]?.[col] !== FREE)
          throw new grid.NotDrawable("a block lies off the board, or is given twice");
        board = grid.withCell(board, { row, col }, BLOCKED);
      }
      cases.push({ board, start: { row: startRow, col: startCol } });
    }
    return cases;
  },

  writeText({ board, start }) {
    const blocks = grid.placesWhere(board, (cell) => cell === BLOCKED);
    const from = start ?? grid.placesWhere(board, (cell) => cell === FREE)[0] ?? { row: 0, col: 0 };
    const head = [board.length, board[0].length, blocks.length, from.col, from.row].join(" ");
    return [head, ...blocks.map(({ row, col }) => `${col} ${row}`), "", "0 0 0 0 0", ""].join("\n");
  },

  replay(request, { moves = "" }) {
    const tour = tourOf(request.board, request.start, moves);
    const cells = looksOf(request);
    const stride = Math.ceil(moves.length / MOST_STRIDES) || 1;
    const length = Math.ceil(moves.length / stride);
    return {
      length,
      scene(step) {
        const done = Math.min(moves.length, step * stride);
        const isClosed = done === moves.length;
        return {
          grids: [{ cells }],
          marks: startMark({ start: tour[0] }),
          shapes: step === 0 ? [] : tourShapes(tour.slice(0, done + 1), isClosed),
          caption:
            step === 0
              ? undefined
              : isClosed
                ? `The tour is closed after ${moves.length} steps.`
                : `Step ${done} of ${moves.length}: ${moves[done - 1]}.`,
        };
      },
    };
  },

  facts(_, { moves, unique, count, undecided = [] }) {
    const facts = [];
    if (moves) facts.push(["Steps", moves.length]);
    if (unique !== undefined) facts.push(["The only circuit", unique ? "yes" : "no"]);
    if (count !== undefined) facts.push(["Circuits", count]);
    if (undecided.length > 0) facts.push(["Not decided", undecided.join(", ")]);
    return facts;
  },

  why({ board }, reason) {
    const marks = (reason.cells ?? []).map(marked("bad"));
    (reason.regions ?? []).forEach((cells, index) => {
      for (const cell of cells) {
        marks.push({
          ...cell,
          kind: `region-${index % 6}`,
          badge: String(index + 1),
          name: `in region ${index + 1}`,
        });
      }
    });
    if (reason.code === "parity") {
      for (const cell of grid.placesWhere(board, (cell) => cell === FREE)) {
        marks.push((cell.row + cell.col) % 2 === 0 ? marked("white", "○")(cell) : marked("black", "●")(cell));
      }
    }
    return { marks };
  },

  pointed({ board, start }, pointer) {
    const places = pointer.startsWith("/start") && start ? [start] : grid.pointedRows(board, pointer);
    return places.map((place) => ({ ...place, kind: "fault", name: "faulty" }));
  },

  examples: [
    {
      summary: "A round trip",
      request: {
        board: [
          "......####..",
          "........#...",
          "##..........",
          "...........#",
          "...........#",
          "...........#",
          "..........##",
          "............",
          "............",
          "#..#........",
        ],
      },
    },
    {
      summary: "A courtyard",
      request: { board: ["........", ".######.", ".#....#.", ".#....#.", ".######.", "........"] },
    },
    {
      summary: "A corner that ends dead",
      request: { board: [".#....", "......", "......", "...#..", "......", "......"] },
    },
    {
      summary: "More white cells than black",
      request: { board: [".....", ".....", ".....", ".....", "....."] },
    },
  ],
};
