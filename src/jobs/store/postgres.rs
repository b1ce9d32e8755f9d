//! The store in PostgreSQL: for any number of replicas. `LISTEN` and `NOTIFY`
//! carry the hints between them.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgListener;

use crate::jobs::hints::Hint;
use crate::jobs::{JobId, Jobs};

/// How a transaction begins.
pub(crate) const BEGIN: &str = "BEGIN";

/// How the acceptance of a job begins while the queue is far from its bound: beside others, but
/// not beside one that is near it. An acceptance sees the jobs of those that have committed alone,
/// so as many as are under way may come on top of what it counts.
pub(crate) const BEGIN_FAR_FROM_BOUND: &str =
    "BEGIN; SELECT pg_advisory_xact_lock_shared(7310580122)";

/// How it begins near the bound: alone. Those that were under way have committed by then, and the
/// next statement sees them.
pub(crate) const BEGIN_NEAR_BOUND: &str = "BEGIN; SELECT pg_advisory_xact_lock(7310580122)";

/// Where "near the bound" begins: more jobs below it than acceptances can be under way at once,
/// since each has a connection.
pub(crate) const MARGIN: i64 = 1000;

/// Replicas that start at once change the schema one after the other.
pub(crate) const SCHEMA_LOCK: &str = "SELECT 1 FROM (SELECT pg_advisory_xact_lock(7310580121)) x";

/// The channel of the hints: an empty text for the queue, a job's id for the job.
const CHANNEL: &str = "boardsolve_jobs";

/// How long to wait before another try to listen.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// The schema, step by step. A step that was published is never changed: add another.
///
/// `NOTIFY` takes a lock of the whole database while it commits, so it is used
/// sparingly: for a job that comes while hardly any waits, for a cancellation,
/// and for the end of a job that took longer than a look at it. Renewals touch
/// no indexed column, so they leave nothing in the indexes to clean up.
pub(crate) const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE boardsolve_jobs (
        id TEXT PRIMARY KEY,
        seq BIGINT GENERATED ALWAYS AS IDENTITY,
        owner BYTEA NOT NULL,
        idempotency_key TEXT,
        digest BYTEA NOT NULL,
        puzzle TEXT NOT NULL,
        ask TEXT NOT NULL,
        request_id TEXT NOT NULL,
        counter BIGINT NOT NULL,
        state BIGINT NOT NULL DEFAULT 0,
        epoch BIGINT NOT NULL DEFAULT 0,
        deaths BIGINT NOT NULL DEFAULT 0,
        worker TEXT NOT NULL DEFAULT '',
        lease_until BIGINT NOT NULL DEFAULT 0,
        cancel_requested BIGINT NOT NULL DEFAULT 0,
        created_at BIGINT NOT NULL,
        queued_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL DEFAULT 0,
        waited_ms BIGINT NOT NULL DEFAULT 0,
        elapsed_ms BIGINT NOT NULL DEFAULT 0,
        nodes BIGINT NOT NULL DEFAULT 0,
        cases_done BIGINT NOT NULL DEFAULT 0,
        cases BIGINT NOT NULL DEFAULT 0,
        failure TEXT
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
    CREATE INDEX boardsolve_jobs_queued ON boardsolve_jobs (seq) WHERE state = 0;
    CREATE INDEX boardsolve_jobs_running ON boardsolve_jobs (state) WHERE state = 1;
    CREATE INDEX boardsolve_jobs_ended ON boardsolve_jobs (expires_at) WHERE state > 1;
    CREATE UNIQUE INDEX boardsolve_jobs_keys ON boardsolve_jobs (owner, idempotency_key)
        WHERE idempotency_key IS NOT NULL;

    CREATE TABLE boardsolve_job_bytes (
        job TEXT NOT NULL REFERENCES boardsolve_jobs (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        bytes BYTEA NOT NULL,
        PRIMARY KEY (job, name)
    );

    CREATE TABLE boardsolve_job_counters (
        counter BIGINT PRIMARY KEY,
        waiting BIGINT NOT NULL
    ) WITH (fillfactor = 10);
    INSERT INTO boardsolve_job_counters SELECT number, 0 FROM generate_series(0, 15) AS number;

    CREATE FUNCTION boardsolve_job_came() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        now_waiting BIGINT;
    BEGIN
        UPDATE boardsolve_job_counters SET waiting = waiting + 1 WHERE counter = NEW.counter
            RETURNING waiting INTO now_waiting;
        IF now_waiting <= 2 THEN
            PERFORM pg_notify('boardsolve_jobs', '');
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER boardsolve_job_came AFTER INSERT ON boardsolve_jobs
        FOR EACH ROW EXECUTE FUNCTION boardsolve_job_came();
    CREATE TRIGGER boardsolve_job_came_back AFTER UPDATE OF state ON boardsolve_jobs
        FOR EACH ROW WHEN (NEW.state = 0 AND OLD.state <> 0)
        EXECUTE FUNCTION boardsolve_job_came();

    CREATE FUNCTION boardsolve_job_left() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE boardsolve_job_counters SET waiting = waiting - 1 WHERE counter = NEW.counter;
        RETURN NULL;
    END $$;
    CREATE TRIGGER boardsolve_job_left AFTER UPDATE OF state ON boardsolve_jobs
        FOR EACH ROW WHEN (OLD.state = 0 AND NEW.state <> 0)
        EXECUTE FUNCTION boardsolve_job_left();

    CREATE FUNCTION boardsolve_job_ended() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM boardsolve_job_bytes
            WHERE job = NEW.id AND (NEW.state = 5 OR name = 'request');
        IF NEW.state < 5 AND NEW.elapsed_ms > 1000 THEN
            PERFORM pg_notify('boardsolve_jobs', NEW.id);
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER boardsolve_job_ended AFTER UPDATE OF state ON boardsolve_jobs
        FOR EACH ROW WHEN (NEW.state > 1)
        EXECUTE FUNCTION boardsolve_job_ended();

    CREATE FUNCTION boardsolve_job_cancelled() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_notify('boardsolve_jobs', NEW.id);
        RETURN NULL;
    END $$;
    CREATE TRIGGER boardsolve_job_cancelled AFTER UPDATE OF cancel_requested ON boardsolve_jobs
        FOR EACH ROW WHEN (NEW.cancel_requested = 1)
        EXECUTE FUNCTION boardsolve_job_cancelled();
",
    "ALTER TABLE boardsolve_jobs ADD COLUMN best BIGINT NOT NULL DEFAULT 0",
];

/// Passes on the hints of other replicas until the drain.
pub async fn listen(jobs: Arc<Jobs>, url: String) {
    let listening = async {
        loop {
            if let Err(error) = pass_on(&jobs, &url).await {
                tracing::debug!(%error, "hints from the job store are not heard just now");
            }
            tokio::time::sleep(LISTEN_AGAIN).await;
        }
    };
    tokio::select! {
        () = listening => {}
        () = jobs.draining.cancelled() => {}
    }
}

async fn pass_on(jobs: &Jobs, url: &str) -> sqlx::Result<()> {
    let mut listener = PgListener::connect(url).await?;
    listener.listen(CHANNEL).await?;
    loop {
        let notification = listener.recv().await?;
        let hint = JobId::read(notification.payload()).map_or(Hint::Queue, Hint::Job);
        jobs.hints.give(hint);
    }
}
