//! Why a board has no circuit.
//!
//! Every reason but the last can be checked by counting: `verify` and `certificate` do so from the
//! rules alone. They stand in the order in which they are looked for; the first
//! that applies is given.

use super::regions::Certificate;
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
    /// Forced steps alone pass a cell more than once, leave it with fewer than two
    /// edges, or close a circuit before all cells are visited.
    Forced {
        /// The cell where they do, or the cells of the circuit closed too early.
        cells: Vec<Cell>,
    },
    /// Cells of one colour that have too few neighbours to be passed twice each.
    Crowded {
        /// The cells.
        cells: Vec<Cell>,
    },
    /// A few cells whose removal leaves more parts than cells were removed.
    CutSet {
        /// The removed cells.
        cells: Vec<Cell>,
        /// The number of parts that are left.
        parts: usize,
    },
    /// Regions whose borders cannot all be crossed twice; see `certificate`.
    Regions {
        /// The cells of each region.
        regions: Vec<Vec<Cell>>,
        /// A positive number a region.
        multipliers: Vec<i64>,
        /// A number a cell, row by row; 0 on blocked cells.
        weights: Vec<Vec<i64>>,
    },
    /// A search of all cases ended without a circuit.
    Exhausted,
}

impl From<Certificate> for Reason {
    fn from(certificate: Certificate) -> Self {
        match certificate {
            Certificate::CutSet { cells, parts } => Self::CutSet { cells, parts },
            Certificate::Regions { regions, multipliers, weights } => {
                Self::Regions { regions, multipliers, weights }
            }
        }
    }
}
