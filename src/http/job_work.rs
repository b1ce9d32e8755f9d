//! What a worker does with a job: reads its request again, solves every case in
//! a place of the jobs' own, and writes the answer in every form that it has.
//!
//! The answers lie in the memory of the place: what they hold, the search of the
//! next case has not. So a job never takes more than a solve may, and none has to
//! wait for memory that another job holds while it waits as well. A job whose
//! answer in JSON does not fit ends `failed`, with `answer_too_large`; any other
//! form is left out for that reason alone.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::budget::CancelFlag;
use crate::http::ask::JobAsk;
use crate::http::endpoint::Endpoint;
use crate::http::jobs::{Asked, COPIES, refusal_name};
use crate::http::memory::SharedMemory;
use crate::http::negotiation::{AnswerForm, BodyForm};
use crate::http::problem::{Code, Problem};
use crate::http::query::{self, SolveQuery};
use crate::http::service::Service;
use crate::http::solve::{Answer, Parsed, check_case_count, parse};
use crate::jobs::store::Ending;
use crate::jobs::worker::Perform;
use crate::jobs::{Claimed, Gauge};
use crate::puzzle::TextCase;

/// How long a job waits before it looks again whether there is memory for its body.
const MEMORY_AGAIN: Duration = Duration::from_millis(500);

/// Solves the jobs of a service.
pub struct JobWork {
    service: Arc<Service>,
    endpoints: &'static [&'static dyn Endpoint],
    max_time: Duration,
}

impl fmt::Debug for JobWork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JobWork").field("max_time", &self.max_time).finish()
    }
}

impl Perform for JobWork {
    async fn perform(
        &self,
        claimed: &Claimed,
        body: Vec<u8>,
        gauge: Arc<Gauge>,
        cancel: CancelFlag,
    ) -> Option<Ending> {
        match self.answers(claimed, body, &gauge, &cancel).await {
            Ok(answers) => answers.map(Ending::Done),
            Err(problem) => Some(Ending::Failed(stored(&problem, &claimed.request_id))),
        }
    }
}

impl JobWork {
    /// Work on the jobs of a service; none may take longer than `max_time`.
    pub const fn new(
        service: Arc<Service>,
        endpoints: &'static [&'static dyn Endpoint],
        max_time: Duration,
    ) -> Self {
        Self { service, endpoints, max_time }
    }

    /// The answer in all its forms; `None` when it was told to stop.
    async fn answers(
        &self,
        claimed: &Claimed,
        body: Vec<u8>,
        gauge: &Gauge,
        cancel: &CancelFlag,
    ) -> Result<Option<Vec<(String, Vec<u8>)>>, Problem> {
        let endpoint = self.endpoints.iter().copied().find(|known| known.name() == claimed.puzzle);
        let endpoint = endpoint.ok_or_else(|| {
            tracing::error!(claimed.puzzle, "the store holds a job of a puzzle not known here");
            Problem::internal()
        })?;
        let asked = Asked::read(&claimed.ask)?;
        let Some(Parsed { cases, bytes, share }) =
            self.parsed(endpoint, &asked, body, cancel).await?
        else {
            return Ok(None);
        };
        gauge.expect(cases.len());
        let case_bytes = bytes / cases.len();
        let (form, query) = reading(endpoint, &asked)?;
        let memory = SharedMemory::new(self.service.solver().memory());
        let largest = self.service.memory().cap() / COPIES;
        let mut answers: Vec<_> = AnswerForm::ALL
            .into_iter()
            .map(|answer| {
                let begun = check_case_count(answer, &cases)
                    .map(|()| Answer::new(answer, form, Arc::clone(&memory).share()));
                (answer, begun)
            })
            .collect();
        let limit = query.time_limit_ms.map_or(self.max_time, Duration::from_millis);
        // Counted from here, so that the only case of a body has all of it.
        let mut spent = Duration::ZERO;
        for TextCase { line, board: case } in cases {
            let began = Instant::now();
            let left = self.max_time.saturating_sub(spent);
            let limit = limit.min(left).max(Duration::from_millis(1));
            let (cancel, meter) = (cancel.clone(), gauge.meter.clone());
            let ask = JobAsk { case, case_bytes, limit, held: memory.held(), cancel, meter };
            let Some(solved) = self.service.solver().solve_job(ask).await? else {
                return Ok(None);
            };
            for (_, answer) in &mut answers {
                let Ok(written) = answer else { continue };
                let added = written.add(&self.service, line, &solved, case_bytes).await;
                if let Err(problem) = added.map_err(fitting) {
                    *answer = Err(problem);
                } else if written.len() > largest {
                    *answer = Err(too_large());
                }
            }
            gauge.answered(solved.stats.nodes);
            spent += began.elapsed();
        }
        drop(share);
        let mut forms = Vec::new();
        for (form, answer) in answers {
            match answer {
                Ok(mut answer) => forms.push((form.media_type().to_owned(), answer.close())),
                Err(problem) if form == AnswerForm::Json => return Err(problem),
                Err(problem) => {
                    let problem = stored(&problem, &claimed.request_id);
                    forms.push((refusal_name(form), problem.into_bytes()));
                }
            }
        }
        Ok(Some(forms))
    }

    /// The cases of a body; waits for the memory that they take.
    async fn parsed(
        &self,
        endpoint: &'static dyn Endpoint,
        asked: &Asked,
        body: Vec<u8>,
        cancel: &CancelFlag,
    ) -> Result<Option<Parsed>, Problem> {
        let body = bytes::Bytes::from(body);
        while !cancel.is_cancelled() {
            let (form, query) = reading(endpoint, asked)?;
            let share = self.service.memory().share();
            let parsed =
                parse(&self.service, endpoint, form, asked.encoding(), body.clone(), query, share);
            match parsed.await {
                Err(problem) if problem.code() == Code::Overloaded => {
                    tokio::time::sleep(MEMORY_AGAIN).await;
                }
                parsed => return parsed.map(Some),
            }
        }
        Ok(None)
    }
}

/// The form of a body, and what its query asks.
fn reading(endpoint: &dyn Endpoint, asked: &Asked) -> Result<(BodyForm, SolveQuery), Problem> {
    let form = asked.form()?;
    Ok((form, query::read(asked.query(), endpoint.options(), form == BodyForm::Text)?))
}

/// A problem in writing an answer; that its place's memory is used up is nothing that passes.
fn fitting(problem: Problem) -> Problem {
    if problem.code() == Code::Overloaded { too_large() } else { problem }
}

fn too_large() -> Problem {
    Problem::new(
        Code::AnswerTooLarge,
        "The answers of the job take more memory than a solve may hold, or one takes more than can \
         be sent. Send its cases in several jobs; the operator sets the memory with \
         `--solve-memory-mb` and `--shared-memory-mb`.",
    )
}

/// What is said of a job that took too many workers with it.
pub fn given_up() -> String {
    let detail = "The job was given up: every worker that tried to solve it came to its end.";
    stored(&Problem::new(Code::Internal, detail), "-")
}

/// A problem in the form in which it is stored.
fn stored(problem: &Problem, request_id: &str) -> String {
    serde_json::to_string(&problem.body(request_id)).unwrap_or_default()
}
