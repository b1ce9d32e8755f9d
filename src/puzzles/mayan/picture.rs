//! The picture: the moves as a strip of frames, or the board with what makes it hopeless.
//!
//! A move is a frame of the board before it, with an arrow on the dragged block; then
//! comes a frame for each round of what vanishes, with those blocks framed and starred.
//! The board after a move is the next move's first frame, and the last frame is the
//! board that is left. No more than 35 blocks vanish, three a round, so ten moves take
//! at most 22 frames; they are wrapped into rows that are equally long.

use std::fmt::Write as _;

use super::answer::{Answer, Reason};
use super::board::{Blocks, Board, COLUMNS, Drag, Goal, HEIGHT, Move, Vanished};
use crate::svg::{
    ACCENT, CELL, Drawing, GRID, INK, MUTED, PANEL, PAPER, Path, Point, SERIES, SERIES_TINTS,
    Sheet, Style, Tone, WARNING,
};

/// The most frames side by side.
const FRAMES_A_ROW: usize = 6;
/// A frame's room for the heights at its left, and for its caption above.
const LEFT: f64 = 20.0;
const ABOVE: f64 = 50.0;
const BELOW: f64 = 22.0;
/// Between two frames.
const GAP: f64 = 34.0;
const FRAME_WIDTH: f64 = LEFT + COLUMNS as f64 * CELL;
const FRAME_HEIGHT: f64 = ABOVE + HEIGHT as f64 * CELL + BELOW;

const WELL: Style =
    Style { rest: "stroke-width:1.5", stroke: Some(GRID), ..Style::area("well", PANEL) };
const LINES: Style = Style::line("lines", GRID, "fill:none;stroke-width:1");
const AXIS: Style = Style { rest: "text-anchor:middle", ..Style::area("axis", MUTED) };
const TILE_EDGE: Style = Style::bare("tile", "stroke-width:1.5");
const NUMBER: Style =
    Style { rest: "text-anchor:middle;font-weight:600", ..Style::area("number", INK) };
const MOVE_NAME: Style = Style { rest: "font-weight:700", ..Style::area("move", ACCENT) };
const NAME: Style = Style { rest: "font-weight:700", ..Style::area("name", INK) };
const WORDS: Style = Style::area("words", MUTED);
const THEN: Style = Style::line(
    "then",
    MUTED,
    "fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round",
);
const DRAGGED: Style = Style::line("dragged", ACCENT, "fill:none;stroke-width:4");
const ARROW: Style = Style::line(
    "arrow",
    ACCENT,
    "fill:none;stroke-width:5;stroke-linecap:round;stroke-linejoin:round",
);
const ARROW_HALO: Style = Style::line(
    "halo",
    PAPER,
    "fill:none;stroke-width:10;stroke-linecap:round;stroke-linejoin:round",
);
const VANISHING: Style =
    Style::line("vanishing", INK, "fill:none;stroke-width:3;stroke-dasharray:7 4");
const STAR: Style =
    Style { stroke: Some(PAPER), rest: "stroke-width:1.5", ..Style::area("star", INK) };
const BAD: Style = Style::line("bad", WARNING, "fill:none;stroke-width:4");
const BAD_SIGN: Style =
    Style { stroke: Some(PAPER), rest: "stroke-width:1.5", ..Style::area("bad-sign", WARNING) };
const BAD_MARK: Style =
    Style { rest: "text-anchor:middle;font-weight:800", ..Style::area("bad-mark", PAPER) };

/// The two colours beyond the eight series, so that no two of the ten look alike.
const NINTH: [Style; 2] = [
    Style::area("t8", Tone::new("#f6cfd0", "#6b2230")),
    Style::line("s8", Tone::new("#b4303f", "#ff9aa2"), ""),
];
const TENTH: [Style; 2] = [
    Style::area("t9", Tone::new("#e3eab8", "#414a0c")),
    Style::line("s9", Tone::new("#6b7a00", "#c9d65a"), ""),
];

/// Draws the board with its answer, or with what its reason names.
pub(super) fn draw(board: &Board, answer: Result<&Answer, &Reason>) -> String {
    match answer {
        Ok(answer) => draw_answer(board, answer),
        Err(reason) => draw_reason(board, reason),
    }
}

