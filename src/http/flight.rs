//! Long solves under way, so that the same board asked twice at once is solved
//! once.
//!
//! A flight runs as a task of its own. Whoever waits for it holds a ticket; when
//! the last ticket is dropped, the flight is dropped, and with it its turn in
//! the queue or its search. Each waiter keeps its own time limit: the flight
//! flies until the latest of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::budget::Deadline;
use crate::http::blocking::Run;
use crate::http::cache::CaseKey;
use crate::http::problem::Problem;

/// How much later than the deadline a waiter of a shared flight looks for
/// itself: by then the flight's own search has told what it learnt.
const GRACE: Duration = Duration::from_millis(40);

/// All flights under way.
#[derive(Debug, Default)]
pub struct Flights(Mutex<HashMap<CaseKey, Weak<Flight>>>);

/// A flight, as its waiters share it.
#[derive(Debug)]
pub struct Flight {
    phase: watch::Receiver<Phase>,
    course: Arc<Course>,
    _abandon: DropGuard,
}

/// How far a flight is.
#[derive(Clone, Debug)]
pub enum Phase {
    /// It waits for a place.
    Queued,
    /// It has its place since then.
    Running(Instant),
    /// It ended.
    Ended(Result<Run, Problem>),
}

/// Where a flight is to end.
#[derive(Debug)]
pub struct Course {
    state: Mutex<CourseState>,
}

#[derive(Debug)]
struct CourseState {
    longest: Duration,
    deadline: Option<Deadline>,
}

/// What the task that flies holds.
#[derive(Debug)]
pub struct Pilot {
    /// Announces the phases.
    pub phase: watch::Sender<Phase>,
    /// Where to end.
    pub course: Arc<Course>,
    /// Cancelled when the last waiter has left.
    pub abandoned: CancellationToken,
}

impl Flights {
    /// The flight of a case, if one is under way; it will last `limit` from now at least.
    pub fn join(&self, key: &CaseKey, limit: Duration) -> Option<Arc<Flight>> {
        let flight = self.lock().get(key).and_then(Weak::upgrade)?;
        flight.course.extend(limit);
        Some(flight)
    }

    /// The flight of a case, and what a new one needs to be flown where there was none.
    pub fn join_or_start(&self, key: &CaseKey, limit: Duration) -> (Arc<Flight>, Option<Pilot>) {
        let mut flights = self.lock();
        if let Some(flight) = flights.get(key).and_then(Weak::upgrade) {
            flight.course.extend(limit);
            return (flight, None);
        }
        let (sender, receiver) = watch::channel(Phase::Queued);
        let course =
            Arc::new(Course { state: Mutex::new(CourseState { longest: limit, deadline: None }) });
        let abandoned = CancellationToken::new();
        let flight = Arc::new(Flight {
            phase: receiver,
            course: Arc::clone(&course),
            _abandon: abandoned.clone().drop_guard(),
        });
        flights.insert(key.clone(), Arc::downgrade(&flight));
        (flight, Some(Pilot { phase: sender, course, abandoned }))
    }

    /// Takes a flight that ended, or that everybody left, off the board.
    pub fn land(&self, key: &CaseKey, course: &Arc<Course>) {
        let mut flights = self.lock();
        let is_same = flights.get(key).is_some_and(|flight| {
            // A flight that everybody left can't be upgraded; a newer one of the same case stays.
            flight.upgrade().is_none_or(|flight| Arc::ptr_eq(&flight.course, course))
        });
        if is_same {
            flights.remove(key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CaseKey, Weak<Flight>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Flight {
    /// What it came to, and since when it ran for a waiter that joined then; no result when
    /// it still runs after the waiter's limit, since somebody else has a longer one.
    ///
    /// # Errors
    /// `internal` when the flight's task panicked.
    pub async fn ended(
        &self,
        joined: Instant,
        limit: Duration,
    ) -> Result<(Option<Result<Run, Problem>>, Option<Instant>), Problem> {
        let mut phases = self.phase.clone();
        let mut running_since = None;
        loop {
            let phase = phases.borrow_and_update().clone();
            match phase {
                Phase::Queued => {}
                Phase::Running(since) => running_since = Some(since.max(joined)),
                Phase::Ended(result) => return Ok((Some(result), running_since)),
            }
            let changed = phases.changed();
            let in_time = match running_since {
                None => changed.await,
                Some(since) => {
                    let left = (limit + GRACE).saturating_sub(since.elapsed());
                    match tokio::time::timeout(left, changed).await {
                        Ok(changed) => changed,
                        Err(_) => return Ok((None, running_since)),
                    }
                }
            };
            // The flight's task is gone without a word.
            in_time.map_err(|_| Problem::internal())?;
        }
    }
}

impl Course {
    /// The deadline of a flight that gets its place now.
    pub fn set_off(&self) -> Deadline {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Deadline::after(state.longest);
        state.deadline = Some(deadline.clone());
        deadline
    }

    /// Whether the time of everybody who ever waited is up.
    pub fn is_over(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.deadline.as_ref().is_some_and(Deadline::has_passed)
    }

    fn extend(&self, limit: Duration) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.longest = state.longest.max(limit);
        if let Some(deadline) = &state.deadline {
            deadline.extend(limit);
        }
    }
}
