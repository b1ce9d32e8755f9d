//! The one way to solve: admission, blocking thread, budget and verification.
//!
//! A solve runs on a blocking thread, which can't be stopped from outside; the
//! budget stops it from inside. The thread owns its place, and whoever awaits
//! the solve owns a guard that raises the cancel flag when it is dropped, so a
//! client that hangs up ends its search within one poll of the budget.
//!
//! Every solve gets a first slice of [`EXPRESS_SLICE`] in the express lane. What
//! is not decided by then is begun anew in the long lane, on threads that the
//! operating system lets wait for the others. Beginning anew costs one slice,
//! keeps the answer independent of the slice, and holds no memory while waiting.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tracing::Span;

use crate::budget::{Budget, CancelFlag, Stop};
use crate::http::admission::{Admission, LaneName, Patience, Place, draining};
use crate::http::endpoint::{Case, Finished};
use crate::http::metrics::Metrics;
use crate::http::problem::Problem;
use crate::http::wire::Stats;

/// The first slice of every solve.
pub const EXPRESS_SLICE: Duration = Duration::from_millis(10);

/// The memory that a first slice may hold, in bytes.
pub const EXPRESS_MEMORY: usize = 32 << 20;

/// The priority of the long lane's threads: the lowest of the ordinary ones.
const LONG_LANE_NICENESS: i32 = 19;

/// The limits on one solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveLimits {
    /// The time limit of a request that names none.
    pub default_time: Duration,
    /// The ceiling to which a longer time limit is clamped.
    pub max_time: Duration,
    /// The memory cap, in bytes.
    pub memory: usize,
}

/// Solves cases.
#[derive(Debug)]
pub struct Solver {
    admission: Arc<Admission>,
    limits: SolveLimits,
    metrics: Arc<Metrics>,
    stop_all: CancelFlag,
    long_lane: LongLane,
}

/// A case that was solved, with what it took.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The checked outcome.
    pub finished: Arc<dyn Finished>,
    /// Time, nodes, and the limit in force.
    pub stats: Stats,
    /// The time spent waiting for places.
    pub queued: Duration,
}

impl Solver {
    /// A solver; `stop_all` cancels everything that runs.
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
        let long_lane = LongLane::start(places)?;
        Ok(Self { admission, limits, metrics, stop_all, long_lane })
    }

    /// Solves one case within `time_limit_ms`, or the default limit.
    ///
    /// # Errors
    /// `overloaded`, `draining`, or `internal` for a panic or a failed verification.
    pub async fn solve(
        &self,
        case: Arc<dyn Case>,
        time_limit_ms: Option<u64>,
        patience: Patience,
    ) -> Result<Solved, Problem> {
        let limit = time_limit_ms
            .map_or(self.limits.default_time, Duration::from_millis)
            .min(self.limits.max_time);
        let puzzle = case.puzzle();
        let cancel = CancelOnDrop(self.stop_all.child());
        let mut solved = Solving { queued: Duration::ZERO, spent: Duration::ZERO, nodes: 0 };

        let slice = Allowance {
            time: limit.min(EXPRESS_SLICE),
            memory: self.limits.memory.min(EXPRESS_MEMORY),
        };
        let mut run =
            self.run(LaneName::Express, &case, slice, &cancel.0, patience, &mut solved).await?;
        let whole =
            Allowance { time: limit.saturating_sub(solved.spent), memory: self.limits.memory };
        let could_go_on =
            whole.time > Duration::ZERO && (slice.time < limit || whole.memory > slice.memory);
        if run.was_limited && could_go_on {
            run = self.run(LaneName::Long, &case, whole, &cancel.0, patience, &mut solved).await?;
        }
        if run.finished.stopped_by() == Some(Stop::Cancelled) {
            return Err(draining());
        }
        self.metrics.solved(puzzle, run.finished.status(), run.finished.stopped_by(), &solved);
        let stats = Stats {
            time_ms: (solved.spent.as_secs_f64() * 1e6).round() / 1e3,
            nodes: solved.nodes,
            time_limit_ms: limit.as_millis() as u64,
        };
        Ok(Solved { finished: run.finished, stats, queued: solved.queued })
    }

    /// Runs work that is neither a solve nor short, such as parsing a large
    /// body, off the threads that serve connections.
    ///
    /// # Errors
    /// `internal` when the work panics.
    pub async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        #[allow(clippy::disallowed_methods, reason = "this file owns the blocking threads")]
        let joined = tokio::task::spawn_blocking(work).await;
        joined.map_err(|error| {
            tracing::error!(%error, "work beside the solves panicked");
            Problem::internal()
        })
    }

    /// Runs one attempt in one lane.
    async fn run(
        &self,
        lane: LaneName,
        case: &Arc<dyn Case>,
        allowance: Allowance,
        cancel: &CancelFlag,
        patience: Patience,
        solving: &mut Solving,
    ) -> Result<Run, Problem> {
        let asked = Instant::now();
        let place = self.admission.place(lane, patience).await.inspect_err(|problem| {
            self.metrics.rejected(problem.code());
        })?;
        solving.queued += asked.elapsed();
        let case = Arc::clone(case);
        let cancel = cancel.clone();
        let puzzle = case.puzzle();
        let span = Span::current();
        let work = move || span.in_scope(|| attempt(case.as_ref(), allowance, cancel, place));
        let handle = match lane {
            LaneName::Express => Handle::current(),
            LaneName::Long => self.long_lane.handle(),
        };
        #[allow(clippy::disallowed_methods, reason = "this is the function that owns it")]
        let joined = handle.spawn_blocking(work).await;
        match joined {
            Ok(Ok(run)) => {
                solving.spent += run.spent;
                solving.nodes += run.nodes;
                Ok(run)
            }
            Ok(Err(Unverified)) => {
                self.metrics.verification_failed(puzzle);
                Err(Problem::internal())
            }
            Err(error) => {
                tracing::error!(puzzle, %error, "a solve panicked");
                self.metrics.panicked(puzzle);
                Err(Problem::internal())
            }
        }
    }
}