fn draw_answer(board: &Board, answer: &Answer) -> String {
    let frames = frames(board, answer);
    let rows = frames.len().div_ceil(FRAMES_A_ROW);
    let a_row = frames.len().div_ceil(rows);
    let mut drawing = Drawing::new();
    for (index, frame) in frames.iter().enumerate() {
        let (row, col) = (index / a_row, index % a_row);
        let (x, y) = (col as f64 * (FRAME_WIDTH + GAP), row as f64 * (FRAME_HEIGHT + GAP));
        drawing.open(&[], (x, y), &format!("{}: {}", frame.name, frame.words));
        frame.draw(&mut drawing);
        drawing.close();
        if index + 1 < frames.len() && col + 1 < a_row {
            let middle =
                (x + FRAME_WIDTH + GAP / 2.0 + 5.0, y + ABOVE + HEIGHT as f64 * CELL / 2.0);
            drawing.path(&[&THEN], &chevron(middle));
        }
    }
    let width = a_row as f64 * (FRAME_WIDTH + GAP) - GAP;
    let height = rows as f64 * (FRAME_HEIGHT + GAP) - GAP;
    let heading = format!("Mayan: cleared in {}", counted(answer.moves.len(), "move"));
    let mut sheet = Sheet::new(width, height, &heading, &description(board, answer));
    if answer.moves.is_empty() {
        sheet.note("The board is empty, so it takes no move.");
    } else {
        sheet.note("Columns x count from the left, heights y from the bottom, both from 0; g is 1 to the right and −1 to the left.");
        sheet.key("the dragged block, where it goes, and where it falls", |drawing| {
            tile(drawing, (-CELL / 2.0, -CELL / 2.0), 1);
            let frame = CELL - 6.0;
            drawing.rectangle(&[&DRAGGED], (-frame / 2.0, -frame / 2.0), frame, frame, 7.0);
        });
    }
    if answer.cascade.iter().any(|rounds| !rounds.is_empty()) {
        sheet.key("blocks that vanish together", |drawing| {
            tile(drawing, (-CELL / 2.0, -CELL / 2.0), 1);
            mark_vanishing(drawing, (-CELL / 2.0, -CELL / 2.0));
        });
    }
    sheet.finish(&drawing)
}

fn draw_reason(board: &Board, reason: &Reason) -> String {
    let steps = counted(board.steps().into(), "move");
    let how = match board.rules().goal {
        Goal::Exact => format!("exactly {steps}"),
        Goal::Fewest => format!("at most {steps}"),
    };
    let heading = format!("Mayan: can’t be cleared in {how}");
    let (hopeless, why) = match *reason {
        Reason::TooFew { colour, count } => (
            Some(colour),
            format!(
                "There {} only {} of colour {colour}, and blocks vanish by threes.",
                if count == 1 { "is" } else { "are" },
                counted(count, "block"),
            ),
        ),
        Reason::TooFar { colour, bound, steps } => (
            Some(colour),
            format!(
                "The blocks of colour {colour} are too far apart: to bring them into lines takes \
                 at least {}, and there {} {steps}.",
                counted(bound.into(), "move"),
                if steps == 1 { "is" } else { "are" },
            ),
        ),
        Reason::Exhausted { positions } => (
            None,
            format!("Every sequence of moves was ruled out, in {positions} positions looked at."),
        ),
    };
    let is_hopeless =
        |&(x, y): &(usize, usize)| hopeless.is_some() && board.blocks().colour(x, y) == hopeless;
    let frame = Frame {
        name: "The board".to_owned(),
        words: String::new(),
        blocks: *board.blocks(),
        mark: Mark::Hopeless(places().filter(is_hopeless).collect()),
    };
    let mut drawing = Drawing::new();
    frame.draw(&mut drawing);
    let description = format!("{} {why}", columns_in_words(board.blocks()));
    let mut sheet = Sheet::new(FRAME_WIDTH, FRAME_HEIGHT, &heading, &description);
    sheet.note(&why);
    if let Some(colour) = hopeless {
        sheet.key(&format!("the blocks of colour {colour}"), |drawing| {
            tile(drawing, (-CELL / 2.0, -CELL / 2.0), colour);
            mark_hopeless(drawing, (-CELL / 2.0, -CELL / 2.0));
        });
    }
    sheet.finish(&drawing)
}

/// One board of the strip.
struct Frame {
    name: String,
    words: String,
    blocks: Blocks,
    mark: Mark,
}

enum Mark {
    None,
    Drag(Move),
    Vanishing(Vec<Vanished>),
    Hopeless(Vec<(usize, usize)>),
}

