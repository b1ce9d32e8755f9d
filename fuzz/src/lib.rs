//! What the fuzz targets share: bytes in, and a check of what must hold of any bytes.
//!
//! A parser may refuse anything, but never panic. A board that it takes is solved on a
//! small budget, and whatever comes out passes its own verification, can be written in
//! every form, and on a tiny board is what the puzzle's oracle says ([`agreement`]).

mod agreement;
#[path = "../../tests/oracles/mod.rs"]
mod oracles;
pub mod requests;

use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::http::request_body;
use boardsolve::http::wire::Stats;
use boardsolve::puzzle::{OptionValues, Outcome};

pub use crate::agreement::Agreement;

const TIME: Duration = Duration::from_millis(20);
const MEMORY: usize = 64 << 20;

/// Reads the bytes as a JSON request of the puzzle, and solves it.
pub fn json<P: Agreement>(bytes: &[u8]) {
    if let Ok(request) = request_body::json::<P::Request>(bytes)
        && let Ok(board) = P::board(request)
    {
        check::<P>(&board);
    }
}

/// Reads the bytes as a text body of the puzzle, and solves its first cases.
pub fn text<P: Agreement>(bytes: &[u8]) {
    let options = OptionValues::defaults(P::OPTIONS);
    if let Ok(text) = request_body::utf8(bytes)
        && let Ok(cases) = P::read_text(text, &options)
    {
        for case in cases.iter().take(4) {
            check::<P>(&case.board);
        }
    }
}

fn check<P: Agreement>(board: &P::Board) {
    let mut budget = Budget::new(Some(TIME), CancelFlag::new(), MEMORY);
    let outcome = P::solve(board, &mut budget);
    match &outcome {
        Outcome::Solved(answer) => {
            P::verify(board, answer).expect("an answer passes its check");
            P::agree(board, Ok(answer));
            let _ = P::write_text(board, Ok(answer));
            let _ = P::picture(board, Ok(answer));
        }
        Outcome::Unsolvable(reason) => {
            P::verify_reason(board, reason).expect("a reason passes its check");
            P::agree(board, Err(reason));
            let _ = P::write_text(board, Err(reason));
            let _ = P::picture(board, Err(reason));
        }
        Outcome::Unknown { .. } => {}
    }
    let stats = Stats { time_ms: 0.0, nodes: budget.nodes(), time_limit_ms: 20 };
    let response = P::response(board, &outcome, stats);
    serde_json::to_vec(&response).expect("an answer can be written");
}
