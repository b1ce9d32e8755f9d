//! The error table on the wire: every path says what went wrong in one form.

use std::io::{Read, Write};

use boardsolve::http::problem::Code;

use crate::boards::{ROUTE, assert_problem, quick};
use crate::support::Service;

#[test]
fn an_unknown_path_is_404_under_every_method() {
    let service = Service::start();
    for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS"] {
        let request = service.request(method, "/no/such/path").body(Vec::new());
        let answer = service.send(request.expect("the request is well-formed"));
        assert_problem(&answer, 404, "not_found");
    }
}

#[test]
fn a_path_that_is_no_text_is_404_and_plain_even_where_gzip_is_taken() {
    let service = Service::start();
    let request = service.request("GET", "/problems/%FF").header("Accept-Encoding", "gzip");
    let answer = service.send(request.body(Vec::new()).expect("the request is well-formed"));
    assert_eq!(answer.header("content-encoding"), "");
    assert_problem(&answer, 404, "not_found");
}

#[test]
fn a_method_that_a_path_lacks_is_405_with_allow() {
    let service = Service::start();
    for (method, path, allowed) in
        [("GET", ROUTE, "POST"), ("DELETE", "/livez", "GET"), ("POST", "/docs/", "GET")]
    {
        let request = service.request(method, path).body(Vec::new());
        let answer = service.send(request.expect("the request is well-formed"));
        assert_problem(&answer, 405, "method_not_allowed");
        assert!(answer.header("allow").contains(allowed), "{path}: {:?}", answer.headers);
    }
}

#[test]
fn a_query_parameter_that_is_unknown_or_out_of_range_is_400() {
    let service = Service::start();
    for query in [
        "bogus=1",
        "time_limit_ms=0",
        "time_limit_ms=-1",
        "time_limit_ms=1.5",
        "time_limit_ms=",
        "time_limit_ms=x",
        "time_limit_ms=5&time_limit_ms=6",
        "TIME_LIMIT_MS=5",
    ] {
        let answer = service.post_json(&format!("{ROUTE}?{query}"), &quick());
        assert_problem(&answer, 400, "invalid_query");
    }
    let told = |query: &str, form: &str, body: &str| {
        let answer = service.post(&format!("{ROUTE}?{query}"), form, body);
        assert_problem(&answer, 400, "invalid_query")["detail"].to_string()
    };
    let json = quick().to_string();
    let unknown = told("bogus=1", "application/json", &json);
    assert!(unknown.contains("no query parameter `bogus`; there is time_limit_ms\""), "{unknown}");
    let unknown = told("bogus=1", "text/plain", "1 1\n0\n");
    assert!(unknown.contains("no query parameter `bogus`; there is time_limit_ms, "), "{unknown}");
    let option = told("moves=all", "application/json", &json);
    assert!(option.contains("it is a field of the body"), "{option}");
}

#[test]
fn a_time_limit_above_the_ceiling_is_clamped_and_said() {
    let service = Service::start_with(&["--max-time-limit-ms", "20000"]);
    for asked in ["60000", "99999999999999999999999999"] {
        let answer = service.post_json(&format!("{ROUTE}?time_limit_ms={asked}"), &quick());
        assert_eq!(answer.json()["stats"]["time_limit_ms"], 20000, "{}", answer.text());
    }
    let answer = service.post_json(ROUTE, &quick());
    assert_eq!(answer.json()["stats"]["time_limit_ms"], 10000, "{}", answer.text());
}