fn frames(board: &Board, answer: &Answer) -> Vec<Frame> {
    let mut blocks = *board.blocks();
    let mut frames = Vec::new();
    for (index, &played) in answer.moves.iter().enumerate() {
        frames.push(Frame {
            name: format!("Move {}", index + 1),
            words: in_words(played),
            blocks,
            mark: Mark::Drag(played),
        });
        if blocks.drag(played, board.rules().same_colour_swaps).is_err() {
            // A checked answer has no such move.
            break;
        }
        loop {
            let before = blocks;
            let round = blocks.vanish();
            if round.is_empty() {
                break;
            }
            frames.push(Frame {
                name: format!("{} vanish", counted(round.len(), "block")),
                words: colours_in_words(&round),
                blocks: before,
                mark: Mark::Vanishing(round),
            });
        }
    }
    let (name, words) = match blocks.is_empty() {
        true => ("Cleared", "no block is left"),
        false => ("The end", ""),
    };
    frames.push(Frame { name: name.to_owned(), words: words.to_owned(), blocks, mark: Mark::None });
    frames
}

impl Frame {
    fn draw(&self, drawing: &mut Drawing) {
        let style = if matches!(self.mark, Mark::Drag(_)) { &MOVE_NAME } else { &NAME };
        drawing.text(&[style], (LEFT, 13.0), 19.0, &self.name);
        drawing.text(&[&WORDS], (LEFT, 35.0), 16.0, &self.words);
        well(drawing);
        for (x, y) in places() {
            if let Some(colour) = self.blocks.colour(x, y) {
                tile(drawing, corner(x, y), colour);
            }
        }
        match &self.mark {
            Mark::None => {}
            &Mark::Drag(played) => arrow(drawing, &self.blocks, played),
            Mark::Vanishing(round) => {
                for vanished in round {
                    mark_vanishing(drawing, corner(vanished.x, vanished.y));
                }
            }
            Mark::Hopeless(places) => {
                for &(x, y) in places {
                    mark_hopeless(drawing, corner(x, y));
                }
            }
        }
    }
}

/// The empty board, with its numbers.
fn well(drawing: &mut Drawing) {
    let (width, height) = (COLUMNS as f64 * CELL, HEIGHT as f64 * CELL);
    drawing.rectangle(&[&WELL], (LEFT, ABOVE), width, height, 4.0);
    let mut lines = Path::new();
    for x in 1..COLUMNS {
        lines.move_to((corner(x, 0).0, ABOVE));
        lines.line_to((corner(x, 0).0, ABOVE + height));
    }
    for y in 1..HEIGHT {
        lines.move_to((LEFT, corner(0, y - 1).1));
        lines.line_to((LEFT + width, corner(0, y - 1).1));
    }
    drawing.path(&[&LINES], &lines);
    for x in 0..COLUMNS {
        let (left, top) = corner(x, 0);
        drawing.text(&[&AXIS], (left + CELL / 2.0, top + CELL + 12.0), 13.0, &x.to_string());
    }
    for y in 0..HEIGHT {
        let (left, top) = corner(0, y);
        drawing.text(&[&AXIS], (left - 10.0, top + CELL / 2.0), 13.0, &y.to_string());
    }
}

/// A block whose place has this upper left corner.
fn tile(drawing: &mut Drawing, (left, top): Point, colour: u8) {
    let [tint, line] = match colour {
        9 => [&NINTH[0], &NINTH[1]],
        10 => [&TENTH[0], &TENTH[1]],
        _ => {
            let index = usize::from(colour.saturating_sub(1)) % SERIES.len();
            [&SERIES_TINTS[index], &SERIES[index]]
        }
    };
    let (side, at) = (CELL - 6.0, (left + 3.0, top + 3.0));
    drawing.rectangle(&[tint, line, &TILE_EDGE], at, side, side, 7.0);
    let middle = (left + CELL / 2.0, top + CELL / 2.0);
    drawing.text(&[&NUMBER], middle, 18.0, &colour.to_string());
}