/// What one request has used so far.
#[derive(Clone, Copy, Debug)]
pub struct Solving {
    /// Waiting for places.
    pub queued: Duration,
    /// In a place.
    pub spent: Duration,
    /// Nodes searched.
    pub nodes: u64,
}

/// What one attempt may use.
#[derive(Clone, Copy)]
struct Allowance {
    time: Duration,
    memory: usize,
}

/// What one attempt came to.
struct Run {
    finished: Arc<dyn Finished>,
    was_limited: bool,
    spent: Duration,
    nodes: u64,
}

/// The answer failed its check; the board and the violation were logged.
struct Unverified;

/// Solves and verifies on the thread that owns the place.
fn attempt(
    case: &dyn Case,
    allowance: Allowance,
    cancel: CancelFlag,
    _place: Place,
) -> Result<Run, Unverified> {
    let started = Instant::now();
    let mut budget = Budget::new(Some(allowance.time), cancel, allowance.memory);
    match case.solve(&mut budget) {
        Ok(finished) => {
            // A callback may have seen the deadline before the budget itself did.
            let was_limited = budget.poll().is_err() || budget.was_limited();
            Ok(Run { finished, was_limited, spent: started.elapsed(), nodes: budget.nodes() })
        }
        Err(violation) => {
            tracing::error!(%violation, board = ?case, "an answer failed its verification");
            Err(Unverified)
        }
    }
}

/// Raises the flag of a solve that nobody awaits any more.
struct CancelOnDrop(CancelFlag);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The blocking threads of the long lane: a runtime of their own, whose threads
/// lower their priority when they start and never raise it (they may not).
#[derive(Debug)]
struct LongLane(Option<Runtime>);

impl LongLane {
    fn start(places: usize) -> std::io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(places)
            .thread_name("boardsolve-long")
            .on_thread_start(lower_priority)
            .build()?;
        Ok(Self(Some(runtime)))
    }

    fn handle(&self) -> Handle {
        self.0.as_ref().expect("the runtime is taken only on drop").handle().clone()
    }
}

impl Drop for LongLane {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

fn lower_priority() {
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), LONG_LANE_NICENESS) {
        tracing::warn!(%error, "the long lane's threads keep their priority");
    }
}
