//! Requests that the tests send, and what they share in asking.

use serde_json::{Value, json};

use crate::support::{Answer, Service};

/// A board that is decided at once.
pub(crate) fn quick() -> Value {
    json!({ "board": ["0000", "0000", "0000", "0000"] })
}

/// A board that no search decides within minutes: a large empty square, with one
/// cell blocked by `variant`, so that two of them are never the same request.
pub(crate) fn hard(variant: usize) -> Value {
    let mut rows = vec!["0".repeat(17); 17];
    let (row, col) = (variant / 17 % 17, variant % 17);
    rows[row].replace_range(col..=col, "1");
    json!({ "board": rows })
}

/// The route of [`quick`] and [`hard`].
pub(crate) const ROUTE: &str = "/tetris-sg";

/// The value of a metric with these labels, as `/metrics` shows it; 0 when it is absent.
pub(crate) fn metric(service: &Service, name_and_labels: &str) -> f64 {
    let text = service.get("/metrics");
    text.text()
        .lines()
        .find_map(|line| line.strip_prefix(name_and_labels)?.strip_prefix(' ')?.parse().ok())
        .unwrap_or(0.0)
}

/// Checks that an answer is a problem of that status and code, in the form of RFC 9457.
#[track_caller]
pub(crate) fn assert_problem(answer: &Answer, status: u16, code: &str) -> Value {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/problem+json");
    let problem = answer.json();
    assert_eq!(problem["code"], code, "{problem}");
    assert_eq!(problem["status"], status, "{problem}");
    assert_eq!(problem["type"], format!("/problems/{code}"), "{problem}");
    assert_eq!(problem["request_id"], answer.header("x-request-id"), "{problem}");
    for member in ["title", "detail"] {
        assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{problem}");
    }
    assert!(
        problem.as_object().is_some_and(|members| members.values().all(|value| !value.is_null())),
        "nothing is null: {problem}"
    );
    problem
}
