//! The store in a SQLite file: for one process. Every commit is on the disk
//! before it is answered (`synchronous=FULL`), and readers do not wait for the
//! writer (`journal_mode=WAL`).

/// What each new connection is told.
pub(crate) const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                                  PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON;";

/// How a transaction that will write begins, so that it does not have to become one midway.
pub(crate) const BEGIN: &str = "BEGIN IMMEDIATE";

/// The schema, step by step. A step that was published is never changed: add another.
pub(crate) const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE boardsolve_jobs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner BLOB NOT NULL,
        idempotency_key TEXT,
        digest BLOB NOT NULL,
        puzzle TEXT NOT NULL,
        ask TEXT NOT NULL,
        request_id TEXT NOT NULL,
        counter INTEGER NOT NULL,
        state INTEGER NOT NULL DEFAULT 0,
        epoch INTEGER NOT NULL DEFAULT 0,
        deaths INTEGER NOT NULL DEFAULT 0,
        worker TEXT NOT NULL DEFAULT '',
        lease_until INTEGER NOT NULL DEFAULT 0,
        cancel_requested INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        queued_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL DEFAULT 0,
        waited_ms INTEGER NOT NULL DEFAULT 0,
        elapsed_ms INTEGER NOT NULL DEFAULT 0,
        nodes INTEGER NOT NULL DEFAULT 0,
        cases_done INTEGER NOT NULL DEFAULT 0,
        cases INTEGER NOT NULL DEFAULT 0,
        failure TEXT
    );
    CREATE INDEX boardsolve_jobs_queued ON boardsolve_jobs (seq) WHERE state = 0;
    CREATE INDEX boardsolve_jobs_running ON boardsolve_jobs (state) WHERE state = 1;
    CREATE INDEX boardsolve_jobs_ended ON boardsolve_jobs (expires_at) WHERE state > 1;
    CREATE UNIQUE INDEX boardsolve_jobs_keys ON boardsolve_jobs (owner, idempotency_key)
        WHERE idempotency_key IS NOT NULL;

    CREATE TABLE boardsolve_job_bytes (
        job TEXT NOT NULL REFERENCES boardsolve_jobs (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (job, name)
    ) WITHOUT ROWID;

    CREATE TABLE boardsolve_job_counters (
        counter INTEGER PRIMARY KEY,
        waiting INTEGER NOT NULL
    );
    WITH RECURSIVE numbers (number) AS
        (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < 15)
        INSERT INTO boardsolve_job_counters SELECT number, 0 FROM numbers;

    CREATE TRIGGER boardsolve_job_came AFTER INSERT ON boardsolve_jobs BEGIN
        UPDATE boardsolve_job_counters SET waiting = waiting + 1 WHERE counter = NEW.counter;
    END;
    CREATE TRIGGER boardsolve_job_came_back AFTER UPDATE OF state ON boardsolve_jobs
    WHEN NEW.state = 0 AND OLD.state <> 0 BEGIN
        UPDATE boardsolve_job_counters SET waiting = waiting + 1 WHERE counter = NEW.counter;
    END;
    CREATE TRIGGER boardsolve_job_left AFTER UPDATE OF state ON boardsolve_jobs
    WHEN OLD.state = 0 AND NEW.state <> 0 BEGIN
        UPDATE boardsolve_job_counters SET waiting = waiting - 1 WHERE counter = NEW.counter;
    END;
    CREATE TRIGGER boardsolve_job_ended AFTER UPDATE OF state ON boardsolve_jobs
    WHEN OLD.state <= 1 AND NEW.state > 1 BEGIN
        DELETE FROM boardsolve_job_bytes WHERE job = NEW.id AND name = 'request';
    END;
    CREATE TRIGGER boardsolve_job_gone AFTER UPDATE OF state ON boardsolve_jobs
    WHEN NEW.state = 5 BEGIN
        DELETE FROM boardsolve_job_bytes WHERE job = NEW.id;
    END;
",
    "ALTER TABLE boardsolve_jobs ADD COLUMN best INTEGER NOT NULL DEFAULT 0",
];
