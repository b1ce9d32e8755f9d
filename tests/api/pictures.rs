//! `Accept: image/svg+xml`: a picture of one board.

use serde_json::json;

use crate::boards::{ROUTE, assert_problem, hard, quick};
use crate::support::{Answer, Service};

fn ask(service: &Service, path: &str, content_type: &str, body: &str) -> Answer {
    let request = service
        .request("POST", path)
        .header("Content-Type", content_type)
        .header("Accept", "image/svg+xml");
    service.send(request.body(body.into()).expect("the request is well-formed"))
}

#[test]
fn every_puzzle_draws_its_examples_from_json_and_from_text() {
    let service = Service::start();
    for endpoint in boardsolve::puzzles::ALL {
        let path = format!("/{}", endpoint.name());
        let request = &endpoint.examples()[0].request;
        let answer = ask(&service, &path, "application/json", &request.to_string());
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        assert_eq!(answer.header("content-type"), "image/svg+xml");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(
            answer.header("content-security-policy"),
            "default-src 'none'; style-src 'unsafe-inline'"
        );
        assert!(answer.header("server-timing").starts_with("queue;dur="));
        assert!(answer.text().starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
        assert!(answer.text().ends_with("</svg>\n"));
        let again = ask(&service, &path, "application/json", &request.to_string());
        assert_eq!(again.header("cache-status"), "boardsolve; hit", "{path}");
        assert_eq!(again.text(), answer.text(), "{path}");
    }
    let one = ask(&service, "/linkgame", "text/plain", "2 3\nAB*\n*BA\n0 0\n");
    let same = ask(&service, "/linkgame", "application/json", "{\"board\":[\"AB*\",\"*BA\"]}");
    assert_eq!((one.status, one.text()), (200, same.text()));
}

#[test]
fn a_no_is_a_picture_too() {
    let service = Service::start();
    let answer = ask(&service, "/linkgame", "application/json", "{\"board\":[\"AB\",\"BA\"]}");
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("can’t be cleared"), "{}", answer.text());
}

#[test]
fn a_picture_takes_exactly_one_case_and_several_are_refused_before_any_is_solved() {
    let service = Service::start();
    // The first case would take minutes.
    let row = "0".repeat(17);
    let hard = format!("17 17\n{}", format!("{row}\n").repeat(17)).replacen('0', "1", 1);
    let body = format!("{hard}2 2\n00\n00\n3 3\n000\n000\n000\n");
    let problem = assert_problem(&ask(&service, ROUTE, "text/plain", &body), 422, "invalid_puzzle");
    assert_eq!(problem["line"], 19, "{problem}");
    assert_eq!((&problem["limit"], &problem["actual"]), (&json!(1), &json!(3)), "{problem}");
    let detail = problem["detail"].as_str().expect("a sentence");
    assert!(detail.starts_with("`image/svg+xml` takes exactly one case"), "{detail}");
}

#[test]
fn a_picture_cannot_say_unknown() {
    let service = Service::start();
    let path = format!("{ROUTE}?time_limit_ms=50");
    let answer = ask(&service, &path, "application/json", &hard(3).to_string());
    assert_problem(&answer, 503, "undecided");
}

#[test]
fn the_faults_of_a_request_are_problems_whatever_was_accepted() {
    let service = Service::start();
    let answer = ask(&service, ROUTE, "application/json", "{\"board\": [\"02\"]}");
    assert_problem(&answer, 422, "invalid_puzzle");
}

#[test]
fn json_is_preferred_where_a_picture_is_as_welcome() {
    let service = Service::start();
    for (accept, expected) in [
        ("*/*", "application/json"),
        ("image/svg+xml, application/json", "application/json"),
        ("image/svg+xml, application/json;q=0.9", "image/svg+xml"),
        ("image/*", "image/svg+xml"),
        ("text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8", "application/json"),
    ] {
        let request = service.request("POST", ROUTE).header("Accept", accept);
        let request = request.body(quick().to_string().into()).expect("the request is well-formed");
        let answer = service.send(request);
        assert_eq!((answer.status, answer.header("content-type")), (200, expected), "{accept}");
    }
}
