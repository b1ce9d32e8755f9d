//! What is counted, and its Prometheus text. Labels come from closed sets,
//! never from what a caller sends.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::http::admission::{Admission, LaneName};
use crate::http::ask::Solved;
use crate::http::problem::Code;
use crate::http::wire::{Status, stop_code};
use crate::jobs::tally::Tally;

const SECONDS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];

/// All metrics of the process.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    solve_seconds: Family<OutcomeLabels, Histogram, fn() -> Histogram>,
    queue_wait_seconds: Family<PuzzleLabels, Histogram, fn() -> Histogram>,
    nodes: Family<PuzzleLabels, Counter>,
    rejected: Family<CodeLabels, Counter>,
    cancelled: Family<ReasonLabels, Counter>,
    verification_failures: Family<PuzzleLabels, Counter>,
    panics: Family<PuzzleLabels, Counter>,
    responses: Family<ResponseLabels, Counter>,
    bulk_items: Family<ItemLabels, Counter>,
    cache_lookups: Family<LookupLabels, Counter>,
    places_in_use: Family<LaneLabels, Gauge>,
    queue_depth: Family<LaneLabels, Gauge>,
    connections: Gauge<i64, std::sync::atomic::AtomicI64>,
    body_bytes: Counter<u64, AtomicU64>,
    jobs: Arc<Tally>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct PuzzleLabels {
    puzzle: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabels {
    puzzle: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ItemLabels {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CodeLabels {
    code: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ReasonLabels {
    reason: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LookupLabels {
    result: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LaneLabels {
    lane: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ResponseLabels {
    route: String,
    status: u16,
}

fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

/// The names of what is counted about jobs.
fn register_jobs(registry: &mut Registry, jobs: &Tally) {
    registry.register("jobs_accepted", "Jobs accepted", jobs.accepted.clone());
    registry.register("jobs_ended", "Jobs ended here, by how", jobs.ended.clone());
    registry.register("jobs_running", "Jobs that run here", jobs.running.clone());
    registry.register("jobs_waiting", "Jobs that wait, in all replicas", jobs.waiting.clone());
    registry.register("job_claims", "Jobs claimed by a worker here", jobs.claims.clone());
    registry.register("jobs_put_back", "Jobs given back to the queue", jobs.put_back.clone());
    registry.register("jobs_recovered", "Jobs taken from dead workers", jobs.recovered.clone());
    registry.register("job_leases_lost", "Leases lost by a worker here", jobs.leases_lost.clone());
    registry.register("job_store_errors", "Failed words with the store", jobs.store_errors.clone());
    registry.register_with_unit(
        "job_wait",
        "Time jobs waited for a worker",
        Unit::Seconds,
        jobs.wait_seconds.clone(),
    );
}

impl Metrics {
    /// A registry in which the counters of these puzzles stand at zero.
    pub fn new(puzzles: impl IntoIterator<Item = &'static str>) -> Self {
        let mut registry = Registry::with_prefix("boardsolve");
        let solve_seconds: Family<_, _, fn() -> Histogram> = Family::new_with_constructor(seconds);
        let queue_wait_seconds: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(seconds);
        let metrics = Self {
            solve_seconds,
            queue_wait_seconds,
            nodes: Family::default(),
            rejected: Family::default(),
            cancelled: Family::default(),
            verification_failures: Family::default(),
            panics: Family::default(),
            responses: Family::default(),
            bulk_items: Family::default(),
            cache_lookups: Family::default(),
            places_in_use: Family::default(),
            queue_depth: Family::default(),
            connections: Gauge::default(),
            body_bytes: Counter::default(),
            jobs: Arc::default(),
            registry: Registry::default(),
        };
        registry.register(
            "build",
            "The build that runs",
            Info::new([("version", env!("CARGO_PKG_VERSION")), ("commit", super::ops::COMMIT)]),
        );
        registry.register_with_unit(
            "solve",
            "Time in places, by puzzle and outcome",
            Unit::Seconds,
            metrics.solve_seconds.clone(),
        );
        registry.register_with_unit(
            "queue_wait",
            "Time waiting for places",
            Unit::Seconds,
            metrics.queue_wait_seconds.clone(),
        );
        registry.register("nodes", "Search nodes", metrics.nodes.clone());
        registry.register("rejected", "Solves turned away, by code", metrics.rejected.clone());
        registry.register("cancelled", "Solves cancelled, by reason", metrics.cancelled.clone());
        registry.register(
            "verification_failures",
            "Answers that failed their check and were not sent",
            metrics.verification_failures.clone(),
        );
        registry.register("panics", "Solves that panicked", metrics.panics.clone());
        registry.register("responses", "Answers, by route and status", metrics.responses.clone());
        registry.register(
            "bulk_items",
            "Lines of bulk answers, by status or code of the problem",
            metrics.bulk_items.clone(),
        );
        registry.register(
            "cache_lookups",
            "Boards looked up among the kept results, by hit or miss",
            metrics.cache_lookups.clone(),
        );
        registry.register("places_in_use", "Places taken, by lane", metrics.places_in_use.clone());
        registry.register("queue_depth", "Solves waiting, by lane", metrics.queue_depth.clone());
        registry.register("connections", "Open connections", metrics.connections.clone());
        registry.register_with_unit(
            "body",
            "Body bytes read",
            Unit::Bytes,
            metrics.body_bytes.clone(),
        );
        register_jobs(&mut registry, &metrics.jobs);
        for puzzle in puzzles {
            let labels = PuzzleLabels { puzzle };
            drop(metrics.nodes.get_or_create(&labels));
            drop(metrics.verification_failures.get_or_create(&labels));
            drop(metrics.panics.get_or_create(&labels));
        }
        for code in [Code::Overloaded, Code::Draining, Code::Unauthorized, Code::RateLimited] {
            drop(metrics.rejected.get_or_create(&CodeLabels { code: code.name() }));
        }
        for result in ["hit", "miss"] {
            drop(metrics.cache_lookups.get_or_create(&LookupLabels { result }));
        }
        for status in [Status::Solved, Status::Unsolvable, Status::Unknown] {
            drop(metrics.bulk_items.get_or_create(&ItemLabels { outcome: status.name() }));
        }
        for reason in ["hang_up", "drain"] {
            drop(metrics.cancelled.get_or_create(&ReasonLabels { reason }));
        }
        Self { registry, ..metrics }
    }

    /// What is counted about jobs.
    pub const fn jobs(&self) -> &Arc<Tally> {
        &self.jobs
    }

    /// Counts a solve that ended.
    pub fn solved(&self, puzzle: &'static str, solved: &Solved) {
        let outcome = match (solved.finished.status(), solved.finished.stopped_by()) {
            (_, Some(stop)) => stop_code(stop),
            (Status::Solved, None) => "solved",
            (Status::Unsolvable, None) => "unsolvable",
            (Status::Unknown, None) => "unknown",
        };
        self.solve_seconds
            .get_or_create(&OutcomeLabels { puzzle, outcome })
            .observe(solved.stats.time_ms / 1e3);
        self.queue_wait_seconds
            .get_or_create(&PuzzleLabels { puzzle })
            .observe(solved.queued.as_secs_f64());
        self.nodes.get_or_create(&PuzzleLabels { puzzle }).inc_by(solved.stats.nodes);
    }

    /// Counts a board that was (`hit`) or was not (`miss`) found among the kept results.
    pub fn looked_up(&self, result: &'static str) {
        self.cache_lookups.get_or_create(&LookupLabels { result }).inc();
    }

    /// Counts a solve that was turned away.
    pub fn rejected(&self, code: Code) {
        self.rejected.get_or_create(&CodeLabels { code: code.name() }).inc();
    }

    /// Counts a solve whose caller left (`hang_up`) or that the drain ended (`drain`).
    pub fn cancelled(&self, reason: &'static str) {
        self.cancelled.get_or_create(&ReasonLabels { reason }).inc();
    }

    /// Counts an answer that failed its verification.
    pub fn verification_failed(&self, puzzle: &'static str) {
        self.verification_failures.get_or_create(&PuzzleLabels { puzzle }).inc();
    }

    /// Counts a solve that panicked.
    pub fn panicked(&self, puzzle: &'static str) {
        self.panics.get_or_create(&PuzzleLabels { puzzle }).inc();
    }

    /// Counts an answer on a route (its pattern, never the raw path).
    pub fn responded(&self, route: &str, status: u16) {
        let labels = ResponseLabels { route: route.to_owned(), status };
        self.responses.get_or_create(&labels).inc();
    }

    /// Counts a line of a bulk answer, by its status or the code of its problem.
    pub fn bulk_item(&self, outcome: &'static str) {
        self.bulk_items.get_or_create(&ItemLabels { outcome }).inc();
    }

    /// Counts body bytes that were read.
    pub fn read_bytes(&self, bytes: usize) {
        self.body_bytes.inc_by(bytes as u64);
    }

    /// Counts a connection that opened; the guard counts it out.
    pub fn connection_opened(self: &Arc<Self>) -> OpenConnection {
        self.connections.inc();
        OpenConnection(Arc::clone(self))
    }

    /// The Prometheus text, with the lanes as they stand now.
    pub fn render(&self, admission: &Admission) -> String {
        for (lane, label) in [(LaneName::Express, "express"), (LaneName::Long, "long")] {
            let labels = LaneLabels { lane: label };
            self.places_in_use.get_or_create(&labels).set(admission.in_use(lane) as i64);
            self.queue_depth.get_or_create(&labels).set(admission.waiting(lane) as i64);
        }
        let mut text = String::new();
        if encode(&mut text, &self.registry).is_err() {
            let _ = writeln!(text, "# the metrics could not be encoded");
        }
        text
    }
}

/// Counts its connection out when it is dropped.
#[derive(Debug)]
pub struct OpenConnection(Arc<Metrics>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.connections.dec();
    }
}
