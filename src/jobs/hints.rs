//! Hints: "look at the queue", "look at this job". Whoever waits for news
//! subscribes and looks earlier than it would have. A hint that is lost costs a
//! second, nothing else.

use tokio::sync::broadcast::{self, Receiver, Sender, error::RecvError};

use crate::jobs::JobId;

/// Hints that a slow listener may fall behind before it is told to look anyway.
const BACKLOG: usize = 256;

/// What to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A job waits.
    Queue,
    /// A job was cancelled or has ended.
    Job(JobId),
}

/// Where hints are given and heard.
#[derive(Debug)]
pub struct Hints(Sender<Hint>);

impl Default for Hints {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl Hints {
    /// Gives a hint to everybody who listens.
    pub fn give(&self, hint: Hint) {
        // Nobody may be listening.
        let _ = self.0.send(hint);
    }

    /// Hears every hint from now on.
    pub fn listen(&self) -> Listener {
        Listener(self.0.subscribe())
    }
}

/// Hears hints.
#[derive(Debug)]
pub struct Listener(Receiver<Hint>);

impl Listener {
    /// Completes at the next hint that `matters`, or when some may have been missed.
    pub async fn heard(&mut self, matters: impl Fn(&Hint) -> bool) {
        loop {
            match self.0.recv().await {
                Ok(hint) if !matters(&hint) => {}
                Ok(_) | Err(RecvError::Lagged(_)) => return,
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }
}
