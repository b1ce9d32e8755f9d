//! Who is turned away, and why.

use serde_json::{Value, json};

use crate::asking::{ROUTE, accepted, ask, assert_problem, cancel, hard, metric, quick};
use crate::files::Folder;
use crate::support::{Answer, command};

#[test]
fn a_request_is_checked_before_it_is_stored() {
    let folder = Folder::new();
    let service = folder.serve(&[]);
    let faults: [(&str, Value, u16, &str); 3] = [
        ("?no_such=1", quick(), 400, "invalid_query"),
        ("", json!({ "board": ["00", "0"] }), 422, "invalid_puzzle"),
        ("", json!([]), 422, "invalid_puzzle"),
    ];
    for (query, body, status, code) in faults {
        let answer = ask(&service, &format!("{ROUTE}{query}"), &body, &[]);
        assert_problem(&answer, status, code);
    }
    let answer = ask(&service, ROUTE, &quick(), &[("Accept", "image/png")]);
    assert_problem(&answer, 406, "not_acceptable");
    assert_eq!(metric(&service, "boardsolve_jobs_accepted_total"), 0.0);
}

#[test]
fn ids_that_nobody_has_are_not_found() {
    let folder = Folder::new();
    let service = folder.serve(&[]);
    for id in ["x", &"0".repeat(32), &"F".repeat(32), &"0".repeat(33)] {
        for path in
            [format!("/jobs/{id}"), format!("/jobs/{id}/answer"), format!("/jobs/{id}/events")]
        {
            assert_problem(&service.get(&path), 404, "not_found");
        }
        assert_problem(&cancel(&service, &format!("/jobs/{id}")), 404, "not_found");
    }
    let path = accepted(&service, ROUTE, &quick());
    assert_problem(&service.get(&format!("{path}?x=1")), 400, "invalid_query");
    assert_problem(&service.post(&path, "text/plain", ""), 405, "method_not_allowed");
}

#[test]
fn the_queue_has_a_bound_and_takes_more_when_one_leaves() {
    let folder = Folder::new();
    // Without places nothing leaves by itself.
    let service = folder.serve(&["--job-places", "0", "--job-queue", "2"]);
    let first = accepted(&service, ROUTE, &hard(0));
    let kept = ask(&service, ROUTE, &hard(1), &[("Idempotency-Key", "kept")]);
    assert_eq!(kept.status, 202);
    let refused = ask(&service, ROUTE, &hard(2), &[]);
    assert_problem(&refused, 503, "overloaded");
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!((&refused.json()["limit"], &refused.json()["actual"]), (&json!(2), &json!(3)));
    // A request that came before is not another job.
    let again = ask(&service, ROUTE, &hard(1), &[("Idempotency-Key", "kept")]);
    assert_eq!(again.header("location"), kept.header("location"));
    service.wait_until("the queue's length", |service| {
        metric(service, "boardsolve_jobs_waiting") == 2.0
    });
    assert_eq!(cancel(&service, &first).json()["state"], "cancelled");
    accepted(&service, ROUTE, &hard(2));
    assert_problem(&ask(&service, ROUTE, &hard(3), &[]), 503, "overloaded");
}

#[test]
fn a_job_is_seen_by_the_key_that_asked_for_it_alone() {
    let folder = Folder::new();
    let service = folder.serve(&["--api-keys", "alice,bob"]);
    let with = |key: &str| format!("Bearer {key}");
    let send = |method: &str, path: &str, key: &str| -> Answer {
        let request = service.request(method, path).header("Authorization", with(key));
        service.send(request.body(Vec::new()).expect("the request is well-formed"))
    };
    let alice = with("alice");
    let key = ("Idempotency-Key", "the same");
    let answer = ask(&service, ROUTE, &quick(), &[("Authorization", &alice), key]);
    assert_eq!(answer.status, 202, "{}", answer.text());
    let path = answer.header("location");
    assert_eq!(send("GET", path, "alice").status, 200);
    for path in [path.to_owned(), format!("{path}/answer"), format!("{path}/events")] {
        assert_problem(&send("GET", &path, "bob"), 404, "not_found");
        assert_problem(&service.get(&path), 401, "unauthorized");
    }
    assert_problem(&send("DELETE", path, "bob"), 404, "not_found");
    // Another caller's key for a request is another key.
    let bobs = ask(&service, ROUTE, &hard(0), &[("Authorization", &with("bob")), key]);
    assert_eq!(bobs.status, 202, "{}", bobs.text());
    assert_ne!(bobs.header("location"), path);
}

#[test]
fn what_is_no_store_is_refused_and_its_password_is_not_shown() {
    let output = command().args(["serve", "--jobs-url", "mysql://me:hush@db/jobs"]).output();
    let output = output.expect("the binary runs");
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("--jobs-url (BOARDSOLVE_JOBS_URL)"), "{told}");
    assert!(!told.contains("hush"), "{told}");
}
