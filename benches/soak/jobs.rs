//! Clients whose solves are jobs: accepted, asked for again under their key,
//! watched, cancelled, and each seen to its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::chunks::Chunks;
use crate::load::{Load, count};
use crate::questions::{Asked, hard, is_overloaded, small};
use crate::support::{Client, Reply, read_head};

/// How long a job may take to end, all in all.
const PATIENCE: Duration = Duration::from_secs(180);

/// One client: job after job, from a seed of its own.
pub(crate) fn run(load: &Load, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let mut number = 0;
    while !load.is_over() {
        number += 1;
        let key = format!("{seed}-{number}");
        if let Err(error) = one(load, &key, &mut random) {
            load.fault(format!("job {key}: {error}"));
        }
    }
}

fn one(load: &Load, key: &str, random: &mut Rng) -> Result<(), String> {
    let question = match random.u8(..10) {
        0 | 1 => {
            let limit = random.u64(100..2500);
            Asked::Once(Box::new(hard(random, limit)))
        }
        2 => load.questions.any(random),
        _ => Asked::Once(Box::new(small(random))),
    };
    let headers = format!(
        "Content-Type: application/json\r\nPrefer: respond-async\r\nIdempotency-Key: {key}\r\n"
    );
    let submit = |body: &str| send(load, "POST", &question.path(), &headers, body);
    if random.u8(..15) == 0 {
        // Whether it was accepted is not known then; it is the same job when it comes again.
        let stream = load.service.begin_with(&question.path(), &headers, &question.body);
        thread::sleep(Duration::from_millis(random.u64(..40)));
        drop(stream);
        count(&load.counts.hung_up);
    }
    let reply = submit(&question.body)?;
    if reply.status == 503 && is_overloaded(&reply.body) {
        count(&load.counts.refused);
        thread::sleep(Duration::from_millis(100));
        return Ok(());
    }
    if reply.status != 202 {
        question.check_refusal(&reply.body)?;
        count(&load.counts.bad);
        return Ok(());
    }
    let path = reply.header("location").to_owned();
    match random.u8(..10) {
        0 => {
            let again = submit(&question.body)?;
            if again.status != 503 && (again.status != 202 || again.header("location") != path) {
                return Err(format!("asked again: {}", again.head));
            }
        }
        1 => {
            let other = submit("{\"board\": [\"00\", \"00\"]}")?;
            let is_refused = other.status == 422 || other.status == 400 || other.status == 503;
            if !is_refused {
                return Err(format!("another request under its key: {}", other.head));
            }
        }
        _ => {}
    }
    let is_to_be_cancelled = random.u8(..4) == 0;
    if random.u8(..4) == 0 {
        watch(load, &path, random).map_err(|error| format!("its events: {error}"))?;
    }
    if is_to_be_cancelled {
        thread::sleep(Duration::from_millis(random.u64(..1500)));
        let reply = send(load, "DELETE", &path, "", "")?;
        if ![200, 202].contains(&reply.status) {
            return Err(format!("cancelled: {}", reply.head));
        }
    }
    let (state, job) = end(load, &path, random)?;
    let answer = match state.as_str() {
        "cancelled" if is_to_be_cancelled => None,
        "done" => {
            let members: std::collections::BTreeMap<String, Box<RawValue>> =
                serde_json::from_slice(&job).map_err(|error| error.to_string())?;
            let answer = members.get("answer").ok_or("done, without an answer")?.get();
            forms(load, &path, answer, random)?;
            Some(answer.to_owned())
        }
        state => return Err(format!("it ended {state}: {}", String::from_utf8_lossy(&job))),
    };
    // An end is an end.
    let again = send(load, "GET", &path, "", "")?;
    if again.status == 200 && again.body != job {
        return Err(format!("after its end: {}", String::from_utf8_lossy(&again.body)));
    }
    // Last, since a check may solve for longer than the answer is kept.
    if let Some(answer) = answer {
        question.check_answer(answer.as_bytes())?;
    }
    count(&load.counts.jobs);
    Ok(())
}

/// Waits for the end of a job; its state and the job then.
fn end(load: &Load, path: &str, random: &mut Rng) -> Result<(String, Vec<u8>), String> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        let reply = send(load, "GET", path, "", "")?;
        if reply.status == 200 {
            let job: Value =
                serde_json::from_slice(&reply.body).map_err(|error| error.to_string())?;
            let state = job["state"].as_str().unwrap_or("").to_owned();
            if !["queued", "running"].contains(&state.as_str()) {
                return Ok((state, reply.body));
            }
        } else if !(reply.status == 503 && is_overloaded(&reply.body)) {
            return Err(format!("asked for: {}", reply.head));
        }
        thread::sleep(Duration::from_millis(random.u64(20..300)));
    }
    Err("it does not end".to_owned())
}

/// Asks for one of the forms of an answer that was `told` in JSON.
fn forms(load: &Load, path: &str, told: &str, random: &mut Rng) -> Result<(), String> {
    let form = ["image/svg+xml", "text/plain", "application/json"][random.usize(..3)];
    let reply = send(load, "GET", &format!("{path}/answer"), &format!("Accept: {form}\r\n"), "")?;
    let is_undecided = told.contains("\"status\":\"unknown\"");
    match reply.status {
        200 if !reply.header("content-type").starts_with(form) => Err(reply.head),
        200 if form == "application/json" && reply.body.trim_ascii() != told.as_bytes() => {
            Err("its answer alone is another".to_owned())
        }
        200 => Ok(()),
        503 if is_overloaded(&reply.body) => Ok(()),
        503 if is_undecided && form != "application/json" => Ok(()),
        _ => Err(format!("as {form}: {}{}", reply.head, String::from_utf8_lossy(&reply.body))),
    }
}

/// Opens the stream of a job's events, and drops it after a while or at its end.
fn watch(load: &Load, path: &str, random: &mut Rng) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(load.service.address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(format!("GET {path}/events HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes())?;
    let mut stream = BufReader::new(stream);
    let head = read_head(&mut stream)?;
    if !head.contains("text/event-stream") {
        return Err(std::io::Error::other(head));
    }
    let mut events = BufReader::new(Chunks::new(stream));
    if random.bool() {
        let mut all = String::new();
        events.read_to_string(&mut all)?;
        let is_whole = all.contains("event: end\n");
        return is_whole.then_some(()).ok_or_else(|| std::io::Error::other(all));
    }
    for _ in 0..random.u8(1..12) {
        events.read_line(&mut String::new())?;
    }
    count(&load.counts.hung_up);
    Ok(())
}

/// Sends a request on a connection of its own.
fn send(load: &Load, method: &str, path: &str, headers: &str, body: &str) -> Result<Reply, String> {
    let sent = Client::connect(load.service.address)
        .and_then(|mut client| client.send(method, path, headers, body));
    sent.map_err(|error| format!("{method} {path} was not answered: {error}"))
}
