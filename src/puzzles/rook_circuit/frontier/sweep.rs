//! The order in which a board's free cells are swept, and what a step over one
//! cell does to a state.
//!
//! A state is a word of two-bit places, one for each edge that may cross the frontier: 0
//! when it does not, [`OPEN`] and [`CLOSE`] for the left and the right end of a path behind.
//! Along the frontier come the edges down from this row's cells so far, the edge into the
//! next cell from the left, and the edges down from the row above. An edge that no circuit
//! uses has no place, so a state is as long as the frontier is open, however
//! wide the board; blocked cells need no step.
//!
//! A step takes the places of the edges from the left and from above, one after the other, and
//! puts those of the edges down and to the right in their stead.

use crate::grid::{Cell, Direction};
use crate::puzzles::rook_circuit::board::Board;
use crate::puzzles::rook_circuit::edge_rules::{EdgeRule, EdgeRules};

/// The left end of a path.
const OPEN: u64 = 1;
/// The right end of a path.
const CLOSE: u64 = 2;
/// Turns an [`OPEN`] into a [`CLOSE`] and back.
const TURN: u64 = OPEN ^ CLOSE;
/// The most places of a state, so that no shift passes the word.
const MOST_PLACES: u32 = 31;

/// A board's steps, across the side that promises fewer states.
#[derive(Debug)]
pub(super) struct Sweep {
    steps: Vec<Step>,
    turned: bool,
    /// An estimate of the states of all layers, several times too great for a board with many
    /// blocked cells; it serves to compare.
    estimate: f64,
}

/// One free cell and where edges may lead from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    cell: Cell,
    /// The first bit of the places that the step takes and puts.
    start: u32,
    left: Place,
    up: Place,
    /// The first bit after the places that are taken.
    taken_end: u32,
    down: Place,
    right: Place,
    /// The first bit after the places that are put.
    put_end: u32,
    /// Whether the cell is the last one, where the circuit closes.
    last: bool,
}

/// The place of an edge, which may have none.
#[derive(Clone, Copy, Debug)]
struct Place {
    bit: u32,
    /// 3, or 0 for an edge without a place.
    mask: u64,
    rule: EdgeRule,
}

/// The states that one state leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    states: [u64; 2],
    len: usize,
}

impl Sweep {
    /// The cheaper of the two sweeps; `None` when the board is too wide for both.
    pub(super) fn new(board: &Board, rules: &EdgeRules) -> Option<Self> {
        let upright = Self::turned(board, rules, false);
        let turned = Self::turned(board, rules, true);
        match (upright, turned) {
            (Some(upright), Some(turned)) => {
                Some(if turned.estimate < upright.estimate { turned } else { upright })
            }
            (upright, turned) => upright.or(turned),
        }
    }

    fn turned(board: &Board, rules: &EdgeRules, turned: bool) -> Option<Self> {
        let mut cells: Vec<Cell> = board.free().iter().map(|cell| turn(cell, turned)).collect();
        cells.sort_unstable();
        let mut sweep = Self { steps: Vec::new(), turned, estimate: 0.0 };
        let (mut row, mut start, mut places, mut always) = (None, 0, 0, 0);
        for &cell in &cells {
            if row.replace(cell.row) != Some(cell.row) {
                start = 0;
            }
            let rule = |direction| rules.of(turn(cell, turned), turn_direction(direction, turned));
            let left = Place::new(start, rule(Direction::West));
            let up = Place::new(left.end(), rule(Direction::North));
            let down = Place::new(start, rule(Direction::South));
            let right = Place::new(down.end(), rule(Direction::East));
            sweep.steps.push(Step {
                cell,
                start,
                left,
                up,
                taken_end: up.end(),
                down,
                right,
                put_end: right.end(),
                last: cells.last() == Some(&cell),
            });
            places = places + right.end() - up.end();
            always = always + down.always() + right.always() - left.always() - up.always();
            start = down.end();
            if places > 2 * MOST_PLACES {
                return None;
            }
            sweep.estimate += Self::estimate_layer(places / 2, always);
        }
        Some(sweep)
    }

