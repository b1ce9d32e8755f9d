//! Places: who may solve now, who waits, who is turned away.
//!
//! There are two lanes. Every solve first gets a short slice in the *express*
//! lane; what is not decided by then starts anew in the *long* lane, whose
//! threads run at a lower priority of the operating system. So a request that
//! needs a few milliseconds never waits behind one that runs for seconds: it
//! waits for slices only, and the kernel lets it go first. Each lane has as
//! many places as the operator sets, a bounded queue that is served in order,
//! and a maximum wait.
//!
//! A [`Place`] is moved into the closure that solves, so that it is given back
//! when the thread is free again, not when the client leaves. A waiter that is
//! dropped leaves the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::http::problem::{Code, Problem};

/// The two lanes.
#[derive(Debug)]
pub struct Admission {
    express: Lane,
    long: Lane,
    drain: CancellationToken,
}

/// Which lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneName {
    /// First slices.
    Express,
    /// Whole solves of what a first slice did not decide.
    Long,
}

/// How long a solve may wait for a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// As a single request: the queue is bounded in length and in time.
    Bounded,
    /// As an item of a bulk body: it waits its turn and is never turned away.
    Unbounded,
}

/// A place, held until it is dropped.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
struct Lane {
    places: Arc<Semaphore>,
    size: usize,
    waiting: Arc<AtomicUsize>,
    queue: usize,
    max_wait: Duration,
}

impl Admission {
    /// Two lanes of `places` each; `drain` ends every wait.
    pub fn new(places: usize, queue: usize, max_wait: Duration, drain: CancellationToken) -> Self {
        let lane = || Lane {
            places: Arc::new(Semaphore::new(places)),
            size: places,
            waiting: Arc::default(),
            queue,
            max_wait,
        };
        Self { express: lane(), long: lane(), drain }
    }

    /// Waits for a place in a lane.
    ///
    /// # Errors
    /// `overloaded` or `draining`.
    pub async fn place(&self, lane: LaneName, patience: Patience) -> Result<Place, Problem> {
        if self.drain.is_cancelled() {
            return Err(draining());
        }
        let lane = self.lane(lane);
        if let Ok(permit) = Arc::clone(&lane.places).try_acquire_owned() {
            return Ok(Place { _permit: permit });
        }
        let _turn = lane.join_queue(patience)?;
        let acquire = Arc::clone(&lane.places).acquire_owned();
        let patient = async {
            match patience {
                Patience::Bounded => tokio::time::sleep(lane.max_wait).await,
                Patience::Unbounded => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            permit = acquire => match permit {
                Ok(permit) => Ok(Place { _permit: permit }),
                Err(_) => Err(draining()),
            },
            () = self.drain.cancelled() => Err(draining()),
            () = patient => Err(Problem::new(
                Code::Overloaded,
                format!("No place became free within {} ms.", lane.max_wait.as_millis()),
            )
            .retry_after(1)),
        }
    }

    /// How many solves wait in a lane.
    pub fn waiting(&self, lane: LaneName) -> usize {
        self.lane(lane).waiting.load(Ordering::Relaxed)
    }

    /// How many places of a lane are taken.
    pub fn in_use(&self, lane: LaneName) -> usize {
        let lane = self.lane(lane);
        lane.size - lane.places.available_permits().min(lane.size)
    }

    /// Whether the queue of the long lane is full.
    pub fn is_saturated(&self) -> bool {
        self.long.waiting.load(Ordering::Relaxed) >= self.long.queue
            && self.in_use(LaneName::Long) == self.long.size
    }

    const fn lane(&self, name: LaneName) -> &Lane {
        match name {
            LaneName::Express => &self.express,
            LaneName::Long => &self.long,
        }
    }
}

impl Lane {
    fn join_queue(&self, patience: Patience) -> Result<Turn, Problem> {
        let turn = Turn { waiting: Arc::clone(&self.waiting) };
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        if before >= self.queue && patience == Patience::Bounded {
            return Err(Problem::new(
                Code::Overloaded,
                format!("All places are taken and {before} requests wait already."),
            )
            .retry_after(1)
            .with_limit(self.queue as u64, before as u64 + 1));
        }
        Ok(turn)
    }
}

/// A turn in a queue, left when it is dropped.
struct Turn {
    waiting: Arc<AtomicUsize>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is answered to solves while the service shuts down.
pub fn draining() -> Problem {
    Problem::new(Code::Draining, "The service is shutting down; nothing was solved.").retry_after(1)
}
