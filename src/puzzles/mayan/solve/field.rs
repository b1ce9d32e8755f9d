//! The search's own form of a position: the colours' numbers in bit planes.
//!
//! A place is bit 8·x + y of a 40-bit set, so that places in the order of bits
//! are moves in the order of the answer, and the eighth bit of each column,
//! always empty, keeps columns apart under shifts. Plane k holds bit k of the
//! number of the colour at every place, 0 where there is no block: two planes do
//! for three colours, three for seven, four for ten. Neighbours of one colour,
//! and so runs, are found for all colours at once, a few operations a plane;
//! and the planes are all there is to copy and to tell positions apart by.

use crate::puzzles::mayan::board::{Blocks, COLUMNS, HEIGHT};

/// A set of places.
pub(super) type Places = u64;

/// One step to the right in a set of places.
pub(super) const COLUMN_BITS: u32 = 8;

/// The places of the board.
const BOARD: Places = 0x7F_7F7F_7F7F;

/// The lowest place of each column.
const LOWEST: Places = 0x01_0101_0101;

/// A position in so many bit planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field<const PLANES: usize>(pub(super) [Places; PLANES]);

/// The moves of a position that may lead somewhere, by kind, each at the place
/// of the block that is dragged. A left move onto a block is the right move of its
/// neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves {
    /// Swaps with a right neighbour of another colour, after which nothing vanishes.
    pub(super) quiet: Places,
    /// Swaps with a right neighbour of another colour, after which something vanishes.
    pub(super) loud: Places,
    /// Swaps with a right neighbour of the same colour.
    pub(super) idle: Places,
    /// Drops onto the column on the right.
    pub(super) drops_right: Places,
    /// Drops onto the column on the left.
    pub(super) drops_left: Places,
}

/// The bits' numbers of the places, the lowest first.
#[inline]
pub(super) fn each(mut places: Places) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (places != 0).then(|| places.trailing_zeros());
        places &= places.wrapping_sub(1);
        place
    })
}

impl<const PLANES: usize> Field<PLANES> {
    /// The blocks, their colours replaced by `names`, which fit the planes.
    pub(super) fn new(blocks: &Blocks, names: &[u8]) -> Self {
        let mut planes = [0; PLANES];
        for x in 0..COLUMNS {
            for y in 0..HEIGHT {
                if let Some(colour) = blocks.colour(x, y) {
                    let name = Places::from(names[usize::from(colour)]);
                    for (bit, plane) in planes.iter_mut().enumerate() {
                        *plane |= (name >> bit & 1) << (COLUMN_BITS as usize * x + y);
                    }
                }
            }
        }
        Self(planes)
    }

    /// The places that have a block.
    pub(super) fn filled(&self) -> Places {
        self.0.iter().fold(0, |filled, plane| filled | plane)
    }

    /// Whether there is no block.
    pub(super) fn is_empty(&self) -> bool {
        self.filled() == 0
    }

    /// The name of the colour at a place, given by its bit's number; 0 where there is none.
    #[inline]
    pub(super) fn colour(&self, place: u32) -> usize {
        (0..PLANES).fold(0, |colour, bit| colour | (self.0[bit] >> place & 1) << bit) as usize
    }

    /// The places of a colour, given by its name.
    #[inline]
    pub(super) fn of_colour(&self, name: usize) -> Places {
        (0..PLANES).fold(BOARD, |places, bit| {
            // All ones where the name has the bit, so that the plane's own bits are kept.
            let wanted = (name as Places >> bit & 1).wrapping_sub(1);
            places & (self.0[bit] ^ wanted)
        })
    }

    /// The filled places whose colour is also that of the place `step` bits further.
    #[inline]
    fn equal(&self, filled: Places, step: u32) -> Places {
        filled & !self.0.iter().fold(0, |differ, &plane| differ | (plane ^ plane >> step))
    }

    /// All moves, without drops of a block that lies on one of its colour which can be
    /// dropped the same way: that comes to the same.
    #[inline]
    pub(super) fn moves(&self) -> Moves {
        let filled = self.filled();
        let idle = self.equal(filled, COLUMN_BITS);
        let swaps = filled & filled >> COLUMN_BITS & !idle;
        let loud = swaps & self.loud_swaps();
        let alike = self.equal(filled, 1) << 1;
        let (right, left) = self.all_drops();
        Moves {
            quiet: swaps & !loud,
            loud,
            idle,
            drops_right: right & !(alike & right << 1),
            drops_left: left & !(alike & left << 1),
        }
    }

