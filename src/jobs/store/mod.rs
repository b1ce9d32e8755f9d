//! The table of jobs, which is the queue too: what can be said to it.
//!
//! Every method is one statement or one transaction, so that a process that is
//! killed at any moment leaves nothing half said. What a worker says carries the
//! epoch of its claim and does nothing when another claim came since. A word
//! whose acknowledgement was lost may be repeated: a submission by its id, an
//! ending by its epoch.
//!
//! Renewals have a connection of their own, so that they never wait behind
//! anything, and open it anew after any fault.

use std::fmt;
use std::future::Future;
use std::str::FromStr;
use std::sync::{Arc, Once};
use std::time::Duration;

use sha2::{Digest, Sha256};
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, AnyRow, install_drivers};
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Connection, Executor, Row};
use tokio::sync::{Mutex, MutexGuard};

use crate::jobs::store::statements::Statements;
use crate::jobs::tally::Tally;
use crate::jobs::{Claimed, Job, JobId, LEASE, MOST_DEATHS, NewJob, Progress, State};

mod postgres;
mod sqlite;
mod statements;

pub use postgres::listen;

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

/// Which of the two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Sqlite,
    Postgres,
}

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
pub struct StoreError(String);

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
        static DRIVERS: Once = Once::new();
        DRIVERS.call_once(|| {
            install_drivers(&[sqlx::sqlite::any::DRIVER, sqlx::postgres::any::DRIVER])
                .expect("the drivers are installed here alone");
        });
        let backend = Backend::of(url);
        let url = match backend {
            Backend::Postgres => url.to_owned(),
            Backend::Sqlite if url.contains('?') => format!("{url}&mode=rwc"),
            Backend::Sqlite => format!("{url}?mode=rwc"),
        };
        let options = AnyConnectOptions::from_str(&url)?.disable_statement_logging();
        let pool = AnyPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .after_connect(move |connection, _| Box::pin(greet(backend, connection)))
            .connect_lazy_with(options.clone());
        let store = Self {
            pool,
            writer: (backend == Backend::Sqlite).then(Mutex::default),
            renewals: Mutex::default(),
            options,
            backend,
            tally,
        };
        store.migrate().await?;
        Ok(store)
    }

    /// Whether other processes may use the same store.
    pub fn is_shared(&self) -> bool {
        self.backend == Backend::Postgres
    }

    async fn migrate(&self) -> Result<(), StoreError> {
        let mut transaction = self.pool.begin_with(self.backend.begin()).await?;
        if self.backend == Backend::Postgres {
            transaction.execute(postgres::SCHEMA_LOCK).await?;
        }
        let version_table =
            "CREATE TABLE IF NOT EXISTS boardsolve_schema (version BIGINT NOT NULL)";
        transaction.execute(version_table).await?;
        let current = "SELECT COALESCE(MAX(version), 0) AS version FROM boardsolve_schema";
        let current: i64 = transaction.fetch_one(current).await?.try_get("version")?;
        let steps = self.backend.migrations();
        if current > steps.len() as i64 {
            let detail = format!(
                "the job store has schema {current}, and this version of boardsolve knows {} at most",
                steps.len()
            );
            return Err(StoreError(detail));
        }
        for (step, version) in steps.iter().zip(1_i64..).filter(|(_, version)| *version > current) {
            sqlx::raw_sql(*step).execute(&mut *transaction).await?;
            sqlx::query("INSERT INTO boardsolve_schema (version) VALUES ($1)")
                .bind(version)
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Stores a job, unless `bound` jobs wait already or its key is taken.
    ///
    /// # Errors
    /// When the store can't be reached. The same call may be repeated.
    pub async fn submit(&self, job: &NewJob, bound: u64) -> Result<Submitted, StoreError> {
        let digest = digest(job);
        self.write(async {
            let mut transaction = self.pool.begin_with(self.backend.begin()).await?;
            let added = sqlx::query(self.statements().insert_job)
                .bind(job.id.as_str())
                .bind(job.owner.as_slice())
                .bind(job.idempotency_key.as_deref())
                .bind(digest.as_slice())
                .bind(job.puzzle.as_str())
                .bind(job.ask.as_str())
                .bind(job.request_id.as_str())
                .bind(job.id.spread())
                .bind(i64::try_from(bound).unwrap_or(i64::MAX))
                .execute(&mut *transaction)
                .await?;
            if added.rows_affected() == 1 {
                sqlx::query(self.statements().insert_bytes)
                    .bind(job.id.as_str())
                    .bind(REQUEST)
                    .bind(job.body.as_slice())
                    .execute(&mut *transaction)
                    .await?;
                transaction.commit().await?;
                return Ok(Submitted::New);
            }
            let stored = sqlx::query(self.statements().by_id)
                .bind(job.id.as_str())
                .fetch_optional(&mut *transaction)
                .await?;
            if stored.is_some() {
                // An earlier try of this very call was stored, and only its acknowledgement was lost.
                return Ok(Submitted::New);
            }
            let Some(key) = job.idempotency_key.as_deref() else { return Ok(Submitted::Full) };
            let earlier = sqlx::query(self.statements().by_key)
                .bind(job.owner.as_slice())
                .bind(key)
                .fetch_optional(&mut *transaction)
                .await?;
            match earlier {
                Some(row) if row.try_get::<Vec<u8>, _>("digest")? == digest => {
                    Ok(Submitted::Same(job_of(&row)?))
                }
                Some(_) => Ok(Submitted::KeyReused),
                None => Ok(Submitted::Full),
            }
        })
        .await
    }

    /// A job.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn job(&self, id: &JobId) -> Result<Option<Job>, StoreError> {
        self.speak(async {
            let query = sqlx::query(self.statements().by_id).bind(id.as_str());
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
            let query = sqlx::query(self.statements().bytes).bind(id.as_str()).bind(form);
            let row = query.fetch_optional(&self.pool).await?;
            row.map(|row| row.try_get("bytes")).transpose()
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
            let query = sqlx::query(self.statements().claim).bind(worker).bind(LEASE_MS);
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
                    greet(self.backend, &mut connection).await?;
                    connection
                }
            };
            let row = sqlx::query(self.statements().renew)
                .bind(claimed.id.as_str())
                .bind(claimed.epoch)
                .bind(LEASE_MS)
                .bind(progress.elapsed_ms as i64)
                .bind(progress.nodes as i64)
                .bind(progress.cases_done as i64)
                .bind(progress.cases as i64)
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
            let ended = sqlx::query(self.statements().finish)
                .bind(claimed.id.as_str())
                .bind(claimed.epoch)
                .bind(ending.state().number())
                .bind(keep.as_millis() as i64)
                .bind(failure)
                .bind(progress.elapsed_ms as i64)
                .bind(progress.nodes as i64)
                .bind(progress.cases_done as i64)
                .bind(progress.cases as i64)
                .execute(&mut *transaction)
                .await?;
            if ended.rows_affected() == 0 {
                return Ok(false);
            }
            for (name, bytes) in answers {
                sqlx::query(self.statements().insert_bytes)
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
            let query = sqlx::query(self.statements().put_back)
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
            let query = sqlx::query(self.statements().cancel)
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
            let query = sqlx::query(self.statements().recover)
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
            let expire = sqlx::query(self.statements().expire).bind(keep.as_millis() as i64);
            let expired = expire.execute(&self.pool).await?.rows_affected();
            let forgotten = sqlx::query(self.statements().forget).execute(&self.pool).await?;
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
            let row = sqlx::query(self.statements().waiting).fetch_one(&self.pool).await?;
            row.try_get("waiting")
        })
        .await
    }

    const fn statements(&self) -> &'static Statements {
        match self.backend {
            Backend::Sqlite => &statements::SQLITE,
            Backend::Postgres => &statements::POSTGRES,
        }
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

