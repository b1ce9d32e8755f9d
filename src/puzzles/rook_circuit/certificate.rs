//! Checks the two counting proofs of "no" from the rules alone, in whole numbers.
//!
//! **Cut set.** A circuit from which k ≥ 1 cells are taken falls into at most k
//! pieces, and each part of the board that is left needs one. More than k parts: no
//! circuit.
//!
//! **Regions.** Give each cell v a weight y(v) of any sign and each region S — some
//! free cells, not all — a multiplier u(S) > 0. Let a pair of neighbours a, b be worth
//! w(ab) = y(a) + y(b) + the multipliers of the regions that hold exactly one of the
//! two. A circuit uses two pairs at each cell and crosses each region's border at
//! least twice, so its pairs are worth 2 (Σ y + Σ u) or more. It uses a pair at most
//! once, so they are worth Σ max(0, w) over all pairs or less. Where the first sum
//! is the greater one, there is no circuit.
//!
//! Cost: O(area) for a cut set; O(area + members of the regions) for regions. A sum that would
//! overflow refuses the certificate.

use crate::grid::{Cell, CellSet, Direction, Size};
use crate::puzzle::Violation;
use crate::puzzles::rook_circuit::board::Board;

/// A proof that a board has no circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Removing `cells` leaves `parts` parts, more than cells.
    CutSet {
        /// The removed cells, in row-major order.
        cells: Vec<Cell>,
        /// The number of parts that are left.
        parts: usize,
    },
    /// Regions with multipliers, and weights on cells.
    Regions {
        /// The cells of each region, in row-major order.
        regions: Vec<Vec<Cell>>,
        /// A positive number a region.
        multipliers: Vec<i64>,
        /// A number a cell, row by row; 0 on blocked cells.
        weights: Vec<Vec<i64>>,
    },
}

impl Certificate {
    /// Checks every claim of the certificate.
    ///
    /// # Errors
    /// The first claim that is not so.
    pub fn check(&self, board: &Board) -> Result<(), Violation> {
        match self {
            Self::CutSet { cells, parts } => check_cut_set(board, cells, *parts),
            Self::Regions { regions, multipliers, weights } => {
                check_regions(board, regions, multipliers, weights)
            }
        }
    }
}

/// Checks that taking `cells` away leaves `parts` parts, and more parts than cells.
///
/// # Errors
/// The first claim that is not so.
pub(super) fn check_cut_set(board: &Board, cells: &[Cell], parts: usize) -> Result<(), Violation> {
    let removed = set_of_free_cells(board, cells, "the cut set")?;
    if removed.is_empty() {
        return Err(Violation::new("the cut set names no cell"));
    }
    let left = parts_without(board, &removed);
    if left != parts {
        return Err(Violation::new(format!(
            "without the cut set the board has {left} parts, not {parts}"
        )));
    }
    if parts <= cells.len() {
        return Err(Violation::new(format!(
            "{} cells of a circuit can join {parts} parts",
            cells.len()
        )));
    }
    Ok(())
}

