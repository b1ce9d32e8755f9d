//! Cells on a drawing: where they lie, the ground, the grid and the numbers at its edge.

use super::drawing::Drawing;
use super::palette::{GRID, MUTED, PANEL, Style};
use super::path::{Path, Point};
use crate::grid::{Cell, Size};

/// The side of a cell, in units.
pub const CELL: f64 = 40.0;

const GROUND: Style = Style::area("ground", PANEL);
const LINES: Style = Style::line("grid", GRID, "fill:none;stroke-width:1.5");
const NUMBER: Style = Style { rest: "text-anchor:middle", ..Style::area("axis", MUTED) };

/// A board of cells with the numbers of its rows and columns at its left and upper edge.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    size: Size,
    /// From the drawing's corner to the board's.
    edge: f64,
    /// Around the board, for what lies outside of it.
    ring: f64,
    /// The size of the numbers; 0 for none.
    number_size: f64,
}

impl Board {
    /// A board of that size; `ring` leaves room for one cell around it.
    pub fn new(size: Size, ring: bool) -> Self {
        let side = size.rows.max(size.cols) as f64 * CELL;
        let number_size = (side / 60.0).max(13.0);
        let ring = if ring { CELL } else { 0.0 };
        Self { size, edge: number_size * 2.5 + ring, ring, number_size }
    }

    /// A board without numbers at its edge, such as one of many beside each other.
    pub fn unnumbered(size: Size, ring: bool) -> Self {
        let ring = if ring { CELL } else { 0.0 };
        Self { size, edge: ring + 1.0, ring, number_size: 0.0 }
    }

    /// The extent of the drawing.
    pub fn width(&self) -> f64 {
        self.edge + self.size.cols as f64 * CELL + self.ring + 1.0
    }

    /// The extent of the drawing.
    pub fn height(&self) -> f64 {
        self.edge + self.size.rows as f64 * CELL + self.ring + 1.0
    }

    /// The upper left corner of a cell; cells outside the board have one too.
    pub fn corner(&self, cell: Cell) -> Point {
        (self.edge + f64::from(cell.col) * CELL, self.edge + f64::from(cell.row) * CELL)
    }

    /// The middle of a cell.
    pub fn centre(&self, cell: Cell) -> Point {
        let (x, y) = self.corner(cell);
        (x + CELL / 2.0, y + CELL / 2.0)
    }

    /// The ground, the lines between the cells, and the numbers of rows and columns.
    pub fn ground(&self, drawing: &mut Drawing) {
        let (width, height) = (self.size.cols as f64 * CELL, self.size.rows as f64 * CELL);
        let origin = (self.edge, self.edge);
        drawing.rectangle(&[&GROUND], origin, width, height, 0.0);
        let mut lines = Path::new();
        for row in 0..=self.size.rows {
            let y = self.edge + row as f64 * CELL;
            lines.move_to((self.edge, y));
            lines.line_to((self.edge + width, y));
        }
        for col in 0..=self.size.cols {
            let x = self.edge + col as f64 * CELL;
            lines.move_to((x, self.edge));
            lines.line_to((x, self.edge + height));
        }
        drawing.path(&[&LINES], &lines);
        if self.number_size > 0.0 {
            self.numbers(drawing);
        }
    }

    /// The cells as one area, runs of a row as one rectangle, each drawn in by `inset`.
    pub fn area(&self, cells: impl IntoIterator<Item = Cell>, inset: f64) -> Path {
        let mut path = Path::new();
        let mut run: Option<(Cell, i32)> = None;
        let mut put = |run: Option<(Cell, i32)>| {
            if let Some((first, length)) = run {
                let (x, y) = self.corner(first);
                let width = f64::from(length) * CELL - 2.0 * inset;
                path.rectangle((x + inset, y + inset), width, CELL - 2.0 * inset);
            }
        };
        for cell in cells {
            match &mut run {
                Some((first, length))
                    if inset == 0.0 && first.row == cell.row && first.col + *length == cell.col =>
                {
                    *length += 1;
                }
                _ => put(run.replace((cell, 1))),
            }
        }
        put(run);
        path
    }

    fn numbers(&self, drawing: &mut Drawing) {
        // So far apart that the longest of them do not touch.
        let longest = self.size.rows.max(self.size.cols).saturating_sub(1).to_string().len();
        let needed = self.number_size * (longest as f64 * 0.6 + 0.5) / CELL;
        let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|&step| f64::from(step) >= needed);
        let step = step.unwrap_or(200) as usize;
        let away = self.edge - self.ring - self.number_size * 1.25;
        for col in (0..self.size.cols).step_by(step) {
            let x = self.centre(Cell::new(0, col as i32)).0;
            drawing.text(&[&NUMBER], (x, away), self.number_size, &col.to_string());
        }
        for row in (0..self.size.rows).step_by(step) {
            let y = self.centre(Cell::new(row as i32, 0)).1;
            drawing.text(&[&NUMBER], (away, y), self.number_size, &row.to_string());
        }
    }
}