    /// All drops onto the column on the right, and those onto the one on the left.
    #[inline]
    pub(super) fn all_drops(&self) -> (Places, Places) {
        const ALL_BUT_LAST: Places = 0xFFFF_FFFF;
        const FIRST: Places = 0xFF;
        let filled = self.filled();
        let (to_right, to_left) = (filled >> COLUMN_BITS, filled << COLUMN_BITS);
        (filled & !to_right & ALL_BUT_LAST, filled & !to_left & !FIRST)
    }

    /// The swaps after which something vanishes, and places that have no right neighbour.
    #[inline]
    pub(super) fn loud_swaps(&self) -> Places {
        let filled = self.filled();
        // The left block's new neighbours in its new column, two up and two down, and
        // those further on in its row. What reaches over the top of a column or under
        // its bottom is only used beside its nearer neighbour, which is an empty place.
        let (up, up_again) = (self.equal(filled, 9), self.equal(filled, 10));
        let (down, down_again) = (self.equal(filled, 7), self.equal(filled, 6));
        let (on, on_again) = (self.equal(filled, 16), self.equal(filled, 24));
        let left = up & up_again | down & down_again | up & down | on & on_again;
        // The right block's: the same pairs, told at their other ends.
        let (up, up_again, down, down_again) = (down >> 1, down_again >> 2, up << 1, up_again << 2);
        let (on, on_again) = (on << 8, on_again << 16);
        left | up & up_again | down & down_again | up & down | on & on_again
    }

    /// The field after the swap of a place, given by its bit, with its right neighbour.
    #[inline]
    pub(super) fn swapped(&self, place: Places) -> Self {
        Self(self.0.map(|plane| {
            let differ = (plane ^ plane >> COLUMN_BITS) & place;
            plane ^ differ ^ differ << COLUMN_BITS
        }))
    }

    /// The field after the block of a place, given by its bit's number, has left its
    /// column and fallen on column `to`.
    #[inline]
    pub(super) fn dropped(&self, place: u32, to: u32) -> Self {
        // All above the block in its column come down by one.
        let above = (0x80 << (place & !(COLUMN_BITS - 1))) - (2 << place);
        let below = !(above | 1 << place);
        // A carry through the filled places of a column ends at its lowest empty one.
        let base = COLUMN_BITS * to;
        let landing = (self.filled() & 0x7F << base) + (1 << base);
        Self(self.0.map(|plane| {
            let block = (plane >> place & 1).wrapping_neg();
            plane & below | (plane & above) >> 1 | block & landing
        }))
    }

    /// The places in runs of three or more.
    #[inline]
    pub(super) fn runs(&self) -> Places {
        let filled = self.filled();
        let (up, right) = (self.equal(filled, 1), self.equal(filled, 8));
        let (column, row) = (up & up >> 1, right & right >> 8);
        if column | row == 0 {
            return 0;
        }
        column | column << 1 | column << 2 | row | row << 8 | row << 16
    }

    /// Takes the blocks of the given places away, one at least, and lets the others fall.
    #[inline]
    pub(super) fn take(&mut self, mut gone: Places) {
        let shift = gone.trailing_zeros() & !(COLUMN_BITS - 1);
        if gone >> shift <= 0x7F {
            // All in one column, as most are.
            let fallen = &FALLEN[(gone >> shift) as usize & 0x7F];
            for plane in &mut self.0 {
                let column = *plane >> shift & 0x7F;
                *plane ^= (column ^ Places::from(fallen[column as usize])) << shift;
            }
            return;
        }
        while gone != 0 {
            // The lowest of each column goes, and what is above it comes down by one.
            let below = ((gone | !BOARD) - LOWEST) & !gone & BOARD;
            let fallen = |plane: Places| plane & below | plane >> 1 & !below & BOARD;
            self.0 = self.0.map(fallen);
            gone = gone >> 1 & !below & BOARD;
        }
    }

    /// Whether everything vanishes without a further move.
    #[inline]
    pub(super) fn clears_by_itself(mut self) -> bool {
        let runs = self.runs();
        self.settle(runs);
        self.is_empty()
    }

    /// Lets the runs vanish and all that follow, too.
    #[inline]
    pub(super) fn settle(&mut self, mut runs: Places) {
        while runs != 0 {
            self.take(runs);
            runs = self.runs();
        }
    }
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
