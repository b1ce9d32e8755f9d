//! The laws of rook-circuit: the solver against a walk of all paths, against boards whose circuit
//! is known, and against the handed boards.

#[path = "rook_circuit/boards.rs"]
mod boards;

use std::collections::BTreeMap;
use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag, Stop};
use boardsolve::grid::{CellSet, Direction, Size};
use boardsolve::http::wire::{Stats, Wire};
use boardsolve::puzzle::{OptionValues, Outcome, Place, Puzzle};
use boardsolve::puzzles::rook_circuit::RookCircuit;
use boardsolve::puzzles::rook_circuit::answer::Answer;
use boardsolve::puzzles::rook_circuit::board::{Board, Questions};
use boardsolve::puzzles::rook_circuit::frontier::{Frontier, Swept};
use boardsolve::puzzles::rook_circuit::reason::Reason;
use serde_json::{Value, json};

use crate::oracles::rook_circuit::naive_count;

use self::boards::{balanced, images, near_miss, open_ended, plain, planted, riddled, strip};

const ASK_ALL: Questions = Questions { unique: true, count: true };

/// What the solver says, checked: the answer, or the reason why there is none.
fn solve(board: &Board) -> Result<Answer, Reason> {
    match RookCircuit::solve(board, &mut Budget::unlimited()) {
        Outcome::Solved(answer) => {
            if let Err(fault) = RookCircuit::verify(board, &answer) {
                panic!("{fault}:\n{board}");
            }
            Ok(answer)
        }
        Outcome::Unsolvable(reason) => {
            if let Err(fault) = RookCircuit::verify_reason(board, &reason) {
                panic!("{fault}: {reason:?}\n{board}");
            }
            Err(reason)
        }
        Outcome::Unknown { stop, .. } => panic!("{stop:?} without a limit:\n{board}"),
    }
}

fn has_circuit(free: &CellSet) -> bool {
    solve(&plain(free.clone())).is_ok()
}

fn rows(rows: &[&str]) -> Board {
    Board::from_rows(rows, None, Questions::default()).unwrap()
}

