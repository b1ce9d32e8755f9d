//! The picture: the tour as one rounded line with its start and arrows along it, or
//! the cells that show why there is none.
//!
//! Everything that is there once a cell is one path for the whole board, in whole units,
//! so that 500 × 500 cells take about two megabytes and not twenty.

mod marks;
mod refused;

use super::answer::Answer;
use super::board::Board;
use super::reason::Reason;
use crate::grid::{Cell, Direction};
use crate::svg::{self, CELL, Drawing, Path, Point, Sheet, Style};

const BLOCKED: Style = Style::area("blocked", svg::WALL);
const TOUR: Style =
    Style::line("tour", svg::ACCENT, "fill:none;stroke-width:9;stroke-linejoin:round");
const ARROWS: Style =
    Style { rest: "stroke-width:3;stroke-linejoin:round", ..both("arrows", svg::ACCENT) };
const START: Style =
    Style { fill: Some(svg::PAPER), ..Style::line("start", svg::ACCENT, "stroke-width:5") };
const FINDER: Style = Style::line("finder", svg::INK, "fill:none");
const LETTER: Style =
    Style { rest: "text-anchor:middle;font-weight:700", ..Style::area("letter", svg::INK) };

/// An area with a line of its own colour around it.
const fn both(name: &'static str, tone: svg::Tone) -> Style {
    Style { name, fill: Some(tone), stroke: Some(tone), rest: "" }
}

/// The most arrows along a tour.
const MAX_ARROWS: usize = 240;

/// The side from which on a single cell is hard to find, and has a ring around it.
const LARGE: usize = 32;

/// Draws the board with its answer, or with what its reason names.
pub(super) fn draw(board: &Board, answer: Result<&Answer, &Reason>) -> String {
    match answer {
        Ok(answer) => tour(board, answer),
        Err(reason) => refused::draw(board, reason),
    }
}

fn tour(board: &Board, answer: &Answer) -> String {
    let mut canvas = Canvas::new(board);
    let mut cells = Vec::with_capacity(answer.moves.len());
    let mut cell = board.start();
    for &direction in &answer.moves {
        cells.push(cell);
        cell = cell.step(direction);
    }
    canvas.ring(&TOUR, &cells);
    let arrows = canvas.arrows(&cells, &answer.moves);
    canvas.drawing.path(&[&ARROWS], &arrows);
    canvas.start(board.start());
    let first = answer.moves.first().copied().unwrap_or(Direction::East);
    let steps = answer.moves.len();
    let heading = format!("Rook circuit: a tour of {steps} cells");
    let description = format!(
        "A board of {}. The tour begins at {} and takes the steps {}.",
        board.size(),
        board.start(),
        letters(&answer.moves)
    );
    let mut sheet = canvas.sheet(&heading, &description);
    if let Some(text) = extras(answer) {
        sheet.note(&text);
    }
    let start = board.start();
    let ringed = if canvas.is_large() { ", in a ring" } else { "" };
    let first = name(first);
    sheet.key(&format!("The start, {start}{ringed}; the first step goes {first}."), start_mark);
    sheet.key("The tour, and its direction.", |drawing| {
        let mut line = Path::new();
        line.rounded(&[(-18.0, 0.0), (18.0, 0.0)], 0.0);
        drawing.path(&[&TOUR], &line);
        let mut arrow = Path::new();
        arrow.arrow_head((11.0, 0.0), (1.0, 0.0), 19.0);
        drawing.path(&[&ARROWS], &arrow);
    });
    canvas.key_of_blocked(&mut sheet);
    sheet.finish(&canvas.drawing)
}

/// What was asked beyond the tour, as far as it is known.
fn extras(answer: &Answer) -> Option<String> {
    let unique = answer.unique.map(|unique| match unique {
        true => "It is the only circuit.".to_owned(),
        false => "There are others.".to_owned(),
    });
    let count = answer.count.as_deref().map(|count| match count {
        "1" => "There is exactly one circuit.".to_owned(),
        _ => format!("There are {count} circuits."),
    });
    count.or(unique)
}

