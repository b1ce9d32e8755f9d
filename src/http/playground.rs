//! The playground: a page on which boards are drawn, solved and replayed. Its
//! files are those of the folder `playground/`, embedded as they stand there; it
//! uses the public API like any other caller.
//!
//! A debug build reads the files anew for each request, so that an edit shows
//! on the next reload.

use std::fmt::Write as _;

use axum::extract::Path;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::http::problem::{Code, Problem};

#[derive(RustEmbed)]
#[folder = "playground/"]
struct Files;

/// `GET /`: the page.
///
/// # Errors
/// As [`file()`].
pub async fn index(headers: HeaderMap) -> Result<Response, Problem> {
    playground_file("index.html", &headers)
}

/// `GET /playground/{file}`: what the page loads.
///
/// # Errors
/// `not_found`.
pub async fn file(Path(path): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    playground_file(&path, &headers)
}

/// What the page may load and ask: this service alone, and nothing inline.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

fn playground_file(path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let found = Files::get(path).zip(media_type(path));
    let Some((file, media_type)) = found else {
        return Err(Problem::new(Code::NotFound, "The playground has no such file."));
    };
    let tag = tag(&file);
    let fixed: [(HeaderName, HeaderValue); 3] = [
        // The files have one address each, so every use asks whether its copy is still right.
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (CONTENT_SECURITY_POLICY, POLICY),
        // A link's fragment is never sent; neither need the page's address be.
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    let is_fresh = headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .any(|known| known.trim() == tag || known.trim() == "*");
    if is_fresh {
        return Ok((StatusCode::NOT_MODIFIED, fixed, [(ETAG, tag)]).into_response());
    }
    let of_file = [(CONTENT_TYPE, media_type.to_owned()), (ETAG, tag)];
    Ok((fixed, of_file, file.data).into_response())
}

/// A weak tag: the bytes that are sent may be compressed or not.
fn tag(file: &EmbeddedFile) -> String {
    let mut tag = String::from("W/\"");
    for byte in &file.metadata.sha256_hash()[..16] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    tag
}

/// The media type by the file's name; what has none is not served.
fn media_type(path: &str) -> Option<&'static str> {
    match path.rsplit_once('.')?.1 {
        "html" => Some("text/html; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
