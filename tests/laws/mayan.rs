//! The laws of mayan: the solver against the statement, played out naively.

use std::cmp::Ordering;

use boardsolve::budget::{Budget, CancelFlag, Stop};
use boardsolve::http::wire::{Stats, Status, Wire};
use boardsolve::puzzle::{OptionValues, Outcome, Puzzle};
use boardsolve::puzzles::mayan::Mayan;
use boardsolve::puzzles::mayan::answer::{Answer, Reason};
use boardsolve::puzzles::mayan::board::{Board, BoardError, Drag, Goal, Move, Rules};
use serde::Deserialize;

use crate::oracles::mayan::{self as oracle, Columns, Plain};

const ALL_RULES: [Rules; 4] = [
    Rules { goal: Goal::Exact, same_colour_swaps: false },
    Rules { goal: Goal::Exact, same_colour_swaps: true },
    Rules { goal: Goal::Fewest, same_colour_swaps: false },
    Rules { goal: Goal::Fewest, same_colour_swaps: true },
];

/// The solver's moves, after its answer or reason was checked by the rules alone.
fn solve(board: &Board) -> Option<Vec<Plain>> {
    match Mayan::solve(board, &mut Budget::unlimited()) {
        Outcome::Solved(answer) => {
            if let Err(fault) = Mayan::verify(board, &answer) {
                panic!("{fault}\n{board}{:?}\n{answer:?}", board.rules());
            }
            Some(answer.moves.iter().map(plain).collect())
        }
        Outcome::Unsolvable(reason) => {
            if let Err(fault) = Mayan::verify_reason(board, &reason) {
                panic!("{fault}\n{board}{:?}\n{reason:?}", board.rules());
            }
            None
        }
        Outcome::Unknown { stop, .. } => panic!("stopped by {stop:?} without a limit:\n{board}"),
    }
}

fn plain(played: &Move) -> Plain {
    (played.x, played.y, played.drag.sign())
}

fn board(steps: u8, columns: &Columns, rules: Rules) -> Board {
    Board::new(steps.into(), columns, rules).unwrap()
}

fn is_still(columns: &Columns) -> bool {
    !oracle::vanish(&mut columns.clone())
}

/// Compares solver and oracle; whether there is a solution.
fn agrees(columns: &Columns, steps: u8, rules: Rules, origin: &str) -> bool {
    let board = board(steps, columns, rules);
    let (ours, expected) = (solve(&board), oracle::answer(columns, steps, rules));
    assert_eq!(ours, expected, "{origin}, {rules:?}:\n{board}");
    ours.is_some()
}

/// All columns of at most `height` blocks of `colours` colours.
fn all_columns(height: usize, colours: i64) -> Vec<Vec<i64>> {
    let mut columns = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..height {
        let upto = columns.len();
        for index in from..upto {
            for colour in 1..=colours {
                let mut column = columns[index].clone();
                column.push(colour);
                columns.push(column);
            }
        }
        from = upto;
    }
    columns
}

/// A board of random columns with at most `most` blocks on which nothing vanishes.
fn random_columns(random: &mut fastrand::Rng, most: usize, colours: i64) -> Columns {
    loop {
        let mut columns = vec![Vec::new(); 5];
        // A narrow board brings blocks together more often.
        let first = random.usize(0..3);
        let last = random.usize(first + 2..5);
        for _ in 0..random.usize(3..=most) {
            let column = &mut columns[random.usize(first..=last)];
            if column.len() < 7 {
                column.push(random.i64(1..=colours));
            }
        }
        if is_still(&columns) {
            return columns;
        }
    }
}

