//! Who wins placing 2×2 squares (HDU 1760; the sum of several boards: HDU 1809)?
//!
//! Two players in turn place a 2×2 square on four free cells of a board, or of
//! any one board of a sum. The squares stay where they are and do not overlap.
//! Who can't place one loses. The first player wins exactly when the Grundy
//! value of the position is not 0; that of a sum is the exclusive or of its
//! boards' values.
//!
//! A move is named by its *anchor*, the square's top left cell. Two squares
//! overlap exactly when their anchors are at most a king's step apart, so the
//! game is Node Kayles on the king graph of the anchors: a move takes an anchor
//! and its neighbours away.
//!
//! There is always an answer, so a solve ends `solved` or `unknown`. The winner
//! is the main question; the Grundy value and the winning moves are extras, and
//! one that the limits did not allow is named as undecided.

use crate::budget::Budget;
use crate::puzzle::{
    Invalid, OptionKind, OptionSpec, OptionValues, OutcomeOf, Puzzle, TextCase, Violation,
};

pub mod answer;
pub mod board;
pub mod json;
pub mod parts;
mod picture;
pub mod solve;
mod text;
pub mod verify;

pub use answer::{Answer, Extra, Never, Winner};
use board::{MovesAsked, Position, Questions};

/// The puzzle.
#[derive(Clone, Copy, Debug)]
pub struct TetrisSg;

impl Puzzle for TetrisSg {
    const NAME: &'static str = "tetris-sg";
    const TITLE: &'static str = "2×2 squares";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "moves",
            kind: OptionKind::Choice { values: &["all", "one", "none"], default: "one" },
            help: "Which winning moves to find: all, the first in order of board, row and column, \
                   or none.",
        },
        OptionSpec {
            name: "grundy",
            kind: OptionKind::Boolean { default: true },
            help: "Whether to find the Grundy value, and not only the winner.",
        },
    ];

    type Board = Position;
    type Answer = Answer;
    type Reason = Never;
    type Learnt = ();

    fn solve(board: &Position, budget: &mut Budget) -> OutcomeOf<Self> {
        solve::solve(board, budget)
    }

    fn share_memory(bytes: usize) {
        solve::shared::set_capacity(bytes);
    }

    fn verify(board: &Position, answer: &Answer) -> Result<(), Violation> {
        verify::answer(board, answer)
    }

    fn verify_reason(_: &Position, reason: &Never) -> Result<(), Violation> {
        match *reason {}
    }

    fn read_text(text: &str, options: &OptionValues) -> Result<Vec<TextCase<Position>>, Invalid> {
        if options.is_for_text_answer() {
            // It tells the winner alone; the extras may cost a hundred times as much.
            return text::read(text, Questions::WINNER);
        }
        let moves = match options.choice("moves") {
            "all" => MovesAsked::All,
            "one" => MovesAsked::One,
            _ => MovesAsked::None,
        };
        text::read(text, Questions { moves, grundy: options.boolean("grundy") })
    }

    fn write_text(_: &Position, answer: Result<&Answer, &Never>) -> String {
        match answer {
            Ok(answer) => text::write(answer),
            Err(never) => match *never {},
        }
    }

    fn picture(board: &Position, answer: Result<&Answer, &Never>) -> String {
        picture::draw(board, answer)
    }
}
