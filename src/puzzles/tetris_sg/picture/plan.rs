//! One board: walls, parts in the tints of their values, and the values written on them.

use std::collections::BTreeMap;

use super::super::board::{Position, square};
use super::values::Part;
use crate::grid::{Cell, Size};
use crate::svg::{
    self, CELL, Drawing, FAINT, INK, MUTED, PAPER, Path, Point, SERIES_TINTS, Style, WALL,
};

const TAKEN: Style = Style::area("taken", WALL);
const LINES: Style = Style::line("lines", PAPER, "fill:none;stroke-width:1.5;stroke-opacity:.55");
const EDGE: Style = Style::line("edge", MUTED, "fill:none;stroke-width:2;stroke-linecap:square");
const USELESS: Style = Style::line("useless", FAINT, "fill:none;stroke-width:2");
const VALUE: Style =
    Style { rest: "text-anchor:middle;font-weight:700", ..Style::area("value", INK) };

/// A board on its way to the sheet.
pub(super) struct Plan {
    board: svg::Board,
    size: Size,
    taken: Vec<Cell>,
    /// Free cells that no square covers.
    useless: Vec<Cell>,
}

impl Plan {
    /// The plan of a board of the position.
    pub(super) fn new(position: &Position, board: usize) -> Self {
        let size = position.size(board);
        let is_covered = |&cell: &Cell| {
            let anchors = [(0, 0), (0, -1), (-1, 0), (-1, -1)];
            anchors.iter().any(|(down, right)| {
                let anchor = Cell::new(cell.row + down, cell.col + right);
                square(anchor).iter().all(|&cell| position.is_free(board, cell))
            })
        };
        Self {
            board: svg::Board::new(size, false),
            size,
            taken: size.cells().filter(|&cell| !position.is_free(board, cell)).collect(),
            useless: position.free_cells(board).filter(|cell| !is_covered(cell)).collect(),
        }
    }

    /// The extent of its drawing.
    pub(super) fn width(&self) -> f64 {
        self.board.width()
    }

    /// The extent of its drawing.
    pub(super) fn height(&self) -> f64 {
        self.board.height()
    }

    /// The longer side, in cells.
    pub(super) fn longest(&self) -> usize {
        self.size.rows.max(self.size.cols)
    }

    /// Whether some free cell is of no use.
    pub(super) fn has_useless(&self) -> bool {
        !self.useless.is_empty()
    }

    /// Whether some cell is taken.
    pub(super) fn has_taken(&self) -> bool {
        !self.taken.is_empty()
    }

    /// The upper left corner of a cell.
    pub(super) fn corner(&self, cell: Cell) -> Point {
        self.board.corner(cell)
    }

    /// The board, with its parts. The values of the first `labels` parts are written on them.
    pub(super) fn draw(&self, parts: &[Part], labels: usize) -> Drawing {
        let mut drawing = Drawing::new();
        self.board.ground(&mut drawing);
        let mut cells = vec![0; self.size.area()];
        for (part, number) in parts.iter().zip(1_u32..) {
            for cell in part.anchors.iter().flat_map(|&anchor| square(anchor)) {
                if let Some(index) = self.size.index(cell) {
                    cells[index] = number;
                }
            }
        }
        let mut by_tint: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for (index, &number) in cells.iter().enumerate() {
            let part = (number as usize).checked_sub(1).map(|place| &parts[place]);
            if let Some(value) = part.and_then(|part| part.value) {
                by_tint.entry(tint_index(value)).or_default().push(self.size.cell(index));
            }
        }
        for (tint, cells) in by_tint {
            drawing.path(&[&SERIES_TINTS[tint]], &self.board.area(cells, 0.0));
        }
        drawing.path(&[&LINES], &self.lines());
        drawing.path(&[&TAKEN], &self.board.area(self.taken.iter().copied(), 0.0));
        let mut crosses = Path::new();
        for &cell in &self.useless {
            cross(&mut crosses, self.board.centre(cell));
        }
        drawing.path(&[&USELESS], &crosses);
        drawing.path(&[&EDGE], &self.edges(&cells));
        for part in parts.iter().take(labels) {
            let label = part.value.map_or_else(|| "?".to_owned(), |value| value.to_string());
            let middle = self.board.centre(part.anchors[0]);
            drawing.text(&[&VALUE], middle, CELL * 0.55, &label);
        }
        drawing
    }