fn code(reason: &Reason) -> String {
    response(&rows(&["."]), &Outcome::Unsolvable(reason.clone()))["reason"]["code"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn response(board: &Board, outcome: &Outcome<Answer, Reason, ()>) -> Value {
    let stats = Stats { time_ms: 0.0, nodes: 0, time_limit_ms: 1 };
    serde_json::to_value(RookCircuit::response(board, outcome, stats)).unwrap()
}

fn request(body: Value) -> Result<Board, Place> {
    RookCircuit::board(serde_json::from_value(body).unwrap()).map_err(|fault| fault.place)
}

/// The number of boards of a comparison, from the environment.
fn boards_to_compare(default: usize) -> usize {
    let given = std::env::var("BOARDSOLVE_LAW_BOARDS").ok();
    given.map_or(default, |given| given.parse().expect("BOARDSOLVE_LAW_BOARDS is a number"))
}

#[test]
fn every_board_up_to_four_by_five_is_decided_as_by_walking_all_paths() {
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    let mut solved = 0;
    for (rows, cols) in [(1, 1), (1, 4), (2, 2), (2, 5), (3, 3), (5, 3), (4, 4), (4, 5)] {
        let size = Size::new(rows, cols);
        for bits in 1_u32..1 << size.area() {
            let cells = size.cells().enumerate().filter(|&(index, _)| bits >> index & 1 == 1);
            let free = CellSet::from_cells(size, cells.map(|(_, cell)| cell));
            let board = plain(free);
            match solve(&board) {
                Ok(_) => solved += 1,
                Err(reason) => {
                    *codes.entry(code(&reason)).or_default() += 1;
                    assert_eq!(naive_count(board.free(), 1), 0, "{reason:?}\n{board}");
                }
            }
        }
    }
    assert!(solved > 1000, "{solved}");
    let found: Vec<&str> = codes.keys().map(String::as_str).collect();
    let simple = ["cut_cell", "dead_end", "disconnected", "forced", "parity", "too_small"];
    assert_eq!(found, simple, "{codes:?}");
}

#[test]
fn random_boards_have_the_number_of_circuits_that_walking_all_paths_counts() {
    let mut random = fastrand::Rng::with_seed(6);
    let (mut with_circuits, mut with_one) = (0, 0);
    for number in 0..boards_to_compare(4000) {
        let size = Size::new(random.usize(4..7), random.usize(4..7));
        let free = match number % 3 {
            0 => balanced(&mut random, size, number % 25),
            1 => near_miss(&mut random, size, 10 + number % 25, 2),
            _ => planted(&mut random, size, 5 + number % 30),
        };
        let count = naive_count(&free, u64::MAX);
        let board = Board::new(free, None, ASK_ALL).unwrap();
        with_circuits += usize::from(count > 0);
        with_one += usize::from(count == 1);
        match solve(&board) {
            Ok(answer) => {
                assert_eq!(answer.count, Some(count.to_string()), "{number}:\n{board}");
                assert_eq!(answer.unique, Some(count == 1), "{number}:\n{board}");
            }
            Err(reason) => assert_eq!(count, 0, "{number}: {reason:?}\n{board}"),
        }
        // Without the count, uniqueness is found in another way.
        let unique = Questions { unique: true, count: false };
        let board = Board::new(board.free().clone(), None, unique).unwrap();
        if let Ok(answer) = solve(&board) {
            assert_eq!(answer.unique, Some(count == 1), "{number}:\n{board}");
        }
    }
    assert!(with_circuits > 1000 && with_one > 100, "{with_circuits} {with_one}");
}

#[test]
fn a_board_and_its_images_have_equal_verdicts() {
    let mut random = fastrand::Rng::with_seed(8);
    for number in 0..300 {
        let size = Size::new(random.usize(4..14), random.usize(4..14));
        let free = match number % 2 {
            0 => balanced(&mut random, size, number % 20),
            _ => near_miss(&mut random, size, 5 + number % 25, 1 + number % 3),
        };
        let verdict = has_circuit(&free);
        for image in images(&free) {
            assert_eq!(has_circuit(&image), verdict, "{number}:\n{}", plain(image));
        }
    }
}

#[test]
fn boards_up_to_nine_by_nine_are_decided_as_by_the_frontier_sweep() {
    let mut random = fastrand::Rng::with_seed(9);
    let mut solved = 0;
    let boards = boards_to_compare(3000);
    for number in 0..boards {
        let size = Size::new(random.usize(5..10), random.usize(5..10));
        let board = plain(open_ended(&mut random, size, 2 + number % 12));
        let budget = &mut Budget::unlimited();
        let frontier = Frontier::new(&board, budget).unwrap();
        let Swept::Finished(tour) = frontier.find_circuit(u64::MAX, budget).unwrap() else {
            panic!("too wide for a sweep:\n{board}");
        };
        solved += usize::from(tour.is_some());
        assert_eq!(solve(&board).is_ok(), tour.is_some(), "{number}:\n{board}");
    }
    assert!((boards / 10..boards * 9 / 10).contains(&solved), "{solved}");
}

#[test]
fn rooms_whose_gates_cannot_carry_their_colours_are_refuted_and_others_solved() {
    let (mut solved, mut counted) = (0, 0);
    for seed in 0..60 {
        let (across, side) = if seed % 2 == 0 { (3, 12) } else { (3, 18) };
        let is_off = seed % 4 < 2;
        let board = plain(strip(&mut fastrand::Rng::with_seed(seed), across, side, 3, is_off));
        match solve(&board) {
            Ok(_) => solved += 1,
            Err(Reason::Counted(_)) => counted += 1,
            Err(_) => {}
        }
    }
    assert!(solved > 10 && counted > 10, "{solved} {counted}");
}

#[test]
fn a_planted_circuit_is_found_whatever_the_size() {
    let mut random = fastrand::Rng::with_seed(100);
    for side in [10, 20, 50, 100, 200] {
        for percent in [0, 3, 10, 20, 30, 45] {
            for _ in 0..(400 / side).min(10) {
                let board = plain(planted(&mut random, Size::new(side, side), percent));
                assert!(solve(&board).is_ok(), "{percent} %:\n{board}");
            }
        }
    }
}

#[test]
fn boards_of_the_greatest_size_are_solved() {
    let size = Size::new(500, 500);
    assert!(has_circuit(&CellSet::from_cells(size, size.cells())));
    let mut random = fastrand::Rng::with_seed(500);
    assert!(has_circuit(&riddled(&mut random, size, 5000)));
    assert!(has_circuit(&planted(&mut random, size, 20)));
    let odd = Size::new(499, 499);
    assert!(!has_circuit(&CellSet::from_cells(odd, odd.cells())));
}

#[test]
fn the_handed_boards_are_decided_as_known() {
    let mut decided = 0;
    for case in include_str!("../cases/rook_circuit_boards.txt").split("\n\n") {
        let mut lines = case.lines();
        let Some((name, answer)) = lines.next().and_then(|line| line.split_once(' ')) else {
            continue;
        };
        let rows: Vec<&str> = lines.collect();
        let board = Board::from_rows(&rows, None, Questions::default()).unwrap();
        assert_eq!(solve(&board).is_ok(), answer == "solved", "{name}");
        decided += 1;
    }
    assert_eq!(decided, 164);
}

#[test]
fn small_boards_that_pass_the_simple_tests_but_have_no_circuit_are_refuted() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../cases/rook_circuit.json")).unwrap();
    assert_eq!(cases.len(), 220);
    for case in cases {
        let board = request(json!({ "board": case["board"] })).unwrap();
        assert_eq!(solve(&board).is_ok(), case["answer"] == "solved", "{}", case["name"]);
    }
}

#[test]
fn the_known_cases_of_the_contest_form_are_answered_as_known() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../cases/known.json")).unwrap();
    let cases = cases.iter().filter(|case| case["puzzle"] == "rook-circuit");
    let mut compared = 0;
    for case in cases {
        assert_eq!(answers(case["text"].as_str().unwrap()), case["answer"].as_str().unwrap());
        compared += 1;
    }
    assert_eq!(compared, 3);
}

