//! What is asked beyond one tour: whether it is the only one, and how many there are.
//!
//! The frontier sweep counts on narrow boards; where it has counted, uniqueness is known as well.
//! Else `unique` looks for a second circuit, and last a search with the tour
//! forbidden. What is not decided is left out: the tour stands all the same.

use super::lattice::Lattice;
use super::refine::{Refined, refine};
use super::search::{Instance, Progress, Search};
use crate::budget::{Budget, Stop};
use crate::grid::Cell;
use crate::puzzles::rook_circuit::board::Board;
use crate::puzzles::rook_circuit::frontier::{Frontier, Swept};
use crate::puzzles::rook_circuit::unique;

/// Whether the tour is the only circuit, and the number of circuits; each `None` if it was not
/// asked or not decided.
pub(super) fn extras(
    board: &Board,
    lattice: &Lattice,
    tour: &[usize],
    budget: &mut Budget,
) -> (Option<bool>, Option<String>) {
    let asked = board.questions();
    let mut count = None;
    if asked.count {
        count = counted(board, budget).unwrap_or(None);
    }
    let mut is_unique = None;
    if asked.unique {
        is_unique = match &count {
            Some(count) => Some(count == "1"),
            None => is_only(board, lattice, tour, budget).unwrap_or(None),
        };
    }
    (is_unique, count)
}

fn counted(board: &Board, budget: &mut Budget) -> Result<Option<String>, Stop> {
    Ok(match Frontier::new(board, budget)?.count(u64::MAX, budget)? {
        Swept::Finished(count) => Some(count),
        Swept::GaveUp => None,
    })
}

fn is_only(
    board: &Board,
    lattice: &Lattice,
    tour: &[usize],
    budget: &mut Budget,
) -> Result<Option<bool>, Stop> {
    let cells: Vec<Cell> = tour.iter().map(|&place| lattice.cell(place)).collect();
    if let Some(is_unique) = unique::is_unique(board, &cells, budget)? {
        return Ok(Some(is_unique));
    }
    let Refined::Open(knowledge, _) = refine(lattice, budget)? else { return Ok(None) };
    if knowledge.is_circuit() {
        return Ok(Some(true));
    }
    // The tour's edges are the first that the search tries, so that it finds that tour at once.
    let mut chosen = vec![0; lattice.places()];
    for (&place, &next) in tour.iter().zip(tour.iter().cycle().skip(1)) {
        if let Some(direction) = lattice.direction_to(place, next) {
            chosen[place] |= 1 << direction;
            chosen[next] |= 1 << (direction ^ 2);
        }
    }
    let hint = |place: usize, direction: usize| chosen[place] & (1 << direction) != 0;
    let mut search = Search::new(Instance::of_all(&knowledge), hint, budget)?;
    let result = has_second(&mut search, budget);
    search.end(budget);
    result.map(|has_second| Some(!has_second))
}

fn has_second(search: &mut Search, budget: &mut Budget) -> Result<bool, Stop> {
    if search.run(u64::MAX, budget)? != Progress::Found {
        return Ok(false);
    }
    search.forbid_found(budget)?;
    Ok(search.run(u64::MAX, budget)? == Progress::Found)
}
