//! Clear a board in exactly n moves (NOIP 2011 senior day 1, problem 3; Luogu P1312).
//!
//! Five columns hold at most seven blocks each, of at most ten colours; no block
//! floats. A move drags one block one column to the left or to the right: onto
//! a block, the two swap; onto an empty place, the block leaves its column and
//! falls. Then everything falls, and all runs of three or more of one colour,
//! in rows and in columns, are marked together and vanish together; this
//! repeats until nothing vanishes. The answer is the sequence of moves that is
//! smallest in the order of (x, y, g), where g is 1 (right) before −1 (left).
//!
//! Rulings. *Exactly* n moves: a board that is empty early is no solution, since
//! it has no move. A swap of two blocks of one colour is no move, unless
//! `same_colour_swaps` says so. `goal: fewest` asks for the smallest number of
//! moves up to n, then for the smallest sequence. A board on which something
//! vanishes before any move is not legal.

use crate::budget::Budget;
use crate::puzzle::{
    Invalid, OptionKind, OptionSpec, OptionValues, OutcomeOf, Puzzle, TextCase, Violation,
};

pub mod answer;
pub mod board;
pub mod json;
mod picture;
pub mod solve;
mod text;
pub mod verify;

use answer::{Answer, Learnt, Reason};
use board::{Board, Goal, Rules};

/// The puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Mayan;

impl Puzzle for Mayan {
    const NAME: &'static str = "mayan";
    const TITLE: &'static str = "Mayan";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "goal",
            kind: OptionKind::Choice { values: &["exact", "fewest"], default: "exact" },
            help: "Whether to clear the board in exactly n moves, or in as few as possible up to n.",
        },
        OptionSpec {
            name: "same_colour_swaps",
            kind: OptionKind::Boolean { default: false },
            help: "Whether a swap of two blocks of one colour is a move.",
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
        let goal = match options.choice("goal") {
            "fewest" => Goal::Fewest,
            _ => Goal::Exact,
        };
        let same_colour_swaps = options.boolean("same_colour_swaps");
        text::read(text, Rules { goal, same_colour_swaps })
    }

    fn write_text(_: &Board, answer: Result<&Answer, &Reason>) -> String {
        text::write(answer.ok())
    }

    fn picture(board: &Board, answer: Result<&Answer, &Reason>) -> String {
        picture::draw(board, answer)
    }
}