#[test]
fn a_body_over_the_limit_is_413_whether_its_length_is_told_or_not() {
    let service = Service::start_with(&["--body-limit-kb", "4"]);
    let answer = service.post(ROUTE, "application/json", vec![b' '; 5000]);
    let problem = assert_problem(&answer, 413, "body_too_large");
    assert_eq!(problem["limit"], 4096, "{problem}");
    let mut stream = service.connect();
    let head = format!("POST {ROUTE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("the head is sent");
    stream
        .write_all(format!("1388\r\n{}\r\n0\r\n\r\n", " ".repeat(5000)).as_bytes())
        .expect("sent");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("it answers");
    assert_eq!(&answer, b"HTTP/1.1 413");
}

#[test]
fn a_body_that_does_not_arrive_is_408() {
    let service = Service::start_with(&["--body-timeout-ms", "100"]);
    let mut stream = service.connect();
    let head = format!("POST {ROUTE} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{{");
    stream.write_all(head.as_bytes()).expect("the head is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers and closes");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("\"code\":\"body_timeout\""), "{answer}");
    assert!(answer.contains("application/problem+json"), "{answer}");
}

#[test]
fn a_body_that_breaks_off_is_told_so_whatever_its_form_and_encoding() {
    let service = Service::start();
    for form in ["application/json", "application/x-ndjson"] {
        for encoding in ["identity", "gzip"] {
            let mut stream = service.connect();
            let request = format!(
                "POST {ROUTE} HTTP/1.1\r\nHost: x\r\nContent-Type: {form}\r\n\
                 Content-Encoding: {encoding}\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n"
            );
            stream.write_all(request.as_bytes()).expect("the request is sent");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("it answers and closes");
            assert!(answer.starts_with("HTTP/1.1 400"), "{form} {encoding}: {answer}");
            assert!(answer.contains("The body broke off."), "{form} {encoding}: {answer}");
        }
    }
}

#[test]
fn request_ids_are_taken_when_sane_and_made_otherwise() {
    let service = Service::start();
    let ask = |id: &str| {
        let request = service.request("GET", "/nothing").header("X-Request-Id", id);
        service.send(request.body(Vec::new()).expect("the request is well-formed"))
    };
    let longest = "a".repeat(64);
    for sane in ["abc.DEF-1_2", "7", longest.as_str()] {
        let answer = ask(sane);
        assert_eq!(answer.header("x-request-id"), sane);
        assert_problem(&answer, 404, "not_found");
    }
    let too_long = "a".repeat(65);
    for odd in ["", "a b", "a/b", "<script>", too_long.as_str()] {
        let answer = ask(odd);
        assert_ne!(answer.header("x-request-id"), odd);
        assert!(!answer.header("x-request-id").is_empty());
        assert_problem(&answer, 404, "not_found");
    }
    let ids: std::collections::HashSet<_> =
        (0..50).map(|_| service.get("/livez").header("x-request-id").to_owned()).collect();
    assert_eq!(ids.len(), 50, "made ids differ");
}

#[test]
fn the_id_of_a_request_stands_in_its_log_line() {
    let service = Service::start();
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let request = service
        .request("GET", "/livez")
        .header("X-Request-Id", "find-me")
        .header("traceparent", trace)
        .body(Vec::new());
    service.send(request.expect("the request is well-formed"));
    service.wait_until("the log line", |service| {
        service.log().iter().any(|line| {
            line["span"]["id"] == "find-me"
                && line["fields"]["message"] == "answered"
                && line["fields"]["traceparent"] == trace
        })
    });
}

#[test]
fn every_code_has_its_page_and_its_type_leads_there() {
    let service = Service::start();
    for code in Code::ALL {
        let answer = service.get(&format!("/problems/{}", code.name()));
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-type").starts_with("text/html"));
        assert!(answer.text().contains(code.title()), "{}", answer.text());
    }
    assert_problem(&service.get("/problems/none_such"), 404, "not_found");
}

#[test]
fn an_error_says_nothing_of_the_inside() {
    let service = Service::start();
    for path in ["/%00", "/..%2f..%2fetc/passwd", "/docs/../x", "/docs/%2e%2e/x"] {
        let answer = service.get(path);
        let text = answer.text();
        assert!(!text.contains("src/") && !text.contains("panicked"), "{path}: {text}");
        assert_problem(&answer, 404, "not_found");
    }
}
