//! The life of a job, from the request to the end of its keeping.

use serde_json::{Value, json};

use crate::asking::{
    ROUTE, accepted, ask, assert_problem, cancel, get_as, hard, job, metric, quick, wait_for,
    without_stats,
};
use crate::files::Folder;
use crate::support::Service;

#[test]
fn a_solve_becomes_a_job_and_has_the_answer_that_the_solve_has() {
    let folder = Folder::new();
    let service = folder.serve(&[]);
    let answer = ask(&service, ROUTE, &quick(), &[]);
    assert_eq!(answer.status, 202, "{}", answer.text());
    assert_eq!(answer.header("preference-applied"), "respond-async");
    let path = answer.header("location");
    assert_eq!(path, format!("/jobs/{}", answer.json()["id"].as_str().expect("an id")));
    assert_eq!(answer.json()["puzzle"], "tetris-sg");
    let done = wait_for(&service, path, "done");
    let solved = service.post_json(ROUTE, &quick());
    assert_eq!(solved.header("cache-status"), "boardsolve; hit", "what a job decided is kept");
    assert_eq!(without_stats(done["answer"].clone()), without_stats(solved.json()));
    assert_eq!(done["answer"]["stats"]["time_limit_ms"], 3_600_000);
    assert_eq!(done["progress"]["stage"], "ended");
    let alone = service.get(&format!("{path}/answer"));
    assert_eq!((alone.status, alone.header("content-type")), (200, "application/json"));
    assert_eq!(alone.json(), done["answer"]);
    let text = get_as(&service, &format!("{path}/answer"), "text/plain");
    assert_eq!((text.status, text.text()), (200, "Yes\n"));
    let picture = get_as(&service, &format!("{path}/answer"), "image/svg+xml");
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/svg+xml"));
    assert!(picture.header("content-security-policy").starts_with("default-src 'none'"));
    assert_eq!(alone.header("content-security-policy"), "");
    for answer in [alone, text, picture] {
        assert_eq!(answer.header("cache-control"), "no-store", "it is nobody else's business");
        assert!(answer.headers.get_all("vary").iter().any(|names| names == "accept"));
    }
    assert_problem(
        &get_as(&service, &format!("{path}/answer"), "image/png"),
        406,
        "not_acceptable",
    );
    assert_eq!(cancel(&service, path).json()["state"], "done");
    assert_eq!(metric(&service, "boardsolve_jobs_ended_total{state=\"done\"}"), 1.0);
}

#[test]
fn a_text_body_of_several_cases_is_a_job_too_and_is_answered_in_text() {
    let folder = Folder::new();
    let service = folder.serve(&[]);
    let request = service
        .request("POST", "/linkgame?outside=true")
        .header("Content-Type", "text/plain")
        .header("Prefer", "wait=5, respond-async")
        .body(b"1 2\nAA\n2 2\nAB\nBA\n2 4\n*DCD\nACA*\n0 0\n".to_vec());
    let answer = service.send(request.expect("the request is well-formed"));
    assert_eq!(answer.status, 202, "{}", answer.text());
    let path = answer.header("location");
    let done = wait_for(&service, path, "done");
    let statuses: Vec<_> =
        done["answer"].as_array().expect("an array").iter().map(|case| &case["status"]).collect();
    assert_eq!(statuses, ["solved", "unsolvable", "solved"]);
    assert_eq!(done["progress"]["cases_done"], 3);
    assert_eq!(service.get(&format!("{path}/answer")).text(), "yes\nno\nyes\n");
}

