//! Whether one or two moves clear a position.

use super::distance::one_in;
use super::field::{COLUMN_BITS, Field, Places};
use super::node::{COLUMN_SETS, Moves, Node};

impl<const PLANES: usize, const COLOURS: usize> Node<PLANES, COLOURS> {
    /// Whether one of the moves and one more clear the position.
    pub(super) fn clears_in_two(&self, moves: &Moves) -> bool {
        let filled = self.field.filled();
        let drops = Field::<PLANES>::drops_of(filled);
        let costs = self.histograms.map(|histogram| self.table.costs(histogram));
        let places: [Places; COLOURS] = std::array::from_fn(|colour| self.field.of_colour(colour + 1));
        let shifts = self.histograms.map(|histogram| self.table.into_lines(histogram));
        let mut quiet = moves.swaps.quiet;
        while quiet != 0 {
            let at = quiet.trailing_zeros();
            quiet &= quiet - 1;
            let (left, right) = (self.field.colour(at) - 1, self.field.colour(at + 8) - 1);
            let x = (at / COLUMN_BITS) as usize;
            let shift = one_in(x + 1) - one_in(x);
            let left_histogram = self.histograms[left] + shift;
            let right_histogram = self.histograms[right] - shift;
            let after = self
                .costs
                .exchanged(costs[left], self.table.costs(left_histogram))
                .exchanged(costs[right], self.table.costs(right_histogram));
            if !after.allow(1) {
                continue;
            }
            let (mut shifts, mut places) = (shifts, places);
            shifts[left] = self.table.into_lines(left_histogram);
            shifts[right] = self.table.into_lines(right_histogram);
            let both = 0x101 << at;
            places[left] ^= both;
            places[right] ^= both;
            if clears_in_one(&self.field.swapped(1 << at), &places, &shifts, drops) {
                return true;
            }
        }
        let mut loud = moves.swaps.loud;
        while loud != 0 {
            let at = loud.trailing_zeros();
            loud &= loud - 1;
            if self.after_loud_swap(at, 1).is_some_and(|node| node.clears_in_one()) {
                return true;
            }
        }
        let mut right = moves.drops_right;
        while right != 0 {
            let at = right.trailing_zeros();
            right &= right - 1;
            if self.after_drop(at, at / COLUMN_BITS + 1, 1).0.is_some_and(|node| node.clears_in_one()) {
                return true;
            }
        }
        let mut left = moves.drops_left;
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            if self.after_drop(at, at / COLUMN_BITS - 1, 1).0.is_some_and(|node| node.clears_in_one()) {
                return true;
            }
        }
        false
    }

    /// Whether one move clears the position.
    #[inline]
    pub(super) fn clears_in_one(&self) -> bool {
        let places: [Places; COLOURS] = std::array::from_fn(|colour| self.field.of_colour(colour + 1));
        let shifts = self.histograms.map(|histogram| self.table.into_lines(histogram));
        clears_in_one(&self.field, &places, &shifts, Field::<PLANES>::drops_of(self.field.filled()))
    }
}

fn clears_in_one<const PLANES: usize, const COLOURS: usize>(
    field: &Field<PLANES>,
    places: &[Places; COLOURS],
    shifts: &[u16; COLOURS],
    drops: (Places, Places),
) -> bool {
    let (mut right, mut left) = (0, 0);
    let (mut wanted, mut swap_wanted) = (Places::MAX, Places::MAX);
    for colour in 0..COLOURS {
        let (places, shifts) = (places[colour], shifts[colour]);
        right |= places & COLUMN_SETS[usize::from(shifts & 15)];
        left |= places & COLUMN_SETS[usize::from(shifts >> 4 & 15)] << COLUMN_BITS;
        // A colour that is not in lines must be moved.
        let moved = places | Places::from(shifts >> 8).wrapping_neg();
        wanted &= moved;
        swap_wanted &= moved | moved >> COLUMN_BITS;
    }
    let mut swaps = right & left >> COLUMN_BITS & swap_wanted;
    if swaps != 0 {
        swaps &= field.loud_swaps();
        while swaps != 0 {
            let place = swaps & swaps.wrapping_neg();
            swaps ^= place;
            if field.swapped(place).clears_by_itself() {
                return true;
            }
        }
    }
    let (mut right, mut left) = (drops.0 & right & wanted, drops.1 & left & wanted);
    while right | left != 0 {
        let (at, to) = if right != 0 {
            let at = right.trailing_zeros();
            right &= right - 1;
            (at, at / COLUMN_BITS + 1)
        } else {
            let at = left.trailing_zeros();
            left &= left - 1;
            (at, at / COLUMN_BITS - 1)
        };
        if field.dropped(at, to).clears_by_itself() {
            return true;
        }
    }
    false
}
