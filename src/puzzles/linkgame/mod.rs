//! Lianliankan, or Shisen-Sho: can a board of tiles be cleared pair by pair?
//!
//! Two tiles of one kind may be removed together if a path of horizontal and vertical
//! segments, with at most `max_turns` turns (two, as the game is commonly played), joins
//! them through empty cells. The question is whether some order of removals clears the
//! board. With `outside` a path may leave the board; with `gravity` every column falls
//! after each removal. The contest is POJ 2308: letters A to D, at most 10 × 10, two
//! turns, inside, no gravity.
//!
//! In reading order: [`board`] is a legal board and its moves, [`solve`] the search,
//! [`verify`] the rules by which its answers are checked, [`json`] and [`text`] the two
//! forms in which boards come and answers go.

pub mod board;
pub mod json;
mod picture;
pub mod solve;
pub mod text;
pub mod verify;

use crate::budget::Budget;
use crate::puzzle::{
    Invalid, OptionKind, OptionSpec, OptionValues, OutcomeOf, Puzzle, TextCase, Violation,
};

use board::{Answer, Board, Learnt, MAX_TURNS, Reason};

/// The puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Linkgame;

impl Puzzle for Linkgame {
    const NAME: &'static str = "linkgame";
    const TITLE: &'static str = "Lianliankan (Shisen-Sho)";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "outside",
            kind: OptionKind::Boolean { default: false },
            help: "Whether a path may leave the board.",
        },
        OptionSpec {
            name: "gravity",
            kind: OptionKind::Boolean { default: false },
            help: "Whether every column falls after each removal.",
        },
        OptionSpec {
            name: "max_turns",
            kind: OptionKind::Integer { min: 0, max: MAX_TURNS as u64, default: Some(2) },
            help: "The most turns of a path.",
        },
    ];

    type Board = Board;
    type Answer = Answer;
    type Reason = Reason;
    type Learnt = Learnt;

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
