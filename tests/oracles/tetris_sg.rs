//! The game of 2×2 squares by its definition: every square that fits is put on the cells
//! themselves, and the value is the least number that no such move leads to.

use std::collections::HashMap;

/// The game by its definition, on a board of at most 64 cells.
pub(crate) struct Oracle {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    known: HashMap<u64, u32>,
}

impl Oracle {
    /// Boards of that size, nothing known of them yet.
    pub(crate) fn new(rows: usize, cols: usize) -> Self {
        Self { rows, cols, known: HashMap::new() }
    }

    /// Every square that fits on the free cells: its top left cell and what it leaves.
    fn moves(&self, free: u64) -> Vec<((usize, usize), u64)> {
        let mut moves = Vec::new();
        for row in 0..self.rows.saturating_sub(1) {
            for col in 0..self.cols.saturating_sub(1) {
                let at = |row, col| 1u64 << (row * self.cols + col);
                let square =
                    at(row, col) | at(row, col + 1) | at(row + 1, col) | at(row + 1, col + 1);
                if free & square == square {
                    moves.push(((row, col), free & !square));
                }
            }
        }
        moves
    }

    /// The value of a board by its free cells.
    pub(crate) fn value(&mut self, free: u64) -> u32 {
        if let Some(&value) = self.known.get(&free) {
            return value;
        }
        let reached: Vec<u32> =
            self.moves(free).into_iter().map(|(_, left)| self.value(left)).collect();
        let value = (0..).find(|value| !reached.contains(value)).unwrap();
        self.known.insert(free, value);
        value
    }

    /// The moves that leave a board of value `rest`, row by row.
    pub(crate) fn winning_moves(&mut self, free: u64, rest: u32) -> Vec<(usize, usize)> {
        let moves = self.moves(free);
        moves.into_iter().filter(|&(_, left)| self.value(left) == rest).map(|(at, _)| at).collect()
    }
}
