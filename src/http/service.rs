//! What the handlers share: one value, made at start, the state of every route.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::budget::CancelFlag;
use crate::http::access::Access;
use crate::http::admission::Admission;
use crate::http::body::BodyLimits;
use crate::http::memory::SharedMemory;
use crate::http::metrics::Metrics;
use crate::http::ops::Saturation;
use crate::http::run::{SolveLimits, Solver};
use crate::jobs::Jobs;

/// The numbers that a service is made from.
#[derive(Clone, Copy, Debug)]
pub struct ServiceLimits {
    /// Solves that run at once, in each lane.
    pub places: usize,
    /// Solves that may wait, in each lane.
    pub queue: usize,
    /// How long one may wait.
    pub max_wait: Duration,
    /// The limits on one solve.
    pub solve: SolveLimits,
    /// The limits on one body.
    pub body: BodyLimits,
    /// The memory for bodies, boards and answers under way, in bytes.
    pub shared_memory: usize,
}

/// The running service, as its handlers see it.
#[derive(Debug)]
pub struct Service {
    limits: ServiceLimits,
    access: Access,
    admission: Arc<Admission>,
    metrics: Arc<Metrics>,
    memory: Arc<SharedMemory>,
    solver: Solver,
    saturation: Saturation,
    draining: CancellationToken,
    stop_waiting: CancellationToken,
    stop_all: CancelFlag,
    jobs: Option<Arc<Jobs>>,
    info: serde_json::Value,
}

impl Service {
    /// A service of these puzzles, by name; `info` is what `GET /info` answers.
    ///
    /// # Errors
    /// When the operating system grants no threads.
    pub fn new(
        limits: ServiceLimits,
        access: Access,
        puzzles: impl IntoIterator<Item = &'static str>,
        info: serde_json::Value,
    ) -> std::io::Result<Self> {
        let stop_waiting = CancellationToken::new();
        let admission = Arc::new(Admission::new(
            limits.places,
            limits.queue,
            limits.max_wait,
            stop_waiting.clone(),
        ));
        let metrics = Arc::new(Metrics::new(puzzles));
        let stop_all = CancelFlag::new();
        let solver = Solver::new(
            Arc::clone(&admission),
            limits.places,
            limits.solve,
            Arc::clone(&metrics),
            stop_all.clone(),
        )?;
        Ok(Self {
            limits,
            access,
            admission,
            metrics,
            memory: SharedMemory::new(limits.shared_memory),
            solver,
            saturation: Saturation::default(),
            draining: CancellationToken::new(),
            stop_waiting,
            stop_all,
            jobs: None,
            info,
        })
    }

    /// The same service, which takes long solves as jobs.
    ///
    /// # Errors
    /// When the operating system grants no threads.
    pub fn with_jobs(self, jobs: Arc<Jobs>) -> std::io::Result<Self> {
        self.solver.open_job_lane(jobs.limits.places)?;
        Ok(Self { jobs: Some(jobs), ..self })
    }

    /// The jobs, where they are switched on.
    pub const fn jobs(&self) -> Option<&Arc<Jobs>> {
        self.jobs.as_ref()
    }

    /// Who may ask.
    pub const fn access(&self) -> &Access {
        &self.access
    }

    /// What solves cases.
    pub const fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Solves that run at once, in each lane.
    pub const fn places(&self) -> usize {
        self.limits.places
    }

    /// How long a single request may wait.
    pub const fn max_wait(&self) -> Duration {
        self.limits.max_wait
    }

    /// The limits on one body.
    pub const fn body_limits(&self) -> BodyLimits {
        self.limits.body
    }

    /// The metrics of the process.
    pub const fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// The memory for bodies, boards and answers under way.
    pub fn memory(&self) -> Arc<SharedMemory> {
        Arc::clone(&self.memory)
    }

    /// The lanes.
    pub fn admission(&self) -> &Admission {
        &self.admission
    }

    /// How long the queue has been full.
    pub const fn saturation(&self) -> &Saturation {
        &self.saturation
    }

    /// What `GET /info` answers.
    pub const fn info(&self) -> &serde_json::Value {
        &self.info
    }

    /// Whether the service is shutting down.
    pub fn is_draining(&self) -> bool {
        self.draining.is_cancelled()
    }

    /// Begins the drain: `/readyz` says no from now on, and connections close
    /// after the answer that they wait for.
    pub fn start_drain(&self) {
        self.draining.cancel();
    }

    /// What is cancelled once the drain begins.
    pub fn drain_token(&self) -> CancellationToken {
        self.draining.clone()
    }

    /// Completes once the drain has begun.
    pub async fn drain_started(&self) {
        self.draining.cancelled().await;
    }

    /// Ends the drain: whatever still waits or runs is answered with `draining`.
    pub fn cancel_all(&self) {
        self.stop_waiting.cancel();
        self.stop_all.cancel();
    }
}
