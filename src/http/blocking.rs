//! Where solves run: blocking threads, which only this file may hand work, and glances.
//!
//! A blocking thread can't be stopped from outside, so whatever a search must not outlive
//! (its place, a turn) moves into the closure and ends with the thread's work. A panic ends
//! one attempt alone.

use std::any::Any;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tracing::Span;

use crate::budget::Budget;
use crate::http::endpoint::{Case, Finished};
use crate::http::metrics::Metrics;
use crate::http::problem::Problem;

/// The priority of the long lane's threads: the lowest of the ordinary ones.
const LONG_LANE_NICENESS: i32 = 19;

/// What one attempt came to.
#[derive(Clone, Debug)]
pub struct Run {
    /// The checked outcome.
    pub finished: Arc<dyn Finished>,
    /// Whether time, memory or a cancellation cut it short.
    pub was_limited: bool,
    /// How long it took.
    pub flew_for: Duration,
    /// The nodes of the search.
    pub nodes: u64,
}

/// Solves and verifies once, on a blocking thread that owns the place.
///
/// # Errors
/// `internal` for a panic or a failed verification.
pub async fn attempt<P: Send + 'static>(
    handle: Handle,
    case: &Arc<dyn Case>,
    budget: Budget,
    place: P,
    metrics: &Metrics,
) -> Result<Run, Problem> {
    let puzzle = case.puzzle();
    let case = Arc::clone(case);
    let span = Span::current();
    let work = move || span.in_scope(|| solve_and_verify(case.as_ref(), budget, place));
    #[allow(clippy::disallowed_methods, reason = "this file owns the blocking threads")]
    let joined = handle.spawn_blocking(work).await;
    settle(joined, puzzle, metrics)
}

/// Solves and verifies once on this thread; for budgets so short that the connections it serves
/// can wait. The caller holds a place meanwhile.
///
/// # Errors
/// `internal` for a panic or a failed verification.
pub fn glance(case: &dyn Case, budget: Budget, metrics: &Metrics) -> Result<Run, Problem> {
    // What a panic leaves behind is the budget and the answer, and both are thrown away.
    let solve = AssertUnwindSafe(|| solve_and_verify(case, budget, ()));
    let solved = panic::catch_unwind(solve).map_err(|payload| panic_message(payload.as_ref()));
    settle(solved, case.puzzle(), metrics)
}

/// What `panic!` was told.
fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    format!("panicked with message {:?}", text.unwrap_or_default())
}

/// Counts and logs what no solve should come to.
fn settle<E: Display>(
    ended: Result<Result<Run, Unverified>, E>,
    puzzle: &'static str,
    metrics: &Metrics,
) -> Result<Run, Problem> {
    match ended {
        Ok(Ok(run)) => Ok(run),
        Ok(Err(Unverified)) => {
            metrics.verification_failed(puzzle);
            Err(Problem::internal())
        }
        Err(error) => {
            tracing::error!(puzzle, %error, "a solve panicked");
            metrics.panicked(puzzle);
            Err(Problem::internal())
        }
    }
}

/// Runs work beside the solves, such as parsing a large body.
///
/// # Errors
/// `internal` when the work panics.
pub async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    #[allow(clippy::disallowed_methods, reason = "this file owns the blocking threads")]
    let joined = tokio::task::spawn_blocking(work).await;
    joined.map_err(|error| {
        tracing::error!(%error, "work beside the solves panicked");
        Problem::internal()
    })
}

/// The answer failed its check; the board and the violation were logged.
struct Unverified;

fn solve_and_verify<P>(case: &dyn Case, mut budget: Budget, _place: P) -> Result<Run, Unverified> {
    let started = Instant::now();
    match case.solve(&mut budget) {
        Ok(finished) => {
            // Asked of the budget as the search left it: that the check took long limits nothing.
            let was_limited = budget.was_limited() || finished.stopped_by().is_some();
            Ok(Run { finished, was_limited, flew_for: started.elapsed(), nodes: budget.nodes() })
        }
        Err(violation) => {
            tracing::error!(%violation, board = ?case, "an answer failed its verification");
            Err(Unverified)
        }
    }
}

/// The blocking threads of the long lane: a runtime of their own, whose threads
/// lower their priority when they start and never raise it (they may not).
#[derive(Debug)]
pub struct LongLane(Option<Runtime>);

impl LongLane {
    /// As many threads as places; each starts with its first work.
    ///
    /// # Errors
    /// When the operating system grants no runtime.
    pub fn start(places: usize) -> std::io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(places)
            .thread_name("boardsolve-long")
            .on_thread_start(lower_priority)
            .build()?;
        Ok(Self(Some(runtime)))
    }

    /// The handle that takes work.
    pub fn handle(&self) -> Handle {
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
