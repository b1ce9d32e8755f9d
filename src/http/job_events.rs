//! `GET /jobs/{id}/events`: how a job goes, as server-sent events, to its end.
//!
//! Every event carries the whole job but for its answer, so a client that lost
//! its connection has lost nothing: it asks again, of any replica. The stream
//! looks at the store once a second, and earlier when a hint comes.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;

use crate::http::job_body::JobBody;
use crate::http::jobs::{find, switched_on};
use crate::http::problem::Problem;
use crate::http::query;
use crate::http::service::Service;
use crate::jobs::hints::{Hint, Listener};
use crate::jobs::{Job, Jobs, State as JobState};

/// How soon the job is looked at again, at first and later on.
const LOOK_AGAIN: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));

/// How soon a client that lost its connection should ask again.
const RETRY: Duration = Duration::from_secs(2);

/// `GET /jobs/{id}/events`.
///
/// # Errors
/// `not_found`, `gone` or `jobs_unavailable`.
pub async fn events(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    query::refuse_all(parts.uri.query())?;
    let jobs = Arc::clone(switched_on(&service)?);
    // From before the first look, so that no hint falls between.
    let hints = jobs.hints.listen();
    let job = find(&jobs, &id, &parts).await?;
    let watch = Watch { jobs, hints, seen: job, pause: LOOK_AGAIN.0, is_new: true, is_over: false };
    let stream = unfold(watch, |watch| watch.next());
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// One client that watches one job.
struct Watch {
    jobs: Arc<Jobs>,
    hints: Listener,
    /// The job as it was seen last.
    seen: Job,
    pause: Duration,
    /// Whether the client has not been told of it.
    is_new: bool,
    is_over: bool,
}

impl Watch {
    /// Waits for something new and tells it; `None` at the end, or when the service shuts down.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        while !self.is_over {
            if self.is_new {
                self.is_new = false;
                self.is_over = self.seen.state.has_ended();
                let name = if self.is_over { "end" } else { "progress" };
                let event = Event::default().event(name).retry(RETRY);
                // The body is plain data.
                let event = event.json_data(JobBody::of(&self.seen)).unwrap_or_default();
                return Some((Ok(event), self));
            }
            let id = &self.seen.id;
            tokio::select! {
                () = tokio::time::sleep(self.pause) => {
                    self.pause = (self.pause * 2).min(LOOK_AGAIN.1);
                }
                () = self.hints.heard(|hint| matches!(hint, Hint::Job(hinted) if hinted == id)) => {}
                () = self.jobs.draining.cancelled() => return None,
            }
            match self.jobs.store.job(&self.seen.id).await {
                Ok(Some(job)) if job.state == JobState::Gone => return None,
                Ok(Some(job)) => {
                    self.is_new = is_news(&self.seen, &job);
                    if self.is_new {
                        self.seen = job;
                    }
                }
                Ok(None) => return None,
                Err(error) => tracing::debug!(%error, "a job could not be looked at"),
            }
        }
        None
    }
}

/// Whether there is anything to tell; that it still waits, only longer, is not.
fn is_news(seen: &Job, job: &Job) -> bool {
    let waits = |job: &Job| job.state == JobState::Queued;
    if waits(seen) && waits(job) {
        return seen.cancel_requested != job.cancel_requested;
    }
    seen != job
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_changes_is_news_but_for_a_longer_wait() {
        let queued = Job::of_nothing();
        let waited = |job: &Job| Job { waited_ms: job.waited_ms + 1, ..job.clone() };
        let cancelling = Job { cancel_requested: true, ..queued.clone() };
        let running = Job { state: JobState::Running, ..queued.clone() };
        assert!(!is_news(&queued, &waited(&queued)));
        assert!(is_news(&queued, &cancelling));
        assert!(is_news(&queued, &running));
        assert!(is_news(&running, &queued), "it was given back");
        assert!(!is_news(&running, &running));
        assert!(is_news(&running, &waited(&running)));
    }
}
