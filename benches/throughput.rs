//! How many requests a second the service answers on its cheapest solve, beside
//! what a handler of a few lines answers on the same machine in the same run.
//!
//! `cargo bench --bench throughput` prints Markdown tables. The servers are
//! processes of their own: the built service with its default options (its log,
//! a line a request, goes to a file), and this program started anew as the peer,
//! which is `axum::serve` with two handlers:
//!
//! - *plain handler*: parses the same JSON with serde, takes a permit of one
//!   semaphore, solves by the same call on `spawn_blocking`, writes the same JSON;
//!   it neither verifies, nor caches, logs, counts, limits or cancels anything;
//! - *echo*: sends the body back.
//!
//! The load is closed: each of so many kept connections asks again as soon as it
//! has its answer, all on one thread of this process, so that every server is met
//! by the same client. Rounds go in turn from server to server; a row is the sum
//! of its rounds. Everything is bounded: under four minutes in all.

#![allow(clippy::print_stdout, reason = "a bench prints its tables")]

#[path = "support/load.rs"]
mod load;
#[path = "support/plain.rs"]
mod plain;
#[allow(dead_code, reason = "each bench uses its own part of it")]
#[path = "support/mod.rs"]
mod support;

use std::net::SocketAddr;
use std::time::Duration;

use load::{Boards, Measured};
use support::Service;

/// So many connections ask at once.
const CONNECTIONS: [usize; 4] = [1, 16, 64, 256];

/// How often each server has its turn at each number of connections.
const ROUNDS: usize = 3;

/// How long a turn is measured, after a start that is not.
const TURN: Duration = Duration::from_millis(2500);

/// What is measured: its name, its path, its boards, and whether it is the peer's.
const SERVERS: [(&str, &str, Boards, bool); 4] = [
    ("boardsolve, distinct boards", "/tetris-sg", Boards::Distinct, false),
    ("plain handler, distinct boards", "/plain", Boards::Distinct, true),
    ("boardsolve, the same board again", "/tetris-sg", Boards::Same, false),
    ("echo", "/echo", Boards::Distinct, true),
];

fn main() {
    if std::env::args().any(|argument| argument == plain::ARGUMENT) {
        return plain::serve();
    }
    let places = std::thread::available_parallelism().map_or(1, usize::from);
    println!("\n### Requests a second on the cheapest solve ({places} places)\n");
    println!(
        "| connections | server | requests a second | of the plain handler | p50 ms | p99 ms | server's processor time a request, µs | refused |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let peer = plain::Peer::start();
    for connections in CONNECTIONS {
        let service = Service::start_logging_to_file();
        let mut rows = SERVERS.map(|_| Measured::default());
        for round in 0..ROUNDS {
            for (row, &(_, path, boards, is_peers)) in rows.iter_mut().zip(&SERVERS) {
                let (address, process): (SocketAddr, u32) = match is_peers {
                    true => (peer.address, peer.process_id()),
                    false => (service.address, service.process_id()),
                };
                let seed = (connections * ROUNDS + round) as u64;
                row.add(load::run(address, process, path, boards, seed, connections, TURN));
            }
        }
        let plain = rows[1].requests_a_second();
        for (row, (name, ..)) in rows.iter_mut().zip(SERVERS) {
            println!(
                "| {connections} | {name} | {:.0} | {:.2} | {:.3} | {:.3} | {:.1} | {} |",
                row.requests_a_second(),
                row.requests_a_second() / plain,
                row.milliseconds(0.5),
                row.milliseconds(0.99),
                row.processor_microseconds(),
                row.refused,
            );
        }
    }
}
