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
use crate::svg::{CELL, Drawing, MUTED, Path, Point, Sheet, Style};

mod frame;

use frame::{
    ABOVE, DRAGGED, FRAME_HEIGHT, FRAME_WIDTH, Frame, Mark, arrow, mark_hopeless, mark_vanishing,
    places, tile,
};

/// The most frames side by side.
const FRAMES_A_ROW: usize = 6;
/// Between two frames.
const GAP: f64 = 34.0;
const THEN: Style = Style::line(
    "then",
    MUTED,
    "fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round",
);

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
        drawing.open(&[], (x, y), &format!("{}, {}", frame.name, frame.words));
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
    let mut sheet = Sheet::new(width, height, &heading, &description(board, answer)).of_frames();
    if answer.moves.is_empty() {
        sheet.note("The board is empty, so it takes no move.");
    } else {
        sheet.note("Columns x count from the left, heights y from the bottom, both from 0; g is 1 to the right and −1 to the left.");
        sheet.key("the dragged block, and where it goes and falls", |drawing| {
            let frame = CELL * 0.7;
            drawing.rectangle(&[&DRAGGED], (-CELL * 0.55, -frame / 2.0), frame, frame, 7.0);
            arrow(drawing, &[(-CELL * 0.2, 0.0), (CELL * 0.5, 0.0)], (1.0, 0.0));
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
    let heading = format!("Mayan: impossible in {how}");
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
        Reason::Exhausted { positions } => {
            let looked_at = match positions {
                0 => String::new(),
                positions => format!(" ({positions} positions)"),
            };
            (None, format!("A finished search found no moves that clear the board{looked_at}."))
        }
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
    let (name, words, mark) = match blocks.is_empty() {
        true => ("Cleared", "no block is left", Mark::Cleared),
        false => ("The end", "", Mark::None),
    };
    frames.push(Frame { name: name.to_owned(), words: words.to_owned(), blocks, mark });
    frames
}

fn chevron((x, y): Point) -> Path {
    let mut path = Path::new();
    path.move_to((x - 4.0, y - 8.0));
    path.line_to((x + 4.0, y));
    path.line_to((x - 4.0, y + 8.0));
    path
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
