//! The one handler of all solve routes.
//!
//! The checks run in a fixed order, and the first fault answers: `Accept`,
//! query, `Content-Type`, size, form, puzzle, admission.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::response::Response;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use crate::http::admission::Patience;
use crate::http::ask::{Ask, Solved};
use crate::http::body::{self, Encoding};
use crate::http::bulk::{self, Bulk, Items};
use crate::http::endpoint::{Case, Endpoint};
use crate::http::jobs::{self, Asked};
use crate::http::lines::Lines;
use crate::http::memory::Share;
use crate::http::negotiation::{AnswerForm, BodyForm};
use crate::http::problem::{Code, Problem};
use crate::http::query::{self, SolveQuery};
use crate::http::request_id::RequestId;
use crate::http::service::Service;
use crate::http::socket::Caller;
use crate::puzzle::TextCase;

/// Where the time of a request went: waiting for places, and solving.
pub const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// RFC 9211: `hit` where every case of the answer was found in the cache or by
/// another request's solve, `fwd=miss` otherwise.
pub const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// Bodies over this size are decoded and parsed, and their answers written, on a
/// blocking thread, so that they do not hold up the connections beside them.
pub const INLINE_BYTES: usize = 64 << 10;

/// Answers `POST /{puzzle}`.
///
/// # Errors
/// Any problem of the error table.
pub async fn solve(
    State(service): State<Arc<Service>>,
    endpoint: &'static dyn Endpoint,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, mut body) = request.into_parts();
    let answered = answer(&service, endpoint, &parts, &mut body).await;
    if answered.is_err() {
        body::discard(&mut body).await;
    }
    answered
}

async fn answer(
    service: &Arc<Service>,
    endpoint: &'static dyn Endpoint,
    parts: &Parts,
    body: &mut Body,
) -> Result<Response, Problem> {
    // A Content-Type that is not read here is reported after Accept and query.
    let body_form = BodyForm::of(&parts.headers);
    let likely_form = body_form.as_ref().copied().unwrap_or(BodyForm::Json);
    let answer_form = AnswerForm::of(&parts.headers, likely_form.default_answer())?;
    let mut query =
        query::read(parts.uri.query(), endpoint.options(), likely_form == BodyForm::Text)?;
    if answer_form == AnswerForm::Text {
        query.options = query.options.for_text_answer();
    }
    let body_form = body_form?;
    let encoding = Encoding::of(&parts.headers)?;
    let time_limit_ms = query.time_limit_ms;
    let bulk = || Bulk {
        service: Arc::clone(service),
        endpoint,
        time_limit_ms,
        request_id: RequestId::of(&parts.extensions),
        caller: parts.extensions.get::<Caller>().cloned(),
    };
    if body_form == BodyForm::Ndjson {
        let lines = Lines::new(std::mem::take(body), encoding, service.body_limits());
        return bulk().answer_lines(lines).await;
    }
    let mut share = service.memory().share();
    let sent = body::read(&parts.headers, body, service.body_limits(), &mut share).await?;
    service.metrics().read_bytes(sent.len());
    let as_job = service.jobs().filter(|_| jobs::is_preferred(&parts.headers));
    let as_job = as_job.map(|jobs| (jobs, sent.clone()));
    let Parsed { cases, bytes, share } =
        parse(service, endpoint, body_form, encoding, sent, query, share).await?;
    check_case_count(answer_form, &cases)?;
    if let Some((jobs, sent)) = as_job {
        let asked = Asked::new(body_form, encoding, parts.uri.query());
        // On the heap, since what it holds would make the future of every request 9 KB larger.
        let accepted = jobs::accept(service, jobs, endpoint.name(), asked, parts, sent.into());
        return Box::pin(accepted).await;
    }
    let case_bytes = bytes / cases.len();
    if answer_form == AnswerForm::Ndjson && body_form == BodyForm::Text {
        let bulk = bulk();
        let reserve = bulk.reserve()?;
        let items = Items::Cases { cases: cases.into_iter(), case_bytes, _share: share };
        return Ok(bulk.answer(items, reserve));
    }
    let mut answer = Answer::new(answer_form, body_form, service.memory().share());
    for TextCase { line, board: case } in cases {
        let ask = Ask { case, case_bytes, time_limit_ms, patience: Patience::Bounded };
        let solved = service.solver().solve(ask).await?;
        answer.add(service, line, &solved, case_bytes).await?;
    }
    drop(share);
    Ok(answer.finish())
}

