//! The picture: the boards, their parts tinted by Grundy value, and the winning squares.
//!
//! The cells that a part's squares can cover belong to no other part, so each cell has
//! one tint at most. The value of a part is written on it as far as it is known
//! (`values.rs`). The first winning square is framed; of several, the others are shown by
//! a disc in their middle, since their frames would lie over each other.
//!
//! What has to be read or found is as large as the whole sheet demands. The greatest sum
//! (64 boards of 64 × 64) stays within a few megabytes: cells are drawn as runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::answer::{Answer, Extra, Never, Winner};
use super::board::{Move, MovesAsked, Position};
use crate::grid::Cell;
use crate::svg::{ACCENT, CELL, Drawing, INK, PAPER, Point, Sheet, Style};

mod layout;
mod plan;
mod values;

use layout::Layout;
use plan::Plan;
use values::{Part, parts_of};

/// A number stands in the discs up to so many moves, on boards of up to so many rows
/// and columns; beyond that it could not be read.
const MOST_NUMBERED: usize = 99;
const LONGEST_NUMBERED: usize = 32;
/// The most values that are written, part by part.
const MOST_VALUES: usize = 5000;
/// The most moves, values and boards that are told in words.
const MOST_IN_WORDS: usize = 20;

const CAPTION: Style = Style { rest: "font-weight:700", ..Style::area("caption", INK) };
const SQUARE: Style = Style::line("square", ACCENT, "fill:none;stroke-width:5");
const DISC: Style =
    Style { stroke: Some(PAPER), rest: "stroke-width:2", ..Style::area("disc", ACCENT) };
const DISC_NUMBER: Style =
    Style { rest: "text-anchor:middle;font-weight:700", ..Style::area("disc-number", PAPER) };
const RING: Style = Style::line("ring", ACCENT, "fill:none;stroke-width:6");

/// Draws the boards with their answer.
pub(super) fn draw(position: &Position, answer: Result<&Answer, &Never>) -> String {
    let answer = match answer {
        Ok(answer) => answer,
        Err(never) => match *never {},
    };
    let parts = parts_of(position, answer);
    let plans: Vec<_> = (0..position.len()).map(|board| Plan::new(position, board)).collect();
    let layout = Layout::new(&plans);
    let mut drawing = Drawing::new();
    let mut labels = MOST_VALUES;
    for (board, (plan, &at)) in plans.iter().zip(&layout.places).enumerate() {
        let parts = parts_on(&parts, board);
        if plans.len() > 1 {
            let left = at.0 + plan.corner(Cell::new(0, 0)).0;
            let baseline = at.1 - layout.caption * 0.6;
            drawing.text(&[&CAPTION], (left, baseline), layout.caption, &caption(board, parts));
        }
        drawing.put(&plan.draw(parts, labels), at);
        labels = labels.saturating_sub(parts.len());
    }
    draw_moves(&mut drawing, answer, &plans, &layout);
    let heading = format!("2×2 squares: the {} player wins", winner(answer));
    let description = description(position, answer, &parts);
    let mut sheet = Sheet::new(layout.width, layout.height, &heading, &description);
    for note in notes(answer, &parts, plans.len()) {
        sheet.note(&note);
    }
    legend(&mut sheet, answer, &parts, &plans);
    sheet.finish(&drawing)
}

/// The parts of one board; they stand together.
fn parts_on(parts: &[Part], board: usize) -> &[Part] {
    let start = parts.partition_point(|part| part.board < board);
    let end = parts.partition_point(|part| part.board <= board);
    &parts[start..end]
}

/// Discs in the middle of the winning squares, and a frame around the first.
fn draw_moves(drawing: &mut Drawing, answer: &Answer, plans: &[Plan], layout: &Layout) {
    let moves = answer.winning_moves.as_deref().unwrap_or_default();
    let is_numbered = (2..=MOST_NUMBERED).contains(&moves.len())
        && plans.iter().all(|plan| plan.longest() <= LONGEST_NUMBERED);
    let corner = |play: &Move| {
        let (at, inside) = (layout.places[play.board], plans[play.board].corner(play.cell));
        (at.0 + inside.0, at.1 + inside.1)
    };
    if let Some(first) = moves.first() {
        let (x, y) = corner(first);
        let longest = layout.width.max(layout.height);
        drawing.rectangle(&[&SQUARE], (x + 2.0, y + 2.0), CELL * 2.0 - 4.0, CELL * 2.0 - 4.0, 8.0);
        if longest > CELL * 150.0 {
            // The frame alone would be a few pixels wide.
            let mut ring = Drawing::new();
            ring.circle(&[&RING], (0.0, 0.0), 40.0);
            drawing.put_scaled(&ring, (x + CELL, y + CELL), longest / 3000.0);
        }
    }
    for (index, play) in moves.iter().enumerate() {
        let (x, y) = corner(play);
        let number = is_numbered.then_some(index + 1);
        draw_disc(drawing, (x + CELL, y + CELL), number);
    }
}

fn draw_disc(drawing: &mut Drawing, middle: Point, number: Option<usize>) {
    match number {
        Some(number) => {
            drawing.circle(&[&DISC], middle, CELL * 0.3);
            drawing.text(&[&DISC_NUMBER], middle, CELL * 0.32, &number.to_string());
        }
        None => drawing.circle(&[&DISC], middle, CELL * 0.25),
    }
}

const fn winner(answer: &Answer) -> &'static str {
    match answer.winner {
        Winner::First => "first",
        Winner::Second => "second",
    }
}

