//! A position of the search with what its moves are chosen by.

use crate::puzzles::mayan::board::COLUMNS;

use super::distance::{ALL_COLUMNS, Costs, Histogram, Table, one_in, table};
use super::field::{COLUMN_BITS, Columns, Places, runs, vanish};

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
    table: &'static Table,
    /// What all colours cost together.
    costs: Costs,
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
        for x in 0..COLUMNS {
            let mut column = columns.0[x];
            let mut place: Places = 1 << (COLUMN_BITS as usize * x);
            while column != 0 {
                let colour = (column & 15) as usize - 1;
                places[colour] |= place;
                column >>= 4;
                place <<= 1;
            }
        }
        let mut node = Self {
            columns,
            colours,
            places,
            histograms: [0; MAX_COLOURS],
            distances: [0; MAX_COLOURS],
            costs: Costs::default(),
            table: table(),
        };
        node.measure();
        node
    }

    /// Sets histograms and distances by the places.
    fn measure(&mut self) {
        self.costs = Costs::default();
        for colour in 0..self.colours {
            let histogram = histogram(self.places[colour]);
            self.histograms[colour] = histogram;
            let costs = self.table.costs(histogram);
            self.distances[colour] = costs.distance();
            self.costs = self.costs.and(costs);
        }
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

    /// A lower bound on the moves of a solution.
    pub(super) fn bound(&self) -> u8 {
        self.costs.moves().max(self.farthest().1)
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

    /// The places whose block, moved to the right, leaves its colour in lines, and
    /// those whose block does, moved to the left.
    pub(super) fn shifts_into_lines(&self) -> (Places, Places) {
        const COLUMN: Places = 0xFF;
        let (mut right, mut left) = (0, 0);
        for colour in 0..self.colours {
            // A column without the colour gives no place, whatever is looked up for it.
            let shifted = |by: Histogram| {
                self.table.in_lines(self.histograms[colour].wrapping_add(by) & ALL_COLUMNS)
            };
            let (mut right_columns, mut left_columns) = (0, 0);
            for border in 0..COLUMNS - 1 {
                let by = one_in(border + 1) - one_in(border);
                let column = COLUMN_BITS as usize * border;
                right_columns |= shifted(by) << column;
                left_columns |= shifted(by.wrapping_neg()) << (column + COLUMN_BITS as usize);
            }
            right |= self.places[colour] & (right_columns * COLUMN);
            left |= self.places[colour] & (left_columns * COLUMN);
        }
        (right, left)
    }

    /// The places of each colour that is more than `moves` moves away: the next
    /// move must bring a block of each of them nearer.
    pub(super) fn urgent(&self, moves: u8) -> impl Iterator<Item = Places> + '_ {
        (0..self.colours)
            .filter(move |&colour| self.distances[colour] > moves)
            .map(|colour| self.places[colour])
    }

    /// Whether the swap at height `y` of columns `x` and `x + 1` leaves every
    /// colour within `moves` moves, as far as the bounds tell; the distances of
    /// the other colours are not looked at.
    pub(super) fn swap_is_hopeful(&self, x: usize, y: u32, moves: u8) -> bool {
        let (left, right) = self.pair(x, y);
        let shift = one_in(x + 1) - one_in(x);
        let changes =
            [(left, self.histograms[left] + shift), (right, self.histograms[right] - shift)];
        self.change_is_hopeful(changes, moves)
    }

    /// As [`Node::swap_is_hopeful`], for the drop of a block from one column onto another.
    pub(super) fn drop_is_hopeful(&self, from: usize, y: u32, to: usize, moves: u8) -> bool {
        let colour = self.columns.colour(from, y) as usize - 1;
        let histogram = self.histograms[colour] - one_in(from) + one_in(to);
        self.change_is_hopeful([(colour, histogram)], moves)
    }

    /// As [`Node::swap_is_hopeful`], for a swap after which something vanishes,
    /// with what is left of the swapped colours when the first runs have gone.
    pub(super) fn loud_swap_is_hopeful(&self, x: usize, y: u32, moves: u8) -> bool {
        let (left, right) = self.pair(x, y);
        let both: Places = 0x101 << (COLUMN_BITS * x as u32 + y);
        let changes = [left, right].map(|colour| {
            let places = self.places[colour] ^ both;
            (colour, histogram(places & !runs(places)))
        });
        self.change_is_hopeful(changes, moves)
    }

    #[inline]
    fn change_is_hopeful<const COLOURS: usize>(
        &self,
        changes: [(usize, Histogram); COLOURS],
        moves: u8,
    ) -> bool {
        let mut costs = self.costs;
        for (colour, histogram) in changes {
            let after = self.table.costs(histogram);
            if after.distance() > moves {
                return false;
            }
            costs = costs.exchanged(self.table.costs(self.histograms[colour]), after);
        }
        costs.allow(moves)
    }

    /// Lets runs vanish and blocks fall until neither happens; whether any did.
    pub(super) fn settle(&mut self) -> bool {
        let mut changed = false;
        loop {
            let gone = vanish(&mut self.places[..self.colours]);
            if gone == 0 {
                if changed {
                    self.measure();
                }
                return changed;
            }
            self.columns.take(gone);
            changed = true;
        }
    }

    /// Whether the last move may be the swap at height `y` of columns `x` and
    /// `x + 1`: whether everything vanishes after it.
    pub(super) fn clears_by_swap(&self, x: usize, y: u32) -> bool {
        let (left, right) = self.pair(x, y);
        let both: Places = 0x101 << (COLUMN_BITS * x as u32 + y);
        let mut places = self.places;
        places[left] ^= both;
        places[right] ^= both;
        clears_by_itself(&mut places[..self.colours])
    }

    /// Whether the last move may be this drop: whether everything vanishes after it.
    pub(super) fn clears_by_drop(&self, from: usize, y: u32, to: usize) -> bool {
        let mut places = self.places;
        let places = &mut places[..self.colours];
        self.drop_places(places, from, y, to);
        clears_by_itself(places)
    }

    /// The node after a swap, before anything vanishes; without distances.
    pub(super) const fn after_swap(&self, x: usize, y: u32) -> Self {
        let (left, right) = self.pair(x, y);
        let mut node = *self;
        node.columns.swap(x, y);
        let both: Places = 0x101 << (COLUMN_BITS * x as u32 + y);
        node.places[left] ^= both;
        node.places[right] ^= both;
        node
    }

    /// The node after a swap that lets nothing vanish.
    pub(super) fn after_quiet_swap(&self, x: usize, y: u32) -> Self {
        let (left, right) = self.pair(x, y);
        let mut node = self.after_swap(x, y);
        let shift = one_in(x + 1) - one_in(x);
        node.set_histogram(left, self.histograms[left] + shift);
        node.set_histogram(right, self.histograms[right] - shift);
        node
    }

    /// The node after a drop, before anything vanishes.
    pub(super) fn after_drop(&self, from: usize, y: u32, to: usize) -> Self {
        let mut node = *self;
        node.columns.drop_on(from, y, to);
        self.drop_places(&mut node.places[..self.colours], from, y, to);
        let dropped = self.columns.colour(from, y) as usize - 1;
        node.set_histogram(dropped, self.histograms[dropped] - one_in(from) + one_in(to));
        node
    }

    fn set_histogram(&mut self, colour: usize, histogram: Histogram) {
        let after = self.table.costs(histogram);
        self.costs = self.costs.exchanged(self.table.costs(self.histograms[colour]), after);
        self.histograms[colour] = histogram;
        self.distances[colour] = after.distance();
    }

    /// Makes a drop in a copy of this node's places.
    fn drop_places(&self, copy: &mut [Places], from: usize, y: u32, to: usize) {
        let dropped = self.columns.colour(from, y) as usize - 1;
        let base = COLUMN_BITS * from as u32;
        copy[dropped] ^= 1 << (base + y);
        // The places of the column from the block upwards: all above it come down by one.
        let above = (0xFF << y & 0xFF) << base;
        for places in &mut *copy {
            *places = *places & !above | (*places & above) >> 1;
        }
        copy[dropped] |= 1 << (COLUMN_BITS * to as u32 + self.columns.height(to));
    }

    /// Whether the colours are within `moves` moves, as far as the distances tell.
    pub(super) fn is_hopeful(&self, moves: u8) -> bool {
        self.costs.allow(moves) && self.farthest().1 <= moves
    }

    /// The colours, by index, of two neighbours.
    const fn pair(&self, x: usize, y: u32) -> (usize, usize) {
        (self.columns.colour(x, y) as usize - 1, self.columns.colour(x + 1, y) as usize - 1)
    }
}

