//! What the queue of jobs costs, and how it scales: one, two and four replicas of
//! one place each on a shared PostgreSQL, and one process on SQLite.
//!
//! `cargo bench --bench jobs` starts a PostgreSQL of its own and prints a
//! Markdown table. Jobs are accepted by a process without places first, and then
//! worked off by the replicas, so that each side is measured alone.

#![allow(clippy::print_stdout, reason = "a bench prints its tables")]
#![allow(dead_code, reason = "it shares what starts services with the tests, and uses a part")]

#[path = "../tests/jobs/cluster.rs"]
mod cluster;
#[path = "../tests/jobs/files.rs"]
mod files;
#[path = "../tests/support/mod.rs"]
mod support;

use std::thread;
use std::time::{Duration, Instant};

use cluster::Cluster;
use fastrand::Rng;
use files::Folder;
use serde_json::{Value, json};
use support::Service;
use support::asking::metric;

/// Jobs of no work a row.
const EMPTY_JOBS: usize = 4000;

/// Jobs of real work a row.
const REAL_JOBS: usize = 400;

/// Clients that send jobs at once.
const CLIENTS: usize = 16;

/// What a job asks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A board that is decided in microseconds: the queue's own cost.
    Empty,
    /// A board that takes some tens of milliseconds of a processor.
    Real,
}

fn main() {
    println!("| store | replicas | jobs | accepted a second | ended a second |");
    println!("|---|---|---|---|---|");
    let folder = Folder::new();
    row("SQLite", 1, Kind::Empty, &|options| folder.serve(options));
    for kind in [Kind::Empty, Kind::Real] {
        for replicas in [1, 2, 4] {
            let cluster = Cluster::start();
            row("PostgreSQL", replicas, kind, &|options| cluster.serve(options));
        }
    }
}

fn row(store: &str, replicas: usize, kind: Kind, serve: &dyn Fn(&[&str]) -> Service) {
    let jobs = if kind == Kind::Empty { EMPTY_JOBS } else { REAL_JOBS };
    // SQLite is for one process, so the one that accepts ends before the one that works.
    let accepts = serve(&["--job-places", "0"]);
    let started = Instant::now();
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let accepts = &accepts;
            scope.spawn(move || {
                for index in (client..jobs).step_by(CLIENTS) {
                    let request = accepts.request("POST", "/tetris-sg");
                    let request = request.header("Prefer", "respond-async");
                    let body = board(kind, index).to_string().into();
                    let answer = accepts.send(request.body(body).expect("well-formed"));
                    assert_eq!(answer.status, 202, "{}", answer.text());
                }
            });
        }
    });
    let accepted = jobs as f64 / started.elapsed().as_secs_f64();
    drop(accepts);
    let started = Instant::now();
    let workers: Vec<_> = (0..replicas).map(|_| serve(&["--job-places", "1"])).collect();
    let ended =
        |worker: &Service| -> f64 { metric(worker, "boardsolve_jobs_ended_total{state=\"done\"}") };
    while workers.iter().map(ended).sum::<f64>() < jobs as f64 {
        thread::sleep(Duration::from_millis(20));
    }
    let ended = jobs as f64 / started.elapsed().as_secs_f64();
    let work = if kind == Kind::Empty { "no work" } else { "real work" };
    println!("| {store} | {replicas} | {jobs} of {work} | {accepted:.0} | {ended:.0} |");
}

fn board(kind: Kind, index: usize) -> Value {
    let (rows, cols) = match kind {
        Kind::Empty => (2, 2),
        Kind::Real => (8, 8),
    };
    let mut random = Rng::with_seed(index as u64);
    let row = |random: &mut Rng| {
        (0..cols).map(|_| if random.u8(..8) == 0 { '1' } else { '0' }).collect::<String>()
    };
    let rows: Vec<_> = (0..rows).map(|_| row(&mut random)).collect();
    json!({ "board": rows })
}
