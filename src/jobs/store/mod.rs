//! The table of jobs, which is the queue too: what can be said to it.
//!
//! Every method is one statement or one transaction, so that a process that is
//! killed at any moment leaves nothing half said. What a worker says carries the
//! epoch of its claim and does nothing when another claim came since. A word
//! whose acknowledgement was lost may be repeated: a submission by its id, an
//! ending by its epoch.
//!
//! Renewals have a connection of their own, and open it anew after any fault.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyConnection, AnyPool, Connection, Row};
use tokio::sync::{Mutex, MutexGuard};

use crate::jobs::store::backend::Backend;
use crate::jobs::store::rows::{job_of, state_of};
use crate::jobs::tally::Tally;
use crate::jobs::{Claimed, Job, JobId, LEASE, MOST_DEATHS, Progress, State};

mod acceptance;
mod backend;
mod postgres;
mod rows;
mod sqlite;
mod statements;
mod words;

pub use postgres::listen;
pub use words::{Ending, StoreError, Submitted};

/// How many counters the number of waiting jobs is spread over, so that replicas
/// which accept and claim at once do not wait for one row. The schema makes as many.
pub(crate) const COUNTERS: i64 = 16;

/// How long a word with the store may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connections beside the one for renewals.
const CONNECTIONS: u32 = 8;

/// The name under which a job's request lies among its bytes.
const REQUEST: &str = "request";

/// The store in use.
pub struct Store {
    pool: AnyPool,
    /// SQLite takes one writer at a time: its turn is waited for here, in order.
    writer: Option<Mutex<()>>,
    renewals: Mutex<Option<AnyConnection>>,
    options: AnyConnectOptions,
    backend: Backend,
    tally: Arc<Tally>,
}

impl fmt::Debug for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Store({:?})", self.backend)
    }
}

impl Store {
    /// The store behind a URL, `sqlite://PATH` or `postgres://…`, with its schema brought up to date.
    ///
    /// # Errors
    /// When it can't be reached or does not take the schema.
    pub async fn open(url: &str, tally: Arc<Tally>) -> Result<Self, StoreError> {
        let backend = Backend::of(url);
        let options = backend.options(url)?;
        let pool = AnyPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .after_connect(move |connection, _| Box::pin(backend.greet(connection)))
            .connect_lazy_with(options.clone());
        let store = Self {
            pool,
            writer: (backend == Backend::Sqlite).then(Mutex::default),
            renewals: Mutex::default(),
            options,
            backend,
            tally,
        };
        backend.migrate(&store.pool).await?;
        Ok(store)
    }

    /// Whether other processes may use the same store.
    pub fn is_shared(&self) -> bool {
        self.backend == Backend::Postgres
    }

