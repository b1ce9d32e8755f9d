//! The laws of tetris-sg: the solver against the definition of the game.

use boardsolve::budget::{Budget, CancelFlag, Stop};
use boardsolve::grid::Cell;
use boardsolve::http::wire::{Stats, Wire};
use boardsolve::puzzle::{OptionValues, Outcome, Puzzle};
use boardsolve::puzzles::tetris_sg::board::{Move, MovesAsked, Position, Questions};
use boardsolve::puzzles::tetris_sg::solve::shared;
use boardsolve::puzzles::tetris_sg::{Answer, Extra, TetrisSg, Winner};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::oracles::tetris_sg::Oracle;

const ALL: Questions = Questions { moves: MovesAsked::All, grundy: true };

/// The picture of a board whose free cells are those bits.
fn picture(oracle: &Oracle, free: u64) -> Vec<String> {
    let digit = |index: usize| if free >> index & 1 == 1 { '0' } else { '1' };
    let row = |row: usize| (0..oracle.cols).map(|col| digit(row * oracle.cols + col)).collect();
    (0..oracle.rows).map(row).collect()
}

fn solve(position: &Position) -> Answer {
    match TetrisSg::solve(position, &mut Budget::unlimited()) {
        Outcome::Solved(answer) => {
            TetrisSg::verify(position, &answer)
                .unwrap_or_else(|violation| panic!("{violation}\n{position}{answer:?}"));
            answer
        }
        outcome => panic!("{outcome:?}\n{position}"),
    }
}

fn winner(value: u32) -> Winner {
    if value == 0 { Winner::Second } else { Winner::First }
}

fn position(boards: &[Vec<String>], questions: Questions) -> Position {
    Position::from_rows(boards, questions).unwrap()
}

fn moves(board: usize, places: &[(usize, usize)]) -> Vec<Move> {
    let cell = |&(row, col): &(usize, usize)| Cell::new(row as i32, col as i32);
    places.iter().map(|place| Move { board, cell: cell(place) }).collect()
}

/// Compares every part of an answer with the oracle's.
fn check(oracle: &mut Oracle, free: u64) {
    let value = oracle.value(free);
    let right = if value == 0 { Vec::new() } else { oracle.winning_moves(free, 0) };
    let board = picture(oracle, free);
    let answer = solve(&position(std::slice::from_ref(&board), ALL));
    let expected = Answer {
        winner: winner(value),
        grundy: Some(value),
        winning_moves: Some(moves(0, &right)),
        undecided: Vec::new(),
    };
    assert_eq!(answer, expected, "{}", board.join("\n"));
}

#[test]
fn every_board_of_up_to_sixteen_cells_has_the_answer_of_the_definition() {
    for rows in 1..=16usize {
        for cols in 1..=16 / rows {
            let mut oracle = Oracle::new(rows, cols);
            for free in 0..1u64 << (rows * cols) {
                check(&mut oracle, free);
            }
        }
    }
}

#[test]
fn every_board_of_four_by_five_has_the_value_of_the_definition() {
    let mut oracle = Oracle::new(4, 5);
    let questions = Questions { moves: MovesAsked::None, grundy: true };
    for free in 0..1u64 << 20 {
        let answer = solve(&position(&[picture(&oracle, free)], questions));
        assert_eq!(
            answer.grundy,
            Some(oracle.value(free)),
            "{}",
            picture(&oracle, free).join("\n")
        );
    }
}

/// Plain recursion over masks, with an array in the place of a map.
fn value_of_five_by_five(free: u32, known: &mut [u8]) -> u8 {
    if known[free as usize] != u8::MAX {
        return known[free as usize];
    }
    let mut reached = 0u32;
    for corner in 0..19 {
        let square = 0b11_00011 << corner;
        if corner % 5 != 4 && free & square == square {
            reached |= 1 << value_of_five_by_five(free & !square, known);
        }
    }
    known[free as usize] = reached.trailing_ones() as u8;
    known[free as usize]
}

/// All 33 554 432 of them: `BOARDSOLVE_LAW_BOARDS=33554432 cargo test --release
/// --test laws five_by_five`.
#[test]
fn boards_of_five_by_five_spread_evenly_have_the_value_of_the_definition() {
    let boards: u64 = match std::env::var("BOARDSOLVE_LAW_BOARDS") {
        Ok(number) => number.parse().unwrap(),
        Err(_) => 50_000,
    };
    let mut known = vec![u8::MAX; 1 << 25];
    let oracle = Oracle::new(5, 5);
    let questions = Questions { moves: MovesAsked::None, grundy: true };
    for index in 0..boards.min(1 << 25) {
        let free = (index << 25) / boards.min(1 << 25);
        let answer = solve(&position(&[picture(&oracle, free)], questions));
        let value = value_of_five_by_five(free as u32, &mut known);
        assert_eq!(answer.grundy, Some(value.into()), "{}", picture(&oracle, free).join("\n"));
    }
}

