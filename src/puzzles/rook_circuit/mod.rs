//! A closed tour of the free cells (Greater New York 2003 F, POJ 1670).
//!
//! On a board some of whose cells are blocked, a *circuit* visits every free cell exactly
//! once, stepping north, south, east or west, and comes back to where it began. It is a Hamiltonian
//! cycle of a grid graph, which is NP-complete to find (Itai, Papadimitriou and
//! Szwarcfiter 1982).
//!
//! A circuit has at least four cells: one cell, or two side by side, have none. The
//! start only says where the tour is written down from. With `unique` it is asked whether
//! the circuit is the only one, and with `count` how many there are, direction and
//! start not counted; where that is not decided in time, the tour is given without it.
//!
//! In reading order: [`board`] is a legal board, [`answer`] and [`reason`] what it is answered
//! with, [`solve`] the search, with [`frontier`], [`regions`], [`unique`] and `edge_rules` as
//! methods of their own, [`verify`] and `certificate` the rules by which answers are
//! checked, [`json`] and [`text`] the two forms.

pub mod answer;
pub mod board;
pub mod certificate;
mod edge_rules;
pub mod frontier;
pub mod json;
mod picture;
pub mod reason;
pub mod regions;
pub mod solve;
pub mod text;
pub mod unique;
pub mod verify;

use self::answer::Answer;
use self::board::Board;
use self::reason::Reason;
use crate::budget::Budget;
use crate::puzzle::{
    Invalid, OptionKind, OptionSpec, OptionValues, OutcomeOf, Puzzle, TextCase, Violation,
};

/// The puzzle.
#[derive(Clone, Copy, Debug)]
pub struct RookCircuit;

impl Puzzle for RookCircuit {
    const NAME: &'static str = "rook-circuit";
    const TITLE: &'static str = "Rook circuit";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "unique",
            kind: OptionKind::Boolean { default: false },
            help: "Whether it is asked if the circuit is the only one.",
        },
        OptionSpec {
            name: "count",
            kind: OptionKind::Boolean { default: false },
            help: "Whether it is asked how many circuits there are.",
        },
    ];

    type Board = Board;
    type Answer = Answer;
    type Reason = Reason;
    type Learnt = ();

    fn solve(board: &Board, budget: &mut Budget) -> OutcomeOf<Self> {
        solve::solve(board, budget)
    }

    fn verify(board: &Board, answer: &Answer) -> Result<(), Violation> {
        verify::answer(board, answer)
    }

    fn verify_reason(board: &Board, reason: &Reason) -> Result<(), Violation> {
        verify::reason(board, reason)
    }

    fn read_text(text: &str, options: &OptionValues) -> Result<Vec<TextCase<Board>>, Invalid> {
        text::read(text, options)
    }

    fn write_text(_board: &Board, answer: Result<&Answer, &Reason>) -> String {
        text::write(answer)
    }

    fn picture(board: &Board, answer: Result<&Answer, &Reason>) -> String {
        picture::draw(board, answer)
    }
}
