//! Jobs over HTTP: accepting one, looking at it, taking its answer, cancelling it.
//!
//! A solve that comes with `Prefer: respond-async` (RFC 7240) is checked like any
//! other, up to its puzzle, and then stored instead of solved. What is stored is
//! the request itself, so that any replica can read it again. A job is seen by
//! the key that asked for it alone; to all others it does not exist.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tracing::Instrument;

use crate::http::access::KeyHolder;
use crate::http::admission::draining;
use crate::http::body::Encoding;
use crate::http::job_body::{JobBody, failure, problem_of};
use crate::http::json::{self, Json};
use crate::http::memory::Share;
use crate::http::negotiation::{AnswerForm, BodyForm};
use crate::http::problem::{Code, Problem};
use crate::http::query;
use crate::http::request_id::RequestId;
use crate::http::service::Service;
use crate::http::solve::{PICTURE_POLICY, held};
use crate::jobs::hints::Hint;
use crate::jobs::store::{StoreError, Submitted};
use crate::jobs::{self, Job, JobId, Jobs, NewJob};

/// What a caller would rather have (RFC 7240).
pub const PREFER: HeaderName = HeaderName::from_static("prefer");

/// Which of it is done.
pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Makes a repeated request the same job.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The longest idempotency key.
const MAX_KEY_LENGTH: usize = 255;

/// How often a word with the store is tried before the caller is told to come again.
const TRIES: u32 = 3;

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(150);

/// How the body of a job is read, as it is stored beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    content_type: String,
    gzip: bool,
    query: String,
}

impl Asked {
    /// How a body of that form and encoding, with that query, is read.
    pub fn new(form: BodyForm, encoding: Encoding, query: Option<&str>) -> Self {
        Self {
            content_type: form.media_type().to_owned(),
            gzip: encoding == Encoding::Gzip,
            query: query.unwrap_or("").to_owned(),
        }
    }

    /// The form of the body.
    ///
    /// # Errors
    /// `unsupported_media_type`, where another version of the service stored it.
    pub fn form(&self) -> Result<BodyForm, Problem> {
        let mut headers = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_str(&self.content_type) {
            headers.insert(CONTENT_TYPE, value);
        }
        BodyForm::of(&headers)
    }

    /// The encoding of the body.
    pub const fn encoding(&self) -> Encoding {
        if self.gzip { Encoding::Gzip } else { Encoding::Identity }
    }

    /// The query of the request.
    pub fn query(&self) -> Option<&str> {
        Some(self.query.as_str())
    }

    /// What was stored.
    ///
    /// # Errors
    /// `internal`, where another version of the service stored it.
    pub fn read(text: &str) -> Result<Self, Problem> {
        serde_json::from_str(text).map_err(|error| {
            tracing::error!(%error, "the store holds a job that this version can't read");
            Problem::internal()
        })
    }
}

/// Whether the caller would rather be answered later.
pub fn is_preferred(headers: &HeaderMap) -> bool {
    headers.get_all(PREFER).iter().any(|value| {
        let text = value.to_str().unwrap_or("");
        text.split(',').any(|preference| {
            let name = preference.split(['=', ';']).next().unwrap_or("").trim();
            name.eq_ignore_ascii_case("respond-async")
        })
    })
}

/// Stores a request that was checked, and answers with its job.
///
/// # Errors
/// `idempotency_key`, `overloaded`, `jobs_unavailable` or `draining`.
pub async fn accept(
    service: &Service,
    jobs: &Arc<Jobs>,
    puzzle: &str,
    asked: Asked,
    parts: &Parts,
    body: Vec<u8>,
) -> Result<Response, Problem> {
    if service.is_draining() {
        return Err(draining());
    }
    let job = NewJob {
        id: JobId::fresh().map_err(|error| {
            tracing::error!(%error, "there is no randomness for a job's id");
            Problem::internal()
        })?,
        owner: KeyHolder::of(&parts.extensions).owner(),
        idempotency_key: idempotency_key(&parts.headers)?,
        puzzle: puzzle.to_owned(),
        ask: serde_json::to_string(&asked).map_err(|_| Problem::internal())?,
        request_id: RequestId::of(&parts.extensions).as_str().to_owned(),
        body,
    };
    let bound = jobs.limits.queue;
    let accepted = job.as_accepted();
    let submitting = {
        let jobs = Arc::clone(jobs);
        async move {
            let submitted = reach(|| jobs.store.submit(&job, bound)).await?;
            if submitted == Submitted::New {
                jobs.tally.accepted.inc();
                jobs.hints.give(Hint::Queue);
            }
            Ok(submitted)
        }
    };
    let stored = match seen_through(submitting).await? {
        Submitted::New => accepted,
        Submitted::Same(earlier) => earlier,
        Submitted::KeyReused => {
            return Err(Problem::new(
                Code::IdempotencyKey,
                "This Idempotency-Key came before with another request: a key stands for one \
                 request; take a new one.",
            ));
        }
        Submitted::Full => {
            service.metrics().rejected(Code::Overloaded);
            return Err(Problem::new(
                Code::Overloaded,
                format!("{bound} jobs wait already, and no more are taken."),
            )
            .with_limit(bound, bound + 1)
            .retry_after(10));
        }
    };
    let location = HeaderValue::from_str(&format!("/jobs/{}", stored.id));
    let mut response = (StatusCode::ACCEPTED, Json(JobBody::of(&stored))).into_response();
    let headers = response.headers_mut();
    headers.insert(LOCATION, location.map_err(|_| Problem::internal())?);
    headers.insert(PREFERENCE_APPLIED, HeaderValue::from_static("respond-async"));
    Ok(response)
}

