//! The budget of one solve: a deadline, a cancel flag and a cap on memory,
//! polled by every search.
//!
//! A blocking thread can't be stopped from outside, so a search stops itself:
//! it calls [`Budget::tick`] once a node (a few nanoseconds; the clock is read
//! every [`TICKS_A_POLL`] ticks) or [`Budget::poll`] between steps that take
//! longer, and returns as soon as either says [`Stop`]. A search must let no
//! more than a few milliseconds pass between two looks at the clock.
//!
//! Memory is what a search says it holds: a table that grows calls
//! [`Budget::reserve`] before it allocates and [`Budget::release`] after it
//! frees. Time decides only *whether* a limit was reached, never which answer
//! is given: slices and restarts inside a search are counted in nodes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How many ticks pass between two looks at the clock and the cancel flag.
pub const TICKS_A_POLL: u32 = 64;

/// Why a search stopped before it was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The deadline passed.
    TimeLimit,
    /// The memory cap would have been passed.
    MemoryLimit,
    /// Nobody waits for the answer any more.
    Cancelled,
}

/// A flag that its holder raises to stop a search; clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag {
    own: Arc<AtomicBool>,
    parent: Option<Arc<AtomicBool>>,
}

impl CancelFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new flag that counts as raised, too, once this one is.
    pub fn child(&self) -> Self {
        Self { own: Arc::default(), parent: Some(Arc::clone(&self.own)) }
    }

    /// Asks every search that watches this flag to stop. It stays raised.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// Whether the flag was raised.
    pub fn is_cancelled(&self) -> bool {
        self.own.load(Ordering::Relaxed)
            || self.parent.as_ref().is_some_and(|parent| parent.load(Ordering::Relaxed))
    }
}

/// A point in time that can be moved later while a search runs towards it;
/// clones share one point.
#[derive(Clone, Debug)]
pub struct Deadline(Arc<AtomicU64>);

impl Deadline {
    /// A deadline `time` from now; none at all where that lies beyond the clock.
    pub fn after(time: Duration) -> Self {
        Self(Arc::new(AtomicU64::new(nanoseconds_after(time))))
    }

    /// No deadline.
    pub fn never() -> Self {
        Self(Arc::new(AtomicU64::new(u64::MAX)))
    }

    /// Moves the deadline to `time` from now, if that is later than it was.
    pub fn extend(&self, time: Duration) {
        self.0.fetch_max(nanoseconds_after(time), Ordering::Relaxed);
    }

    /// Whether it has passed.
    pub fn has_passed(&self) -> bool {
        let deadline = self.0.load(Ordering::Relaxed);
        deadline != u64::MAX && nanoseconds_now() >= deadline
    }
}

fn nanoseconds_now() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

fn nanoseconds_after(time: Duration) -> u64 {
    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    nanoseconds_now().saturating_add(nanoseconds)
}

/// Where a search shows how far it is, to whoever watches it; clones share one.
/// Nodes lag by a poll of the budget.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Shown>);

#[derive(Debug, Default)]
struct Shown {
    nodes: AtomicU64,
    best: AtomicU64,
}

impl Meter {
    /// Shows how many nodes were counted.
    pub fn set(&self, nodes: u64) {
        self.0.nodes.store(nodes, Ordering::Relaxed);
    }

    /// The nodes shown last.
    pub fn get(&self) -> u64 {
        self.0.nodes.load(Ordering::Relaxed)
    }

    /// The best bound shown last; 0 before there is one.
    pub fn best(&self) -> u64 {
        self.0.best.load(Ordering::Relaxed)
    }

    /// Shows nothing, as before a search.
    pub fn clear(&self) {
        self.set(0);
        self.0.best.store(0, Ordering::Relaxed);
    }
}

/// The part of a budget that can be copied into callbacks: deadline and flag.
#[derive(Clone, Debug)]
pub struct Watch {
    deadline: Deadline,
    cancel: CancelFlag,
}

impl Watch {
    /// Looks at the flag and the clock now.
    pub fn stopped(&self) -> Option<Stop> {
        if self.cancel.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        self.deadline.has_passed().then_some(Stop::TimeLimit)
    }
}

/// What one solve may use, and what it has used.
#[derive(Debug)]
pub struct Budget {
    watch: Watch,
    memory_limit: usize,
    memory_used: usize,
    memory_refused: bool,
    nodes: u64,
    meter: Option<Meter>,
    ticks_to_poll: u32,
    stopped: Option<Stop>,
}

impl Budget {
    /// A budget without limits: for tests and for searches known to be short.
    pub fn unlimited() -> Self {
        Self::new(None, CancelFlag::new(), usize::MAX)
    }

