//! A position of the search with what its moves are chosen by.

use crate::puzzles::mayan::board::COLUMNS;

use super::distance::{Costs, Histogram, Table, one_in, table};
use super::field::{COLUMN_BITS, Field, Places, Swaps};

/// A position: its blocks, and the histogram of each colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const PLANES: usize, const COLOURS: usize> {
    pub(super) field: Field<PLANES>,
    /// Of the colours in the order of their names, the first of which is 1.
    pub(super) histograms: [Histogram; COLOURS],
    /// What all colours cost together.
    pub(super) costs: Costs,
    pub(super) table: &'static Table,
}

/// The moves of a position that may lead somewhere, by kind, each at the place
/// of the block that is dragged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves {
    pub(super) swaps: Swaps,
    /// Drops onto the column on the right.
    pub(super) drops_right: Places,
    /// Drops onto the column on the left.
    pub(super) drops_left: Places,
}

impl<const PLANES: usize, const COLOURS: usize> Node<PLANES, COLOURS> {
    pub(super) fn new(field: Field<PLANES>) -> Self {
        let (histograms, costs) = ([0; COLOURS], Costs::default());
        let mut node = Self { field, histograms, costs, table: table() };
        node.measure();
        node
    }

    /// Sets histograms and costs by the field.
    fn measure(&mut self) {
        self.costs = Costs::default();
        for colour in 0..COLOURS {
            let histogram = histogram(self.field.of_colour(colour + 1));
            self.histograms[colour] = histogram;
            self.costs = self.costs.and(self.table.costs(histogram));
        }
    }

    fn distance(&self, colour: usize) -> u8 {
        self.table.costs(self.histograms[colour]).distance()
    }

    /// The distance of the colour that is farthest, with its index; the first of several.
    pub(super) fn farthest(&self) -> (usize, u8) {
        let mut farthest = (0, 0);
        for colour in 0..COLOURS {
            let distance = self.distance(colour);
            if distance > farthest.1 {
                farthest = (colour, distance);
            }
        }
        farthest
    }

    /// A lower bound on the moves of a solution.
    pub(super) fn bound(&self) -> u8 {
        self.costs.moves().max(self.farthest().1)
    }

    /// All moves but left moves onto a block, which are right moves of the neighbour,
    /// and drops of a block that lies on one of its colour, which do what its drop does.
    pub(super) fn moves(&self) -> Moves {
        let (drops_right, drops_left) = self.field.drops();
        Moves { swaps: self.field.swaps(), drops_right, drops_left }
    }

    /// The moves after which all colours are in lines, as far as the histograms
    /// tell: swaps, drops to the right and drops to the left.
    #[inline]
    pub(super) fn moves_into_lines(&self) -> (Places, Places, Places) {
        let (mut right, mut left) = (0, 0);
        let mut wanted = Places::MAX;
        let mut swap_wanted = Places::MAX;
        for colour in 0..COLOURS {
            let shifts = self.table.into_lines(self.histograms[colour]);
            let places = self.field.of_colour(colour + 1);
            right |= places & COLUMN_SETS[usize::from(shifts & 15)];
            left |= places & COLUMN_SETS[usize::from(shifts >> 4 & 15)] << COLUMN_BITS;
            // A colour that is not in lines must be moved.
            let any = Places::from(shifts >> 8).wrapping_neg();
            wanted &= places | any;
            swap_wanted &= places | places >> COLUMN_BITS | any;
        }
        (right & left >> COLUMN_BITS & swap_wanted, right & wanted, left & wanted)
    }

