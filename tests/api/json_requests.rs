//! JSON bodies: what is refused, and how precisely the place is named.

use serde_json::{Value, json};

use crate::boards::{ROUTE, assert_problem, quick};
use crate::support::Service;

/// Posts a body and checks the pointer of the fault.
#[track_caller]
fn assert_fault(service: &Service, path: &str, body: &str, pointer: &str) -> String {
    let answer = service.post(path, "application/json", body);
    let problem = assert_problem(&answer, 422, "invalid_puzzle");
    assert_eq!(problem["errors"][0]["pointer"], pointer, "{body}: {problem}");
    problem["detail"].as_str().expect("a sentence").to_owned()
}

#[test]
fn what_is_not_json_is_malformed_and_names_line_and_column() {
    let service = Service::start();
    for (body, line) in [
        ("", 1),
        ("{", 1),
        ("{\"board\": [\"00\",\n\"00\"", 2),
        ("{\"board\": [\"00\", \"00\"]} tail", 1),
        ("{\"board\": [\"\\ud800\"]}", 1),
        ("{'board': []}", 1),
        ("{\"board\": NaN}", 1),
    ] {
        let problem =
            assert_problem(&service.post(ROUTE, "application/json", body), 400, "malformed_body");
        assert_eq!(problem["line"], line, "{body:?}: {problem}");
        assert!(problem["column"].as_u64().is_some_and(|column| column >= 1), "{problem}");
    }
}

#[test]
fn a_contests_input_that_came_as_json_is_told_its_content_type() {
    let service = Service::start();
    for (body, is_told) in
        [("2 2\n00\n00\n", true), ("\n 3\n1 0", true), ("{\"board\": 2 2}", false)]
    {
        let answer = service.post(ROUTE, "application/x-www-form-urlencoded", body);
        let problem = assert_problem(&answer, 400, "malformed_body");
        let detail = problem["detail"].as_str().expect("a sentence");
        assert_eq!(detail.ends_with("`Content-Type: text/plain`"), is_told, "{detail}");
        assert!(
            answer.text().ends_with("}\n"),
            "the prompt of a terminal comes on a line of its own"
        );
    }
}

