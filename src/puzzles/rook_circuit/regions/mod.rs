//! The *regions* proof: a few sets of cells whose borders no way of giving every cell two
//! edges can cross often enough.
//!
//! A circuit crosses the border of every set of cells at least twice. On *capacity* boards,
//! such as rooms joined by narrow gates whose colours do not match, any two or three sets can
//! be satisfied, but not all at once; no local rule sees that, and searches by
//! cases time out, for there are too many. Linear programming sees it at once:
//!
//! 1. `relaxation`: the subtour relaxation by a first-order method, in single precision;
//! 2. `cuts`: sets that its fractional solution violates, added round by round;
//! 3. `proof`: as soon as the dual is worth more than nothing, whole-number multipliers
//!    and, by the potentials of a min-cost flow (`flow`), whole-number weights;
//! 4. `cut_set`: where the same proof can be told as "k cells whose removal leaves more than
//!    k parts", it is.
//!
//! What comes out is checked in whole numbers by `certificate`, so that floating
//! point can lose a proof but never make one. When the relaxation has a solution, no proof of
//! this kind exists; the search then ends early, as soon as the first-order method has
//! converged.
//!
//! Relaxation and cuts: Dantzig, Fulkerson and Johnson 1954; the method for solving it: see
//! `relaxation`.

mod cut_set;
mod cuts;
mod field;
mod flow;
mod forest;
mod proof;
mod relaxation;

use self::cut_set::cut_set_of;
use self::cuts::{Cut, Separator};
pub(super) use self::field::Field;
pub(super) use self::flow::edges_for_needs;
pub(super) use self::forest::Forest;
use self::proof::{Attempt, Proof, prove};
use self::relaxation::{Point, Quality, Relaxation};
pub use super::certificate::Certificate;
use super::certificate::parts_without;
use crate::budget::{Budget, Stop};
use crate::grid::{Cell, CellSet};
use crate::puzzles::rook_circuit::board::Board;

/// Iterations between two looks at how good the points are.
const ROUND: u32 = 50;
/// Rounds without new cuts after which the method goes on from its average.
const RESTART_AFTER: u32 = 8 * ROUND;
/// The cuts added in one round.
const CUTS_A_ROUND: usize = 30;
/// Work (iterations times places) for each unit of effort: some 80 ms.
const WORK_A_UNIT: usize = 1 << 24;
/// What a dual pair must be worth before a proof is tried.
const WORTH_A_TRY: f64 = 0.02;

/// Looks for a proof with the given effort (1 is some 80 ms; a second call with more effort
/// starts anew). `None` says nothing about the board.
///
/// # Errors
/// The limit that ended the search.
pub fn find(board: &Board, effort: u32, budget: &mut Budget) -> Result<Option<Certificate>, Stop> {
    let before = budget.memory_left();
    let result = search(board, effort, budget);
    let taken = before - budget.memory_left();
    budget.release(taken);
    result
}

/// Looks for a proof with these sets of cells alone, for a board that has a 2-factor: those that a
/// contradiction points to. `None` says nothing about the board.
///
/// # Errors
/// The limit that ended the search.
pub fn of_sets(
    board: &Board,
    sets: &[Vec<Cell>],
    budget: &mut Budget,
) -> Result<Option<Certificate>, Stop> {
    let field = Field::new(board);
    let bytes = field.places() * Field::BYTES_A_PLACE;
    budget.reserve(bytes)?;
    let cuts: Vec<Cut> = sets.iter().map(|cells| Cut::of_cells(&field, cells)).collect();
    let (y, u) = (vec![0.0; field.places()], vec![1.0; cuts.len()]);
    let proved = prove(&field, &cuts, &y, &u, budget).and_then(|attempt| match attempt {
        Attempt::Found(proof) => certificate(board, &field, &cuts, &proof, budget),
        Attempt::Failed | Attempt::NoTwoFactor => Ok(None),
    });
    budget.release(bytes);
    proved
}

