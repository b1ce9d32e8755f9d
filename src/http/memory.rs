//! The memory that is shared by requests: bodies being read or waiting, boards
//! parsed from them, and answers being sent, under one cap.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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
}
