//! Clients that ask one board at a time, of every kind, and sometimes hang up.

use std::thread;
use std::time::Duration;

use fastrand::Rng;

use crate::load::{Load, count};
use crate::questions::is_overloaded;
use crate::support::Client;

/// Requests a connection.
const KEPT_FOR: usize = 20;

/// One client: request after request, from a seed of its own.
pub(crate) fn run(load: &Load, seed: u64) {
    let mut random = Rng::with_seed(seed);
    while !load.is_over() {
        let Ok(mut client) = Client::connect(load.service.address) else {
            load.fault("a connection was not taken");
            continue;
        };
        for _ in 0..KEPT_FOR {
            if load.is_over() || !ask(load, &mut client, &mut random) {
                break;
            }
        }
    }
}

/// Asks once; whether the connection may be used again.
fn ask(load: &Load, client: &mut Client, random: &mut Rng) -> bool {
    let question = load.questions.any(random);
    let path = question.path();
    if random.u8(..20) == 0 {
        let stream = load.service.begin(&path, &question.body);
        thread::sleep(Duration::from_millis(random.u64(..300)));
        drop(stream);
        count(&load.counts.hung_up);
        return true;
    }
    // What can't be drawn or told in text is told as a problem, so hard boards are asked in JSON.
    let form = if question.is_hard() { 0 } else { random.u8(..8) };
    let accept = ["*/*", "image/svg+xml", "text/plain"].get(usize::from(form)).unwrap_or(&"*/*");
    let headers = format!("Content-Type: application/json\r\nAccept: {accept}\r\n");
    let reply = match client.send("POST", &path, &headers, &question.body) {
        Ok(reply) => reply,
        Err(error) => {
            load.fault(format!("{path} was not answered: {error}"));
            return false;
        }
    };
    let (counter, checked) = match reply.status {
        200 if *accept == "*/*" => (&load.counts.answered, question.check_answer(&reply.body)),
        200 => {
            let is_right = reply.header("content-type").starts_with(accept);
            let checked = is_right.then_some(()).ok_or_else(|| reply.head.clone());
            (&load.counts.answered, checked)
        }
        503 if is_overloaded(&reply.body) => (&load.counts.refused, Ok(())),
        _ => (&load.counts.bad, question.check_refusal(&reply.body)),
    };
    if load.check(&path, checked) {
        count(counter);
    }
    reply.header("connection") != "close"
}
