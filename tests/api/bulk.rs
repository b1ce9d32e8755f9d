//! Many requests in one body, one a line: what may stand in them and what comes back.

use std::io::{BufReader, Write};

use serde_json::{Value, json};

use crate::boards::{ROUTE, assert_problem, hard, metric, quick};
use crate::bulk_client::{
    NDJSON, Receiving, assert_problem_line, begin, line_numbers, lines, post,
};
use crate::support::Service;

#[test]
fn answers_keep_the_order_of_the_lines_however_long_each_takes() {
    let service = Service::start_with(&["--places", "2"]);
    let requests: Vec<_> =
        (0..12).map(|index| if index % 4 == 0 { hard(index) } else { quick() }).collect();
    let body: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let answers = post(&service, &format!("{ROUTE}?time_limit_ms=200"), body);
    assert_eq!(line_numbers(&answers), (1..=12).collect::<Vec<_>>());
    for (index, answer) in answers.iter().enumerate() {
        let status = if index % 4 == 0 { "unknown" } else { "solved" };
        assert_eq!(answer["status"], status, "{answer}");
        assert!(answer.get("type").is_none(), "an answer is no problem: {answer}");
        assert_eq!(answer["stats"]["time_limit_ms"], 200, "{answer}");
    }
}

#[test]
fn a_bad_line_is_answered_in_its_place_and_the_stream_goes_on() {
    let service = Service::start_with(&["--body-limit-kb", "1"]);
    let good = quick().to_string();
    let long = format!("{{\"board\": [\"{}\"]}}", "0".repeat(2000));
    let body = [
        good.as_bytes(),
        b"{\"board\": [\"00\", oops]}",
        b"[\"00\", \"00\"]",
        b"{\"board\": [\"00\", \"00\"], \"nope\": 1}",
        b"{\"board\": [\"00\", \"0\"]}",
        b"\xff\xfe",
        long.as_bytes(),
        b"null",
        b"",
        b" \t\r",
        b"{\"board\": [\"00\", \"00\"]}\r",
        good.as_bytes(),
    ];
    let request = service
        .request("POST", ROUTE)
        .header("Content-Type", NDJSON)
        .header("X-Request-Id", "bulk-1")
        .body(body.join(&b'\n'))
        .expect("the request is well-formed");
    let answer = service.send(request);
    let answers = lines(&answer);
    assert_eq!(line_numbers(&answers), [1, 2, 3, 4, 5, 6, 7, 8, 11, 12]);
    for index in [0, 8, 9] {
        assert_eq!(answers[index]["status"], "solved", "{}", answers[index]);
    }
    let codes = [
        "malformed_body",
        "invalid_puzzle",
        "invalid_puzzle",
        "invalid_puzzle",
        "malformed_body",
        "body_too_large",
        "invalid_puzzle",
    ];
    for (index, code) in codes.into_iter().enumerate() {
        assert_problem_line(&answers[index + 1], index + 2, code);
        assert_eq!(answers[index + 1]["request_id"], "bulk-1");
    }
    assert_eq!(answers[1]["column"], 18, "{}", answers[1]);
    let detail = answers[1]["detail"].as_str().expect("a sentence");
    assert!(detail.contains("line 2 column 18"), "{detail}");
    assert_eq!(answers[3]["errors"][0]["pointer"], "/nope", "{}", answers[3]);
    assert_eq!(answers[4]["errors"][0]["pointer"], "/board/1", "{}", answers[4]);
    assert_eq!(answers[6]["limit"], 1024, "{}", answers[6]);
    assert_eq!(metric(&service, "boardsolve_bulk_items_total{outcome=\"solved\"}"), 3.0);
    assert_eq!(metric(&service, "boardsolve_bulk_items_total{outcome=\"invalid_puzzle\"}"), 4.0);
}

#[test]
fn a_body_of_nothing_is_answered_with_nothing() {
    let service = Service::start();
    assert_eq!(post(&service, ROUTE, ""), Vec::<Value>::new());
    assert_eq!(post(&service, ROUTE, "\n\r\n"), Vec::<Value>::new());
}

#[test]
fn each_answer_comes_before_the_next_line_is_sent() {
    let service = Service::start();
    let mut sending = begin(&service, ROUTE, "");
    sending.send_line(&quick());
    let mut answers = sending.receive();
    for line in 1..=3 {
        let answer = answers.line().expect("it goes on");
        assert_eq!((&answer["line"], &answer["status"]), (&json!(line), &json!("solved")));
        sending.send_line(&quick());
    }
    sending.end();
    assert_eq!(line_numbers(&answers.rest()), [4]);
}

