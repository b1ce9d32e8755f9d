//! SIGTERM and SIGINT: what runs is finished, what stays is cancelled and told so.

use std::sync::Arc;
use std::thread;

use crate::boards::{ROUTE, assert_problem, hard, metric};
use crate::support::Service;

const LONG_IN_USE: &str = "boardsolve_places_in_use{lane=\"long\"}";

#[test]
fn an_idle_service_exits_with_0_at_once() {
    let mut service = Service::start();
    service.terminate();
    assert_eq!(service.wait_for_exit().code(), Some(0));
}

#[test]
fn a_running_solve_is_answered_before_the_exit_and_no_connection_is_taken_any_more() {
    for signal in [Service::terminate, Service::interrupt] {
        a_running_solve_is_answered_before_the_exit_by(signal);
    }
}

fn a_running_solve_is_answered_before_the_exit_by(signal: fn(&Service)) {
    let service = Arc::new(Service::start_with(&["--places", "1"]));
    let asking = {
        let service = Arc::clone(&service);
        thread::spawn(move || service.post_json(&format!("{ROUTE}?time_limit_ms=1000"), &hard(0)))
    };
    service.wait_until("a running solve", |service| metric(service, LONG_IN_USE) == 1.0);
    signal(&service);
    service.wait_until("a closed listener", |service| {
        std::net::TcpStream::connect(service.address()).is_err()
    });
    let answer = asking.join().expect("the client ends");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["status"], "unknown");
    let mut service = Arc::into_inner(service).expect("the client is gone");
    assert_eq!(service.wait_for_exit().code(), Some(0));
}

#[test]
fn at_the_drain_deadline_everything_left_is_answered_with_draining() {
    let options = ["--places", "1", "--drain-ms", "300", "--queue-wait-ms", "60000"];
    let service = Arc::new(Service::start_with(&options));
    let asking: Vec<_> = (0..3)
        .map(|variant| {
            let service = Arc::clone(&service);
            let path = format!("{ROUTE}?time_limit_ms=60000");
            thread::spawn(move || service.post_json(&path, &hard(variant)))
        })
        .collect();
    service.wait_until("a running solve and a queue", |service| {
        metric(service, LONG_IN_USE) == 1.0
            && metric(service, "boardsolve_queue_depth{lane=\"long\"}") == 2.0
    });
    service.terminate();
    for client in asking {
        let answer = client.join().expect("the client ends");
        assert_problem(&answer, 503, "draining");
        assert!(!answer.header("retry-after").is_empty());
    }
    let mut service = Arc::into_inner(service).expect("the clients are gone");
    assert_eq!(service.wait_for_exit().code(), Some(0));
}

#[test]
fn a_second_signal_exits_at_once() {
    let service = Arc::new(Service::start_with(&["--places", "1", "--drain-ms", "60000"]));
    let mut stream = service.connect();
    let body = hard(0).to_string();
    let request = format!(
        "POST {ROUTE}?time_limit_ms=60000 HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    std::io::Write::write_all(&mut stream, request.as_bytes()).expect("the request is sent");
    service.wait_until("a running solve", |service| metric(service, LONG_IN_USE) == 1.0);
    service.terminate();
    service.wait_until("the drain", |service| {
        service.log().iter().any(|line| line["fields"]["message"] == "draining")
    });
    service.terminate();
    let mut service = Arc::into_inner(service).expect("nobody else holds it");
    assert_eq!(service.wait_for_exit().code(), Some(1));
}
