//! Kept results, and solves that several requests share.

use std::sync::Arc;
use std::thread;

use crate::boards::{ROUTE, hard, metric, quick};
use crate::support::Service;

const LONG_IN_USE: &str = "boardsolve_places_in_use{lane=\"long\"}";

#[test]
fn a_decided_board_is_found_again_whatever_the_time_limit() {
    let service = Service::start();
    service.post_json(ROUTE, &quick());
    for limit in ["1", "500", "60000"] {
        let answer = service.post_json(&format!("{ROUTE}?time_limit_ms={limit}"), &quick());
        assert_eq!(answer.header("cache-status"), "boardsolve; hit");
        assert_eq!(answer.json()["stats"]["time_limit_ms"].to_string(), limit);
    }
}

#[test]
fn another_option_is_another_question() {
    let service = Service::start();
    let mut request = serde_json::json!({ "board": ["000", "000"] });
    service.post_json(ROUTE, &request);
    request["moves"] = "all".into();
    let answer = service.post_json(ROUTE, &request);
    assert_eq!(answer.header("cache-status"), "boardsolve; fwd=miss");
    assert!(answer.json()["winning_moves"].as_array().is_some_and(|moves| moves.len() > 1));
}

#[test]
fn unknown_is_never_kept() {
    let service = Service::start();
    for _ in 0..2 {
        let answer = service.post_json(&format!("{ROUTE}?time_limit_ms=50"), &hard(0));
        assert_eq!(answer.json()["status"], "unknown");
        assert_eq!(answer.header("cache-status"), "boardsolve; fwd=miss");
    }
}

#[test]
fn one_board_asked_by_many_at_once_takes_one_place_and_each_keeps_its_limit() {
    let service = Arc::new(Service::start_with(&["--places", "2"]));
    let asking: Vec<_> = [400, 800, 1200, 1600]
        .into_iter()
        .map(|limit| {
            let service = Arc::clone(&service);
            let path = format!("{ROUTE}?time_limit_ms={limit}");
            (limit, thread::spawn(move || service.post_json(&path, &hard(0))))
        })
        .collect();
    service.wait_until("the solve", |service| metric(service, LONG_IN_USE) > 0.0);
    assert_eq!(metric(&service, LONG_IN_USE), 1.0, "four requests share one place");
    let mut misses = 0;
    for (limit, client) in asking {
        let answer = client.join().expect("the client ends");
        misses += usize::from(answer.header("cache-status") == "boardsolve; fwd=miss");
        let answer = answer.json();
        assert_eq!(answer["status"], "unknown", "{answer}");
        assert_eq!(answer["stats"]["time_limit_ms"], limit, "{answer}");
        let time = answer["stats"]["time_ms"].as_f64().expect("a number");
        let limit = f64::from(limit);
        assert!((limit - 100.0..limit + 200.0).contains(&time), "{limit}: {answer}");
    }
    assert_eq!(misses, 1, "all but one were answered by another's solve");
}

#[test]
fn a_shared_solve_goes_on_while_anybody_waits_for_it() {
    let service = Arc::new(Service::start_with(&["--places", "1"]));
    let path = format!("{ROUTE}?time_limit_ms=1500");
    let mut first = service.connect();
    let body = hard(0).to_string();
    let request =
        format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    std::io::Write::write_all(&mut first, request.as_bytes()).expect("the request is sent");
    service.wait_until("the solve", |service| metric(service, LONG_IN_USE) == 1.0);
    let second = {
        let (service, path) = (Arc::clone(&service), path.clone());
        thread::spawn(move || service.post_json(&path, &hard(0)))
    };
    thread::sleep(std::time::Duration::from_millis(200));
    drop(first);
    let answer = second.join().expect("the client ends");
    assert_eq!(answer.json()["status"], "unknown");
    assert_eq!(answer.header("cache-status"), "boardsolve; hit", "it joined the first's solve");
    assert_eq!(metric(&service, "boardsolve_cancelled_total{reason=\"hang_up\"}"), 0.0);
}

/// The cache compares boards whose hashes are the same, and those may still differ.
#[test]
fn cases_are_equal_only_where_puzzle_board_and_options_are() {
    let read = || {
        boardsolve::puzzles::ALL.iter().flat_map(|endpoint| {
            endpoint.examples().into_iter().map(|example| {
                let body = example.request.to_string();
                endpoint.read_json(body.as_bytes()).expect("an example is a legal request")
            })
        })
    };
    for (index, one) in read().enumerate() {
        for (number, other) in read().enumerate() {
            assert_eq!(one.equals(other.as_ref()), index == number, "{one:?}\n{other:?}");
        }
    }
}
