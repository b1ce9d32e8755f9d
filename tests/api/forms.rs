//! Body and answer types, and how they are chosen.

use serde_json::json;

use crate::boards::{ROUTE, assert_problem, quick};
use crate::support::{Answer, Service};

const TEXT: &str = "4 4\n0000\n0000\n0000\n0000\n4 4\n0000\n0010\n0100\n0000\n";

fn send(service: &Service, headers: &[(&str, &str)], body: &str) -> Answer {
    let request = headers.iter().fold(service.request("POST", ROUTE), |request, (name, value)| {
        request.header(*name, *value)
    });
    service.send(request.body(body.into()).expect("the request is well-formed"))
}

#[test]
fn json_is_assumed_without_a_content_type_and_with_that_of_curl_d() {
    let service = Service::start();
    let body = quick().to_string();
    for headers in [
        &[][..],
        &[("Content-Type", "application/x-www-form-urlencoded")],
        &[("Content-Type", "application/json")],
        &[("Content-Type", "Application/JSON; charset=UTF-8")],
    ] {
        let answer = send(&service, headers, &body);
        assert_eq!(answer.status, 200, "{headers:?}: {}", answer.text());
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.json()["status"], "solved");
    }
}

#[test]
fn a_text_body_is_answered_in_text_unless_json_is_asked_for() {
    let service = Service::start();
    let text = [("Content-Type", "text/plain")];
    let answer = send(&service, &text, TEXT);
    assert_eq!((answer.status, answer.text()), (200, "Yes\nNo\n"));
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    let answer = send(&service, &[text[0], ("Accept", "application/json")], TEXT);
    let cases = answer.json();
    assert_eq!(cases.as_array().map(Vec::len), Some(2));
    assert_eq!(cases[0]["winner"], "first");
    assert_eq!(cases[1]["winner"], "second");
}

#[test]
fn one_text_case_asked_for_in_json_is_still_an_array() {
    let service = Service::start();
    let headers = [("Content-Type", "text/plain"), ("Accept", "application/json")];
    let answer = send(&service, &headers, "2 2\n00\n00\n");
    assert_eq!(answer.json().as_array().map(Vec::len), Some(1));
}

#[test]
fn what_a_text_answer_can_not_say_is_found_for_a_json_answer_alone() {
    let service = Service::start();
    let ask = |accept: &str| {
        let request = service.request("POST", &format!("{ROUTE}?moves=all"));
        let request = request.header("Content-Type", "text/plain").header("Accept", accept);
        service.send(request.body(b"2 3\n000\n000\n".to_vec()).expect("a request"))
    };
    assert_eq!(ask("text/plain").text(), "Yes\n");
    let answer = ask("application/json").json();
    let moves = answer[0]["winning_moves"].as_array().map(Vec::len);
    assert_eq!(moves, Some(2), "{answer}");
}

#[test]
fn a_json_body_is_answered_in_text_on_demand() {
    let service = Service::start();
    let answer = send(&service, &[("Accept", "text/plain")], &quick().to_string());
    assert_eq!((answer.status, answer.text()), (200, "Yes\n"));
}

#[test]
fn an_accept_header_that_takes_nothing_made_here_is_406_and_names_what_is_made() {
    let service = Service::start();
    let answer = send(&service, &[("Accept", "image/png")], &quick().to_string());
    let problem = assert_problem(&answer, 406, "not_acceptable");
    let detail = problem["detail"].as_str().expect("a sentence");
    assert!(detail.contains("application/json") && detail.contains("text/plain"), "{detail}");
}

#[test]
fn other_body_types_charsets_and_encodings_are_415() {
    let service = Service::start();
    let body = quick().to_string();
    for headers in [
        [("Content-Type", "application/xml")],
        [("Content-Type", "application/json; charset=latin1")],
        [("Content-Type", "nonsense")],
        [("Content-Encoding", "br")],
        [("Content-Encoding", "gzip, gzip")],
    ] {
        let answer = send(&service, &headers, &body);
        assert_problem(&answer, 415, "unsupported_media_type");
    }
}

#[test]
fn a_gzip_body_is_read_and_an_answer_is_compressed_when_asked() {
    use std::io::{Read, Write};
    let service = Service::start();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(quick().to_string().as_bytes()).expect("a vector takes every byte");
    let packed = encoder.finish().expect("a vector takes every byte");
    let request = service
        .request("POST", ROUTE)
        .header("Content-Encoding", "gzip")
        .header("Accept-Encoding", "gzip")
        .body(packed)
        .expect("the request is well-formed");
    let answer = service.send(request);
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    assert_eq!(answer.header("content-encoding"), "gzip");
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(answer.body.as_slice())
        .read_to_end(&mut plain)
        .expect("the answer is gzip");
    let answer: serde_json::Value = serde_json::from_slice(&plain).expect("the answer is JSON");
    assert_eq!(answer["status"], "solved");
}

