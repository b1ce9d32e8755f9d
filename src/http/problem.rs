//! One way to fail: a closed table of error codes, and the envelope
//! (RFC 9457 `application/problem+json`) in which every fault leaves.
//!
//! A handler returns a [`Problem`]; its response carries the problem as an
//! extension and no body. The outermost layer gives it the request's id and
//! writes the body, by [`with_body`]. It does the same for every answer that is
//! an error without being a problem (those of the router or of a layer), so
//! that nothing bypasses the form.

use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::body;
use crate::http::json;
use crate::http::request_id::RequestId;
use crate::puzzle::{Invalid, Place};

macro_rules! codes {
    ($($(#[doc = $explanation:literal])+ $variant:ident = $code:literal, $status:ident, $title:literal;)+) => {
        /// Every code that an error can carry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[doc = $explanation])+ $variant,)+
        }

        impl Code {
            /// All codes, in the order of the error table.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word in the body's `code` and in the path of its page.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The HTTP status it is sent with.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)+ }
            }

            /// The body's `title`.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)+ }
            }

            /// What it means and what to do, for its page.
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$variant => concat!($($explanation,)+),)+ }
            }
        }
    };
}

codes! {
    /// The body is not JSON, not UTF-8, not valid gzip, or not in the contest's form.
    /// `detail` says where the form breaks; text bodies carry `line` and `column`.
    MalformedBody = "malformed_body", BAD_REQUEST, "The body's form is broken";
    /// A query parameter is not known or its value is out of range.
    /// The puzzle's own options are query parameters only beside a `text/plain` body; in JSON they are fields.
    InvalidQuery = "invalid_query", BAD_REQUEST, "A query parameter is wrong";
    /// There is nothing at this path. `/docs` lists what there is.
    NotFound = "not_found", NOT_FOUND, "No such path";
    /// The path exists, but not with this method; the `Allow` header names those that do.
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "Method not allowed";
    /// None of the media types in `Accept` can be produced here; `detail` names those that can.
    NotAcceptable = "not_acceptable", NOT_ACCEPTABLE, "The Accept header can't be met";
    /// The body's `Content-Type` or `Content-Encoding` is not one that is read here; `detail` names those that are.
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "Media type not known";
    /// The body is larger than the operator's `--body-limit-kb`, before or after decompression.
    BodyTooLarge = "body_too_large", PAYLOAD_TOO_LARGE, "The body is too large";
    /// The body is well-formed but not a legal puzzle: a missing or unknown field, a wrong JSON type,
    /// rows of different lengths, a tile out of range, a board over the size cap.
    /// `errors` points at the place.
    InvalidPuzzle = "invalid_puzzle", UNPROCESSABLE_ENTITY, "Not a legal puzzle";
    /// The `Idempotency-Key` is not 1 to 255 visible characters, or it came before with another request.
    /// A key stands for one request; take a new one for a new request.
    IdempotencyKey = "idempotency_key", UNPROCESSABLE_ENTITY, "The Idempotency-Key can't be used";
    /// The body did not arrive within the operator's `--body-timeout-ms`.
    BodyTimeout = "body_timeout", REQUEST_TIMEOUT, "The body did not arrive in time";
    /// This service asks for a key: send `Authorization: Bearer KEY`.
    Unauthorized = "unauthorized", UNAUTHORIZED, "A valid key is needed";
    /// This key or address sent more requests than the operator allows; wait as `Retry-After` says.
    RateLimited = "rate_limited", TOO_MANY_REQUESTS, "Too many requests";
    /// The job has no answer: it has not ended yet, or it was cancelled. `GET /jobs/{id}` tells.
    NoAnswer = "no_answer", CONFLICT, "There is no answer";
    /// The answers of a job take more memory than a solve may hold, the operator's `--solve-memory-mb`.
    /// Send its cases in several jobs.
    AnswerTooLarge = "answer_too_large", UNPROCESSABLE_ENTITY, "The answer is too large";
    /// The job's result is no longer kept.
    Gone = "gone", GONE, "No longer kept";
    /// Every place is taken and the queue is full, or no place became free within the maximum wait,
    /// or the memory for bodies is used up, or as many jobs wait as may.
    /// Nothing was solved; try again after `Retry-After` seconds.
    Overloaded = "overloaded", SERVICE_UNAVAILABLE, "The service is overloaded";
    /// The store of the jobs can't be reached just now, so it is not known whether the job was accepted.
    /// Send the same request with the same `Idempotency-Key` after `Retry-After` seconds.
    JobsUnavailable = "jobs_unavailable", SERVICE_UNAVAILABLE, "The jobs can't be reached";
    /// The service is shutting down; another replica or a later try will answer.
    Draining = "draining", SERVICE_UNAVAILABLE, "The service is shutting down";
    /// A text or picture answer was asked for, which can't say 'unknown', and the board was not decided
    /// within the limits. Ask for JSON, or for a longer `time_limit_ms`.
    Undecided = "undecided", SERVICE_UNAVAILABLE, "Not decided within the limits";
    /// A bug in the service. It was logged with the request's id; nothing about it is sent.
    Internal = "internal", INTERNAL_SERVER_ERROR, "An internal error";
}