impl Backend {
    fn of(url: &str) -> Self {
        if url.starts_with("sqlite:") { Self::Sqlite } else { Self::Postgres }
    }

    const fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => sqlite::BEGIN,
            Self::Postgres => postgres::BEGIN,
        }
    }

    const fn migrations(self) -> &'static [&'static str] {
        match self {
            Self::Sqlite => sqlite::MIGRATIONS,
            Self::Postgres => postgres::MIGRATIONS,
        }
    }
}

/// Prepares a new connection.
async fn greet(backend: Backend, connection: &mut AnyConnection) -> sqlx::Result<()> {
    if backend == Backend::Sqlite {
        sqlx::raw_sql(sqlite::PRAGMAS).execute(connection).await?;
    }
    Ok(())
}

/// What two requests have to share to be the same.
fn digest(job: &NewJob) -> Vec<u8> {
    let mut digest = Sha256::new();
    for part in [job.puzzle.as_bytes(), job.ask.as_bytes(), &job.body] {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().to_vec()
}

fn state_of(row: &AnyRow) -> sqlx::Result<State> {
    let number: i64 = row.try_get("state")?;
    State::of_number(number)
        .ok_or_else(|| sqlx::Error::Decode(format!("there is no job state {number}").into()))
}

fn job_of(row: &AnyRow) -> sqlx::Result<Job> {
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
            cases_done: number("cases_done")?,
            cases: number("cases")?,
        },
        waited_ms: number("waited_ms")?,
        failure: row.try_get("failure")?,
    })
}