/// A board that `steps` random moves were built backwards into: each step puts
/// three blocks of a colour into the board as a line, and then drags a block out of it.
fn planted(random: &mut fastrand::Rng, steps: u8, colours: i64) -> (Columns, Vec<Plain>) {
    let mut columns: Columns = vec![Vec::new(); 5];
    let mut moves = Vec::new();
    let mut tries = 0;
    while moves.len() < usize::from(steps) {
        tries += 1;
        if tries > 10_000 {
            (columns, moves, tries) = (vec![Vec::new(); 5], Vec::new(), 0);
        }
        let mut before = columns.clone();
        let colour = random.i64(1..=colours);
        let x = random.usize(0..5);
        let y = random.usize(0..=before[x].len());
        if random.bool() {
            (0..3).for_each(|_| before[x].insert(y, colour));
        } else {
            if x > 2 || (x..x + 3).any(|x| before[x].len() < y) {
                continue;
            }
            (x..x + 3).for_each(|x| before[x].insert(y, colour));
        }
        if before.iter().any(|column| column.len() > 7) {
            continue;
        }
        // Drag some block anywhere; the way back must lead to the board as it was.
        let (from, to) = {
            let from = random.usize(0..5);
            (from, if random.bool() { from + 1 } else { from.wrapping_sub(1) })
        };
        if to > 4 || before[from].is_empty() {
            continue;
        }
        let y = random.usize(0..before[from].len());
        if y < before[to].len() {
            let moved = std::mem::replace(&mut before[from][y], 0);
            before[from][y] = std::mem::replace(&mut before[to][y], moved);
        } else {
            let moved = before[from].remove(y);
            let place = random.usize(0..=before[to].len());
            before[to].insert(place, moved);
        }
        if before.iter().any(|column| column.len() > 7) || !is_still(&before) {
            continue;
        }
        let back = if to > from { -1 } else { 1 };
        let Some(played) = (0..before[to].len())
            .map(|y| (to, y, back))
            .find(|&played| oracle::play(&before, played, false).as_ref() == Some(&columns))
        else {
            continue;
        };
        moves.insert(0, played);
        columns = before;
    }
    (columns, moves)
}

#[derive(Deserialize)]
struct Cases {
    boards: Vec<BoardCase>,
    texts: Vec<TextCase>,
}

#[derive(Deserialize)]
struct BoardCase {
    name: String,
    steps: i64,
    columns: Columns,
    goal: String,
    same_colour_swaps: bool,
    moves: Option<Vec<Plain>>,
    known_by: String,
}

#[derive(Deserialize)]
struct TextCase {
    name: String,
    text: String,
    answer: String,
    known_by: String,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("../cases/mayan.json")).unwrap()
}

#[test]
fn every_named_board_has_its_known_answer() {
    for case in cases().boards {
        let goal = if case.goal == "fewest" { Goal::Fewest } else { Goal::Exact };
        let rules = Rules { goal, same_colour_swaps: case.same_colour_swaps };
        let board = Board::new(case.steps, &case.columns, rules).unwrap();
        assert_eq!(
            solve(&board),
            case.moves,
            "{}, known by {}:\n{board}",
            case.name,
            case.known_by
        );
    }
}

#[test]
fn every_text_has_its_known_answer_alone_and_after_others() {
    let texts = cases().texts;
    let answers = |text: &str| {
        let cases = Mayan::read_text(text, &OptionValues::defaults(Mayan::OPTIONS)).unwrap();
        let answer = |board: &Board| match Mayan::solve(board, &mut Budget::unlimited()) {
            Outcome::Solved(answer) => Mayan::write_text(board, Ok(&answer)),
            Outcome::Unsolvable(reason) => Mayan::write_text(board, Err(&reason)),
            Outcome::Unknown { stop, .. } => panic!("stopped by {stop:?}"),
        };
        cases.iter().map(|case| answer(&case.board)).collect::<String>()
    };
    for case in &texts {
        // The official answers end in a blank line.
        let expected = format!("{}\n", case.answer.trim_end());
        assert_eq!(answers(&case.text), expected, "{}, known by {}", case.name, case.known_by);
    }
    let text: String = texts.iter().map(|case| format!("{}\n", case.text)).collect();
    let expected: String =
        texts.iter().map(|case| format!("{}\n", case.answer.trim_end())).collect();
    assert_eq!(answers(&text), expected);
}

