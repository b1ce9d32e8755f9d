//! What is known of components: a table with exact keys that grows as long as
//! the budget lets it, and then replaces what was cheap to find out.

use std::mem;

use crate::budget::{Budget, Stop};

use super::anchors::AnchorSet;

/// What is known of one component's Grundy value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// Bit `v` says that the value is not `v`.
    pub excluded: u64,
    /// The value, once known.
    pub value: Option<u8>,
}

impl Known {
    /// Whether the value is `candidate`, if that is known.
    pub(super) fn is(&self, candidate: u32) -> Option<bool> {
        match self.value {
            Some(value) => Some(u32::from(value) == candidate),
            None => (candidate >= 64 || self.excluded >> candidate & 1 == 1).then_some(false),
        }
    }
}

/// Entries that share a place; a component may lie in any of them.
const GROUP: usize = 4;

#[derive(Clone, Copy, Debug)]
struct Entry<S> {
    component: S,
    known: Known,
    /// The nodes it took to find out, for the choice of what to replace.
    work: u32,
}

/// The table. A component is never empty, so the empty set marks a free entry.
#[derive(Debug)]
pub(super) struct Table<S> {
    entries: Vec<Entry<S>>,
    filled: usize,
    can_grow: bool,
}

impl<S: AnchorSet> Table<S> {
    const FREE: Entry<S> =
        Entry { component: S::EMPTY, known: Known { excluded: 0, value: None }, work: 0 };

    /// An empty table.
    pub(super) const fn new() -> Self {
        Self { entries: Vec::new(), filled: 0, can_grow: true }
    }

    /// What is known of `component`.
    pub(super) fn get(&self, component: S) -> Known {
        if self.entries.is_empty() {
            return Known::default();
        }
        let group = &self.entries[self.group(component)..][..GROUP];
        group
            .iter()
            .find(|entry| entry.component == component)
            .map_or_else(Known::default, |e| e.known)
    }

    /// Notes what is known of `component`, found in `work` nodes.
    pub(super) fn set(
        &mut self,
        component: S,
        known: Known,
        work: u64,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        if self.can_grow && self.filled * 4 >= self.entries.len() * 3 {
            self.grow(budget)?;
        }
        if !self.entries.is_empty() {
            self.put(Entry { component, known, work: work.min(u64::from(u32::MAX)) as u32 });
        }
        Ok(())
    }

    /// Gives the table's memory back to the budget.
    pub(super) fn release(self, budget: &mut Budget) {
        budget.release(self.entries.len() * size_of::<Entry<S>>());
    }

    fn put(&mut self, entry: Entry<S>) {
        let start = self.group(entry.component);
        let group = &mut self.entries[start..start + GROUP];
        if let Some(same) = group.iter_mut().find(|old| old.component == entry.component) {
            same.work = same.work.saturating_add(entry.work);
            same.known = entry.known;
            return;
        }
        let cheapest = group.iter_mut().min_by_key(|old| (!old.component.is_empty(), old.work));
        if let Some(old) = cheapest {
            self.filled += usize::from(old.component.is_empty());
            *old = entry;
        }
    }

    fn group(&self, component: S) -> usize {
        let groups = self.entries.len() / GROUP;
        // The length is a power of two, so the low bits choose.
        (component.hash64() as usize & (groups - 1)) * GROUP
    }

    fn grow(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let length = (self.entries.len() * 2).max(16 * GROUP);
        let bytes = length * size_of::<Entry<S>>();
        if budget.reserve(bytes).is_err() {
            self.can_grow = false;
            return Ok(());
        }
        let old = mem::replace(&mut self.entries, vec![Self::FREE; length]);
        self.filled = 0;
        for chunk in old.chunks(4096) {
            budget.poll()?;
            for entry in chunk {
                if !entry.component.is_empty() {
                    self.put(*entry);
                }
            }
        }
        budget.release(old.len() * size_of::<Entry<S>>());
        Ok(())
    }
}