/// Such as `Board 2: value 5`.
fn caption(board: usize, parts: &[Part]) -> String {
    let value = parts.iter().try_fold(0, |value, part| part.value.map(|own| value ^ own));
    match value {
        Some(value) => format!("Board {board}: value {value}"),
        None => format!("Board {board}"),
    }
}

/// What stands below the heading.
fn notes(answer: &Answer, parts: &[Part], boards: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(value) = answer.grundy {
        let values: Option<Vec<_>> =
            parts.iter().map(|part| part.value.map(|value| value.to_string())).collect();
        notes.push(match values {
            Some(values) if (2..=12).contains(&values.len()) => {
                format!("Grundy value {value}, the exclusive or of {}.", values.join(", "))
            }
            _ => format!("Grundy value {value}."),
        });
    }
    match answer.winning_moves.as_deref() {
        None => {}
        Some([]) => notes.push("No square wins: to each there is an answer.".to_owned()),
        Some([first, others @ ..]) => notes.push(format!(
            "{} square at {}{}.",
            if others.is_empty() { "A winning" } else { "The first winning" },
            place(first, boards),
            match others.len() {
                0 => String::new(),
                more => format!("; {} in all", more + 1),
            },
        )),
    }
    for extra in &answer.undecided {
        notes.push(format!("Not decided within the limits: {}.", extra_name(*extra)));
    }
    if parts.len() > MOST_VALUES {
        notes.push(format!("Values are written on the first {MOST_VALUES} parts."));
    }
    notes
}

const fn extra_name(extra: Extra) -> &'static str {
    match extra {
        Extra::Grundy => "the Grundy value",
        Extra::WinningMoves => "the winning moves",
    }
}

fn place(play: &Move, boards: usize) -> String {
    let Move { board, cell } = play;
    match boards {
        1 => format!("row {}, column {}", cell.row, cell.col),
        _ => format!("board {board}, row {}, column {}", cell.row, cell.col),
    }
}

fn legend(sheet: &mut Sheet, answer: &Answer, parts: &[Part], plans: &[Plan]) {
    let moves = answer.winning_moves.as_deref().unwrap_or_default();
    if !moves.is_empty() {
        let text = match moves.len() {
            1 => "a winning square",
            _ => "the first winning square; a disc alone is the middle of another",
        };
        sheet.key(text, |drawing| {
            let side = CELL * 0.9;
            drawing.rectangle(&[&SQUARE], (-side / 2.0, -side / 2.0), side, side, 6.0);
            draw_disc(drawing, (0.0, 0.0), None);
        });
    }
    let mut counts: BTreeMap<Option<u32>, usize> = BTreeMap::new();
    for part in parts {
        *counts.entry(part.value).or_default() += 1;
    }
    // Those that are not known come last.
    let unknown = counts.remove(&None).map(|count| (None, count));
    for (value, count) in counts.into_iter().chain(unknown) {
        let parts = if count == 1 { "1 part".to_owned() } else { format!("{count} parts") };
        let text = match value {
            Some(value) => format!("Grundy value {value}: {parts}"),
            None => format!("value not worked out for the picture: {parts}"),
        };
        sheet.key(&text, |drawing| plan::draw_value(drawing, (0.0, 0.0), value));
    }
    if plans.iter().any(Plan::has_useless) {
        let text = "free, but no square fits";
        sheet.key(text, |drawing| plan::draw_useless(drawing, (0.0, 0.0)));
    }
    if plans.iter().any(Plan::has_taken) {
        sheet.key("taken", |drawing| plan::draw_taken(drawing, (0.0, 0.0)));
    }
}

/// What is heard instead of seen.
fn description(position: &Position, answer: &Answer, parts: &[Part]) -> String {
    let mut text = String::new();
    for board in 0..position.len().min(MOST_IN_WORDS) {
        let size = position.size(board);
        let name =
            if position.len() == 1 { "A board".to_owned() } else { format!("Board {board}") };
        let own = parts_on(parts, board);
        let _ = write!(
            text,
            "{name} of {size} cells, {} of them free, in {}",
            position.free_cells(board).count(),
            match own.len() {
                1 => "1 part".to_owned(),
                parts => format!("{parts} parts"),
            }
        );
        for (index, part) in own.iter().take(MOST_IN_WORDS).enumerate() {
            let before = if index == 0 { " of value" } else { "," };
            let value = part.value.map_or_else(|| "unknown".to_owned(), |value| value.to_string());
            let _ = write!(text, "{before} {value}");
        }
        text.push_str(if own.len() > MOST_IN_WORDS { " and so on. " } else { ". " });
    }
    if position.len() > MOST_IN_WORDS {
        let _ = write!(text, "And {} boards more. ", position.len() - MOST_IN_WORDS);
    }
    let _ = write!(text, "The {} player wins.", winner(answer));
    if let Some(value) = answer.grundy {
        let _ = write!(text, " The Grundy value is {value}.");
    }
    let moves = answer.winning_moves.as_deref().unwrap_or_default();
    if !moves.is_empty() {
        text.push_str(match position.questions().moves {
            MovesAsked::All => " The winning squares, by their upper left cells:",
            _ => " A winning square, by its upper left cell:",
        });
        for (index, play) in moves.iter().take(MOST_IN_WORDS).enumerate() {
            let before = if index == 0 { " " } else { "; " };
            let _ = write!(text, "{before}{}", place(play, position.len()));
        }
        match moves.len().saturating_sub(MOST_IN_WORDS) {
            0 => text.push('.'),
            more => _ = write!(text, "; and {more} more."),
        }
    }
    text
}
