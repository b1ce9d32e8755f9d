//! The search's own forms of a position: packed columns, and a bit set a colour.
//!
//! A packed column is 28 bits, four a block, the lowest block lowest: the form
//! that tells positions apart. A place is bit 8·x + y of a 40-bit set, so that
//! places in the order of bits are moves in the order of the answer, and the
//! eighth bit of each column, always empty, keeps columns apart under shifts.
//! Runs are found and taken away in the bit sets, a few operations a colour.

use crate::puzzles::mayan::board::{Blocks, COLUMNS, HEIGHT};

/// A set of places.
pub(super) type Places = u64;

/// One step to the right in a set of places.
pub(super) const COLUMN_BITS: u32 = 8;

/// Five packed columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns(pub(super) [u32; COLUMNS]);

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
        self.0[from] = without(self.0[from], 1 << y);
        self.0[to] |= colour << (4 * height);
    }

    /// Takes the blocks of the given places away and lets the others fall.
    pub(super) fn take(&mut self, gone: Places) {
        for (x, column) in self.0.iter_mut().enumerate() {
            *column = without(*column, (gone >> (COLUMN_BITS as usize * x)) as u32 & 0x7F);
        }
    }
}

/// The column without the blocks at the heights whose bits are set in `gone`, fallen.
const fn without(column: u32, gone: u32) -> u32 {
    let mut column = column;
    let mut gone = gone;
    while gone != 0 {
        // From the top down, so that what is still to go keeps its height.
        let top = 31 - gone.leading_zeros();
        let below = (1 << (4 * top)) - 1;
        column = column & below | column >> 4 & !below;
        gone ^= 1 << top;
    }
    column
}

/// Takes all runs away at once and lets the other blocks fall; the places that
/// vanished, none when there was no run. `places` has a set for each colour.
pub(super) fn vanish(places: &mut [Places]) -> Places {
    let gone = places.iter().fold(0, |gone, &places| gone | runs(places));
    let mut left = gone;
    while left != 0 {
        let shift = left.trailing_zeros() & !(COLUMN_BITS - 1);
        let fallen = &FALLEN[(left >> shift & 0x7F) as usize];
        left &= !(0x7F << shift);
        for places in &mut *places {
            let column = (*places >> shift & 0x7F) as usize;
            *places ^= (column as Places ^ Places::from(fallen[column])) << shift;
        }
    }
    gone
}

/// The places in runs of three or more.
pub(super) const fn runs(places: Places) -> Places {
    let column = places & places << 1 & places << 2;
    let row = places & places << 8 & places << 16;
    column | column >> 1 | column >> 2 | row | row >> 8 | row >> 16
}

/// For the heights that go and those that are filled, the heights filled after the fall.
static FALLEN: [[u8; 1 << HEIGHT]; 1 << HEIGHT] = fallen();

const fn fallen() -> [[u8; 1 << HEIGHT]; 1 << HEIGHT] {
    let mut table = [[0; 1 << HEIGHT]; 1 << HEIGHT];
    let mut gone = 0;
    while gone < 1 << HEIGHT {
        let mut filled = 0;
        while filled < 1 << HEIGHT {
            let (mut from, mut to) = (0, 0);
            while from < HEIGHT {
                if gone >> from & 1 == 0 {
                    table[gone][filled] |= ((filled >> from & 1) << to) as u8;
                    to += 1;
                }
                from += 1;
            }
            filled += 1;
        }
        gone += 1;
    }
    table
}
