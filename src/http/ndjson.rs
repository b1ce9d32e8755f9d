//! The lines of an NDJSON answer: each an answer or a problem, with the number of
//! the line that it belongs to.

use std::io::{self, Write as _};

use crate::http::endpoint::Finished;
use crate::http::problem::Problem;
use crate::http::wire::Stats;

/// A JSON answer as a line; its number comes first.
///
/// # Errors
/// When the answer can't be written as JSON.
pub fn answer(line: usize, finished: &dyn Finished, stats: Stats) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write!(bytes, "{{\"line\":{line}")?;
    let members = bytes.len();
    finished.write_json(stats, &mut bytes)?;
    // The answer is an object that has a `status` at least: its brace becomes a comma.
    bytes[members] = b',';
    bytes.push(b'\n');
    Ok(bytes)
}

/// A problem as a line.
pub fn problem(line: usize, problem: Problem, request_id: &str) -> Vec<u8> {
    problem.on_line(line).line(request_id)
}
