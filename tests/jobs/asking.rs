//! Requests about jobs, and boards for them.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::{Answer, Service};

pub(crate) use crate::support::asking::{ROUTE, hard, metric, quick};

/// How long anything may take that is not bounded by the service.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Asks for a job, with further headers.
pub(crate) fn ask(service: &Service, path: &str, body: &Value, headers: &[(&str, &str)]) -> Answer {
    let mut request = service
        .request("POST", path)
        .header("Content-Type", "application/json")
        .header("Prefer", "respond-async");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    service.send(request.body(body.to_string().into()).expect("the request is well-formed"))
}

/// Asks for a job that is accepted; its path.
#[track_caller]
pub(crate) fn accepted(service: &Service, path: &str, body: &Value) -> String {
    let answer = ask(service, path, body, &[]);
    assert_eq!(answer.status, 202, "{}", answer.text());
    answer.header("location").to_owned()
}

/// Cancels a job.
pub(crate) fn cancel(service: &Service, path: &str) -> Answer {
    let request = service.request("DELETE", path).body(Vec::new());
    service.send(request.expect("the request is well-formed"))
}

/// Sends `GET path` with an `Accept` header.
pub(crate) fn get_as(service: &Service, path: &str, accept: &str) -> Answer {
    let request = service.request("GET", path).header("Accept", accept).body(Vec::new());
    service.send(request.expect("the request is well-formed"))
}

/// The job as it stands.
#[track_caller]
pub(crate) fn job(service: &Service, path: &str) -> Value {
    let answer = service.get(path);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Waits until a job is in that state; the job then.
#[track_caller]
pub(crate) fn wait_for(service: &Service, path: &str, state: &str) -> Value {
    let started = Instant::now();
    loop {
        let job = job(service, path);
        if job["state"] == state {
            return job;
        }
        let waited = started.elapsed();
        assert!(waited < PATIENCE, "waited {waited:?} for {state}: {job}\n{:#?}", service.log());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// An answer without what differs from one solve to the next.
pub(crate) fn without_stats(mut answer: Value) -> Value {
    if let Some(members) = answer.as_object_mut() {
        members.remove("stats");
    }
    for item in answer.as_array_mut().into_iter().flatten() {
        *item = without_stats(item.take());
    }
    answer
}

/// Sends a signal to a service.
pub(crate) fn signal(service: &Service, signal: Signal) {
    let id = i32::try_from(service.process_id()).ok().and_then(Pid::from_raw);
    kill_process(id.expect("a process has an id"), signal).expect("the service still runs");
}

/// Checks that an answer is a problem of that status and code.
#[track_caller]
pub(crate) fn assert_problem(answer: &Answer, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/problem+json");
    assert_eq!(answer.json()["code"], code, "{}", answer.text());
}
