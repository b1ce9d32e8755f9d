//! Mahjong paths by their statement.
//!
//! [`Oracle::fewest`] is the statement read aloud: from every cell reached so far
//! walk straight on in all four directions, and count how often that was done. It
//! walks on a frame three cells wide, so that it does not take on trust that one
//! ring around the board is enough. [`Oracle::first_path`] tries all paths of that
//! many segments in the order in which they are preferred.

use std::collections::BTreeSet;

use boardsolve::grid::{Cell, Direction};
use boardsolve::puzzles::mahjong_path::board::{Board, Pair};

/// How far from the board the oracle may walk.
const FRAME: i32 = 3;

/// The paths of one board.
pub(crate) struct Oracle<'board> {
    board: &'board Board,
    frame: i32,
}

impl<'board> Oracle<'board> {
    /// The oracle of a board.
    pub(crate) fn of(board: &'board Board) -> Self {
        Self { board, frame: if board.options().outside { FRAME } else { 0 } }
    }

    fn is_free(&self, cell: Cell, frame: i32) -> bool {
        let size = self.board.size();
        (-frame..size.rows as i32 + frame).contains(&cell.row)
            && (-frame..size.cols as i32 + frame).contains(&cell.col)
            && !self.board.tiles().contains(cell)
    }

    /// The fewest segments between two tiles, 0 for no path.
    pub(crate) fn fewest(&self, pair: Pair) -> u32 {
        let most = self.board.options().max_segments.map_or(u32::MAX, u32::from);
        let mut reached = BTreeSet::from([pair.from]);
        for segments in 1..=most {
            let mut farther = reached.clone();
            for &start in &reached {
                for direction in Direction::ALL {
                    let mut cell = start.step(direction);
                    while self.is_free(cell, self.frame) {
                        farther.insert(cell);
                        cell = cell.step(direction);
                    }
                    if cell == pair.to {
                        return segments;
                    }
                }
            }
            if farther == reached {
                return 0;
            }
            reached = farther;
        }
        0
    }

    /// The first path of exactly so many segments, in the order in which equal
    /// paths are preferred; one cell off the board at most.
    pub(crate) fn first_path(&self, pair: Pair, segments: u32) -> Option<Vec<Cell>> {
        let backwards = Pair { from: pair.to, to: pair.from };
        let mut corners = vec![pair.to];
        let is_found = self.complete(backwards, segments, None, &mut corners);
        corners.reverse();
        is_found.then_some(corners)
    }

    fn complete(
        &self,
        pair: Pair,
        segments: u32,
        last: Option<Direction>,
        corners: &mut Vec<Cell>,
    ) -> bool {
        let here = *corners.last().unwrap();
        let turns = |direction: &Direction| {
            last.is_none_or(|last| *direction != last && *direction != last.opposite())
        };
        let ring = i32::from(self.board.options().outside);
        let mut ends: Vec<(Direction, Cell)> =
            Direction::ALL.into_iter().filter(turns).map(|direction| (direction, here)).collect();
        while !ends.is_empty() {
            let mut still = Vec::new();
            for (direction, end) in ends {
                let cell = end.step(direction);
                if cell == pair.to && segments == 1 {
                    corners.push(cell);
                    return true;
                }
                if self.is_free(cell, ring) {
                    still.push((direction, cell));
                    if segments > 1 {
                        corners.push(cell);
                        if self.complete(pair, segments - 1, Some(direction), corners) {
                            return true;
                        }
                        corners.pop();
                    }
                }
            }
            ends = still;
        }
        false
    }
}