    /// An estimate of a layer's states: the Motzkin number of its places, those
    /// that are always crossed having two states instead of three.
    fn estimate_layer(places: u32, always: u32) -> f64 {
        motzkin(places) * (2.0_f64 / 3.0).powi(always as i32)
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The circuit of `board` that passes through `states`, one a layer.
    pub(super) fn circuit(&self, board: &Board, states: &[u64]) -> Vec<Cell> {
        let size = board.size();
        let mut joined: Vec<Vec<Cell>> = vec![Vec::with_capacity(2); size.area()];
        let mut join = |one: Cell, direction: Direction| {
            let (one, other) = (turn(one, self.turned), turn(one.step(direction), self.turned));
            for (from, to) in [(one, other), (other, one)] {
                joined[size.index(from).expect("a free cell")].push(to);
            }
        };
        for (step, &after) in self.steps.iter().zip(&states[1..]) {
            if step.down.of(after) != 0 {
                join(step.cell, Direction::South);
            }
            if step.right.of(after) != 0 {
                join(step.cell, Direction::East);
            }
        }
        let mut circuit = vec![board.start()];
        let (mut before, mut at) = (board.start(), board.start());
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

/// Swaps rows and columns if the board is swept turned.
const fn turn(cell: Cell, turned: bool) -> Cell {
    if turned { Cell::new(cell.col, cell.row) } else { cell }
}

const fn turn_direction(direction: Direction, turned: bool) -> Direction {
    match (turned, direction) {
        (false, direction) => direction,
        (true, Direction::North) => Direction::West,
        (true, Direction::West) => Direction::North,
        (true, Direction::South) => Direction::East,
        (true, Direction::East) => Direction::South,
    }
}

impl Place {
    const fn new(bit: u32, rule: EdgeRule) -> Self {
        Self { bit, mask: if matches!(rule, EdgeRule::Never) { 0 } else { 3 }, rule }
    }

    /// The first bit after it.
    const fn end(self) -> u32 {
        self.bit + if self.mask == 0 { 0 } else { 2 }
    }

    const fn always(self) -> u32 {
        matches!(self.rule, EdgeRule::Always) as u32
    }

    #[inline]
    const fn of(self, state: u64) -> u64 {
        (state >> self.bit) & self.mask
    }

    #[inline]
    const fn may_be_used(self) -> bool {
        self.mask != 0
    }

    #[inline]
    const fn may_be_left(self) -> bool {
        !matches!(self.rule, EdgeRule::Always)
    }
}

impl Step {
    /// The states that `state` leads to by this step: none when it is a dead end.
    #[inline]
    pub(super) fn targets(&self, state: u64) -> Targets {
        let before = state & !(u64::MAX << self.start);
        let after = state >> self.taken_end;
        let put = |before: u64, after: u64, down: u64, right: u64| {
            before | (down << self.down.bit) | (right << self.right.bit) | (after << self.put_end)
        };
        let mut targets = Targets { states: [0; 2], len: 0 };
        let neither = self.down.may_be_left() && self.right.may_be_left();
        match (self.left.of(state), self.up.of(state)) {
            (0, 0) => {
                if self.down.may_be_used() && self.right.may_be_used() {
                    targets.push(put(before, after, OPEN, CLOSE));
                }
            }
            (end, 0) | (0, end) => {
                if self.down.may_be_used() && self.right.may_be_left() {
                    targets.push(put(before, after, end, 0));
                }
                if self.right.may_be_used() && self.down.may_be_left() {
                    targets.push(put(before, after, 0, end));
                }
            }
            _ if !neither => {}
            // Two left ends meet: the right end of the inner path becomes the left end
            // of what they make.
            (OPEN, OPEN) => {
                targets.push(put(before, after ^ (TURN << partner_right(after)), 0, 0));
            }
            (CLOSE, CLOSE) => {
                let partner = partner_left(before, self.start);
                targets.push(put(before ^ (TURN << partner), after, 0, 0));
            }
            (CLOSE, OPEN) => targets.push(put(before, after, 0, 0)),
            // Both ends of one path meet: the circuit closes.
            _ => {
                if self.last {
                    targets.push(put(before, after, 0, 0));
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

/// The bit of the right end whose left end lies just before `state`.
#[inline]
const fn partner_right(state: u64) -> u32 {
    let (mut bit, mut depth) = (0, 1);
    loop {
        match (state >> bit) & 3 {
            OPEN => depth += 1,
            CLOSE => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return bit;
        }
        bit += 2;
    }
}

/// The bit of the left end whose right end lies just after `state`, which ends at bit `end`.
#[inline]
const fn partner_left(state: u64, end: u32) -> u32 {
    let (mut bit, mut depth) = (end, 1);
    loop {
        bit -= 2;
        match (state >> bit) & 3 {
            CLOSE => depth += 1,
            OPEN => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return bit;
        }
    }
}

/// The number of ways to place non-crossing pairs on `places` places.
fn motzkin(places: u32) -> f64 {
    let (mut before, mut number) = (1.0, 1.0);
    for n in 2..=places {
        let n = f64::from(n);
        let next = ((2.0 * n + 1.0) * number + (3.0 * n - 3.0) * before) / (n + 2.0);
        (before, number) = (number, next);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motzkin_numbers_are_the_known_ones() {
        for (places, number) in (0..).zip([1, 1, 2, 4, 9, 21, 51, 127, 323, 835]) {
            assert_eq!(motzkin(places).round() as u64, number);
        }
    }
}
