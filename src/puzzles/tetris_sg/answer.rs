//! What a position is answered with.

use super::board::Move;

/// The winner, and what else was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who wins when both play perfectly.
    pub winner: Winner,
    /// The Grundy value, if it was asked for and decided.
    pub grundy: Option<u32>,
    /// The winning moves that were asked for, in order of board, row and column,
    /// if they were decided.
    pub winning_moves: Option<Vec<Move>>,
    /// What was asked for but not decided.
    pub undecided: Vec<Extra>,
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// The player to move.
    First,
    /// The other one.
    Second,
}

/// A question beyond the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extra {
    /// The Grundy value.
    Grundy,
    /// The winning moves.
    WinningMoves,
}

/// Why there is no answer: never, so this type has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Never {}
