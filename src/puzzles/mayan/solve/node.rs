//! A position of the search with what its moves are chosen by.

use crate::puzzles::mayan::board::COLUMNS;

use super::distance::{Histogram, distances, one_in};
use super::field::{COLUMN_BITS, Columns, Places};

/// The most colours of a board.
const MAX_COLOURS: usize = 10;

/// A position: its blocks, and of each colour its places, histogram and distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) columns: Columns,
    /// How many colours the board began with; colour c + 1 has index c.
    pub(super) colours: usize,
    pub(super) places: [Places; MAX_COLOURS],
    histograms: [Histogram; MAX_COLOURS],
    distances: [u8; MAX_COLOURS],
    /// The sum of the distances.
    total: u32,
}

/// The moves of a position that may lead somewhere, by kind, each at the place
/// of the block that is dragged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves {
    /// Swaps with the right neighbour of another colour, after which nothing vanishes.
    pub(super) quiet: Places,
    /// Swaps with the right neighbour of another colour, after which something vanishes.
    pub(super) loud: Places,
    /// Swaps with the right neighbour of the same colour.
    pub(super) idle: Places,
    /// Drops onto the column on the right.
    pub(super) drops_right: Places,
    /// Drops onto the column on the left.
    pub(super) drops_left: Places,
}

impl Node {
    pub(super) fn new(columns: Columns, colours: usize) -> Self {
        let mut places = [0; MAX_COLOURS];
        let mut histograms = [0; MAX_COLOURS];
        for x in 0..COLUMNS {
            let mut column = columns.0[x];
            let mut place: Places = 1 << (COLUMN_BITS as usize * x);
            while column != 0 {
                let colour = (column & 15) as usize - 1;
                places[colour] |= place;
                histograms[colour] += one_in(x);
                column >>= 4;
                place <<= 1;
            }
        }
        let table = distances();
        let mut node =
            Self { columns, colours, places, histograms, distances: [0; MAX_COLOURS], total: 0 };
        for colour in 0..colours {
            let distance = table[usize::from(histograms[colour])];
            node.distances[colour] = distance;
            node.total += u32::from(distance);
        }
        node
    }

    /// The distance of the colour that is farthest, with its index; the first of several.
    pub(super) fn farthest(&self) -> (usize, u8) {
        let mut farthest = (0, 0);
        for colour in 0..self.colours {
            if self.distances[colour] > farthest.1 {
                farthest = (colour, self.distances[colour]);
            }
        }
        farthest
    }

    /// A lower bound on the moves of a solution: a move brings at most one block
    /// of at most two colours nearer, by one column.
    pub(super) fn bound(&self) -> u32 {
        self.total.div_ceil(2).max(u32::from(self.farthest().1))
    }

    /// All moves but left moves onto a block, which are right moves of the neighbour.
    pub(super) fn moves(&self) -> Moves {
        let mut filled = 0;
        let mut same = 0;
        let mut loud = 0;
        for &places in &self.places[..self.colours] {
            filled |= places;
            same |= places & places >> 8;
            // Where one more block of the colour would complete a run in its column,
            let up = places << 1;
            let down = places >> 1;
            let column = up & places << 2 | down & places >> 2 | up & down;
            // and where in its row, with the block itself coming from the other side.
            let from_left = column | places >> 8 & places >> 16;
            let from_right = column | places << 8 & places << 16;
            loud |= places & from_left >> 8 | places >> 8 & from_right;
        }
        let swaps = filled & filled >> 8 & !same;
        Moves {
            quiet: swaps & !loud,
            loud: swaps & loud,
            idle: same,
            drops_right: filled & !(filled >> 8) & 0xFFFF_FFFF,
            drops_left: filled & !(filled << 8) & !0xFF,
        }
    }