fn options() -> OptionValues {
    OptionValues::defaults(RookCircuit::OPTIONS)
}

/// What is answered to a text body.
fn answers(text: &str) -> String {
    let cases = RookCircuit::read_text(text, &options()).unwrap();
    let answer = |board: &Board| RookCircuit::write_text(board, solve(board).as_ref());
    cases.iter().map(|case| answer(&case.board)).collect()
}

#[test]
fn the_contests_own_data_are_answered_forty_letters_a_line() {
    let text = include_str!("../cases/rook_circuit_contest.txt");
    let with_carriage_returns = format!("\u{feff}{}", text.replace('\n', "  \r\n"));
    assert_eq!(answers(&with_carriage_returns), answers(text));
    let boards = RookCircuit::read_text(text, &options()).unwrap();
    let verdicts = "yes no yes yes yes yes no no yes yes yes";
    let answers = answers(text);
    let mut paragraphs = answers.split_inclusive("\n\n");
    for (case, verdict) in boards.iter().zip(verdicts.split(' ')) {
        let paragraph = paragraphs.next().unwrap();
        if verdict == "no" {
            assert_eq!(paragraph, "NO SOLUTION\n\n");
            continue;
        }
        let lines: Vec<&str> = paragraph.trim_end().split('\n').collect();
        let letters: String = lines.concat();
        assert_eq!(letters.len(), case.board.free().len());
        assert!(lines[..lines.len() - 1].iter().all(|line| line.len() == 40));
        assert!((1..=40).contains(&lines[lines.len() - 1].len()));
        let moves = letters.chars().map(|letter| Direction::from_letter(letter).unwrap()).collect();
        let answer = Answer { moves, unique: None, count: None };
        RookCircuit::verify(&case.board, &answer).unwrap();
    }
    assert_eq!(paragraphs.next(), None);
    assert_eq!(boards.len(), 11);
}

#[test]
fn a_text_body_that_is_off_is_refused_at_its_line_and_column() {
    let cases = [
        ("4 4 1 0\n", true, 1, 8),
        ("4 4 1 0 x\n", true, 1, 9),
        ("4 4 1 0 0 7\n", true, 1, 11),
        ("\n4 501 0 0 0\n", false, 2, 3),
        ("0 4 0 0 0\n", false, 1, 1),
        ("4 4 17 0 0\n", false, 1, 5),
        ("4 4 -1 0 0\n", false, 1, 5),
        ("4 4 0 4 0\n", false, 1, 7),
        ("4 4 0 0 4\n", false, 1, 9),
        ("4 4 2 0 0\n1 1\n", true, 3, 1),
        ("4 4 1 0 0\n4 1\n", false, 2, 1),
        ("4 4 1 0 0\n1 -1\n", false, 2, 3),
        ("4 4 2 0 0\n1 1\n\n1 1\n", false, 4, 1),
        ("4 4 1 3 2\n3 2\n", false, 1, 7),
        ("4 4 0 0 0\n\n0 0 0 0 0\n4 4 0 0 0\n", true, 4, 1),
        ("2 2 4 0 0\n0 0\n0 1\n1 0\n1 1\n", false, 1, 5),
    ];
    for (text, malformed, line, column) in cases {
        let fault = RookCircuit::read_text(text, &options()).unwrap_err();
        assert_eq!(
            (fault.malformed, &fault.place),
            (malformed, &Place::Line { line, column }),
            "{text}"
        );
    }
    assert!(RookCircuit::read_text("\n0 0 0 0 0\n", &options()).unwrap().is_empty());
}

