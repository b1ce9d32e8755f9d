//! Pictures: well-formed, complete by themselves, escaped, the same each time, and
//! drawn for every kind of answer.

mod form;
mod gallery;
mod linkgame;
mod mahjong_path;
mod mayan;
mod plots;
mod rook_circuit;
mod tetris_sg;

use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::puzzles;
use serde_json::Value;

/// Solves a request and draws its answer.
fn drawn(puzzle: &str, request: &Value) -> String {
    let endpoint = puzzles::ALL.iter().find(|endpoint| endpoint.name() == puzzle);
    let endpoint = endpoint.expect("the puzzle is registered");
    let case = endpoint.read_json(request.to_string().as_bytes()).expect("the request is legal");
    let limit = Some(Duration::from_secs(60));
    let mut budget = Budget::new(limit, CancelFlag::new(), 256 << 20);
    let finished = case.solve(&mut budget).expect("answers pass their check");
    finished.picture().unwrap_or_else(|| panic!("{puzzle} {request}: undecided"))
}