/// Checks that the weights and regions leave no room for a circuit. `weights` has a
/// row a row of the board, with 0 on blocked cells.
///
/// # Errors
/// The first claim that is not so.
pub(super) fn check_regions(
    board: &Board,
    regions: &[Vec<Cell>],
    multipliers: &[i64],
    weights: &[Vec<i64>],
) -> Result<(), Violation> {
    let size = board.size();
    let weights = flat_weights(board, weights)?;
    if regions.is_empty() || regions.len() != multipliers.len() {
        return Err(Violation::new(format!(
            "{} regions have {} multipliers",
            regions.len(),
            multipliers.len()
        )));
    }
    let pairs = 2 * size.area();
    // A pair has the number of its upper or left cell, doubled, plus one if it goes south.
    let mut worth = vec![0_i64; pairs];
    for (number, pair) in worth.iter_mut().enumerate() {
        if let Some((one, other)) = pair_of(board, number) {
            *pair = weights[one].checked_add(weights[other]).ok_or_else(overflow)?;
        }
    }
    let free = board.free().len();
    let mut needed: i128 = weights.iter().map(|&weight| i128::from(weight)).sum();
    for (index, (region, &multiplier)) in regions.iter().zip(multipliers).enumerate() {
        if multiplier <= 0 {
            return Err(Violation::new(format!("region {index} has multiplier {multiplier}")));
        }
        let members = set_of_free_cells(board, region, &format!("region {index}"))?;
        if members.is_empty() || members.len() == free {
            return Err(Violation::new(format!(
                "region {index} holds {} of {free} free cells",
                members.len()
            )));
        }
        needed += i128::from(multiplier);
        for &cell in region {
            for direction in Direction::ALL {
                let other = cell.step(direction);
                if board.is_free(other) && !members.contains(other) {
                    let pair = &mut worth[pair_number(size, cell, direction)];
                    *pair = pair.checked_add(multiplier).ok_or_else(overflow)?;
                }
            }
        }
    }
    let available: i128 = worth
        .iter()
        .enumerate()
        .filter(|&(number, _)| pair_of(board, number).is_some())
        .map(|(_, &worth)| i128::from(worth.max(0)))
        .sum();
    if 2 * needed <= available {
        return Err(Violation::new(format!(
            "a circuit needs pairs worth {}, and all pairs are worth {available}",
            2 * needed
        )));
    }
    Ok(())
}

/// The number of connected parts of the free cells outside `removed`.
pub(super) fn parts_without(board: &Board, removed: &CellSet) -> usize {
    let mut seen = removed.clone();
    let mut parts = 0;
    let mut stack = Vec::new();
    for start in board.free().iter() {
        if !seen.insert(start) {
            continue;
        }
        parts += 1;
        stack.push(start);
        while let Some(cell) = stack.pop() {
            for next in cell.neighbours() {
                if board.is_free(next) && seen.insert(next) {
                    stack.push(next);
                }
            }
        }
    }
    parts
}

/// The cells as a set, if they are free and none is named twice.
fn set_of_free_cells(board: &Board, cells: &[Cell], what: &str) -> Result<CellSet, Violation> {
    let mut set = CellSet::new(board.size());
    for &cell in cells {
        if !board.is_free(cell) {
            return Err(Violation::new(format!("{what} names {cell}, which is not a free cell")));
        }
        if !set.insert(cell) {
            return Err(Violation::new(format!("{what} names {cell} twice")));
        }
    }
    Ok(set)
}

/// The weights in one row-major list, if there is one a cell and none on blocked cells.
fn flat_weights(board: &Board, weights: &[Vec<i64>]) -> Result<Vec<i64>, Violation> {
    let size = board.size();
    if weights.len() != size.rows || weights.iter().any(|row| row.len() != size.cols) {
        return Err(Violation::new(format!("the weights are not {size}")));
    }
    let flat: Vec<i64> = weights.concat();
    for (cell, &weight) in size.cells().zip(&flat) {
        if weight != 0 && !board.is_free(cell) {
            return Err(Violation::new(format!("the blocked {cell} has the weight {weight}")));
        }
    }
    Ok(flat)
}

/// The row-major indices of the free cells that the pair `number` joins.
fn pair_of(board: &Board, number: usize) -> Option<(usize, usize)> {
    let size = board.size();
    let cell = size.cell(number / 2);
    let direction = if number.is_multiple_of(2) { Direction::East } else { Direction::South };
    let other = cell.step(direction);
    let both_free = board.is_free(cell) && board.is_free(other);
    both_free.then_some((number / 2, size.index(other)?))
}

/// The number of the pair of `cell`, which lies on the board, and its neighbour in `direction`,
/// which does too.
fn pair_number(size: Size, cell: Cell, direction: Direction) -> usize {
    let (first, south) = match direction {
        Direction::East => (cell, 0),
        Direction::South => (cell, 1),
        Direction::West => (cell.step(direction), 0),
        Direction::North => (cell.step(direction), 1),
    };
    2 * size.index(first).expect("a cell of the board") + south
}

fn overflow() -> Violation {
    Violation::new("the numbers of the certificate are too great to be summed")
}
