//! The lines of a bulk body, which come in pieces, plain or gzip: against a plain split.
//!
//! The first byte is the length of a piece, the second says whether the rest is sent as gzip.
#![no_main]

use std::convert::Infallible;
use std::io::Write;
use std::time::Duration;

use axum::body::Body;
use boardsolve::http::body::{BodyLimits, Encoding};
use boardsolve::http::lines::{Line, Lines};
use boardsolve::http::memory::{Claim, SharedMemory};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;
use tokio::runtime::Builder;
use tokio::sync::watch;

/// The most bytes of a line.
const LIMIT: usize = 64;

/// The number of a line, and its bytes where they are not too many.
type Read = Vec<(usize, Option<Vec<u8>>)>;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [piece, gzip, text @ ..] = bytes else { return };
    let is_gzip = gzip % 2 == 1;
    let body = if is_gzip { packed(text) } else { text.to_vec() };
    let pieces: Vec<Result<Vec<u8>, Infallible>> =
        body.chunks(usize::from(*piece).max(1)).map(|piece| Ok(piece.to_vec())).collect();
    let body = Body::from_stream(stream::iter(pieces));
    let encoding = if is_gzip { Encoding::Gzip } else { Encoding::Identity };
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    assert_eq!(runtime.block_on(read(body, encoding)), expected(text));
});

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("a vector grows");
    encoder.finish().expect("a vector grows")
}

async fn read(body: Body, encoding: Encoding) -> Read {
    let limits = BodyLimits { bytes: LIMIT, time: Duration::from_secs(5) };
    let mut lines = Lines::new(body, encoding, limits);
    let memory = SharedMemory::new(1 << 20);
    let (_sender, first) = watch::channel(0);
    let mut read = Vec::new();
    loop {
        let share = memory.clone().share();
        let mut claim = Claim::new(share, 0, first.clone(), Duration::ZERO);
        match lines.next(&mut claim).await {
            Line::Whole(line) => read.push((lines.number(), Some(line))),
            Line::Refused(_) => read.push((lines.number(), None)),
            Line::Broken(problem) => panic!("{problem:?}"),
            Line::End => return read,
        }
    }
}

fn expected(text: &[u8]) -> Read {
    let lines = text.split_inclusive(|&byte| byte == b'\n').enumerate();
    lines
        .map(|(number, line)| (number + 1, line.strip_suffix(b"\n").unwrap_or(line)))
        .filter(|(_, line)| line.len() > LIMIT || !line.iter().all(u8::is_ascii_whitespace))
        .map(|(number, line)| (number, (line.len() <= LIMIT).then(|| line.to_vec())))
        .collect()
}
