//! A worker: claims a job, solves it, tells how it ended; again and again, until
//! the drain.
//!
//! While it solves, it renews its lease once a second. The lease runs from the
//! moment *before* a renewal was sent, by this machine's steady clock, so it ends
//! here no later than in the store. The solve is stopped when
//!
//! - a renewal finds that the job was given to somebody else (this process was
//!   held up for so long that it was thought dead): nothing more is said of it;
//! - the lease runs out because the store does not answer: the job is given back
//!   as soon as it does, if it is still this worker's;
//! - its caller cancels it; or the process is told to end: it is given back at once.
//!
//! An ending is told until the store has heard it or the job is somebody else's,
//! so an answer that was found is not lost by a store that stumbles.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use crate::budget::CancelFlag;
use crate::jobs::hints::Hint;
use crate::jobs::store::{Ending, StoreError};
use crate::jobs::tally::Tally;
use crate::jobs::{Claimed, Gauge, Jobs, LEASE};

/// How often a lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(1);

/// How soon a renewal that failed is tried again.
const RENEW_AGAIN: Duration = Duration::from_millis(200);

/// How long a renewal may take before it is tried on another connection.
const RENEWAL_TIME: Duration = Duration::from_secs(2);

/// How long an idle worker waits for a hint before it looks for itself.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How soon a word with the store that failed is tried again, at first and at most.
const SPEAK_AGAIN: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// How long the drain tries to reach a store that is away. What could not be told
/// then is recovered when its lease has run out.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// What solves jobs.
pub trait Perform: Send + Sync + 'static {
    /// Solves a job, until it is done or told to stop; `None` when it was stopped.
    fn perform(
        &self,
        claimed: &Claimed,
        body: Vec<u8>,
        gauge: Arc<Gauge>,
        cancel: CancelFlag,
    ) -> impl Future<Output = Option<Ending>> + Send;
}

/// Starts the workers of this process.
pub fn start(jobs: &Arc<Jobs>, perform: &Arc<impl Perform>, tracker: &TaskTracker) {
    for place in 0..jobs.limits.places {
        let name = format!("{}/{place}", std::process::id());
        tracker.spawn(work(Arc::clone(jobs), Arc::clone(perform), name));
    }
}

async fn work(jobs: Arc<Jobs>, perform: Arc<impl Perform>, name: String) {
    let mut hints = jobs.hints.listen();
    while !jobs.draining.is_cancelled() {
        let asked = Instant::now();
        match jobs.store.claim(&name).await {
            Ok(Some(claimed)) => {
                let span = tracing::info_span!("job", id = claimed.request_id, claimed.puzzle);
                let tended = tend(&jobs, perform.as_ref(), claimed, asked).instrument(span);
                // Its lease will run out: to the others, this worker died of the job.
                if AssertUnwindSafe(tended).catch_unwind().await.is_err() {
                    tracing::error!("a worker panicked");
                }
                continue;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "no job could be claimed"),
        }
        tokio::select! {
            () = hints.heard(|hint| *hint == Hint::Queue) => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = jobs.draining.cancelled() => {}
        }
    }
}

/// Counts a running job for as long as it is held, also through a panic.
struct Running<'tally>(&'tally Tally);

impl<'tally> Running<'tally> {
    fn count(tally: &'tally Tally) -> Self {
        tally.running.inc();
        Self(tally)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.dec();
    }
}

/// Why a solve is stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halt {
    /// The job is somebody else's.
    Lost,
    /// The lease ran out without an answer from the store.
    Adrift,
    /// The caller does not want it any more.
    Cancelled,
    /// The process is to end.
    Draining,
}

/// Sees a claimed job to its end, or gives it back.
async fn tend(jobs: &Jobs, perform: &impl Perform, claimed: Claimed, asked: Instant) {
    jobs.tally.claimed(claimed.waited);
    let running = Running::count(&jobs.tally);
    let gauge = Arc::new(Gauge::default());
    let cancel = CancelFlag::new();
    let mut lease = Lease { jobs, claimed: &claimed, gauge: &gauge, until: asked + LEASE };
    let ending = {
        let solving = async {
            let body = fetch(jobs, &claimed, &cancel).await?;
            perform.perform(&claimed, body, Arc::clone(&gauge), cancel.clone()).await
        };
        let mut solving = pin!(solving);
        let halt = tokio::select! {
            biased;
            ending = solving.as_mut() => Ok(ending),
            halt = lease.keep() => Err(halt),
            () = jobs.draining.cancelled() => Err(Halt::Draining),
        };
        match halt {
            Ok(ending) => Ok(ending),
            Err(halt) => {
                cancel.cancel();
                // The search has noticed within a few milliseconds; its place is free only then.
                match (solving.await, halt) {
                    // It was just done: better told than thrown away.
                    (Some(ending @ Ending::Done(_)), Halt::Draining | Halt::Adrift) => {
                        Ok(Some(ending))
                    }
                    _ => Err(halt),
                }
            }
        }
    };
    drop(running);
    match ending {
        Ok(Some(ending)) => tell(jobs, &mut lease, ending).await,
        Err(Halt::Cancelled) => tell(jobs, &mut lease, Ending::Cancelled).await,
        Err(Halt::Lost) => lost(jobs),
        // Its request is gone: somebody else has ended it.
        Ok(None) => lost(jobs),
        Err(halt @ (Halt::Adrift | Halt::Draining)) => give_back(jobs, &claimed, halt).await,
    }
}

