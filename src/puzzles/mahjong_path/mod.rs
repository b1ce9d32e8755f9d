//! Fewest segments between two tiles (POJ 1101, Mid-Central European Regional 1999).
//!
//! Tiles lie on a board. Two of them are joined by a path of horizontal and
//! vertical segments that runs through empty cells only; it may leave the board,
//! unless `outside` is false. For each pair of tiles the fewest segments of a
//! path are sought, and where it turns. What stands on the tiles does not matter:
//! any two of them may be asked for.
//!
//! Tiles side by side are joined by one segment. With `max_segments`, a pair
//! that needs more has no path. An end without a tile, one off the board, and a
//! pair of equal ends are faults of the request.
//!
//! Every pair has an answer, so a solve ends solved, or unknown where a limit
//! was reached; there is no "no" and no reason for one.

pub mod answer;
pub mod board;
pub mod json;
mod picture;
mod solve;
mod text;
mod verify;

use self::answer::Paths;
use self::board::Board;
use crate::budget::Budget;
use crate::puzzle::{
    Invalid, OptionKind, OptionSpec, OptionValues, Outcome, OutcomeOf, Puzzle, TextCase, Violation,
};

/// Fewest segments between two tiles.
#[derive(Clone, Copy, Debug)]
pub struct MahjongPath;

/// There is no board without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReason {}

/// What a solve knew when it was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many of the pairs were answered.
    pub answered: usize,
}

impl Puzzle for MahjongPath {
    const NAME: &'static str = "mahjong-path";
    const TITLE: &'static str = "Mahjong path";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "outside",
            kind: OptionKind::Boolean { default: true },
            help: "Whether a path may leave the board.",
        },
        OptionSpec {
            name: "max_segments",
            kind: OptionKind::Integer { min: 1, max: u32::MAX as u64, default: None },
            help: "The most segments of a path; a pair that needs more has no path. No cap when left out.",
        },
        OptionSpec {
            name: "corners",
            kind: OptionKind::Boolean { default: true },
            help: "Whether the corners of each path are given, and not only the number of its segments.",
        },
    ];

    type Board = Board;
    type Answer = Paths;
    type Reason = NoReason;
    type Learnt = Progress;

    fn solve(board: &Board, budget: &mut Budget) -> OutcomeOf<Self> {
        match solve::solve(board, budget) {
            Ok(paths) => Outcome::Solved(paths),
            Err(stopped) => Outcome::Unknown {
                stop: stopped.stop,
                learnt: Progress { answered: stopped.answered },
            },
        }
    }

    fn verify(board: &Board, answer: &Paths) -> Result<(), Violation> {
        verify::verify(board, answer)
    }

    fn verify_reason(_board: &Board, reason: &NoReason) -> Result<(), Violation> {
        match *reason {}
    }

    fn read_text(text: &str, options: &OptionValues) -> Result<Vec<TextCase<Board>>, Invalid> {
        text::read(text, options)
    }

    fn write_text(_board: &Board, answer: Result<&Paths, &NoReason>) -> String {
        match answer {
            Ok(paths) => text::write(paths),
            Err(reason) => match *reason {},
        }
    }

    fn picture(board: &Board, answer: Result<&Paths, &NoReason>) -> String {
        picture::draw(board, answer)
    }
}
