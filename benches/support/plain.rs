//! The peer of the throughput bench: a few lines of axum, served by a process of
//! its own.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderName};
use axum::routing::post;
use axum::serve::ListenerExt;
use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::http::wire::{Stats, Wire};
use boardsolve::puzzle::Puzzle;
use boardsolve::puzzles::tetris_sg::TetrisSg;
use bytes::Bytes;
use tokio::sync::Semaphore;

/// Tells this program to be the peer.
pub(crate) const ARGUMENT: &str = "--serve-the-peer";

const TIME_LIMIT: Duration = Duration::from_secs(10);
const MEMORY_LIMIT: usize = 256 << 20;

/// The peer's process, killed when it is dropped.
pub(crate) struct Peer {
    process: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

impl Peer {
    /// Starts this program anew.
    pub(crate) fn start() -> Self {
        let program = std::env::current_exe().expect("the system tells which program this is");
        let mut process = Command::new(program)
            .arg(ARGUMENT)
            .envs(crate::support::allocator())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts again");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("it is piped"))
            .read_line(&mut line)
            .expect("the peer says where it listens");
        let address = line.trim().parse().expect("the peer says where it listens");
        Self { process, address }
    }

    /// The process's id.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves until it is killed.
pub(crate) fn serve() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("the system grants threads");
    runtime.block_on(async {
        let places = std::thread::available_parallelism().map_or(1, usize::from);
        let router = Router::new()
            .route("/plain", post(plain))
            .route("/echo", post(|body: Bytes| async move { body }))
            .with_state(Arc::new(Semaphore::new(places)));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        println!("{}", listener.local_addr().expect("it is bound"));
        std::io::stdout().flush().expect("the bench reads");
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).await.expect("it serves until it is killed");
    });
}

type Answer = Result<([(HeaderName, &'static str); 1], Vec<u8>), StatusCode>;

async fn plain(State(places): State<Arc<Semaphore>>, body: Bytes) -> Answer {
    let request = serde_json::from_slice(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    let board = TetrisSg::board(request).map_err(|_| StatusCode::UNPROCESSABLE_ENTITY)?;
    let place = places.acquire_owned().await.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    #[allow(
        clippy::disallowed_methods,
        reason = "the service owns its threads; this is no service"
    )]
    let solved = tokio::task::spawn_blocking(move || {
        let started = Instant::now();
        let mut budget = Budget::new(Some(TIME_LIMIT), CancelFlag::new(), MEMORY_LIMIT);
        let outcome = TetrisSg::solve(&board, &mut budget);
        drop(place);
        let stats = Stats {
            time_ms: started.elapsed().as_secs_f64() * 1e3,
            nodes: budget.nodes(),
            time_limit_ms: TIME_LIMIT.as_millis() as u64,
        };
        serde_json::to_vec(&TetrisSg::response(&board, &outcome, stats))
    });
    match solved.await {
        Ok(Ok(body)) => Ok(([(CONTENT_TYPE, "application/json")], body)),
        _ => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
