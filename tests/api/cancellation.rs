//! A client that leaves takes its solve along: the work done after the hang-up is what counts.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::boards::{ROUTE, hard, metric, quick};
use crate::support::Service;

const LONG_IN_USE: &str = "boardsolve_places_in_use{lane=\"long\"}";
const LONG_WAITING: &str = "boardsolve_queue_depth{lane=\"long\"}";
const HANG_UPS: &str = "boardsolve_cancelled_total{reason=\"hang_up\"}";

/// Sends a request and leaves the connection open.
fn begin(service: &Service, path: &str, body: &Value) -> TcpStream {
    let mut stream = service.connect();
    let body = body.to_string();
    let request = format!(
        "POST {path}?time_limit_ms=60000 HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("the request is sent");
    stream
}

#[test]
fn a_hang_up_ends_the_search_and_frees_its_place() {
    let service = Service::start_with(&["--places", "1"]);
    let stream = begin(&service, ROUTE, &hard(0));
    service.wait_until("a running solve", |service| metric(service, LONG_IN_USE) == 1.0);
    drop(stream);
    service.wait_until("a free place", |service| metric(service, LONG_IN_USE) == 0.0);
    assert_eq!(metric(&service, HANG_UPS), 1.0);
    // Nobody burns the processor any more: the process's own clock stands nearly still.
    let before = metric(&service, "boardsolve_places_in_use{lane=\"express\"}");
    assert_eq!(before, 0.0);
    let used = processor_ticks(&service);
    thread::sleep(Duration::from_millis(500));
    let used = processor_ticks(&service) - used;
    assert!(used <= 10, "{used} hundredths of a second were worked after the hang-up");
}

#[test]
fn a_hang_up_ends_the_search_of_every_puzzle_at_every_stage() {
    let service = Service::start_with(&["--places", "1"]);
    for (path, request) in hard_of_every_puzzle() {
        for stage_ms in [30, 150, 600] {
            let stream = begin(&service, path, &request);
            service.wait_until("a running solve, or one that is over", |service| {
                metric(service, LONG_IN_USE) == 1.0 || is_answered(&stream)
            });
            thread::sleep(Duration::from_millis(stage_ms));
            drop(stream);
            let used = processor_ticks(&service);
            service.wait_until("a free place", |service| metric(service, LONG_IN_USE) == 0.0);
            let used = processor_ticks(&service) - used;
            assert!(
                used <= 30,
                "{path}, hung up after {stage_ms} ms: {used} hundredths of a second were worked"
            );
        }
    }
}

/// Whether an answer has come already.
fn is_answered(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a socket takes the option");
    let is_answered = stream.peek(&mut [0]).is_ok();
    stream.set_nonblocking(false).expect("a socket takes the option");
    is_answered
}

#[test]
fn a_waiter_that_hangs_up_leaves_the_queue() {
    let service = Service::start_with(&["--places", "1", "--queue-wait-ms", "60000"]);
    let running = begin(&service, ROUTE, &hard(0));
    service.wait_until("a running solve", |service| metric(service, LONG_IN_USE) == 1.0);
    let waiting = begin(&service, ROUTE, &hard(1));
    service.wait_until("a waiter", |service| metric(service, LONG_WAITING) == 1.0);
    drop(waiting);
    service.wait_until("an empty queue", |service| metric(service, LONG_WAITING) == 0.0);
    assert_eq!(metric(&service, LONG_IN_USE), 1.0);
    drop(running);
    service.wait_until("a free place", |service| metric(service, LONG_IN_USE) == 0.0);
}

#[test]
fn hang_ups_in_numbers_leave_nothing_running() {
    let service = Service::start_with(&["--places", "2"]);
    let streams: Vec<_> = (0..20).map(|variant| begin(&service, ROUTE, &hard(variant))).collect();
    service.wait_until("full places", |service| metric(service, LONG_IN_USE) == 2.0);
    drop(streams);
    service.wait_until("free places and an empty queue", |service| {
        metric(service, LONG_IN_USE) == 0.0 && metric(service, LONG_WAITING) == 0.0
    });
    assert_eq!(service.post_json(ROUTE, &quick()).status, 200);
}

#[test]
fn every_puzzle_stops_within_its_deadline_on_its_hardest_boards() {
    let service = Service::start_with(&["--places", "1"]);
    for (path, request) in hard_of_every_puzzle() {
        let answer = service.post_json(&format!("{path}?time_limit_ms=200"), &request);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let answer = answer.json();
        let time = answer["stats"]["time_ms"].as_f64().expect("a number");
        assert!(time < 250.0 + SLACK_MS, "{path} kept on for {time} ms: {}", answer["status"]);
    }
}

/// Test builds are slower than release builds, and the machine may be busy.
const SLACK_MS: f64 = 150.0;

fn hard_of_every_puzzle() -> Vec<(&'static str, Value)> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut tiles: Vec<char> = (0..225u32)
        .flat_map(|kind| [char::from_u32(0x4e00 + kind / 4).expect("a character"); 4])
        .collect();
    random.shuffle(&mut tiles);
    let link: Vec<String> = tiles.chunks(30).map(|row| row.iter().collect()).collect();
    let columns: Vec<Vec<u8>> =
        (0..5).map(|col| (0..7).map(|row| (col * 7 + row) % 10 + 1).collect()).collect();
    let tiled: Vec<String> = (0..1000)
        .map(|_| (0..1000).map(|_| if random.u8(..10) < 3 { 'X' } else { ' ' }).collect())
        .collect();
    let ends: Vec<(usize, usize)> = (0..1000)
        .flat_map(|row| (0..1000).map(move |col| (row, col)))
        .filter(|&(row, col)| tiled[row].as_bytes()[col] == b'X')
        .collect();
    let cell = |index: usize| json!({ "row": ends[index].0, "col": ends[index].1 });
    let pairs: Vec<Value> = (0..20_000)
        .map(|pair| json!({ "from": cell(pair), "to": cell(ends.len() - 1 - pair) }))
        .collect();
    let holes: Vec<String> = (0..500)
        .map(|_| (0..500).map(|_| if random.u8(..100) < 2 { '#' } else { '.' }).collect())
        .collect();
    vec![
        ("/linkgame", json!({ "board": link })),
        ("/linkgame", json!({ "board": link, "gravity": true })),
        ("/mayan", json!({ "steps": 10, "columns": columns })),
        ("/tetris-sg", hard(0)),
        ("/mahjong-path", json!({ "board": tiled, "pairs": pairs })),
        ("/rook-circuit", json!({ "board": holes })),
        (
            "/rook-circuit",
            json!({ "board": vec![".".repeat(500); 500], "unique": true, "count": true }),
        ),
    ]
}

/// The processor time that the service has used, in hundredths of a second.
fn processor_ticks(service: &Service) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", service.process_id()))
        .expect("the kernel tells");
    let fields: Vec<_> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
    // Fields 14 and 15 of proc_pid_stat(5), the third standing first here.
    fields[11..13].iter().map(|field| field.parse::<u64>().expect("a number")).sum()
}
