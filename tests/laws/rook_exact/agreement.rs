//! The sweep alone and the whole solver, which comes to it last, agree.

use super::boards::{balanced, board, planted, random, rooms};
use super::{count, find_circuit};
use boardsolve::budget::Budget;
use boardsolve::grid::{CellSet, Size};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::rook_circuit::RookCircuit;
use boardsolve::puzzles::rook_circuit::board::{Board, Questions};
use boardsolve::puzzles::rook_circuit::reason::Reason;

/// Boards of several kinds, up to nine rows and columns, and some up to twelve.
fn free_cells(seed: u64) -> CellSet {
    let rng = &mut fastrand::Rng::with_seed(seed);
    let end = if seed.is_multiple_of(17) { 13 } else { 10 };
    let size = Size::new(rng.usize(2..end), rng.usize(2..end));
    match seed % 6 {
        0 => random(rng, size, 90),
        1 => balanced(rng, size, 1),
        2 => balanced(rng, size, size.area() / 16),
        3 => balanced(rng, size, size.area() / 10),
        4 => rooms(rng, Size::new(2, 2), 4, 1),
        _ => {
            let blocks = Size::new(rng.usize(1..5), rng.usize(1..5));
            let most = 1 + blocks.area() * rng.usize(40..100) / 100;
            let mut free = planted(rng, blocks, most).0.free().clone();
            // A near miss: one cell of each colour less.
            if seed.is_multiple_of(4) {
                for white in [false, true] {
                    let cells: Vec<_> =
                        free.iter().filter(|cell| cell.is_white() == white).collect();
                    free.remove(cells[rng.usize(0..cells.len())]);
                }
            }
            free
        }
    }
}

/// The number of boards: the variable's, or what takes a few seconds.
fn number_of_boards() -> u64 {
    let given = std::env::var("BOARDSOLVE_LAW_BOARDS");
    given.ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

#[test]
fn the_sweep_and_the_solver_agree_on_boards_up_to_twelve_by_twelve() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for seed in 0..number_of_boards() {
        let Some(board) = board(free_cells(seed)) else { continue };
        let has_circuit = find_circuit(&board, &mut Budget::unlimited()).is_some();
        match RookCircuit::solve(&board, &mut Budget::unlimited()) {
            Outcome::Solved(answer) => {
                solvable += 1;
                assert!(has_circuit, "seed {seed}\n{board}");
                assert_eq!(RookCircuit::verify(&board, &answer), Ok(()), "seed {seed}\n{board}");
            }
            Outcome::Unsolvable(reason) => {
                unsolvable += 1;
                assert!(!has_circuit, "seed {seed}\n{board}");
                let check = RookCircuit::verify_reason(&board, &reason);
                assert_eq!(check, Ok(()), "seed {seed}, {reason:?}\n{board}");
            }
            Outcome::Unknown { stop, .. } => panic!("seed {seed}: {stop:?}\n{board}"),
        }
    }
    assert!(solvable > 500 && unsolvable > 500, "{solvable} solvable, {unsolvable} not");
}

#[test]
fn what_is_asked_beyond_a_tour_agrees_with_the_count() {
    for seed in 0..1500 {
        let free = free_cells(seed);
        for (asks_unique, asks_count) in [(true, false), (false, true), (true, true)] {
            let questions = Questions { unique: asks_unique, count: asks_count };
            let Ok(board) = Board::new(free.clone(), None, questions) else { continue };
            let Outcome::Solved(answer) = RookCircuit::solve(&board, &mut Budget::unlimited())
            else {
                continue;
            };
            let circuits = count(&board);
            assert_eq!(
                answer.unique,
                asks_unique.then_some(circuits == "1"),
                "seed {seed}\n{board}"
            );
            assert_eq!(answer.count, asks_count.then_some(circuits), "seed {seed}\n{board}");
        }
    }
}

#[test]
fn small_boards_without_a_circuit_are_hardly_ever_told_as_exhausted() {
    let (mut exhausted, mut told) = (0, 0);
    for seed in 0..3000 {
        let Some(board) = board(free_cells(seed)) else { continue };
        match RookCircuit::solve(&board, &mut Budget::unlimited()) {
            Outcome::Unsolvable(Reason::Exhausted) => exhausted += 1,
            Outcome::Unsolvable(_) => told += 1,
            _ => {}
        }
    }
    assert!(exhausted * 200 <= told, "{exhausted} exhausted, {told} told");
}