#[test]
fn the_options_beside_a_text_are_those_of_the_request() {
    let text = "2\n0\n0\n0\n1 1 0\n1 0\n";
    let read = |given: &[(&str, &str)]| {
        let mut options = OptionValues::defaults(Mayan::OPTIONS);
        given.iter().for_each(|(name, value)| options.set(name, value).unwrap());
        Mayan::read_text(text, &options).unwrap().remove(0).board.rules()
    };
    assert_eq!(read(&[]), Rules::default());
    assert_eq!(
        read(&[("goal", "fewest"), ("same_colour_swaps", "true")]),
        Rules { goal: Goal::Fewest, same_colour_swaps: true }
    );
}

#[test]
fn every_board_of_five_blocks_and_two_colours_is_answered_as_by_exhaustive_search() {
    let columns = all_columns(5, 2);
    let mut solved = 0;
    let mut board = vec![Vec::new(); 5];
    for_every_board(&columns, &mut board, 0, 5, &mut |board| {
        for rules in ALL_RULES {
            solved += usize::from(agrees(board, 3, rules, "all boards"));
        }
    });
    assert!(solved > 100, "only {solved} boards have a solution");
}

#[test]
fn every_board_of_one_colour_in_two_columns_is_answered_as_by_exhaustive_search() {
    let columns = all_columns(7, 1);
    for left in 0..4 {
        for first in &columns {
            for second in &columns {
                let mut board = vec![Vec::new(); 5];
                board[left].clone_from(first);
                board[left + 1].clone_from(second);
                if !is_still(&board) {
                    continue;
                }
                for rules in ALL_RULES {
                    agrees(&board, 4, rules, "one colour");
                }
            }
        }
    }
}

/// Calls `check` with every still board whose first `x` columns are those of
/// `board`, whose others are from `columns`, and that has at most `blocks` more blocks.
fn for_every_board(
    columns: &[Vec<i64>],
    board: &mut Columns,
    x: usize,
    blocks: usize,
    check: &mut impl FnMut(&Columns),
) {
    if x == 5 {
        if is_still(board) {
            check(board);
        }
        return;
    }
    for column in columns.iter().filter(|column| column.len() <= blocks) {
        board[x].clone_from(column);
        for_every_board(columns, board, x + 1, blocks - column.len(), check);
    }
    board[x].clear();
}

/// Random boards, as many as `BOARDSOLVE_LAW_BOARDS` says.
#[test]
fn random_boards_are_answered_as_by_exhaustive_search() {
    let boards = std::env::var("BOARDSOLVE_LAW_BOARDS")
        .map_or(20_000, |text| text.parse().expect("BOARDSOLVE_LAW_BOARDS is a number"));
    let mut solved = 0;
    for seed in 0..boards {
        let mut random = fastrand::Rng::with_seed(seed);
        let colours = random.i64(1..=3);
        let columns = random_columns(&mut random, 9, colours);
        let blocks: usize = columns.iter().map(Vec::len).sum();
        let steps = random.u8(1..=if blocks <= 5 { 4 } else { 3 });
        let rules = ALL_RULES[seed as usize % 4];
        solved += u64::from(agrees(&columns, steps, rules, &format!("seed {seed}")));
    }
    assert!(solved > boards / 20, "only {solved} of {boards} boards have a solution");
}

#[test]
fn full_random_boards_are_answered_as_by_exhaustive_search() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let columns = random_columns(&mut random, 35, 2);
        for rules in ALL_RULES {
            agrees(&columns, 2, rules, &format!("seed {seed}"));
        }
    }
}

#[test]
fn planted_boards_are_answered_as_by_exhaustive_search() {
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let steps = random.u8(1..=3);
        let colours = random.i64(2..=4);
        let (columns, _) = planted(&mut random, steps, colours);
        for rules in ALL_RULES {
            assert!(agrees(&columns, steps, rules, &format!("seed {seed}")));
        }
    }
}