#[test]
fn a_body_that_came_compressed_is_stored_and_read_again() {
    use std::io::Write;
    let folder = Folder::new();
    let service = folder.serve(&[]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(quick().to_string().as_bytes()).expect("memory takes bytes");
    let request = service
        .request("POST", ROUTE)
        .header("Content-Encoding", "gzip")
        .header("Prefer", "respond-async")
        .body(gzip.finish().expect("memory takes bytes"));
    let answer = service.send(request.expect("the request is well-formed"));
    assert_eq!(answer.status, 202, "{}", answer.text());
    wait_for(&service, answer.header("location"), "done");
}

#[test]
fn events_tell_how_a_job_goes_and_end_with_it() {
    let folder = Folder::new();
    let service = folder.serve(&[]);
    let path = accepted(&service, &format!("{ROUTE}?time_limit_ms=3500"), &hard(0));
    let events = service.get(&format!("{path}/events"));
    assert_eq!((events.status, events.header("content-type")), (200, "text/event-stream"));
    let told: Vec<(&str, Value)> = events
        .text()
        .split("\n\n")
        .filter_map(|event| {
            let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
            let data = field("data: ")?;
            Some((field("event: ")?, serde_json::from_str(data).expect("the data is JSON")))
        })
        .collect();
    let (last, before) = told.split_last().expect("there are events");
    assert_eq!((last.0, &last.1["state"]), ("end", &json!("done")));
    assert!(before.iter().all(|(name, _)| *name == "progress"), "{told:?}");
    let nodes = |(_, job): &(&str, Value)| job["progress"]["nodes"].as_u64().expect("a number");
    let solving: Vec<_> =
        before.iter().filter(|(_, job)| job["progress"]["stage"] == "solving").collect();
    assert!(solving.len() >= 2, "{told:?}");
    assert!(solving.is_sorted_by_key(|event| nodes(event)), "{told:?}");
    assert!(nodes(solving[solving.len() - 1]) > 0, "{told:?}");
    let answer = job(&service, &path)["answer"].take();
    assert_eq!(answer["reason"]["code"], "time_limit");
    let text = get_as(&service, &format!("{path}/answer"), "text/plain");
    assert_problem(&text, 503, "undecided");
    let again = service.post_json(&format!("{ROUTE}?time_limit_ms=50"), &hard(0));
    assert_eq!(again.header("cache-status"), "boardsolve; fwd=miss", "unknown is never kept");
}

#[test]
fn a_job_takes_no_place_of_a_solve() {
    let folder = Folder::new();
    let service = folder.serve(&["--places", "1"]);
    let path = accepted(&service, ROUTE, &hard(0));
    wait_for(&service, &path, "running");
    service.wait_until("a search", |service| job(service, &path)["progress"]["nodes"] != 0);
    // More than a first slice decides, so that it needs a thread of the long lane.
    let mut board = vec!["0".repeat(9); 9];
    board[8].replace_range(8.., "1");
    let path_of_solve = format!("{ROUTE}?time_limit_ms=30000");
    let answer = service.post_json(&path_of_solve, &json!({ "board": board }));
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!("solved")));
    assert_eq!(job(&service, &path)["state"], "running");
}

#[test]
fn answers_that_do_not_fit_into_a_places_memory_or_can_never_be_sent_are_told_so() {
    for options in [["--solve-memory-mb", "16"], ["--shared-memory-mb", "32"]] {
        answers_that_do_not_fit_are_told_so_under(&options);
    }
}

fn answers_that_do_not_fit_are_told_so_under(options: &[&str]) {
    let folder = Folder::new();
    let service = folder.serve(options);
    // Two rows of tiles with nothing between, and every pair across, over and over.
    let blank = [" ".repeat(20), "\n".to_owned()].concat().repeat(18);
    let board = format!("20 20\n{tiles}\n{blank}{tiles}\n", tiles = "X".repeat(20));
    let pairs: String =
        (0..4000).map(|pair| format!("{} 1 {} 20\n", pair % 20 + 1, pair / 20 % 20 + 1)).collect();
    let job_of = |cases: usize| {
        let request = service
            .request("POST", "/mahjong-path")
            .header("Content-Type", "text/plain")
            .header("Prefer", "respond-async")
            .body(format!("{}0 0\n", format!("{board}{pairs}0 0 0 0\n").repeat(cases)).into());
        let answer = service.send(request.expect("the request is well-formed"));
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.header("location").to_owned()
    };
    let path = job_of(4);
    wait_for(&service, &path, "done");
    let small = service.get(&format!("{path}/answer")).body.len();
    assert!(get_as(&service, &format!("{path}/answer"), "application/json").body.len() > small);
    let path = job_of(60);
    let failed = wait_for(&service, &path, "failed");
    assert_eq!(failed["problem"]["code"], "answer_too_large", "{failed}");
    assert_problem(&service.get(&format!("{path}/answer")), 422, "answer_too_large");
}

#[test]
fn a_job_waits_for_memory_for_its_body_however_long_others_hold_it() {
    let folder = Folder::new();
    let service = folder.serve(&["--shared-memory-mb", "32", "--body-timeout-ms", "300000"]);
    let runs = accepted(&service, ROUTE, &hard(0));
    wait_for(&service, &runs, "running");
    // Bodies have half of that memory, and body and board may take five times the body's bytes.
    let body = format!("{}{}", quick(), " ".repeat(5 << 19));
    let request = service.request("POST", ROUTE).header("Prefer", "respond-async");
    let answer = service.send(request.body(body.clone().into()).expect("a request"));
    assert_eq!(answer.status, 202, "{}", answer.text());
    let large = answer.header("location");
    // A body whose last byte does not come.
    let mut other = service.connect();
    let unended = vec![b' '; 4 << 20];
    let head = format!(
        "POST {ROUTE} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n",
        unended.len() + 1
    );
    std::io::Write::write_all(&mut other, head.as_bytes()).expect("the head is sent");
    std::io::Write::write_all(&mut other, &unended).expect("the body is sent");
    service.wait_until("the memory to be taken", |service| {
        service.post(ROUTE, "application/json", body.as_str()).status == 503
    });
    cancel(&service, &runs);
    let reads = wait_for(&service, large, "running");
    assert_eq!(reads["progress"]["stage"], "reading", "{reads}");
    drop(other);
    wait_for(&service, large, "done");
}

