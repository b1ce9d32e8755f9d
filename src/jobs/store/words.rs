//! What is said to the store and what it says, beside the jobs themselves.

use std::fmt;

use crate::jobs::{Job, State};

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It is stored, and will end.
    New,
    /// The same request came before under the same key: this is its job.
    Same(Job),
    /// Another request came before under the same key.
    KeyReused,
    /// So many jobs wait that no more are taken.
    Full,
}

/// How a job ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// With an answer in each of these forms: a name and its bytes.
    Done(Vec<(String, Vec<u8>)>),
    /// By a fault of the service's, told in these words.
    Failed(String),
    /// Taken back by its caller.
    Cancelled,
}

impl Ending {
    /// The state it leaves the job in.
    pub const fn state(&self) -> State {
        match self {
            Self::Done(_) => State::Done,
            Self::Failed(_) => State::Failed,
            Self::Cancelled => State::Cancelled,
        }
    }
}

/// The store could not be spoken to. Whether a word took effect is then not known.
#[derive(Debug)]
pub struct StoreError(pub(super) String);

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for StoreError {}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.to_string())
    }
}
