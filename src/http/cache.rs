//! Results that were decided, kept up to a bound, so that the same board asked
//! again is answered at once. What a limit left open is never kept.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::io;
use std::sync::Arc;

use moka::sync::Cache;

use crate::http::endpoint::{Case, Finished};
use crate::http::wire::Stats;

/// A board and its options, without the time limit, compared exactly.
#[derive(Clone, Debug)]
pub struct CaseKey(pub Arc<dyn Case>);

impl Hash for CaseKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl PartialEq for CaseKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0.as_ref())
    }
}

impl Eq for CaseKey {}

/// A kept result.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The checked outcome.
    pub finished: Arc<dyn Finished>,
    /// The nodes that finding it took.
    pub nodes: u64,
    weight: u32,
}

/// The cache of results.
pub struct ResultCache(Cache<CaseKey, Kept>);

/// What a key and an entry weigh beyond their board and answer, in bytes.
const ENTRY_WEIGHT: usize = 512;

/// A board and an answer take about this many bytes a byte of JSON.
const WEIGHT_A_BYTE: usize = 2;

/// Boards and answers larger than this are not kept: many small ones are worth more.
const LARGEST_KEPT: usize = 1 << 20;

impl ResultCache {
    /// A cache that holds about `bytes`.
    pub fn new(bytes: usize) -> Self {
        let cache = Cache::builder()
            .name("results")
            .max_capacity(bytes as u64)
            .weigher(|_, kept: &Kept| kept.weight)
            .build();
        Self(cache)
    }

    /// The kept result of a case.
    pub fn get(&self, key: &CaseKey) -> Option<Kept> {
        self.0.get(key)
    }

    /// Keeps a decided result; `case_bytes` is about what the board takes.
    pub fn keep(&self, key: CaseKey, case_bytes: usize, finished: Arc<dyn Finished>, nodes: u64) {
        let Some(answer_bytes) = json_length(finished.as_ref(), LARGEST_KEPT) else { return };
        let bytes = case_bytes.saturating_add(answer_bytes);
        if bytes <= LARGEST_KEPT {
            let weight = (ENTRY_WEIGHT + bytes * WEIGHT_A_BYTE) as u32;
            self.0.insert(key, Kept { finished, nodes, weight });
        }
    }
}

impl fmt::Debug for ResultCache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ResultCache").field(&self.0.entry_count()).finish()
    }
}

/// The length of the answer's JSON, or `None` when it is over `max`.
fn json_length(finished: &dyn Finished, max: usize) -> Option<usize> {
    let mut counter = Counter { length: 0, max };
    let stats = Stats { time_ms: 0.0, nodes: 0, time_limit_ms: 1 };
    finished.write_json(stats, &mut counter).ok()?;
    Some(counter.length)
}

/// Counts bytes and throws them away.
struct Counter {
    length: usize,
    max: usize,
}

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.length += bytes.len();
        if self.length > self.max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
