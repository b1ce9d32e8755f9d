//! The memory that is shared by requests: bodies being read or waiting, boards
//! parsed from them, and answers being sent, under one cap.
//!
//! A single request takes a [`Share`], and is turned away where it does not fit.
//! An item of a stream has a [`Claim`], which waits. Items that come before it in
//! its stream give their memory back in time without needing more, so it waits
//! for them however long they take. The first item of a stream has nothing of its
//! own to wait for: up to [`RESERVED`] bytes it takes from what the stream set
//! aside when it began, and beyond that it waits for others only so long, since
//! two streams might wait for each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::http::problem::{Code, Problem};

/// A cap, and how much of it is held.
#[derive(Debug)]
pub struct SharedMemory {
    cap: usize,
    held: AtomicUsize,
}

impl SharedMemory {
    /// A cap in bytes, nothing held.
    pub fn new(cap: usize) -> Arc<Self> {
        Arc::new(Self { cap, held: AtomicUsize::new(0) })
    }

    /// A share of no bytes yet, to be grown.
    pub const fn share(self: Arc<Self>) -> Share {
        Share { memory: self, bytes: 0 }
    }

    /// The bytes that may be held.
    pub const fn cap(&self) -> usize {
        self.cap
    }

    /// The bytes held now.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}

/// A part of the shared memory, given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    memory: Arc<SharedMemory>,
    bytes: usize,
}

impl Share {
    /// Makes the share at least `bytes` large.
    ///
    /// # Errors
    /// `overloaded` when the cap does not allow it; the share stays as it was.
    pub fn grow_to(&mut self, bytes: usize) -> Result<(), Problem> {
        let more = bytes.saturating_sub(self.bytes);
        let cap = self.memory.cap;
        let grown = self.memory.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
            held.checked_add(more).filter(|&held| held <= cap)
        });
        if grown.is_err() {
            return Err(Problem::new(
                Code::Overloaded,
                "The memory for bodies and answers is used up by requests under way.",
            )
            .retry_after(1));
        }
        self.bytes += more;
        Ok(())
    }

    /// Gives back all but `bytes`.
    pub fn shrink_to(&mut self, bytes: usize) {
        let less = self.bytes.saturating_sub(bytes);
        self.memory.held.fetch_sub(less, Ordering::Relaxed);
        self.bytes -= less;
    }
}

/// What a stream sets aside for whichever of its items comes first, in bytes.
pub const RESERVED: usize = 256 << 10;

/// How long a claim waits before it tries to grow again.
const RETRY: Duration = Duration::from_millis(20);

/// The memory of one item of a stream.
#[derive(Debug)]
pub struct Claim {
    share: Share,
    index: usize,
    first: watch::Receiver<usize>,
    patience: Duration,
}

impl Claim {
    /// The claim of item number `index`. `first` tells which item is the first of its
    /// stream by now; `patience` is how long it waits for others once it is that one.
    pub const fn new(
        share: Share,
        index: usize,
        first: watch::Receiver<usize>,
        patience: Duration,
    ) -> Self {
        Self { share, index, first, patience }
    }

    /// Makes the claim at least `bytes` large, as soon as the cap allows it.
    ///
    /// # Errors
    /// `overloaded` when others hold the memory for too long.
    pub async fn grow_to(&mut self, bytes: usize) -> Result<(), Problem> {
        let mut first_since = None;
        while let Err(problem) = self.share.grow_to(bytes) {
            if *self.first.borrow() >= self.index {
                if bytes <= RESERVED {
                    return Ok(());
                }
                let since = *first_since.get_or_insert_with(Instant::now);
                if since.elapsed() >= self.patience {
                    return Err(problem);
                }
            }
            tokio::time::sleep(RETRY).await;
        }
        Ok(())
    }

    /// Gives back all but `bytes`.
    pub fn shrink_to(&mut self, bytes: usize) {
        self.share.shrink_to(bytes);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_stay_under_the_cap_and_come_back_when_dropped() {
        let memory = SharedMemory::new(100);
        let mut first = Arc::clone(&memory).share();
        let mut second = Arc::clone(&memory).share();
        assert!(first.grow_to(60).is_ok());
        assert!(second.grow_to(41).is_err());
        assert!(second.grow_to(40).is_ok());
        first.shrink_to(10);
        assert_eq!(memory.held(), 50);
        drop(first);
        drop(second);
        assert_eq!(memory.held(), 0);
    }

    #[tokio::test]
    async fn a_claim_waits_for_those_before_it_and_only_so_long_for_others() {
        let memory = SharedMemory::new(2 * RESERVED);
        let mut others = Arc::clone(&memory).share();
        assert!(others.grow_to(2 * RESERVED).is_ok());
        let (sender, first) = watch::channel(0);
        let share = || Arc::clone(&memory).share();
        let claim = |index| Claim::new(share(), index, first.clone(), Duration::ZERO);
        assert!(claim(0).grow_to(RESERVED).await.is_ok(), "it was set aside");
        let mut large = claim(0);
        assert!(large.grow_to(RESERVED + 1).await.is_err(), "the others hold on to theirs");
        let mut second = claim(1);
        let wait = tokio::time::timeout(RETRY * 3, second.grow_to(RESERVED + 1)).await;
        assert!(wait.is_err(), "another item comes before it");
        sender.send_replace(1);
        assert!(second.grow_to(RESERVED).await.is_ok());
        drop(others);
        assert!(large.grow_to(RESERVED + 1).await.is_ok());
    }
}
