//! Lianliankan against truth.

use std::collections::HashMap;

use boardsolve::budget::Budget;
use boardsolve::puzzle::{OptionValues, Outcome, OutcomeOf, Puzzle};
use boardsolve::puzzles::linkgame::Linkgame;
use boardsolve::puzzles::linkgame::board::{Board, Reason, Rules};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    name: String,
    board: Vec<String>,
    outside: bool,
    gravity: bool,
    max_turns: u8,
    answer: String,
    why: String,
}

/// Solves a board, checks what comes out by the rules alone, and says whether it is cleared.
fn decide(board: &Board) -> bool {
    let outcome: OutcomeOf<Linkgame> = Linkgame::solve(board, &mut Budget::unlimited());
    match outcome {
        Outcome::Solved(answer) => {
            if let Err(fault) = Linkgame::verify(board, &answer) {
                panic!("{fault}:\n{board}{:?}\n{answer:?}", board.rules());
            }
            true
        }
        Outcome::Unsolvable(reason) => {
            if let Err(fault) = Linkgame::verify_reason(board, &reason) {
                panic!("{fault}:\n{board}{:?}\n{reason:?}", board.rules());
            }
            false
        }
        Outcome::Unknown { stop, .. } => panic!("stopped by {stop:?} without a limit:\n{board}"),
    }
}

#[test]
fn every_named_case_has_its_known_answer() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../cases/linkgame.json")).unwrap();
    for case in cases {
        let rules =
            Rules { outside: case.outside, gravity: case.gravity, max_turns: case.max_turns };
        let board = Board::from_rows(&case.board, rules).unwrap();
        let expected = case.answer == "yes";
        assert_eq!(decide(&board), expected, "{} ({}):\n{board}", case.name, case.why);
    }
}
