//! Lanes: how paths that share cells are drawn beside each other.
//!
//! A path is drawn through the middles of its cells, moved a little to the right and
//! down by its lane. It takes the first lane in which nothing runs along the same cells
//! yet; paths that only cross may have the same. Looking at cells costs a fixed number of
//! steps in all; paths that come after them take the lanes by turns.

use crate::grid::{Cell, Size};

/// The most cells that are looked at for one picture.
const MOST_STEPS: usize = 1_000_000;

/// How far the lanes lie from the middle, the first first.
const OFFSETS: [f64; 5] = [0.0, 1.0, -1.0, 2.0, -2.0];

/// The lanes of a board with the ring around it.
pub(super) struct Lanes {
    size: Size,
    /// A bit a lane for what runs along a row, and eight bits higher for a column.
    taken: Vec<u16>,
    count: usize,
    steps_left: usize,
}

impl Lanes {
    /// Free lanes; `count` of them, up to five.
    pub(super) fn new(board: Size, count: usize) -> Self {
        let size = Size::new(board.rows + 2, board.cols + 2);
        let count = count.clamp(1, OFFSETS.len());
        Self { size, taken: vec![0; size.area()], count, steps_left: MOST_STEPS }
    }

    /// The lane of the path with this number, as the multiple of the lanes' distance by
    /// which it is moved.
    pub(super) fn place(&mut self, number: usize, corners: &[Cell]) -> f64 {
        let cells = cells_along(corners).take(self.steps_left + 1);
        let places: Vec<_> = cells
            .filter_map(|(cell, ways)| {
                let in_ring = Cell::new(cell.row + 1, cell.col + 1);
                self.size.index(in_ring).map(|index| (index, ways))
            })
            .collect();
        if places.len() > self.steps_left {
            self.steps_left = 0;
            return OFFSETS[number % self.count];
        }
        self.steps_left -= places.len();
        let taken = places.iter().fold(0, |all, &(index, ways)| all | self.taken[index] & ways);
        let taken = (taken | taken >> 8) & 0xff;
        let free = (0..self.count).find(|lane| taken >> lane & 1 == 0);
        let lane = free.unwrap_or(number % self.count);
        for (index, ways) in places {
            self.taken[index] |= 0x0101 << lane & ways;
        }
        OFFSETS[lane]
    }
}

/// The cells between the two tiles, each with the ways in which the path runs there.
fn cells_along(corners: &[Cell]) -> impl Iterator<Item = (Cell, u16)> + '_ {
    let along_row = |from: &Cell, to: &Cell| if from.row == to.row { 0x00ff } else { 0xff00 };
    let segments = corners.windows(2).enumerate();
    segments.flat_map(move |(number, ends)| {
        let (from, to) = (ends[0], ends[1]);
        let step = ((to.row - from.row).signum(), (to.col - from.col).signum());
        let length = from.row.abs_diff(to.row) + from.col.abs_diff(to.col);
        let way = along_row(&from, &to);
        let is_last = number + 2 == corners.len();
        // A corner belongs to both of its segments; the tiles to none.
        let last = if is_last { length.saturating_sub(1) } else { length };
        (1..=last as i32).map(move |at| {
            let cell = Cell::new(from.row + step.0 * at, from.col + step.1 * at);
            (cell, if at as u32 == length { 0xffff } else { way })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cells: &[(i32, i32)]) -> Vec<Cell> {
        cells.iter().map(|&(row, col)| Cell::new(row, col)).collect()
    }

    #[test]
    fn paths_along_the_same_cells_have_lanes_of_their_own() {
        let mut lanes = Lanes::new(Size::new(5, 9), 5);
        let across = cells(&[(0, 0), (-1, 0), (-1, 8), (0, 8)]);
        assert_eq!(lanes.place(0, &across), 0.0);
        assert_eq!(lanes.place(1, &cells(&[(0, 2), (-1, 2), (-1, 6), (0, 6)])), 1.0);
        assert_eq!(lanes.place(2, &across), -1.0);
        // What only crosses is in nobody's way.
        let mut lanes = Lanes::new(Size::new(5, 9), 5);
        assert_eq!(lanes.place(0, &cells(&[(2, 0), (2, 8)])), 0.0);
        assert_eq!(lanes.place(1, &cells(&[(0, 4), (4, 4)])), 0.0);
        assert_eq!(lanes.place(2, &cells(&[(2, 2), (2, 6)])), 1.0);
    }

    #[test]
    fn when_every_lane_is_taken_they_are_taken_by_turns() {
        let mut lanes = Lanes::new(Size::new(1, 9), 3);
        let path = cells(&[(0, 0), (0, 8)]);
        let offsets: Vec<_> = (0..5).map(|number| lanes.place(number, &path)).collect();
        assert_eq!(offsets, [0.0, 1.0, -1.0, 0.0, 1.0]);
    }

    #[test]
    fn when_no_more_cells_may_be_looked_at_lanes_are_taken_by_turns() {
        let mut lanes = Lanes::new(Size::new(1, 9), 3);
        let path = cells(&[(0, 0), (0, 8)]);
        lanes.steps_left = 2 * 7;
        let offsets: Vec<_> = (0..50).map(|number| lanes.place(number, &path)).collect();
        assert_eq!(offsets[..6], [0.0, 1.0, -1.0, 0.0, 1.0, -1.0]);
        let turns: Vec<_> = OFFSETS[..3].iter().copied().cycle().take(50).collect();
        assert_eq!(offsets, turns);
        assert_eq!(lanes.steps_left, 0);
    }
}
