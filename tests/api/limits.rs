//! Limits at their very edge: what has just as much as is allowed is taken, one more is not.

use std::io::Write;

use serde_json::Value;

use crate::boards::{ROUTE, assert_problem, quick};
use crate::bulk_client::{NDJSON, assert_problem_line, post};
use crate::support::{Answer, Service};

/// A request for the quick board that takes so many bytes.
fn of_length(length: usize) -> String {
    format!("{:<length$}", quick().to_string())
}

#[track_caller]
fn assert_over(problem: &Value, limit: usize, actual: usize) {
    assert_eq!(problem["limit"], limit, "{problem}");
    assert_eq!(problem["actual"], actual, "{problem}");
}

/// Sends a body whose length is not told before it comes.
fn post_chunked(service: &Service, body: &str) -> String {
    let mut stream = service.connect();
    let head = format!(
        "POST {ROUTE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    let (first, second) = body.split_at(body.len() / 2);
    let chunk = |part: &str| format!("{:x}\r\n{part}\r\n", part.len());
    let sent = [&head, &chunk(first), &chunk(second), "0\r\n\r\n"].concat();
    stream.write_all(sent.as_bytes()).expect("the body is sent");
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer).expect("it answers and closes");
    answer
}

#[test]
fn a_body_of_just_the_limit_is_read_and_a_byte_more_is_told() {
    let service = Service::start_with(&["--body-limit-kb", "4"]);
    let answer = service.post(ROUTE, "application/json", of_length(4096));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let answer = service.post(ROUTE, "application/json", of_length(4097));
    assert_over(&assert_problem(&answer, 413, "body_too_large"), 4096, 4097);
    let answer = post_chunked(&service, &of_length(4096));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let answer = post_chunked(&service, &of_length(4097));
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(answer.contains("\"limit\":4096,\"actual\":4097"), "{answer}");
}

#[test]
fn a_packed_body_may_unfold_to_just_the_limit() {
    let service = Service::start_with(&["--body-limit-kb", "4"]);
    let send = |body: String| -> Answer {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(body.as_bytes()).expect("a vector takes every byte");
        let packed = encoder.finish().expect("a vector takes every byte");
        let request = service.request("POST", ROUTE).header("Content-Encoding", "gzip");
        service.send(request.body(packed).expect("the request is well-formed"))
    };
    let answer = send(of_length(4096));
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_over(&assert_problem(&send(of_length(4097)), 413, "body_too_large"), 4096, 4097);
}

#[test]
fn a_line_of_just_the_limit_is_solved_and_a_byte_more_is_told() {
    let service = Service::start_with(&["--body-limit-kb", "4"]);
    let body = format!("{}\n{}\n{}", of_length(4096), of_length(4097), of_length(4096));
    let answers = post(&service, ROUTE, body);
    assert_eq!(answers[0]["status"], "solved", "{}", answers[0]);
    assert_problem_line(&answers[1], 2, "body_too_large");
    assert_over(&answers[1], 4096, 4097);
    assert_eq!(answers[2]["status"], "solved", "{}", answers[2]);
}

#[test]
fn a_text_body_holds_a_hundred_thousand_cases_and_no_more() {
    let service = Service::start();
    // A picture of several boards is refused after the cases were counted and before any is solved.
    let ask = |cases: usize| {
        let request = service.request("POST", ROUTE);
        let request =
            request.header("Content-Type", "text/plain").header("Accept", "image/svg+xml");
        let answer =
            service.send(request.body("1 1\n0\n".repeat(cases).into()).expect("a request"));
        assert_problem(&answer, 422, "invalid_puzzle")
    };
    assert_over(&ask(100_000), 1, 100_000);
    let problem = ask(100_001);
    assert_over(&problem, 100_000, 100_001);
    assert_eq!(problem["line"], 200_001, "{problem}");
}

/// Sends a body of which more is refused than the sockets between the two hold for one that
/// does not read, all of it before the answer is read.
fn post_refused(service: &Service, path: &str, headers: &str, body: &[u8]) -> String {
    let mut stream = service.connect();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("the head is sent");
    stream.write_all(body).unwrap_or_else(|error| panic!("{path} {headers}: {error}"));
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer).expect("it answers and closes");
    answer
}

const REFUSED_BYTES: usize = 8 << 20;

#[test]
fn a_refused_body_is_taken_nevertheless_so_that_its_sender_sees_the_refusal() {
    let service = Service::start_with(&["--body-limit-kb", "4", "--api-keys", "alpha"]);
    let body = vec![b' '; REFUSED_BYTES];
    let key = "Authorization: Bearer alpha\r\n";
    for (path, headers, status) in [
        ("/nothing", "", "404"),
        ("/livez", "", "405"),
        (ROUTE, "", "401"),
        (ROUTE, key, "413"),
        (ROUTE, &format!("{key}Accept: image/png\r\n"), "406"),
        (ROUTE, &format!("{key}Content-Encoding: br\r\n"), "415"),
        (ROUTE, &format!("{key}Content-Type: {NDJSON}\r\nContent-Encoding: gzip\r\n"), "400"),
    ] {
        let answer = post_refused(&service, path, headers, &body);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
    }
}

#[test]
fn what_follows_a_fault_that_ends_a_stream_is_taken_as_well() {
    let service = Service::start();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writeln!(encoder, "{}", quick()).expect("a vector takes every byte");
    let mut body = encoder.finish().expect("a vector takes every byte");
    body.resize(REFUSED_BYTES, b' ');
    let headers = format!("Content-Type: {NDJSON}\r\nContent-Encoding: gzip\r\n");
    let answer = post_refused(&service, ROUTE, &headers, &body);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("{\"line\":1,\"status\":\"solved\""), "{answer}");
    assert!(answer.contains("The body is not valid gzip."), "{answer}");
}
