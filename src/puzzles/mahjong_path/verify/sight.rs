//! Replays a path, with running counts of the tiles along rows and columns: the
//! tiles on a segment are the difference of two counts.

use super::super::answer::Path;
use super::super::board::{Board, Pair};
use crate::grid::{Cell, Size};

/// Running counts of tiles along rows and columns.
#[derive(Debug)]
pub(super) struct Sight {
    size: Size,
    outside: bool,
    /// For each row and column: the tiles of the row before that column.
    before_in_row: Vec<u16>,
    /// For each column and row: the tiles of the column before that row.
    before_in_col: Vec<u16>,
}

impl Sight {
    /// Counts the tiles of `board`.
    pub(super) fn of(board: &Board) -> Self {
        let size = board.size();
        let mut before_in_row = vec![0; size.rows * (size.cols + 1)];
        let mut before_in_col = vec![0; size.cols * (size.rows + 1)];
        for tile in board.tiles().iter() {
            let (row, col) = (tile.row as usize, tile.col as usize);
            before_in_row[row * (size.cols + 1) + col + 1] = 1;
            before_in_col[col * (size.rows + 1) + row + 1] = 1;
        }
        for line in before_in_row.chunks_exact_mut(size.cols + 1) {
            sum_up(line);
        }
        for line in before_in_col.chunks_exact_mut(size.rows + 1) {
            sum_up(line);
        }
        Self { size, outside: board.options().outside, before_in_row, before_in_col }
    }

    /// Walks the path from corner to corner.
    pub(super) fn replay(&self, pair: Pair, path: Path<'_>) -> Result<(), &'static str> {
        let mut corners = path.corners().enumerate();
        if path.segments() == 0 {
            return if corners.len() == 0 { Ok(()) } else { Err("has corners but no segment") };
        }
        if corners.len() != path.segments() as usize + 1 {
            return Err("has not one corner more than segments");
        }
        let mut here = pair.from;
        if corners.next() != Some((0, here)) {
            return Err("does not begin at `from`");
        }
        let mut was_horizontal = None;
        for (index, next) in corners {
            let is_horizontal = here.row == next.row;
            if here == next || (!is_horizontal && here.col != next.col) {
                return Err("has a segment that is not straight");
            }
            if was_horizontal.replace(is_horizontal) == Some(is_horizontal) {
                return Err("does not turn between two segments");
            }
            if !self.may_be_at(next) {
                return Err("leaves the board, or goes farther off than one cell");
            }
            // The first segment begins on a tile and the last ends on one.
            let own = usize::from(index == 1) + usize::from(index == path.segments() as usize);
            if self.tiles_between(here, next, is_horizontal) != own {
                return Err("runs through a tile");
            }
            here = next;
        }
        if here == pair.to { Ok(()) } else { Err("does not end at `to`") }
    }

    fn may_be_at(&self, cell: Cell) -> bool {
        let ring = i32::from(self.outside);
        (-ring..self.size.rows as i32 + ring).contains(&cell.row)
            && (-ring..self.size.cols as i32 + ring).contains(&cell.col)
    }

    /// The tiles on a straight line, both ends included.
    fn tiles_between(&self, one: Cell, other: Cell, is_horizontal: bool) -> usize {
        let (counts, lines, length, line, start, end) = if is_horizontal {
            (&self.before_in_row, self.size.rows, self.size.cols, one.row, one.col, other.col)
        } else {
            (&self.before_in_col, self.size.cols, self.size.rows, one.col, one.row, other.row)
        };
        if line < 0 || line as usize >= lines {
            return 0;
        }
        let counts = &counts[line as usize * (length + 1)..][..=length];
        // The ring has no tiles: its cells count as the border beside them.
        let clamped = |position: i32| position.clamp(0, length as i32) as usize;
        let (first, last) = (start.min(end), start.max(end));
        usize::from(counts[clamped(last + 1)] - counts[clamped(first)])
    }
}

fn sum_up(counts: &mut [u16]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}
