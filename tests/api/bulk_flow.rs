//! Bulk over time: how it flows, what stops it, and what it leaves to others.

use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::boards::{ROUTE, assert_problem, hard, metric, quick};
use crate::bulk_client::{Sending, assert_problem_line, begin, hard_lines, line_numbers, post};
use crate::support::Service;

const LONG_IN_USE: &str = "boardsolve_places_in_use{lane=\"long\"}";
const LONG_WAITING: &str = "boardsolve_queue_depth{lane=\"long\"}";

#[test]
fn ten_thousand_quick_lines_are_all_answered_in_order() {
    let service = Service::start();
    let mut sending = begin(&service, "/linkgame", "");
    let mut answers = {
        sending.send_line(&json!({ "board": ["AA"] }));
        sending.receive()
    };
    let sender = thread::spawn(move || {
        for index in 1..10_000 {
            let tile = char::from(b'A' + (index % 26) as u8);
            sending.send_line(&json!({ "board": [tile.to_string().repeat(2 + index % 3 * 2)] }));
        }
        sending.end();
        sending
    });
    let all = answers.rest();
    drop(sender.join().expect("it sends everything"));
    assert_eq!(line_numbers(&all), (1..=10_000).collect::<Vec<_>>());
    for (index, answer) in all.iter().enumerate() {
        assert_eq!(answer["status"], "solved", "{answer}");
        assert_eq!(answer["moves"].as_array().map(Vec::len), Some(1 + index % 3), "{answer}");
    }
}

#[test]
fn a_client_that_does_not_read_is_not_read_from_and_memory_stays_bounded() {
    const LINES: usize = 6000;
    let service = Service::start();
    let mut sending = begin(&service, "/rook-circuit", "");
    let board = vec![".".repeat(100); 100];
    let sent = Arc::new(AtomicUsize::new(0));
    let stream = sending.0.try_clone().expect("a socket can be shared");
    let sender = {
        let sent = Arc::clone(&sent);
        thread::spawn(move || {
            for _ in 0..LINES {
                sending.send_line(&json!({ "board": board }));
                sent.fetch_add(1, Ordering::Relaxed);
            }
            sending.end();
        })
    };
    // It goes on until the buffers of both sockets are full, and then it stands.
    let mut before = 0;
    loop {
        thread::sleep(Duration::from_secs(1));
        let now = sent.load(Ordering::Relaxed);
        if now > 0 && now == before {
            break;
        }
        before = now;
    }
    assert!(before < LINES, "all {before} lines were taken, and nobody read an answer");
    assert!(resident_megabytes(&service) < 300, "{} MB", resident_megabytes(&service));
    let all = Sending(stream).receive().rest();
    sender.join().expect("it sends everything");
    assert_eq!(line_numbers(&all), (1..=LINES as u64).collect::<Vec<_>>());
    assert!(all.iter().all(|answer| answer["status"] == "solved"));
    assert!(resident_megabytes(&service) < 300, "{} MB", resident_megabytes(&service));
}

fn resident_megabytes(service: &Service) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", service.process_id()));
    let status = status.expect("the kernel tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.expect("a number") / 1024
}

#[test]
fn a_hang_up_stops_the_work_and_frees_the_places() {
    let service = Service::start_with(&["--places", "1"]);
    // A body that goes on, one that has ended, and one of which most was never read.
    for (count, ends) in [(1, false), (3, true), (300, false)] {
        let mut sending = begin(&service, &format!("{ROUTE}?time_limit_ms=60000"), "");
        sending.send(hard_lines(count).as_bytes());
        if ends {
            sending.end();
        }
        service.wait_until("a running item", |service| metric(service, LONG_IN_USE) == 1.0);
        drop(sending);
        service.wait_until("a free place and nobody waiting", |service| {
            metric(service, LONG_IN_USE) == 0.0 && metric(service, LONG_WAITING) == 0.0
        });
    }
    let hang_ups = metric(&service, "boardsolve_cancelled_total{reason=\"hang_up\"}");
    assert!(hang_ups >= 3.0, "{hang_ups}");
    assert_eq!(metric(&service, "boardsolve_bulk_items_total{outcome=\"unknown\"}"), 0.0);
    assert_eq!(post(&service, ROUTE, quick().to_string())[0]["status"], "solved");
}

#[test]
fn a_line_that_does_not_arrive_in_time_is_told_and_ends_the_stream() {
    let service = Service::start_with(&["--body-timeout-ms", "300"]);
    let mut sending = begin(&service, ROUTE, "");
    sending.send_line(&quick());
    let mut answers = sending.receive();
    assert_eq!(answers.line().expect("it goes on")["status"], "solved");
    sending.send(b"{\"board\": ");
    let rest = answers.rest();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_problem_line(&rest[0], 2, "body_timeout");
}

#[test]
fn a_body_that_never_begins_is_an_ordinary_408() {
    let service = Service::start_with(&["--body-timeout-ms", "300"]);
    let mut stream = begin(&service, ROUTE, "").0;
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("it is answered");
    assert_eq!(&answer, b"HTTP/1.1 408");
}

#[test]
fn the_time_of_a_line_does_not_run_while_items_are_being_solved() {
    let options = ["--places", "1", "--body-timeout-ms", "300"];
    let service = Service::start_with(&options);
    // Ten items of 200 ms in one place: nine lines wait longer than a line may take.
    let answers = post(&service, &format!("{ROUTE}?time_limit_ms=200"), hard_lines(10));
    assert_eq!(line_numbers(&answers), (1..=10).collect::<Vec<_>>());
    assert!(answers.iter().all(|answer| answer["status"] == "unknown"), "{answers:?}");
}

