//! Positions known to be dead, with their whole keys: a table that never takes one
//! position for another. When it is full it is emptied, which costs time only.

/// A set of keys of equal length.
#[derive(Debug)]
pub(super) struct Memo {
    words: usize,
    keys: Vec<u64>,
    /// Open addressing: the number of a key plus one, or 0.
    slots: Vec<u32>,
    capacity: usize,
}

impl Memo {
    /// A table for keys of `words` words that takes at most `bytes`.
    pub(super) fn new(words: usize, bytes: usize) -> Self {
        let each = words * 8 + 2 * 4;
        let mut capacity = 1usize << 10;
        while capacity * 2 * each <= bytes {
            capacity *= 2;
        }
        Self { words, keys: Vec::new(), slots: Vec::new(), capacity }
    }

    /// The bytes it may take.
    pub(super) const fn bytes(&self) -> usize {
        self.capacity * (self.words * 8 + 2 * 4)
    }

    /// Whether a key is in the set.
    pub(super) fn contains(&self, key: &[u64]) -> bool {
        !self.slots.is_empty() && self.slots[self.find(key)] != 0
    }

    /// Adds a key.
    pub(super) fn insert(&mut self, key: &[u64]) {
        let count = self.keys.len() / self.words;
        if count == self.capacity {
            self.keys.clear();
            self.slots.iter_mut().for_each(|slot| *slot = 0);
        } else if count * 2 == self.slots.len() {
            self.grow();
        }
        let slot = self.find(key);
        if self.slots[slot] == 0 {
            self.keys.extend_from_slice(key);
            self.slots[slot] = (self.keys.len() / self.words) as u32;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1 << 8);
        self.slots = vec![0; size];
        for number in 0..self.keys.len() / self.words {
            let key = self.keys[number * self.words..(number + 1) * self.words].to_vec();
            let slot = self.find(&key);
            self.slots[slot] = number as u32 + 1;
        }
    }

    /// The slot that holds a key, or the empty one where it would go.
    fn find(&self, key: &[u64]) -> usize {
        let mut hash = 0u64;
        for &word in key {
            hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        }
        let mask = self.slots.len() - 1;
        let mut slot = (hash ^ hash >> 32) as usize & mask;
        loop {
            let number = self.slots[slot] as usize;
            if number == 0 || self.keys[(number - 1) * self.words..number * self.words] == *key {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}
