//! What all clients of the soak share: what they count, and what they hold
//! against the service.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::questions::Questions;
use crate::support::Service;

/// Faults that are told one by one; all are counted.
const TOLD: usize = 20;

/// A load, while it lasts.
pub(crate) struct Load {
    /// The service under it.
    pub(crate) service: Service,
    /// What is asked.
    pub(crate) questions: Questions,
    /// What was counted.
    pub(crate) counts: Counts,
    /// Raised when the clients are to end.
    pub(crate) stopped: AtomicBool,
    faults: Mutex<Vec<String>>,
}

/// What was counted, each answer once.
#[derive(Default)]
pub(crate) struct Counts {
    /// Single requests that were answered, rightly.
    pub(crate) answered: AtomicU64,
    /// Requests of all kinds that were told to come again.
    pub(crate) refused: AtomicU64,
    /// Bad bodies that were refused for what is wrong with them.
    pub(crate) bad: AtomicU64,
    /// Clients that hung up.
    pub(crate) hung_up: AtomicU64,
    /// Lines of bulk that were answered.
    pub(crate) lines: AtomicU64,
    /// Jobs that were accepted, and seen to their end.
    pub(crate) jobs: AtomicU64,
    /// Whatever was wrong.
    pub(crate) wrong: AtomicU64,
}

/// Adds one.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Load {
    /// No load yet.
    pub(crate) fn new(service: Service) -> Self {
        Self {
            service,
            questions: Questions::new(),
            counts: Counts::default(),
            stopped: AtomicBool::new(false),
            faults: Mutex::default(),
        }
    }

    /// Whether the clients are to end.
    pub(crate) fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Holds something against the service.
    pub(crate) fn fault(&self, what: impl Into<String>) {
        count(&self.counts.wrong);
        let mut faults = self.faults.lock().expect("nothing panics under this lock");
        if faults.len() < TOLD {
            faults.push(what.into());
        }
    }

    /// As [`Load::fault`], where a check found something; whether it found nothing.
    pub(crate) fn check(&self, what: &str, checked: Result<(), String>) -> bool {
        let is_right = checked.is_ok();
        if let Err(found) = checked {
            self.fault(format!("{what}: {found}"));
        }
        is_right
    }

    /// What was found, the first few.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.faults.lock().expect("nothing panics under this lock").clone()
    }
}
