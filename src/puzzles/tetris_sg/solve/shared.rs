//! The table that all solves of the process share: what took long to find out.
//!
//! It holds the same exact facts as a solve's own table, so it can change how
//! long a solve takes and never what it answers. Its memory is its own: no solve
//! is charged for it, and it never passes its cap ([`set_capacity`]). It is cut
//! into shards, each under a lock of its own that is held for one look-up.

use std::array;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::budget::Budget;

use super::anchors::{AnchorSet, Narrow};
use super::table::{Known, Table};

/// The cap that holds until [`set_capacity`] is called, in bytes.
pub const DEFAULT_CAPACITY: usize = 32 << 20;

/// The least work, in nodes, that makes a fact worth sharing.
pub(super) const LEAST_WORK: u64 = 1 << 10;

/// The fewest anchors of a component worth looking for: smaller ones never take
/// that much work.
pub(super) const FEWEST_ANCHORS: u32 = 16;

const SHARDS: usize = 64;

static CAPACITY: AtomicUsize = AtomicUsize::new(DEFAULT_CAPACITY);

/// A shard takes memory as facts come to it.
static TABLE: LazyLock<[Mutex<Option<Table<Narrow>>>; SHARDS]> =
    LazyLock::new(|| array::from_fn(|_| Mutex::new(None)));

/// Sets how many bytes the table may hold, and empties it. 0 switches it off.
pub fn set_capacity(bytes: usize) {
    CAPACITY.store(bytes, Ordering::Relaxed);
    clear();
}

/// The most bytes that the table may hold.
pub fn capacity() -> usize {
    CAPACITY.load(Ordering::Relaxed)
}

/// Forgets everything and gives the memory back.
pub fn clear() {
    for index in 0..SHARDS {
        *shard(index) = None;
    }
}

/// What is known of `component`.
pub(super) fn get(component: Narrow) -> Known {
    shard_of(component).as_ref().map_or_else(Known::default, |table| table.get(component))
}

/// Notes what is known of `component`, found in `work` nodes.
pub(super) fn set(component: Narrow, known: Known, work: u64) {
    let mut shard = shard_of(component);
    // The capacity is read under the shard's lock. Whoever sets it empties the
    // shard afterwards, so no table of an old capacity lasts.
    let table = shard.get_or_insert_with(|| Table::up_to(capacity() / SHARDS));
    // This memory is no solve's, and a shard is small enough to grow unwatched.
    let grown = table.set(component, known, work, &mut Budget::unlimited());
    debug_assert_eq!(grown, Ok(()));
}

fn shard_of(component: Narrow) -> MutexGuard<'static, Option<Table<Narrow>>> {
    // The hash's high bits choose the place within a shard, so the low bits choose the shard.
    shard(component.hash64() as usize % SHARDS)
}

fn shard(index: usize) -> MutexGuard<'static, Option<Table<Narrow>>> {
    // A table is sound after every single write, so one left by a panic is, too.
    TABLE[index].lock().unwrap_or_else(PoisonError::into_inner)
}