/// The value by all options' values, of anchors on an 8×8 grid of bits: no
/// question of "is it k", no twins, no strategies; only the sum of parts and
/// one memory for a part wherever it lies and however it is turned.
struct FullMex {
    known: FxHashMap<u64, u8>,
}

impl FullMex {
    fn value(&mut self, anchors: u64) -> u8 {
        let mut rest = anchors;
        let mut value = 0;
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            while part != spread(part) & rest {
                part = spread(part) & rest;
            }
            rest &= !part;
            value ^= self.value_of_part(least_image(part));
        }
        value
    }

    fn value_of_part(&mut self, part: u64) -> u8 {
        if let Some(&value) = self.known.get(&part) {
            return value;
        }
        let mut reached = 0u64;
        let mut rest = part;
        while rest != 0 {
            let play = rest & rest.wrapping_neg();
            rest &= rest - 1;
            reached |= 1 << self.value(part & !spread(play));
        }
        let value = reached.trailing_ones() as u8;
        self.known.insert(part, value);
        value
    }
}

/// The anchors and all a king's step from one.
fn spread(anchors: u64) -> u64 {
    const NOT_FIRST: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_LAST: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let rows = anchors | (anchors & NOT_LAST) << 1 | (anchors & NOT_FIRST) >> 1;
    rows | rows << 8 | rows >> 8
}

fn least_image(part: u64) -> u64 {
    type Image = fn(u32, u32) -> (u32, u32);
    let places: Vec<(u32, u32)> =
        (0..64).filter(|bit| part >> bit & 1 == 1).map(|bit| (bit / 8, bit % 8)).collect();
    let images: [Image; 8] = [
        |row, col| (row, col),
        |row, col| (row, 7 - col),
        |row, col| (7 - row, col),
        |row, col| (7 - row, 7 - col),
        |row, col| (col, row),
        |row, col| (col, 7 - row),
        |row, col| (7 - col, row),
        |row, col| (7 - col, 7 - row),
    ];
    let settled = |image: Image| {
        let turned = || places.iter().map(|&(row, col)| image(row, col));
        let top = turned().map(|place| place.0).min().unwrap();
        let left = turned().map(|place| place.1).min().unwrap();
        turned().fold(0u64, |set, (row, col)| set | 1 << ((row - top) * 8 + (col - left)))
    };
    images.into_iter().map(settled).min().unwrap()
}

/// To 9×9, which takes a minute: `BOARDSOLVE_LAW_SIDE=9 cargo test --release
/// --test laws full_mex`.
#[test]
fn empty_boards_have_the_value_that_full_mex_gives() {
    let side: usize = match std::env::var("BOARDSOLVE_LAW_SIDE") {
        Ok(number) => number.parse::<usize>().unwrap().min(9),
        Err(_) => 6,
    };
    let mut mex = FullMex { known: FxHashMap::default() };
    for rows in 2..=side {
        for cols in 2..=rows {
            let row = (1u64 << (cols - 1)) - 1;
            let anchors = (0..rows - 1).fold(0, |anchors, line| anchors | row << (8 * line));
            let board = vec!["0".repeat(cols); rows];
            let questions = Questions { moves: MovesAsked::None, grundy: true };
            let answer = solve(&position(&[board], questions));
            assert_eq!(answer.grundy, Some(mex.value(anchors).into()), "{rows}×{cols}");
        }
    }
}

#[test]
fn strips_follow_dawsons_kayles() {
    // Two rows: a square takes two neighbouring columns, so a strip of n columns
    // splits in two with n − 2 together. Three rows: the upper and the lower
    // square of a column pair are the same move.
    let mut values: Vec<u32> = vec![0, 0];
    for cols in 2..=64usize {
        let reached: Vec<u32> =
            (0..=cols - 2).map(|left| values[left] ^ values[cols - 2 - left]).collect();
        values.push((0..).find(|value| !reached.contains(value)).unwrap());
        for rows in 2..=3 {
            let board = vec!["0".repeat(cols); rows];
            assert_eq!(solve(&position(&[board], ALL)).grundy, Some(values[cols]), "{rows}×{cols}");
        }
    }
}

#[test]
fn random_boards_have_the_answer_of_the_definition() {
    let mut random = fastrand::Rng::with_seed(1760);
    for _ in 0..3000 {
        let (rows, cols) = (random.usize(1..=7), random.usize(1..=7));
        let mut oracle = Oracle::new(rows, cols);
        let holes = random.u32(1..=4);
        let free = (0..rows * cols)
            .fold(0, |free, cell| free | u64::from(random.u32(0..10) >= holes) << cell);
        check(&mut oracle, free);
    }
}

