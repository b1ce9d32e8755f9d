//! The id of a request: taken from `X-Request-Id` when it is sane, made
//! otherwise, echoed in the answer, and part of every log line and problem.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::Request;
use axum::http::{Extensions, HeaderName, HeaderValue};
use axum::response::Response;

/// The header that carries the id both ways.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

const MAX_LENGTH: usize = 64;

/// The id of one request.
#[derive(Clone, Debug)]
pub struct RequestId(Arc<str>);

impl RequestId {
    /// The id that [`Self::assign`] gave the request; `-` where it gave none.
    pub fn of(extensions: &Extensions) -> Self {
        extensions.get::<Self>().cloned().unwrap_or_else(|| Self("-".into()))
    }

    /// The id's text: 1 to 64 of `A-Za-z0-9._-`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn from_header(value: &HeaderValue) -> Option<Self> {
        let text = value.to_str().ok()?;
        let is_sane = (1..=MAX_LENGTH).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        is_sane.then(|| Self(text.into()))
    }

    /// Gives a request its id: the one that it brings, or a new one.
    pub fn assign(request: &mut Request) -> Self {
        let id =
            request.headers().get(HEADER).and_then(Self::from_header).unwrap_or_else(Self::fresh);
        request.extensions_mut().insert(id.clone());
        id
    }

    /// Tells the caller.
    pub fn echo(&self, mut response: Response) -> Response {
        if let Ok(value) = HeaderValue::from_str(self.as_str()) {
            response.headers_mut().insert(HEADER, value);
        }
        response
    }

    /// A new id: when this process first made one, and how many it has made since.
    pub fn fresh() -> Self {
        static SERIES: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let series = SERIES.get_or_init(|| {
            let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            since_epoch.as_micros() as u64 ^ (u64::from(std::process::id()) << 48)
        });
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{series:016x}-{number:x}").into())
    }
}