/// The cases of a body.
pub(crate) struct Parsed {
    /// The cases, at least one.
    pub(crate) cases: Vec<TextCase<Arc<dyn Case>>>,
    /// The decoded body's length.
    pub(crate) bytes: usize,
    /// The memory that body and boards hold.
    pub(crate) share: Share,
}

/// A board may take this many times the bytes of the body that it came from.
pub const BOARD_BYTES_A_BODY_BYTE: usize = 4;

/// The most cases that one text body may hold.
const MAX_CASES: usize = 100_000;

/// Decodes and parses the body into cases.
pub(crate) async fn parse(
    service: &Service,
    endpoint: &'static dyn Endpoint,
    form: BodyForm,
    encoding: Encoding,
    sent: Bytes,
    query: SolveQuery,
    mut share: Share,
) -> Result<Parsed, Problem> {
    let max_bytes = service.body_limits().bytes;
    let is_small = encoding == Encoding::Identity && sent.len() <= INLINE_BYTES;
    let read = move || {
        let body = body::decode(encoding, sent, max_bytes, &mut share)?;
        share.grow_to(body.len() * (1 + BOARD_BYTES_A_BODY_BYTE))?;
        let cases = match form {
            BodyForm::Json => vec![TextCase { line: 1, board: endpoint.read_json(&body)? }],
            BodyForm::Text => endpoint.read_text(&body, &query.options)?,
            BodyForm::Ndjson => unreachable!("its lines are read one by one"),
        };
        if cases.len() > MAX_CASES {
            let detail = format!("A body holds at most {MAX_CASES} cases; send several.");
            return Err(Problem::new(Code::InvalidPuzzle, detail)
                .at_position(cases[MAX_CASES].line, 1)
                .with_limit(MAX_CASES as u64, cases.len() as u64));
        }
        let bytes = body.len();
        share.shrink_to(bytes * BOARD_BYTES_A_BODY_BYTE);
        Ok(Parsed { cases, bytes, share })
    };
    if is_small { read() } else { service.solver().off_thread(read).await? }
}

/// An answer that grows case by case.
pub(crate) struct Answer {
    form: AnswerForm,
    is_array: bool,
    body: Vec<u8>,
    cases: usize,
    queued: Duration,
    solve_ms: f64,
    hits: usize,
    share: Share,
}

impl Answer {
    pub(crate) fn new(form: AnswerForm, body_form: BodyForm, share: Share) -> Self {
        let is_array = form == AnswerForm::Json && body_form == BodyForm::Text;
        let body = if is_array { b"[".to_vec() } else { Vec::new() };
        Self {
            form,
            is_array,
            body,
            cases: 0,
            queued: Duration::ZERO,
            solve_ms: 0.0,
            hits: 0,
            share,
        }
    }

    /// Adds the answer of the case that began on `line`.
    ///
    /// # Errors
    /// `undecided` where the form can't say "unknown", `overloaded` where the memory is used up.
    pub(crate) async fn add(
        &mut self,
        service: &Service,
        line: usize,
        solved: &Solved,
        case_bytes: usize,
    ) -> Result<(), Problem> {
        match self.form {
            AnswerForm::Json => {
                if self.cases > 0 {
                    self.body.push(b',');
                }
                self.write_json(service, solved, case_bytes).await?;
            }
            AnswerForm::Ndjson => {
                let written = bulk::write_line(service, line, solved, case_bytes).await?;
                self.body.extend_from_slice(&written);
            }
            AnswerForm::Text => {
                let text = solved.finished.text().ok_or_else(|| undecided(line, solved))?;
                self.body.extend_from_slice(text.as_bytes());
            }
            AnswerForm::Svg => {
                // A few bytes of text may be a board of a quarter of a million cells.
                let finished = Arc::clone(&solved.finished);
                let picture = service.solver().off_thread(move || finished.picture()).await?;
                self.body = picture.ok_or_else(|| undecided(line, solved))?.into_bytes();
            }
        }
        self.cases += 1;
        self.queued += solved.queued;
        self.solve_ms += solved.stats.time_ms;
        self.hits += usize::from(solved.is_hit);
        self.share.grow_to(self.body.capacity())
    }

