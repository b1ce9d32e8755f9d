//! The five puzzles, and the registry that lists them.

use crate::http::endpoint::Endpoint;

pub mod rook_circuit;

/// Every puzzle the service solves: one line each.
pub const ALL: &[&dyn Endpoint] = &[];
