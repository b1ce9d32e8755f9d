//! Why a board has no circuit.
//!
//! Every reason but the last can be checked by counting: `verify` and `certificate` do so from the
//! rules alone. They stand in the order in which they are looked for; the first
//! that applies is given.

use super::certificate::Certificate;
use crate::grid::Cell;

/// Why a board has no circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are fewer than four free cells.
    TooSmall,
    /// The colours of a chequered board have different numbers of free cells, but a
    /// circuit alternates between them.
    Parity {
        /// Free cells with an even row + column.
        white: usize,
        /// Free cells with an odd row + column.
        black: usize,
    },
    /// A cell has fewer than two free neighbours.
    DeadEnd {
        /// The cell.
        cell: Cell,
    },
    /// The free cells fall into several parts.
    Disconnected {
        /// One cell from each of two parts.
        cells: [Cell; 2],
    },
    /// Without this cell the others fall into several parts.
    CutCell {
        /// The cell.
        cell: Cell,
    },
    /// Forced steps alone leave a cell with fewer than two edges or more, or close
    /// a circuit before all cells are visited.
    Forced {
        /// The cell that cannot be passed once, or the cells of the circuit, in order.
        cells: Vec<Cell>,
        /// The steps that lead to it, each from the rules and earlier steps.
        steps: Vec<ForcedStep>,
    },
    /// Cells of one colour that have too few neighbours to be passed twice each.
    Crowded {
        /// The cells.
        cells: Vec<Cell>,
    },
    /// A cut set, or regions.
    Counted(Certificate),
    /// A search of all cases ended without a circuit.
    Exhausted,
}

/// An edge that every circuit uses, or none does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedStep {
    /// The one end of the edge.
    pub from: Cell,
    /// The other end.
    pub to: Cell,
    /// Whether it is used.
    pub is_used: bool,
    /// Why.
    pub ground: ForcedBy,
}

/// Why a step is forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcedBy {
    /// The cell has only two edges left, so both are used; or two of its edges are used, so no
    /// other is.
    Degree(Cell),
    /// The edge would close a path of used edges that does not visit all cells.
    ClosesEarly,
}
