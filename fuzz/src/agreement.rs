//! Answers against the oracles of `tests/oracles/`, on boards that these decide in about a
//! millisecond. Larger boards are left to the verification.

use std::collections::HashMap;

use boardsolve::http::wire::Wire;
use boardsolve::puzzles::linkgame::Linkgame;
use boardsolve::puzzles::linkgame::board::Reason as LinkgameReason;
use boardsolve::puzzles::mahjong_path::MahjongPath;
use boardsolve::puzzles::mayan::Mayan;
use boardsolve::puzzles::rook_circuit::RookCircuit;
use boardsolve::puzzles::tetris_sg::board::MovesAsked;
use boardsolve::puzzles::tetris_sg::{TetrisSg, Winner};

use crate::oracles;

/// A puzzle with an oracle.
pub trait Agreement: Wire {
    /// Panics where the oracle, on a board small enough for it, says otherwise.
    fn agree(board: &Self::Board, answer: Result<&Self::Answer, &Self::Reason>);
}

impl Agreement for Linkgame {
    fn agree(board: &Self::Board, answer: Result<&Self::Answer, &Self::Reason>) {
        if board.size().area() > 25 || board.tiles().count() > 10 {
            return;
        }
        let rows = board.to_string();
        let grid: oracles::linkgame::Grid =
            rows.lines().map(|line| line.chars().collect()).collect();
        let expected = oracles::linkgame::by_orders(&grid, board.rules(), &mut HashMap::new());
        assert_eq!(answer.is_ok(), expected, "{:?}\n{board}", board.rules());
        let mut counts: HashMap<char, usize> = HashMap::new();
        for (_, kind) in board.tiles() {
            *counts.entry(kind).or_default() += 1;
        }
        let is_odd = counts.values().any(|count| count % 2 == 1);
        let is_said = matches!(answer, Err(LinkgameReason::OddKind { .. }));
        assert_eq!(is_said, is_odd, "{answer:?}\n{board}");
    }
}

impl Agreement for Mayan {
    fn agree(board: &Self::Board, answer: Result<&Self::Answer, &Self::Reason>) {
        let blocks = board.blocks();
        let column =
            |x| (0..blocks.height(x)).filter_map(|y| blocks.colour(x, y)).map(i64::from).collect();
        let columns: oracles::mayan::Columns = (0..5).map(column).collect();
        let moves = 2 * columns.iter().map(Vec::len).sum::<usize>() as u64;
        if moves.checked_pow(board.steps().into()).is_none_or(|sequences| sequences > 10_000) {
            return;
        }
        let expected = oracles::mayan::answer(&columns, board.steps(), board.rules());
        let found: Option<Vec<oracles::mayan::Plain>> = answer.ok().map(|answer| {
            answer.moves.iter().map(|played| (played.x, played.y, played.drag.sign())).collect()
        });
        assert_eq!(found, expected, "{:?}\n{board}", board.rules());
    }
}

impl Agreement for TetrisSg {
    fn agree(board: &Self::Board, answer: Result<&Self::Answer, &Self::Reason>) {
        let answer = answer.unwrap_or_else(|never| match *never {});
        let sizes: Vec<_> = (0..board.len()).map(|number| board.size(number)).collect();
        if sizes.len() > 4 || sizes.iter().any(|size| size.area() > 20) {
            return;
        }
        let mut oracles: Vec<oracles::tetris_sg::Oracle> = sizes
            .iter()
            .map(|size| oracles::tetris_sg::Oracle::new(size.rows, size.cols))
            .collect();
        let bit = |number: usize, cell| 1u64 << sizes[number].index(cell).expect("on the board");
        let frees: Vec<u64> = (0..board.len())
            .map(|number| board.free_cells(number).map(|cell| bit(number, cell)).sum())
            .collect();
        let values: Vec<u32> =
            oracles.iter_mut().zip(&frees).map(|(oracle, &free)| oracle.value(free)).collect();
        let total = values.iter().fold(0, |total, value| total ^ value);
        let winner = if total == 0 { Winner::Second } else { Winner::First };
        assert_eq!(answer.winner, winner, "{board}");
        if let Some(grundy) = answer.grundy {
            assert_eq!(grundy, total, "{board}");
        }
        let Some(found) = &answer.winning_moves else { return };
        let mut expected = Vec::new();
        if total != 0 {
            for (number, oracle) in oracles.iter_mut().enumerate() {
                let rest = total ^ values[number];
                let moves = oracle.winning_moves(frees[number], rest).into_iter();
                expected.extend(moves.map(|(row, col)| (number, row as i32, col as i32)));
            }
        }
        if board.questions().moves == MovesAsked::One {
            expected.truncate(1);
        }
        let found: Vec<_> =
            found.iter().map(|play| (play.board, play.cell.row, play.cell.col)).collect();
        assert_eq!(found, expected, "{board}");
    }
}

impl Agreement for MahjongPath {
    fn agree(board: &Self::Board, answer: Result<&Self::Answer, &Self::Reason>) {
        let paths = answer.unwrap_or_else(|never| match *never {});
        let area = board.size().area();
        if area > 36 {
            return;
        }
        let oracle = oracles::mahjong_path::Oracle::of(board);
        for (number, &pair) in board.pairs().iter().enumerate().take(8) {
            let fewest = oracle.fewest(pair);
            let path = paths.path(number);
            assert_eq!(path.segments(), fewest, "{pair:?} {:?}\n{board}", board.options());
            // To try all paths takes time that grows with each segment.
            if !board.options().corners || fewest == 0 || fewest > 4 || area > 16 {
                continue;
            }
            let corners: Vec<_> = path.corners().collect();
            let expected = oracle.first_path(pair, fewest);
            assert_eq!(Some(corners), expected, "{pair:?} {:?}\n{board}", board.options());
        }
    }
}

impl Agreement for RookCircuit {
    fn agree(board: &Self::Board, answer: Result<&Self::Answer, &Self::Reason>) {
        if board.free().len() > 20 {
            return;
        }
        let count = oracles::rook_circuit::naive_count(board.free(), u64::MAX);
        assert_eq!(answer.is_ok(), count > 0, "{answer:?}\n{board}");
        let Ok(answer) = answer else { return };
        if let Some(unique) = answer.unique {
            assert_eq!(unique, count == 1, "{board}");
        }
        if let Some(said) = &answer.count {
            assert_eq!(*said, count.to_string(), "{board}");
        }
    }
}
