//! Retells a proof by weights as a cut set: k cells whose removal leaves more than k parts.
//!
//! The cells of negative weight are taken away. Weights may be raised by a constant
//! on white cells and lowered by it on black ones without changing what any edge is worth, so every
//! constant that matters is tried. Of the cells taken away, those that touch few of the parts
//! that are left are put back: one that touches at most one part makes the
//! surplus of parts over cells greater, one that touches two keeps it.

use super::field::Field;
use super::forest::Forest;
use crate::budget::{Budget, Stop};
use crate::grid::Cell;

/// A cut set that `weights` (one a place) point to, in row-major order.
pub(super) fn cut_set_of(
    field: &Field,
    weights: &[i64],
    budget: &mut Budget,
) -> Result<Option<Vec<Cell>>, Stop> {
    let potential = |place: usize| match field.is_white(place) {
        true => -weights[place],
        false => weights[place],
    };
    let mut shifts: Vec<i64> = field.free_places().map(potential).collect();
    shifts.sort_unstable();
    shifts.dedup();
    let mut best: Option<Vec<Cell>> = None;
    for shift in shifts.into_iter().take(MOST_SHIFTS) {
        budget.poll()?;
        let is_taken = |place: usize| match field.is_white(place) {
            true => potential(place) > shift,
            false => potential(place) < shift,
        };
        let taken: Vec<usize> = field.free_places().filter(|&place| is_taken(place)).collect();
        let cells = Parts::without(field, &taken).put_back(field, taken);
        if let Some(cells) = cells
            && best.as_ref().is_none_or(|best| cells.len() < best.len())
        {
            best = Some(cells);
        }
    }
    Ok(best)
}

/// The most constants that are tried.
const MOST_SHIFTS: usize = 24;

/// The parts of the board without some cells.
struct Parts {
    joined: Forest,
    taken: Vec<bool>,
    count: usize,
}

impl Parts {
    fn without(field: &Field, taken: &[usize]) -> Self {
        let mut parts = Self {
            joined: Forest::new(field.places()),
            taken: vec![false; field.places()],
            count: 0,
        };
        for &place in taken {
            parts.taken[place] = true;
        }
        for place in field.free_places() {
            if parts.taken[place] {
                continue;
            }
            for (_, other) in field.onward(place) {
                if !parts.taken[other] {
                    parts.joined.join(place, other);
                }
            }
        }
        for place in field.free_places() {
            parts.count += usize::from(!parts.taken[place] && parts.joined.root(place) == place);
        }
        parts
    }

    /// The parts that the taken place `place` touches.
    fn touched(&mut self, field: &Field, place: usize) -> Vec<usize> {
        let mut roots = Vec::with_capacity(4);
        for (_, other) in field.around(place) {
            if field.is_free(other) && !self.taken[other] {
                let root = self.joined.root(other);
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
        }
        roots
    }

    /// Puts taken places back as long as more parts than places are left; what is still
    /// taken then, if that is the case at all.
    fn put_back(mut self, field: &Field, mut taken: Vec<usize>) -> Option<Vec<Cell>> {
        for most_touched in [1, 2, 1, 2] {
            let mut kept = Vec::with_capacity(taken.len());
            let mut left = taken.len();
            for place in taken {
                let touched = self.touched(field, place);
                if touched.len() > most_touched || left == 1 {
                    kept.push(place);
                    continue;
                }
                self.taken[place] = false;
                self.count += 1;
                self.count -= touched.len();
                for root in touched {
                    self.joined.join(place, root);
                }
                left -= 1;
            }
            taken = kept;
        }
        (self.count > taken.len() && !taken.is_empty())
            .then(|| taken.into_iter().map(|place| field.cell(place)).collect())
    }
}