    /// A budget of `time` from now, stopped early by `cancel`, that may hold
    /// `memory_limit` bytes.
    pub fn new(time: Option<Duration>, cancel: CancelFlag, memory_limit: usize) -> Self {
        Self::until(time.map_or_else(Deadline::never, Deadline::after), cancel, memory_limit)
    }

    /// As [`Budget::new`], towards a deadline that others may move.
    pub const fn until(deadline: Deadline, cancel: CancelFlag, memory_limit: usize) -> Self {
        Self {
            watch: Watch { deadline, cancel },
            memory_limit,
            memory_used: 0,
            memory_refused: false,
            nodes: 0,
            meter: None,
            ticks_to_poll: 0,
            stopped: None,
        }
    }

    /// The same budget, which shows its nodes at every poll.
    #[must_use]
    pub fn shown_by(self, meter: Meter) -> Self {
        Self { meter: Some(meter), ..self }
    }

    /// Shows the best bound that the search has by now, where its puzzle has one: what the
    /// answer would tell if the search were stopped here. It decides nothing.
    pub fn show_best(&self, bound: u64) {
        if let Some(meter) = &self.meter {
            meter.0.best.store(bound, Ordering::Relaxed);
        }
    }

    /// Counts one node, and looks at the clock every [`TICKS_A_POLL`] nodes.
    ///
    /// # Errors
    /// The [`Stop`] that ends this search; once stopped it stays stopped.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.ticks_to_poll > 0 {
            self.ticks_to_poll -= 1;
            return Ok(());
        }
        self.ticks_to_poll = TICKS_A_POLL - 1;
        self.poll()
    }

    /// Looks at the clock and the cancel flag now, without counting a node.
    ///
    /// # Errors
    /// The [`Stop`] that ends this search; once stopped it stays stopped.
    pub fn poll(&mut self) -> Result<(), Stop> {
        if self.stopped.is_none() {
            self.stopped = self.watch.stopped();
        }
        if let Some(meter) = &self.meter {
            meter.set(self.nodes);
        }
        match self.stopped {
            None => Ok(()),
            Some(stop) => {
                // The next tick looks again, so that a search which went on is told again.
                self.ticks_to_poll = 0;
                Err(stop)
            }
        }
    }

    /// Adds nodes that were counted elsewhere (a SAT solver's conflicts, say).
    pub const fn add_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// The nodes counted so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Takes `bytes` out of the memory cap, before they are allocated.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] when they do not fit. Nothing is taken then and the
    /// budget is *not* stopped: the caller may evict and go on, or give up.
    pub const fn reserve(&mut self, bytes: usize) -> Result<(), Stop> {
        match self.memory_used.checked_add(bytes) {
            Some(used) if used <= self.memory_limit => {
                self.memory_used = used;
                Ok(())
            }
            _ => {
                self.memory_refused = true;
                Err(Stop::MemoryLimit)
            }
        }
    }

    /// Gives `bytes` back, after they were freed.
    pub const fn release(&mut self, bytes: usize) {
        self.memory_used = self.memory_used.saturating_sub(bytes);
    }

    /// The bytes that [`Budget::reserve`] would still grant.
    pub const fn memory_left(&self) -> usize {
        self.memory_limit - self.memory_used
    }

    /// Whether any limit made itself felt: the search was told to stop, or was
    /// refused memory. What it found is then perhaps not all that it would have
    /// found under greater limits.
    pub const fn was_limited(&self) -> bool {
        self.stopped.is_some() || self.memory_refused
    }

    /// Deadline and cancel flag, to copy into a callback.
    pub fn watch(&self) -> Watch {
        self.watch.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_in_the_past_stops_the_first_tick() {
        let mut budget = Budget::new(Some(Duration::ZERO), CancelFlag::new(), usize::MAX);
        assert_eq!(budget.tick(), Err(Stop::TimeLimit));
        assert_eq!(budget.tick(), Err(Stop::TimeLimit));
    }

    #[test]
    fn a_raised_flag_stops_within_one_poll_interval() {
        let cancel = CancelFlag::new();
        let mut budget = Budget::new(None, cancel.clone(), usize::MAX);
        assert_eq!(budget.tick(), Ok(()));
        cancel.cancel();
        let ticks = (0..).take_while(|_| budget.tick().is_ok()).count();
        assert!(ticks < TICKS_A_POLL as usize);
        assert_eq!(budget.poll(), Err(Stop::Cancelled));
    }

    #[test]
    fn memory_over_the_cap_is_refused_and_what_is_released_can_be_taken_again() {
        let mut budget = Budget::new(None, CancelFlag::new(), 100);
        assert_eq!(budget.reserve(60), Ok(()));
        assert_eq!(budget.reserve(41), Err(Stop::MemoryLimit));
        assert_eq!(budget.memory_left(), 40);
        budget.release(60);
        assert_eq!(budget.reserve(100), Ok(()));
        assert_eq!(budget.poll(), Ok(()));
    }
}
