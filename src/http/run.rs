//! The one way to solve: cache, admission, a thread, budget, verification.
//!
//! A solve runs on a blocking thread, which can't be stopped from outside; the budget stops it from
//! inside. The thread owns its place, and whoever awaits the solve owns a guard that raises the
//! cancel flag when it is dropped, so a client that hangs up ends its search within one poll.
//!
//! A small board that has its place is glanced at first, on the thread that read it: most are
//! decided before another thread could be woken for them.
//!
//! What a glance does not decide gets a first slice (see [`slices`](crate::http::slices)) in the
//! express lane, on a thread of its own. What that does not decide either is begun anew in the long
//! lane, on threads that the operating system lets wait for the others. Beginning anew costs one
//! slice, keeps the answer independent of the slice, and holds no memory while waiting.
//! Long solves of equal boards share one [`Flight`](crate::http::flight::Flight).

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tracing::{Instrument, Span};

use crate::budget::{Budget, CancelFlag, Deadline, Stop};
use crate::http::admission::{Admission, LaneName, Patience, Place, draining};
use crate::http::ask::{Ask, JobAsk, Solved, Taken};
use crate::http::blocking::{self, LongLane, Run};
use crate::http::cache::{CaseKey, ResultCache};
use crate::http::endpoint::Case;
use crate::http::flight::{Flights, Phase, Pilot};
use crate::http::metrics::Metrics;
use crate::http::problem::{Code, Problem};
use crate::http::slices::{SHORTEST, Slices};

/// The memory that a first slice may hold, in bytes.
pub const EXPRESS_MEMORY: usize = 32 << 20;

/// How long a glance may take: about twice as long as it takes to wake another thread and to be
/// woken by it, so that a glance in vain costs little more than it could have saved.
pub const GLANCE: Duration = Duration::from_micros(50);

/// The boards that are glanced at take no more bytes than this. A search of a larger one may go on
/// for milliseconds before it first looks at the clock, and connections wait meanwhile.
pub const GLANCE_BYTES: usize = 512;

/// The limits on one solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveLimits {
    /// The time limit of a request that names none.
    pub default_time: Duration,
    /// The ceiling to which a longer time limit is clamped.
    pub max_time: Duration,
    /// The memory cap, in bytes.
    pub memory: usize,
    /// The memory for kept results, in bytes.
    pub cache: usize,
}

/// Solves cases. Clones share everything.
#[derive(Clone, Debug)]
pub struct Solver(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    admission: Arc<Admission>,
    limits: SolveLimits,
    metrics: Arc<Metrics>,
    stop_all: CancelFlag,
    long_lane: LongLane,
    /// The threads of the jobs, where jobs are on.
    job_lane: OnceLock<LongLane>,
    cache: ResultCache,
    flights: Flights,
    slices: Slices,
    side_work: Arc<Semaphore>,
}

impl Solver {
    /// A solver with `places` in each lane; `stop_all` cancels everything that runs.
    ///
    /// # Errors
    /// When the operating system grants no runtime for the long lane.
    pub fn new(
        admission: Arc<Admission>,
        places: usize,
        limits: SolveLimits,
        metrics: Arc<Metrics>,
        stop_all: CancelFlag,
    ) -> std::io::Result<Self> {
        Ok(Self(Arc::new(Shared {
            admission,
            limits,
            metrics,
            stop_all,
            long_lane: LongLane::start(places)?,
            job_lane: OnceLock::new(),
            cache: ResultCache::new(limits.cache),
            flights: Flights::default(),
            slices: Slices::new(places),
            side_work: Arc::new(Semaphore::new(places)),
        })))
    }

    /// Solves one case.
    ///
    /// # Errors
    /// `overloaded`, `draining`, or `internal` for a panic or a failed verification.
    pub async fn solve(&self, ask: Ask) -> Result<Solved, Problem> {
        let limits = self.0.limits;
        let limit = ask
            .time_limit_ms
            .map_or(limits.default_time, Duration::from_millis)
            .min(limits.max_time);
        let key = CaseKey(Arc::clone(&ask.case));
        let mut taken = Taken::default();
        // A body of many cases lets others go on: neither a kept result nor a glance waits for anything.
        tokio::task::coop::consume_budget().await;
        if let Some(kept) = self.0.cache.get(&key) {
            self.0.metrics.looked_up("hit");
            taken.nodes = kept.nodes;
            return Ok(taken.solved(kept.finished, limit, true));
        }
        self.0.metrics.looked_up("miss");
        let result = match self.0.flights.join(&key, limit) {
            // Its long solve is under way already: a slice would find nothing.
            Some(_flight) => self.long(&ask, &key, limit, &mut taken).await,
            None => self.sliced(&ask, &key, limit, &mut taken).await,
        };
        let (run, is_hit) =
            result.inspect_err(|problem| self.0.metrics.rejected(problem.code()))?;
        if run.finished.stopped_by() == Some(Stop::Cancelled) {
            self.0.metrics.cancelled("drain");
            return Err(draining());
        }
        let solved = taken.solved(run.finished, limit, is_hit);
        self.0.metrics.solved(ask.case.puzzle(), &solved);
        Ok(solved)
    }

