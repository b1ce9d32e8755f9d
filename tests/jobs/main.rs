//! Jobs, tested against the running binary: on SQLite with one process, and on a
//! real PostgreSQL with several replicas that are killed, frozen and ended while
//! they work.
//!
//! [`asking`] is how the tests speak of jobs, [`files`] and [`cluster`] are their
//! stores. [`life`] and [`refusals`] are what a caller sees, [`restarts`] what one
//! process may go through, [`replicas`] and [`chaos`] what
//! several may, [`balancer`] what stands before them.

#[path = "../support/mod.rs"]
mod support;

mod asking;
mod balancer;
mod chaos;
mod cluster;
mod files;
mod life;
mod refusals;
mod replicas;
mod restarts;