#[test]
fn a_request_that_is_no_legal_board_is_refused_at_its_place() {
    let cases = [
        (json!({ "board": [] }), "/board"),
        (json!({ "board": [""] }), "/board/0"),
        (json!({ "board": ["..", "..", "."] }), "/board/2"),
        (json!({ "board": ["..", ".x"] }), "/board/1"),
        (json!({ "board": ["##", "##"] }), "/board"),
        (json!({ "board": [".".repeat(501)] }), "/board"),
        (json!({ "board": ["..", ".."], "start": { "row": 0, "col": 2 } }), "/start"),
        (json!({ "board": ["..", ".."], "start": { "row": -1, "col": 0 } }), "/start"),
        (json!({ "board": [".#", ".."], "start": { "row": 0, "col": 1 } }), "/start"),
    ];
    for (body, pointer) in cases {
        assert_eq!(request(body.clone()), Err(Place::Pointer(pointer.to_owned())), "{body}");
    }
    for body in [
        json!({ "board": [".."], "start": null }),
        json!({ "board": [".."], "start": [0, 0] }),
        json!({ "board": [".."], "unique": null }),
        json!({ "board": [".."], "other": 1 }),
    ] {
        assert!(
            serde_json::from_value::<<RookCircuit as Wire>::Request>(body.clone()).is_err(),
            "{body}"
        );
    }
}

#[test]
fn each_reason_is_given_where_it_is_the_first_that_applies() {
    let cell = |row: i32, col: i32| json!({ "row": row, "col": col });
    let cases: [(&[&str], Value); 8] = [
        (&["#.", "##"], json!({ "code": "too_small" })),
        (&["...", ".#.", "..#"], json!({ "code": "parity", "white": 3, "black": 4 })),
        (&["....", "..#.", "...."], json!({ "code": "parity", "white": 6, "black": 5 })),
        (&["....", "..##"], json!({ "code": "dead_end", "cells": [cell(0, 3)] })),
        (&["..#..", "..#.."], json!({ "code": "disconnected", "cells": [cell(0, 0), cell(0, 3)] })),
        (&["..##", "....", "##.."], json!({ "code": "cut_cell", "cells": [cell(1, 2)] })),
        (&["......", "......"], json!(null)),
        (&["....", "....", "....", "...."], json!(null)),
    ];
    for (board, expected) in cases {
        let board = rows(board);
        let outcome = RookCircuit::solve(&board, &mut Budget::unlimited());
        let body = response(&board, &outcome);
        let Some(reason) = body.get("reason") else {
            assert_eq!(expected, json!(null), "{board}");
            continue;
        };
        let mut reason = reason.clone();
        let message = reason.as_object_mut().unwrap().remove("message").unwrap();
        assert!(message.as_str().unwrap().ends_with('.'), "{message}");
        assert_eq!(reason, expected, "{board}");
    }
}

#[test]
fn a_json_answer_says_what_was_asked_and_no_more() {
    let board =
        request(json!({ "board": ["....", "....", "....", "...."], "count": true })).unwrap();
    let body = response(&board, &RookCircuit::solve(&board, &mut Budget::unlimited()));
    assert_eq!((&body["status"], &body["count"]), (&json!("solved"), &json!("6")));
    assert_eq!((body.get("unique"), body.get("reason"), body.get("undecided")), (None, None, None));
    assert_eq!(body["moves"].as_str().unwrap().len(), 16);

    let board = request(
        json!({ "board": ["...", "..."], "unique": true, "start": { "row": 1, "col": 2 } }),
    );
    let board = board.unwrap();
    let body = response(&board, &RookCircuit::solve(&board, &mut Budget::unlimited()));
    assert_eq!((&body["unique"], body.get("count")), (&json!(true), None));
    assert!(["NWWSEE", "WWNEES"].contains(&body["moves"].as_str().unwrap()));

    let board =
        request(json!({ "board": ["...", "...", "..."], "count": true, "unique": true })).unwrap();
    let body = response(&board, &RookCircuit::solve(&board, &mut Budget::unlimited()));
    assert_eq!((&body["status"], &body["count"]), (&json!("unsolvable"), &json!("0")));
    assert_eq!(body.get("unique"), None);

    let undecided = Answer { moves: vec![], unique: None, count: None };
    let body = response(&board, &Outcome::Solved(undecided));
    assert_eq!(body["undecided"], json!(["unique", "count"]));
}