    /// The lines between cells, over the tints.
    fn lines(&self) -> Path {
        let (rows, cols) = (self.size.rows as i32, self.size.cols as i32);
        let mut path = Path::new();
        for row in 1..rows {
            path.move_to(self.board.corner(Cell::new(row, 0)));
            path.line_to(self.board.corner(Cell::new(row, cols)));
        }
        for col in 1..cols {
            path.move_to(self.board.corner(Cell::new(0, col)));
            path.line_to(self.board.corner(Cell::new(rows, col)));
        }
        path
    }

    /// The lines between cells of different parts.
    fn edges(&self, cells: &[u32]) -> Path {
        let number = |row: i32, col: i32| {
            self.size.index(Cell::new(row, col)).map_or(0, |index| cells[index])
        };
        let (rows, cols) = (self.size.rows as i32, self.size.cols as i32);
        let mut path = Path::new();
        for row in 0..=rows {
            let differs = |col| number(row - 1, col) != number(row, col);
            for (from, to) in runs(cols, differs) {
                path.move_to(self.board.corner(Cell::new(row, from)));
                path.line_to(self.board.corner(Cell::new(row, to)));
            }
        }
        for col in 0..=cols {
            let differs = |row| number(row, col - 1) != number(row, col);
            for (from, to) in runs(rows, differs) {
                path.move_to(self.board.corner(Cell::new(from, col)));
                path.line_to(self.board.corner(Cell::new(to, col)));
            }
        }
        path
    }
}

/// A free cell that no square covers, as the legend shows it.
pub(super) fn draw_useless(drawing: &mut Drawing, middle: Point) {
    let mut path = Path::new();
    cross(&mut path, middle);
    drawing.path(&[&USELESS], &path);
}

/// A taken cell, as the legend shows it.
pub(super) fn draw_taken(drawing: &mut Drawing, (x, y): Point) {
    drawing.rectangle(&[&TAKEN], (x - CELL / 2.0, y - CELL / 2.0), CELL, CELL, 0.0);
}

/// A cell of a part, as the legend shows it.
pub(super) fn draw_value(drawing: &mut Drawing, (x, y): Point, value: Option<u32>) {
    let corner = (x - CELL / 2.0, y - CELL / 2.0);
    if let Some(value) = value {
        drawing.rectangle(&[&SERIES_TINTS[tint_index(value)]], corner, CELL, CELL, 0.0);
    }
    let mut edge = Path::new();
    edge.rectangle(corner, CELL, CELL);
    drawing.path(&[&EDGE], &edge);
    let label = value.map_or_else(|| "?".to_owned(), |value| value.to_string());
    drawing.text(&[&VALUE], (x, y), CELL * 0.55, &label);
}

/// What is worth nothing is grey.
fn tint_index(value: u32) -> usize {
    const TINTS: [usize; 8] = [6, 0, 1, 2, 3, 4, 7, 5];
    TINTS[value as usize % TINTS.len()]
}

fn cross(path: &mut Path, (x, y): Point) {
    for side in [1.0, -1.0] {
        path.move_to((x - 5.0, y - 5.0 * side));
        path.line_to((x + 5.0, y + 5.0 * side));
    }
}

/// The stretches of `0..length` in which `holds`.
fn runs(length: i32, holds: impl Fn(i32) -> bool) -> Vec<(i32, i32)> {
    let mut runs: Vec<(i32, i32)> = Vec::new();
    for at in (0..length).filter(|&at| holds(at)) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}
