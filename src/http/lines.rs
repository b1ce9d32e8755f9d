//! The lines of a body, read one by one as they come: each under the limits that
//! hold for a whole body elsewhere, the body itself of any length.
//!
//! A gzip body is decoded as it comes, so that what a few bytes unfold to counts
//! for its line. The clock of a line runs only while this waits for its bytes, not
//! while nobody asks for a line or memory is waited for.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use async_compression::tokio::bufread::GzipDecoder;
use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::future::FutureExt;
use futures_util::stream::{Map, StreamExt};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};
use tokio_util::io::StreamReader;

use crate::http::body::{self, BodyLimits, Encoding};
use crate::http::memory::Claim;
use crate::http::problem::{Code, Problem};

/// How many decoded bytes are looked at a time.
const DECODED_BYTES: usize = 32 << 10;

/// A body as a stream of lines.
///
/// Dropping [`Lines::next`] half-way loses what was read of its line.
pub struct Lines {
    source: Source,
    limits: BodyLimits,
    number: usize,
    /// Whether a part of the line after that one was read.
    is_begun: bool,
}

/// What came next.
#[derive(Debug)]
pub enum Line {
    /// A line that is not blank, without its end.
    Whole(Vec<u8>),
    /// A line that can't be taken; the lines after it can.
    Refused(Problem),
    /// A fault after which no line can be read.
    Broken(Problem),
    /// The body has ended.
    End,
}

impl fmt::Debug for Lines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Lines").field(&self.number).finish()
    }
}

impl Lines {
    /// The lines of a body.
    pub fn new(body: Body, encoding: Encoding, limits: BodyLimits) -> Self {
        let raw = Raw::new(body.into_data_stream().map(as_io as Convert));
        let source = match encoding {
            Encoding::Identity => Source::Plain(raw),
            Encoding::Gzip => {
                let mut decoder = GzipDecoder::new(raw);
                decoder.multiple_members(true);
                Source::Gzip(Box::new(BufReader::with_capacity(DECODED_BYTES, decoder)))
            }
        };
        Self { source, limits, number: 0, is_begun: false }
    }

    /// The number of the line that was read last, from 1. Blank lines count.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Waits for the first bytes.
    ///
    /// # Errors
    /// `body_timeout` or `malformed_body`.
    pub async fn begin(&mut self) -> Result<(), Problem> {
        match tokio::time::timeout(self.limits.time, self.source.bytes().fill_buf()).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(broken(&error)),
            Err(_) => Err(late(self.limits.time)),
        }
    }

    /// The next line that is not blank; `claim` grows with it.
    pub async fn next(&mut self, claim: &mut Claim) -> Line {
        loop {
            let line = self.read(claim).await;
            self.number += 1;
            self.is_begun = false;
            let is_blank =
                matches!(&line, Line::Whole(bytes) if bytes.iter().all(u8::is_ascii_whitespace));
            if !is_blank {
                return line;
            }
        }
    }

    async fn read(&mut self, claim: &mut Claim) -> Line {
        let mut left = self.limits.time;
        let mut line = Vec::new();
        let mut length = 0;
        let mut fault = None;
        loop {
            // A body that unfolds without end is always ready.
            tokio::task::consume_budget().await;
            let asked = Instant::now();
            let bytes = self.source.bytes();
            let chunk = match tokio::time::timeout(left, bytes.fill_buf()).await {
                Ok(Ok(chunk)) => chunk,
                Ok(Err(error)) => return Line::Broken(broken(&error)),
                Err(_) => return Line::Broken(late(self.limits.time)),
            };
            left = left.saturating_sub(asked.elapsed());
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let is_last = end.is_some() || chunk.is_empty();
            if chunk.is_empty() && length == 0 {
                return Line::End;
            }
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            length += piece.len();
            if length > self.limits.bytes {
                fault = Some(body::too_large("line", self.limits.bytes, length));
            } else if fault.is_none() {
                match claim.grow_to(length).await {
                    Ok(()) => line.extend_from_slice(piece),
                    Err(problem) => fault = Some(problem),
                }
            }
            let consumed = piece.len() + usize::from(end.is_some());
            bytes.consume(consumed);
            self.is_begun = true;
            if fault.is_some() {
                // The rest of the line is read over.
                line = Vec::new();
                claim.shrink_to(0);
            }
            if is_last {
                return fault.map_or(Line::Whole(line), Line::Refused);
            }
            if left.is_zero() {
                return Line::Broken(late(self.limits.time));
            }
        }
    }

    /// Whether the body is known to have ended, without waiting for more of it.
    pub fn has_ended(&mut self) -> bool {
        if self.is_begun {
            return false;
        }
        let filled = self.source.bytes().fill_buf().now_or_never();
        matches!(filled, Some(Ok(chunk)) if chunk.is_empty())
    }

    /// Reads over what is left, for a while, as [`body::discard`] does.
    pub async fn discard(&mut self) {
        let raw = match &mut self.source {
            Source::Plain(raw) => raw,
            Source::Gzip(decoded) => decoded.get_mut().get_mut(),
        };
        body::discard_stream(raw.get_mut()).await;
    }
}

/// Where the bytes of lines come from.
enum Source {
    Plain(Raw),
    Gzip(Box<BufReader<GzipDecoder<Raw>>>),
}

type Raw = StreamReader<Map<BodyDataStream, Convert>, Bytes>;

type Convert = fn(Result<Bytes, axum::Error>) -> io::Result<Bytes>;

impl Source {
    fn bytes(&mut self) -> &mut (dyn AsyncBufRead + Send + Unpin) {
        match self {
            Self::Plain(raw) => raw,
            Self::Gzip(decoded) => decoded.as_mut(),
        }
    }
}

/// A body that breaks off is told from one whose gzip is wrong by its kind of error.
fn as_io(read: Result<Bytes, axum::Error>) -> io::Result<Bytes> {
    read.map_err(|error| io::Error::new(io::ErrorKind::ConnectionAborted, error))
}

fn broken(error: &io::Error) -> Problem {
    let detail = match error.kind() {
        io::ErrorKind::ConnectionAborted => "The body broke off.",
        _ => "The body is not valid gzip.",
    };
    Problem::new(Code::MalformedBody, detail)
}

fn late(limit: Duration) -> Problem {
    Problem::new(
        Code::BodyTimeout,
        format!("The line did not arrive within {} ms.", limit.as_millis()),
    )
}