#[test]
fn a_sum_has_the_exclusive_or_of_its_boards_values_and_every_move_that_evens_it() {
    let mut random = fastrand::Rng::with_seed(1809);
    for _ in 0..1000 {
        let mut oracles: Vec<_> = (0..random.usize(1..=5))
            .map(|_| Oracle::new(random.usize(1..=5), random.usize(1..=5)))
            .collect();
        let frees: Vec<u64> = oracles
            .iter()
            .map(|oracle| {
                (0..oracle.rows * oracle.cols)
                    .fold(0, |free, cell| free | u64::from(random.u32(0..10) > 1) << cell)
            })
            .collect();
        let values: Vec<u32> =
            oracles.iter_mut().zip(&frees).map(|(oracle, &free)| oracle.value(free)).collect();
        let total = values.iter().fold(0, |total, value| total ^ value);
        let mut right = Vec::new();
        if total != 0 {
            for (board, oracle) in oracles.iter_mut().enumerate() {
                right.extend(moves(
                    board,
                    &oracle.winning_moves(frees[board], total ^ values[board]),
                ));
            }
        }
        let boards: Vec<_> =
            oracles.iter().zip(&frees).map(|(oracle, &free)| picture(oracle, free)).collect();
        let answer = solve(&position(&boards, ALL));
        assert_eq!(answer.grundy, Some(total), "{boards:?}");
        assert_eq!(answer.winner, winner(total), "{boards:?}");
        assert_eq!(answer.winning_moves, Some(right.clone()), "{boards:?}");
        right.truncate(1);
        let one = Questions { moves: MovesAsked::One, grundy: false };
        let answer = solve(&position(&boards, one));
        let expected = Answer {
            winner: winner(total),
            grundy: None,
            winning_moves: Some(right),
            undecided: Vec::new(),
        };
        assert_eq!(answer, expected, "{boards:?}");
    }
}

#[test]
fn the_named_cases_have_their_known_answers() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../cases/tetris_sg.json")).unwrap();
    assert!(cases.len() > 30);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        if let Some(text) = case["text"].as_str() {
            let options = OptionValues::defaults(TetrisSg::OPTIONS);
            let answered: String = TetrisSg::read_text(text, &options)
                .unwrap()
                .iter()
                .map(|case| TetrisSg::write_text(&case.board, Ok(&solve(&case.board))))
                .collect();
            assert_eq!(answered, case["answer"].as_str().unwrap(), "{name}");
            continue;
        }
        let position = TetrisSg::board(serde_json::from_value(case["request"].clone()).unwrap());
        let position = position.unwrap();
        let outcome = Outcome::Solved(solve(&position));
        let stats = Stats { time_ms: 0.0, nodes: 0, time_limit_ms: 1 };
        let response = TetrisSg::response(&position, &outcome, stats);
        let response = serde_json::to_value(response).unwrap();
        for (field, expected) in case["answer"].as_object().unwrap() {
            assert_eq!(&response[field], expected, "{name}: {field}");
        }
    }
}

#[test]
fn all_eight_images_of_a_board_have_the_same_value_and_the_images_of_its_moves() {
    let mut random = fastrand::Rng::with_seed(8);
    for _ in 0..200 {
        let size = random.usize(4..=9);
        let board: Vec<Vec<char>> = (0..size)
            .map(|_| (0..size).map(|_| if random.u32(0..10) < 3 { '1' } else { '0' }).collect())
            .collect();
        let answer_of = |image: &dyn Fn(usize, usize) -> (usize, usize)| {
            let digit = |row, col| {
                let (row, col) = image(row, col);
                board[row][col]
            };
            let rows =
                (0..size).map(|row| (0..size).map(|col| digit(row, col)).collect()).collect();
            let answer = solve(&position(&[rows], ALL));
            // The places of the moves' four cells on the original, without order.
            let mut squares: Vec<Vec<(usize, usize)>> = answer
                .winning_moves
                .unwrap()
                .iter()
                .map(|play| {
                    let (row, col) = (play.cell.row as usize, play.cell.col as usize);
                    let cells = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
                    let mut square: Vec<_> =
                        cells.iter().map(|&(row, col)| image(row, col)).collect();
                    square.sort_unstable();
                    square
                })
                .collect();
            squares.sort_unstable();
            (answer.grundy, squares)
        };
        let last = size - 1;
        let expected = answer_of(&|row, col| (row, col));
        assert_eq!(answer_of(&|row, col| (row, last - col)), expected, "{board:?}");
        assert_eq!(answer_of(&|row, col| (last - row, col)), expected, "{board:?}");
        assert_eq!(answer_of(&|row, col| (last - row, last - col)), expected, "{board:?}");
        assert_eq!(answer_of(&|row, col| (col, row)), expected, "{board:?}");
        assert_eq!(answer_of(&|row, col| (col, last - row)), expected, "{board:?}");
        assert_eq!(answer_of(&|row, col| (last - col, row)), expected, "{board:?}");
        assert_eq!(answer_of(&|row, col| (last - col, last - row)), expected, "{board:?}");
    }
}

