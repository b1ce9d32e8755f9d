//! Whether one or two moves clear a position: nearly all of a search's work.
//!
//! Here only whether they do is asked, which they seldom do, so the moves need not be
//! tried in the order of the answer, nor positions be kept. With one move left, a swap
//! must let something vanish, and any move must bring all colours into lines, as far as
//! their histograms tell. Both are told for all moves at once; what is left is played out.

use crate::puzzles::mayan::board::Drag;

use super::distance::IntoLines;
use super::field::{COLUMN_BITS, Field, Moves, Places, each};
use super::node::{COLUMN_SETS, Node};

/// What the last move is chosen by, beside the field.
struct Colours<const COLOURS: usize> {
    places: [Places; COLOURS],
    shifts: [IntoLines; COLOURS],
}

impl<const PLANES: usize, const COLOURS: usize> Node<PLANES, COLOURS> {
    /// Whether one of these moves and one more clear the position.
    pub(super) fn clears_in_two(&self, moves: &Moves) -> bool {
        let drops = self.field.all_drops();
        let colours = self.colours();
        each(moves.quiet).any(|at| {
            let Some((changes, _)) = self.swap_is_hopeful(at, 1) else { return false };
            let (mut places, mut shifts) = (colours.places, colours.shifts);
            for (colour, histogram) in changes {
                places[colour] ^= 0x101 << at;
                shifts[colour] = self.table.shifts_into_lines(histogram);
            }
            let field = self.field.swapped(1 << at);
            clears_in_one(&field, &Colours { places, shifts }, drops)
        }) || each(moves.loud)
            .any(|at| self.after_loud_swap(at, 1).is_some_and(|node| node.clears_in_one()))
            || each(moves.drops_right).any(|at| self.clears_after_drop(at, at / COLUMN_BITS + 1))
            || each(moves.drops_left).any(|at| self.clears_after_drop(at, at / COLUMN_BITS - 1))
            || moves.idle != 0 && self.clears_in_one()
    }

    fn clears_after_drop(&self, at: u32, to: u32) -> bool {
        self.after_drop(at, to, 1).0.is_some_and(|node| node.clears_in_one())
    }

    /// Whether one move clears the position.
    #[inline]
    pub(super) fn clears_in_one(&self) -> bool {
        clears_in_one(&self.field, &self.colours(), self.field.all_drops())
    }

    fn colours(&self) -> Colours<COLOURS> {
        Colours {
            places: std::array::from_fn(|colour| self.field.of_colour(colour + 1)),
            shifts: self.histograms.map(|histogram| self.table.shifts_into_lines(histogram)),
        }
    }

    /// The first move, in the order of the answer, that clears the position.
    pub(super) fn last_move(&self) -> Option<(u32, Drag)> {
        let Moves { quiet, loud, drops_right, drops_left, .. } = self.field.moves();
        let clears = |at: u32, drag: Drag| {
            let (place, to_right) = (1 << at, drag == Drag::Right);
            let field = match (to_right, quiet | loud) {
                (true, swaps) if swaps & place != 0 => self.field.swapped(place),
                (true, _) if drops_right & place != 0 => {
                    self.field.dropped(at, at / COLUMN_BITS + 1)
                }
                (false, _) if drops_left & place != 0 => {
                    self.field.dropped(at, at / COLUMN_BITS - 1)
                }
                _ => return false,
            };
            field.clears_by_itself()
        };
        each(quiet | loud | drops_right | drops_left)
            .flat_map(|at| [(at, Drag::Right), (at, Drag::Left)])
            .find(|&(at, drag)| clears(at, drag))
    }
}

fn clears_in_one<const PLANES: usize, const COLOURS: usize>(
    field: &Field<PLANES>,
    colours: &Colours<COLOURS>,
    (drops_right, drops_left): (Places, Places),
) -> bool {
    let (mut right, mut left) = (0, 0);
    let (mut dropped, mut swapped) = (Places::MAX, Places::MAX);
    for colour in 0..COLOURS {
        let (places, shifts) = (colours.places[colour], colours.shifts[colour]);
        right |= places & COLUMN_SETS[usize::from(shifts & 15)];
        left |= places & COLUMN_SETS[usize::from(shifts >> 4 & 15)] << COLUMN_BITS;
        // A colour that is not in lines must be moved; one that is, need not.
        let moved = places | Places::from(shifts >> 8).wrapping_neg();
        dropped &= moved;
        swapped &= moved | moved >> COLUMN_BITS;
    }
    let mut swaps = right & left >> COLUMN_BITS & swapped;
    if swaps != 0 {
        swaps &= field.loud_swaps();
    }
    each(swaps).any(|at| field.swapped(1 << at).clears_by_itself())
        || each(right & drops_right & dropped)
            .any(|at| field.dropped(at, at / COLUMN_BITS + 1).clears_by_itself())
        || each(left & drops_left & dropped)
            .any(|at| field.dropped(at, at / COLUMN_BITS - 1).clears_by_itself())
}