#[test]
fn a_wrong_type_is_told_in_the_words_of_json() {
    let service = Service::start();
    for (body, told) in [
        (r#"{"board": "00"}"#, "/board: invalid type: string \"00\", expected an array"),
        (r#"{"board": {}}"#, "/board: invalid type: object, expected an array"),
        (r#"{"board": [["00"]]}"#, "/board/0: invalid type: array, expected a string"),
        (r#"{"board": ["00"], "grundy": {}}"#, "/grundy: invalid type: object, expected a boolean"),
    ] {
        let answer = service.post(ROUTE, "application/json", body);
        assert_eq!(assert_problem(&answer, 422, "invalid_puzzle")["detail"], told, "{body}");
    }
}

#[test]
fn what_is_not_utf8_is_malformed_and_names_the_place() {
    let service = Service::start();
    let body = b"{\"board\":\n[\"\xff\xfe\"]}".to_vec();
    let answer = service.post(ROUTE, "application/json", body);
    let problem = assert_problem(&answer, 400, "malformed_body");
    assert_eq!((&problem["line"], &problem["column"]), (&json!(2), &json!(3)));
}

#[test]
fn a_body_that_is_not_an_object_is_refused() {
    let service = Service::start();
    for body in ["[[\"00\",\"00\"]]", "\"board\"", "3", "null", "true", "[]"] {
        assert_fault(&service, ROUTE, body, "");
    }
}

#[test]
fn unknown_fields_are_refused_by_name() {
    let service = Service::start();
    for endpoint in boardsolve::puzzles::ALL {
        let mut request = endpoint.examples()[0].request.clone();
        request["bogus"] = json!(1);
        let path = format!("/{}", endpoint.name());
        let detail = assert_fault(&service, &path, &request.to_string(), "/bogus");
        assert!(detail.contains("bogus"), "{detail}");
    }
}

#[test]
fn null_is_refused_in_every_field_of_every_puzzle() {
    let service = Service::start();
    for endpoint in boardsolve::puzzles::ALL {
        for example in endpoint.examples() {
            let fields = example.request.as_object().expect("a request is an object");
            let options = endpoint.options().iter().map(|option| option.name);
            for field in fields.keys().map(String::as_str).chain(options) {
                let mut request = example.request.clone();
                request[field] = Value::Null;
                let path = format!("/{}", endpoint.name());
                assert_fault(&service, &path, &request.to_string(), &format!("/{field}"));
            }
        }
    }
}

#[test]
fn a_missing_field_is_named() {
    let service = Service::start();
    for (path, body, field) in [
        ("/linkgame", "{}", "board"),
        ("/mayan", "{\"steps\": 1}", "columns"),
        ("/mahjong-path", "{\"board\": [\"XX\"]}", "pairs"),
        ("/rook-circuit", "{}", "board"),
    ] {
        let answer = service.post(path, "application/json", body);
        let problem = assert_problem(&answer, 422, "invalid_puzzle");
        assert!(problem["detail"].as_str().is_some_and(|text| text.contains(field)), "{problem}");
    }
}

#[test]
fn a_cell_given_as_an_array_is_refused() {
    let service = Service::start();
    let body =
        "{\"board\": [\"XX\"], \"pairs\": [{\"from\": [0, 0], \"to\": {\"row\": 0, \"col\": 1}}]}";
    assert_fault(&service, "/mahjong-path", body, "/pairs/0/from");
    let body = "{\"board\": [\"..\", \"..\"], \"start\": [0, 0]}";
    assert_fault(&service, "/rook-circuit", body, "/start");
}

#[test]
fn a_wrong_type_deep_in_a_body_is_pointed_at() {
    let service = Service::start();
    assert_fault(&service, "/linkgame", "{\"board\": [\"AA\", 3]}", "/board/1");
    assert_fault(
        &service,
        "/mayan",
        "{\"steps\": 1, \"columns\": [[],[],[1,\"x\"],[],[]]}",
        "/columns/2/1",
    );
    assert_fault(&service, "/mayan", "{\"steps\": 1.5, \"columns\": [[],[],[],[],[]]}", "/steps");
}

#[test]
fn rows_of_different_lengths_are_pointed_at() {
    let service = Service::start();
    for (path, body) in [
        ("/linkgame", "{\"board\": [\"AA\", \"A\"]}"),
        ("/tetris-sg", "{\"board\": [\"00\", \"0\"]}"),
        ("/mahjong-path", "{\"board\": [\"XX\", \"X\"], \"pairs\": []}"),
        ("/rook-circuit", "{\"board\": [\"..\", \".\"]}"),
    ] {
        assert_fault(&service, path, body, "/board/1");
    }
}

#[test]
fn a_board_over_the_cap_names_limit_and_actual() {
    let service = Service::start();
    for (path, board, limit) in [
        ("/linkgame", vec!["*".repeat(31)], 30),
        ("/tetris-sg", vec!["0".repeat(65)], 64),
        ("/rook-circuit", vec![".".repeat(501)], 500),
    ] {
        let answer = service.post_json(path, &json!({ "board": board }));
        let problem = assert_problem(&answer, 422, "invalid_puzzle");
        assert_eq!(problem["limit"], limit, "{problem}");
        assert_eq!(problem["actual"], limit + 1, "{problem}");
    }
}

#[test]
fn a_field_given_twice_is_refused() {
    let service = Service::start();
    let body = "{\"board\": [\"00\", \"00\"], \"board\": [\"00\", \"00\"]}";
    let answer = service.post(ROUTE, "application/json", body);
    assert_problem(&answer, 422, "invalid_puzzle");
}

#[test]
fn deep_nesting_is_refused_and_the_service_goes_on() {
    let service = Service::start();
    let body = "[".repeat(1 << 20);
    let answer = service.post(ROUTE, "application/json", body);
    assert!((400..500).contains(&answer.status), "{}", answer.text());
    assert_eq!(service.post_json(ROUTE, &quick()).status, 200);
}

#[test]
fn every_example_of_every_puzzle_is_decided() {
    let service = Service::start();
    for endpoint in boardsolve::puzzles::ALL {
        for example in endpoint.examples() {
            let answer = service.post_json(&format!("/{}", endpoint.name()), &example.request);
            assert_eq!(answer.status, 200, "{}: {}", example.name, answer.text());
            let answer = answer.json();
            assert_ne!(answer["status"], "unknown", "{}: {answer}", example.name);
            assert_eq!(
                answer.get("reason").is_some(),
                answer["status"] != "solved",
                "a reason stands exactly where there is no solution: {answer}"
            );
        }
        let first = &endpoint.examples()[0];
        let answer = service.post_json(&format!("/{}", endpoint.name()), &first.request).json();
        assert_eq!(answer["status"], "solved", "the first example is solved: {answer}");
    }
}