/// A frame around the block and an arrow to where it goes; where that is empty, on to
/// where it falls.
fn arrow(drawing: &mut Drawing, blocks: &Blocks, Move { x, y, drag }: Move) {
    let sign = f64::from(drag.sign());
    let (left, top) = corner(x, y);
    drawing.rectangle(&[&DRAGGED], (left + 3.0, top + 3.0), CELL - 6.0, CELL - 6.0, 7.0);
    let middle = (left + CELL / 2.0, top + CELL / 2.0);
    let to = match drag {
        Drag::Right => x + 1,
        Drag::Left => x.saturating_sub(1),
    };
    // It begins and ends beside the numbers, which stay readable.
    let start = (middle.0 + sign * 0.32 * CELL, middle.1);
    let beyond = middle.0 + sign * CELL;
    let mut points = vec![start];
    let floor = if to < COLUMNS { blocks.height(to) } else { y };
    if floor > y {
        points.push((middle.0 + sign * 0.74 * CELL, middle.1));
    } else {
        points.push((beyond, middle.1));
        if floor < y {
            points.push((beyond, corner(to, floor).1 + CELL / 2.0));
        }
    }
    let mut path = Path::new();
    path.rounded(&points, 10.0);
    let tip = points[points.len() - 1];
    let back = if floor < y {
        [(-7.0, -8.0), (7.0, -8.0)]
    } else {
        [(-8.0 * sign, -7.0), (-8.0 * sign, 7.0)]
    };
    path.move_to((tip.0 + back[0].0, tip.1 + back[0].1));
    path.line_to(tip);
    path.line_to((tip.0 + back[1].0, tip.1 + back[1].1));
    drawing.path(&[&ARROW_HALO], &path);
    drawing.path(&[&ARROW], &path);
}

/// A dashed frame, and a star in the corner.
fn mark_vanishing(drawing: &mut Drawing, (left, top): Point) {
    drawing.rectangle(&[&VANISHING], (left + 3.0, top + 3.0), CELL - 6.0, CELL - 6.0, 7.0);
    let (x, y) = (left + CELL - 6.0, top + 6.0);
    let mut star = Path::new();
    star.move_to((x, y - 9.0));
    for (along, down) in
        [(2.5, -2.5), (9.0, 0.0), (2.5, 2.5), (0.0, 9.0), (-2.5, 2.5), (-9.0, 0.0), (-2.5, -2.5)]
    {
        star.line_to((x + along, y + down));
    }
    star.close();
    drawing.path(&[&STAR], &star);
}

/// A frame, and an exclamation mark in the corner.
fn mark_hopeless(drawing: &mut Drawing, (left, top): Point) {
    drawing.rectangle(&[&BAD], (left + 3.0, top + 3.0), CELL - 6.0, CELL - 6.0, 7.0);
    let sign = (left + CELL - 6.0, top + 6.0);
    drawing.circle(&[&BAD_SIGN], sign, 8.0);
    drawing.text(&[&BAD_MARK], sign, 12.0, "!");
}

fn chevron((x, y): Point) -> Path {
    let mut path = Path::new();
    path.move_to((x - 4.0, y - 8.0));
    path.line_to((x + 4.0, y));
    path.line_to((x - 4.0, y + 8.0));
    path
}

fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..COLUMNS).flat_map(|x| (0..HEIGHT).map(move |y| (x, y)))
}

/// The upper left corner of a place; heights grow upwards.
fn corner(x: usize, y: usize) -> Point {
    (LEFT + x as f64 * CELL, ABOVE + (HEIGHT - 1 - y) as f64 * CELL)
}

/// What is heard instead of seen.
fn description(board: &Board, answer: &Answer) -> String {
    let mut text = columns_in_words(board.blocks());
    for (index, (&played, rounds)) in answer.moves.iter().zip(&answer.cascade).enumerate() {
        let _ = write!(text, " Move {}: {}", index + 1, in_words(played));
        for round in rounds {
            let _ = write!(
                text,
                "; {} vanish, {}",
                counted(round.len(), "block"),
                colours_in_words(round)
            );
        }
        text.push('.');
    }
    text.push_str(" Then the board is empty.");
    text
}

fn columns_in_words(blocks: &Blocks) -> String {
    let mut text = String::from("The columns from the left, each from the bottom:");
    for x in 0..COLUMNS {
        let colours: Vec<_> = (0..HEIGHT)
            .filter_map(|y| blocks.colour(x, y))
            .map(|colour| colour.to_string())
            .collect();
        let column = if colours.is_empty() { "empty".to_owned() } else { colours.join(" ") };
        let _ = write!(text, " {column}{}", if x + 1 < COLUMNS { ";" } else { "." });
    }
    text
}

fn in_words(Move { x, y, drag }: Move) -> String {
    match drag {
        Drag::Right => format!("x {x}, y {y}, g 1 (right)"),
        Drag::Left => format!("x {x}, y {y}, g −1 (left)"),
    }
}

/// Such as `colours 1 and 3`.
fn colours_in_words(round: &[Vanished]) -> String {
    let mut colours: Vec<u8> = round.iter().map(|vanished| vanished.colour).collect();
    colours.sort_unstable();
    colours.dedup();
    let names: Vec<_> = colours.iter().map(u8::to_string).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => format!("colour {only}"),
        Some((last, others)) => format!("colours {} and {last}", others.join(", ")),
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
