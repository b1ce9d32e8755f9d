//! A layer: the states after some number of cells, each with its tally, and the
//! hash slots by which equal states are found while a layer is built.
//!
//! States keep the order in which they are first reached, so a layer does not depend
//! on the hash function or on the size of its table.

use super::sweep::Step;
use super::tally::Tally;
use crate::budget::{Budget, Stop};

/// States in the order in which they are first reached.
pub(super) struct Layer<T> {
    pub(super) keys: Vec<u64>,
    pub(super) tallies: T,
    reserved: usize,
}

/// Open addressing from keys to their index in a layer, used anew for every layer.
pub(super) struct SlotTable {
    slots: Vec<u32>,
}

/// A slot that holds nothing.
const EMPTY: u32 = u32::MAX;
/// The states that a layer has room for at least.
const LEAST_ROOM: usize = 16;
/// The slots of the smallest table.
const LEAST_SLOTS: usize = 64;

impl<T: Tally> Layer<T> {
    /// The layer before the first cell: nothing behind, in one way.
    pub(super) fn initial(budget: &mut Budget) -> Result<Self, Stop> {
        let mut layer = Self { keys: Vec::new(), tallies: T::one(), reserved: 0 };
        layer.grow(1, budget)?;
        layer.keys.push(0);
        Ok(layer)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The bytes that were reserved for it.
    pub(super) const fn bytes(&self) -> usize {
        self.reserved
    }

    /// Gives its memory back.
    pub(super) fn free(self, budget: &mut Budget) {
        budget.release(self.reserved);
    }

    /// The layer after `step`.
    pub(super) fn after(
        &self,
        step: &Step,
        slots: &mut SlotTable,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        slots.clear();
        let mut next = Self { keys: Vec::new(), tallies: self.tallies.successor(), reserved: 0 };
        // Neighbouring layers are of about the same size.
        let room = self.keys.len() + self.keys.len() / 8 + LEAST_ROOM;
        let result = next.grow(room, budget).and_then(|()| next.fill(self, step, slots, budget));
        match result {
            Ok(()) => {
                next.shrink(budget);
                Ok(next)
            }
            Err(stop) => {
                next.free(budget);
                Err(stop)
            }
        }
    }

    /// Adds what the states of `before` lead to.
    fn fill(
        &mut self,
        before: &Self,
        step: &Step,
        slots: &mut SlotTable,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        for (index, &key) in before.keys.iter().enumerate() {
            budget.tick()?;
            for &target in step.targets(key).as_slice() {
                if self.keys.len() == self.keys.capacity() {
                    self.grow(self.keys.len() / 2, budget)?;
                }
                match slots.find_or_insert(target, &mut self.keys, budget)? {
                    Some(known) => self.tallies.add(known, &before.tallies, index),
                    None => self.tallies.push(&before.tallies, index),
                }
            }
        }
        Ok(())
    }

    /// Makes room for so many states more.
    fn grow(&mut self, more: usize, budget: &mut Budget) -> Result<(), Stop> {
        let bytes = more * (size_of::<u64>() + self.tallies.bytes_each());
        budget.reserve(bytes)?;
        self.reserved += bytes;
        self.keys.reserve_exact(more);
        self.tallies.reserve(more);
        Ok(())
    }

    /// Gives unused room back once the layer is complete, if it is much.
    fn shrink(&mut self, budget: &mut Budget) {
        if self.keys.capacity() <= self.keys.len() + self.keys.len() / 4 + LEAST_ROOM {
            return;
        }
        self.keys.shrink_to_fit();
        self.tallies.shrink();
        let bytes = self.keys.capacity() * (size_of::<u64>() + self.tallies.bytes_each());
        budget.release(self.reserved.saturating_sub(bytes));
        self.reserved = self.reserved.min(bytes);
    }
}

impl SlotTable {
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    fn clear(&mut self) {
        self.slots.fill(EMPTY);
    }

    /// The index of `key` in `keys`; when it is new it is appended and the answer is `None`.
    #[inline]
    fn find_or_insert(
        &mut self,
        key: u64,
        keys: &mut Vec<u64>,
        budget: &mut Budget,
    ) -> Result<Option<usize>, Stop> {
        if keys.len() * 2 >= self.slots.len() {
            self.grow(keys, budget)?;
        }
        let mut slot = self.first_slot(key);
        loop {
            match self.slots[slot] {
                EMPTY => {
                    self.slots[slot] = keys.len() as u32;
                    keys.push(key);
                    return Ok(None);
                }
                index if keys[index as usize] == key => return Ok(Some(index as usize)),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    #[inline]
    fn first_slot(&self, key: u64) -> usize {
        // Fibonacci hashing: the top bits of the product, as many as the table has.
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.slots.len().trailing_zeros()))
            as usize
    }

    fn grow(&mut self, keys: &[u64], budget: &mut Budget) -> Result<(), Stop> {
        let old = self.slots.len();
        let new = (old * 2).max(LEAST_SLOTS);
        if new > EMPTY as usize {
            return Err(Stop::MemoryLimit);
        }
        budget.poll()?;
        budget.reserve((new - old) * size_of::<u32>())?;
        self.slots = vec![EMPTY; new];
        for (index, &key) in keys.iter().enumerate() {
            let mut slot = self.first_slot(key);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (new - 1);
            }
            self.slots[slot] = index as u32;
        }
        Ok(())
    }
}