#[test]
fn limits_end_a_solve_and_what_was_found_stands() {
    let size = Size::new(200, 200);
    let board = plain(planted(&mut fastrand::Rng::with_seed(1), size, 20));
    let cancel = CancelFlag::new();
    cancel.cancel();
    let outcome = RookCircuit::solve(&board, &mut Budget::new(None, cancel, usize::MAX));
    assert_eq!(outcome, Outcome::Unknown { stop: Stop::Cancelled, learnt: () });
    let no_time = Some(Duration::ZERO);
    let outcome =
        RookCircuit::solve(&board, &mut Budget::new(no_time, CancelFlag::new(), usize::MAX));
    assert_eq!(outcome, Outcome::Unknown { stop: Stop::TimeLimit, learnt: () });
    let outcome = RookCircuit::solve(&board, &mut Budget::new(None, CancelFlag::new(), 100_000));
    assert_eq!(outcome, Outcome::Unknown { stop: Stop::MemoryLimit, learnt: () });
    // All memory is given back.
    let mut budget = Budget::new(None, CancelFlag::new(), 256 << 20);
    assert!(matches!(RookCircuit::solve(&board, &mut budget), Outcome::Solved(_)));
    assert_eq!(budget.memory_left(), 256 << 20);
}

#[test]
fn the_same_board_has_the_same_answer() {
    let mut random = fastrand::Rng::with_seed(2);
    for percent in [5, 20, 30] {
        let board = plain(near_miss(&mut random, Size::new(40, 40), percent, 2));
        assert_eq!(solve(&board), solve(&board), "{board}");
    }
}

#[test]
fn a_tour_that_breaks_a_rule_is_refused() {
    let board = rows(&["....", "...."]);
    let tour = solve(&board).unwrap();
    let fault = |change: &dyn Fn(&mut Answer)| {
        let mut changed = tour.clone();
        change(&mut changed);
        RookCircuit::verify(&board, &changed).unwrap_err().to_string()
    };
    assert!(fault(&|tour| tour.moves.truncate(7)).contains("not visited"));
    assert!(fault(&|tour| tour.moves.push(tour.moves[0])).contains("visits again"));
    assert!(fault(&|tour| tour.moves[0] = Direction::North).contains("leaves the board"));
    assert!(fault(&|tour| tour.count = Some("0".to_owned())).contains("count"));
    let both = |tour: &mut Answer| (tour.unique, tour.count) = (Some(true), Some("2".to_owned()));
    assert!(fault(&both).contains("unique"));
    // Two cells: there and back is no circuit.
    let pair = rows(&[".."]);
    let moves = vec![Direction::East, Direction::West];
    let answer = Answer { moves, unique: None, count: None };
    assert!(RookCircuit::verify(&pair, &answer).is_err());
}

#[test]
fn a_reason_that_does_not_hold_is_refused() {
    let mut random = fastrand::Rng::with_seed(3);
    let solvable = plain(planted(&mut random, Size::new(12, 12), 15));
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for number in 0..2000 {
        let size = Size::new(random.usize(4..13), random.usize(4..13));
        let board = plain(near_miss(&mut random, size, 5 + number % 25, 1 + number % 4));
        let Err(reason) = solve(&board) else { continue };
        // On a board with a circuit no reason but the unchecked one holds.
        if reason != Reason::Exhausted {
            assert!(RookCircuit::verify_reason(&solvable, &reason).is_err(), "{reason:?}");
        }
        if let Reason::Forced { cells, steps } = &reason {
            // It is the last step that leads to the contradiction.
            let steps = steps[..steps.len() - 1].to_vec();
            let tampered = Reason::Forced { cells: cells.clone(), steps };
            assert!(RookCircuit::verify_reason(&board, &tampered).is_err(), "{board}");
        }
        if let Reason::Crowded { cells } = &reason {
            let tampered = Reason::Crowded { cells: cells[..1].to_vec() };
            assert!(RookCircuit::verify_reason(&board, &tampered).is_err(), "{board}");
        }
        *seen.entry(code(&reason)).or_default() += 1;
    }
    for expected in ["crowded", "cut_cell", "forced", "cut_set"] {
        assert!(seen.contains_key(expected), "{expected}: {seen:?}");
    }
}
