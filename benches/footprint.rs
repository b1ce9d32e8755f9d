//! What the service takes before it does anything: the size of its binary, the
//! time from its start to its first answer, and the memory that it holds idle.
//!
//! `cargo bench --bench footprint` prints a Markdown table. Each start is a new
//! process with default options on a port of its own, and its time is that from
//! the call that starts it to the last byte of the answer, by the wall clock. The
//! binary lies in the page cache, as after a deployment's first start.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[allow(dead_code, reason = "each bench uses its own part of it")]
#[path = "support/mod.rs"]
mod support;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::BINARY;

/// How often it is started for each kind of first request.
const STARTS: usize = 40;

/// How long it rests before its memory is read.
const REST: Duration = Duration::from_secs(2);

/// How long a start may take.
const START_TIME: Duration = Duration::from_secs(10);

const LIVEZ: &str = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

const SOLVE: &str = "POST /linkgame HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
    Content-Type: application/json\r\nContent-Length: 24\r\n\r\n{\"board\":[\"AB*\",\"*BA\"] }";

fn main() {
    println!("\n### Footprint\n");
    println!("| what | measured |");
    println!("|---|---|");
    let bytes = std::fs::metadata(BINARY).expect("the binary was built").len();
    println!("| binary, release, with its symbols | {:.1} MB |", bytes as f64 / 1e6);
    for (what, request) in [("first `GET /livez`", LIVEZ), ("first solve", SOLVE)] {
        let mut times: Vec<f64> = (0..STARTS).map(|_| Started::with(request).1).collect();
        times.sort_by(f64::total_cmp);
        println!(
            "| start of the process to its {what}, {STARTS} starts | p50 {:.1} ms, max {:.1} ms |",
            times[STARTS / 2],
            times[STARTS - 1]
        );
    }
    let (idle, _) = Started::with(LIVEZ);
    std::thread::sleep(REST);
    println!("| resident memory, idle | {:.1} MB |", idle.resident_megabytes("VmRSS"));
    println!(
        "| of it not backed by the binary's file | {:.1} MB |",
        idle.resident_megabytes("RssAnon")
    );
    let (solved, _) = Started::with(SOLVE);
    std::thread::sleep(REST);
    println!(
        "| resident memory, idle after one solve | {:.1} MB |",
        solved.resident_megabytes("VmRSS")
    );
}

/// A process that has answered its first request; killed when it is dropped.
struct Started(Child);

impl Started {
    /// Starts one and asks it; also how many milliseconds that took.
    fn with(request: &str) -> (Self, f64) {
        let address = free_address();
        let began = Instant::now();
        let process = Command::new(BINARY)
            .args(["serve", "--listen", &address.to_string()])
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut started = Self(process);
        let answer = started.ask(address, request, began);
        let milliseconds = began.elapsed().as_secs_f64() * 1e3;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        (started, milliseconds)
    }

    /// The answer to the first request, asked as soon as somebody listens.
    fn ask(&mut self, address: SocketAddr, request: &str, began: Instant) -> String {
        loop {
            if let Ok(mut stream) = TcpStream::connect(address) {
                stream.write_all(request.as_bytes()).expect("it reads");
                let mut answer = String::new();
                stream.read_to_string(&mut answer).expect("it answers");
                return answer;
            }
            assert!(began.elapsed() < START_TIME, "it does not listen");
            let ended = self.0.try_wait().expect("it can be waited for");
            assert!(ended.is_none(), "it ended: {ended:?}");
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    /// A field of what the system says of the process's memory.
    fn resident_megabytes(&self, field: &str) -> f64 {
        let path = format!("/proc/{}/status", self.0.id());
        let status = std::fs::read_to_string(path).expect("it runs");
        let value = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let kibibytes =
            value.and_then(|value| value.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        kibibytes.expect("the system tells it in kB") * 1.024 / 1e3
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An address on which nobody listens.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound")
}
