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
//! Items of bulk bodies wait without bound, so single requests are kept safe
//! from them twice. The bound of the queue counts single requests alone: as many
//! as places and queue together may be in a lane, whatever the bulk items do. And
//! of all bulk items only one stands in the line for places; the others wait in a
//! line of their own for its position. So a single request finds at most one
//! bulk item before it, however many streams there are, and bulk gets a turn for
//! every turn of those who came before it.
//!
//! A [`Place`] is moved into the closure that solves, so that it is given back
//! when the thread is free again, not when the client leaves. A waiter that is
//! dropped leaves the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
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
    // Left before the permit is given back, so that a free place is never counted as taken.
    _single: Option<Counted>,
    _permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
struct Lane {
    places: Arc<Semaphore>,
    size: usize,
    /// The position of the one bulk item that stands in the line for places.
    bulk_head: Semaphore,
    /// The single requests in the lane, waiting or being solved.
    singles: Arc<AtomicUsize>,
    /// Everybody who waits.
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
            bulk_head: Semaphore::new(1),
            singles: Arc::default(),
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
        let (single, before) = match patience {
            Patience::Bounded => {
                let (counted, before) = Counted::among(&lane.singles);
                (Some(counted), before)
            }
            Patience::Unbounded => (None, 0),
        };
        if let Ok(permit) = Arc::clone(&lane.places).try_acquire_owned() {
            return Ok(Place { _single: single, _permit: permit });
        }
        if before >= lane.size.saturating_add(lane.queue) {
            let waiting = before - lane.size;
            return Err(Problem::new(
                Code::Overloaded,
                format!("All places are taken and {waiting} requests wait already."),
            )
            .retry_after(1)
            .with_limit(lane.queue as u64, waiting as u64 + 1));
        }
        let _waiting = Counted::among(&lane.waiting);
        tokio::select! {
            biased;
            permit = lane.acquire(patience) => match permit {
                Ok(permit) => Ok(Place { _single: single, _permit: permit }),
                Err(_) => Err(draining()),
            },
            () = self.drain.cancelled() => Err(draining()),
            () = lane.run_out(patience) => Err(Problem::new(
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
        let singles = self.long.singles.load(Ordering::Relaxed);
        singles >= self.long.size.saturating_add(self.long.queue)
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
    async fn acquire(&self, patience: Patience) -> Result<OwnedSemaphorePermit, AcquireError> {
        let _head = match patience {
            Patience::Bounded => None,
            Patience::Unbounded => Some(self.bulk_head.acquire().await?),
        };
        Arc::clone(&self.places).acquire_owned().await
    }

    /// Completes when a wait has lasted too long.
    async fn run_out(&self, patience: Patience) {
        match patience {
            Patience::Bounded => tokio::time::sleep(self.max_wait).await,
            Patience::Unbounded => std::future::pending().await,
        }
    }
}

/// One of a count, left when it is dropped.
#[derive(Debug)]
struct Counted(Arc<AtomicUsize>);

impl Counted {
    /// Joins a count; also says how many were in it before.
    fn among(count: &Arc<AtomicUsize>) -> (Self, usize) {
        let before = count.fetch_add(1, Ordering::Relaxed);
        (Self(Arc::clone(count)), before)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is answered to solves while the service shuts down.
pub fn draining() -> Problem {
    Problem::new(Code::Draining, "The service is shutting down; nothing was solved.").retry_after(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(places: usize, queue: usize) -> Arc<Admission> {
        let wait = Duration::from_secs(60);
        Arc::new(Admission::new(places, queue, wait, CancellationToken::new()))
    }

    /// Waits for a place and writes its name down once it has it.
    fn wait(
        admission: &Arc<Admission>,
        patience: Patience,
        name: &'static str,
        served: &Arc<std::sync::Mutex<Vec<&'static str>>>,
    ) -> tokio::task::JoinHandle<()> {
        let (admission, served) = (Arc::clone(admission), Arc::clone(served));
        tokio::spawn(async move {
            let place = admission.place(LaneName::Long, patience).await;
            served.lock().expect("nobody panics").push(name);
            drop(place.expect("nobody is turned away"));
        })
    }

    #[tokio::test]
    async fn a_single_request_finds_at_most_one_bulk_item_before_it() {
        let admission = lane(1, 2);
        let served = Arc::default();
        let held = admission.place(LaneName::Long, Patience::Unbounded).await;
        let mut waiters = Vec::new();
        for _ in 0..5 {
            waiters.push(wait(&admission, Patience::Unbounded, "bulk", &served));
            tokio::task::yield_now().await;
        }
        waiters.push(wait(&admission, Patience::Bounded, "single", &served));
        tokio::task::yield_now().await;
        assert_eq!(admission.waiting(LaneName::Long), 6);
        drop(held);
        for waiter in waiters {
            waiter.await.expect("it ends");
        }
        let served = served.lock().expect("nobody panics").clone();
        assert_eq!(served, ["bulk", "single", "bulk", "bulk", "bulk", "bulk"]);
    }

    #[tokio::test]
    async fn bulk_items_take_nothing_of_the_queue() {
        let admission = lane(1, 0);
        let _held = admission.place(LaneName::Long, Patience::Unbounded).await;
        let served = Arc::default();
        let _bulk = wait(&admission, Patience::Unbounded, "bulk", &served);
        let _single = wait(&admission, Patience::Bounded, "single", &served);
        while admission.waiting(LaneName::Long) < 2 {
            tokio::task::yield_now().await;
        }
        let refused = admission.place(LaneName::Long, Patience::Bounded).await;
        assert_eq!(refused.expect_err("places and queue are taken").code(), Code::Overloaded);
    }

    #[tokio::test]
    async fn a_refusal_counts_those_who_wait_and_the_one_refused() {
        let admission = lane(1, 2);
        let _held = admission.place(LaneName::Long, Patience::Bounded).await;
        let _first = wait(&admission, Patience::Bounded, "single", &Arc::default());
        tokio::task::yield_now().await;
        assert!(!admission.is_saturated(), "one more may wait");
        let _second = wait(&admission, Patience::Bounded, "single", &Arc::default());
        tokio::task::yield_now().await;
        assert_eq!(admission.in_use(LaneName::Long), 1);
        assert!(admission.is_saturated());
        let refused = admission.place(LaneName::Long, Patience::Bounded).await;
        let refused = refused.expect_err("places and queue are taken").body("-");
        assert!(refused.detail.contains("2 requests wait"), "{}", refused.detail);
        assert_eq!((refused.limit, refused.actual), (Some(2), Some(3)));
    }

    #[tokio::test]
    async fn a_queue_is_not_full_while_a_place_is_free() {
        let admission = lane(1, 0);
        assert!(!admission.is_saturated());
        let held = admission.place(LaneName::Long, Patience::Unbounded).await;
        let _waiter = wait(&admission, Patience::Bounded, "single", &Arc::default());
        tokio::task::yield_now().await;
        assert!(admission.is_saturated(), "a bulk item has the place");
        drop(held);
        while admission.waiting(LaneName::Long) > 0 {
            tokio::task::yield_now().await;
        }
        assert!(!admission.is_saturated());
    }
}
