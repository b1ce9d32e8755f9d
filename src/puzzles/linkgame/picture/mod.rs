//! The picture: one board with its pairs numbered in the order in which they go, and
//! the path of each.
//!
//! A path is drawn where it runs when its pair goes, which is over tiles that went
//! before it. So that hundreds of paths stay apart, each keeps to a lane of its own: the
//! first of seven that no other path uses in the same cells and direction. Paths lie
//! over the tiles but under what is written on them, and the number on two tiles says that
//! they belong together; colours and dashes only help the eye.
//!
//! Under gravity tiles move, and one board can't show where a path ran: then there is
//! a frame a move, as long as all frames together have at most [`MAX_FRAME_TILES`]
//! tiles, and the numbers alone beyond that.

mod frames;
mod lanes;

use std::collections::BTreeMap;

use lanes::{Lanes, route};

use super::board::{Answer, Board, Move, Reason};
use crate::grid::Cell;
use crate::svg::{self, CELL, Drawing, Path, Sheet, Style};

/// From so many pairs on, paths are thin and pale, so that the tiles can be read.
const MANY: usize = 60;

/// The most tiles of all frames under gravity: about two megabytes.
const MAX_FRAME_TILES: usize = 12_000;

const TILE_EDGE: Style = Style::line("edge", svg::FAINT, "stroke-width:1");
const DIMMED: Style = Style::bare("dim", "opacity:.38");
const MARKED: Style = Style::line("marked", svg::WARNING, "fill:none;stroke-width:4");
const TAKEN: Style = Style::line("taken", svg::INK, "stroke-width:3");
const PATH: Style = Style::bare(
    "path",
    "fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round;stroke-opacity:.9",
);
const PLUG: Style = Style::bare("plug", "fill:none;stroke-width:3.5");
const THIN_PATH: Style = Style::bare(
    "thin",
    "fill:none;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round;stroke-opacity:.6",
);
const THIN_PLUG: Style = Style::bare("thin-plug", "fill:none;stroke-width:2.5");
const OUTSIDE: Style =
    Style::line("outside", svg::FAINT, "fill:none;stroke-width:1.5;stroke-dasharray:4 4");
const GLYPH: Style = Style::bare(
    "glyph",
    "text-anchor:middle;stroke-width:5;stroke-linejoin:round;paint-order:stroke",
);
const NUMBER: Style = Style::bare(
    "number",
    "text-anchor:end;font-weight:600;stroke-width:4;stroke-linejoin:round;paint-order:stroke",
);

/// Text on a tile of each tint, with the tint around it, so that no path runs through it.
const WRITING: [Style; 8] = {
    const fn on(name: &'static str, tint: usize) -> Style {
        Style { name, fill: Some(svg::INK), stroke: svg::SERIES_TINTS[tint].fill, rest: "" }
    }
    [
        on("w0", 0),
        on("w1", 1),
        on("w2", 2),
        on("w3", 3),
        on("w4", 4),
        on("w5", 5),
        on("w6", 6),
        on("w7", 7),
    ]
};

/// Draws the board with its answer, or with what its reason names.
pub(super) fn draw(board: &Board, answer: Result<&Answer, &Reason>) -> String {
    match answer {
        Ok(answer) if answer.moves.is_empty() => empty(board),
        Ok(answer) if board.rules().gravity => {
            frames::draw(board, &answer.moves).unwrap_or_else(|| numbered(board, &answer.moves))
        }
        Ok(answer) => cleared(board, &answer.moves),
        Err(reason) => refused(board, reason),
    }
}

/// A board on which there is nothing to do.
fn empty(board: &Board) -> String {
    let canvas = Canvas::new(board, false);
    let heading = "Lianliankan: nothing to clear";
    let description = format!("An empty board of {}.", board.size());
    canvas.sheet(heading, &description).finish(&canvas.drawing)
}

/// The board with the pairs' numbers and their paths.
fn cleared(board: &Board, moves: &[Move]) -> String {
    let leaves = |played: &Move| played.path.iter().any(|&cell| !board.size().contains(cell));
    let mut canvas = Canvas::new(board, moves.iter().any(leaves));
    let numbers = numbers(moves.iter().flat_map(ends).collect());
    canvas.tiles(&|_| false);
    let mut lanes = Lanes::new(board.size());
    for (index, played) in moves.iter().enumerate() {
        canvas.path(index, played, lanes.offset(&played.path), moves.len() >= MANY);
    }
    canvas.writing(&|_| false, &|cell| numbers.get(&cell).map(usize::to_string));
    let mut sheet = canvas.sheet(&heading(moves), &story(board, moves));
    sheet.key(
        "The order in which the pairs go: both tiles of a pair carry its number.",
        |drawing| tile_mark(drawing, "1"),
    );
    sheet.key(
        "The path of a pair. It may cross tiles that went before; colours and dashes only tell \
         neighbours apart.",
        |drawing| path_mark(drawing, 0),
    );
    sheet.finish(&canvas.drawing)
}

