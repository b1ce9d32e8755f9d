//! Positions known to have no solution in a given number of moves.
//!
//! The key is the whole position and the number of moves, so a hit is never
//! mistaken. The table is a cache: a bucket is one line of memory with four
//! places, and a full bucket forgets. Forgetting costs time, never truth. It
//! starts small, doubles while it fills, up to its most, and takes what it holds
//! out of the budget first; refused, it stays as it is.

use crate::budget::Budget;

use super::field::{Field, Places};

/// Positions with moves left.
#[derive(Debug)]
pub(super) struct Failures {
    buckets: Vec<Bucket>,
    filled: usize,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([Key; PLACES]);

/// The packed planes with the moves left; 0 is no key, since no empty position is kept.
pub(super) type Key = u128;

const PLACES: usize = 4;
const FIRST_BUCKETS: usize = 1 << 6;
const MOST_BUCKETS: usize = 1 << 19;
const BUCKET_BYTES: usize = size_of::<Bucket>();

impl Failures {
    pub(super) const fn new() -> Self {
        Self { buckets: Vec::new(), filled: 0 }
    }

    /// Whether the position is known to fail.
    #[inline]
    pub(super) fn contains(&self, key: Key) -> bool {
        !self.buckets.is_empty()
            && self.buckets[hash(key) as usize & (self.buckets.len() - 1)].0.contains(&key)
    }

    /// Notes that the position fails.
    pub(super) fn insert(&mut self, key: Key, budget: &mut Budget) {
        if self.filled >= self.buckets.len() * 3 {
            self.grow(budget);
        }
        if !self.buckets.is_empty() {
            self.put(key);
        }
    }

    fn put(&mut self, key: Key) {
        let index = hash(key) as usize & (self.buckets.len() - 1);
        let bucket = &mut self.buckets[index].0;
        // The newest comes first, and the oldest of a full bucket is forgotten.
        self.filled += usize::from(bucket[PLACES - 1] == 0);
        bucket.copy_within(..PLACES - 1, 1);
        bucket[0] = key;
    }

    fn grow(&mut self, budget: &mut Budget) {
        let buckets = (self.buckets.len() * 2).max(FIRST_BUCKETS);
        if buckets > MOST_BUCKETS || budget.reserve(buckets * BUCKET_BYTES).is_err() {
            return;
        }
        let old = std::mem::replace(&mut self.buckets, vec![Bucket::default(); buckets]);
        self.filled = 0;
        for bucket in &old {
            for &key in bucket.0.iter().rev().filter(|&&key| key != 0) {
                self.put(key);
            }
        }
        budget.release(old.len() * BUCKET_BYTES);
    }
}

/// The key of a position with moves left, at most nine. Up to three planes stand
/// one after the other. Four would not fit, but ten colours are numbers below
/// eleven: each column is a number in base eleven, of 25 bits, and one move left
/// is not kept.
#[inline]
pub(super) fn key<const PLANES: usize>(field: &Field<PLANES>, moves: u8) -> Key {
    if PLANES < 4 {
        let mut key = Key::from(moves);
        for plane in field.0 {
            key = key << 40 | Key::from(plane);
        }
        return key;
    }
    let mut key = Key::from(moves - 2);
    for x in 0..5 {
        let column = |plane: Places| POWERS[(plane >> (8 * x) & 0x7F) as usize];
        let number = field.0.iter().rev().fold(0, |number, &plane| number * 2 + column(plane));
        key = key << 25 | Key::from(number);
    }
    key
}

/// The sums of the powers of eleven whose bits are set.
static POWERS: [u32; 128] = {
    let mut sums = [0; 128];
    let mut set = 1;
    while set < 128_usize {
        let top = set.ilog2();
        sums[set] = sums[set - (1 << top)] + 11_u32.pow(top);
        set += 1;
    }
    sums
};

#[inline]
fn hash(key: Key) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = (key as u64).wrapping_mul(ODD);
    hash = (hash ^ hash >> 29 ^ (key >> 64) as u64).wrapping_mul(ODD);
    hash = (hash ^ hash >> 31).wrapping_mul(ODD);
    hash ^ hash >> 32
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::CancelFlag;
    use crate::puzzles::mayan::board::{Blocks, COLUMNS};

    #[test]
    fn what_was_put_in_is_found_with_its_moves_alone() {
        let mut budget = Budget::unlimited();
        let mut failures = Failures::new();
        let (kept, other) = (Field([0x1234_5678, 1]), Field([0x1234_5678, 2]));
        assert!(!failures.contains(key(&kept, 3)));
        failures.insert(key(&kept, 3), &mut budget);
        assert!(failures.contains(key(&kept, 3)));
        assert!(!failures.contains(key(&kept, 2)));
        assert!(!failures.contains(key(&other, 3)));
    }

    #[test]
    fn positions_of_ten_colours_with_moves_left_have_keys_of_their_own() {
        let names = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        let mut random = fastrand::Rng::with_seed(1);
        let mut keys = std::collections::BTreeMap::new();
        for _ in 0..20_000 {
            // Few differ much, so that near ones are told apart, too.
            let columns: Vec<Vec<i64>> = (0..COLUMNS)
                .map(|_| (0..random.i64(6..=7)).map(|y| 10 - random.i64(0..2) * y).collect())
                .collect();
            let field = Field::<4>::new(&Blocks::new(&columns).unwrap(), &names);
            for moves in 2..=9 {
                let position = (field.0, moves);
                assert_eq!(*keys.entry(key(&field, moves)).or_insert(position), position);
            }
        }
    }

    #[test]
    fn a_table_keeps_to_its_share_of_memory() {
        let cap = 1 << 20;
        let mut budget = Budget::new(None, CancelFlag::new(), cap);
        let mut failures = Failures::new();
        for number in 1..200_000 {
            failures.insert(key(&Field([number, 0]), 2), &mut budget);
        }
        assert!(failures.buckets.len() * BUCKET_BYTES <= cap);
        assert!(failures.contains(key(&Field([199_999, 0]), 2)));
        assert!(!failures.contains(key(&Field([199_999, 1]), 2)));
    }
}