#[test]
fn large_planted_boards_are_solved_by_a_sequence_no_greater_than_the_planted_one() {
    for seed in 0..40 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (steps, colours) = (random.u8(4..=6), random.i64(3..=10));
        let (columns, moves) = planted(&mut random, steps, colours);
        let key = |moves: &[Plain]| moves.iter().map(|&(x, y, g)| (x, y, -g)).collect::<Vec<_>>();
        let exact = board(steps, &columns, Rules::default());
        let ours = solve(&exact).unwrap_or_else(|| panic!("seed {seed}: no solution\n{exact}"));
        assert_ne!(key(&ours).cmp(&key(&moves)), Ordering::Greater, "seed {seed}:\n{exact}");
        let fewest = board(steps, &columns, Rules { goal: Goal::Fewest, ..Rules::default() });
        let fewest = solve(&fewest).unwrap_or_else(|| panic!("seed {seed}: no solution\n{fewest}"));
        assert!(fewest.len() <= ours.len(), "seed {seed}:\n{exact}");
    }
}

#[test]
fn a_mirrored_board_has_the_mirrored_verdict() {
    let mut solved = 0;
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let steps = random.u8(2..=5);
        let (mut columns, _) = planted(&mut random, steps, 4);
        // A block more or less makes some of them unsolvable.
        let x = random.usize(0..5);
        if random.bool() && columns[x].len() < 7 {
            columns[x].push(random.i64(1..=4));
        }
        if !is_still(&columns) {
            continue;
        }
        let mirrored: Columns = columns.iter().rev().cloned().collect();
        for rules in ALL_RULES {
            let verdict = solve(&board(steps, &columns, rules)).map(|moves| moves.len());
            let other = solve(&board(steps, &mirrored, rules)).map(|moves| moves.len());
            assert_eq!(verdict, other, "seed {seed}, {rules:?}:\n{columns:?}");
            solved += usize::from(verdict.is_some());
        }
    }
    assert!(solved > 400, "only {solved} boards have a solution");
}

#[test]
fn the_names_of_colours_do_not_matter() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let steps = random.u8(2..=4);
        let (columns, _) = planted(&mut random, steps, 4);
        let mut names: Vec<i64> = (1..=10).collect();
        random.shuffle(&mut names);
        let renamed: Columns = columns
            .iter()
            .map(|column| column.iter().map(|&colour| names[colour as usize - 1]).collect())
            .collect();
        let rules = Rules::default();
        assert_eq!(
            solve(&board(steps, &columns, rules)),
            solve(&board(steps, &renamed, rules)),
            "seed {seed}:\n{columns:?}"
        );
    }
}

#[test]
fn an_empty_board_has_no_move_to_make_and_none_that_it_needs() {
    let columns = vec![Vec::new(); 5];
    for rules in ALL_RULES {
        let expected = (rules.goal == Goal::Fewest).then(Vec::new);
        assert_eq!(solve(&board(3, &columns, rules)), expected);
    }
}

#[test]
fn a_board_on_which_something_vanishes_is_refused() {
    for seed in 0..500 {
        let mut random = fastrand::Rng::with_seed(seed);
        let columns: Columns =
            (0..5).map(|_| (0..random.usize(0..6)).map(|_| random.i64(1..=3)).collect()).collect();
        let refused =
            matches!(Board::new(1, &columns, Rules::default()), Err(BoardError::Vanishes(_)));
        assert_eq!(refused, !is_still(&columns), "seed {seed}: {columns:?}");
    }
}

