//! The order in which a board's free cells are swept, and what a step over one
//! cell does to a state.
//!
//! A state is a word of two-bit places: 0 no edge, [`OPEN`] and [`CLOSE`] the left
//! and the right end of a path behind the frontier. With column `c` next, places
//! 0 to c − 1 are the edges down from this row's cells, place c the edge into the
//! next cell from the left, places c + 1 to width the edges down from the row above.
//!
//! Blocked cells need no step: no edge ever leads into one.

use crate::grid::{Cell, Size};
use crate::puzzles::rook_circuit::board::Board;

/// The left end of a path.
const OPEN: u64 = 1;
/// The right end of a path.
const CLOSE: u64 = 2;
/// Turns an [`OPEN`] into a [`CLOSE`] and back.
const TURN: u64 = OPEN ^ CLOSE;
/// The widest board whose states fit a 64-bit key.
const MAX_WIDTH: usize = 31;

/// A board cut down to its free part, turned so that it is swept across the side
/// that promises fewer states.
pub(super) struct Sweep {
    steps: Vec<Step>,
    turned: bool,
    widest_layer: u64,
    work: u64,
}

/// One free cell and where edges may leave it.
#[derive(Clone, Copy)]
pub(super) struct Step {
    cell: Cell,
    /// The first bit of the place of the edge from the left.
    shift: u32,
    /// Whether the cell is the first of its row: then the places move up by one.
    opens_row: bool,
    down: bool,
    right: bool,
    last: bool,
}

/// The states that one state leads to.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    states: [u64; 2],
    len: usize,
}

impl Sweep {
    /// The cheaper of the two sweeps; `None` when the free part is too wide.
    pub(super) fn new(board: &Board) -> Option<Self> {
        let upright = Self::turned(board, false);
        let turned = Self::turned(board, true);
        match (upright, turned) {
            (Some(upright), Some(turned)) => {
                Some(if turned.work < upright.work { turned } else { upright })
            }
            (upright, turned) => upright.or(turned),
        }
    }

