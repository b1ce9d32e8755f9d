//! The one handler of all solve routes.
//!
//! The checks run in a fixed order, and the first fault answers: `Accept`,
//! query, `Content-Type`, size, form, puzzle, admission.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::Response;
use bytes::Bytes;

use crate::http::admission::Patience;
use crate::http::body::{self, Encoding};
use crate::http::endpoint::{Case, Endpoint};
use crate::http::negotiation::{AnswerForm, BodyForm};
use crate::http::problem::{Code, Problem};
use crate::http::query::{self, SolveQuery};
use crate::http::run::Solved;
use crate::http::service::Service;
use crate::puzzle::TextCase;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Bodies over this size are decoded and parsed on a blocking thread, so that
/// they do not hold up the connections beside them.
const INLINE_PARSE_BYTES: usize = 64 << 10;

/// Answers `POST /{puzzle}`.
///
/// # Errors
/// Any problem of the error table.
pub async fn solve(
    State(service): State<Arc<Service>>,
    endpoint: &'static dyn Endpoint,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    // A Content-Type that is not read here is reported after Accept and query.
    let body_form = BodyForm::of(&parts.headers);
    let likely_form = body_form.as_ref().copied().unwrap_or(BodyForm::Json);
    let answer_form = AnswerForm::of(&parts.headers, likely_form.default_answer())?;
    let query = query::read(parts.uri.query(), endpoint.options(), likely_form == BodyForm::Text)?;
    let body_form = body_form?;
    let encoding = Encoding::of(&parts.headers)?;
    let sent = body::read(&parts.headers, body, service.body_limits()).await?;
    service.metrics().read_bytes(sent.len());
    let time_limit_ms = query.time_limit_ms;
    let cases = parse(&service, endpoint, body_form, encoding, sent, query).await?;
    let mut answer = Answer::new(answer_form, body_form);
    for case in cases {
        let solved = service.solver().solve(case.board, time_limit_ms, Patience::Bounded).await?;
        answer.add(case.line, &solved)?;
    }
    Ok(answer.finish())
}

/// Decodes and parses the body into cases.
async fn parse(
    service: &Service,
    endpoint: &'static dyn Endpoint,
    form: BodyForm,
    encoding: Encoding,
    sent: Bytes,
    query: SolveQuery,
) -> Result<Vec<TextCase<Arc<dyn Case>>>, Problem> {
    let max_bytes = service.body_limits().bytes;
    let is_small = encoding == Encoding::Identity && sent.len() <= INLINE_PARSE_BYTES;
    let read = move || {
        let body = body::decode(encoding, sent, max_bytes)?;
        match form {
            BodyForm::Json => Ok(vec![TextCase { line: 1, board: endpoint.read_json(&body)? }]),
            BodyForm::Text => endpoint.read_text(&body, &query.options),
        }
    };
    if is_small { read() } else { service.solver().off_thread(read).await? }
}

/// An answer that grows case by case.
struct Answer {
    form: AnswerForm,
    is_array: bool,
    body: Vec<u8>,
    cases: usize,
    queued: Duration,
    solve_ms: f64,
}

impl Answer {
    fn new(form: AnswerForm, body_form: BodyForm) -> Self {
        let is_array = form == AnswerForm::Json && body_form == BodyForm::Text;
        let body = if is_array { b"[".to_vec() } else { Vec::new() };
        Self { form, is_array, body, cases: 0, queued: Duration::ZERO, solve_ms: 0.0 }
    }

    /// Adds the answer of the case that began on `line`.
    fn add(&mut self, line: usize, solved: &Solved) -> Result<(), Problem> {
        match self.form {
            AnswerForm::Json => {
                if self.cases > 0 {
                    self.body.push(b',');
                }
                solved.finished.write_json(solved.stats, &mut self.body);
            }
            AnswerForm::Text => {
                let text = solved.finished.text().ok_or_else(|| undecided(line, solved))?;
                self.body.extend_from_slice(text.as_bytes());
            }
        }
        self.cases += 1;
        self.queued += solved.queued;
        self.solve_ms += solved.stats.time_ms;
        Ok(())
    }

    fn finish(mut self) -> Response {
        if self.is_array {
            self.body.push(b']');
        }
        if self.form == AnswerForm::Json {
            self.body.push(b'\n');
        }
        let mut timing = String::new();
        let queue_ms = self.queued.as_secs_f64() * 1e3;
        let _ = write!(timing, "queue;dur={queue_ms:.3}, solve;dur={:.3}", self.solve_ms);
        let mut response = Response::new(Body::from(self.body));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.form.content_type()));
        if let Ok(timing) = HeaderValue::from_str(&timing) {
            headers.insert(SERVER_TIMING, timing);
        }
        response
    }
}

/// A text answer can't say "unknown".
fn undecided(line: usize, solved: &Solved) -> Problem {
    Problem::new(
        Code::Undecided,
        format!(
            "The case that begins on line {line} was not decided within its limits ({} ms); \
             JSON answers can say `unknown`, or a greater `time_limit_ms` may decide it.",
            solved.stats.time_limit_ms
        ),
    )
    .at_position(line, 1)
    .retry_after(1)
}
