//! Where paths run: through the middle of their cells, each moved sideways into a lane.

use crate::grid::{Cell, Direction, Size};
use crate::svg::{self, CELL, Path, Point};

/// The line of a path through its cells, from the edge of the one tile to that of the
/// other, and its two ends.
pub(super) fn route(frame: &svg::Board, cells: &[Cell], offset: f64) -> (Path, Vec<Point>) {
    let end = |cell: Cell, next: Cell| {
        let ((x, y), (next_x, next_y)) = (frame.centre(cell), frame.centre(next));
        let half = CELL / 2.0 - 3.0;
        if x == next_x {
            (x + offset, y + (next_y - y).signum() * half)
        } else {
            (x + (next_x - x).signum() * half, y + offset)
        }
    };
    let [first, corners @ .., last] = cells else { return (Path::new(), Vec::new()) };
    let after_first = *corners.first().unwrap_or(last);
    let before_last = *corners.last().unwrap_or(first);
    let ends = [end(*first, after_first), end(*last, before_last)];
    let between = corners.iter().map(|&cell| {
        let (x, y) = frame.centre(cell);
        (x + offset, y + offset)
    });
    let points: Vec<_> = std::iter::once(ends[0]).chain(between).chain([ends[1]]).collect();
    let mut line = Path::new();
    line.rounded(&points, 9.0);
    (line, ends.to_vec())
}

/// Which lanes the paths use in each cell.
pub(super) struct Lanes {
    size: Size,
    /// A bit a lane, for each cell of the board and the ring around it, along and down.
    used: Vec<[u8; 2]>,
}

impl Lanes {
    /// The lanes from the middle outwards, in units.
    const OFFSETS: [f64; 7] = [0.0, 4.5, -4.5, 9.0, -9.0, 13.5, -13.5];

    pub(super) fn new(size: Size) -> Self {
        let ringed = Size::new(size.rows + 2, size.cols + 2);
        Self { size: ringed, used: vec![[0; 2]; ringed.area()] }
    }

    /// Takes the first free lane for a path; the middle one where none is free.
    pub(super) fn offset(&mut self, path: &[Cell]) -> f64 {
        let mut places = Vec::new();
        for ends in path.windows(2) {
            let axis = usize::from(ends[0].col == ends[1].col);
            for cell in straight(ends[0], ends[1]) {
                let ringed = Cell::new(cell.row + 1, cell.col + 1);
                places.extend(self.size.index(ringed).map(|index| (index, axis)));
            }
        }
        let used = places.iter().fold(0, |used, &(index, axis)| used | self.used[index][axis]);
        let lane = (0..Self::OFFSETS.len()).find(|lane| used >> lane & 1 == 0).unwrap_or(0);
        for (index, axis) in places {
            self.used[index][axis] |= 1 << lane;
        }
        Self::OFFSETS[lane]
    }
}

/// The cells from one end of a segment to the other, both included.
fn straight(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let direction = match (to.row - from.row, to.col - from.col) {
        (0, along) if along > 0 => Direction::East,
        (0, _) => Direction::West,
        (down, _) if down > 0 => Direction::South,
        _ => Direction::North,
    };
    let length = from.row.abs_diff(to.row).max(from.col.abs_diff(to.col)) as usize;
    std::iter::successors(Some(from), move |cell| Some(cell.step(direction))).take(length + 1)
}
