//! Bulk: many requests in one body, one a line, and a line for each of them, in
//! order, as soon as it is known.
//!
//! Three parts run beside each other. `feed` takes items from the body
//! and starts each as a task of its own; `work` is such a task: it
//! parses, waits for a place like any single request, solves, and writes the line;
//! [`Answers`] is the response's body, which hands out the lines in order.
//!
//! Nothing of this grows with the body. Two items a place are under way, so that
//! one is ready for each place that becomes free. `WINDOW` items a place may be
//! between the line that was read last and the answer that was sent last, so that
//! quick items go on behind a slow one. The memory of each is a [`Claim`]. While
//! the client does not take answers, nothing is read; TCP tells the client.
//!
//! When the client hangs up, everything ends: the response's body is dropped, or
//! the socket says so while the body is not asked for, and the tasks watch one
//! token. Dropping a solve cancels it.

use std::fmt;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::Response;
use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use crate::http::admission::{Patience, draining};
use crate::http::ask::{Ask, Solved};
use crate::http::bulk_answer::{Answers, Pending, Written};
use crate::http::endpoint::{Case, Endpoint};
use crate::http::lines::{Line, Lines};
use crate::http::memory::{Claim, RESERVED, Share};
use crate::http::ndjson;
use crate::http::negotiation::AnswerForm;
use crate::http::problem::Problem;
use crate::http::request_id::RequestId;
use crate::http::service::Service;
use crate::http::socket::Caller;
use crate::http::solve::{BOARD_BYTES_A_BODY_BYTE, INLINE_BYTES};
use crate::puzzle::TextCase;

/// How many items may be between reading and sending, a place.
const WINDOW: usize = 32;

/// How many of them may be unsolved, a place.
const UNSOLVED: usize = 2;

/// Tells nginx, and what follows its example, to pass the answer on as it comes.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// What all items of one body share.
pub struct Bulk {
    /// The service that solves them.
    pub service: Arc<Service>,
    /// The puzzle.
    pub endpoint: &'static dyn Endpoint,
    /// The time limit of each that the caller named.
    pub time_limit_ms: Option<u64>,
    /// The request's id, for problems.
    pub request_id: RequestId,
    /// Who asks; nobody to watch where the socket is not ours.
    pub caller: Option<Caller>,
}

/// Where items come from.
#[derive(Debug)]
pub enum Items {
    /// The lines of a body, as they arrive.
    Lines(Box<Lines>),
    /// The cases of a body that was read as a whole.
    Cases {
        /// The cases.
        cases: std::vec::IntoIter<TextCase<Arc<dyn Case>>>,
        /// About how many bytes each takes.
        case_bytes: usize,
        /// The memory that they hold.
        _share: Share,
    },
}

/// What is to be solved.
enum Task {
    Parse(Vec<u8>),
    Solve(Arc<dyn Case>, usize),
    Refuse(Problem),
}

/// What came next of the items.
enum Next {
    /// An item and the line that it began on.
    Item(usize, Task),
    /// A fault that ends the stream, and its line.
    Last(usize, Problem),
    End,
}

impl fmt::Debug for Bulk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Bulk").field(&self.endpoint.name()).finish()
    }
}

impl Bulk {
    /// The answer to the lines of a body.
    ///
    /// # Errors
    /// What is found before the first line.
    pub async fn answer_lines(self, mut lines: Lines) -> Result<Response, Problem> {
        // A client that waits for leave to send gets it before the answer begins.
        let ready = match self.reserve() {
            Ok(reserve) => lines.begin().await.map(|()| reserve),
            Err(problem) => Err(problem),
        };
        match ready {
            Ok(reserve) => Ok(self.answer(Items::Lines(Box::new(lines)), reserve)),
            Err(problem) => {
                lines.discard().await;
                Err(problem)
            }
        }
    }

    /// What a stream sets aside for its first item.
    ///
    /// # Errors
    /// `overloaded` where the shared memory allows no further stream.
    pub fn reserve(&self) -> Result<Share, Problem> {
        let mut reserve = self.service.memory().share();
        reserve.grow_to(RESERVED)?;
        Ok(reserve)
    }

    /// The answer to these items; it begins at once and goes on while they are solved.
    pub fn answer(self, items: Items, reserve: Share) -> Response {
        let gone = CancellationToken::new();
        let (sender, order) = mpsc::channel(WINDOW * self.service.places());
        let (first, first_now) = watch::channel(0);
        let bulk = Arc::new(self);
        let feeding = {
            let (bulk, gone) = (Arc::clone(&bulk), gone.clone());
            async move {
                let hung_up = async {
                    match &bulk.caller {
                        Some(caller) => caller.gone().await,
                        None => std::future::pending().await,
                    }
                };
                let feed_and_stay = async {
                    bulk.feed(items, sender, first_now, &gone).await;
                    std::future::pending().await
                };
                tokio::select! {
                    () = feed_and_stay => {}
                    () = gone.cancelled() => {}
                    () = hung_up => gone.cancel(),
                }
            }
        };
        tokio::spawn(feeding.instrument(Span::current()));
        let answers = Answers::new(bulk, order, first, reserve, gone);
        let mut response = Response::new(Body::new(answers));
        let content_type = HeaderValue::from_static(AnswerForm::Ndjson.content_type());
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        response.headers_mut().insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
        response
    }

