//! Jobs: solves that outlive the request which asked for them.
//!
//! The [`store`] is the queue: one table in SQLite (one process) or PostgreSQL
//! (several replicas). A [`worker`] claims a job under a *lease*, which it renews
//! while it works, and an *epoch*, a number that grows with every claim and that
//! every later word on the job has to match. So a worker that was thought dead
//! can change nothing, and a job is finished once. The [`sweep`] gives the jobs
//! of dead workers back to the queue and forgets results that were kept for long
//! enough. [`hints`] spare everybody the wait for the next look; nothing depends
//! on one arriving.
//!
//! Nothing here knows what a puzzle or an HTTP request is: what a job asks is a
//! text and a body that only [`worker::Perform`] reads.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::budget::Meter;
use crate::jobs::hints::Hints;
use crate::jobs::store::Store;
use crate::jobs::tally::Tally;

pub mod hints;
pub mod store;
pub mod sweep;
pub mod tally;
pub mod worker;

/// How long a claim or a renewal keeps a job from being given to another worker.
pub const LEASE: Duration = Duration::from_secs(8);

/// How many workers a job may take with it before it is given up.
pub const MOST_DEATHS: i64 = 3;

/// The numbers that jobs are run by.
#[derive(Clone, Copy, Debug)]
pub struct JobLimits {
    /// Jobs that run at once in this process.
    pub places: usize,
    /// Jobs that may wait, in all replicas together.
    pub queue: u64,
    /// The ceiling on the time of one job.
    pub max_time: Duration,
    /// How long a result is kept, and how long after that its id is still known.
    pub keep: Duration,
}

/// What the parts of the process that deal with jobs share.
#[derive(Debug)]
pub struct Jobs {
    /// The table of jobs.
    pub store: Store,
    /// The limits in force.
    pub limits: JobLimits,
    /// Who waits for news is woken through these.
    pub hints: Hints,
    /// What is counted.
    pub tally: Arc<Tally>,
    /// Raised when the process is to end.
    pub draining: CancellationToken,
}

/// The id of a job: 128 bits of the operating system's randomness, in hexadecimal.
/// Who knows it may see the job, so it can't be guessed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobId(String);

impl JobId {
    /// The length of an id's text.
    pub const LENGTH: usize = 32;

    /// An id that nobody has.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn fresh() -> std::io::Result<Self> {
        let mut bytes = [0; Self::LENGTH / 2];
        let mut filled = 0;
        while filled < bytes.len() {
            let flags = rustix::rand::GetRandomFlags::empty();
            filled += rustix::rand::getrandom(&mut bytes[filled..], flags)?;
        }
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The id of that text, if it can be one.
    pub fn read(text: &str) -> Option<Self> {
        let is_hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == Self::LENGTH && text.bytes().all(is_hexadecimal))
            .then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A number that spreads jobs evenly, taken from the id.
    fn spread(&self) -> i64 {
        self.0.bytes().next().map_or(0, |byte| i64::from(byte) % store::COUNTERS)
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits for a worker.
    Queued,
    /// A worker solves it.
    Running,
    /// It has its answer.
    Done,
    /// It ended without an answer, by a fault of the service's.
    Failed,
    /// Its caller took it back.
    Cancelled,
    /// It ended, and its result was kept for long enough.
    Gone,
}

impl State {
    /// All states, by the number that they have in the store.
    pub const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Cancelled, Self::Gone];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Gone => "gone",
        }
    }

    /// Whether nothing will change any more but the keeping.
    pub const fn has_ended(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }

    const fn number(self) -> i64 {
        self as i64
    }

    fn of_number(number: i64) -> Option<Self> {
        usize::try_from(number).ok().and_then(|number| Self::ALL.get(number)).copied()
    }
}

/// A job that is to be accepted.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// Its id.
    pub id: JobId,
    /// Who may see it; empty where everybody may who knows its id.
    pub owner: Vec<u8>,
    /// The caller's word for this request, which makes a repeated one the same job.
    pub idempotency_key: Option<String>,
    /// The puzzle's name.
    pub puzzle: String,
    /// How the body is to be read, and what the query asked.
    pub ask: String,
    /// The id of the request that asked for it.
    pub request_id: String,
    /// The body.
    pub body: Vec<u8>,
}