impl Code {
    /// The code of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

/// A fault on its way to the caller.
#[derive(Clone, Debug)]
pub struct Problem {
    code: Code,
    detail: String,
    errors: Vec<FieldError>,
    line: Option<usize>,
    column: Option<usize>,
    limit: Option<(u64, u64)>,
    retry_after_seconds: Option<u64>,
}

impl Problem {
    /// A fault; `detail` says what was wrong, why, and what would be right.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            errors: Vec::new(),
            line: None,
            column: None,
            limit: None,
            retry_after_seconds: None,
        }
    }

    /// A bug: whatever it was, the caller learns only that it was ours.
    pub fn internal() -> Self {
        Self::new(
            Code::Internal,
            "The service failed on this request. The failure was logged under this request_id.",
        )
    }

    /// Points at a place of a JSON body.
    #[must_use]
    pub fn at_pointer(mut self, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        self.errors.push(FieldError { pointer: pointer.into(), detail: detail.into() });
        self
    }

    /// Points at a line and a column of a text body, both from 1.
    #[must_use]
    pub const fn at_position(mut self, line: usize, column: usize) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// The same fault on a line of a body that holds one request a line. Such a request was
    /// read by itself, so that its own line is the first.
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Self {
        if self.line == Some(1) {
            self.detail = self.detail.replacen("line 1", &format!("line {line}"), 1);
        }
        self.line = Some(line);
        self
    }

    /// Names the cap that was passed and the value that passed it.
    #[must_use]
    pub const fn with_limit(mut self, limit: u64, actual: u64) -> Self {
        self.limit = Some((limit, actual));
        self
    }

    /// Says after how many seconds another try makes sense.
    #[must_use]
    pub const fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// The problem that a body in its wire form tells of.
    pub fn of_body(body: &ProblemBody) -> Self {
        Self {
            code: Code::from_name(&body.code).unwrap_or(Code::Internal),
            detail: body.detail.clone(),
            errors: body.errors.clone().unwrap_or_default(),
            line: body.line,
            column: body.column,
            limit: body.limit.zip(body.actual),
            retry_after_seconds: None,
        }
    }

    /// The code.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The sentence for the caller.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The body as a line of JSON, as answers are.
    pub fn line(&self, request_id: &str) -> Vec<u8> {
        json::line(&self.body(request_id)).unwrap_or_default()
    }

    /// The body in its wire form.
    pub fn body(&self, request_id: &str) -> ProblemBody {
        ProblemBody {
            r#type: format!("/problems/{}", self.code.name()),
            title: self.code.title().to_owned(),
            status: self.code.status().as_u16(),
            detail: self.detail.clone(),
            code: self.code.name().to_owned(),
            request_id: request_id.to_owned(),
            errors: (!self.errors.is_empty()).then(|| self.errors.clone()),
            line: self.line,
            column: self.column,
            limit: self.limit.map(|(limit, _)| limit),
            actual: self.limit.map(|(_, actual)| actual),
        }
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Self {
        let code = if invalid.malformed { Code::MalformedBody } else { Code::InvalidPuzzle };
        let problem = Self::new(code, invalid.to_string());
        let problem = match invalid.place {
            Place::Pointer(pointer) => problem.at_pointer(pointer, invalid.detail),
            Place::Line { line, column } => problem.at_position(line, column),
        };
        match invalid.limit {
            Some(cap) => problem.with_limit(cap.limit, cap.actual),
            None => problem,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// What went wrong, in the form of RFC 9457.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// A path of this service that explains the code.
    #[schema(example = "/problems/invalid_puzzle")]
    pub r#type: String,
    /// The code in words.
    pub title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What was wrong, why, and what would be right.
    pub detail: String,
    /// The code; the part of `type` after the last slash.
    #[schema(example = "invalid_puzzle")]
    pub code: String,
    /// The id of the request, as in the header `X-Request-Id` and in the service's log.
    pub request_id: String,
    /// The places in a JSON body that are wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub errors: Option<Vec<FieldError>>,
    /// The line of a body of text or of many requests, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub line: Option<usize>,
    /// The column in that line, in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub column: Option<usize>,
    /// The cap that was passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<u64>,
    /// The value that passed the cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub actual: Option<u64>,
}

/// One fault in a JSON body.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ProblemError)]
pub struct FieldError {
    /// A JSON pointer (RFC 6901) to the place; empty for the whole body.
    #[schema(example = "/board/3")]
    pub pointer: String,
    /// What is wrong there.
    pub detail: String,
}

/// Gives an error its problem body; other answers stay as they are.
pub fn with_body(response: Response, request_id: &RequestId) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let problem = match response.extensions().get::<Problem>() {
        Some(problem) => problem.clone(),
        None => of_bare_status(status),
    };
    let (mut parts, _) = response.into_parts();
    parts.status = problem.code.status();
    // The body that is replaced may have been compressed.
    parts.headers.remove(CONTENT_ENCODING);
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    parts.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = problem.retry_after_seconds {
        parts.headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    if problem.code == Code::Unauthorized {
        parts.headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    Response::from_parts(parts, Body::from(problem.line(request_id.as_str())))
}

/// The problem of an error that came without one: a layer's, or the router's (400: a path not UTF-8).
fn of_bare_status(status: StatusCode) -> Problem {
    match Code::ALL.iter().find(|code| code.status() == status) {
        Some(Code::Internal) | None => Problem::internal(),
        Some(Code::MalformedBody) => Problem::new(Code::NotFound, "The path is not UTF-8."),
        Some(&code) => Problem::new(code, code.explanation().trim()),
    }
}

/// Answers a path that does not exist.
pub async fn not_found(mut request: Request) -> Problem {
    body::discard(request.body_mut()).await;
    let path: String = request.uri().path().chars().take(200).collect();
    Problem::new(
        Code::NotFound,
        format!("There is nothing at `{path}`. The API is described at `/docs`."),
    )
}

/// Answers a method that the path does not have; the router adds `Allow`.
pub async fn method_not_allowed(mut request: Request) -> Problem {
    body::discard(request.body_mut()).await;
    let (path, method) = (request.uri().path(), request.method());
    let detail = format!("`{path}` does not take {method}; `Allow` names what it takes.");
    Problem::new(Code::MethodNotAllowed, detail)
}

/// Answers a panic that a layer caught; the panic itself was logged by the hook.
pub fn panicked(_: Box<dyn std::any::Any + Send + 'static>) -> Response {
    Problem::internal().into_response()
}

/// `GET /problems/{code}`: a short page on one code.
pub async fn page(Path(name): Path<String>) -> Result<impl IntoResponse, Problem> {
    let code = Code::from_name(&name).ok_or_else(|| {
        let names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        Problem::new(Code::NotFound, format!("There is no such code. Codes: {}.", names.join(", ")))
    })?;
    let page = Html(format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{name}: {title}</title>\n\
         <style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;\
         color-scheme:light dark}}</style>\n\
         <h1>{title}</h1>\n<p><code>{name}</code>, HTTP {status}</p>\n<p>{explanation}</p>\n\
         <p><a href=\"/docs/\">The API</a></p>\n</html>\n",
        name = code.name(),
        title = code.title(),
        status = code.status(),
        explanation = code.explanation().trim(),
    ));
    Ok(([(CONTENT_SECURITY_POLICY, PAGE_POLICY)], page))
}

/// The page is text with a style of its own.
const PAGE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_without_a_problem_gets_the_code_of_its_status() {
        for (status, code) in [
            (StatusCode::METHOD_NOT_ALLOWED, Code::MethodNotAllowed),
            (StatusCode::PAYLOAD_TOO_LARGE, Code::BodyTooLarge),
            (StatusCode::INTERNAL_SERVER_ERROR, Code::Internal),
            (StatusCode::IM_A_TEAPOT, Code::Internal),
        ] {
            assert_eq!(of_bare_status(status).code(), code, "{status}");
        }
        let no_text = of_bare_status(StatusCode::BAD_REQUEST);
        assert_eq!((no_text.code(), no_text.detail()), (Code::NotFound, "The path is not UTF-8."));
    }

    #[test]
    fn a_panic_of_a_handler_is_an_internal_error_and_says_nothing_of_itself() {
        let response = with_body(panicked(Box::new("a secret")), &RequestId::fresh());
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let problem = response.extensions().get::<Problem>();
        assert!(
            problem.is_some_and(|problem| !problem.detail().contains("secret")),
            "{response:?}"
        );
    }
}
