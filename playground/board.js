// Draws a scene: one or more boards as ARIA grids of cells, with lines and
// shapes laid over them. It knows no puzzle; what a scene is, `puzzles.js` says.

const SVG = "http://www.w3.org/2000/svg";

/** A cell is at least this wide; wider boards scroll. Below it fingers miss. */
const LEAST_CELL = 24;
/** Boards with more columns than this are for looking at more than for tapping. */
const MANY_COLUMNS = 32;
const LEAST_CELL_OF_MANY = 11;
const GREATEST_CELL = 46;

// What the numbers of rows and columns take, in cells.
const LABELS = 0.62;

const element = (tag, attributes = {}, children = []) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

const drawn = (tag, attributes = {}, text) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class BoardView {
  #root;
  #on;
  #grids = [];
  #scene;
  /** The cell that Tab reaches, of each grid: roving focus. */
  #focus = [];
  /** The board that had the focus last. */
  #board = 0;
  #stroke;
  #last;
  #strokeWasMouse = false;

  /**
   * `on.stroke(at)` begins a stroke and returns what to do at each further cell;
   * `on.key(at, key)` returns how far the focus goes on, or `undefined` where
   * the key means nothing.
   */
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
    root.addEventListener("keydown", (event) => this.#keyDown(event));
    root.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    root.addEventListener("pointermove", (event) => this.#pointerMove(event));
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("focusin", (event) => this.#focused(event));
    addEventListener("pointerup", () => (this.#stroke = undefined));
    new ResizeObserver(() => this.#fit()).observe(root);
  }

  /** Shows a scene; `animate` lets what it moves or draws be seen moving. */
  show(scene, { animate = false } = {}) {
    const isSameShape =
      this.#scene !== undefined &&
      this.#scene.ring === scene.ring &&
      this.#scene.grids.length === scene.grids.length &&
      scene.grids.every(({ cells, title }, board) => {
        const before = this.#scene.grids[board];
        return (
          before.title === title &&
          before.cells.length === cells.length &&
          before.cells[0].length === cells[0].length
        );
      });
    if (!isSameShape) this.#build(scene);
    scene.grids.forEach((grid, board) => this.#fill(scene, grid, board, isSameShape));
    this.#scene = scene;
    if (!isSameShape) this.#fit();
    if (animate) this.#animate(scene);
    this.#root.classList.toggle("still", !animate);
  }

  /** Where the focus is, or was last. */
  get place() {
    const board = Math.min(this.#board, this.#grids.length - 1);
    return { board, ...this.#focus[board] };
  }

  /** Moves the focus to a cell. */
  focus({ board = 0, row, col }) {
    const grid = this.#grids[board];
    this.#rove(grid, row, col);
    grid.cells[row][col].focus();
  }

  #build(scene) {
    const hadFocus = this.#root.contains(document.activeElement);
    // Room for the labels, and between them and the board for the paths around it.
    const margin = scene.ring ? LABELS + 1 : LABELS;
    const far = scene.ring ? 1 : 0.1;
    this.#grids = scene.grids.map((grid, board) => {
      const [rows, cols] = [grid.cells.length, grid.cells[0].length];
      const cells = grid.cells.map((row, r) =>
        row.map((_, c) => {
          const cell = element("div", { role: "gridcell", tabindex: "-1" });
          cell.append(element("span", { class: "face" }));
          cell.place = { board, row: r, col: c };
          return cell;
        }),
      );
      const table = element(
        "div",
        { role: "grid", class: "cells", "aria-label": grid.title ?? "Board" },
        cells.map((row) => element("div", { role: "row" }, row)),
      );
      const overlay = drawn("svg", {
        class: "overlay",
        "aria-hidden": "true",
        viewBox: `${-margin} ${-margin} ${cols + margin + far} ${rows + margin + far}`,
      });
      const axes = drawn("g", { class: "axes" });
      const labels = scene.axes ?? {};
      const every = (count) => (count > 40 ? 10 : count > MANY_COLUMNS ? 5 : 1);
      for (let col = 0; col < cols; col += every(cols)) {
        axes.append(drawn("text", { x: col + 0.5, y: LABELS / 2 - margin }, labels.cols?.[col] ?? col));
      }
      for (let row = 0; row < rows; row += every(rows)) {
        axes.append(drawn("text", { x: LABELS / 2 - margin, y: row + 0.5 }, labels.rows?.[row] ?? row));
      }
      const shapes = drawn("g");
      overlay.append(axes, shapes);
      const frame = element("div", { class: "frame" }, [table, overlay]);
      frame.style.setProperty("--margin", margin);
      frame.style.setProperty("--far", far);
      const holder = element("div", { class: "holder" });
      if (scene.grids.length > 1) holder.append(element("h3", {}, [grid.title]));
      holder.append(element("div", { class: "scroller" }, [frame]));
      return { cells, rows, cols, frame, holder, shapes, looks: [], marks: new Map(), margin: margin + far };
    });
    this.#focus = this.#grids.map((grid, board) => {
      const { row = 0, col = 0 } = this.#focus[board] ?? {};
      return { row: Math.min(row, grid.rows - 1), col: Math.min(col, grid.cols - 1) };
    });
    this.#grids.forEach((grid, board) => {
      const { row, col } = this.#focus[board];
      grid.cells[row][col].tabIndex = 0;
    });
    this.#root.replaceChildren(...this.#grids.map((grid) => grid.holder));
    if (hadFocus) this.focus(this.#focus[0]);
  }

  /** Brings cells, marks and shapes up to date, touching only what differs. */
  #fill(scene, { cells: looks }, board, isSameShape) {
    const grid = this.#grids[board];
    const marks = new Map();
    for (const mark of scene.marks ?? []) {
      if ((mark.board ?? 0) === board) marks.set(mark.row * grid.cols + mark.col, mark);
    }
    const isSame = isSameShape && grid.looks === looks && marks.size === 0 && grid.marks.size === 0;
    if (!isSame) {
      looks.forEach((row, r) =>
        row.forEach((look, c) => {
          const mark = marks.get(r * grid.cols + c);
          const cell = grid.cells[r][c];
          const sign = `${look.kind}|${look.text}|${look.name}|${mark?.kind}|${mark?.badge}|${mark?.name}`;
          if (cell.sign === sign) return;
          cell.sign = sign;
          cell.className = `cell ${look.kind}${mark ? ` marked mark-${mark.kind}` : ""}`;
          cell.firstChild.textContent = look.text;
          if (look.hue === undefined) cell.style.removeProperty("--hue");
          else cell.style.setProperty("--hue", look.hue);
          if (mark?.badge === undefined) delete cell.dataset.badge;
          else cell.dataset.badge = mark.badge;
          const place = look.place ?? `row ${r}, column ${c}`;
          cell.setAttribute("aria-label", `${place}: ${look.name}${mark ? `, ${mark.name}` : ""}`);
        }),
      );
    }
    grid.looks = looks;
    grid.marks = marks;
    const shapes = (scene.shapes ?? []).filter((shape) => (shape.board ?? 0) === board);
    grid.shapes.replaceChildren(...shapes.flatMap(drawShape));
  }

  #animate(scene) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const { board = 0, from, via, to } of scene.moved ?? []) {
      const face = this.#grids[board].cells[to.row][to.col].firstChild;
      const keyframes = [from, via ?? [], to].flat().map(({ row, col }) => ({
        transform: `translate(calc(var(--cell) * ${col - to.col}), calc(var(--cell) * ${row - to.row}))`,
      }));
      face.animate(keyframes, { duration: 130 * keyframes.length, easing: "ease-in-out" });
    }
  }

  /** Cells as wide as the room allows. */
  #fit() {
    for (const grid of this.#grids) {
      const room = grid.holder.firstChild && this.#root.clientWidth;
      const least = grid.cols > MANY_COLUMNS ? LEAST_CELL_OF_MANY : LEAST_CELL;
      const size = Math.floor(room / (grid.cols + grid.margin));
      grid.frame.style.setProperty("--cell", `${Math.max(least, Math.min(GREATEST_CELL, size))}px`);
      grid.frame.classList.toggle("tiny", size < 20 && least < 20);
    }
  }

  #rove(grid, row, col) {
    const board = this.#grids.indexOf(grid);
    const before = this.#focus[board];
    grid.cells[before.row][before.col].tabIndex = -1;
    grid.cells[row][col].tabIndex = 0;
    this.#focus[board] = { row, col };
  }

  #focused(event) {
    const place = event.target.closest(".cell")?.place;
    if (!place) return;
    this.#rove(this.#grids[place.board], place.row, place.col);
    this.#board = place.board;
  }

  #keyDown(event) {
    const place = event.target.place;
    if (!place || event.altKey || event.metaKey) return;
    const grid = this.#grids[place.board];
    const go = (row, col) => {
      event.preventDefault();
      const clamp = (value, count) => Math.max(0, Math.min(count - 1, value));
      this.focus({ board: place.board, row: clamp(row, grid.rows), col: clamp(col, grid.cols) });
    };
    const { row, col } = place;
    if (event.key in ARROWS) return go(row + ARROWS[event.key][0], col + ARROWS[event.key][1]);
    if (event.key === "Home") return go(event.ctrlKey ? 0 : row, 0);
    if (event.key === "End") return go(event.ctrlKey ? Infinity : row, Infinity);
    if (event.key === "PageUp") return go(0, col);
    if (event.key === "PageDown") return go(Infinity, col);
    if (event.ctrlKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#on.stroke(place)?.(place);
      return;
    }
    const onward = this.#on.key(place, event.key);
    if (onward) go(row + onward[0], col + onward[1]);
  }

  // A mouse paints while it is dragged. A finger that drags scrolls, so it (and
  // whatever else clicks) sets one cell at a time.

  #pointerDown(event) {
    this.#strokeWasMouse = event.pointerType === "mouse";
    const place = event.target.closest(".cell")?.place;
    if (!place || !this.#strokeWasMouse || event.button !== 0) return;
    this.#stroke = this.#on.stroke(place);
    this.#stroke?.(place);
    this.#last = place;
  }

  #pointerMove(event) {
    if (!this.#stroke || event.buttons !== 1) return;
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell")?.place;
    if (!place || place === this.#last || place.board !== this.#last.board) return;
    this.#last = place;
    this.#stroke(place);
  }

  #click(event) {
    const place = event.target.closest(".cell")?.place;
    if (!place) return;
    const wasMouse = this.#strokeWasMouse;
    this.#strokeWasMouse = false;
    if (!wasMouse) this.#on.stroke(place)?.(place);
  }
}

