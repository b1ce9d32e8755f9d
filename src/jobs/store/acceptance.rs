//! Accepting a job: it is stored unless too many wait, and once only.
//!
//! The bound is exact. SQLite has one writer at a time. On PostgreSQL acceptances
//! run beside each other, and each counts the jobs of those that have committed
//! alone, so as many may come on top of its count as are under way. Far from the
//! bound that does no harm: an acceptance keeps [`MARGIN`](super::postgres::MARGIN)
//! jobs below it, and holds a shared lock. Where that is not enough it tries again
//! under the same lock for itself alone, which it gets when all others have ended,
//! and may then go up to the bound. So acceptances take turns only while the queue
//! is nearly full, when they have to wait for jobs to leave it anyway.
//!
//! Jobs that come back from a worker are let in whatever the bound says: they were accepted.

use sqlx::{AnyConnection, Row};

use crate::jobs::NewJob;
use crate::jobs::store::rows::{digest, job_of};
use crate::jobs::store::words::{StoreError, Submitted};
use crate::jobs::store::{REQUEST, Store};

impl Store {
    /// Stores a job, unless `bound` jobs wait already or its key is taken.
    ///
    /// # Errors
    /// When the store can't be reached. The same call may be repeated.
    pub async fn submit(&self, job: &NewJob, bound: u64) -> Result<Submitted, StoreError> {
        let bound = i64::try_from(bound).unwrap_or(i64::MAX);
        self.write(async {
            if let Some((begin, margin)) = self.backend.begin_far_from_bound()
                && bound > margin
            {
                let submitted = self.submit_below(job, bound - margin, begin).await?;
                if submitted != Submitted::Full {
                    return Ok(submitted);
                }
            }
            self.submit_below(job, bound, self.backend.begin_near_bound()).await
        })
        .await
    }

    /// One try to store a job while fewer than `bound` wait, in a transaction that begins with `begin`.
    async fn submit_below(
        &self,
        job: &NewJob,
        bound: i64,
        begin: &'static str,
    ) -> sqlx::Result<Submitted> {
        let digest = digest(job);
        let mut transaction = self.pool.begin_with(begin).await?;
        let added = sqlx::query(self.backend.statements().insert_job)
            .bind(job.id.as_str())
            .bind(job.owner.as_slice())
            .bind(job.idempotency_key.as_deref())
            .bind(digest.as_slice())
            .bind(job.puzzle.as_str())
            .bind(job.ask.as_str())
            .bind(job.request_id.as_str())
            .bind(job.id.spread())
            .bind(bound)
            .execute(&mut *transaction)
            .await?;
        if added.rows_affected() == 1 {
            sqlx::query(self.backend.statements().insert_bytes)
                .bind(job.id.as_str())
                .bind(REQUEST)
                .bind(job.body.as_slice())
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            return Ok(Submitted::New);
        }
        let found = self.why_not(job, &digest, &mut transaction).await?;
        // At once, so that whatever waits for its turn need not wait for the pool to do it.
        transaction.rollback().await?;
        Ok(found)
    }

    /// Why a job was not stored.
    async fn why_not(
        &self,
        job: &NewJob,
        digest: &[u8],
        connection: &mut AnyConnection,
    ) -> sqlx::Result<Submitted> {
        let stored = sqlx::query(self.backend.statements().by_id)
            .bind(job.id.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        if stored.is_some() {
            // An earlier try of this very call was stored, and only its acknowledgement was lost.
            return Ok(Submitted::New);
        }
        let Some(key) = job.idempotency_key.as_deref() else { return Ok(Submitted::Full) };
        let earlier = sqlx::query(self.backend.statements().by_key)
            .bind(job.owner.as_slice())
            .bind(key)
            .fetch_optional(&mut *connection)
            .await?;
        match earlier {
            Some(row) if row.try_get::<Vec<u8>, _>("digest")? == digest => {
                Ok(Submitted::Same(job_of(&row)?))
            }
            Some(_) => Ok(Submitted::KeyReused),
            None => Ok(Submitted::Full),
        }
    }
}
