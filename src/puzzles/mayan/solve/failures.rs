//! Positions known to have no solution in a given number of moves.
//!
//! The key is the whole position and the number of moves, so a hit is never
//! mistaken. A table is a cache: a bucket is one line of memory with three
//! places, and a full bucket forgets. Forgetting costs time, never truth. It
//! starts small, doubles while it fills, up to its most, and takes what it holds
//! out of the budget first; refused, it stays as it is.
//!
//! Positions with one move left are many and soon met again or never, so they
//! have a table of their own that stays small enough for the processor's cache.

use crate::budget::Budget;

use super::field::Columns;

/// Positions with moves left.
#[derive(Debug)]
pub(super) struct Failures {
    last: Table,
    earlier: Table,
}

#[derive(Debug)]
struct Table {
    buckets: Vec<Bucket>,
    filled: usize,
    most_buckets: usize,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    keys: [Key; PLACES],
    /// The place that is overwritten next.
    oldest: u32,
}

/// The packed columns with the moves left in the first one's spare bits; all
/// zero is no key, since no empty position is kept.
type Key = [u32; 5];

const PLACES: usize = 3;
const FIRST_BUCKETS: usize = 1 << 6;
const MOST_LAST_BUCKETS: usize = 1 << 12;
const MOST_EARLIER_BUCKETS: usize = 1 << 19;
const BUCKET_BYTES: usize = size_of::<Bucket>();

impl Failures {
    pub(super) const fn new() -> Self {
        Self { last: Table::new(MOST_LAST_BUCKETS), earlier: Table::new(MOST_EARLIER_BUCKETS) }
    }

    /// Whether the position is known to fail.
    pub(super) fn contains(&self, columns: &Columns, moves: u8) -> bool {
        let table = if moves == 1 { &self.last } else { &self.earlier };
        table.contains(&key(columns, moves))
    }

    /// Notes that the position fails.
    pub(super) fn insert(&mut self, columns: &Columns, moves: u8, budget: &mut Budget) {
        let table = if moves == 1 { &mut self.last } else { &mut self.earlier };
        table.insert(key(columns, moves), budget);
    }
}

impl Table {
    const fn new(most_buckets: usize) -> Self {
        Self { buckets: Vec::new(), filled: 0, most_buckets }
    }

    fn contains(&self, key: &Key) -> bool {
        !self.buckets.is_empty()
            && self.buckets[hash(key) as usize & (self.buckets.len() - 1)].keys.contains(key)
    }

    fn insert(&mut self, key: Key, budget: &mut Budget) {
        if self.filled >= self.buckets.len() * 2 {
            self.grow(budget);
        }
        if !self.buckets.is_empty() {
            self.put(key);
        }
    }

    fn put(&mut self, key: Key) {
        let index = hash(&key) as usize & (self.buckets.len() - 1);
        let bucket = &mut self.buckets[index];
        let place = match bucket.keys.iter().position(|kept| *kept == [0; 5]) {
            Some(place) => {
                self.filled += 1;
                place
            }
            None => {
                bucket.oldest = (bucket.oldest + 1) % PLACES as u32;
                bucket.oldest as usize
            }
        };
        bucket.keys[place] = key;
    }

    fn grow(&mut self, budget: &mut Budget) {
        let buckets = (self.buckets.len() * 2).max(FIRST_BUCKETS);
        if buckets > self.most_buckets || budget.reserve(buckets * BUCKET_BYTES).is_err() {
            return;
        }
        let old = std::mem::replace(&mut self.buckets, vec![Bucket::default(); buckets]);
        self.filled = 0;
        for bucket in &old {
            for key in bucket.keys.iter().filter(|key| **key != [0; 5]) {
                self.put(*key);
            }
        }
        budget.release(old.len() * BUCKET_BYTES);
    }
}

fn key(columns: &Columns, moves: u8) -> Key {
    let mut key = columns.0;
    key[0] |= u32::from(moves) << 28;
    key
}

fn hash(key: &Key) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let mut hash = pair(key[0], key[1]).wrapping_mul(ODD);
    hash = (hash ^ hash >> 29 ^ pair(key[2], key[3])).wrapping_mul(ODD);
    hash = (hash ^ hash >> 31 ^ u64::from(key[4])).wrapping_mul(ODD);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::CancelFlag;

    #[test]
    fn what_was_put_in_is_found_with_its_moves_alone() {
        let mut budget = Budget::unlimited();
        let mut failures = Failures::new();
        let columns = Columns([0x123, 0, 0x0FFF_FFFF, 5, 0]);
        assert!(!failures.contains(&columns, 3));
        failures.insert(&columns, 3, &mut budget);
        assert!(failures.contains(&columns, 3));
        assert!(!failures.contains(&columns, 2));
        assert!(!failures.contains(&Columns([0x123, 0, 0x0FFF_FFFF, 6, 0]), 3));
    }

    #[test]
    fn a_table_keeps_to_its_share_of_memory() {
        let cap = 1 << 20;
        let mut budget = Budget::new(None, CancelFlag::new(), cap);
        let mut failures = Failures::new();
        for number in 1..200_000 {
            failures.insert(&Columns([number, 0, 0, 0, 0]), 1, &mut budget);
        }
        for number in 1..200_000 {
            failures.insert(&Columns([number, 0, 0, 0, 0]), 2, &mut budget);
        }
        let buckets = failures.last.buckets.len() + failures.earlier.buckets.len();
        assert!(buckets * BUCKET_BYTES <= cap);
        for moves in [1, 2] {
            assert!(failures.contains(&Columns([199_999, 0, 0, 0, 0]), moves));
            assert!(!failures.contains(&Columns([199_999, 0, 0, 0, 1]), moves));
        }
    }
}
