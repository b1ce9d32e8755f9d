//! What the fuzz targets share: bytes in, and a check of what must hold of any bytes.
//!
//! A parser may refuse anything, but never panic; a board that it takes is solved
//! on a small budget, and whatever comes out passes its own verification
//! ([`Case::solve`](boardsolve::http::endpoint::Case::solve) refuses it otherwise).

use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::http::endpoint::{Case, Endpoint};
use boardsolve::http::wire::Stats;
use boardsolve::puzzle::OptionValues;
use boardsolve::puzzles;

const TIME: Duration = Duration::from_millis(20);
const MEMORY: usize = 64 << 20;

/// Reads the bytes as a JSON request of the puzzle, and solves it.
pub fn json(puzzle: &str, bytes: &[u8]) {
    if let Ok(case) = endpoint(puzzle).read_json(bytes) {
        solve(case.as_ref());
    }
}

/// Reads the bytes as a text body of the puzzle, and solves its first cases.
pub fn text(puzzle: &str, bytes: &[u8]) {
    let endpoint = endpoint(puzzle);
    let options = OptionValues::defaults(endpoint.options());
    if let Ok(cases) = endpoint.read_text(bytes, &options) {
        for case in cases.iter().take(4) {
            solve(case.board.as_ref());
        }
    }
}

fn endpoint(puzzle: &str) -> &'static dyn Endpoint {
    let found = puzzles::ALL.iter().find(|endpoint| endpoint.name() == puzzle);
    *found.expect("the puzzle is in the registry")
}

fn solve(case: &dyn Case) {
    let mut budget = Budget::new(Some(TIME), CancelFlag::new(), MEMORY);
    let finished = case.solve(&mut budget).expect("what a solver says passes its check");
    let stats = Stats { time_ms: 0.0, nodes: budget.nodes(), time_limit_ms: 20 };
    let mut answer = Vec::new();
    finished.write_json(stats, &mut answer).expect("an answer can be written");
    let text = finished.text();
    assert_eq!(text.is_none(), finished.stopped_by().is_some(), "text can't say unknown");
}
