//! Requests that the tests send, and what they share in asking.

use serde_json::Value;

use crate::support::Answer;

pub(crate) use crate::support::asking::{ROUTE, hard, metric, quick};

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
