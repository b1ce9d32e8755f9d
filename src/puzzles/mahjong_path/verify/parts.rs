//! The connected parts of the free cells: two tiles that lie apart are joined by
//! some path exactly if they touch a common part.

use super::super::board::{Board, Pair};
use crate::grid::Cell;

/// The connected parts of the free cells of a board and, where paths may leave
/// it, of the ring around it.
#[derive(Debug)]
pub(super) struct Parts {
    cols: usize,
    /// The part of each cell of the framed board, from 1; 0 is blocked.
    parts: Vec<u32>,
}

/// A free cell whose part is not known yet.
const UNKNOWN: u32 = u32::MAX;

impl Parts {
    /// Floods the free cells of `board`, part by part.
    pub(super) fn of(board: &Board) -> Self {
        // One ring of cells for going outside, and one of blocked cells around it.
        let (rows, cols) = (board.size().rows + 4, board.size().cols + 4);
        let margin = if board.options().outside { 1 } else { 2 };
        let mut parts = vec![0; rows * cols];
        for line in parts.chunks_exact_mut(cols).take(rows - margin).skip(margin) {
            line[margin..cols - margin].fill(UNKNOWN);
        }
        let mut flood = Self { cols, parts };
        for tile in board.tiles().iter() {
            let index = flood.index(tile);
            flood.parts[index] = 0;
        }
        let mut count = 0;
        let mut reached = Vec::new();
        for start in 0..flood.parts.len() {
            if flood.parts[start] != UNKNOWN {
                continue;
            }
            count += 1;
            flood.parts[start] = count;
            reached.push(start);
            while let Some(here) = reached.pop() {
                for next in [here - cols, here + 1, here + cols, here - 1] {
                    if flood.parts[next] == UNKNOWN {
                        flood.parts[next] = count;
                        reached.push(next);
                    }
                }
            }
        }
        flood
    }

    /// Whether some path joins the pair.
    pub(super) fn joins(&self, pair: Pair) -> bool {
        let beside = |tile: Cell| tile.neighbours().map(|cell| self.parts[self.index(cell)]);
        let beside_to = beside(pair.to);
        pair.from.neighbours().contains(&pair.to)
            || beside(pair.from).iter().any(|&part| part != 0 && beside_to.contains(&part))
    }

    const fn index(&self, cell: Cell) -> usize {
        (cell.row + 2) as usize * self.cols + (cell.col + 2) as usize
    }
}
