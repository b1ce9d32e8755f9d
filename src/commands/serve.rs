//! `boardsolve serve`: the service, from its listener to its drain.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::task::TaskTracker;

use crate::app;
use crate::commands::jobs;
use crate::config::{self, Config};
use crate::http::access::{Access, FORGET_EVERY};
use crate::http::ops::{self, COMMIT};
use crate::http::server;
use crate::http::service::Service;
use crate::puzzles;

/// How long answers of cancelled solves may take to be written.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// How many file descriptors beyond the connections the process needs.
const OTHER_DESCRIPTORS: u64 = 128;

/// Serves until SIGTERM or SIGINT and the drain after it; a second signal exits at once.
///
/// # Errors
/// When the address can't be listened on, or the system refuses threads or signals.
pub async fn run(config: Config) -> io::Result<()> {
    raise_descriptor_limit(config.connections.connections as u64 + OTHER_DESCRIPTORS);
    let info = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "commit": COMMIT,
        "limits": config.shown(),
    });
    let access = Access::new(config.api_keys.clone(), config.key_rate, config.address_rate);
    for endpoint in puzzles::ALL {
        endpoint.share_memory(config.tables);
    }
    let names = puzzles::ALL.iter().map(|endpoint| endpoint.name());
    let service = Service::new(config.limits, access, names, info)?;
    let service = Arc::new(match &config.jobs_url {
        Some(url) => {
            let jobs = jobs::open(url, config.jobs, &service).await?;
            service.with_jobs(jobs)?
        }
        None => service,
    });
    let workers = TaskTracker::new();
    jobs::start(&service, config.jobs_url.as_deref(), &workers);
    let mut signals = Signals::new()?;
    let listener = bind(config.listen).await?;
    let address = listener.local_addr()?;
    tracing::info!(%address, options = %json!(config.shown()), "boardsolve serves");
    let connections = TaskTracker::new();
    let accepting = tokio::spawn(server::serve(
        listener,
        app::router(Arc::clone(&service), &config.router),
        Arc::clone(&service),
        config.connections,
        connections.clone(),
    ));
    if let Some(ops_address) = config.ops_listen {
        let listener = bind(ops_address).await?;
        let address = listener.local_addr()?;
        tracing::info!(%address, "probes and metrics answer here");
        // This listener ends with the process, so that probes answer until the drain is over.
        tokio::spawn(server::serve_until_exit(
            listener,
            app::ops_router(Arc::clone(&service)),
            config.connections,
        ));
    }
    tokio::spawn(ops::watch_saturation(Arc::clone(&service)));
    tokio::spawn(tend_access(
        Arc::clone(&service),
        signals.take_hangup(),
        config.keys_file.clone(),
    ));

    let name = signals.next().await;
    tracing::info!(signal = name, drain_ms = config.drain.as_millis() as u64, "draining");
    service.start_drain();
    let drained = async {
        workers.close();
        // The accept loop ends by itself; a connection that it had just taken is in the tracker by then.
        let _ = accepting.await;
        connections.close();
        if tokio::time::timeout(config.drain, connections.wait()).await.is_err() {
            tracing::warn!("the drain deadline passed: what still runs is cancelled");
            service.cancel_all();
            let _ = tokio::time::timeout(LAST_ANSWERS, connections.wait()).await;
        }
        if tokio::time::timeout(LAST_ANSWERS, workers.wait()).await.is_err() {
            tracing::warn!("jobs could not be put back: their leases will run out");
        }
    };
    tokio::select! {
        () = drained => tracing::info!("drained"),
        name = signals.next() => {
            tracing::warn!(signal = name, "a second signal: exiting at once");
            std::process::exit(1);
        }
    }
    Ok(())
}

async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        io::Error::new(error.kind(), format!("{address} can't be listened on: {error}"))
    })
}

/// Reads the file of keys again on SIGHUP, and forgets callers that went away.
async fn tend_access(service: Arc<Service>, hangup: Option<Signal>, keys_file: Option<PathBuf>) {
    let mut ticks = tokio::time::interval(FORGET_EVERY);
    let Some(mut hangup) = hangup else { return };
    loop {
        tokio::select! {
            _ = ticks.tick() => service.access().forget_idle(),
            received = hangup.recv() => {
                if received.is_none() {
                    return;
                }
                let Some(path) = &keys_file else {
                    tracing::warn!("SIGHUP: there is no file of keys to read again");
                    continue;
                };
                match config::keys_of_file(path) {
                    Ok(keys) => {
                        tracing::info!(count = keys.len(), "SIGHUP: other keys are in force");
                        service.access().replace_keys(keys);
                    }
                    Err(fault) => {
                        tracing::error!(%fault, "SIGHUP: the keys stay as they were");
                    }
                }
            }
        }
    }
}

/// SIGTERM, SIGINT and SIGHUP.
struct Signals {
    hangup: Option<Signal>,
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            hangup: Some(signal(SignalKind::hangup())?),
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// The stream of SIGHUPs, once.
    const fn take_hangup(&mut self) -> Option<Signal> {
        self.hangup.take()
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

/// Raises the soft limit on descriptors to what the connection cap needs, and says so when it can't.
fn raise_descriptor_limit(needed: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return;
    }
    let raised = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
    let wanted = Rlimit { current: Some(raised), maximum: limit.maximum };
    if raised < needed || setrlimit(Resource::Nofile, wanted).is_err() {
        tracing::warn!(
            needed,
            allowed = raised,
            "the limit on open files is lower than --max-connections needs"
        );
    }
}
