//! Places, queue, and quick requests beside hard ones.

use std::sync::Arc;
use std::thread;

use crate::boards::{ROUTE, assert_problem, hard, metric, quick};
use crate::support::{Answer, Service};

/// Starts `count` hard solves, each on a thread of its own.
fn start_hard(
    service: &Arc<Service>,
    count: usize,
    first: usize,
    limit_ms: usize,
) -> Vec<thread::JoinHandle<Answer>> {
    (first..first + count)
        .map(|variant| {
            let service = Arc::clone(service);
            thread::spawn(move || {
                service.post_json(&format!("{ROUTE}?time_limit_ms={limit_ms}"), &hard(variant))
            })
        })
        .collect()
}

const LONG_IN_USE: &str = "boardsolve_places_in_use{lane=\"long\"}";
const LONG_WAITING: &str = "boardsolve_queue_depth{lane=\"long\"}";

#[test]
fn no_more_solves_run_at_once_than_there_are_places() {
    let service = Arc::new(Service::start_with(&["--places", "2"]));
    let solves = start_hard(&service, 5, 0, 300);
    service.wait_until("full places", |service| {
        metric(service, LONG_IN_USE) == 2.0 && metric(service, LONG_WAITING) == 3.0
    });
    let mut longest_wait: f64 = 0.0;
    for solve in solves {
        let answer = solve.join().expect("the client ends");
        assert_eq!(answer.status, 200, "{}", answer.text());
        let timing = answer.header("server-timing");
        let waited = timing.strip_prefix("queue;dur=").and_then(|rest| rest.split(',').next());
        let waited = waited.and_then(|number| number.parse().ok()).expect("a number");
        longest_wait = longest_wait.max(waited);
        let answer = answer.json();
        assert_eq!(answer["status"], "unknown", "{answer}");
        assert_eq!(answer["reason"]["code"], "time_limit", "{answer}");
        let time = answer["stats"]["time_ms"].as_f64().expect("a number");
        assert!((290.0..400.0).contains(&time), "waiting is not counted: {answer}");
    }
    assert!(longest_wait > 250.0, "the fifth waited for two others: {longest_wait}");
    service.wait_until("free places", |service| metric(service, LONG_IN_USE) == 0.0);
}

#[test]
fn a_full_queue_is_503_with_retry_after_and_quick_solves_still_go_through() {
    let options = ["--places", "1", "--queue", "2", "--queue-wait-ms", "60000"];
    let service = Arc::new(Service::start_with(&options));
    let solves = start_hard(&service, 3, 0, 1500);
    service.wait_until("a full queue", |service| metric(service, LONG_WAITING) == 2.0);
    let refused = service.post_json(ROUTE, &hard(100));
    let problem = assert_problem(&refused, 503, "overloaded");
    assert_eq!(problem["limit"], 2, "{problem}");
    assert!(refused.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds >= 1));
    let answer = service.post_json(ROUTE, &quick());
    assert_eq!(answer.status, 200, "{}", answer.text());
    for path in ["/livez", "/metrics", "/info", "/docs/", "/openapi.json"] {
        assert_eq!(service.get(path).status, 200, "{path}");
    }
    assert!(metric(&service, "boardsolve_rejected_total{code=\"overloaded\"}") >= 1.0);
    for solve in solves {
        assert_eq!(solve.join().expect("the client ends").status, 200);
    }
}

#[test]
fn a_wait_over_the_maximum_is_503() {
    let service = Arc::new(Service::start_with(&["--places", "1", "--queue-wait-ms", "100"]));
    let running = start_hard(&service, 1, 0, 2000);
    service.wait_until("a full place", |service| metric(service, LONG_IN_USE) == 1.0);
    let refused = service.post_json(ROUTE, &hard(1));
    assert_problem(&refused, 503, "overloaded");
    for solve in running {
        assert_eq!(solve.join().expect("the client ends").status, 200);
    }
}

#[test]
fn bodies_beyond_the_shared_memory_are_turned_away_and_their_memory_comes_back() {
    let service = Service::start_with(&["--shared-memory-mb", "16"]);
    let board = vec![".".repeat(500); 500];
    // The body alone is a quarter of a megabyte; blanks make it four.
    let mut body = serde_json::json!({ "board": board }).to_string();
    body.push_str(&" ".repeat(4 << 20));
    let answer = service.post("/rook-circuit", "application/json", body);
    assert_problem(&answer, 503, "overloaded");
    let answer = service.post_json("/rook-circuit", &serde_json::json!({ "board": ["..", ".."] }));
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[test]
fn threads_of_the_long_lane_let_all_others_go_first() {
    let service = Arc::new(Service::start_with(&["--places", "1"]));
    let running = start_hard(&service, 1, 0, 1000);
    service.wait_until("a full place", |service| metric(service, LONG_IN_USE) == 1.0);
    let tasks = format!("/proc/{}/task", service.process_id());
    let niceness: Vec<String> = std::fs::read_dir(tasks)
        .expect("the process runs")
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("stat")).ok())
        .filter_map(|stat| {
            let fields = stat.split_once("(boardsolve-long) ")?.1;
            fields.split(' ').nth(16).map(str::to_owned)
        })
        .collect();
    assert_eq!(niceness, ["19"], "one place, one thread, the lowest ordinary priority");
    for solve in running {
        assert_eq!(solve.join().expect("the client ends").status, 200);
    }
}
