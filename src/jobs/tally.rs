//! What is counted about jobs in this process. The names that the numbers are
//! published under are the HTTP layer's matter.

use std::sync::atomic::{AtomicI64, AtomicU64};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

use crate::jobs::State;

const WAIT_SECONDS: [f64; 12] =
    [0.01, 0.05, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0];

/// The numbers.
#[derive(Debug)]
pub struct Tally {
    /// Jobs accepted by this process.
    pub accepted: Counter<u64, AtomicU64>,
    /// Claims made by this process.
    pub claims: Counter<u64, AtomicU64>,
    /// Jobs that ended here, by how they ended.
    pub ended: Family<StateLabels, Counter>,
    /// Jobs that this process gave back to the queue when it was told to end.
    pub put_back: Counter<u64, AtomicU64>,
    /// Leases that this process lost: it was thought dead, or the store was away for too long.
    pub leases_lost: Counter<u64, AtomicU64>,
    /// Jobs of dead workers that this process gave back to the queue.
    pub recovered: Counter<u64, AtomicU64>,
    /// Words with the store that failed.
    pub store_errors: Counter<u64, AtomicU64>,
    /// Jobs that run here now.
    pub running: Gauge<i64, AtomicI64>,
    /// Jobs that wait, in all replicas, at the last look.
    pub waiting: Gauge<i64, AtomicI64>,
    /// How long claimed jobs had waited.
    pub wait_seconds: Histogram,
}

/// How a job ended.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct StateLabels {
    state: &'static str,
}

impl Default for Tally {
    fn default() -> Self {
        let ended = Family::<StateLabels, Counter>::default();
        for state in [State::Done, State::Failed, State::Cancelled] {
            drop(ended.get_or_create(&StateLabels { state: state.name() }));
        }
        Self {
            accepted: Counter::default(),
            claims: Counter::default(),
            ended,
            put_back: Counter::default(),
            leases_lost: Counter::default(),
            recovered: Counter::default(),
            store_errors: Counter::default(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            wait_seconds: Histogram::new(WAIT_SECONDS),
        }
    }
}

impl Tally {
    /// Counts a job that ended here.
    pub fn count_ended(&self, state: State) {
        self.ended.get_or_create(&StateLabels { state: state.name() }).inc();
    }

    /// Counts a claim.
    pub fn claimed(&self, waited: Duration) {
        self.claims.inc();
        self.wait_seconds.observe(waited.as_secs_f64());
    }
}