    /// The memory that one solve may hold, in bytes.
    pub fn memory(&self) -> usize {
        self.0.limits.memory
    }

    /// Starts the threads on which jobs are solved, `places` of them.
    ///
    /// # Errors
    /// When the operating system grants no runtime.
    pub fn open_job_lane(&self, places: usize) -> std::io::Result<()> {
        // A process without places for jobs never uses it.
        let lane = LongLane::start(places.max(1))?;
        // A second call would change nothing.
        let _ = self.0.job_lane.set(lane);
        Ok(())
    }

    /// Solves one case of a job, on a thread of the jobs' own. There are as many
    /// workers as threads, and each waits here until its thread is free again.
    /// `None` when it was stopped before it had all that was asked.
    ///
    /// # Errors
    /// `internal` for a panic or a failed verification.
    pub async fn solve_job(&self, ask: JobAsk) -> Result<Option<Solved>, Problem> {
        let key = CaseKey(Arc::clone(&ask.case));
        let mut taken = Taken::default();
        if let Some(kept) = self.0.cache.get(&key) {
            self.0.metrics.looked_up("hit");
            taken.nodes = kept.nodes;
            return Ok(Some(taken.solved(kept.finished, ask.limit, true)));
        }
        self.0.metrics.looked_up("miss");
        let cancel = ask.cancel.clone();
        let memory = self.0.limits.memory;
        let memory = memory.saturating_sub(ask.held).max(EXPRESS_MEMORY.min(memory));
        let budget = Budget::until(Deadline::after(ask.limit), cancel, memory);
        let lane = self.0.job_lane.get().unwrap_or(&self.0.long_lane);
        let budget = budget.shown_by(ask.meter);
        let run = blocking::attempt(lane.handle(), &ask.case, budget, (), &self.0.metrics).await?;
        taken.add(&run);
        // Also a solved board may lack extras then that another worker will find.
        if run.was_limited && ask.cancel.is_cancelled() {
            return Ok(None);
        }
        if !run.was_limited {
            self.0.cache.keep(key, ask.case_bytes, Arc::clone(&run.finished), run.nodes);
        }
        let solved = taken.solved(run.finished, ask.limit, false);
        self.0.metrics.solved(ask.case.puzzle(), &solved);
        Ok(Some(solved))
    }