#[test]
fn two_equal_boards_are_a_win_of_the_second_player_however_large() {
    for (rows, cols) in [(9, 10), (20, 33), (64, 63)] {
        let board = vec!["0".repeat(cols); rows];
        let image = vec!["0".repeat(rows); cols];
        let answer = solve(&position(&[board, image], ALL));
        assert_eq!((answer.winner, answer.grundy), (Winner::Second, Some(0)));
        assert_eq!(answer.winning_moves, Some(Vec::new()));
    }
}

#[test]
fn memory_and_the_shared_table_change_no_answer() {
    let board = vec!["0".repeat(8); 7];
    let position = position(&[board], ALL);
    let expected = solve(&position);
    let bytes = shared::capacity();
    for capacity in [0, 1 << 16, bytes] {
        shared::set_capacity(capacity);
        assert_eq!(shared::capacity(), capacity);
        for memory in [1 << 14, 1 << 16, 1 << 20] {
            // Once to fill the shared table, and once to use it.
            for _ in 0..2 {
                let mut budget = Budget::new(None, CancelFlag::new(), memory);
                let outcome = TetrisSg::solve(&position, &mut budget);
                assert_eq!(outcome, Outcome::Solved(expected.clone()));
                assert_eq!(budget.memory_left(), memory, "all memory was given back");
            }
        }
        shared::clear();
    }
}

#[test]
fn a_text_body_with_a_fault_answers_nothing_and_options_are_read() {
    let mut options = OptionValues::defaults(TetrisSg::OPTIONS);
    options.set("moves", "all").unwrap();
    options.set("grundy", "true").unwrap();
    let cases = TetrisSg::read_text("2 2\n00\n00\n", &options).unwrap();
    assert_eq!(cases[0].board.questions(), ALL);
    let mut options = options.for_text_answer();
    let cases = TetrisSg::read_text("2 2\n00\n00\n", &options).unwrap();
    assert_eq!(cases[0].board.questions(), Questions::WINNER);
    assert!(TetrisSg::read_text("2 2\n00\n00\n2 2\n00\n0\n", &options).is_err());
    assert!(options.set("moves", "some").is_err());
}

#[test]
fn an_answer_that_is_not_so_is_refused() {
    let board = position(&[vec!["0000".to_owned(); 4]], ALL);
    let right = solve(&board);
    let refused = |change: &dyn Fn(&mut Answer)| {
        let mut answer = right.clone();
        change(&mut answer);
        TetrisSg::verify(&board, &answer).is_err()
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|answer| answer.winner = Winner::Second));
    assert!(refused(&|answer| answer.grundy = Some(2)));
    assert!(refused(&|answer| answer.grundy = None));
    assert!(refused(&|answer| answer.undecided = vec![Extra::Grundy]));
    assert!(refused(&|answer| answer.winning_moves = Some(Vec::new())));
    assert!(refused(&|answer| answer.winning_moves = Some(moves(0, &[(0, 0)]))));
    assert!(refused(&|answer| answer.winning_moves = Some(moves(0, &[(3, 3)]))));
    assert!(refused(&|answer| answer.winning_moves = Some(moves(0, &[(1, 1), (1, 1)]))));
    assert!(refused(&|answer| {
        *answer = Answer {
            winner: Winner::Second,
            grundy: Some(0),
            winning_moves: Some(Vec::new()),
            undecided: Vec::new(),
        };
    }));
}

#[test]
fn a_stopped_search_is_unknown_and_extras_that_were_cut_off_are_named() {
    let board = vec!["0".repeat(64); 63];
    let hard = position(&[board], ALL);
    let cancel = CancelFlag::new();
    cancel.cancel();
    let outcome = TetrisSg::solve(&hard, &mut Budget::new(None, cancel, usize::MAX));
    assert_eq!(outcome, Outcome::Unknown { stop: Stop::Cancelled, learnt: () });
    // Both sides even: the centre wins, and nothing else is known soon.
    let even = position(&[vec!["0".repeat(64); 64]], ALL);
    let time = std::time::Duration::from_millis(50);
    let outcome =
        TetrisSg::solve(&even, &mut Budget::new(Some(time), CancelFlag::new(), usize::MAX));
    let Outcome::Solved(answer) = outcome else { panic!("{outcome:?}") };
    assert_eq!(answer.winner, Winner::First);
    assert_eq!(answer.undecided, [Extra::Grundy, Extra::WinningMoves]);
    TetrisSg::verify(&even, &answer).unwrap();
}
