//! What is known of components: a table with exact keys.
//!
//! Three entries share a group, which for the narrowest sets is one line of the
//! processor's cache; a component lies in its group, or in the one beside it when
//! its own was full. A table
//! doubles as long as the budget lets it. From then on, and always in a
//! table of fixed size, a new entry takes the place of the one in its group that
//! was cheapest to find out. A lost entry costs time and nothing else.

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

/// Entries that share a group.
const GROUP: usize = 3;

/// The groups that a table begins with.
const FIRST_GROUPS: usize = 32;

/// Groups moved between two looks at the clock while a table grows.
const GROUPS_A_POLL: usize = 4096;

/// Several entries, the keys apart from the rest so that nothing is padded. The
/// empty set, which is no component, marks a free entry.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Group<S> {
    components: [S; GROUP],
    notes: [Note; GROUP],
}

impl<S: AnchorSet> Group<S> {
    fn find(&self, component: S) -> Option<usize> {
        self.components.iter().position(|&other| other == component)
    }
}

/// [`Known`] in four bytes, with what it cost.
#[derive(Clone, Copy, Debug)]
struct Note {
    /// As in [`Known`]; greater numbers are seldom met and not kept.
    excluded: u16,
    /// The value, or [`NO_VALUE`].
    value: u8,
    /// The grade of the work it took, for the choice of what to replace.
    grade: u8,
}

const NO_VALUE: u8 = u8::MAX;

impl Note {
    const FREE: Self = Self { excluded: 0, value: NO_VALUE, grade: 0 };

    fn new(known: Known, work: u64) -> Self {
        Self {
            excluded: known.excluded as u16,
            value: known.value.unwrap_or(NO_VALUE),
            grade: grade(work),
        }
    }

    fn known(self) -> Known {
        let value = (self.value != NO_VALUE).then_some(self.value);
        Known { excluded: self.excluded.into(), value }
    }

    /// Both notes are about one component.
    fn join(&mut self, other: Self) {
        self.excluded |= other.excluded;
        if self.value == NO_VALUE {
            self.value = other.value;
        }
        self.grade = self.grade.max(other.grade);
    }
}

/// The logarithm of `work`, in quarters.
fn grade(work: u64) -> u8 {
    let work = work | 4;
    let doublings = work.ilog2();
    (doublings * 4 + (work >> (doublings - 2) & 3) as u32) as u8
}

/// The table.
#[derive(Debug)]
pub(super) struct Table<S> {
    groups: Vec<Group<S>>,
    filled: usize,
    most_groups: usize,
}

impl<S: AnchorSet> Table<S> {
    const FREE: Group<S> = Group { components: [S::EMPTY; GROUP], notes: [Note::FREE; GROUP] };

    /// An empty table that only the budget keeps from growing.
    pub(super) const fn new() -> Self {
        Self { groups: Vec::new(), filled: 0, most_groups: usize::MAX }
    }

    /// An empty table that never takes more than `bytes`, not even while it
    /// grows and its old half is still there.
    pub(super) const fn up_to(bytes: usize) -> Self {
        let most_groups = bytes / size_of::<Group<S>>() / 3 * 2;
        Self { groups: Vec::new(), filled: 0, most_groups }
    }

    /// What is known of `component`.
    pub(super) fn get(&self, component: S) -> Known {
        if self.groups.is_empty() {
            return Known::default();
        }
        let place = self.place(component);
        let group = &self.groups[place];
        if let Some(entry) = group.find(component) {
            return group.notes[entry].known();
        }
        if group.find(S::EMPTY).is_some() {
            return Known::default();
        }
        let beside = &self.groups[place ^ 1];
        beside.find(component).map_or_else(Known::default, |entry| beside.notes[entry].known())
    }

    /// Notes what is known of `component`, found in `work` nodes.
    ///
    /// # Errors
    /// When the budget stops while the table grows.
    pub(super) fn set(
        &mut self,
        component: S,
        known: Known,
        work: u64,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        // Two entries of three: fuller, and groups would overflow.
        if self.filled >= self.groups.len() * 2 && self.groups.len() < self.most_groups {
            self.grow(budget)?;
        }
        if !self.groups.is_empty() {
            self.put(component, Note::new(known, work));
        }
        Ok(())
    }