/// The board with the pairs' numbers alone.
fn numbered(board: &Board, moves: &[Move]) -> String {
    let mut canvas = Canvas::new(board, false);
    let numbers = numbers(frames::first_places(board, moves));
    canvas.tiles(&|_| false);
    canvas.writing(&|_| false, &|cell| numbers.get(&cell).map(usize::to_string));
    let mut sheet = canvas.sheet(&heading(moves), &story(board, moves));
    sheet.note("Columns fall after each removal, so that tiles move and paths are left out here.");
    sheet.key(
        "The order in which the pairs go: both tiles of a pair carry its number.",
        |drawing| tile_mark(drawing, "1"),
    );
    sheet.finish(&canvas.drawing)
}

/// The board with what a reason names.
fn refused(board: &Board, reason: &Reason) -> String {
    let (cells, note, key) = match reason {
        Reason::OddKind { kind, count } => (
            board.tiles().filter(|(_, tile)| tile == kind).map(|(cell, _)| cell).collect(),
            format!(
                "There are {count} tiles {}: an odd number can't go in pairs.",
                svg::glyph(*kind)
            ),
            "The tiles of this kind, counted.",
        ),
        Reason::Locked { cells } => (
            cells.clone(),
            format!(
                "These {} tiles lock each other in: even if every other tile were no obstacle, \
                 none of them could be joined to another of its kind.",
                cells.len()
            ),
            "The tiles that lock each other in, counted.",
        ),
        Reason::Exhausted { positions } => (
            Vec::new(),
            format!("A finished search of {positions} positions found no order that clears it."),
            "",
        ),
    };
    let mut canvas = Canvas::new(board, false);
    let numbers: BTreeMap<_, _> = cells.iter().copied().zip(1..).collect();
    let is_dimmed = |cell| !numbers.is_empty() && !numbers.contains_key(&cell);
    canvas.tiles(&is_dimmed);
    for &cell in &cells {
        canvas.outline(&MARKED, cell);
    }
    canvas.writing(&is_dimmed, &|cell| numbers.get(&cell).map(usize::to_string));
    let places = listed(&cells);
    let description = format!("A board of {}. {note}{places}", board.size());
    let mut sheet = canvas.sheet("Lianliankan: can’t be cleared", &description);
    sheet.note(&note);
    if !key.is_empty() {
        sheet.key(key, |drawing| {
            tile_mark(drawing, "1");
            drawing.rectangle(&[&MARKED], (-16.0, -16.0), 32.0, 32.0, 6.0);
        });
    }
    sheet.finish(&canvas.drawing)
}

/// A board being drawn.
struct Canvas<'board> {
    board: &'board Board,
    kinds: BTreeMap<char, usize>,
    frame: svg::Board,
    drawing: Drawing,
}

impl<'board> Canvas<'board> {
    /// The empty board; `ring` leaves room for paths outside of it.
    fn new(board: &'board Board, ring: bool) -> Self {
        let frame = svg::Board::new(board.size(), ring);
        let mut drawing = Drawing::new();
        if ring {
            let (x, y) = frame.corner(Cell::new(-1, -1));
            let size = board.size();
            let (width, height) = ((size.cols + 2) as f64 * CELL, (size.rows + 2) as f64 * CELL);
            drawing.rectangle(&[&OUTSIDE], (x, y), width, height, CELL / 2.0);
        }
        frame.ground(&mut drawing);
        Self { board, kinds: kinds(board), frame, drawing }
    }

    /// Every tile, without what is written on it.
    fn tiles(&mut self, is_dimmed: &dyn Fn(Cell) -> bool) {
        for (cell, tile) in self.board.tiles() {
            let (x, y) = self.frame.corner(cell);
            let tint = svg::series_tint(self.kinds[&tile]);
            let classes = [tint, &TILE_EDGE, &DIMMED];
            let classes = if is_dimmed(cell) { &classes[..] } else { &classes[..2] };
            self.drawing.rectangle(classes, (x + 3.0, y + 3.0), CELL - 6.0, CELL - 6.0, 6.0);
        }
    }