const center = ({ row, col }) => [col + 0.5, row + 0.5];

/** The elements of a shape. */
function drawShape(shape) {
  const group = drawn("g", { class: `shape ${shape.kind}` });
  if (shape.hue !== undefined) group.style.setProperty("--hue", shape.hue);
  if (shape.shape === "square") {
    const inset = 0.08;
    const side = shape.size - 2 * inset;
    group.append(
      drawn("rect", { x: shape.col + inset, y: shape.row + inset, width: side, height: side, rx: 0.16 }),
    );
    if (shape.label !== undefined) {
      const middle = shape.size / 2;
      group.append(drawn("text", { x: shape.col + middle, y: shape.row + middle }, shape.label));
    }
    return [group];
  }
  const points = shape.cells.map(center);
  if (shape.dots) trim(points);
  const text = points.map(([x, y]) => `${x},${y}`).join(" ");
  // A light rim keeps a line readable over whatever lies beneath it.
  group.append(drawn("polyline", { class: "rim", points: text }));
  group.append(drawn("polyline", { class: "ink", points: text, pathLength: 1 }));
  if (shape.arrow && points.length > 1) group.append(arrowHead(points.at(-2), points.at(-1)));
  if (shape.dots) {
    for (const [x, y] of [points[0], points.at(-1)]) group.append(drawn("circle", { cx: x, cy: y, r: 0.11 }));
  }
  if (shape.label !== undefined) {
    const [x, y] = points[0];
    group.append(drawn("circle", { class: "plate", cx: x, cy: y, r: 0.3 }));
    group.append(drawn("text", { x, y }, shape.label));
  }
  return [group];
}

/** Pulls both ends of a line out of the middle of their cells, where the tiles' names are. */
function trim(points) {
  const toward = ([x, y], [otherX, otherY]) => [
    x + Math.sign(otherX - x) * 0.36,
    y + Math.sign(otherY - y) * 0.36,
  ];
  const [first, last] = [toward(points[0], points[1]), toward(points.at(-1), points.at(-2))];
  points[0] = first;
  points[points.length - 1] = last;
}

/** A triangle at the end of a line. */
function arrowHead([fromX, fromY], [toX, toY]) {
  const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
  return drawn("path", {
    class: "head",
    d: "M 0.3 0 L -0.12 0.24 L -0.12 -0.24 Z",
    transform: `translate(${toX} ${toY}) rotate(${angle})`,
  });
}
