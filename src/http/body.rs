//! Reading a body: under a deadline, up to a limit, gzip or plain.

use std::io::Read;
use std::time::Duration;

use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use bytes::{Bytes, BytesMut};
use flate2::read::MultiGzDecoder;
use futures_util::stream::{Stream, StreamExt};
use http_body_util::{BodyDataStream, BodyExt};

use crate::http::memory::Share;
use crate::http::problem::{Code, Problem};

/// The decoded bytes that are taken at a time.
const DECODE_CHUNK: usize = 64 << 10;

/// What a body may be.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimits {
    /// The most bytes, before and after decompression.
    pub bytes: usize,
    /// The time in which the body has to arrive.
    pub time: Duration,
}

/// How a body is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Identity,
    /// gzip (RFC 1952).
    Gzip,
}

impl Encoding {
    /// The encoding that `Content-Encoding` names.
    ///
    /// # Errors
    /// `unsupported_media_type`.
    pub fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let mut encoding = Self::Identity;
        for value in headers.get_all(CONTENT_ENCODING) {
            let name = String::from_utf8_lossy(value.as_bytes()).trim().to_ascii_lowercase();
            encoding = match (encoding, name.as_str()) {
                (encoding, "" | "identity") => encoding,
                (Self::Identity, "gzip" | "x-gzip") => Self::Gzip,
                _ => {
                    return Err(Problem::new(
                        Code::UnsupportedMediaType,
                        "The Content-Encoding is not read here; bodies come plain or gzip.",
                    ));
                }
            };
        }
        Ok(encoding)
    }
}

/// Reads the whole body as it was sent.
///
/// # Errors
/// `body_too_large`, `body_timeout`, `overloaded` where the shared memory is used
/// up, or `malformed_body` where the connection broke off.
pub async fn read(
    headers: &HeaderMap,
    body: &mut Body,
    limits: BodyLimits,
    share: &mut Share,
) -> Result<Bytes, Problem> {
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<usize>().ok());
    if let Some(length) = announced.filter(|&length| length > limits.bytes) {
        return Err(too_large("body", limits.bytes, length));
    }
    match tokio::time::timeout(limits.time, collect(body, limits.bytes, share)).await {
        Ok(read) => read,
        Err(_) => Err(Problem::new(
            Code::BodyTimeout,
            format!("The body did not arrive within {} ms.", limits.time.as_millis()),
        )),
    }
}

/// Reads what is left of a refused body and throws it away, for a while. A
/// connection that closed with bytes unread would be reset, and the client,
/// still sending, might never see why it was refused.
pub async fn discard(body: &mut Body) {
    discard_stream(&mut BodyDataStream::new(body)).await;
}

/// As [`discard`], for what is left of a body that was read as a stream.
pub async fn discard_stream<E>(chunks: &mut (impl Stream<Item = Result<Bytes, E>> + Unpin)) {
    let rest = async {
        let mut bytes = 0;
        while let Some(Ok(chunk)) = chunks.next().await {
            bytes += chunk.len();
            if bytes > DISCARD_BYTES {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(DISCARD_TIME, rest).await;
}

/// The most of a refused body that is read.
const DISCARD_BYTES: usize = 64 << 20;

/// The time for which a refused body is read.
const DISCARD_TIME: Duration = Duration::from_secs(1);

/// Undoes the encoding.
///
/// # Errors
/// `body_too_large`, `overloaded` or `malformed_body`.
pub fn decode(
    encoding: Encoding,
    body: Bytes,
    max_bytes: usize,
    share: &mut Share,
) -> Result<Bytes, Problem> {
    match encoding {
        Encoding::Identity => Ok(body),
        Encoding::Gzip => {
            let mut plain = Vec::new();
            // One byte more than allowed tells a body of just the limit from one over it.
            let mut decoder = MultiGzDecoder::new(body.as_ref()).take(max_bytes as u64 + 1);
            let mut chunk = vec![0; DECODE_CHUNK];
            loop {
                match decoder.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(length) => plain.extend_from_slice(&chunk[..length]),
                    Err(_) => {
                        return Err(Problem::new(
                            Code::MalformedBody,
                            "The body is not valid gzip.",
                        ));
                    }
                }
                share.grow_to(body.len() + plain.capacity())?;
            }
            if plain.len() > max_bytes {
                return Err(too_large("body", max_bytes, plain.len()));
            }
            Ok(plain.into())
        }
    }
}

async fn collect(body: &mut Body, max_bytes: usize, share: &mut Share) -> Result<Bytes, Problem> {
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return Err(Problem::new(Code::MalformedBody, "The body broke off."));
        };
        let Ok(data) = frame.into_data() else { continue };
        if whole.len() + data.len() > max_bytes {
            return Err(too_large("body", max_bytes, whole.len() + data.len()));
        }
        share.grow_to(whole.len() + data.len())?;
        whole.extend_from_slice(&data);
    }
    Ok(whole.freeze())
}

/// The fault of a body, or a line, of more than `limit` bytes.
pub fn too_large(what: &str, limit: usize, actual: usize) -> Problem {
    Problem::new(
        Code::BodyTooLarge,
        format!("The {what} has at least {actual} bytes; at most {limit} are read."),
    )
    .with_limit(limit as u64, actual as u64)
}