#[test]
fn a_compressed_answer_is_streamed_just_as_well() {
    let service = Service::start();
    let mut sending = begin(&service, ROUTE, "Accept-Encoding: gzip\r\n");
    sending.send_line(&quick());
    let Receiving { head, lines } = sending.receive();
    assert!(head.contains("content-encoding: gzip"), "{head}");
    let lines = BufReader::new(flate2::bufread::GzDecoder::new(lines));
    let mut answers = Receiving { head, lines };
    for line in 1..=3 {
        assert_eq!(answers.line().expect("it goes on")["line"], line);
        sending.send_line(&quick());
    }
    sending.end();
    assert_eq!(line_numbers(&answers.rest()), [4]);
}

/// A body packed by gzip.
fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(body).expect("a vector takes every byte");
    encoder.finish().expect("a vector takes every byte")
}

#[test]
fn a_gzip_body_is_unpacked_as_it_comes_and_what_it_unfolds_to_counts() {
    let service = Service::start_with(&["--body-limit-kb", "16"]);
    let send = |body: Vec<u8>| {
        let request = service
            .request("POST", ROUTE)
            .header("Content-Type", NDJSON)
            .header("Content-Encoding", "gzip")
            .body(body);
        service.send(request.expect("the request is well-formed"))
    };
    let mut body = format!("{}\n", quick()).into_bytes();
    body.resize(body.len() + (30 << 20), b' ');
    body.extend_from_slice(format!("\n{}", quick()).as_bytes());
    let mut packed = gzip(&body);
    // Two members follow each other, as `cat a.gz b.gz` makes them.
    packed.extend_from_slice(&gzip(format!("\n{}\n", quick()).as_bytes()));
    let answers = lines(&send(packed.clone()));
    assert_eq!(line_numbers(&answers), [1, 2, 3, 4]);
    assert_problem_line(&answers[1], 2, "body_too_large");
    for index in [0, 2, 3] {
        assert_eq!(answers[index]["status"], "solved", "{}", answers[index]);
    }
    assert_problem(&send(b"not gzip at all".to_vec()), 400, "malformed_body");
    packed.truncate(packed.len() - 20);
    let answers = lines(&send(packed));
    let last = answers.last().expect("there are answers");
    assert_problem_line(last, answers.len(), "malformed_body");
}

#[test]
fn text_cases_and_a_json_request_are_answered_in_lines_on_demand() {
    let service = Service::start();
    let send = |content_type: &str, body: &str| {
        let request = service
            .request("POST", ROUTE)
            .header("Content-Type", content_type)
            .header("Accept", NDJSON)
            .body(body.into());
        service.send(request.expect("the request is well-formed"))
    };
    let text = "4 4\n0000\n0000\n0000\n0000\n4 4\n0000\n0010\n0100\n0000\n";
    let answer = send("text/plain", text);
    assert_eq!((answer.status, answer.header("content-type")), (200, NDJSON));
    assert_eq!(answer.header("x-accel-buffering"), "no", "it comes line by line");
    let answers = lines(&answer);
    assert_eq!(line_numbers(&answers), [1, 6]);
    assert_eq!((&answers[0]["winner"], &answers[1]["winner"]), (&json!("first"), &json!("second")));
    assert_problem(&send("text/plain", "4 4\n00x0\n"), 400, "malformed_body");
    let answer = send("application/json", &quick().to_string());
    assert_eq!((answer.status, answer.header("content-type")), (200, NDJSON));
    assert_eq!(line_numbers(&lines(&answer)), [1]);
    assert!(!answer.header("server-timing").is_empty(), "one answer comes as a whole");
    assert_problem(&send("application/json", "{}"), 422, "invalid_puzzle");
}

#[test]
fn faults_before_the_first_line_are_ordinary_problems() {
    let service = Service::start();
    let send = |query: &str, headers: &[(&str, &str)]| {
        let request = service.request("POST", &format!("{ROUTE}{query}"));
        let request = request.header("Content-Type", NDJSON);
        let request = headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, *value))
            .body(format!("{}\n", quick()).into_bytes());
        service.send(request.expect("the request is well-formed"))
    };
    for form in ["application/json", "text/plain", "image/svg+xml"] {
        let problem = assert_problem(&send("?nope=1", &[("Accept", form)]), 406, "not_acceptable");
        let detail = problem["detail"].as_str().expect("a sentence");
        assert!(detail.contains(NDJSON) && !detail.contains("application/json"), "{detail}");
    }
    assert_problem(&send("?moves=all", &[]), 400, "invalid_query");
    assert_problem(&send("", &[("Content-Encoding", "br")]), 415, "unsupported_media_type");
    assert_eq!(send("", &[("Accept", "*/*")]).status, 200);
}
