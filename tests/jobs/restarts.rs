//! One process on SQLite that is killed, or told to end, in the middle of its work.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::asking::{
    ROUTE, accepted, assert_problem, cancel, hard, job, metric, quick, signal, wait_for,
    without_stats,
};
use crate::files::Folder;

#[test]
fn what_was_accepted_before_a_kill_is_done_after_it() {
    let folder = Folder::new();
    let mut service = folder.serve(&[]);
    let runs = accepted(&service, &format!("{ROUTE}?time_limit_ms=1500"), &hard(0));
    wait_for(&service, &runs, "running");
    let rows = |index: usize| vec!["0".repeat(2 + index % 5); 2 + index / 5];
    let waiting: Vec<_> =
        (0..20).map(|index| accepted(&service, ROUTE, &json!({ "board": rows(index) }))).collect();
    signal(&service, Signal::KILL);
    service.wait_for_exit();
    let service = folder.serve(&[]);
    for (index, path) in waiting.iter().enumerate() {
        let done = wait_for(&service, path, "done");
        let solved = service.post_json(ROUTE, &json!({ "board": rows(index) })).json();
        assert_eq!(without_stats(done["answer"].clone()), without_stats(solved));
    }
    let done = wait_for(&service, &runs, "done");
    assert_eq!(done["answer"]["reason"]["code"], "time_limit");
    assert_eq!(metric(&service, "boardsolve_jobs_recovered_total"), 1.0);
}

#[test]
fn a_process_that_is_told_to_end_puts_its_job_back_at_once() {
    let folder = Folder::new();
    let mut service = folder.serve(&["--drain-ms", "20000"]);
    let path = accepted(&service, ROUTE, &hard(0));
    wait_for(&service, &path, "running");
    let waits = accepted(&service, ROUTE, &quick());
    service.terminate();
    assert_eq!(service.wait_for_exit().code(), Some(0));
    let service = folder.serve(&[]);
    wait_for(&service, &path, "running");
    // It did not have to be taken from a dead worker.
    assert_eq!(metric(&service, "boardsolve_jobs_recovered_total"), 0.0);
    cancel(&service, &path);
    wait_for(&service, &path, "cancelled");
    wait_for(&service, &waits, "done");
}

#[test]
fn a_job_that_was_stopped_half_way_is_not_told_as_done() {
    let folder = Folder::new();
    let mut service = folder.serve(&[]);
    // Its winner is found at once, the rest of what it asks is not.
    let path = accepted(&service, ROUTE, &json!({ "board": vec!["0".repeat(12); 12] }));
    service.wait_until("a search", |service| job(service, &path)["progress"]["nodes"] != 0);
    service.terminate();
    assert_eq!(service.wait_for_exit().code(), Some(0));
    let service = folder.serve(&[]);
    wait_for(&service, &path, "running");
    cancel(&service, &path);
    wait_for(&service, &path, "cancelled");
}

#[test]
fn a_stream_of_events_ends_when_the_process_does() {
    let folder = Folder::new();
    let mut service = folder.serve(&[]);
    let path = accepted(&service, ROUTE, &hard(0));
    wait_for(&service, &path, "running");
    let started = Instant::now();
    let told = std::thread::scope(|scope| {
        let told = scope.spawn(|| service.get(&format!("{path}/events")));
        std::thread::sleep(Duration::from_millis(300));
        service.terminate();
        told.join().expect("the client ends")
    });
    assert!(!told.text().contains("event: end"), "{}", told.text());
    assert_eq!(service.wait_for_exit().code(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(20), "the drain waited for the stream");
}

#[test]
fn a_job_that_takes_three_workers_with_it_is_given_up() {
    let folder = Folder::new();
    let mut service = folder.serve(&[]);
    let path = accepted(&service, ROUTE, &hard(0));
    for _ in 0..3 {
        wait_for(&service, &path, "running");
        signal(&service, Signal::KILL);
        service.wait_for_exit();
        service = folder.serve(&[]);
        // Until its lease has run out it counts as running.
        service.wait_until("its recovery", |service| {
            metric(service, "boardsolve_jobs_recovered_total") == 1.0
        });
    }
    let failed = job(&service, &path);
    assert_eq!(
        (&failed["state"], &failed["problem"]["code"]),
        (&json!("failed"), &json!("internal"))
    );
    let detail = failed["problem"]["detail"].as_str().expect("a sentence");
    assert!(detail.contains("given up"), "{detail}");
    assert_problem(&service.get(&format!("{path}/answer")), 500, "internal");
    assert_eq!(metric(&service, "boardsolve_jobs_waiting"), 0.0);
}
