//! A board without a circuit, and the cells that show why.

use super::super::board::Board;
use super::super::certificate::Certificate;
use super::super::reason::{ForcedStep, Reason};
use super::marks::{
    BARRED, BORDER, DOTS, EARLY, MARKED, NUMBER, USED, bar, barred_mark, black_mark, diamond,
    dot_mark, early_mark, marked_mark, part_mark, region_mark, used_mark, weight_mark,
};
use super::{Canvas, LETTER};
use crate::grid::{Cell, CellSet, Direction};
use crate::svg::{self, CELL, Drawing, Path, Sheet, Style};

const FINDER: Style = Style::line("finder-no", svg::WARNING, "fill:none");

/// The most parts or regions that carry a letter or number.
const MAX_LABELS: usize = 2500;

/// More than so many are numbered, and not lettered.
const LETTERS: usize = 26;

/// The most cells of a board whose weights are written down.
const MAX_WEIGHED: usize = 2500;

pub(super) fn draw(board: &Board, reason: &Reason) -> String {
    let mut shown = Shown::new(board);
    match reason {
        Reason::TooSmall => shown.too_small(),
        Reason::Parity { white, black } => shown.parity(*white, *black),
        Reason::DeadEnd { cell } => shown.dead_end(*cell),
        Reason::Disconnected { cells } => shown.disconnected(*cells),
        Reason::CutCell { cell } => shown
            .cut(&[*cell], format!("Without the cell {cell} the others fall into several parts.")),
        Reason::Forced { cells, steps } => shown.forced(cells, steps),
        Reason::Crowded { cells } => shown.crowded(cells),
        Reason::Counted(Certificate::CutSet { cells, parts }) => shown.cut(
            cells,
            format!(
                "Without these {} cells {parts} parts are left, and each cell of a circuit can \
                 join only one part to the next.",
                cells.len()
            ),
        ),
        Reason::Counted(Certificate::Regions { regions, multipliers, weights }) => {
            shown.regions(regions, multipliers, weights);
        }
        Reason::Exhausted => {
            shown.message = "A finished search of all cases found no circuit.".to_owned();
        }
    }
    shown.finish()
}

/// What a line of the legend draws.
type Mark = fn(&mut Drawing);

struct Shown<'board> {
    canvas: Canvas<'board>,
    message: String,
    keys: Vec<(String, Mark)>,
}

impl<'board> Shown<'board> {
    fn new(board: &'board Board) -> Self {
        Self { canvas: Canvas::new(board), message: String::new(), keys: Vec::new() }
    }

    fn finish(self) -> String {
        let description = format!("A board of {}. {}", self.canvas.board.size(), self.message);
        let mut sheet: Sheet = self.canvas.sheet("Rook circuit: there is no tour", &description);
        sheet.note(&self.message);
        for (text, mark) in &self.keys {
            sheet.key(text, mark);
        }
        self.canvas.key_of_blocked(&mut sheet);
        sheet.finish(&self.canvas.drawing)
    }

    fn key(&mut self, text: impl Into<String>, mark: Mark) {
        self.keys.push((text.into(), mark));
    }

    fn too_small(&mut self) {
        let free: Vec<_> = self.canvas.board.free().iter().collect();
        self.mark(&free);
        self.message = format!(
            "A circuit has at least four cells; there {}.",
            if free.len() == 1 {
                "is one free".to_owned()
            } else {
                format!("are {} free", free.len())
            }
        );
        self.key("A free cell.", marked_mark);
    }

    fn parity(&mut self, white: usize, black: usize) {
        let free = self.canvas.board.free();
        let dark = free.iter().filter(|cell| !cell.is_white());
        let area = self.canvas.frame.area(dark, 0.0);
        self.canvas.drawing.path(&[svg::series_tint(0)], &area);
        let dots = self.dots(free.iter().filter(|cell| !cell.is_white()), 6.0);
        self.canvas.drawing.path(&[&DOTS], &dots);
        self.message = format!(
            "Each step changes the colour of a chequered board, but {white} free cells are white \
             and {black} black."
        );
        self.key(format!("A black cell, one of {black}; the free cells without a dot are the {white} white ones."), black_mark);
    }

    fn dead_end(&mut self, cell: Cell) {
        self.mark(&[cell]);
        let mut ways = Path::new();
        let mut count = 0;
        for next in cell.neighbours().into_iter().filter(|&next| self.canvas.board.is_free(next)) {
            ways.move_to(self.canvas.frame.centre(cell));
            ways.line_to(self.canvas.frame.centre(next));
            count += 1;
        }
        self.canvas.drawing.path(&[&USED], &ways);
        let has = if count == 0 { "no free neighbour" } else { "a single free neighbour" };
        self.message = format!(
            "The cell {cell} has {has}, and a tour needs one to come from and one to go to."
        );
        self.key("The dead end.", marked_mark);
        if count > 0 {
            self.key("Its only way.", used_mark);
        }
    }

