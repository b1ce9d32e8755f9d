//! Headers and query strings: the first line is a query, the second `Accept`, the third `Content-Type`.
#![no_main]

use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use boardsolve::http::negotiation::{AnswerForm, BodyForm};
use boardsolve::http::query;
use boardsolve::puzzles;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let mut next = || lines.next().unwrap_or_default();
    let query = String::from_utf8_lossy(next()).into_owned();
    for endpoint in puzzles::ALL {
        for text_body in [false, true] {
            let _ = query::read(Some(&query), endpoint.options(), text_body);
        }
    }
    let mut headers = HeaderMap::new();
    if let Ok(accept) = HeaderValue::from_bytes(next()) {
        headers.insert(ACCEPT, accept);
    }
    if let Ok(content_type) = HeaderValue::from_bytes(next()) {
        headers.insert(CONTENT_TYPE, content_type);
    }
    let _ = BodyForm::of(&headers);
    let _ = AnswerForm::of(&headers, AnswerForm::Json);
});
