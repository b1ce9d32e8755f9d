//! JSON bodies that end their line: a terminal's prompt stands on its own then.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A value as a line of JSON.
///
/// # Errors
/// When the value can't be written as JSON.
pub fn line<T: Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// A body that is one line of JSON.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match line(&self.0) {
            Ok(line) => ([(CONTENT_TYPE, "application/json")], line).into_response(),
            // The outermost layer makes it a problem.
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}