/// The body of a job's request; `None` when the job has ended already or the solve is halted.
async fn fetch(jobs: &Jobs, claimed: &Claimed, cancel: &CancelFlag) -> Option<Vec<u8>> {
    while !cancel.is_cancelled() {
        match jobs.store.request(&claimed.id).await {
            Ok(body) => return body,
            Err(error) => tracing::warn!(%error, "the request of a job could not be read"),
        }
        tokio::time::sleep(SPEAK_AGAIN.0).await;
    }
    None
}

fn lost(jobs: &Jobs) {
    jobs.tally.leases_lost.inc();
    tracing::warn!("the lease of a job was lost: somebody else has it now");
}

/// Tells how a job ended, and keeps its lease until that was heard.
async fn tell(jobs: &Jobs, lease: &mut Lease<'_>, ending: Ending) {
    let (claimed, progress) = (lease.claimed, lease.gauge.read());
    let told = {
        let telling =
            repeat(jobs, || jobs.store.finish(claimed, &ending, progress, jobs.limits.keep));
        let mut telling = pin!(telling);
        tokio::select! {
            biased;
            told = telling.as_mut() => told,
            // Whatever the lease says: the epoch decides whether the ending still counts.
            _ = lease.keep() => telling.await,
        }
    };
    match told {
        Some(true) => {
            let state = ending.state();
            jobs.tally.count_ended(state);
            jobs.hints.give(Hint::Job(claimed.id.clone()));
            tracing::info!(state = state.name(), milliseconds = progress.elapsed_ms, "job ended");
        }
        Some(false) => lost(jobs),
        None => tracing::warn!("the end of a job could not be told before the exit"),
    }
}

/// Gives a job back to the queue.
async fn give_back(jobs: &Jobs, claimed: &Claimed, halt: Halt) {
    match repeat(jobs, || jobs.store.put_back(claimed, jobs.limits.keep)).await {
        Some(true) => {
            jobs.tally.put_back.inc();
            jobs.hints.give(Hint::Queue);
            jobs.hints.give(Hint::Job(claimed.id.clone()));
            tracing::info!(?halt, "a job went back to the queue");
        }
        Some(false) => lost(jobs),
        None => tracing::warn!("a job could not be put back before the exit"),
    }
}

/// Repeats a word until the store has heard it; `None` when it has not within the
/// last words of a drain.
async fn repeat<T, Word>(jobs: &Jobs, mut word: impl FnMut() -> Word) -> Option<T>
where
    Word: Future<Output = Result<T, StoreError>>,
{
    let told = async {
        let mut wait = SPEAK_AGAIN.0;
        loop {
            match word().await {
                Ok(answer) => return answer,
                Err(error) => tracing::warn!(%error, "the job store does not answer"),
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(SPEAK_AGAIN.1);
        }
    };
    let last = async {
        jobs.draining.cancelled().await;
        tokio::time::sleep(LAST_WORDS).await;
    };
    tokio::select! {
        biased;
        answer = told => Some(answer),
        () = last => None,
    }
}

/// The lease on a job.
struct Lease<'tend> {
    jobs: &'tend Jobs,
    claimed: &'tend Claimed,
    gauge: &'tend Gauge,
    until: Instant,
}

impl Lease<'_> {
    /// Renews the lease until there is a reason to stop.
    async fn keep(&mut self) -> Halt {
        let mut hints = self.jobs.hints.listen();
        let mut next = RENEW_EVERY;
        loop {
            let left = self.until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Halt::Adrift;
            }
            let id = &self.claimed.id;
            tokio::select! {
                () = tokio::time::sleep(next.min(left)) => {}
                // A cancellation, perhaps.
                () = hints.heard(|hint| matches!(hint, Hint::Job(hinted) if hinted == id)) => {}
            }
            let asked = Instant::now();
            let left = self.until.saturating_duration_since(asked);
            let patience = RENEWAL_TIME.min(left);
            match self.jobs.store.renew(self.claimed, self.gauge.read(), patience).await {
                Ok(Some(is_cancelled)) => {
                    self.until = asked + LEASE;
                    next = RENEW_EVERY;
                    if is_cancelled {
                        return Halt::Cancelled;
                    }
                }
                Ok(None) => return Halt::Lost,
                Err(error) => {
                    next = RENEW_AGAIN;
                    tracing::warn!(%error, "a lease could not be renewed");
                }
            }
        }
    }
}
