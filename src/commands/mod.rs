//! The subcommands of the binary.

pub mod bulk;
pub mod healthcheck;
pub mod serve;
pub mod solve;