    /// Gives the table's memory back to the budget.
    pub(super) fn release(self, budget: &mut Budget) {
        budget.release(self.groups.len() * size_of::<Group<S>>());
    }

    fn put(&mut self, component: S, note: Note) {
        let place = self.place(component);
        // Where the component is, or else where there is room.
        for wanted in [component, S::EMPTY] {
            for place in [place, place ^ 1] {
                if let Some(entry) = self.groups[place].find(wanted) {
                    self.filled += usize::from(wanted.is_empty());
                    let group = &mut self.groups[place];
                    group.components[entry] = component;
                    group.notes[entry].join(note);
                    return;
                }
            }
        }
        let group = &mut self.groups[place];
        let cheapest = (0..GROUP).min_by_key(|&entry| group.notes[entry].grade).unwrap_or(0);
        group.components[cheapest] = component;
        group.notes[cheapest] = note;
    }

    /// The group of a component: the hash as a fraction of their number, which is even.
    fn place(&self, component: S) -> usize {
        let fraction = u128::from(component.hash64()) * self.groups.len() as u128;
        (fraction >> 64) as usize
    }

    fn grow(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let groups = (self.groups.len() * 2).max(FIRST_GROUPS).min(self.most_groups);
        if budget.reserve(groups * size_of::<Group<S>>()).is_err() {
            self.most_groups = self.groups.len();
            return Ok(());
        }
        let old = mem::replace(&mut self.groups, vec![Self::FREE; groups]);
        self.filled = 0;
        let mut moved = Ok(());
        for groups in old.chunks(GROUPS_A_POLL) {
            moved = budget.poll();
            if moved.is_err() {
                break;
            }
            for group in groups {
                for (component, note) in group.components.iter().zip(&group.notes) {
                    if !component.is_empty() {
                        self.put(*component, *note);
                    }
                }
            }
        }
        budget.release(old.len() * size_of::<Group<S>>());
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::super::anchors::Narrow;
    use super::*;

    fn component(number: usize) -> Narrow {
        Narrow::single(number / 8 % 16, number % 8).or(Narrow::single(number / 128, 7))
    }

    #[test]
    fn a_growing_table_keeps_everything_but_for_a_few_full_groups() {
        let mut budget = Budget::unlimited();
        let mut table = Table::new();
        for number in 0..1024 {
            let known = Known { excluded: number as u64, value: Some((number % 7) as u8) };
            table.set(component(number), known, 1, &mut budget).unwrap();
        }
        let distinct: std::collections::BTreeSet<_> = (0..1024).map(component).collect();
        let kept = distinct.iter().filter(|&&one| table.get(one) != Known::default()).count();
        assert!(kept * 10 > distinct.len() * 9, "{kept} of {}", distinct.len());
        assert_eq!(size_of::<Group<Narrow>>(), 64);
    }

    #[test]
    fn a_full_table_replaces_what_was_cheap() {
        let mut budget = Budget::unlimited();
        let mut table = Table::up_to(192);
        for (number, work) in (0..100).map(|number| (number, 1 << (number % 20))) {
            let known = Known { excluded: 1, value: None };
            table.set(component(number), known, work, &mut budget).unwrap();
        }
        let kept = |number: &usize| table.get(component(*number)) != Known::default();
        let kept: Vec<_> = (0..100).filter(kept).collect();
        assert!((1..=6).contains(&kept.len()), "{kept:?}");
        assert!(kept.iter().filter(|&&number| number % 20 > 15).count() >= 3, "{kept:?}");
    }

    #[test]
    fn a_table_without_memory_holds_nothing_and_harms_nothing() {
        let mut budget = Budget::new(None, crate::budget::CancelFlag::new(), 100);
        let mut table = Table::new();
        let known = Known { excluded: 1, value: None };
        assert_eq!(table.set(component(1), known, 1, &mut budget), Ok(()));
        assert_eq!(table.get(component(1)), Known::default());
    }
}