    /// Starts the items one after the other, as many at once as may be.
    async fn feed(
        self: &Arc<Self>,
        mut items: Items,
        order: mpsc::Sender<Pending>,
        first: watch::Receiver<usize>,
        gone: &CancellationToken,
    ) {
        let window = Arc::new(Semaphore::new(WINDOW * self.service.places()));
        let unsolved = Arc::new(Semaphore::new(UNSOLVED * self.service.places()));
        for index in 0.. {
            let Ok(slot) = Arc::clone(&window).acquire_owned().await else { return };
            let Ok(turn) = Arc::clone(&unsolved).acquire_owned().await else { return };
            let share = self.service.memory().share();
            let mut claim = Claim::new(share, index, first.clone(), self.service.max_wait());
            let next = tokio::select! {
                biased;
                () = self.service.drain_started() => items.stopped(),
                next = items.next(&mut claim) => next,
            };
            let (line, task, is_last) = match next {
                Next::Item(line, task) => (line, task, false),
                Next::Last(line, problem) => (line, Task::Refuse(problem), true),
                Next::End => return,
            };
            let (bulk, gone) = (Arc::clone(self), gone.clone());
            let work = async move {
                tokio::select! {
                    biased;
                    () = gone.cancelled() => None,
                    written = bulk.work(line, task, claim, turn) => Some(written),
                }
            };
            let work = tokio::spawn(work.instrument(Span::current()));
            if order.send(Pending { line, work, slot }).await.is_err() {
                return;
            }
            if is_last {
                items.discard().await;
                return;
            }
        }
    }

    /// One item, from its bytes to its line.
    async fn work(
        &self,
        line: usize,
        task: Task,
        mut claim: Claim,
        turn: OwnedSemaphorePermit,
    ) -> Written {
        let answered = self.solve(line, task, &mut claim, turn).await;
        let (outcome, bytes) = match answered {
            Ok(answered) => answered,
            Err(problem) => self.refusal(line, problem),
        };
        claim.shrink_to(bytes.len());
        Written { outcome, bytes, claim }
    }

    async fn solve(
        &self,
        line: usize,
        task: Task,
        claim: &mut Claim,
        turn: OwnedSemaphorePermit,
    ) -> Result<(&'static str, Bytes), Problem> {
        let (case, case_bytes) = match task {
            Task::Parse(bytes) => self.parse(bytes, claim).await?,
            Task::Solve(case, bytes) => (case, bytes),
            Task::Refuse(problem) => return Err(problem),
        };
        let ask = Ask {
            case,
            case_bytes,
            time_limit_ms: self.time_limit_ms,
            patience: Patience::Unbounded,
        };
        let solved = self.service.solver().solve(ask).await?;
        drop(turn);
        let outcome = solved.finished.status().name();
        let bytes = write_line(&self.service, line, &solved, case_bytes).await?;
        drop(solved);
        claim.grow_to(bytes.len()).await?;
        Ok((outcome, bytes.into()))
    }

    async fn parse(
        &self,
        bytes: Vec<u8>,
        claim: &mut Claim,
    ) -> Result<(Arc<dyn Case>, usize), Problem> {
        let length = bytes.len();
        self.service.metrics().read_bytes(length);
        claim.grow_to(length * (1 + BOARD_BYTES_A_BODY_BYTE)).await?;
        let endpoint = self.endpoint;
        let case = if length <= INLINE_BYTES {
            endpoint.read_json(&bytes)?
        } else {
            self.service.solver().off_thread(move || endpoint.read_json(&bytes)).await??
        };
        claim.shrink_to(length * BOARD_BYTES_A_BODY_BYTE);
        Ok((case, length))
    }

    /// A problem as a line, and its code.
    pub(crate) fn refusal(&self, line: usize, problem: Problem) -> (&'static str, Bytes) {
        let code = problem.code().name();
        (code, ndjson::problem(line, problem, self.request_id.as_str()).into())
    }
}

/// A JSON answer as a line; that of a large board is written on a blocking thread, since it
/// may be large too.
///
/// # Errors
/// `internal` when the answer can't be written.
pub async fn write_line(
    service: &Service,
    line: usize,
    solved: &Solved,
    case_bytes: usize,
) -> Result<Vec<u8>, Problem> {
    let (finished, stats) = (Arc::clone(&solved.finished), solved.stats);
    let write = move || ndjson::answer(line, finished.as_ref(), stats);
    let written = match case_bytes <= INLINE_BYTES {
        true => write(),
        false => service.solver().off_thread(write).await?,
    };
    written.map_err(|error| {
        tracing::error!(%error, "an answer could not be written as JSON");
        Problem::internal()
    })
}

impl Items {
    async fn next(&mut self, claim: &mut Claim) -> Next {
        match self {
            Self::Lines(lines) => {
                let line = lines.next(claim).await;
                let number = lines.number();
                match line {
                    Line::Whole(bytes) => Next::Item(number, Task::Parse(bytes)),
                    Line::Refused(problem) => Next::Item(number, Task::Refuse(problem)),
                    Line::Broken(problem) => Next::Last(number, problem),
                    Line::End => Next::End,
                }
            }
            Self::Cases { cases, case_bytes, .. } => match cases.next() {
                Some(TextCase { line, board }) => Next::Item(line, Task::Solve(board, *case_bytes)),
                None => Next::End,
            },
        }
    }

    /// The end of a stream that may not go on: the first of the items that are not begun
    /// any more says so.
    fn stopped(&mut self) -> Next {
        match self {
            Self::Lines(lines) => match lines.has_ended() {
                true => Next::End,
                false => Next::Last(lines.number() + 1, draining()),
            },
            Self::Cases { cases, .. } => match cases.as_slice().first() {
                Some(TextCase { line, .. }) => Next::Last(*line, draining()),
                None => Next::End,
            },
        }
    }

    async fn discard(&mut self) {
        if let Self::Lines(lines) = self {
            lines.discard().await;
        }
    }
}