impl NewJob {
    /// The job that it is once it is stored.
    pub fn as_accepted(&self) -> Job {
        Job {
            id: self.id.clone(),
            owner: self.owner.clone(),
            puzzle: self.puzzle.clone(),
            ask: self.ask.clone(),
            request_id: self.request_id.clone(),
            state: State::Queued,
            cancel_requested: false,
            progress: Progress::default(),
            waited_ms: 0,
            failure: None,
        }
    }
}

#[cfg(test)]
impl Job {
    /// A job that waits, for tests of what is told of jobs.
    pub(crate) fn of_nothing() -> Self {
        NewJob {
            id: JobId::fresh().expect("there is randomness"),
            owner: Vec::new(),
            idempotency_key: None,
            puzzle: String::new(),
            ask: String::new(),
            request_id: String::new(),
            body: Vec::new(),
        }
        .as_accepted()
    }
}

/// A job as the store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// Who may see it.
    pub owner: Vec<u8>,
    /// The puzzle's name.
    pub puzzle: String,
    /// How the body is read, and what the query asked.
    pub ask: String,
    /// The id of the request that asked for it.
    pub request_id: String,
    /// Where it stands.
    pub state: State,
    /// Whether it is to be cancelled; its worker has perhaps not seen it yet.
    pub cancel_requested: bool,
    /// How far its solve is.
    pub progress: Progress,
    /// How long it waited for its worker, in milliseconds; so far, while it waits.
    pub waited_ms: u64,
    /// Why it failed, as its worker wrote it.
    pub failure: Option<String>,
}

/// A job that a worker has claimed.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// Its id.
    pub id: JobId,
    /// The number of this claim.
    pub epoch: i64,
    /// The puzzle's name.
    pub puzzle: String,
    /// How the body is read, and what the query asked.
    pub ask: String,
    /// The id of the request that asked for it.
    pub request_id: String,
    /// How long it waited.
    pub waited: Duration,
}

/// How far a solve is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Milliseconds since its worker began.
    pub elapsed_ms: u64,
    /// Nodes of the search.
    pub nodes: u64,
    /// The best bound on the case that is being solved; 0 where there is none.
    pub best: u64,
    /// Cases that are answered.
    pub cases_done: u64,
    /// Cases of the body; 0 while it was not read.
    pub cases: u64,
}

/// The progress of a running solve, as the solve writes it and the renewals read it.
#[derive(Debug)]
pub struct Gauge {
    started: std::time::Instant,
    /// The nodes of the case that is being solved.
    pub meter: Meter,
    nodes_before: AtomicU64,
    cases_done: AtomicU64,
    cases: AtomicU64,
}

impl Default for Gauge {
    fn default() -> Self {
        Self {
            started: std::time::Instant::now(),
            meter: Meter::default(),
            nodes_before: AtomicU64::new(0),
            cases_done: AtomicU64::new(0),
            cases: AtomicU64::new(0),
        }
    }
}

impl Gauge {
    /// Tells how many cases there are.
    pub fn expect(&self, cases: usize) {
        self.cases.store(cases as u64, Ordering::Relaxed);
    }

    /// Counts a case that was answered after so many nodes.
    pub fn answered(&self, nodes: u64) {
        self.meter.clear();
        self.nodes_before.fetch_add(nodes, Ordering::Relaxed);
        self.cases_done.fetch_add(1, Ordering::Relaxed);
    }

    /// The time since the worker began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// How far it is now.
    pub fn read(&self) -> Progress {
        Progress {
            elapsed_ms: self.elapsed().as_millis() as u64,
            nodes: self.nodes_before.load(Ordering::Relaxed) + self.meter.get(),
            best: self.meter.best(),
            cases_done: self.cases_done.load(Ordering::Relaxed),
            cases: self.cases.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_all_different_and_read_back() {
        let ids: std::collections::BTreeSet<_> =
            (0..1000).map(|_| JobId::fresh().expect("there is randomness").0).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| JobId::read(id).is_some_and(|read| read.as_str() == id)));
        for text in ["", "0123", "g".repeat(32).as_str(), "A".repeat(32).as_str()] {
            assert_eq!(JobId::read(text), None);
        }
    }

    #[test]
    fn a_state_is_the_one_of_its_number() {
        for state in State::ALL {
            assert_eq!(State::of_number(state.number()), Some(state));
        }
        assert_eq!(State::of_number(-1), None);
        assert_eq!(State::of_number(6), None);
    }
}