    /// The places of each colour that is more than `moves` moves away: the next
    /// move must bring a block of each of them nearer.
    pub(super) fn urgent(&self, moves: u8) -> impl Iterator<Item = Places> + '_ {
        (0..self.colours)
            .filter(move |&colour| self.distances[colour] > moves)
            .map(|colour| self.places[colour])
    }

    /// Whether the swap at height `y` of columns `x` and `x + 1` leaves every
    /// colour within `moves` moves, as far as the distances tell; of the colours
    /// not swapped only the sum is looked at.
    pub(super) fn swap_is_hopeful(&self, x: usize, y: u32, moves: u8) -> bool {
        let (left, right) = self.pair(x, y);
        let shift = one_in(x + 1) - one_in(x);
        let table = distances();
        let left_distance = table[usize::from(self.histograms[left] + shift)];
        let right_distance = table[usize::from(self.histograms[right] - shift)];
        if left_distance > moves || right_distance > moves {
            return false;
        }
        let before = u32::from(self.distances[left]) + u32::from(self.distances[right]);
        let after = u32::from(left_distance) + u32::from(right_distance);
        self.total + after - before <= 2 * u32::from(moves)
    }

    /// As [`Node::swap_is_hopeful`], for the drop of a block from one column onto another.
    pub(super) fn drop_is_hopeful(&self, from: usize, y: u32, to: usize, moves: u8) -> bool {
        let colour = self.columns.colour(from, y) as usize - 1;
        let histogram = self.histograms[colour] - one_in(from) + one_in(to);
        let distance = distances()[usize::from(histogram)];
        let total = self.total + u32::from(distance) - u32::from(self.distances[colour]);
        distance <= moves && total <= 2 * u32::from(moves)
    }

    /// Whether what is left of the swapped colours when the first run has vanished
    /// is within `moves` moves; a hopeful swap after which something vanishes.
    pub(super) fn loud_swap_is_hopeful(&self, x: usize, y: u32, moves: u8) -> bool {
        let (left, right) = self.pair(x, y);
        let both: Places = 0x101 << (COLUMN_BITS * x as u32 + y);
        let table = distances();
        let mut total = self.total;
        for colour in [left, right] {
            let places = self.places[colour] ^ both;
            let rest = places & !runs(places);
            let distance = table[usize::from(histogram(rest))];
            if distance > moves {
                return false;
            }
            total = total + u32::from(distance) - u32::from(self.distances[colour]);
        }
        total <= 2 * u32::from(moves)
    }

    /// Whether something vanishes.
    pub(super) fn has_run(&self) -> bool {
        self.places[..self.colours].iter().fold(0, |any, &places| any | thirds(places)) != 0
    }

    /// The node after a swap that lets nothing vanish.
    pub(super) fn after_quiet_swap(&self, x: usize, y: u32) -> Self {
        let (left, right) = self.pair(x, y);
        let mut node = *self;
        node.columns.swap(x, y);
        let both: Places = 0x101 << (COLUMN_BITS * x as u32 + y);
        node.places[left] ^= both;
        node.places[right] ^= both;
        let shift = one_in(x + 1) - one_in(x);
        node.histograms[left] += shift;
        node.histograms[right] -= shift;
        let table = distances();
        for colour in [left, right] {
            let distance = table[usize::from(node.histograms[colour])];
            node.total = node.total + u32::from(distance) - u32::from(node.distances[colour]);
            node.distances[colour] = distance;
        }
        node
    }

    /// The node after a drop, before anything vanishes.
    pub(super) fn after_drop(&self, from: usize, y: u32, to: usize) -> Self {
        let mut node = *self;
        node.columns.drop_on(from, y, to);
        let dropped = self.columns.colour(from, y) as usize - 1;
        let base = COLUMN_BITS * from as u32;
        // The places of the column from the block upwards; all above it come down by one.
        let above = (0xFF << y & 0xFF) << base;
        let place: Places = 1 << (base + y);
        node.places[dropped] ^= place;
        for places in &mut node.places[..self.colours] {
            *places = *places & !above | (*places & above) >> 1;
        }
        let landing = COLUMN_BITS * to as u32 + self.columns.height(to);
        node.places[dropped] |= 1 << landing;
        node.histograms[dropped] = self.histograms[dropped] - one_in(from) + one_in(to);
        let distance = distances()[usize::from(node.histograms[dropped])];
        node.total = node.total + u32::from(distance) - u32::from(node.distances[dropped]);
        node.distances[dropped] = distance;
        node
    }

    /// Whether the colours are within `moves` moves, as far as the distances tell.
    pub(super) fn is_hopeful(&self, moves: u8) -> bool {
        self.bound() <= u32::from(moves)
    }

    /// The colours, by index, of two neighbours.
    const fn pair(&self, x: usize, y: u32) -> (usize, usize) {
        (self.columns.colour(x, y) as usize - 1, self.columns.colour(x + 1, y) as usize - 1)
    }
}

/// The third places, topmost or rightmost, of all threes in a line.
const fn thirds(places: Places) -> Places {
    places & places << 1 & places << 2 | places & places << 8 & places << 16
}

/// The places in runs of three or more.
const fn runs(places: Places) -> Places {
    let column = places & places << 1 & places << 2;
    let row = places & places << 8 & places << 16;
    column | column >> 1 | column >> 2 | row | row >> 8 | row >> 16
}

/// How many of the places each column has.
const fn histogram(places: Places) -> Histogram {
    let pairs = places - (places >> 1 & 0x55_5555_5555);
    let fours = (pairs & 0x33_3333_3333) + (pairs >> 2 & 0x33_3333_3333);
    let columns = (fours + (fours >> 4)) & 0x0F_0F0F_0F0F;
    // Each column's count moves next to the one on its left.
    let packed = columns & 0o7
        | columns >> 5 & 0o70
        | columns >> 10 & 0o700
        | columns >> 15 & 0o7000
        | columns >> 20 & 0o7_0000;
    packed as Histogram
}
