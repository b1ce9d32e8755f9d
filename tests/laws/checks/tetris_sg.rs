//! Squares: on boards that the check plays out, it takes the definition's answer alone.

use boardsolve::grid::Cell;
use boardsolve::puzzle::Puzzle;
use boardsolve::puzzles::tetris_sg::board::{Move, MovesAsked, Position, Questions};
use boardsolve::puzzles::tetris_sg::{Answer, Extra, TetrisSg, Winner};
use fastrand::Rng;

use super::Verdicts;
use crate::oracles::tetris_sg::Oracle;

/// The answer to a sum of two boards, everything decided.
fn right_answer(boards: &[(usize, usize, u64)], questions: Questions) -> Answer {
    let mut oracles: Vec<Oracle> =
        boards.iter().map(|&(rows, cols, _)| Oracle::new(rows, cols)).collect();
    let values: Vec<u32> =
        oracles.iter_mut().zip(boards).map(|(oracle, board)| oracle.value(board.2)).collect();
    let total = values.iter().fold(0, |total, value| total ^ value);
    let mut moves = Vec::new();
    for (number, oracle) in oracles.iter_mut().enumerate().filter(|_| total != 0) {
        let found = oracle.winning_moves(boards[number].2, total ^ values[number]);
        moves.extend(
            found
                .iter()
                .map(|&(row, col)| Move { board: number, cell: Cell::new(row as i32, col as i32) }),
        );
    }
    if questions.moves == MovesAsked::One {
        moves.truncate(1);
    }
    Answer {
        winner: if total == 0 { Winner::Second } else { Winner::First },
        grundy: questions.grundy.then_some(total),
        winning_moves: (questions.moves != MovesAsked::None).then_some(moves),
        undecided: Vec::new(),
    }
}

fn tamper(random: &mut Rng, answer: &mut Answer) {
    match random.u8(..9) {
        0 => {
            answer.winner = match answer.winner {
                Winner::First => Winner::Second,
                Winner::Second => Winner::First,
            };
        }
        1 => answer.grundy = Some(random.u32(..4)),
        2 => answer.grundy = None,
        3 => answer.winning_moves = None,
        4 => answer.undecided.push(Extra::Grundy),
        5 => answer.undecided.push(Extra::WinningMoves),
        6 => {
            let cell = Cell::new(random.i32(-1..4), random.i32(-1..4));
            answer
                .winning_moves
                .get_or_insert_default()
                .push(Move { board: random.usize(..3), cell });
        }
        7 => drop(answer.winning_moves.as_mut().and_then(Vec::pop)),
        _ => {
            if let Some(moves) = &mut answer.winning_moves {
                random.shuffle(moves);
            }
        }
    }
}

#[test]
fn of_tampered_answers_those_are_taken_that_say_what_the_definition_says() {
    let mut verdicts = Verdicts::default();
    for seed in 0..60_000 {
        let mut random = Rng::with_seed(seed);
        let boards = [(); 2].map(|()| {
            let (rows, cols) = (random.usize(1..5), random.usize(1..5));
            let cells = 0..rows * cols;
            (rows, cols, cells.fold(0, |free, cell| free | u64::from(random.u8(..10) > 1) << cell))
        });
        let moves = [MovesAsked::All, MovesAsked::One, MovesAsked::None][random.usize(..3)];
        let questions = Questions { moves, grundy: random.bool() };
        let right = right_answer(&boards, questions);
        let mut answer = right.clone();
        for _ in 0..random.u8(..4) {
            tamper(&mut random, &mut answer);
        }
        // What was asked for is given, and right, or named as undecided, once.
        let names = |extra| answer.undecided.iter().filter(|&&named| named == extra).count();
        let is_grundy_right = match names(Extra::Grundy) {
            0 => answer.grundy == right.grundy,
            named => named == 1 && questions.grundy && answer.grundy.is_none(),
        };
        let are_moves_right = match names(Extra::WinningMoves) {
            0 => answer.winning_moves == right.winning_moves,
            named => named == 1 && moves != MovesAsked::None && answer.winning_moves.is_none(),
        };
        let expected = answer.winner == right.winner && is_grundy_right && are_moves_right;
        let picture = boards.map(|(rows, cols, free)| {
            let digit = |index: usize| if free >> index & 1 == 1 { '0' } else { '1' };
            let row = |row: usize| (0..cols).map(|col| digit(row * cols + col)).collect();
            (0..rows).map(row).collect::<Vec<String>>()
        });
        let position = Position::from_rows(&picture, questions).unwrap();
        let verdict = TetrisSg::verify(&position, &answer);
        assert_eq!(verdict.is_ok(), expected, "seed {seed}\n{position}{questions:?} {answer:?}");
        verdicts.count(expected);
    }
    verdicts.assert_at_least(10_000, 10_000);
}
