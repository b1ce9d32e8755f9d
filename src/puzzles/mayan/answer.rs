//! What a solve ends with: an answer, a reason, or what was learnt.

use super::board::{Blocks, IllegalMove, Move, Round, Rules};

/// The moves that clear the board, and what vanishes after each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The moves, in order.
    pub moves: Vec<Move>,
    /// A list of rounds for each move.
    pub cascade: Vec<Vec<Round>>,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A colour has one or two blocks, which no run of three can take.
    TooFew {
        /// The colour, the least if several have too few.
        colour: u8,
        /// One or two.
        count: usize,
    },
    /// A colour needs more moves than there are.
    TooFar {
        /// The colour; of several, the one with the greatest bound, then the least colour.
        colour: u8,
        /// The fewest moves of one of its blocks by one column that bring the
        /// colour to where it can go in lines, heights left out of account.
        bound: u8,
        /// The moves that there are.
        steps: u8,
    },
    /// A finished search.
    Exhausted {
        /// How many positions it looked at.
        positions: u64,
    },
}

/// What a stopped search knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learnt {
    /// No solution has fewer moves than this.
    pub at_least: u8,
}

impl Answer {
    /// The answer of these moves, with the cascade that they cause.
    ///
    /// # Errors
    /// The first move that is illegal, by its index.
    pub fn replayed(
        mut blocks: Blocks,
        rules: Rules,
        moves: Vec<Move>,
    ) -> Result<Self, (usize, IllegalMove)> {
        let mut cascade = Vec::with_capacity(moves.len());
        for (index, &played) in moves.iter().enumerate() {
            let rounds = blocks.play(played, rules.same_colour_swaps);
            cascade.push(rounds.map_err(|illegal| (index, illegal))?);
        }
        Ok(Self { moves, cascade })
    }
}
