//! How quick the service stays: quick requests idle and beside saturation, and
//! the goodput of hard ones under one, two and ten times the capacity.
//!
//! `cargo bench --bench http` starts the built service on a port of its own and
//! prints Markdown tables. Everything is bounded: under three minutes in all.

#![allow(clippy::print_stdout, reason = "a bench prints its tables")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_boardsolve");

/// How many quick requests a row of the first table is made from.
const QUICK_REQUESTS: usize = 600;

/// How long a hard solve of the second table takes: it runs to this limit.
const HARD_MS: u64 = 100;

/// How long each load of the second table lasts.
const LOAD_TIME: Duration = Duration::from_secs(20);

fn main() {
    let places = thread::available_parallelism().map_or(1, usize::from);
    println!("\n### Quick requests, idle and beside saturation ({places} places)\n");
    println!("| load | requests | p50 ms | p95 ms | p99 ms | max ms | refused |");
    println!("|---|---|---|---|---|---|---|");
    quick_beside_saturation(places);
    println!("\n### Goodput of solves of {HARD_MS} ms ({places} places)\n");
    println!("| offered | offered a second | answered a second | of the first row | refused |");
    println!("|---|---|---|---|---|");
    goodput(places);
}

/// Rows: idle; every place taken; every place and the whole queue taken.
fn quick_beside_saturation(places: usize) {
    let queue = 256;
    for (name, hard) in
        [("idle", 0), ("places full", places), ("places and queue full", places + queue)]
    {
        let service =
            Service::start(&["--queue-wait-ms", "120000", "--max-time-limit-ms", "120000"]);
        let streams: Vec<_> = (0..hard)
            .map(|variant| service.begin("/tetris-sg?time_limit_ms=120000", &hard_board(variant)))
            .collect();
        let expected = hard.saturating_sub(places);
        while service.waiting() < expected {
            thread::sleep(Duration::from_millis(50));
        }
        let mut client = Client::connect(service.address);
        let mut times = Vec::with_capacity(QUICK_REQUESTS);
        let mut refused = 0;
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..QUICK_REQUESTS {
            let body = quick_board(&mut random);
            let started = Instant::now();
            let status = client.post("/mayan", &body);
            times.push(started.elapsed().as_secs_f64() * 1e3);
            refused += usize::from(status != 200);
            thread::sleep(Duration::from_millis(2));
        }
        drop(streams);
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() as f64 * share) as usize).min(times.len() - 1)];
        println!(
            "| {name} | {QUICK_REQUESTS} | {:.2} | {:.2} | {:.2} | {:.2} | {refused} |",
            at(0.5),
            at(0.95),
            at(0.99),
            at(1.0)
        );
    }
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
                    let mut client = Client::connect(address);
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
                        match client.post(&path, &body) {
                            200 => answered.fetch_add(1, Ordering::Relaxed),
                            _ => refused.fetch_add(1, Ordering::Relaxed),
                        };
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
            // Clients of a service that is gone end with an error; that is expected.
            let _ = client.join();
        }
    }
}

/// A board of a few milliseconds at most: five full columns, four steps.
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

/// A board that no search decides soon; two variants are never the same.
fn hard_board(variant: usize) -> String {
    let mut rows = vec!["0".repeat(18); 18];
    for (index, part) in [variant % 324, variant / 324 % 324].into_iter().enumerate() {
        let (row, col) = (part / 18, part % 18);
        if index == 0 || part > 0 {
            rows[row].replace_range(col..=col, "1");
        }
    }
    serde_json::json!({ "board": rows, "grundy": false }).to_string()
}

/// The running service.
struct Service {
    process: Child,
    address: SocketAddr,
}

impl Service {
    fn start(options: &[&str]) -> Self {
        let mut process = Command::new(BINARY)
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(process.stderr.take().expect("it is piped")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let entry: serde_json::Value = serde_json::from_str(&line).ok()?;
                entry["fields"]["address"].as_str()?.parse().ok()
            })
            .expect("the service says where it listens");
        thread::spawn(move || lines.for_each(drop));
        Self { process, address }
    }

    /// Sends a request and leaves its connection open.
    fn begin(&self, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("it takes connections");
        write_request(&mut stream, path, body);
        stream
    }

    /// How many solves wait in the long lane.
    fn waiting(&self) -> usize {
        let mut stream = TcpStream::connect(self.address).expect("it takes connections");
        let request = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("it answers");
        text.lines()
            .find_map(|line| line.strip_prefix("boardsolve_queue_depth{lane=\"long\"} "))
            .and_then(|value| value.parse().ok())
            .unwrap_or(0)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// One kept connection.
struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("it takes connections");
        stream.set_nodelay(true).expect("a socket takes the option");
        Self { stream: BufReader::new(stream) }
    }

    /// Posts a body and reads the answer; its status.
    fn post(&mut self, path: &str, body: &str) -> u16 {
        write_request(self.stream.get_mut(), path, body);
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("it answers");
        let status = line.get(9..12).and_then(|text| text.parse().ok()).expect("a status");
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line).expect("it answers");
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).expect("it answers");
        status
    }
}

fn write_request(stream: &mut TcpStream, path: &str, body: &str) {
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("it reads");
}