    /// A job.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn job(&self, id: &JobId) -> Result<Option<Job>, StoreError> {
        self.speak(async {
            let query = sqlx::query(self.backend.statements().by_id).bind(id.as_str());
            query.fetch_optional(&self.pool).await?.as_ref().map(job_of).transpose()
        })
        .await
    }

    /// A job's answer in one of its forms.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn answer(&self, id: &JobId, form: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.speak(async {
            let query = sqlx::query(self.backend.statements().bytes).bind(id.as_str()).bind(form);
            let row = query.fetch_optional(&self.pool).await?;
            row.map(|row| row.try_get("bytes")).transpose()
        })
        .await
    }

    /// How many bytes a job's answer has in one of its forms.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn answer_size(&self, id: &JobId, form: &str) -> Result<Option<usize>, StoreError> {
        self.speak(async {
            let query = sqlx::query(self.backend.statements().size).bind(id.as_str()).bind(form);
            let row = query.fetch_optional(&self.pool).await?;
            row.map(|row| Ok(row.try_get::<i64, _>("size")?.max(0) as usize)).transpose()
        })
        .await
    }

    /// The body of a job's request; `None` once it has ended.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn request(&self, id: &JobId) -> Result<Option<Vec<u8>>, StoreError> {
        self.answer(id, REQUEST).await
    }

    /// Takes the oldest job that waits, under a lease.
    ///
    /// # Errors
    /// When the store can't be reached; a job that was taken nevertheless comes
    /// back to the queue when its lease has run out.
    pub async fn claim(&self, worker: &str) -> Result<Option<Claimed>, StoreError> {
        self.write(async {
            let query = sqlx::query(self.backend.statements().claim).bind(worker).bind(LEASE_MS);
            let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(None) };
            let waited: i64 = row.try_get("waited_ms")?;
            Ok(Some(Claimed {
                id: JobId(row.try_get("id")?),
                epoch: row.try_get("epoch")?,
                puzzle: row.try_get("puzzle")?,
                ask: row.try_get("ask")?,
                request_id: row.try_get("request_id")?,
                waited: Duration::from_millis(waited.max(0) as u64),
            }))
        })
        .await
    }

    /// Prolongs a lease; whether the job is to be cancelled, or `None` where it
    /// was given to somebody else.
    ///
    /// # Errors
    /// When the store does not answer within `patience`.
    pub async fn renew(
        &self,
        claimed: &Claimed,
        progress: Progress,
        patience: Duration,
    ) -> Result<Option<bool>, StoreError> {
        let renewal = async {
            let mut held = self.renewals.lock().await;
            // Out of its place while it is used: a renewal that is given up takes the connection with it.
            let mut connection = match held.take() {
                Some(connection) => connection,
                None => {
                    let mut connection = AnyConnection::connect_with(&self.options).await?;
                    self.backend.greet(&mut connection).await?;
                    connection
                }
            };
            let row = sqlx::query(self.backend.statements().renew)
                .bind(claimed.id.as_str())
                .bind(claimed.epoch)
                .bind(LEASE_MS)
                .bind(progress.elapsed_ms as i64)
                .bind(progress.nodes as i64)
                .bind(progress.cases_done as i64)
                .bind(progress.cases as i64)
                .bind(progress.best as i64)
                .fetch_optional(&mut connection)
                .await?;
            *held = Some(connection);
            row.map(|row| Ok(row.try_get::<i64, _>("cancel_requested")? == 1)).transpose()
        };
        self.within(patience, renewal).await
    }

    /// Ends a job; whether it was still this worker's to end.
    ///
    /// # Errors
    /// When the store can't be reached. The same call may be repeated.
    pub async fn finish(
        &self,
        claimed: &Claimed,
        ending: &Ending,
        progress: Progress,
        keep: Duration,
    ) -> Result<bool, StoreError> {
        let (answers, failure) = match ending {
            Ending::Done(answers) => (answers.as_slice(), None),
            Ending::Failed(failure) => ([].as_slice(), Some(failure.as_str())),
            Ending::Cancelled => ([].as_slice(), None),
        };
        self.write(async {
            let mut transaction = self.pool.begin_with(self.backend.begin()).await?;
            let ended = sqlx::query(self.backend.statements().finish)
                .bind(claimed.id.as_str())
                .bind(claimed.epoch)
                .bind(ending.state().number())
                .bind(keep.as_millis() as i64)
                .bind(failure)
                .bind(progress.elapsed_ms as i64)
                .bind(progress.nodes as i64)
                .bind(progress.cases_done as i64)
                .bind(progress.cases as i64)
                .bind(progress.best as i64)
                .execute(&mut *transaction)
                .await?;
            if ended.rows_affected() == 0 {
                return Ok(false);
            }
            for (name, bytes) in answers {
                sqlx::query(self.backend.statements().insert_bytes)
                    .bind(claimed.id.as_str())
                    .bind(name.as_str())
                    .bind(bytes.as_slice())
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Gives a job back to the queue; whether it was still this worker's to give.
    ///
    /// # Errors
    /// When the store can't be reached. The same call may be repeated.
    pub async fn put_back(&self, claimed: &Claimed, keep: Duration) -> Result<bool, StoreError> {
        self.write(async {
            let query = sqlx::query(self.backend.statements().put_back)
                .bind(claimed.id.as_str())
                .bind(claimed.epoch)
                .bind(keep.as_millis() as i64);
            Ok(query.execute(&self.pool).await?.rows_affected() == 1)
        })
        .await
    }

    /// Cancels a job that waits, and asks the worker of one that runs to stop.
    ///
    /// # Errors
    /// When the store can't be reached. The same call may be repeated.
    pub async fn cancel(&self, id: &JobId, keep: Duration) -> Result<(), StoreError> {
        self.write(async {
            let query = sqlx::query(self.backend.statements().cancel)
                .bind(id.as_str())
                .bind(keep.as_millis() as i64);
            query.execute(&self.pool).await.map(drop)
        })
        .await
    }

    /// Takes one job from a worker whose lease ran out: back to the queue, or,
    /// once it has taken [`MOST_DEATHS`] workers with it, to its end, failed in the words of `failure`.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn recover(
        &self,
        failure: &str,
        keep: Duration,
    ) -> Result<Option<(JobId, State)>, StoreError> {
        self.write(async {
            let query = sqlx::query(self.backend.statements().recover)
                .bind(MOST_DEATHS)
                .bind(failure)
                .bind(keep.as_millis() as i64)
                .bind(LEASE_MS * 2);
            let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(None) };
            Ok(Some((JobId(row.try_get("id")?), state_of(&row)?)))
        })
        .await
    }

    /// Forgets results that were kept for long enough, and ids whose results were
    /// forgotten that long ago; how many, of a few hundred at a time.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn expire(&self, keep: Duration) -> Result<u64, StoreError> {
        self.write(async {
            let expire =
                sqlx::query(self.backend.statements().expire).bind(keep.as_millis() as i64);
            let expired = expire.execute(&self.pool).await?.rows_affected();
            let forgotten =
                sqlx::query(self.backend.statements().forget).execute(&self.pool).await?;
            Ok(expired + forgotten.rows_affected())
        })
        .await
    }

    /// How many jobs wait.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn waiting(&self) -> Result<i64, StoreError> {
        self.speak(async {
            let row = sqlx::query(self.backend.statements().waiting).fetch_one(&self.pool).await?;
            row.try_get("waiting")
        })
        .await
    }

    async fn write<T>(&self, work: impl Future<Output = sqlx::Result<T>>) -> Result<T, StoreError> {
        let turn = async {
            let _turn: Option<MutexGuard<'_, ()>> = match &self.writer {
                Some(writer) => Some(writer.lock().await),
                None => None,
            };
            work.await
        };
        self.speak(turn).await
    }

    async fn speak<T>(&self, work: impl Future<Output = sqlx::Result<T>>) -> Result<T, StoreError> {
        self.within(PATIENCE, work).await
    }

    async fn within<T>(
        &self,
        patience: Duration,
        work: impl Future<Output = sqlx::Result<T>>,
    ) -> Result<T, StoreError> {
        let result = match tokio::time::timeout(patience, work).await {
            Ok(result) => result.map_err(StoreError::from),
            Err(_) => Err(StoreError(format!("no answer within {} ms", patience.as_millis()))),
        };
        result.inspect_err(|_| {
            self.tally.store_errors.inc();
        })
    }
}

const LEASE_MS: i64 = LEASE.as_millis() as i64;