    fn disconnected(&mut self, cells: [Cell; 2]) {
        let parts = cells.map(|cell| self.part(cell, &CellSet::new(self.canvas.board.size())));
        for (index, part) in parts.iter().enumerate() {
            self.tint(index, part);
        }
        for (index, &cell) in cells.iter().enumerate() {
            self.mark(&[cell]);
            let centre = self.canvas.frame.centre(cell);
            self.canvas.drawing.text(&[&LETTER], centre, 22.0, &label(index, 2));
        }
        self.message = format!("No path joins the cells {} and {}.", cells[0], cells[1]);
        self.key("One cell of each of two parts, which have tints of their own.", marked_mark);
    }

    /// Cells without which the board falls into parts.
    fn cut(&mut self, cells: &[Cell], message: String) {
        let removed = CellSet::from_cells(self.canvas.board.size(), cells.iter().copied());
        let mut seen = removed.clone();
        let mut firsts = Vec::new();
        // One area a tint, since there may be a hundred thousand parts.
        let mut grounds: [Vec<Cell>; svg::SERIES_TINTS.len()] = Default::default();
        for start in self.canvas.board.free().iter() {
            if seen.contains(start) {
                continue;
            }
            let part = self.part(start, &removed);
            for &cell in &part {
                seen.insert(cell);
            }
            grounds[firsts.len() % grounds.len()].extend(part);
            firsts.push(start);
        }
        for (index, ground) in grounds.iter().enumerate() {
            self.tint(index, ground);
        }
        self.mark(cells);
        let count = firsts.len();
        for (index, &cell) in firsts.iter().enumerate().take(MAX_LABELS) {
            let centre = self.canvas.frame.centre(cell);
            let text = label(index, count);
            let size = if text.len() < 3 { 20.0 } else { 15.0 };
            self.canvas.drawing.text(&[&LETTER], centre, size, &text);
        }
        self.message = message;
        self.key(
            match cells {
                [_] => "The cell that is taken away.",
                _ => "A cell that is taken away.",
            },
            marked_mark,
        );
        let sign = if count <= LETTERS { "letter" } else { "number" };
        self.key(format!("A part that is left, with a {sign} on its first cell."), part_mark);
    }

    fn forced(&mut self, cells: &[Cell], steps: &[ForcedStep]) {
        let mut used = Path::new();
        let mut barred = Path::new();
        for step in steps {
            let (from, to) =
                (self.canvas.frame.centre(step.from), self.canvas.frame.centre(step.to));
            if step.is_used {
                used.move_to(from);
                used.line_to(to);
            } else {
                bar(&mut barred, from, to);
            }
        }
        let is_ring = cells.len() > 1;
        if !is_ring {
            self.mark(cells);
        }
        self.canvas.drawing.path(&[&USED], &used);
        self.canvas.drawing.path(&[&BARRED], &barred);
        if is_ring {
            self.canvas.ring(&EARLY, cells);
            self.canvas.finder(&FINDER, cells[0]);
            self.message = format!(
                "Forced steps alone close a circuit of {} cells before all are visited.",
                cells.len()
            );
            self.key("The circuit that closes too early.", early_mark);
        } else {
            let cell = cells.first().map(Cell::to_string).unwrap_or_default();
            self.message = format!(
                "Forced steps alone leave the cell {cell} with fewer than two ways, or with more \
                 than two that must be used."
            );
            self.key("The cell that can't be passed once.", marked_mark);
        }
        if !used.is_empty() {
            self.key("A step that every circuit takes.", used_mark);
        }
        if !barred.is_empty() {
            self.key("A step that none takes.", barred_mark);
        }
    }

    fn crowded(&mut self, cells: &[Cell]) {
        let board = self.canvas.board;
        let mut around = CellSet::new(board.size());
        for next in cells.iter().flat_map(|cell| cell.neighbours()) {
            if board.is_free(next) {
                around.insert(next);
            }
        }
        self.mark(cells);
        let dots = self.dots(around.iter(), 7.0);
        self.canvas.drawing.path(&[&DOTS], &dots);
        self.message = format!(
            "These {} cells of one colour have only {} neighbours in all: too few to pass each of \
             them twice.",
            cells.len(),
            around.len()
        );
        self.key("A cell of the set.", marked_mark);
        self.key("A neighbour of the set.", dot_mark);
    }

