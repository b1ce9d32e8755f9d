//! Jobs as rows, and rows as jobs.

use sha2::{Digest, Sha256};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::jobs::{Job, JobId, NewJob, Progress, State};

/// What two requests have to share to be the same.
pub(super) fn digest(job: &NewJob) -> Vec<u8> {
    let mut digest = Sha256::new();
    for part in [job.puzzle.as_bytes(), job.ask.as_bytes(), &job.body] {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().to_vec()
}

pub(super) fn state_of(row: &AnyRow) -> sqlx::Result<State> {
    let number: i64 = row.try_get("state")?;
    State::of_number(number)
        .ok_or_else(|| sqlx::Error::Decode(format!("there is no job state {number}").into()))
}

pub(super) fn job_of(row: &AnyRow) -> sqlx::Result<Job> {
    let number = |name: &str| row.try_get::<i64, _>(name).map(|number| number.max(0) as u64);
    Ok(Job {
        id: JobId(row.try_get("id")?),
        owner: row.try_get("owner")?,
        puzzle: row.try_get("puzzle")?,
        ask: row.try_get("ask")?,
        request_id: row.try_get("request_id")?,
        state: state_of(row)?,
        cancel_requested: number("cancel_requested")? == 1,
        progress: Progress {
            elapsed_ms: number("elapsed_ms")?,
            nodes: number("nodes")?,
            best: number("best")?,
            cases_done: number("cases_done")?,
            cases: number("cases")?,
        },
        waited_ms: number("waited_ms")?,
        failure: row.try_get("failure")?,
    })
}
