//! What a board with a circuit is answered with.

use crate::grid::Direction;

/// A circuit, and what else was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The steps of the tour from the board's start and back to it.
    pub moves: Vec<Direction>,
    /// Whether it is the only circuit; `None` when that was not asked or not decided.
    pub unique: Option<bool>,
    /// The number of circuits, direction and start not counted, in decimal; `None` when that was
    /// not asked or not decided.
    pub count: Option<String>,
}