    /// What is written on the tiles: their kind, and a number in the corner.
    fn writing(
        &mut self,
        is_dimmed: &dyn Fn(Cell) -> bool,
        number: &dyn Fn(Cell) -> Option<String>,
    ) {
        for (cell, tile) in self.board.tiles() {
            let (x, y) = self.frame.corner(cell);
            let writing = &WRITING[self.kinds[&tile] % WRITING.len()];
            let classes = [&GLYPH, writing, &DIMMED];
            let classes = if is_dimmed(cell) { &classes[..] } else { &classes[..2] };
            let number = number(cell);
            let text = svg::glyph(tile);
            let middle = match number {
                Some(_) if text.chars().count() > 2 => (x + 20.0, y + 25.0),
                Some(_) => (x + 16.0, y + 24.5),
                None => (x + 20.0, y + 20.0),
            };
            self.drawing.text(classes, middle, glyph_size(&text), &text);
            if let Some(number) = number {
                let size = if number.len() < 3 { 12.0 } else { 11.0 };
                self.drawing.text(&[&NUMBER, writing], (x + 35.0, y + 11.0), size, &number);
            }
        }
    }

    /// The path of a pair, moved sideways into its lane.
    fn path(&mut self, index: usize, played: &Move, offset: f64, is_thin: bool) {
        let [colour, dash] = svg::series_line(index);
        let (line, plugs) = route(&self.frame, &played.path, offset);
        let (path, plug, radius) =
            if is_thin { (&THIN_PATH, &THIN_PLUG, 1.2) } else { (&PATH, &PLUG, 1.6) };
        self.drawing.path(&[path, colour, dash], &line);
        for end in plugs {
            self.drawing.circle(&[plug, colour], end, radius);
        }
    }

    /// A line around a tile.
    fn outline(&mut self, style: &Style, cell: Cell) {
        let (x, y) = self.frame.corner(cell);
        self.drawing.rectangle(&[style], (x + 3.0, y + 3.0), CELL - 6.0, CELL - 6.0, 6.0);
    }

    fn sheet(&self, heading: &str, description: &str) -> Sheet {
        Sheet::new(self.frame.width(), self.frame.height(), heading, description)
    }
}

/// Each kind's number, in the order in which the board shows them first.
fn kinds(board: &Board) -> BTreeMap<char, usize> {
    let mut kinds = BTreeMap::new();
    for (_, tile) in board.tiles() {
        let next = kinds.len();
        kinds.entry(tile).or_insert(next);
    }
    kinds
}

/// The two tiles of a move.
fn ends(played: &Move) -> [Cell; 2] {
    let first = played.path.first().copied().unwrap_or(Cell::new(0, 0));
    [first, played.path.last().copied().unwrap_or(first)]
}

/// The number of each tile, from the tiles in order, two a move.
fn numbers(ends: Vec<Cell>) -> BTreeMap<Cell, usize> {
    ends.into_iter().enumerate().map(|(index, cell)| (cell, index / 2 + 1)).collect()
}

/// Letters as large as the tile allows.
fn glyph_size(text: &str) -> f64 {
    match text.chars().count() {
        0..=2 => 18.0,
        length => 46.0 / length as f64,
    }
}

fn heading(moves: &[Move]) -> String {
    match moves.len() {
        1 => "Lianliankan: cleared by one pair".to_owned(),
        count => format!("Lianliankan: cleared in {count} pairs"),
    }
}

/// The first moves in words.
fn story(board: &Board, moves: &[Move]) -> String {
    const TOLD: usize = 30;
    let told: Vec<_> = (1..)
        .zip(moves.iter().take(TOLD))
        .map(|(number, played)| {
            let [from, to] = ends(played);
            format!("{number}: {} from {from} to {to}", svg::glyph(played.tile))
        })
        .collect();
    let rest = match moves.len().saturating_sub(TOLD) {
        0 => ".".to_owned(),
        rest => format!("; and {rest} more."),
    };
    format!("A board of {}. The pairs in order: {}{rest}", board.size(), told.join("; "))
}

/// The first places of a list, in words.
fn listed(cells: &[Cell]) -> String {
    const TOLD: usize = 30;
    if cells.is_empty() {
        return String::new();
    }
    let told: Vec<_> = cells.iter().take(TOLD).map(Cell::to_string).collect();
    let more = if cells.len() > TOLD { " and more" } else { "" };
    format!(" They are {}{more}.", told.join(", "))
}

/// A tile of the legend.
fn tile_mark(drawing: &mut Drawing, number: &str) {
    let tint = svg::series_tint(6);
    drawing.rectangle(&[tint, &TILE_EDGE], (-17.0, -17.0), 34.0, 34.0, 6.0);
    drawing.text(&[&NUMBER, &WRITING[6]], (12.0, -2.0), 22.0, number);
}

/// A path of the legend.
fn path_mark(drawing: &mut Drawing, index: usize) {
    let [colour, dash] = svg::series_line(index);
    let mut line = Path::new();
    line.rounded(&[(-17.0, 10.0), (0.0, 10.0), (0.0, -10.0), (17.0, -10.0)], 9.0);
    drawing.path(&[&PATH, colour, dash], &line);
}
