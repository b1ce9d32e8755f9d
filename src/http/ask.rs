//! What is asked of the solver, and what it answers.

use std::sync::Arc;
use std::time::Duration;

use crate::budget::{CancelFlag, Meter};
use crate::http::admission::Patience;
use crate::http::blocking::Run;
use crate::http::endpoint::{Case, Finished};
use crate::http::wire::Stats;

/// What is asked of the solver.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The board.
    pub case: Arc<dyn Case>,
    /// About how many bytes the board takes.
    pub case_bytes: usize,
    /// The time limit that the caller named.
    pub time_limit_ms: Option<u64>,
    /// How long it may wait for a place.
    pub patience: Patience,
}

/// What a job asks of the solver.
#[derive(Clone, Debug)]
pub struct JobAsk {
    /// The board.
    pub case: Arc<dyn Case>,
    /// About how many bytes the board takes.
    pub case_bytes: usize,
    /// The time limit.
    pub limit: Duration,
    /// The bytes that the job's answers hold already of its place's memory.
    pub held: usize,
    /// Raised to stop it.
    pub cancel: CancelFlag,
    /// Shows how far it is.
    pub meter: Meter,
}

/// A case that was solved, with what it took.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The checked outcome.
    pub finished: Arc<dyn Finished>,
    /// Time, nodes, and the limit in force.
    pub stats: Stats,
    /// The time spent waiting for places.
    pub queued: Duration,
    /// Whether it was found in the cache or by another request's solve.
    pub is_hit: bool,
}

/// What one request has taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    /// Waiting for places.
    pub(crate) queued: Duration,
    /// Being solved.
    pub(crate) spent: Duration,
    /// The nodes of all its searches.
    pub(crate) nodes: u64,
}

impl Taken {
    /// Adds an attempt.
    pub(crate) fn add(&mut self, run: &Run) {
        self.spent += run.flew_for;
        self.nodes += run.nodes;
    }

    /// The case with all that it took.
    pub(crate) fn solved(
        self,
        finished: Arc<dyn Finished>,
        limit: Duration,
        is_hit: bool,
    ) -> Solved {
        let stats = Stats {
            time_ms: (self.spent.as_secs_f64() * 1e6).round() / 1e3,
            nodes: self.nodes,
            time_limit_ms: limit.as_millis() as u64,
        };
        Solved { finished, stats, queued: self.queued, is_hit }
    }
}
