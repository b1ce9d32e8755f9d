//! Reasons in JSON.

use serde::Serialize;
use utoipa::ToSchema;

use crate::budget::Stop;
use crate::grid::Cell;
use crate::http::wire::{JsonCell, stop_message};
use crate::puzzles::rook_circuit::certificate::Certificate;
use crate::puzzles::rook_circuit::reason::Reason;

/// Why there is no circuit, or why that is not known.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RookCircuitReason)]
pub struct JsonReason {
    /// What kind of reason it is.
    code: Code,
    /// The reason as a sentence.
    #[schema(example = "Without the cell (row 2, col 3) the others fall into several parts.")]
    message: String,
    /// Of `parity`: the number of free cells whose row + column is even.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 250_000)]
    white: Option<usize>,
    /// Of `parity`: the number of free cells whose row + column is odd.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 250_000)]
    black: Option<usize>,
    /// Of `dead_end`, `disconnected`, `cut_cell`, `forced`, `crowded` and `cut_set`: the cells, as
    /// the code says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 250_000)]
    cells: Option<Vec<JsonCell>>,
    /// Of `cut_set`: the number of parts that are left, greater than the number of `cells`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 2, maximum = 250_000)]
    parts: Option<usize>,
    /// Of `regions`: the cells of each region.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1)]
    regions: Option<Vec<Vec<JsonCell>>>,
    /// Of `regions`: a positive number a region.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1)]
    multipliers: Option<Vec<i64>>,
    /// Of `regions`: a number a cell, row by row; 0 on blocked cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 500)]
    weights: Option<Vec<Vec<i64>>>,
}

/// The kinds of reasons, in the order in which they are looked for; the first that is found is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RookCircuitReasonCode)]
pub enum Code {
    /// There are fewer than four free cells.
    TooSmall,
    /// The two colours of a chequered board have different numbers of free cells: `white`, `black`.
    Parity,
    /// A cell has fewer than two free neighbours: `cells`, that one.
    DeadEnd,
    /// The free cells fall into parts: `cells`, one of each of two parts.
    Disconnected,
    /// A cell without which the others fall into parts: `cells`, that one.
    CutCell,
    /// Forced steps alone (a cell with two ways left uses both, a cell that is passed uses no
    /// other, no path is closed early) pass a cell more than once, leave it
    /// with fewer than two ways, or close a circuit too early: `cells`, that cell or the circuit.
    Forced,
    /// Cells of one colour with too few neighbours to be passed twice each: `cells`. A neighbour can
    /// pass two of them, or one if it touches one.
    Crowded,
    /// Cells whose removal leaves more parts than cells were removed: `cells`, `parts`.
    CutSet,
    /// Regions whose borders cannot all be crossed twice: `regions`, `multipliers`, `weights`. Let a
    /// pair of neighbours be worth the sum of their weights and of the multipliers of the regions
    /// that hold exactly one of them. A circuit's pairs would be worth twice the sum of
    /// all weights and multipliers or more, but all pairs of positive worth together are worth less.
    Regions,
    /// A finished search of all cases found no circuit.
    Exhausted,
    /// The time limit was reached.
    TimeLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The solve was cancelled.
    Cancelled,
}

impl From<Stop> for JsonReason {
    fn from(stop: Stop) -> Self {
        let code = match stop {
            Stop::TimeLimit => Code::TimeLimit,
            Stop::MemoryLimit => Code::MemoryLimit,
            Stop::Cancelled => Code::Cancelled,
        };
        Self::bare(code, stop_message(stop).to_owned())
    }
}

impl From<&Reason> for JsonReason {
    fn from(reason: &Reason) -> Self {
        let told = |code, cells: &[Cell], message: String| Self {
            cells: Some(cells.iter().copied().map(JsonCell::from).collect()),
            ..Self::bare(code, message)
        };
        match reason {
            Reason::TooSmall => Self::bare(
                Code::TooSmall,
                "A circuit has at least four cells; there are fewer free ones.".to_owned(),
            ),
            Reason::Parity { white, black } => Self {
                white: Some(*white),
                black: Some(*black),
                ..Self::bare(
                    Code::Parity,
                    format!(
                        "Each step changes the colour of a chequered board, but {white} free cells \
                         are white and {black} black."
                    ),
                )
            },
            Reason::DeadEnd { cell } => told(
                Code::DeadEnd,
                &[*cell],
                format!("The cell {cell} has fewer than two free neighbours."),
            ),
            Reason::Disconnected { cells } => told(
                Code::Disconnected,
                cells,
                format!("No path joins the cells {} and {}.", cells[0], cells[1]),
            ),
            Reason::CutCell { cell } => told(
                Code::CutCell,
                &[*cell],
                format!("Without the cell {cell} the others fall into several parts."),
            ),
            Reason::Forced { cells, .. } if cells.len() == 1 => told(
                Code::Forced,
                cells,
                format!(
                    "Forced steps alone leave the cell {} with fewer than two ways, or with more \
                     than two that must be used.",
                    cells[0]
                ),
            ),
            Reason::Forced { cells, .. } => told(
                Code::Forced,
                cells,
                format!(
                    "Forced steps alone close a circuit of {} cells before all are visited.",
                    cells.len()
                ),
            ),
            Reason::Crowded { cells } => told(
                Code::Crowded,
                cells,
                format!(
                    "These {} cells of one colour have too few neighbours to be passed twice each.",
                    cells.len()
                ),
            ),
            Reason::Counted(Certificate::CutSet { cells, parts }) => Self {
                parts: Some(*parts),
                ..told(
                    Code::CutSet,
                    cells,
                    format!(
                        "Without these {} cells {parts} parts are left, and each cell of a circuit \
                         can join only one part to the next.",
                        cells.len()
                    ),
                )
            },
            Reason::Counted(Certificate::Regions { regions, multipliers, weights }) => Self {
                regions: Some(
                    regions
                        .iter()
                        .map(|region| region.iter().copied().map(JsonCell::from).collect())
                        .collect(),
                ),
                multipliers: Some(multipliers.clone()),
                weights: Some(weights.clone()),
                ..Self::bare(
                    Code::Regions,
                    format!(
                        "A circuit crosses the border of each of these {} regions at least twice, \
                         but no way of giving every cell two edges crosses all of them so often.",
                        regions.len()
                    ),
                )
            },
            Reason::Exhausted => Self::bare(
                Code::Exhausted,
                "A finished search of all cases found no circuit.".to_owned(),
            ),
        }
    }
}

impl JsonReason {
    const fn bare(code: Code, message: String) -> Self {
        Self {
            code,
            message,
            white: None,
            black: None,
            cells: None,
            parts: None,
            regions: None,
            multipliers: None,
            weights: None,
        }
    }
}
