//! How quick the service stays: quick requests idle and beside saturation, and
//! the goodput of hard ones under one, two and ten times the capacity.
//!
//! `cargo bench --bench http` starts the built service on a port of its own and
//! prints Markdown tables. Everything is bounded: under three minutes in all.

#![allow(clippy::print_stdout, reason = "a bench prints its tables")]

#[path = "support/mod.rs"]
mod support;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use support::{Client, Service, hard_board};

/// How many quick requests a row of the first table is made from.
const QUICK_REQUESTS: usize = 600;

/// How long a hard solve of the second table takes: it runs to this limit.
const HARD_MS: u64 = 100;

/// How long each load of the second table lasts.
const LOAD_TIME: Duration = Duration::from_secs(20);

fn main() {
    let places = thread::available_parallelism().map_or(1, usize::from);
    println!("\n### Quick requests, idle and beside saturation ({places} places)\n");
    println!("| request | load | requests | p50 ms | p95 ms | p99 ms | max ms | refused |");
    println!("|---|---|---|---|---|---|---|---|");
    quick_beside_saturation(places);
    println!("\n### Goodput of solves of {HARD_MS} ms ({places} places)\n");
    println!("| offered | offered a second | answered a second | of the first row | refused |");
    println!("|---|---|---|---|---|");
    goodput(places);
}

/// A kind of quick request: what it is, its path, and a board that was not asked before.
type Quick = (&'static str, &'static str, fn(&mut fastrand::Rng) -> String);

const QUICK: [Quick; 2] = [
    ("mayan, 3 steps", "/mayan", quick_board),
    ("rook-circuit 80×80, 1 % blocked", "/rook-circuit", board_of_milliseconds),
];

/// Rows: idle; every place taken; every place and the whole queue taken.
fn quick_beside_saturation(places: usize) {
    let queue = 256;
    for (load, hard) in
        [("idle", 0), ("places full", places), ("places and queue full", places + queue)]
    {
        let service =
            Service::start(&["--queue-wait-ms", "120000", "--max-time-limit-ms", "120000"]);
        let streams: Vec<_> = (0..hard)
            .map(|variant| service.begin("/tetris-sg?time_limit_ms=120000", &hard_board(variant)))
            .collect();
        let expected = hard.saturating_sub(places);
        while service.metric("boardsolve_queue_depth{lane=\"long\"}") < expected as f64 {
            thread::sleep(Duration::from_millis(50));
        }
        for (kind, path, board) in QUICK {
            ask_quickly(&service, kind, path, board, load);
        }
        drop(streams);
    }
}

/// A row: one client asks again and again, a little pause between.
fn ask_quickly(
    service: &Service,
    kind: &str,
    path: &str,
    board: fn(&mut fastrand::Rng) -> String,
    load: &str,
) {
    let mut client = Client::connect(service.address).expect("it takes connections");
    let mut times = Vec::with_capacity(QUICK_REQUESTS);
    let mut refused = 0;
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..QUICK_REQUESTS {
        let body = board(&mut random);
        let started = Instant::now();
        let (status, _) = client.post(path, &body).expect("it answers");
        times.push(started.elapsed().as_secs_f64() * 1e3);
        refused += usize::from(status != 200);
        thread::sleep(Duration::from_millis(2));
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() as f64 * share) as usize).min(times.len() - 1)];
    println!(
        "| {kind} | {load} | {QUICK_REQUESTS} | {:.2} | {:.2} | {:.2} | {:.2} | {refused} |",
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    );
}

/// Open loads: requests come at their rate whether or not the ones before are answered.
fn goodput(places: usize) {
    let capacity = places as f64 * 1000.0 / HARD_MS as f64;
    let mut first = None;
    for factor in [1.0, 2.0, 10.0] {
        let service = Service::start(&["--queue", "64", "--queue-wait-ms", "2000"]);
        let rate = capacity * factor;
        let answered = Arc::new(AtomicUsize::new(0));
        let refused = Arc::new(AtomicUsize::new(0));
        let variant = Arc::new(AtomicUsize::new(0));
        let stopped = Arc::new(AtomicBool::new(false));
        let due = Arc::new(Mutex::new(Instant::now()));
        // Enough clients that one is always free to send what is due.
        let clients: Vec<_> = (0..(rate as usize * 3).clamp(64, 600))
            .map(|_| {
                let (answered, refused) = (Arc::clone(&answered), Arc::clone(&refused));
                let (variant, stopped) = (Arc::clone(&variant), Arc::clone(&stopped));
                let due = Arc::clone(&due);
                let address = service.address;
                thread::spawn(move || {
                    let mut client = Client::connect(address).expect("it takes connections");
                    let path = format!("/tetris-sg?time_limit_ms={HARD_MS}");
                    while !stopped.load(Ordering::Relaxed) {
                        let turn = {
                            let mut due = due.lock().expect("nothing panics under this lock");
                            let turn = *due;
                            *due += Duration::from_secs_f64(1.0 / rate);
                            turn
                        };
                        thread::sleep(turn.saturating_duration_since(Instant::now()));
                        let body = hard_board(variant.fetch_add(1, Ordering::Relaxed));
                        // Once the service is gone, so is this client.
                        let Ok((status, _)) = client.post(&path, &body) else { return };
                        let count = if status == 200 { &answered } else { &refused };
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        // The first seconds fill the queue; they are not counted.
        thread::sleep(Duration::from_secs(4));
        let (answered_before, refused_before) =
            (answered.load(Ordering::Relaxed), refused.load(Ordering::Relaxed));
        thread::sleep(LOAD_TIME);
        let answered = answered.load(Ordering::Relaxed) - answered_before;
        let refused = refused.load(Ordering::Relaxed) - refused_before;
        stopped.store(true, Ordering::Relaxed);
        let goodput = answered as f64 / LOAD_TIME.as_secs_f64();
        let baseline = *first.get_or_insert(goodput);
        println!(
            "| {factor}× | {:.0} | {goodput:.1} | {:.0} % | {refused} |",
            (answered + refused) as f64 / LOAD_TIME.as_secs_f64(),
            goodput / baseline * 100.0
        );
        drop(service);
        for client in clients {
            client.join().expect("a client ends quietly");
        }
    }
}

/// A board of a few milliseconds: large, with few cells blocked.
fn board_of_milliseconds(random: &mut fastrand::Rng) -> String {
    let rows: Vec<String> = (0..80)
        .map(|_| (0..80).map(|_| if random.u8(..100) == 0 { '#' } else { '.' }).collect())
        .collect();
    serde_json::json!({ "board": rows }).to_string()
}

/// A board of a fraction of a millisecond: five full columns, four steps.
fn quick_board(random: &mut fastrand::Rng) -> String {
    loop {
        let columns: Vec<Vec<u8>> =
            (0..5).map(|_| (0..7).map(|_| random.u8(1..=10)).collect()).collect();
        let runs = (0..5).any(|col| {
            (0..5).any(|row| {
                let same = |cells: [(usize, usize); 3]| {
                    cells.iter().all(|&(x, y)| columns[x][y] == columns[cells[0].0][cells[0].1])
                };
                same([(col, row), (col, row + 1), (col, row + 2)])
            })
        }) || (0..3).any(|col| {
            (0..7).any(|row| {
                columns[col][row] == columns[col + 1][row]
                    && columns[col][row] == columns[col + 2][row]
            })
        });
        if !runs {
            return serde_json::json!({ "steps": 3, "columns": columns }).to_string();
        }
    }
}
