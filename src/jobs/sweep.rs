//! The sweep: gives the jobs of dead workers back to the queue, forgets what was
//! kept for long enough, and takes the measure of the queue. Every replica
//! sweeps; two that do at once do not disturb each other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::jobs::hints::Hint;
use crate::jobs::store::StoreError;
use crate::jobs::{Jobs, State};

/// How often dead workers are looked for.
const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// How often results are looked for that were kept for long enough.
const EXPIRE_EVERY: Duration = Duration::from_secs(5);

/// After a fault of the store, workers that live get so long to renew their
/// leases before any is taken for dead.
const GRACE: Duration = Duration::from_secs(3);

/// Sweeps until the drain. `failure` is what is said of a job that took too many workers with it.
pub async fn run(jobs: Arc<Jobs>, failure: String) {
    let keep = jobs.limits.keep;
    let expire_every = EXPIRE_EVERY.min(keep.max(SWEEP_EVERY));
    let mut expired_at = Instant::now();
    let mut waits_until = Instant::now();
    loop {
        tokio::select! {
            () = tokio::time::sleep(SWEEP_EVERY) => {}
            () = jobs.draining.cancelled() => return,
        }
        let swept = async {
            jobs.tally.waiting.set(jobs.store.waiting().await?);
            if Instant::now() >= waits_until {
                recover(&jobs, &failure).await?;
            }
            if expired_at.elapsed() >= expire_every {
                while jobs.store.expire(keep).await? > 0 {}
                expired_at = Instant::now();
            }
            Ok::<_, StoreError>(())
        };
        if let Err(error) = swept.await {
            tracing::warn!(%error, "the job store could not be swept");
            waits_until = Instant::now() + GRACE;
        }
    }
}

async fn recover(jobs: &Jobs, failure: &str) -> Result<(), StoreError> {
    while let Some((id, state)) = jobs.store.recover(failure, jobs.limits.keep).await? {
        jobs.tally.recovered.inc();
        tracing::warn!(state = state.name(), "the worker of a job is gone");
        if state == State::Queued {
            jobs.hints.give(Hint::Queue);
        }
        jobs.hints.give(Hint::Job(id));
    }
    Ok(())
}