/// A board being drawn.
struct Canvas<'board> {
    board: &'board Board,
    frame: svg::Board,
    drawing: Drawing,
}

impl<'board> Canvas<'board> {
    /// The board with its blocked cells.
    fn new(board: &'board Board) -> Self {
        let frame = svg::Board::new(board.size(), false);
        let mut drawing = Drawing::new();
        frame.ground(&mut drawing);
        let blocked = board.size().cells().filter(|&cell| !board.is_free(cell));
        drawing.path(&[&BLOCKED], &frame.area(blocked, 0.0));
        Self { board, frame, drawing }
    }

    fn sheet(&self, heading: &str, description: &str) -> Sheet {
        Sheet::new(self.frame.width(), self.frame.height(), heading, description)
    }

    /// Explains the blocked cells, if there are any.
    fn key_of_blocked(&self, sheet: &mut Sheet) {
        if self.board.free().len() < self.board.size().area() {
            sheet.key("A blocked cell.", |drawing| {
                drawing.rectangle(&[&BLOCKED], (-14.0, -14.0), 28.0, 28.0, 0.0);
            });
        }
    }

    /// A closed line through the cells, in order.
    fn ring(&mut self, style: &Style, cells: &[Cell]) {
        let points: Vec<_> = cells.iter().map(|&cell| self.frame.centre(cell)).collect();
        let mut line = Path::new();
        line.rounded_ring(&points, 14.0);
        self.drawing.path(&[style], &line);
    }

    /// Arrow heads along the tour, about equally far apart.
    fn arrows(&self, cells: &[Cell], moves: &[Direction]) -> Path {
        let apart = (moves.len() / MAX_ARROWS).max(5);
        // A large board is shown small: there they are as wide as a cell.
        let size = if self.is_large() { 28.0 } else { 17.0 };
        let mut arrows = Path::new();
        let straight = (0..moves.len()).filter(|&step| step > 0 && moves[step] == moves[step - 1]);
        let mut next = 1;
        for step in straight {
            if step >= next {
                let direction = vector(moves[step]);
                let (x, y) = self.frame.centre(cells[step]);
                let tip = (x + direction.0 * size * 0.6, y + direction.1 * size * 0.6);
                arrows.arrow_head(tip, direction, size);
                next = step + apart;
            }
        }
        arrows
    }

    /// The mark of the start, with a ring around it on a board so large that it
    /// would not be seen.
    fn start(&mut self, cell: Cell) {
        let centre = self.frame.centre(cell);
        self.drawing.circle(&[&START], centre, 14.0);
        self.drawing.text(&[&LETTER], centre, 17.0, "S");
        self.finder(&FINDER, cell);
    }

    /// Whether a cell is small when all of the board is seen.
    fn is_large(&self) -> bool {
        self.board.size().rows.max(self.board.size().cols) >= LARGE
    }

    /// A ring that leads the eye to a cell of a large board.
    fn finder(&mut self, style: &Style, cell: Cell) {
        if self.is_large() {
            let size = self.board.size();
            let side = size.rows.max(size.cols) as f64 * CELL;
            let radius = (side / 60.0).max(CELL);
            self.drawing.ring(&[style], self.frame.centre(cell), radius, side / 400.0);
        }
    }
}

fn start_mark(drawing: &mut Drawing) {
    drawing.circle(&[&START], (0.0, 0.0), 14.0);
    drawing.text(&[&LETTER], (0.0, 0.0), 17.0, "S");
}

/// The step as a vector of length 1.
fn vector(direction: Direction) -> Point {
    let (down, along) = direction.offset();
    (f64::from(along), f64::from(down))
}

const fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "north",
        Direction::East => "east",
        Direction::South => "south",
        Direction::West => "west",
    }
}

/// The first steps as letters.
fn letters(moves: &[Direction]) -> String {
    const TOLD: usize = 200;
    let told: String = moves.iter().take(TOLD).map(|step| step.letter()).collect();
    match moves.len().saturating_sub(TOLD) {
        0 => told,
        rest => format!("{told} and {rest} more"),
    }
}
