//! The parts of the boards, with their Grundy values as far as they are cheap to know.
//!
//! An answer holds the value of the whole alone, so the parts are played out here, by
//! definition, within a fixed number of positions: the same picture each time, in some
//! milliseconds. Parts of one shape have one value and are played out once. Where that
//! leaves one shape open, and the rest of its kind cancels in pairs, its value is what
//! the whole and the others leave over. What stays open is shown as such.

use std::collections::BTreeMap;

use super::super::answer::{Answer, Winner};
use super::super::board::Position;
use super::super::parts::{parts, play_out};
use crate::grid::Cell;

/// The most positions that are played out for one picture.
const MOST_POSITIONS: usize = 50_000;

/// A part of a board.
pub(super) struct Part {
    /// The board, from 0.
    pub(super) board: usize,
    /// Its anchors, row by row.
    pub(super) anchors: Vec<Cell>,
    /// Its Grundy value, where it is known.
    pub(super) value: Option<u32>,
}

/// The parts of all boards, in order.
pub(super) fn parts_of(position: &Position, answer: &Answer) -> Vec<Part> {
    let boards = 0..position.len();
    let mut all: Vec<_> = boards
        .flat_map(|board| {
            let of_board = parts(position, board).into_iter();
            of_board.map(move |anchors| Part { board, anchors, value: None })
        })
        .collect();
    let mut by_shape: BTreeMap<Vec<Cell>, Vec<usize>> = BTreeMap::new();
    for (index, part) in all.iter().enumerate() {
        by_shape.entry(shape(&part.anchors)).or_default().push(index);
    }
    // Small shapes first: a large one may use up what is left.
    let mut shapes: Vec<_> = by_shape.into_iter().collect();
    shapes.sort_by_key(|(shape, _)| shape.len());
    let mut left = MOST_POSITIONS;
    let mut open = Vec::new();
    let mut known = 0;
    for (shape, places) in shapes {
        match play_out(&shape, &mut left) {
            Some(game) => {
                for &place in &places {
                    all[place].value = Some(game.value);
                    known ^= game.value;
                }
            }
            None if places.len() % 2 == 1 => open.push(places),
            None => {}
        }
    }
    if let ([places], Some(whole)) = (open.as_slice(), value(answer)) {
        for &place in places {
            all[place].value = Some(whole ^ known);
        }
    }
    all
}

/// The value of all boards together, where the answer tells it.
fn value(answer: &Answer) -> Option<u32> {
    match answer.winner {
        Winner::Second => Some(0),
        Winner::First => answer.grundy,
    }
}

/// The anchors moved into the corner.
fn shape(anchors: &[Cell]) -> Vec<Cell> {
    let top = anchors.iter().map(|cell| cell.row).min().unwrap_or(0);
    let left = anchors.iter().map(|cell| cell.col).min().unwrap_or(0);
    anchors.iter().map(|cell| Cell::new(cell.row - top, cell.col - left)).collect()
}
