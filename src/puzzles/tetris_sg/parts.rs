//! The independent parts of a board, and their values by definition alone.
//!
//! Anchors at most a king's step apart are in each other's way; those that no
//! chain of such steps joins never are. So a board is the sum of its parts, the
//! components of the anchors' graph. The Grundy value of a part is played out as
//! it is defined, the least number that no move leads to, with nothing cleverer:
//! what the search finds is checked against it. That takes as many positions as
//! moves can leave, so each caller says how many it can afford.

use rustc_hash::FxHashMap;

use crate::grid::{Cell, CellSet};

use super::board::Position;

/// A part that was played out whole.
#[derive(Clone, Debug)]
pub struct PlayedOut {
    /// The part's Grundy value.
    pub value: u32,
    /// What each of its moves leaves is worth, in the order of its anchors.
    pub values_after: Vec<u32>,
}

/// The parts of `board`, by their first anchors; the anchors of each in
/// row-major order. Linear in the board's cells, but for sorting.
pub fn parts(position: &Position, board: usize) -> Vec<Vec<Cell>> {
    let mut rest = CellSet::from_cells(position.size(board), position.anchors(board));
    let mut parts = Vec::new();
    for first in position.anchors(board) {
        if !rest.remove(first) {
            continue;
        }
        let mut part = vec![first];
        let mut looked_at = 0;
        while let Some(&anchor) = part.get(looked_at) {
            looked_at += 1;
            for (down, right) in KING_STEPS {
                let near = Cell::new(anchor.row + down, anchor.col + right);
                if rest.remove(near) {
                    part.push(near);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

const KING_STEPS: [(i32, i32); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Plays a part out. Each position costs one of `left`.
///
/// `None` when there are more positions than that, or more than 64 anchors.
pub fn play_out(part: &[Cell], left: &mut usize) -> Option<PlayedOut> {
    if part.len() > 64 {
        return None;
    }
    let near = |&from: &Cell| {
        let bits = part.iter().enumerate().filter(|&(_, &to)| overlap(from, to));
        bits.fold(0u64, |mask, (index, _)| mask | 1 << index)
    };
    let taken: Vec<u64> = part.iter().map(near).collect();
    let all = taken.iter().fold(0, |all, near| all | near);
    let mut known = FxHashMap::default();
    let value = value_of(all, &taken, &mut known, left)?;
    let values_after = taken.iter().map(|near| known[&(all & !near)]).collect();
    Some(PlayedOut { value, values_after })
}

/// The Grundy value by its definition: the least number that no move leads to.
/// It calls itself once a square placed, so at most 64 deep.
fn value_of(
    open: u64,
    taken: &[u64],
    known: &mut FxHashMap<u64, u32>,
    left: &mut usize,
) -> Option<u32> {
    if let Some(&value) = known.get(&open) {
        return Some(value);
    }
    *left = left.checked_sub(1)?;
    let mut reached = 0u64;
    for (index, near) in taken.iter().enumerate() {
        if open >> index & 1 == 1 {
            reached |= 1 << value_of(open & !near, taken, known, left)?;
        }
    }
    let value = reached.trailing_ones();
    known.insert(open, value);
    Some(value)
}

fn overlap(one: Cell, other: Cell) -> bool {
    one.row.abs_diff(other.row) <= 1 && one.col.abs_diff(other.col) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::tetris_sg::board::Questions;

    #[test]
    fn parts_are_told_apart_though_their_cells_touch() {
        let picture = "0000100\n0000100\n1110000\n0000111\n0000100\n";
        let position = Position::parse(picture, Questions::WINNER).unwrap();
        let parts = parts(&position, 0);
        let sizes: Vec<_> = parts.iter().map(Vec::len).collect();
        assert_eq!(sizes, [3, 2, 3]);
        assert_eq!(parts[0][0], Cell::new(0, 0));
        assert_eq!(parts[1], [Cell::new(0, 5), Cell::new(1, 5)]);
    }

    #[test]
    fn a_part_is_worth_what_the_empty_boards_are_known_to_be() {
        for (side, value) in [(2, 1), (3, 1), (4, 1), (5, 0)] {
            let board = vec!["0".repeat(side); side];
            let position = Position::from_rows(&[board], Questions::WINNER).unwrap();
            let part = parts(&position, 0).remove(0);
            let played_out = play_out(&part, &mut 1000).unwrap();
            assert_eq!(played_out.value, value, "{side}×{side}");
            assert_eq!(played_out.values_after.len(), part.len());
        }
    }

    #[test]
    fn what_is_too_much_is_left() {
        let board = vec!["00000000"; 8];
        let position = Position::from_rows(&[board], Questions::WINNER).unwrap();
        let part = parts(&position, 0).remove(0);
        let mut left = 1000;
        assert!(play_out(&part, &mut left).is_none());
        assert_eq!(left, 0);
    }
}
