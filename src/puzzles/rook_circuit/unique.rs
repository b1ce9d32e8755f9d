//! Whether a tour is the only circuit of its board.
//!
//! 1. *Two flips*, O(n log n). Where a tour runs along two opposite sides of a unit square,
//!    taking the other two sides instead splits it in two; a second such square with one side on
//!    either part joins them again. In terms of the tour's steps, a square is a chord
//!    between two of them, and two squares do when their chords cross. Most boards with
//!    room to spare have such a pair.
//! 2. *Settled edges*, O(n): another circuit is another way to give every cell two edges; if there
//!    is none, the tour is the only circuit.
//! 3. *Frontier sweep* of what is not settled, on narrow boards: circuits counted up to two.
//!
//! `None` when neither decides.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::board::Board;
use super::edge_rules::EdgeRules;
use super::frontier::{Frontier, Swept};
use crate::budget::{Budget, Stop};
use crate::grid::{Cell, Direction};

/// The most states that a sweep may visit: some half a second.
const MOST_STATES: u64 = 20_000_000;

/// Whether `tour`, a circuit of `board` as the order of its cells, is the only one;
/// `None` when that was not decided.
///
/// # Errors
/// The limit that ended the search.
pub fn is_unique(board: &Board, tour: &[Cell], budget: &mut Budget) -> Result<Option<bool>, Stop> {
    if two_flips(board, tour, budget)?.is_some() {
        return Ok(Some(false));
    }
    let rules = EdgeRules::of_tour(board, tour, budget)?;
    if rules.settle_all() {
        return Ok(Some(true));
    }
    match Frontier::with_rules(board, &rules).count_up_to_two(MOST_STATES, budget)? {
        Swept::Finished(circuits) => Ok(Some(circuits < 2)),
        Swept::GaveUp => Ok(None),
    }
}

/// A second circuit by two flips, if there is one: the upper left cells of the two squares.
fn two_flips(board: &Board, tour: &[Cell], budget: &mut Budget) -> Result<Option<[Cell; 2]>, Stop> {
    let size = board.size();
    let steps = tour.len();
    let mut turn = vec![usize::MAX; size.area()];
    for (number, &cell) in tour.iter().enumerate() {
        if let Some(index) = size.index(cell) {
            turn[index] = number;
        }
    }
    // The step between two cells, if the tour takes it; step k leads from the k-th cell to
    // the next.
    let step_between = |one: Cell, other: Cell| -> Option<usize> {
        let (one, other) = (turn[size.index(one)?], turn[size.index(other)?]);
        if one == usize::MAX || other == usize::MAX {
            return None;
        }
        match (one.min(other), one.max(other)) {
            (low, high) if high - low == 1 => Some(low),
            (0, high) if high == steps - 1 => Some(high),
            _ => None,
        }
    };
    let mut chords = Vec::new();
    for corner in size.cells() {
        budget.tick()?;
        let east = corner.step(Direction::East);
        let south = corner.step(Direction::South);
        let opposite = south.step(Direction::East);
        let sides = [(corner, east), (south, opposite), (corner, south), (east, opposite)];
        let [north_side, south_side, west_side, east_side] =
            sides.map(|(one, other)| step_between(one, other));
        let chord = match (north_side, south_side, west_side, east_side) {
            (Some(one), Some(other), None, None) | (None, None, Some(one), Some(other)) => {
                (one.min(other), one.max(other))
            }
            _ => continue,
        };
        chords.push((chord, corner));
    }
    // Of chords with one beginning the longest first, so that none counts as crossed by another.
    chords.sort_unstable_by_key(|&((begin, end), corner)| (begin, Reverse(end), corner));
    // The chords that began before the one at hand and end after its beginning.
    let mut open: BTreeSet<(usize, Cell)> = BTreeSet::new();
    for &((begin, end), corner) in &chords {
        budget.tick()?;
        while open.first().is_some_and(|&(open_end, _)| open_end <= begin) {
            open.pop_first();
        }
        if let Some(&(open_end, other)) = open.first()
            && open_end < end
        {
            return Ok(Some([other, corner]));
        }
        open.insert((end, corner));
    }
    Ok(None)
}
