//! Memory under a worst mix of accepted requests, over time.
//!
//! `cargo bench --bench soak` starts the built service with small caps, sends it
//! hard boards, large bodies, large answers that are read slowly, bad bodies and
//! hang-ups for `BOARDSOLVE_SOAK_SECONDS` (600), and prints resident memory,
//! threads and descriptors minute by minute beside the bound
//! places × cap + shared + 64 MB. It exits with 1 when the bound was passed.

#![allow(clippy::print_stdout, reason = "a bench prints its tables")]

#[path = "support/mod.rs"]
mod support;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Client, Service, hard_board};

const PLACES: u64 = 2;
const SOLVE_MEMORY_MB: u64 = 128;
const SHARED_MEMORY_MB: u64 = 128;

/// Answers by kind of status, and hang-ups.
#[derive(Default)]
struct Counts {
    answered: AtomicU64,
    refused: AtomicU64,
    bad: AtomicU64,
    hung_up: AtomicU64,
}

fn main() -> ExitCode {
    let seconds = std::env::var("BOARDSOLVE_SOAK_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(600);
    let service = Arc::new(Service::start(&[
        "--places",
        &PLACES.to_string(),
        "--solve-memory-mb",
        &SOLVE_MEMORY_MB.to_string(),
        "--shared-memory-mb",
        &SHARED_MEMORY_MB.to_string(),
        "--queue-wait-ms",
        "2000",
    ]));
    let bound_mb = PLACES * SOLVE_MEMORY_MB + SHARED_MEMORY_MB + 64;
    let counts = Arc::new(Counts::default());
    let stopped = Arc::new(AtomicBool::new(false));
    let load: Vec<_> = (0..16u64)
        .map(|worker| {
            let (service, counts) = (Arc::clone(&service), Arc::clone(&counts));
            let stopped = Arc::clone(&stopped);
            thread::spawn(move || work(worker, &service, &counts, &stopped))
        })
        .collect();

    println!(
        "\n### Soak: {PLACES} places × {SOLVE_MEMORY_MB} MB + {SHARED_MEMORY_MB} MB + 64 MB = {bound_mb} MB\n"
    );
    println!(
        "| minute | resident MB | peak MB | threads | descriptors | answered | refused | bad | hung up |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let started = Instant::now();
    let mut peak_mb = 0;
    while started.elapsed() < Duration::from_secs(seconds) {
        let left = Duration::from_secs(seconds).saturating_sub(started.elapsed());
        thread::sleep(left.min(Duration::from_secs(60)));
        let process = Process::read(service.process_id());
        peak_mb = process.peak_mb;
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        println!(
            "| {:.0} | {} | {} | {} | {} | {} | {} | {} | {} |",
            started.elapsed().as_secs_f64() / 60.0,
            process.resident_mb,
            process.peak_mb,
            process.threads,
            process.descriptors,
            count(&counts.answered),
            count(&counts.refused),
            count(&counts.bad),
            count(&counts.hung_up),
        );
    }
    stopped.store(true, Ordering::Relaxed);
    for worker in load {
        worker.join().expect("a worker ends quietly");
    }
    thread::sleep(Duration::from_secs(3));
    let idle = Process::read(service.process_id());
    println!(
        "| idle | {} | {} | {} | {} | | | | |",
        idle.resident_mb, idle.peak_mb, idle.threads, idle.descriptors
    );
    ExitCode::from(u8::from(peak_mb > bound_mb))
}

/// One client: request after request, of every kind, from a seed of its own.
fn work(worker: u64, service: &Service, counts: &Counts, stopped: &AtomicBool) {
    let mut random = fastrand::Rng::with_seed(worker);
    let mut variant = worker as usize * 1_000_000;
    while !stopped.load(Ordering::Relaxed) {
        let Ok(mut client) = Client::connect(service.address) else { return };
        for _ in 0..20 {
            variant += 1;
            let (path, body) = request(&mut random, variant);
            if random.u8(..20) == 0 {
                let stream = service.begin(path, &body);
                thread::sleep(Duration::from_millis(random.u64(..300)));
                drop(stream);
                counts.hung_up.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            let Ok((status, _)) = client.post(path, &body) else { break };
            let counter = match status {
                200 => &counts.answered,
                503 => &counts.refused,
                _ => &counts.bad,
            };
            counter.fetch_add(1, Ordering::Relaxed);
            if stopped.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}

/// A request of a random kind.
fn request(random: &mut fastrand::Rng, variant: usize) -> (&'static str, String) {
    match random.u8(..8) {
        0 => ("/tetris-sg?time_limit_ms=2000", hard_board(variant)),
        1 => ("/mahjong-path?time_limit_ms=2000", mahjong(random, 1000, 20_000)),
        2 => ("/mahjong-path", mahjong(random, 75, 5_000)),
        3 => ("/rook-circuit?time_limit_ms=2000", rook(random, 500)),
        4 => ("/rook-circuit", rook(random, 40)),
        5 => ("/linkgame?time_limit_ms=1000", linkgame(random)),
        6 => ("/linkgame", format!("{{\"board\": [{}", "\"AB\",".repeat(200_000))),
        _ => (
            "/mayan",
            json!({ "steps": 4, "columns": [[1, 2], [2, 1], [1], [2, 2], []] }).to_string(),
        ),
    }
}

fn mahjong(random: &mut fastrand::Rng, side: usize, count: usize) -> String {
    let rows: Vec<String> = (0..side)
        .map(|_| (0..side).map(|_| if random.u8(..10) < 3 { 'X' } else { ' ' }).collect())
        .collect();
    let tiles: Vec<(usize, usize)> = (0..side)
        .flat_map(|row| (0..side).map(move |col| (row, col)))
        .filter(|&(row, col)| rows[row].as_bytes()[col] == b'X')
        .collect();
    let mut cell = || {
        let (row, col) = tiles[random.usize(..tiles.len())];
        json!({ "row": row, "col": col })
    };
    let pairs: Vec<Value> = std::iter::from_fn(|| {
        let (from, to) = (cell(), cell());
        Some((from != to).then(|| json!({ "from": from, "to": to })))
    })
    .flatten()
    .take(count)
    .collect();
    json!({ "board": rows, "pairs": pairs }).to_string()
}

fn rook(random: &mut fastrand::Rng, side: usize) -> String {
    let rows: Vec<String> = (0..side)
        .map(|_| (0..side).map(|_| if random.u16(..1000) < 3 { '#' } else { '.' }).collect())
        .collect();
    json!({ "board": rows }).to_string()
}

fn linkgame(random: &mut fastrand::Rng) -> String {
    let mut tiles: Vec<char> =
        (0..360u32).map(|tile| char::from_u32(0x4e00 + tile / 6).expect("a character")).collect();
    random.shuffle(&mut tiles);
    let rows: Vec<String> = tiles.chunks(20).map(|row| row.iter().collect()).collect();
    json!({ "board": rows, "gravity": random.bool() }).to_string()
}

/// What the kernel says of a process.
struct Process {
    resident_mb: u64,
    peak_mb: u64,
    threads: u64,
    descriptors: usize,
}

impl Process {
    fn read(id: u32) -> Self {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
        let field = |name: &str| {
            status
                .lines()
                .find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
                .unwrap_or(0)
        };
        Self {
            resident_mb: field("VmRSS:") / 1024,
            peak_mb: field("VmHWM:") / 1024,
            threads: field("Threads:"),
            descriptors: std::fs::read_dir(format!("/proc/{id}/fd")).expect("it runs").count(),
        }
    }
}