    fn regions(&mut self, regions: &[Vec<Cell>], multipliers: &[i64], weights: &[Vec<i64>]) {
        let size = self.canvas.board.size();
        for (index, region) in regions.iter().enumerate() {
            self.tint(index, region);
        }
        for (index, region) in regions.iter().enumerate() {
            let set = CellSet::from_cells(size, region.iter().copied());
            let border = self.border(&set);
            let [colour, dash] = svg::series_line(index);
            self.canvas.drawing.path(&[&BORDER, colour, dash], &border);
        }
        if size.area() <= MAX_WEIGHED {
            for cell in self.canvas.board.free().iter() {
                let weight =
                    weights.get(cell.row as usize).and_then(|row| row.get(cell.col as usize));
                if let Some(&weight) = weight.filter(|&&weight| weight != 0) {
                    let (x, y) = self.canvas.frame.corner(cell);
                    let text = weight.to_string().replace('-', "−");
                    self.canvas.drawing.text(&[&NUMBER], (x + 20.0, y + 27.0), 13.0, &text);
                }
            }
            self.key("The weight of a cell, where it is not 0.", weight_mark);
        }
        for (index, (region, multiplier)) in
            regions.iter().zip(multipliers).enumerate().take(MAX_LABELS)
        {
            if let Some(&cell) = region.first() {
                let (x, y) = self.canvas.frame.corner(cell);
                let text = format!("{}×{multiplier}", label(index, regions.len()));
                self.canvas.drawing.text(&[&LETTER], (x + 20.0, y + 11.0), 14.0, &text);
            }
        }
        let borders = match regions.len() {
            1 => "the border of this region at least twice".to_owned(),
            count => format!("the border of each of these {count} regions at least twice"),
        };
        self.message = format!(
            "A circuit crosses {borders}, but no way of giving every cell two edges crosses so \
             often."
        );
        self.keys.insert(
            0,
            ("A region, with its letter and multiplier on its first cell.".to_owned(), region_mark),
        );
    }

    /// Cells to look at.
    fn mark(&mut self, cells: &[Cell]) {
        let area = self.canvas.frame.area(cells.iter().copied(), 5.0);
        self.canvas.drawing.path(&[&MARKED], &area);
        if let [cell] | [cell, _] | [cell, _, _] = cells {
            self.canvas.finder(&FINDER, *cell);
        }
    }

    /// The ground of a part.
    fn tint(&mut self, index: usize, cells: &[Cell]) {
        let mut sorted = cells.to_vec();
        sorted.sort();
        let area = self.canvas.frame.area(sorted, 0.0);
        self.canvas.drawing.path(&[svg::series_tint(index)], &area);
    }

    /// A dot a cell: a small square on its corner.
    fn dots(&self, cells: impl Iterator<Item = Cell>, radius: f64) -> Path {
        let mut path = Path::new();
        for cell in cells {
            diamond(&mut path, self.canvas.frame.centre(cell), radius);
        }
        path
    }

    /// The sides of cells of the set whose other cell is not in it.
    fn border(&self, set: &CellSet) -> Path {
        let mut path = Path::new();
        for cell in set.iter() {
            let (x, y) = self.canvas.frame.corner(cell);
            for direction in Direction::ALL {
                if set.contains(cell.step(direction)) {
                    continue;
                }
                let (from, to) = match direction {
                    Direction::North => ((x, y), (x + CELL, y)),
                    Direction::East => ((x + CELL, y), (x + CELL, y + CELL)),
                    Direction::South => ((x, y + CELL), (x + CELL, y + CELL)),
                    Direction::West => ((x, y), (x, y + CELL)),
                };
                path.move_to(from);
                path.line_to(to);
            }
        }
        path
    }

    /// The free cells that a walk from `start` reaches without `removed`.
    fn part(&self, start: Cell, removed: &CellSet) -> Vec<Cell> {
        let mut seen = removed.clone();
        seen.insert(start);
        let mut part = vec![start];
        let mut next = 0;
        while let Some(&cell) = part.get(next) {
            next += 1;
            for other in cell.neighbours() {
                if self.canvas.board.is_free(other) && seen.insert(other) {
                    part.push(other);
                }
            }
        }
        part
    }
}

/// `A` to `Z` where that is enough for all of them, and numbers from 1 otherwise.
fn label(index: usize, count: usize) -> String {
    match u8::try_from(index) {
        Ok(index) if count <= LETTERS => char::from(b'A' + index).to_string(),
        _ => (index + 1).to_string(),
    }
}
