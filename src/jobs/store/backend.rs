//! What SQLite and PostgreSQL do differently, and how either gets its schema.

use std::str::FromStr;
use std::sync::Once;

use sqlx::any::{AnyConnectOptions, install_drivers};
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Executor, Row};

use crate::jobs::store::statements::{self, Statements};
use crate::jobs::store::words::StoreError;
use crate::jobs::store::{postgres, sqlite};

/// Which of the two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    /// The one that a URL names.
    pub(super) fn of(url: &str) -> Self {
        if url.starts_with("sqlite:") { Self::Sqlite } else { Self::Postgres }
    }

    /// How a transaction that will write begins.
    pub(super) const fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => sqlite::BEGIN,
            Self::Postgres => postgres::BEGIN,
        }
    }

    /// How the acceptance of a job begins that keeps so far below the queue's bound that others
    /// may be under way beside it: with which words, and how far. `None` where there is no such way.
    pub(super) const fn begin_far_from_bound(self) -> Option<(&'static str, i64)> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some((postgres::BEGIN_FAR_FROM_BOUND, postgres::MARGIN)),
        }
    }

    /// How the acceptance of a job begins beside which no other is under way.
    pub(super) const fn begin_near_bound(self) -> &'static str {
        match self {
            Self::Sqlite => sqlite::BEGIN,
            Self::Postgres => postgres::BEGIN_NEAR_BOUND,
        }
    }

    const fn migrations(self) -> &'static [&'static str] {
        match self {
            Self::Sqlite => sqlite::MIGRATIONS,
            Self::Postgres => postgres::MIGRATIONS,
        }
    }

    /// How to connect to it.
    pub(super) fn options(self, url: &str) -> sqlx::Result<AnyConnectOptions> {
        static DRIVERS: Once = Once::new();
        DRIVERS.call_once(|| {
            install_drivers(&[sqlx::sqlite::any::DRIVER, sqlx::postgres::any::DRIVER])
                .expect("the drivers are installed here alone");
        });
        let url = match self {
            Self::Postgres => url.to_owned(),
            // A file that is not there yet is made.
            Self::Sqlite if url.contains('?') => format!("{url}&mode=rwc"),
            Self::Sqlite => format!("{url}?mode=rwc"),
        };
        Ok(AnyConnectOptions::from_str(&url)?.disable_statement_logging())
    }

    /// What is said to it.
    pub(super) const fn statements(self) -> &'static Statements {
        match self {
            Self::Sqlite => &statements::SQLITE,
            Self::Postgres => &statements::POSTGRES,
        }
    }

    /// Brings the schema up to date.
    pub(super) async fn migrate(self, pool: &AnyPool) -> Result<(), StoreError> {
        let mut transaction = pool.begin_with(self.begin()).await?;
        if self == Self::Postgres {
            transaction.execute(postgres::SCHEMA_LOCK).await?;
        }
        let version_table =
            "CREATE TABLE IF NOT EXISTS boardsolve_schema (version BIGINT NOT NULL)";
        transaction.execute(version_table).await?;
        let current = "SELECT COALESCE(MAX(version), 0) AS version FROM boardsolve_schema";
        let current: i64 = transaction.fetch_one(current).await?.try_get("version")?;
        let steps = self.migrations();
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

    /// Prepares a new connection.
    pub(super) async fn greet(self, connection: &mut AnyConnection) -> sqlx::Result<()> {
        if self == Self::Sqlite {
            sqlx::raw_sql(sqlite::PRAGMAS).execute(connection).await?;
        }
        Ok(())
    }
}