#[test]
fn single_requests_get_their_turn_beside_bulk() {
    let service = Arc::new(Service::start_with(&["--places", "1", "--queue", "1"]));
    let streams: Vec<_> = (0..3)
        .map(|_| {
            let service = Arc::clone(&service);
            thread::spawn(move || {
                post(&service, &format!("{ROUTE}?time_limit_ms=300"), hard_lines(20))
            })
        })
        .collect();
    service.wait_until("bulk in the place and in line", |service| {
        metric(service, LONG_IN_USE) == 1.0 && metric(service, LONG_WAITING) >= 1.0
    });
    for variant in [100, 101] {
        let answer = service.post_json(ROUTE, &quick());
        assert_eq!(answer.json()["status"], "solved", "{}", answer.text());
        let path = format!("{ROUTE}?time_limit_ms=300");
        let answer = service.post_json(&path, &hard(variant));
        assert_eq!(answer.json()["status"], "unknown", "{}", answer.text());
    }
    let ended = metric(&service, "boardsolve_bulk_items_total{outcome=\"unknown\"}");
    assert!(ended < 60.0, "the single requests came after all of bulk");
    for stream in streams {
        let answers = stream.join().expect("the client ends");
        assert!(answers.iter().all(|answer| answer["status"] == "unknown"), "{answers:?}");
    }
}

#[test]
fn no_item_is_turned_away_however_short_the_queue() {
    for queue in ["0", "1"] {
        let options = ["--places", "1", "--queue", queue, "--queue-wait-ms", "1"];
        let service = Arc::new(Service::start_with(&options));
        let streams: Vec<_> = (0..4)
            .map(|stream| {
                let service = Arc::clone(&service);
                let body: String = (0..5)
                    .map(|item| format!("{}\n{}\n", hard(stream * 5 + item), quick()))
                    .collect();
                thread::spawn(move || post(&service, &format!("{ROUTE}?time_limit_ms=50"), body))
            })
            .collect();
        for stream in streams {
            let answers = stream.join().expect("the client ends");
            assert_eq!(line_numbers(&answers), (1..=10).collect::<Vec<_>>());
            assert!(answers.iter().all(|answer| answer.get("code").is_none()), "{answers:?}");
        }
        assert_eq!(metric(&service, "boardsolve_rejected_total{code=\"overloaded\"}"), 0.0);
    }
}

#[test]
fn an_item_that_waits_with_a_single_request_is_not_turned_away_with_it() {
    let options = ["--places", "1", "--queue-wait-ms", "1000"];
    let service = Arc::new(Service::start_with(&options));
    let ask = |variant: usize, limit_ms: usize| {
        let service = Arc::clone(&service);
        let path = format!("{ROUTE}?time_limit_ms={limit_ms}");
        thread::spawn(move || service.post_json(&path, &hard(variant)))
    };
    let running = ask(0, 2500);
    service.wait_until("a running solve", |service| metric(service, LONG_IN_USE) == 1.0);
    let single = ask(1, 100);
    service.wait_until("a queue", |service| metric(service, LONG_WAITING) == 1.0);
    // The same board: it waits for the single request's solve.
    let answers = post(&service, &format!("{ROUTE}?time_limit_ms=100"), format!("{}\n", hard(1)));
    assert_eq!(answers[0]["status"], "unknown", "{}", answers[0]);
    assert_problem(&single.join().expect("the client ends"), 503, "overloaded");
    assert_eq!(running.join().expect("the client ends").status, 200);
}

#[test]
fn a_drain_answers_what_is_under_way_and_says_where_it_stopped() {
    let mut service = Service::start_with(&["--places", "1"]);
    let mut sending = begin(&service, &format!("{ROUTE}?time_limit_ms=1000"), "");
    sending.send_line(&hard(0));
    let mut answers = sending.receive();
    service.wait_until("a running item", |service| metric(service, LONG_IN_USE) == 1.0);
    service.terminate();
    let all = answers.rest();
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!((&all[0]["line"], &all[0]["status"]), (&json!(1), &json!("unknown")));
    assert_problem_line(&all[1], 2, "draining");
    assert_eq!(service.wait_for_exit().code(), Some(0));
}

#[test]
fn at_the_drain_deadline_the_items_under_way_are_answered_with_draining() {
    let mut service = Service::start_with(&["--places", "1", "--drain-ms", "300"]);
    let mut sending = begin(&service, &format!("{ROUTE}?time_limit_ms=60000"), "");
    sending.send(hard_lines(2).as_bytes());
    sending.end();
    let mut answers = sending.receive();
    service.wait_until("a running item", |service| metric(service, LONG_IN_USE) == 1.0);
    service.terminate();
    let all = answers.rest();
    assert_eq!(line_numbers(&all), [1, 2]);
    for (index, answer) in all.iter().enumerate() {
        assert_problem_line(answer, index + 1, "draining");
    }
    assert_eq!(service.wait_for_exit().code(), Some(0));
}

#[test]
fn a_client_that_never_reads_is_cut_off_after_the_idle_timeout() {
    let service = Service::start_with(&["--idle-timeout-ms", "500"]);
    let mut sending = begin(&service, "/rook-circuit", "");
    let line = format!("{}\n", json!({ "board": vec![".".repeat(100); 100] }));
    let chunk = format!("{:x}\r\n{line}\r\n", line.len());
    let cut_off = (0..100_000).find_map(|_| sending.0.write_all(chunk.as_bytes()).err());
    let kind = cut_off.expect("a gigabyte was taken, and nobody read an answer").kind();
    let is_cut = matches!(kind, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe);
    assert!(is_cut, "{kind}");
}
