//! Whole requests to the service's own router, without a socket.
//!
//! The bytes are a request as one would write it down: `METHOD TARGET`, headers line by
//! line, a blank line, the body. `{id}` in the target is the id of the job accepted last, so
//! that a job's paths can be met. A body said to be gzip that does not begin as one is
//! compressed first: no fuzzer guesses a checksum. `x-piece: N` sends the body N bytes at a time.

use std::cell::RefCell;
use std::convert::Infallible;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, LOCATION};
use axum::http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri};
use boardsolve::app::{self, RouterOptions};
use boardsolve::http::access::Access;
use boardsolve::http::body::BodyLimits;
use boardsolve::http::run::SolveLimits;
use boardsolve::http::service::{Service, ServiceLimits};
use boardsolve::jobs::store::Store;
use boardsolve::jobs::{JobLimits, Jobs};
use boardsolve::puzzles;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use futures_util::stream;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// How long an answer that never ends, a job's events, is listened to.
const LISTEN: Duration = Duration::from_millis(5);

struct Client {
    runtime: Runtime,
    routes: Router,
    job: String,
}

thread_local! {
    static CLIENT: RefCell<Client> = RefCell::new(Client::new());
}

/// Sends the request that the bytes are, and checks the answer's form.
pub fn send(bytes: &[u8]) {
    if let Some(request) = Written::read(bytes) {
        CLIENT.with_borrow_mut(|client| client.send(request));
    }
}

/// A request as it is written down.
struct Written<'bytes> {
    method: Method,
    target: &'bytes str,
    headers: HeaderMap,
    body: Vec<u8>,
    piece: usize,
}

impl<'bytes> Written<'bytes> {
    fn read(bytes: &'bytes [u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut line = || {
            let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            let line = &rest[..end];
            rest = &rest[(end + 1).min(rest.len())..];
            line
        };
        let (method, target) = std::str::from_utf8(line()).ok()?.split_once(' ')?;
        let method = Method::from_bytes(method.as_bytes()).ok()?;
        let mut headers = HeaderMap::new();
        let mut piece = usize::MAX;
        loop {
            let header = line();
            if header.is_empty() {
                break;
            }
            let colon = header.iter().position(|&byte| byte == b':')?;
            let (name, value) = (&header[..colon], header[colon + 1..].trim_ascii());
            if name == b"x-piece" {
                piece = std::str::from_utf8(value).ok()?.parse().ok()?;
                continue;
            }
            let name = HeaderName::from_bytes(name).ok()?;
            headers.append(name, HeaderValue::from_bytes(value).ok()?);
        }
        let mut body = rest.to_vec();
        let is_gzip = headers.get(CONTENT_ENCODING).is_some_and(|value| value == "gzip");
        if is_gzip && !body.starts_with(&[0x1f, 0x8b]) {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&body).ok()?;
            body = encoder.finish().ok()?;
        }
        Some(Self { method, target, headers, body, piece: piece.max(1) })
    }
}

impl Client {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let time = Duration::from_millis(20);
        let limits = ServiceLimits {
            places: 1,
            queue: 8,
            max_wait: Duration::from_secs(1),
            solve: SolveLimits { default_time: time, max_time: time, memory: 64 << 20, cache: 0 },
            body: BodyLimits { bytes: 4096, time: Duration::from_secs(5) },
            shared_memory: 256 << 20,
        };
        let names = puzzles::ALL.iter().map(|endpoint| endpoint.name());
        let access = Access::new(Vec::new(), None, None);
        let service = runtime.block_on(async {
            let service = Service::new(limits, access, names, json!({})).expect("threads");
            let tally = Arc::clone(service.metrics().jobs());
            let file = std::env::temp_dir().join(format!("fuzz-{}.sqlite", std::process::id()));
            let url = format!("sqlite://{}", file.display());
            let store = Store::open(&url, Arc::clone(&tally)).await.expect("a store");
            let keep = Duration::from_secs(60);
            let limits = JobLimits { places: 1, queue: 1000, max_time: time, keep };
            let draining = service.drain_token();
            // Nobody works: what is accepted waits until it is cancelled.
            let jobs = Jobs { store, limits, hints: Default::default(), tally, draining };
            service.with_jobs(Arc::new(jobs)).expect("threads")
        });
        let routes = app::router(Arc::new(service), &RouterOptions::default());
        Self { runtime, routes, job: "0".repeat(32) }
    }

    fn send(&mut self, written: Written) {
        let target = written.target.replace("{id}", &self.job);
        let Ok(target) = Uri::try_from(target) else { return };
        let pieces: Vec<_> =
            written.body.chunks(written.piece).map(|piece| Ok(piece.to_vec())).collect();
        let mut request = Request::new(Body::from_stream(stream::iter::<
            Vec<Result<Vec<u8>, Infallible>>,
        >(pieces)));
        let is_head = written.method == Method::HEAD;
        *request.method_mut() = written.method;
        *request.uri_mut() = target;
        *request.headers_mut() = written.headers;
        let routes = self.routes.clone();
        let (head, body) = self.runtime.block_on(async {
            let Ok(response) = routes.oneshot(request).await;
            let (head, body) = response.into_parts();
            let is_endless = content_type(&head.headers) == "text/event-stream";
            let read = to_bytes(body, usize::MAX);
            if is_endless {
                return (head, tokio::time::timeout(LISTEN, read).await.ok());
            }
            (head, Some(read.await))
        });
        if let Some(job) = head.headers.get(LOCATION).and_then(|value| value.to_str().ok())
            && let Some(id) = job.strip_prefix("/jobs/")
        {
            id.clone_into(&mut self.job);
        }
        let Some(body) = body else { return };
        let mut body = body.expect("an answer is sent to its end").to_vec();
        if !is_head && head.headers.contains_key(CONTENT_ENCODING) {
            let packed = std::mem::take(&mut body);
            GzDecoder::new(packed.as_slice()).read_to_end(&mut body).expect("the answer is gzip");
        }
        if !is_head {
            check(head.status, content_type(&head.headers), &body);
        }
        assert_ne!(head.status, StatusCode::INTERNAL_SERVER_ERROR, "a fault of the service's own");
    }
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("")
}

/// An answer is what its type says, and a problem has its code and status.
fn check(status: StatusCode, content_type: &str, body: &[u8]) {
    let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON");
    match content_type {
        "application/json" => drop(json(body)),
        "application/x-ndjson" => {
            for line in body.split_inclusive(|&byte| byte == b'\n') {
                assert!(json(line)["line"].is_u64(), "a line has its number");
            }
        }
        "image/svg+xml" if status.is_success() => assert!(!body.is_empty()),
        _ => {}
    }
    if status.is_client_error() || status.is_server_error() {
        assert_eq!(content_type, "application/problem+json");
        let problem = json(body);
        assert_eq!(problem["status"], status.as_u16());
        assert!(problem["code"].is_string(), "{problem}");
    }
}