    /// The places of each colour that is more than `moves` moves away: the next
    /// move must bring a block of each of them nearer.
    pub(super) fn urgent(&self, moves: u8) -> impl Iterator<Item = Places> + '_ {
        (0..COLOURS)
            .filter(move |&colour| self.distance(colour) > moves)
            .map(|colour| self.field.of_colour(colour + 1))
    }

    /// The node after the swap of a place, given by its bit's number, with its right
    /// neighbour, if nothing vanishes; `None` if the bounds tell that `moves` moves
    /// can't clear it. The distances of the other colours are not looked at.
    #[inline]
    pub(super) fn after_quiet_swap(&self, place: u32, moves: u8) -> Option<Self> {
        let mut node = *self;
        node.swap_histograms(place, moves).then(|| {
            node.field = self.field.swapped(1 << place);
            node
        })
    }

    /// As [`Node::after_quiet_swap`], where something vanishes.
    #[inline]
    pub(super) fn after_loud_swap(&self, place: u32, moves: u8) -> Option<Self> {
        let mut node = *self;
        node.field = self.field.swapped(1 << place);
        let runs = node.field.runs();
        // The first runs have the colours of the two blocks alone.
        for name in [self.field.colour(place), self.field.colour(place + COLUMN_BITS)] {
            let left = node.field.of_colour(name) & !runs;
            if !node.set_histogram(name - 1, histogram(left), moves) {
                return None;
            }
        }
        if !node.costs.allow(moves) {
            return None;
        }
        node.field.take(runs);
        match node.field.runs() {
            0 => (!node.field.is_empty()).then_some(node),
            runs => node.settled(runs, moves),
        }
    }

    /// The node after the drop of the block of a place, given by its bit's number, on
    /// column `to`, and whether nothing vanished; `None` if the bounds tell that `moves`
    /// moves can't clear it.
    #[inline]
    pub(super) fn after_drop(&self, place: u32, to: u32, moves: u8) -> (Option<Self>, bool) {
        let mut node = *self;
        let colour = self.field.colour(place) - 1;
        let column = (place / COLUMN_BITS) as usize;
        let histogram = self.histograms[colour] - one_in(column) + one_in(to as usize);
        if !node.set_histogram(colour, histogram, moves) || !node.costs.allow(moves) {
            return (None, false);
        }
        node.field = self.field.dropped(place, to);
        match node.field.runs() {
            0 => (Some(node), true),
            runs => (node.settled(runs, moves), false),
        }
    }

    /// The node when `runs` and all that follow have vanished.
    fn settled(&self, runs: Places, moves: u8) -> Option<Self> {
        let mut node = *self;
        node.field.settle(runs);
        if node.field.is_empty() {
            return None;
        }
        node.measure();
        (node.costs.allow(moves) && node.farthest().1 <= moves).then_some(node)
    }

    #[inline]
    fn swap_histograms(&mut self, place: u32, moves: u8) -> bool {
        let (left, right) = (self.field.colour(place) - 1, self.field.colour(place + 8) - 1);
        let x = (place / COLUMN_BITS) as usize;
        let shift = one_in(x + 1) - one_in(x);
        self.set_histogram(left, self.histograms[left] + shift, moves)
            && self.set_histogram(right, self.histograms[right] - shift, moves)
            && self.costs.allow(moves)
    }

    #[inline]
    fn set_histogram(&mut self, colour: usize, histogram: Histogram, moves: u8) -> bool {
        let after = self.table.costs(histogram);
        self.costs = self.costs.exchanged(self.table.costs(self.histograms[colour]), after);
        self.histograms[colour] = histogram;
        after.distance() <= moves
    }

    /// Whether the colours are within `moves` moves, as far as the distances tell.
    pub(super) fn is_hopeful(&self, moves: u8) -> bool {
        self.costs.allow(moves) && self.farthest().1 <= moves
    }
}

/// The columns of each set of the first four.
pub(super) const COLUMN_SETS: [Places; 16] = {
    let mut sets = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut x = 0;
        while x < COLUMNS - 1 {
            if set >> x & 1 == 1 {
                sets[set] |= 0x7F << (COLUMN_BITS as usize * x);
            }
            x += 1;
        }
        set += 1;
    }
    sets
};

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
