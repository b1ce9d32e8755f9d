//! The search for a circuit.
//!
//! In reading order: `lattice` holds the board as arrays; `strategy` says which
//! method comes when, and why; `cheap` the tests of one pass; `refine` and what it
//! uses, `knowledge`, `grounds`, `factor` and `fixing`, what follows without a search;
//! `cycles` and `repair` how a circuit is pieced together; `search` the search by cases;
//! `extras` what is asked beyond one tour.

mod cheap;
mod cycles;
mod extras;
mod factor;
mod fixing;
mod grounds;
mod knowledge;
mod lattice;
mod refine;
mod repair;
mod search;
mod strategy;

use self::lattice::Lattice;
use self::strategy::Decided;
use super::answer::Answer;
use super::board::Board;
use super::reason::Reason;
use crate::budget::Budget;
use crate::puzzle::Outcome;

/// Decides whether the board has a circuit, and what else was asked.
pub fn solve(board: &Board, budget: &mut Budget) -> Outcome<Answer, Reason, ()> {
    let lattice = Lattice::new(board);
    match strategy::decide(board, &lattice, budget) {
        Ok(Decided::Circuit(tour)) => {
            let moves = strategy::moves(&lattice, &tour);
            let (unique, count) = extras::extras(board, &lattice, &tour, budget);
            Outcome::Solved(Answer { moves, unique, count })
        }
        Ok(Decided::No(reason)) => Outcome::Unsolvable(reason),
        Err(stop) => Outcome::Unknown { stop, learnt: () },
    }
}
