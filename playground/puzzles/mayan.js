// Mayan: drag blocks sideways; runs of three vanish; clear in exactly n moves.
//
// The request has columns, bottom-up, of numbers: `columns[x][y]`. The grid has
// seven rows, so that height y is row 6 − y.

import { NotDrawable } from "../grid.js";
import { Words } from "../text.js";

const COLUMNS = 5;
const HEIGHT = 7;
const COLOURS = 10;
const EMPTY = 0;

const place = (x, y) => ({ row: HEIGHT - 1 - y, col: x });

const look = (colour, x, y) => ({
  place: `x ${x}, height ${y}`,
  ...(colour === EMPTY
    ? { kind: "empty", text: "", name: "empty" }
    : { kind: "tile", text: String(colour), name: `colour ${colour}`, hue: (colour - 1) * 36 + 15 }),
});

const AXES = {
  rows: Array.from({ length: HEIGHT }, (_, row) => HEIGHT - 1 - row),
};

const scene = (columns, rest = {}) => ({
  grids: [
    {
      title: "Board: columns x from the left, heights from the bottom",
      cells: Array.from({ length: HEIGHT }, (_, row) =>
        Array.from({ length: COLUMNS }, (_, x) =>
          look(columns[x][HEIGHT - 1 - row] ?? EMPTY, x, HEIGHT - 1 - row),
        ),
      ),
    },
  ],
  ring: false,
  axes: AXES,
  ...rest,
});

/** The columns after a drag, before anything vanishes, and what moved. */
function dragged(columns, { x, y, g }) {
  const next = columns.map((column) => [...column]);
  const [from, to] = [next[x], next[x + g]];
  if (y < to.length) {
    [from[y], to[y]] = [to[y], from[y]];
    return {
      columns: next,
      moved: [
        { from: place(x, y), to: place(x + g, y) },
        { from: place(x + g, y), to: place(x, y) },
      ],
    };
  }
  const [block] = from.splice(y, 1);
  to.push(block);
  const moved = [{ from: place(x, y), via: place(x + g, y), to: place(x + g, to.length - 1) }];
  for (let height = y; height < from.length; height++) {
    moved.push({ from: place(x, height + 1), to: place(x, height) });
  }
  return { columns: next, moved };
}

/** The columns after some blocks are gone, and what fell. */
function fallen(columns, gone) {
  const isGone = (x, y) => gone.some((block) => block.x === x && block.y === y);
  const moved = [];
  const next = columns.map((column, x) => {
    const kept = [];
    column.forEach((block, y) => {
      if (isGone(x, y)) return;
      if (kept.length !== y) moved.push({ from: place(x, y), to: place(x, kept.length) });
      kept.push(block);
    });
    return kept;
  });
  return { columns: next, moved };
}

/** The blocks that are in a run of three or more. */
function runs(columns) {
  const found = [];
  const at = (x, y) => columns[x]?.[y];
  for (let x = 0; x < COLUMNS; x++) {
    columns[x].forEach((colour, y) => {
      const isSame = (dx, dy) => at(x + dx, y + dy) === colour;
      const isIn = (dx, dy) =>
        (isSame(-dx, -dy) && isSame(-2 * dx, -2 * dy)) ||
        (isSame(-dx, -dy) && isSame(dx, dy)) ||
        (isSame(dx, dy) && isSame(2 * dx, 2 * dy));
      if (isIn(1, 0) || isIn(0, 1)) found.push({ x, y });
    });
  }
  return found;
}

function settled(columns) {
  for (let gone = runs(columns); gone.length > 0; gone = runs(columns)) {
    columns = fallen(columns, gone).columns;
  }
  return columns;
}

/**
 * A board from which one drag leads to `after`: a run of three is put in, and
 * one of its blocks dragged away. Nothing where that does not come out right.
 */
function before(random, after, colours) {
  const colour = 1 + random.below(colours);
  const columns = after.map((column) => [...column]);
  const x = random.below(COLUMNS);
  if (random.below(2) === 0) {
    columns[x].splice(random.below(columns[x].length + 1), 0, colour, colour, colour);
  } else {
    const across = columns.slice(x, x + 3);
    if (across.length < 3) return;
    const y = random.below(Math.min(...across.map((column) => column.length)) + 1);
    for (const column of across) column.splice(y, 0, colour);
  }
  // Undoing a drag of two blocks is the same drag; undoing a fall needs a block on top.
  const from = random.below(COLUMNS - 1);
  const y = random.below(HEIGHT);
  const drag = { x: from, y, g: 1 };
  if (y < columns[from].length && y < columns[from + 1].length) {
    [columns[from][y], columns[from + 1][y]] = [columns[from + 1][y], columns[from][y]];
  } else {
    const top = columns[from + 1].pop();
    if (top === undefined) return;
    columns[from].splice(y, 0, top);
    if (y > columns[from].length - 1) return;
  }
  if (columns.some((column) => column.length > HEIGHT) || runs(columns).length > 0) return;
  const replayed = settled(dragged(columns, drag).columns);
  return JSON.stringify(replayed) === JSON.stringify(after) ? columns : undefined;
}

const withBlock = (columns, x, y, colour) =>
  columns.map((column, at) => {
    if (at !== x) return column;
    if (colour === EMPTY) return column.filter((_, height) => height !== y);
    // A block set in the air falls onto its column.
    const next = [...column];
    next[Math.min(y, column.length)] = colour;
    return next;
  });