/// `GET /jobs/{id}`.
///
/// # Errors
/// `not_found`, `gone` or `jobs_unavailable`.
pub async fn show(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Response, Problem> {
    query::refuse_all(parts.uri.query())?;
    let jobs = switched_on(&service)?;
    let job = find(jobs, &id, &parts).await?;
    let mut body = JobBody::of(&job);
    let mut share = service.memory().share();
    if job.state == jobs::State::Done {
        let json = AnswerForm::Json.media_type();
        let answer = kept(jobs, &job.id, json, &mut share).await?.ok_or_else(gone)?;
        let answer = String::from_utf8(answer).map_err(|_| Problem::internal())?;
        body.answer = Some(RawValue::from_string(answer).map_err(|_| Problem::internal())?);
    }
    let text = json::line(&body).map_err(|_| Problem::internal())?;
    drop(body);
    share.shrink_to(text.capacity());
    Ok(not_kept(([(CONTENT_TYPE, "application/json")], held(text, share)).into_response()))
}

/// `DELETE /jobs/{id}`: cancels it; one that has ended stays as it is.
///
/// # Errors
/// `not_found`, `gone` or `jobs_unavailable`.
pub async fn cancel(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Response, Problem> {
    query::refuse_all(parts.uri.query())?;
    let jobs = switched_on(&service)?;
    let mut job = find(jobs, &id, &parts).await?;
    if !job.state.has_ended() {
        let cancelling = {
            let (jobs, job) = (Arc::clone(jobs), job);
            async move {
                reach(|| jobs.store.cancel(&job.id, jobs.limits.keep)).await?;
                jobs.hints.give(Hint::Job(job.id.clone()));
                let now = reach(|| jobs.store.job(&job.id)).await?.ok_or_else(gone)?;
                if job.state == jobs::State::Queued && now.state == jobs::State::Cancelled {
                    jobs.tally.count_ended(now.state);
                }
                Ok(now)
            }
        };
        job = seen_through(cancelling).await?;
    }
    // A running job is told to stop, and has not stopped yet.
    let status = if job.state.has_ended() { StatusCode::OK } else { StatusCode::ACCEPTED };
    Ok(not_kept((status, Json(JobBody::of(&job))).into_response()))
}

/// `GET /jobs/{id}/answer`: the answer alone, in the form that `Accept` asks for.
///
/// # Errors
/// `not_acceptable`, `not_found`, `gone`, `no_answer`, `undecided`, `jobs_unavailable`,
/// or that by which the job failed.
pub async fn answer(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Response, Problem> {
    // Whether any form will do is the first check, and which one is best needs the job.
    AnswerForm::of(&parts.headers, AnswerForm::Json)?;
    query::refuse_all(parts.uri.query())?;
    let jobs = switched_on(&service)?;
    let job = find(jobs, &id, &parts).await?;
    match job.state {
        jobs::State::Done => {}
        jobs::State::Failed => return Err(failure(&job)),
        state => {
            let detail = format!("The job is {}, so it has no answer.", state.name());
            return Err(Problem::new(Code::NoAnswer, detail));
        }
    }
    let body_form = Asked::read(&job.ask)?.form()?;
    let form = AnswerForm::of(&parts.headers, body_form.default_answer())?;
    let mut share = service.memory().share();
    if let Some(bytes) = kept(jobs, &job.id, form.media_type(), &mut share).await? {
        share.shrink_to(bytes.len());
        let content_type = [(CONTENT_TYPE, form.content_type())];
        let mut response = (content_type, held(bytes, share)).into_response();
        if form == AnswerForm::Svg {
            let policy = HeaderValue::from_static(PICTURE_POLICY);
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
        }
        return Ok(not_kept(response));
    }
    let refusal = refusal_name(form);
    match reach(|| jobs.store.answer(&job.id, &refusal)).await? {
        Some(refusal) => Err(problem_of(&refusal)),
        None => Err(gone()),
    }
}

/// How many times an answer's bytes there are while it is read: as they come from the store, as
/// the row that they are in, and as what is sent.
pub(crate) const COPIES: usize = 3;

/// An answer that is kept, once there is memory for it.
///
/// # Errors
/// `overloaded` or `jobs_unavailable`.
async fn kept(
    jobs: &Jobs,
    id: &JobId,
    form: &str,
    share: &mut Share,
) -> Result<Option<Vec<u8>>, Problem> {
    let Some(size) = reach(|| jobs.store.answer_size(id, form)).await? else { return Ok(None) };
    share.grow_to(size * COPIES)?;
    reach(|| jobs.store.answer(id, form)).await
}

/// The name under which is stored why an answer has no such form.
pub(crate) fn refusal_name(form: AnswerForm) -> String {
    format!("no {}", form.media_type())
}

/// The jobs, on a route that exists only where they are switched on.
pub(crate) fn switched_on(service: &Service) -> Result<&Arc<Jobs>, Problem> {
    service.jobs().ok_or_else(not_found)
}

/// The job of that id, if the caller may see it.
///
/// # Errors
/// `not_found`, `gone` or `jobs_unavailable`.
pub(crate) async fn find(jobs: &Jobs, id: &str, parts: &Parts) -> Result<Job, Problem> {
    let id = JobId::read(id).ok_or_else(not_found)?;
    let job = reach(|| jobs.store.job(&id)).await?.ok_or_else(not_found)?;
    if job.owner != KeyHolder::of(&parts.extensions).owner() {
        return Err(not_found());
    }
    if job.state == jobs::State::Gone { Err(gone()) } else { Ok(job) }
}

fn not_found() -> Problem {
    Problem::new(Code::NotFound, "There is no such job, or it is not this caller's.")
}

fn gone() -> Problem {
    Problem::new(Code::Gone, "The job has ended, and its result is no longer kept.")
}

/// What is said of a job changes, and is nobody else's business.
fn not_kept(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Sees what changes the store to its end, also where the caller hangs up meanwhile: what was
/// changed is counted, and whoever waits for it is told.
async fn seen_through<T: Send + 'static>(
    change: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    tokio::spawn(change.in_current_span()).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a change of the job store panicked");
        Err(Problem::internal())
    })
}

/// Tries a word with the store a few times.
async fn reach<T, Word>(mut word: impl FnMut() -> Word) -> Result<T, Problem>
where
    Word: Future<Output = Result<T, StoreError>>,
{
    let mut tries = 1;
    loop {
        match word().await {
            Ok(answer) => return Ok(answer),
            Err(error) if tries == TRIES => {
                tracing::error!(%error, "the job store can't be reached");
                return Err(Problem::new(
                    Code::JobsUnavailable,
                    "The store of the jobs can't be reached just now.",
                )
                .retry_after(2));
            }
            Err(error) => tracing::warn!(%error, "the job store does not answer"),
        }
        tries += 1;
        tokio::time::sleep(PAUSE).await;
    }
}

/// The caller's key; quotes around it, as the draft standard has them, are taken off.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
    let text = value.to_str().unwrap_or("").trim();
    let unquoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let is_visible = unquoted.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    if is_visible && (1..=MAX_KEY_LENGTH).contains(&unquoted.len()) {
        return Ok(Some(unquoted.to_owned()));
    }
    let detail = format!("An Idempotency-Key is 1 to {MAX_KEY_LENGTH} visible characters.");
    Err(Problem::new(Code::IdempotencyKey, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefers(values: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(PREFER, HeaderValue::from_static(value));
        }
        is_preferred(&headers)
    }

    #[test]
    fn the_preference_is_found_among_others() {
        assert!(prefers(&["respond-async"]));
        assert!(prefers(&["wait=10, Respond-Async; foo=bar"]));
        assert!(prefers(&["return=minimal", "respond-async, wait=100"]));
        assert!(!prefers(&[]));
        assert!(!prefers(&["respond-sync", "x=respond-async"]));
    }
}