#[test]
fn the_first_reason_that_applies_is_given() {
    let reason = |steps: u8, columns: [&[i64]; 5]| {
        let columns = columns.map(<[i64]>::to_vec).to_vec();
        match Mayan::solve(&board(steps, &columns, Rules::default()), &mut Budget::unlimited()) {
            Outcome::Unsolvable(reason) => reason,
            outcome => panic!("{outcome:?}"),
        }
    };
    assert_eq!(
        reason(3, [&[3, 2, 2], &[], &[3], &[], &[3]]),
        Reason::TooFew { colour: 2, count: 2 }
    );
    assert_eq!(
        reason(1, [&[3], &[], &[3], &[], &[3]]),
        Reason::TooFar { colour: 3, bound: 2, steps: 1 }
    );
    assert!(matches!(reason(2, [&[], &[], &[], &[1, 1], &[1]]), Reason::Exhausted { .. }));
}

#[test]
fn verify_refuses_answers_and_reasons_that_are_not_so() {
    let columns: Columns = vec![vec![], vec![], vec![], vec![1, 1], vec![1]];
    let rules = Rules { goal: Goal::Fewest, same_colour_swaps: false };
    let fewest = board(2, &columns, rules);
    let Outcome::Solved(right) = Mayan::solve(&fewest, &mut Budget::unlimited()) else {
        panic!("not solved");
    };
    assert_eq!(Mayan::verify(&fewest, &right), Ok(()));
    let exact = board(2, &columns, Rules::default());
    assert!(Mayan::verify(&exact, &right).is_err(), "too short");
    let none = Answer { moves: vec![], cascade: vec![] };
    assert!(Mayan::verify(&fewest, &none).is_err(), "not empty");
    let silent = Answer { cascade: vec![vec![]], ..right.clone() };
    assert!(Mayan::verify(&fewest, &silent).is_err(), "nothing vanishes");
    let other = Answer { moves: vec![Move { x: 0, y: 0, drag: Drag::Right }], ..right };
    assert!(Mayan::verify(&fewest, &other).is_err(), "no block");
    for wrong in [
        Reason::TooFew { colour: 1, count: 3 },
        Reason::TooFew { colour: 1, count: 2 },
        Reason::TooFew { colour: 2, count: 0 },
        Reason::TooFar { colour: 1, bound: 2, steps: 2 },
        Reason::TooFar { colour: 1, bound: 3, steps: 2 },
    ] {
        assert!(Mayan::verify_reason(&exact, &wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_stopped_search_says_unknown_and_how_many_moves_it_takes_at_least() {
    let mut random = fastrand::Rng::with_seed(1);
    let columns = loop {
        let columns: Columns =
            (0..5).map(|_| (0..7).map(|_| random.i64(1..=3)).collect()).collect();
        if is_still(&columns) {
            break columns;
        }
    };
    for rules in ALL_RULES {
        let board = board(10, &columns, rules);
        let cancel = CancelFlag::new();
        cancel.cancel();
        let mut budget = Budget::new(None, cancel, 1 << 20);
        match Mayan::solve(&board, &mut budget) {
            Outcome::Unknown { stop, learnt } => {
                assert_eq!(stop, Stop::Cancelled);
                assert!((1..=10).contains(&learnt.at_least));
                let stats = Stats { time_ms: 0.0, nodes: 0, time_limit_ms: 1 };
                let outcome = Outcome::Unknown { stop, learnt };
                let json = serde_json::json!(Mayan::response(&board, &outcome, stats));
                assert_eq!(json["status"], serde_json::json!(Status::Unknown));
                assert_eq!(json["reason"]["code"], "cancelled");
            }
            outcome => panic!("{outcome:?}\n{board}"),
        }
    }
}

#[test]
fn without_memory_for_a_table_the_answer_is_the_same() {
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (columns, _) = planted(&mut random, 5, 5);
        let board = board(5, &columns, Rules::default());
        let mut budget = Budget::new(None, CancelFlag::new(), 0);
        let Outcome::Solved(answer) = Mayan::solve(&board, &mut budget) else {
            panic!("seed {seed}: not solved\n{board}");
        };
        assert_eq!(Some(answer.moves.iter().map(plain).collect()), solve(&board), "seed {seed}");
    }
}