fn search(board: &Board, effort: u32, budget: &mut Budget) -> Result<Option<Certificate>, Stop> {
    if board.free().len() < 4 {
        return Ok(None);
    }
    let field = Field::new(board);
    budget.reserve(field.places() * Field::BYTES_A_PLACE)?;
    let mut relaxation = Relaxation::new(&field);
    let mut separator = Separator::new(&field);
    let rounds = WORK_A_UNIT.saturating_mul(effort as usize) / (field.places() * ROUND as usize);
    let mut tried_worth = 0.0;
    for _ in 0..rounds.max(2) {
        for _ in 0..ROUND {
            budget.poll()?;
            relaxation.iterate();
        }
        let last = relaxation.quality(&field, Point::Last);
        let average = relaxation.quality(&field, Point::Average);
        let (point, worth) = match last.worth > average.worth {
            true => (Point::Last, last.worth),
            false => (Point::Average, average.worth),
        };
        // A try that failed is not repeated until there is clearly more to go on.
        if worth > WORTH_A_TRY && worth > 1.5 * tried_worth {
            tried_worth = worth;
            let (y, u) = relaxation.multipliers(point);
            match prove(&field, relaxation.cuts(), &y, &u, budget)? {
                Attempt::Found(proof) => {
                    return certificate(board, &field, relaxation.cuts(), &proof, budget);
                }
                Attempt::NoTwoFactor => return Ok(None),
                Attempt::Failed => {}
            }
        }
        let nearer = match average.degree_error < last.degree_error {
            true => Point::Average,
            false => Point::Last,
        };
        let x = relaxation.edges(nearer);
        let cuts = separator.violated(&field, &x, CUTS_A_ROUND, budget)?;
        if !cuts.is_empty() {
            budget.reserve(cuts.iter().map(Cut::bytes).sum())?;
            relaxation.add_cuts(cuts);
        } else if has_converged(&last) || has_converged(&average) {
            return Ok(None);
        } else if relaxation.averaged() >= RESTART_AFTER {
            relaxation.restart();
        }
    }
    Ok(None)
}

/// Whether a point solves the relaxation, up to rounding, so that its dual is worth nothing.
fn has_converged(quality: &Quality) -> bool {
    quality.degree_error < 0.02 && quality.lack < 0.005 && quality.worth < WORTH_A_TRY
}

/// The proof as a certificate, in its more readable form if it has one; `None` when it does
/// not hold.
fn certificate(
    board: &Board,
    field: &Field,
    cuts: &[Cut],
    proof: &Proof,
    budget: &mut Budget,
) -> Result<Option<Certificate>, Stop> {
    if let Some(cells) = cut_set_of(field, &proof.weights, budget)? {
        let removed = CellSet::from_cells(board.size(), cells.iter().copied());
        let parts = parts_without(board, &removed);
        let certificate = Certificate::CutSet { cells, parts };
        if certificate.check(board).is_ok() {
            return Ok(Some(certificate));
        }
    }
    let regions: Vec<Vec<Cell>> = proof
        .sets
        .iter()
        .map(|&(cut, _)| smaller_side(field, |place| cuts[cut].contains(place)))
        .collect();
    let multipliers: Vec<i64> = proof.sets.iter().map(|&(_, multiplier)| multiplier).collect();
    let size = board.size();
    let weights: Vec<Vec<i64>> = (0..size.rows)
        .map(|row| {
            let cells = (0..size.cols).map(|col| Cell::new(row as i32, col as i32));
            cells.map(|cell| proof.weights[field.place(cell)]).collect()
        })
        .collect();
    let certificate = Certificate::Regions { regions, multipliers, weights };
    Ok(certificate.check(board).is_ok().then_some(certificate))
}

/// Of a set and its complement, which have one border, the one with fewer cells.
fn smaller_side(field: &Field, contains: impl Fn(usize) -> bool) -> Vec<Cell> {
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        field.free_places().partition(|&place| contains(place));
    let side = if inside.len() <= outside.len() { inside } else { outside };
    side.into_iter().map(|place| field.cell(place)).collect()
}