    /// Appends one JSON answer; that of a large board on a blocking thread, since it may be large too.
    async fn write_json(
        &mut self,
        service: &Service,
        solved: &Solved,
        case_bytes: usize,
    ) -> Result<(), Problem> {
        let written = if case_bytes <= INLINE_BYTES {
            solved.finished.write_json(solved.stats, &mut self.body)
        } else {
            let (finished, stats) = (Arc::clone(&solved.finished), solved.stats);
            let mut body = std::mem::take(&mut self.body);
            let write = move || finished.write_json(stats, &mut body).map(|()| body);
            service.solver().off_thread(write).await?.map(|body| self.body = body)
        };
        written.map_err(|error| {
            tracing::error!(%error, "an answer could not be written as JSON");
            Problem::internal()
        })
    }

    /// How many bytes it has by now.
    pub(crate) const fn len(&self) -> usize {
        self.body.len()
    }

    /// The whole answer's bytes.
    pub(crate) fn close(&mut self) -> Vec<u8> {
        if self.is_array {
            self.body.push(b']');
        }
        if self.form == AnswerForm::Json {
            self.body.push(b'\n');
        }
        std::mem::take(&mut self.body)
    }

    fn finish(mut self) -> Response {
        let mut timing = String::new();
        let queue_ms = self.queued.as_secs_f64() * 1e3;
        let _ = write!(timing, "queue;dur={queue_ms:.3}, solve;dur={:.3}", self.solve_ms);
        let is_hit = self.hits == self.cases;
        let body = self.close();
        let mut response = Response::new(held(body, self.share));
        let headers = response.headers_mut();
        headers.insert(
            CACHE_STATUS,
            HeaderValue::from_static(if is_hit {
                "boardsolve; hit"
            } else {
                "boardsolve; fwd=miss"
            }),
        );
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.form.content_type()));
        if self.form == AnswerForm::Svg {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PICTURE_POLICY));
        }
        if let Ok(timing) = HeaderValue::from_str(&timing) {
            headers.insert(SERVER_TIMING, timing);
        }
        response
    }
}

/// A response body that holds its share of memory until it is sent.
pub(crate) fn held(bytes: Vec<u8>, share: Share) -> Body {
    Body::new(Held { bytes: Some(bytes.into()), _share: share })
}

/// An answer's bytes, and the share of memory that they hold until they are sent.
struct Held {
    bytes: Option<Bytes>,
    _share: Share,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

/// A picture opened as a page may have its own styles and nothing else.
pub(crate) const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Whether an answer of that form can hold so many cases: a picture shows one board.
///
/// # Errors
/// `invalid_puzzle`, at the second case.
pub fn check_case_count(
    form: AnswerForm,
    cases: &[TextCase<Arc<dyn Case>>],
) -> Result<(), Problem> {
    match cases.get(1) {
        Some(second) if form == AnswerForm::Svg => {
            let detail = format!(
                "`{}` takes exactly one case; a second one begins on line {}. Send them one by \
                 one, or ask for JSON or text.",
                form.media_type(),
                second.line
            );
            Err(Problem::new(Code::InvalidPuzzle, detail)
                .at_position(second.line, 1)
                .with_limit(1, cases.len() as u64))
        }
        _ => Ok(()),
    }
}

/// A text answer or a picture can't say "unknown".
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