#[test]
fn a_job_is_cancelled_while_it_runs_and_while_it_waits() {
    let folder = Folder::new();
    let service = folder.serve(&[]);
    let runs = accepted(&service, ROUTE, &hard(0));
    wait_for(&service, &runs, "running");
    let waits = accepted(&service, ROUTE, &hard(1));
    assert_problem(&service.get(&format!("{waits}/answer")), 409, "no_answer");
    let answer = cancel(&service, &waits);
    assert_eq!((answer.status, &answer.json()["state"]), (200, &json!("cancelled")));
    let answer = cancel(&service, &runs);
    assert_eq!((answer.status, &answer.json()["cancelling"]), (202, &json!(true)));
    wait_for(&service, &runs, "cancelled");
    assert_problem(&service.get(&format!("{runs}/answer")), 409, "no_answer");
    assert_eq!(metric(&service, "boardsolve_jobs_ended_total{state=\"cancelled\"}"), 2.0);
    // Its place is free again.
    let next = accepted(&service, ROUTE, &quick());
    wait_for(&service, &next, "done");
}

#[test]
fn the_same_idempotency_key_is_the_same_job() {
    let folder = Folder::new();
    let service = folder.serve(&[]);
    let key = ("Idempotency-Key", "\"4c1f9d52-3c0e-4a7a-9df6-7b9ad1c8a111\"");
    let first = ask(&service, ROUTE, &quick(), &[key]);
    let again = ask(&service, ROUTE, &quick(), &[key]);
    assert_eq!((first.status, again.status), (202, 202), "{}", again.text());
    assert_eq!(first.header("location"), again.header("location"));
    let other = ask(&service, ROUTE, &hard(0), &[key]);
    assert_problem(&other, 422, "idempotency_key");
    let other_query = ask(&service, &format!("{ROUTE}?time_limit_ms=9"), &quick(), &[key]);
    assert_problem(&other_query, 422, "idempotency_key");
    let other_key = ask(&service, ROUTE, &quick(), &[("Idempotency-Key", "another")]);
    assert_ne!(other_key.header("location"), first.header("location"));
    let too_long = "k".repeat(256);
    let refused = ask(&service, ROUTE, &quick(), &[("Idempotency-Key", &too_long)]);
    assert_problem(&refused, 422, "idempotency_key");
    assert_eq!(metric(&service, "boardsolve_jobs_accepted_total"), 2.0);
}

#[test]
fn a_result_is_kept_for_its_time_then_gone_then_forgotten() {
    let folder = Folder::new();
    let service = folder.serve(&["--job-keep-s", "2"]);
    let answer = ask(&service, ROUTE, &quick(), &[("Idempotency-Key", "again")]);
    let path = answer.header("location").to_owned();
    wait_for(&service, &path, "done");
    service.wait_until("the end of the keeping", |service| service.get(&path).status != 200);
    assert_problem(&service.get(&path), 410, "gone");
    assert_problem(&service.get(&format!("{path}/answer")), 410, "gone");
    assert_problem(&service.get(&format!("{path}/events")), 410, "gone");
    assert_problem(&cancel(&service, &path), 410, "gone");
    // The key is free for another job.
    let answer = ask(&service, ROUTE, &quick(), &[("Idempotency-Key", "again")]);
    assert_eq!(answer.status, 202, "{}", answer.text());
    assert_ne!(answer.header("location"), path);
    service.wait_until("the end of the memory", |service| service.get(&path).status != 410);
    assert_problem(&service.get(&path), 404, "not_found");
}

#[test]
fn without_a_store_the_preference_is_ignored_and_there_are_no_jobs() {
    let service = Service::start();
    let answer = ask(&service, ROUTE, &quick(), &[]);
    assert_eq!((answer.status, answer.header("preference-applied")), (200, ""));
    assert_eq!(answer.json()["status"], "solved");
    let id = "0123456789abcdef".repeat(2);
    assert_problem(&service.get(&format!("/jobs/{id}")), 404, "not_found");
}
