//! The body of the answer to a bulk body: the lines of its items, in order.
//!
//! It is asked for a line only when the connection can take one, and hands out the
//! next when it is there; that is all that holds reading and solving back.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::Frame;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::http::bulk::Bulk;
use crate::http::memory::{Claim, Share};
use crate::http::problem::Problem;

/// An item under way.
#[derive(Debug)]
pub struct Pending {
    /// The line that it began on.
    pub line: usize,
    /// What writes its line; nothing where the caller has hung up.
    pub work: JoinHandle<Option<Written>>,
    /// Its part of what may be between reading and sending.
    pub slot: OwnedSemaphorePermit,
}

/// An item's line.
#[derive(Debug)]
pub struct Written {
    /// How it ended, for the metrics.
    pub outcome: &'static str,
    /// The line.
    pub bytes: Bytes,
    /// The memory that it holds.
    pub claim: Claim,
}

/// The body of the response.
#[derive(Debug)]
pub struct Answers {
    bulk: Arc<Bulk>,
    order: mpsc::Receiver<Pending>,
    next: Option<Pending>,
    /// How many lines were handed out: the index of the item that is the first now.
    first: watch::Sender<usize>,
    /// The memory of the line that was handed out last.
    sent: Option<Claim>,
    _reserve: Share,
    gone: CancellationToken,
    _end: DropGuard,
}

impl http_body::Body for Answers {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.sent = None;
        if self.next.is_none() {
            self.next = ready!(self.order.poll_recv(context));
        }
        let Some(pending) = &mut self.next else {
            return Poll::Ready(self.gone.is_cancelled().then(|| Err(hung_up())));
        };
        let line = pending.line;
        let written = match ready!(Pin::new(&mut pending.work).poll(context)) {
            Ok(written) => written,
            Err(error) => {
                tracing::error!(%error, line, "an item of a bulk body panicked");
                let (outcome, bytes) = self.bulk.refusal(line, Problem::internal());
                self.bulk.service.metrics().bulk_item(outcome);
                return self.hand_out(bytes, None);
            }
        };
        match written {
            None => Poll::Ready(Some(Err(hung_up()))),
            Some(Written { outcome, bytes, claim }) => {
                self.bulk.service.metrics().bulk_item(outcome);
                self.hand_out(bytes, Some(claim))
            }
        }
    }
}

impl Answers {
    /// The body that hands out what comes through `order`. It counts the lines in `first`,
    /// holds `reserve`, and raises `gone` when it is dropped.
    pub fn new(
        bulk: Arc<Bulk>,
        order: mpsc::Receiver<Pending>,
        first: watch::Sender<usize>,
        reserve: Share,
        gone: CancellationToken,
    ) -> Self {
        let end = gone.clone().drop_guard();
        Self { bulk, order, next: None, first, sent: None, gone, _reserve: reserve, _end: end }
    }

    fn hand_out(
        &mut self,
        bytes: Bytes,
        claim: Option<Claim>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.next = None;
        self.sent = claim;
        self.first.send_modify(|first| *first += 1);
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }
}

fn hung_up() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the caller hung up")
}
