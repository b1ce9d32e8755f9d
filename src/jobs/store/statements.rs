//! Every word that is said to the store, once for both back ends. They differ in
//! the name of "now" and in the clause by which PostgreSQL's claims pass over
//! rows that another claim has locked; SQLite has one writer at a time.
//!
//! Times are milliseconds since 1970 by the *store's* clock, so that replicas
//! need not agree on the time. States are numbers: 0 queued, 1 running, 2 done,
//! 3 failed, 4 cancelled, 5 gone. The counters of waiting jobs are kept by
//! triggers of the schema, whatever statement changes a state.

/// The statements of one back end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statements {
    /// Adds a job unless so many wait that the bound is reached, or its id or key is taken.
    pub(crate) insert_job: &'static str,
    /// Adds the bytes of a job under a name.
    pub(crate) insert_bytes: &'static str,
    /// The bytes of a job under a name.
    pub(crate) bytes: &'static str,
    /// How many bytes a job has under a name.
    pub(crate) size: &'static str,
    /// A job by its id.
    pub(crate) by_id: &'static str,
    /// A job, and the digest of its request, by owner and idempotency key.
    pub(crate) by_key: &'static str,
    /// Takes the oldest job that waits.
    pub(crate) claim: &'static str,
    /// Prolongs a lease, and tells progress.
    pub(crate) renew: &'static str,
    /// Ends a job.
    pub(crate) finish: &'static str,
    /// Gives a job back to the queue.
    pub(crate) put_back: &'static str,
    /// Asks for a job to be cancelled; one that waits is at once.
    pub(crate) cancel: &'static str,
    /// Takes one job from a dead worker.
    pub(crate) recover: &'static str,
    /// Forgets results that were kept for long enough.
    pub(crate) expire: &'static str,
    /// Forgets jobs whose results were forgotten long ago.
    pub(crate) forget: &'static str,
    /// How many jobs wait.
    pub(crate) waiting: &'static str,
}

/// What a row of [`Statements::by_id`] and [`Statements::by_key`] has.
macro_rules! columns {
    ($now:literal) => {
        concat!(
            "id, owner, digest, puzzle, ask, request_id, state, cancel_requested, elapsed_ms, nodes, \
             best, cases_done, cases, failure, \
             CASE WHEN state = 0 THEN ",
            $now,
            " - queued_at ELSE waited_ms END AS waited_ms"
        )
    };
}

macro_rules! statements {
    (now: $now:literal, lock: $lock:literal) => {
        Statements {
            insert_job: concat!(
                "INSERT INTO boardsolve_jobs (id, owner, idempotency_key, digest, puzzle, ask, \
                 request_id, counter, created_at, queued_at) \
                 SELECT $1, $2, $3, $4, $5, $6, $7, $8, ",
                $now,
                ", ",
                $now,
                " WHERE (SELECT COALESCE(SUM(waiting), 0) FROM boardsolve_job_counters) < $9 \
                 ON CONFLICT DO NOTHING"
            ),
            insert_bytes: "INSERT INTO boardsolve_job_bytes (job, name, bytes) \
                           VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            bytes: "SELECT bytes FROM boardsolve_job_bytes WHERE job = $1 AND name = $2",
            size: "SELECT CAST(LENGTH(bytes) AS BIGINT) AS size FROM boardsolve_job_bytes \
                   WHERE job = $1 AND name = $2",
            by_id: concat!("SELECT ", columns!($now), " FROM boardsolve_jobs WHERE id = $1"),
            by_key: concat!(
                "SELECT ",
                columns!($now),
                " FROM boardsolve_jobs WHERE owner = $1 AND idempotency_key = $2"
            ),
            claim: concat!(
                "UPDATE boardsolve_jobs SET state = 1, epoch = epoch + 1, worker = $1, \
                 lease_until = ",
                $now,
                " + $2, waited_ms = ",
                $now,
                " - queued_at, elapsed_ms = 0, nodes = 0, best = 0, cases_done = 0, \
                 cases = 0 \
                 WHERE id = (SELECT id FROM boardsolve_jobs WHERE state = 0 ORDER BY seq LIMIT 1",
                $lock,
                ") RETURNING id, epoch, puzzle, ask, request_id, waited_ms"
            ),
            renew: concat!(
                "UPDATE boardsolve_jobs SET lease_until = ",
                $now,
                " + $3, elapsed_ms = $4, nodes = $5, cases_done = $6, cases = $7, best = $8 \
                 WHERE id = $1 AND epoch = $2 AND state = 1 RETURNING cancel_requested"
            ),
            finish: concat!(
                "UPDATE boardsolve_jobs SET state = $3, expires_at = ",
                $now,
                " + $4, failure = $5, elapsed_ms = $6, nodes = $7, cases_done = $8, cases = $9, \
                 best = $10 \
                 WHERE id = $1 AND epoch = $2 AND state = 1"
            ),
            put_back: concat!(
                "UPDATE boardsolve_jobs SET state = CASE cancel_requested WHEN 1 THEN 4 ELSE 0 END, \
                 expires_at = ",
                $now,
                " + $3, queued_at = ",
                $now,
                " WHERE id = $1 AND epoch = $2 AND state = 1"
            ),
            cancel: concat!(
                "UPDATE boardsolve_jobs SET cancel_requested = 1, \
                 state = CASE state WHEN 0 THEN 4 ELSE state END, expires_at = ",
                $now,
                " + $2 WHERE id = $1 AND state <= 1"
            ),
            recover: concat!(
                "UPDATE boardsolve_jobs SET deaths = deaths + 1, \
                 state = CASE WHEN cancel_requested = 1 THEN 4 WHEN deaths + 1 >= $1 THEN 3 ELSE 0 END, \
                 failure = CASE WHEN cancel_requested = 0 AND deaths + 1 >= $1 THEN $2 END, \
                 expires_at = ",
                $now,
                " + $3, queued_at = ",
                $now,
                // A lease that ends later than any can was given by a clock that was set back since.
                " WHERE id = (SELECT id FROM boardsolve_jobs WHERE state = 1 AND (lease_until <= ",
                $now,
                " OR lease_until > ",
                $now,
                " + $4) LIMIT 1",
                $lock,
                ") RETURNING id, state"
            ),
            expire: concat!(
                "UPDATE boardsolve_jobs SET state = 5, idempotency_key = NULL, failure = NULL, \
                 expires_at = ",
                $now,
                // Another sweep that was faster changes nothing twice. The partial indexes are
                // used where their condition is repeated word by word.
                " + $1 WHERE state < 5 AND id IN (SELECT id FROM boardsolve_jobs \
                 WHERE state > 1 AND state < 5 AND expires_at <= ",
                $now,
                " LIMIT 500)"
            ),
            forget: concat!(
                "DELETE FROM boardsolve_jobs WHERE id IN (SELECT id FROM boardsolve_jobs \
                 WHERE state > 1 AND state = 5 AND expires_at <= ",
                $now,
                " LIMIT 500)"
            ),
            waiting: "SELECT CAST(COALESCE(SUM(waiting), 0) AS BIGINT) AS waiting \
                      FROM boardsolve_job_counters",
        }
    };
}

/// SQLite's.
pub(crate) const SQLITE: Statements =
    statements!(now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)", lock: "");

/// PostgreSQL's. `clock_timestamp` goes on within a transaction, as leases do.
pub(crate) const POSTGRES: Statements = statements!(
    now: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
    lock: " FOR UPDATE SKIP LOCKED"
);
