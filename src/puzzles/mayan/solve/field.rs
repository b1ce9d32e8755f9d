//! The search's own form of a position: packed columns, and a bit set a colour.
//!
//! A column is 28 bits, four a block, the lowest block lowest. A place is bit
//! 8·x + y of a 40-bit set, so that places in the order of bits are moves in the
//! order of the answer, and the eighth bit of each column, always empty, keeps
//! columns apart under shifts.

use crate::puzzles::mayan::board::{Blocks, COLUMNS, HEIGHT};

/// A set of places.
pub(super) type Places = u64;

/// One step to the right in a set of places.
pub(super) const COLUMN_BITS: u32 = 8;

/// Five packed columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns(pub(super) [u32; COLUMNS]);

/// The lowest bit of each block's four.
const EACH: u32 = 0x0111_1111;

impl Columns {
    /// The blocks, their colours replaced by `names`.
    pub(super) fn new(blocks: &Blocks, names: &[u8]) -> Self {
        let mut columns = [0; COLUMNS];
        for (x, column) in columns.iter_mut().enumerate() {
            for y in 0..HEIGHT {
                if let Some(colour) = blocks.colour(x, y) {
                    *column |= u32::from(names[usize::from(colour)]) << (4 * y);
                }
            }
        }
        Self(columns)
    }

    /// Whether there is no block.
    pub(super) const fn is_empty(&self) -> bool {
        let [a, b, c, d, e] = self.0;
        a | b | c | d | e == 0
    }

    /// The number of blocks in column `x`.
    pub(super) const fn height(&self, x: usize) -> u32 {
        (32 - self.0[x].leading_zeros()).div_ceil(4)
    }

    /// The colour at height `y` of column `x`, 0 where there is none.
    pub(super) const fn colour(&self, x: usize, y: u32) -> u32 {
        self.0[x] >> (4 * y) & 15
    }

    /// Swaps the places at height `y` of columns `x` and `x + 1`.
    pub(super) const fn swap(&mut self, x: usize, y: u32) {
        let difference = (self.0[x] ^ self.0[x + 1]) & 15 << (4 * y);
        self.0[x] ^= difference;
        self.0[x + 1] ^= difference;
    }

    /// Takes the block at height `y` out of column `from` and drops it on column `to`.
    pub(super) const fn drop_on(&mut self, from: usize, y: u32, to: usize) {
        let colour = self.colour(from, y);
        let height = self.height(to);
        self.0[from] = without(self.0[from], 15 << (4 * y));
        self.0[to] |= colour << (4 * height);
    }

    /// Lets runs vanish and blocks fall until neither happens; whether any did.
    pub(super) fn settle(&mut self) -> bool {
        let mut changed = false;
        loop {
            let runs = self.runs();
            if runs == [0; COLUMNS] {
                return changed;
            }
            changed = true;
            for (column, run) in self.0.iter_mut().zip(runs) {
                if run != 0 {
                    *column = without(*column, run * 15);
                }
            }
        }
    }

    /// For each column the blocks in runs, at the lowest bit of their four.
    fn runs(&self) -> [u32; COLUMNS] {
        let columns = &self.0;
        let mut runs = [0; COLUMNS];
        for x in 0..COLUMNS {
            let pairs = equal(columns[x], columns[x] >> 4);
            let threes = pairs & pairs >> 4;
            runs[x] |= threes | threes << 4 | threes << 8;
        }
        let mut pairs = [0; COLUMNS - 1];
        for x in 0..COLUMNS - 1 {
            pairs[x] = equal(columns[x], columns[x + 1]);
        }
        for x in 0..COLUMNS - 2 {
            let threes = pairs[x] & pairs[x + 1];
            runs[x] |= threes;
            runs[x + 1] |= threes;
            runs[x + 2] |= threes;
        }
        runs
    }
}

/// Where both columns have blocks of one colour.
const fn equal(left: u32, right: u32) -> u32 {
    let difference = left ^ right;
    let differs = difference | difference >> 1 | difference >> 2 | difference >> 3;
    let filled = left | left >> 1 | left >> 2 | left >> 3;
    filled & !differs & EACH
}

/// The column without the blocks whose bits are set in `gone`, fallen.
const fn without(column: u32, gone: u32) -> u32 {
    let mut column = column & !gone;
    let mut gone = gone;
    while gone != 0 {
        let lowest = gone.trailing_zeros() & !3;
        let below = (1 << lowest) - 1;
        column = column & below | column >> 4 & !below;
        gone = (gone & !(15 << lowest)) >> 4;
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::mayan::board::{Drag, Move};

    const NAMES: [u8; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

    #[test]
    fn packed_moves_do_what_the_rules_do() {
        let mut random = 0x2545_F491_4F6C_DD1D_u64;
        let mut next = |below: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % below
        };
        for _ in 0..20_000 {
            let colours = 1 + next(5);
            let heights = next(8) + 1;
            let columns: Vec<Vec<i64>> = (0..COLUMNS)
                .map(|_| (0..next(heights)).map(|_| 1 + next(colours) as i64).collect())
                .collect();
            let mut blocks = Blocks::new(&columns).unwrap();
            let mut packed = Columns::new(&blocks, &NAMES);
            let (x, y) = (next(COLUMNS as u64 - 1) as usize, next(HEIGHT as u64) as usize);
            let (left, right) = (blocks.colour(x, y), blocks.colour(x + 1, y));
            let played = match (left, right) {
                (None, None) => continue,
                (Some(_), _) => Move { x, y, drag: Drag::Right },
                (None, Some(_)) => Move { x: x + 1, y, drag: Drag::Left },
            };
            let before = blocks;
            blocks.play(played, true).unwrap();
            match (left, right) {
                (Some(_), Some(_)) => packed.swap(x, y as u32),
                (Some(_), None) => packed.drop_on(x, y as u32, x + 1),
                _ => packed.drop_on(x + 1, y as u32, x),
            }
            packed.settle();
            assert_eq!(packed, Columns::new(&blocks, &NAMES), "{before}{played}");
        }
    }
}
