//! Moves that are known to fail because they could as well have come earlier.
//!
//! Call a move *quiet* if nothing vanishes after it. Let a and b be quiet moves of one
//! position that are *independent*: a then b and b then a move the same blocks to the
//! same places. Then both orders are legal and, what vanishes after the second move and
//! all that follows being the same, both lead to the same position. So if a was tried
//! before b and failed, then after b, a fails too: it is asleep there.
//!
//! What is independent:
//! - two swaps that share no place;
//! - a swap and a drop, unless the swap has a place in the column that the block leaves,
//!   at its height or above. Below it nothing moves, and where it falls there was no block;
//! - two drops out of different columns onto different columns. One may fall on the column
//!   that the other leaves: it lies above the other's block, before or after that has gone.
//!   (Two that exchange columns can't be: each needs its column to be the higher one.)
//!
//! A move that is asleep fails; only where it is quiet, too, may it stay asleep after a
//! further move. Whoever holds the set sees to that.

use super::field::{COLUMN_BITS, Places};

/// Moves that are known to fail, by kind, each at the place of the block that is dragged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asleep {
    /// Swaps with the right neighbour.
    pub(super) swaps: Places,
    /// Drops onto the column on the right.
    pub(super) drops_right: Places,
    /// Drops onto the column on the left.
    pub(super) drops_left: Places,
}

impl Asleep {
    /// What of these quiet moves is asleep after the quiet swap of a place, given by its bit.
    #[inline]
    pub(super) const fn after_swap(self, place: Places) -> Self {
        let near = place | place << COLUMN_BITS | place >> COLUMN_BITS;
        // Its two columns, up to its height.
        let bottom = 1 << (place.trailing_zeros() & !(COLUMN_BITS - 1));
        let under = (place << 1) - bottom;
        let under = under | under << COLUMN_BITS;
        Self {
            swaps: self.swaps & !near,
            drops_right: self.drops_right & !under,
            drops_left: self.drops_left & !under,
        }
    }

    /// As [`Asleep::after_drop`], or nothing where the drop is not quiet.
    #[inline]
    pub(super) fn after_drop_if(self, is_quiet: bool, place: u32, to: u32) -> Self {
        if is_quiet { self.after_drop(place, to) } else { Self::default() }
    }

    /// What of these quiet moves is asleep after the quiet drop of the block of a place,
    /// given by its bit's number, on column `to`.
    #[inline]
    pub(super) const fn after_drop(self, place: u32, to: u32) -> Self {
        const COLUMN: Places = 0x7F;
        let base = place & !(COLUMN_BITS - 1);
        let above = (0x80 << base) - (1 << place);
        let (from, to) = (COLUMN << base, COLUMN << (COLUMN_BITS * to));
        Self {
            swaps: self.swaps & !(above | above >> COLUMN_BITS),
            drops_right: self.drops_right & !(from | to >> COLUMN_BITS),
            drops_left: self.drops_left & !(from | to << COLUMN_BITS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::mayan::board::{Blocks, COLUMNS, Drag, HEIGHT, Move};

    /// The set of one move; a move onto a block is a swap.
    fn only(played: Move, blocks: &Blocks) -> Option<Asleep> {
        let place = 1 << (COLUMN_BITS as usize * played.x + played.y);
        let none = Asleep::default();
        blocks.colour(played.x, played.y)?;
        match played.drag {
            Drag::Right if blocks.colour(played.x + 1, played.y).is_some() => {
                Some(Asleep { swaps: place, ..none })
            }
            Drag::Right => Some(Asleep { drops_right: place, ..none }),
            Drag::Left if blocks.colour(played.x - 1, played.y).is_some() => None,
            Drag::Left => Some(Asleep { drops_left: place, ..none }),
        }
    }

    #[test]
    fn what_stays_asleep_leads_to_the_same_position_in_either_order() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut agreed = [0; 4];
        for _ in 0..100_000 {
            let columns: Vec<Vec<i64>> = (0..COLUMNS)
                .map(|_| (0..random.usize(0..6)).map(|_| random.i64(1..=4)).collect())
                .collect();
            let blocks = Blocks::new(&columns).unwrap();
            if !blocks.runs().is_empty() {
                continue;
            }
            let mut any = || {
                let (x, y) = (random.usize(0..COLUMNS), random.usize(0..HEIGHT));
                let drag = if random.bool() { Drag::Right } else { Drag::Left };
                let leaves = if drag == Drag::Right { x == COLUMNS - 1 } else { x == 0 };
                let played = Move { x, y, drag };
                (!leaves)
                    .then_some(played)
                    .and_then(|played| Some((played, only(played, &blocks)?)))
            };
            let (Some((first, _)), Some((second, asleep))) = (any(), any()) else { continue };
            let is_quiet = |played| blocks.clone().play(played, false).is_ok_and(|r| r.is_empty());
            if !is_quiet(first) || !is_quiet(second) {
                continue;
            }
            let at = (COLUMN_BITS as usize * first.x + first.y) as u32;
            let is_swap = only(first, &blocks).is_some_and(|first| first.swaps != 0);
            let after = match first.drag {
                Drag::Right if is_swap => asleep.after_swap(1 << at),
                Drag::Right => asleep.after_drop(at, at / COLUMN_BITS + 1),
                Drag::Left => asleep.after_drop(at, at / COLUMN_BITS - 1),
            };
            if after.swaps | after.drops_right | after.drops_left == 0 {
                continue;
            }
            let both = |first, second| {
                let mut blocks = blocks;
                blocks.play(first, false).unwrap();
                let rounds = blocks.play(second, false).unwrap();
                (blocks, rounds)
            };
            assert_eq!(both(first, second), both(second, first), "{blocks}{first} and {second}");
            agreed[usize::from(is_swap) + 2 * usize::from(asleep.swaps != 0)] += 1;
        }
        assert!(agreed.iter().all(|&count| count > 100), "{agreed:?}");
    }
}