/// Whether everything vanishes without a further move.
fn clears_by_itself(places: &mut [Places]) -> bool {
    while vanish(places) != 0 {}
    places.iter().all(|&places| places == 0)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::mayan::board::{Blocks, Drag, HEIGHT, Move};

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
            let before = blocks;
            let node = Node::new(Columns::new(&blocks, &NAMES), MAX_COLOURS);
            let (x, y) = (next(COLUMNS as u64 - 1) as usize, next(HEIGHT as u64) as usize);
            let (left, right) = (blocks.colour(x, y), blocks.colour(x + 1, y));
            let (played, mut after) = match (left, right) {
                (None, None) => continue,
                (Some(left), Some(right)) if left == right => continue,
                (Some(_), Some(_)) => (Drag::Right, node.after_swap(x, y as u32)),
                (Some(_), None) => (Drag::Right, node.after_drop(x, y as u32, x + 1)),
                (None, Some(_)) => (Drag::Left, node.after_drop(x + 1, y as u32, x)),
            };
            let played = Move { x: x + usize::from(left.is_none()), y, drag: played };
            let rounds = blocks.play(played, false).unwrap();
            let clears = match (left, right, played.drag) {
                (Some(_), Some(_), _) => node.clears_by_swap(x, y as u32),
                (_, _, Drag::Right) => node.clears_by_drop(x, y as u32, x + 1),
                (_, _, Drag::Left) => node.clears_by_drop(x + 1, y as u32, x),
            };
            assert_eq!(clears, blocks.is_empty(), "{before}{played}");
            assert_eq!(after.settle(), !rounds.is_empty(), "{before}{played}");
            let expected = Node::new(Columns::new(&blocks, &NAMES), MAX_COLOURS);
            assert_eq!(after.columns, expected.columns, "{before}{played}");
            assert_eq!(after.places, expected.places, "{before}{played}");
            if after.histograms != expected.histograms {
                // A swap leaves measuring to its caller.
                assert!(rounds.is_empty(), "{before}{played}");
            }
        }
    }
}