    /// Runs work that is neither a solve nor short, such as parsing a large body,
    /// off the threads that serve connections, as many at once as there are places.
    ///
    /// # Errors
    /// `internal` when the work panics.
    pub async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = Arc::clone(&self.0.side_work).acquire_owned().await;
        blocking::off_thread(move || {
            let _turn = turn;
            work()
        })
        .await
    }

    /// A first slice, and the long lane for what it does not decide.
    async fn sliced(
        &self,
        ask: &Ask,
        key: &CaseKey,
        limit: Duration,
        taken: &mut Taken,
    ) -> Result<(Run, bool), Problem> {
        let memory = self.0.limits.memory;
        let asked = Instant::now();
        let place = self.0.admission.place(LaneName::Express, ask.patience).await?;
        taken.queued += asked.elapsed();
        let slice = limit.min(self.0.slices.next());
        let slice_memory = memory.min(EXPRESS_MEMORY);
        // Where slices are short, places are scarce: no time of theirs is spent twice.
        if ask.case_bytes <= GLANCE_BYTES && slice > SHORTEST {
            let deadline = Deadline::after(GLANCE);
            let budget = Budget::until(deadline, self.0.stop_all.clone(), slice_memory);
            let run = blocking::glance(ask.case.as_ref(), budget, &self.0.metrics)?;
            taken.add(&run);
            if !run.was_limited {
                self.keep(ask, key, &run);
                return Ok((run, false));
            }
        }
        let deadline = Deadline::after(slice);
        let run = self.run(LaneName::Express, place, &ask.case, deadline, slice_memory).await?;
        taken.add(&run);
        if !run.was_limited {
            self.keep(ask, key, &run);
            return Ok((run, false));
        }
        if self.0.admission.waiting(LaneName::Long) > 0 {
            self.0.slices.waste(taken.spent);
        }
        let rest = limit.saturating_sub(taken.spent);
        if rest.is_zero() || (slice == limit && slice_memory == memory) {
            return Ok((run, false));
        }
        self.long(ask, key, rest, taken).await
    }

    /// The long lane: joins the flight of this board, or starts one.
    async fn long(
        &self,
        ask: &Ask,
        key: &CaseKey,
        limit: Duration,
        taken: &mut Taken,
    ) -> Result<(Run, bool), Problem> {
        let joined = Instant::now();
        loop {
            let (flight, pilot) = self.0.flights.join_or_start(key, limit);
            let is_own = pilot.is_some();
            if let Some(pilot) = pilot {
                let flown = self.clone().fly(ask.clone(), key.clone(), pilot);
                tokio::spawn(flown.instrument(Span::current()));
            }
            let (result, running_since) = flight.ended(joined, limit).await?;
            let running_since = running_since.unwrap_or_else(Instant::now);
            taken.queued += running_since.saturating_duration_since(joined);
            let Some(result) = result else {
                // Somebody with a longer limit keeps the flight going; this waiter's time is up.
                taken.spent += limit;
                return self.undecided(ask).await.map(|run| (run, !is_own));
            };
            match result {
                Err(problem)
                    if !is_own
                        && problem.code() == Code::Overloaded
                        && ask.patience == Patience::Unbounded => {}
                // A flight that ended just before this waiter could prolong it decides nothing for it.
                Ok(run) if !is_own && run.was_limited && run.flew_for < limit => {}
                Ok(run) => {
                    taken.nodes += run.nodes;
                    taken.spent += running_since.elapsed();
                    return Ok((run, !is_own));
                }
                Err(problem) => return Err(problem),
            }
        }
    }

    /// Flies: waits for a place and solves, until done or everybody has left.
    async fn fly(self, ask: Ask, key: CaseKey, pilot: Pilot) {
        let Pilot { phase, course, abandoned } = pilot;
        let flown = async {
            let place = self.0.admission.place(LaneName::Long, ask.patience).await?;
            let deadline = course.set_off();
            phase.send_replace(Phase::Running(Instant::now()));
            let memory = self.0.limits.memory;
            self.run(LaneName::Long, place, &ask.case, deadline, memory).await
        };
        let result = tokio::select! {
            result = flown => Some(result),
            () = abandoned.cancelled() => None,
        };
        if let Some(Ok(run)) = &result
            && !run.was_limited
        {
            self.keep(&ask, &key, run);
        }
        // Off the board first, so that nobody joins a flight that has ended.
        self.0.flights.land(&key, &course);
        match result {
            Some(result) => _ = phase.send_replace(Phase::Ended(result)),
            // Waiters leave, too, when a search is late to see that its time is up.
            None if course.is_over() => {}
            None => self.0.metrics.cancelled("hang_up"),
        }
    }

    /// The outcome of a case whose time is up: what the solver says when it may not search.
    async fn undecided(&self, ask: &Ask) -> Result<Run, Problem> {
        let place = self.0.admission.place(LaneName::Express, ask.patience).await?;
        let deadline = Deadline::after(Duration::ZERO);
        self.run(LaneName::Express, place, &ask.case, deadline, EXPRESS_MEMORY).await
    }

    fn keep(&self, ask: &Ask, key: &CaseKey, run: &Run) {
        self.0.cache.keep(key.clone(), ask.case_bytes, Arc::clone(&run.finished), run.nodes);
    }

    /// Runs one attempt on a blocking thread of a lane.
    async fn run(
        &self,
        lane: LaneName,
        place: Place,
        case: &Arc<dyn Case>,
        deadline: Deadline,
        memory: usize,
    ) -> Result<Run, Problem> {
        let cancel = CancelOnDrop(self.0.stop_all.child());
        let budget = Budget::until(deadline, cancel.0.clone(), memory);
        let handle = match lane {
            LaneName::Express => Handle::current(),
            LaneName::Long => self.0.long_lane.handle(),
        };
        blocking::attempt(handle, case, budget, place, &self.0.metrics).await
    }
}

/// Raises the flag of a solve that nobody awaits any more.
struct CancelOnDrop(CancelFlag);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
