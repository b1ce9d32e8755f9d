//! The subcommands of the binary.

pub mod bulk;
pub mod healthcheck;
mod jobs;
pub mod serve;
pub mod solve;