export const mayan = {
  name: "mayan",
  title: "Mayan",
  blurb:
    "Drag a block one column sideways: onto a block, they swap; into the air, it falls. Three or more in a row vanish. Clear the board in exactly n moves.",
  hint: "On the board: arrow keys go, 1–9 set a colour (0 sets 10), Delete takes a block away, Space draws with the chosen colour. Blocks never float.",
  options: [
    { name: "steps", kind: "integer", min: 1, max: 10, default: 3, isRequired: true, label: "Moves" },
    {
      name: "goal",
      kind: "choice",
      values: ["exact", "fewest"],
      default: "exact",
      label: "Use up the moves",
    },
    {
      name: "same_colour_swaps",
      kind: "boolean",
      default: false,
      label: "Swaps of one colour count as moves",
    },
  ],

  check({ columns }) {
    const isColumn = (column) =>
      Array.isArray(column) &&
      column.length <= HEIGHT &&
      column.every((colour) => Number.isInteger(colour) && colour >= 1 && colour <= COLOURS);
    if (!Array.isArray(columns) || columns.length !== COLUMNS || !columns.every(isColumn)) {
      throw new NotDrawable("a board is five columns of at most seven colours from 1 to 10");
    }
  },

  scene: ({ columns }) => scene(columns),

  brushes: () => [
    ...Array.from({ length: COLOURS }, (_, index) => ({
      id: index + 1,
      label: `Colour ${index + 1}`,
      look: look(index + 1),
    })),
    { id: EMPTY, label: "Empty", look: look(EMPTY) },
  ],

  stroke({ columns }, { row, col }, brush, { toggle }) {
    const colour = toggle && columns[col][HEIGHT - 1 - row] === brush ? EMPTY : brush;
    return (request, at) => ({
      ...request,
      columns: withBlock(request.columns, at.col, HEIGHT - 1 - at.row, colour),
    });
  },

  key(key) {
    if (key === "Delete" || key === "Backspace") return { brush: EMPTY, onward: [0, 0] };
    if (/^\d$/.test(key)) return { brush: Number(key) || COLOURS, onward: [-1, 0] };
  },

  random: {
    fields: [
      { name: "steps", label: "Moves", min: 1, max: 6, default: 3 },
      { name: "colours", label: "Colours", min: 1, max: COLOURS, default: 4 },
    ],
    /** Moves are undone from the empty board, so that there is a solution. */
    make(random, { steps, colours }) {
      let columns = Array.from({ length: COLUMNS }, () => []);
      let made = 0;
      for (let tries = 0; made < steps && tries < 20_000; tries++) {
        const earlier = before(random, columns, colours);
        if (!earlier) continue;
        columns = earlier;
        made++;
      }
      return { steps: Math.max(1, made), columns };
    },
  },

  readText(text) {
    const words = new Words(text);
    const cases = [];
    while (!words.atEnd) {
      const steps = words.number();
      const columns = Array.from({ length: COLUMNS }, () => {
        const column = [];
        for (let block = words.number(); block !== 0; block = words.number()) column.push(block);
        return column;
      });
      cases.push({ steps, columns });
    }
    return cases;
  },

  writeText: ({ steps, columns }) =>
    `${steps}\n${columns.map((column) => [...column, 0].join(" ")).join("\n")}\n`,

  replay(request, { moves = [], cascade = [] }) {
    const scenes = [scene(request.columns)];
    let { columns } = request;
    moves.forEach((move, index) => {
      const what = `Move ${index + 1} of ${moves.length}: (${move.x}, ${move.y}) ${move.g === 1 ? "right" : "left"}`;
      const [from, to] = [place(move.x, move.y), place(move.x + move.g, move.y)];
      scenes.push(
        scene(columns, {
          marks: [{ ...from, kind: "ends", name: "to be dragged" }],
          shapes: [{ shape: "line", cells: [from, to], kind: "path", arrow: true }],
          caption: `${what}.`,
        }),
      );
      const after = dragged(columns, move);
      columns = after.columns;
      scenes.push(scene(columns, { moved: after.moved, caption: `${what}, done.` }));
      for (const round of cascade[index] ?? []) {
        const marks = round.map(({ x, y }) => ({ ...place(x, y), kind: "vanish", name: "vanishes" }));
        scenes.push(scene(columns, { marks, caption: `${round.length} blocks vanish together.` }));
        const next = fallen(columns, round);
        columns = next.columns;
        scenes.push(
          scene(columns, {
            moved: next.moved,
            caption: next.moved.length > 0 ? "The blocks above fall." : undefined,
          }),
        );
      }
    });
    if (scenes.length > 1) scenes.at(-1).caption = "The board is cleared.";
    return { length: scenes.length - 1, scene: (step) => scenes[step] };
  },

  facts: (_, { moves }) =>
    moves ? [["Moves", moves.map(({ x, y, g }) => `${x}\u00a0${y}\u00a0${g}`).join(", ") || "none"]] : [],

  why({ columns }, { colour }) {
    const marks = columns.flatMap((column, x) =>
      column.flatMap((block, y) =>
        block === colour ? [{ ...place(x, y), kind: "bad", name: "of the colour in the way" }] : [],
      ),
    );
    return { marks };
  },

  pointed({ columns }, pointer) {
    const [, x, y] = /^\/columns\/(\d+)(?:\/(\d+))?/.exec(pointer) ?? [];
    if (x === undefined) return [];
    const heights = y === undefined ? columns[x].map((_, height) => height) : [Number(y)];
    return heights.map((height) => ({ ...place(Number(x), height), kind: "fault", name: "faulty" }));
  },

  examples: [
    {
      summary: "Six moves",
      request: {
        steps: 6,
        columns: [
          [5, 4, 5, 4, 1],
          [1, 5, 4],
          [4, 2, 3, 1, 2],
          [3, 3, 4],
          [4, 2],
        ],
      },
    },
    { summary: "Two blocks never vanish", request: { steps: 2, columns: [[1], [2, 2], [1], [2], [1]] } },
  ],
};