    fn turned(board: &Board, turned: bool) -> Option<Self> {
        let turn = |cell: Cell| if turned { Cell::new(cell.col, cell.row) } else { cell };
        let mut cells: Vec<Cell> = board.free().iter().map(turn).collect();
        cells.sort_unstable();
        let left = cells.iter().map(|cell| cell.col).min()?;
        let right = cells.iter().map(|cell| cell.col).max()?;
        if (right - left) as usize >= MAX_WIDTH {
            return None;
        }
        let is_free = |cell: Cell| board.is_free(turn(cell));
        let mut row_before = None;
        let last = *cells.last()?;
        let steps: Vec<Step> = cells
            .iter()
            .map(|&cell| {
                let opens_row = row_before.replace(cell.row) != Some(cell.row);
                Step {
                    cell,
                    shift: 2 * (cell.col - left) as u32,
                    opens_row,
                    down: is_free(Cell::new(cell.row + 1, cell.col)),
                    right: is_free(Cell::new(cell.row, cell.col + 1)),
                    last: cell == last,
                }
            })
            .collect();
        let mut sweep = Self { steps, turned, widest_layer: 0, work: 0 };
        sweep.estimate();
        Some(sweep)
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// An estimate of the states of the largest layer.
    pub(super) const fn widest_layer(&self) -> u64 {
        self.widest_layer
    }

    /// An estimate of the states of all layers.
    pub(super) const fn work(&self) -> u64 {
        self.work
    }

    /// Motzkin numbers of the crossing edges, layer by layer.
    fn estimate(&mut self) {
        let mut open_edges: i64 = 0;
        for (index, step) in self.steps.iter().enumerate() {
            // What the step takes from the frontier: edges from the left and from above.
            let from_left = index
                .checked_sub(1)
                .and_then(|before| self.steps.get(before))
                .is_some_and(|before| before.right);
            let above = Cell::new(step.cell.row - 1, step.cell.col);
            let from_above =
                self.steps[..index].binary_search_by_key(&above, |earlier| earlier.cell).is_ok();
            open_edges += i64::from(step.down) + i64::from(step.right);
            open_edges -= i64::from(from_left) + i64::from(from_above);
            let states = motzkin(open_edges.unsigned_abs() as usize);
            self.widest_layer = self.widest_layer.max(states);
            self.work = self.work.saturating_add(states);
        }
    }

    /// The circuit that passes through `states`, one a layer, from `start`.
    pub(super) fn circuit(&self, states: &[u64], start: Cell) -> Vec<Cell> {
        let turn = |cell: Cell| if self.turned { Cell::new(cell.col, cell.row) } else { cell };
        let rows = self.steps.iter().map(|step| turn(step.cell).row + 1).max().unwrap_or(0);
        let cols = self.steps.iter().map(|step| turn(step.cell).col + 1).max().unwrap_or(0);
        let size = Size::new(rows as usize, cols as usize);
        let mut joined: Vec<Vec<Cell>> = vec![Vec::new(); size.area()];
        let mut join = |one: Cell, other: Cell| {
            let (one, other) = (turn(one), turn(other));
            for (from, to) in [(one, other), (other, one)] {
                joined[size.index(from).expect("a free cell")].push(to);
            }
        };
        for (step, &after) in self.steps.iter().zip(&states[1..]) {
            let cell = step.cell;
            if (after >> step.shift) & 3 != 0 {
                join(cell, Cell::new(cell.row + 1, cell.col));
            }
            if (after >> (step.shift + 2)) & 3 != 0 {
                join(cell, Cell::new(cell.row, cell.col + 1));
            }
        }
        let mut circuit = vec![start];
        let (mut before, mut at) = (start, start);
        while circuit.len() < self.steps.len() {
            let ends = &joined[size.index(at).expect("a free cell")];
            // From the start either way will do; later on, the way that was not come.
            let next = if ends[0] == before { ends[1] } else { ends[0] };
            (before, at) = (at, next);
            circuit.push(at);
        }
        circuit
    }
}

impl Step {
    /// The states that `state` leads to by this step: none when it is a dead end.
    #[inline]
    pub(super) fn targets(&self, state: u64) -> Targets {
        let state = if self.opens_row { state << 2 } else { state };
        let shift = self.shift;
        let left = (state >> shift) & 3;
        let up = (state >> (shift + 2)) & 3;
        let rest = state & !(15 << shift);
        let mut targets = Targets { states: [0; 2], len: 0 };
        match (left, up) {
            (0, 0) => {
                if self.down && self.right {
                    targets.push(rest | (OPEN << shift) | (CLOSE << (shift + 2)));
                }
            }
            (end, 0) | (0, end) => {
                if self.down {
                    targets.push(rest | (end << shift));
                }
                if self.right {
                    targets.push(rest | (end << (shift + 2)));
                }
            }
            // Two left ends meet: the right end of the inner path becomes the left end
            // of what they make.
            (OPEN, OPEN) => targets.push(rest ^ (TURN << partner_right(rest, shift + 4))),
            (CLOSE, CLOSE) => targets.push(rest ^ (TURN << partner_left(rest, shift))),
            (CLOSE, OPEN) => targets.push(rest),
            // Both ends of one path meet: the circuit closes.
            _ => {
                if self.last {
                    targets.push(rest);
                }
            }
        }
        targets
    }
}

impl Targets {
    #[inline]
    const fn push(&mut self, state: u64) {
        self.states[self.len] = state;
        self.len += 1;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u64] {
        &self.states[..self.len]
    }
}

/// The bit of the right end whose left end lies just before bit `from`.
#[inline]
const fn partner_right(state: u64, mut from: u32) -> u32 {
    let mut depth = 1;
    loop {
        match (state >> from) & 3 {
            OPEN => depth += 1,
            CLOSE => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return from;
        }
        from += 2;
    }
}

/// The bit of the left end whose right end lies at bit `from`.
#[inline]
const fn partner_left(state: u64, mut from: u32) -> u32 {
    let mut depth = 1;
    loop {
        from -= 2;
        match (state >> from) & 3 {
            CLOSE => depth += 1,
            OPEN => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return from;
        }
    }
}

/// The number of ways to place non-crossing pairs on `places` places.
fn motzkin(places: usize) -> u64 {
    let (mut before, mut number) = (1_u64, 1_u64);
    for n in 2..=places as u64 {
        let next =
            u128::from(2 * n + 1) * u128::from(number) + u128::from(3 * n - 3) * u128::from(before);
        (before, number) = (number, u64::try_from(next / u128::from(n + 2)).unwrap_or(u64::MAX));
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motzkin_numbers_are_the_known_ones() {
        let numbers: Vec<u64> = (0..10).map(motzkin).collect();
        assert_eq!(numbers, [1, 1, 2, 4, 9, 21, 51, 127, 323, 835]);
    }
}
