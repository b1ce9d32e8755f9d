//! What `serve` does where jobs are switched on: opens their store, and starts
//! the workers, the sweep and the hints of other replicas.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::task::TaskTracker;

use crate::http::job_work::{JobWork, given_up};
use crate::http::service::Service;
use crate::jobs::store::Store;
use crate::jobs::{JobLimits, Jobs, sweep, worker};
use crate::puzzles;

/// How long the start waits for a store that is not there yet.
const STORE_TIME: Duration = Duration::from_secs(30);

/// How soon it is looked for again.
const STORE_AGAIN: Duration = Duration::from_millis(500);

/// Opens the store of the jobs; one that starts beside the service may take its time.
///
/// # Errors
/// When it is not there within half a minute, or does not take the schema.
pub(super) async fn open(url: &str, limits: JobLimits, service: &Service) -> io::Result<Arc<Jobs>> {
    let tally = Arc::clone(service.metrics().jobs());
    let started = Instant::now();
    let store = loop {
        match Store::open(url, Arc::clone(&tally)).await {
            Ok(store) => break store,
            Err(error) if started.elapsed() >= STORE_TIME => {
                let detail = format!("the store of the jobs can't be opened: {error}");
                return Err(io::Error::other(detail));
            }
            Err(error) => tracing::warn!(%error, "the store of the jobs is not there yet"),
        }
        tokio::time::sleep(STORE_AGAIN).await;
    };
    let draining = service.drain_token();
    Ok(Arc::new(Jobs { store, limits, hints: Default::default(), tally, draining }))
}

/// Starts what runs beside the requests, until the drain.
pub(super) fn start(service: &Arc<Service>, url: Option<&str>, tracker: &TaskTracker) {
    let (Some(jobs), Some(url)) = (service.jobs(), url) else { return };
    let max_time = jobs.limits.max_time;
    let work = Arc::new(JobWork::new(Arc::clone(service), puzzles::ALL, max_time));
    worker::start(jobs, &work, tracker);
    tracker.spawn(sweep::run(Arc::clone(jobs), given_up()));
    if jobs.store.is_shared() {
        tracker.spawn(crate::jobs::store::listen(Arc::clone(jobs), url.to_owned()));
    }
}
