//! Text bodies: the contests' own input and output.

use serde_json::Value;

use crate::boards::assert_problem;
use crate::support::Service;

const KNOWN: &str = include_str!("../cases/known.json");

#[test]
fn every_known_case_is_answered_through_the_running_service() {
    let service = Service::start();
    let cases: Vec<Value> = serde_json::from_str(KNOWN).expect("the cases are JSON");
    assert!(cases.len() > 20);
    for case in cases {
        let path = format!("/{}", case["puzzle"].as_str().expect("a puzzle"));
        if let Some(text) = case["text"].as_str() {
            let answer = service.post(&path, "text/plain", text);
            assert_eq!(answer.text(), case["answer"], "{}", case["id"]);
        } else {
            let answer = service.post_json(&path, &case["request"]).json();
            for (field, expected) in case["answer"].as_object().expect("expected fields") {
                assert_eq!(&answer[field], expected, "{} {field}: {answer}", case["id"]);
            }
        }
    }
}

#[test]
fn line_ends_marks_and_blanks_of_other_systems_are_tolerated() {
    let service = Service::start();
    for (path, text, expected) in [
        ("/linkgame", "\u{feff}2 2\r\nAB\r\nAB\r\n\r\n0 0\r\n", "yes\n"),
        ("/linkgame", "2 2\nAB\nAB", "yes\n"),
        ("/mayan", "1\r\n1 0 \r\n1 0\r\n0\r\n1 0\r\n0\r\n", "3 0 -1\n"),
        ("/tetris-sg", "\n2 2\n\n00 \n00\n", "Yes\n"),
        ("/mahjong-path", "2 1\r\nXX\r\n1 1 2 1\r\n", "1\n"),
        ("/rook-circuit", "2 2 0 0 0\r\n", "ESWN\n\n"),
    ] {
        let answer = service.post(path, "text/plain", text);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        if path == "/rook-circuit" {
            assert!(["ESWN\n\n", "SENW\n\n"].contains(&answer.text()), "{}", answer.text());
        } else {
            assert_eq!(answer.text(), expected, "{path}");
        }
    }
}

#[test]
fn a_fault_in_a_text_body_names_line_and_column_and_nothing_is_answered() {
    let service = Service::start();
    for (path, text, line) in [
        ("/linkgame", "2 2\nAA\nAA\n2 2\nA\nAA\n0 0\n", 5),
        ("/linkgame", "2 x\n", 1),
        ("/mayan", "1\n1 0\n1 0\n0\n1 0\n", 6),
        ("/mayan", "1\n1 0\n1 a 0\n0\n1 0\n0\n", 3),
        ("/tetris-sg", "2 2\n00\n02\n", 3),
        ("/mahjong-path", "2 1\nXX\n1 1 3 1\n0 0 0 0\n", 3),
        ("/rook-circuit", "2 2 1 0 0\n5 5\n\n0 0 0 0 0\n", 2),
    ] {
        let answer = service.post(path, "text/plain", text);
        assert!([400, 422].contains(&answer.status), "{path}: {}", answer.text());
        let problem = answer.json();
        assert_eq!(problem["line"], line, "{path}: {problem}");
        assert!(problem["column"].as_u64().is_some_and(|column| column >= 1), "{problem}");
    }
}

#[test]
fn a_body_without_a_case_is_malformed() {
    let service = Service::start();
    for endpoint in boardsolve::puzzles::ALL {
        let answer = service.post(&format!("/{}", endpoint.name()), "text/plain", "\n\n");
        assert_problem(&answer, 400, "malformed_body");
    }
}

#[test]
fn the_puzzles_options_are_query_parameters_beside_text_alone() {
    let service = Service::start();
    let board = "2 4\n*DCD\nACA*\n0 0\n";
    assert_eq!(service.post("/linkgame", "text/plain", board).text(), "no\n");
    assert_eq!(service.post("/linkgame?outside=true", "text/plain", board).text(), "yes\n");
    for path in
        ["/linkgame?outside=1", "/linkgame?max_turns=4", "/linkgame?outside=true&outside=true"]
    {
        assert_problem(&service.post(path, "text/plain", board), 400, "invalid_query");
    }
    let json = service.post("/linkgame?outside=true", "application/json", "{\"board\":[\"AA\"]}");
    assert_problem(&json, 400, "invalid_query");
}

#[test]
fn an_undecided_case_is_named_by_its_line() {
    let service = Service::start();
    let row = "0".repeat(17);
    let hard = format!("17 17\n{}", format!("{row}\n").repeat(17)).replacen('0', "1", 1);
    let body = format!("2 2\n00\n00\n{hard}");
    let answer = service.post("/tetris-sg?time_limit_ms=50", "text/plain", body);
    let problem = assert_problem(&answer, 503, "undecided");
    assert_eq!(problem["line"], 4, "{problem}");
}