#[test]
fn an_encoding_that_changes_nothing_may_be_named_and_gzip_comes_once() {
    use std::io::Write;
    let service = Service::start();
    let body = quick().to_string();
    let answer = send(&service, &[("Content-Encoding", "identity")], &body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(body.as_bytes()).expect("a vector takes every byte");
    let packed = encoder.finish().expect("a vector takes every byte");
    for (encodings, status) in
        [(&["identity", "X-GZIP"][..], 200), (&["gzip", "identity"], 200), (&["gzip", "gzip"], 415)]
    {
        let request = encodings.iter().fold(service.request("POST", ROUTE), |request, encoding| {
            request.header("Content-Encoding", *encoding)
        });
        let answer = service.send(request.body(packed.clone()).expect("a request"));
        assert_eq!(answer.status, status, "{encodings:?}: {:?}", answer.body);
    }
}

#[test]
fn what_is_not_gzip_or_grows_too_large_is_refused() {
    use std::io::Write;
    let service = Service::start_with(&["--body-limit-kb", "16"]);
    let send = |body: Vec<u8>| {
        let request = service.request("POST", ROUTE).header("Content-Encoding", "gzip");
        service.send(request.body(body).expect("the request is well-formed"))
    };
    assert_problem(&send(b"not gzip".to_vec()), 400, "malformed_body");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![b' '; 10 << 20]).expect("a vector takes every byte");
    let bomb = encoder.finish().expect("a vector takes every byte");
    assert!(bomb.len() < 16 << 10, "the packed body is under the limit");
    assert_problem(&send(bomb), 413, "body_too_large");
}

#[test]
fn the_checks_run_in_their_order_and_the_first_fault_answers() {
    let service = Service::start_with(&["--body-limit-kb", "1"]);
    let ask = |path: &str, headers: &[(&str, &str)], body: &str| {
        let request =
            headers.iter().fold(service.request("POST", path), |request, (name, value)| {
                request.header(*name, *value)
            });
        service.send(request.body(body.into()).expect("the request is well-formed"))
    };
    let large = "x".repeat(2000);
    let bad_accept = ("Accept", "image/png");
    let bad_type = ("Content-Type", "application/xml");
    let path = "/tetris-sg?bogus=1";
    assert_problem(&ask(path, &[bad_accept, bad_type], &large), 406, "not_acceptable");
    assert_problem(&ask(path, &[bad_type], &large), 400, "invalid_query");
    assert_problem(&ask(ROUTE, &[bad_type], &large), 415, "unsupported_media_type");
    assert_problem(&ask(ROUTE, &[], &large), 413, "body_too_large");
    assert_problem(&ask(ROUTE, &[], "{\"board\": 3, oops"), 400, "malformed_body");
    assert_problem(&ask(ROUTE, &[], "{\"board\": 3}"), 422, "invalid_puzzle");
}

#[test]
fn an_answer_carries_its_timing_and_whether_it_was_kept() {
    let service = Service::start();
    let first = service.post_json(ROUTE, &quick());
    assert!(first.header("server-timing").starts_with("queue;dur="), "{:?}", first.headers);
    assert!(first.header("server-timing").contains(", solve;dur="), "{:?}", first.headers);
    assert_eq!(first.header("cache-status"), "boardsolve; fwd=miss");
    let solving = format!("solve;dur={:.3}", first.json()["stats"]["time_ms"].as_f64().unwrap());
    assert!(first.header("server-timing").ends_with(&solving), "{:?}", first.headers);
    let queued = first.header("server-timing")["queue;dur=".len()..].split(',').next();
    let queued: f64 = queued.and_then(|number| number.parse().ok()).expect("a number");
    assert!(queued < 500.0, "nobody was before it: {queued}");
    assert_eq!(first.header("content-length"), first.body.len().to_string());
    let second = service.post_json(ROUTE, &quick());
    assert_eq!(second.header("cache-status"), "boardsolve; hit");
    let without_stats = |answer: &Answer| {
        let mut json = answer.json();
        json["stats"] = json!(null);
        json
    };
    assert_eq!(without_stats(&first), without_stats(&second));
}

#[test]
fn caches_are_told_that_the_form_depends_on_what_is_asked_for() {
    let service = Service::start();
    let body = quick().to_string();
    for accept in ["application/json", "image/svg+xml", "application/x-ndjson", "image/png"] {
        let answer = send(&service, &[("Accept", accept), ("Accept-Encoding", "gzip")], &body);
        let names: Vec<_> = answer.headers.get_all("vary").iter().collect();
        assert!(names.contains(&&"accept".parse().expect("a value")), "{accept}: {names:?}");
    }
    // What has one form alone does not depend on it.
    assert!(!service.get("/livez").headers.contains_key("vary"));
}

#[test]
fn the_timing_of_several_cases_is_that_of_all_and_one_new_case_makes_a_miss() {
    let service = Service::start();
    let headers = [("Content-Type", "text/plain"), ("Accept", "application/json")];
    let answer = send(&service, &headers, TEXT);
    let times: Vec<f64> = answer
        .json()
        .as_array()
        .expect("an array")
        .iter()
        .map(|case| case["stats"]["time_ms"].as_f64().expect("a number"))
        .collect();
    let told = answer.header("server-timing").rsplit_once('=').expect("it has parts").1;
    let told: f64 = told.parse().expect("a number");
    assert!((told - times.iter().sum::<f64>()).abs() < 0.002, "{told} of {times:?}");
    let again = send(&service, &headers, &format!("{TEXT}3 3\n000\n000\n000\n"));
    assert_eq!(again.header("cache-status"), "boardsolve; fwd=miss");
    let again = send(&service, &headers, &format!("{TEXT}3 3\n000\n000\n000\n"));
    assert_eq!(again.header("cache-status"), "boardsolve; hit");
}
