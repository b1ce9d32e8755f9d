//! The obstacles of a board as bits, and whether two places can be joined among them.
//!
//! A board of up to 30 × 30 cells and the ring around it is at most 32 × 32, so a line
//! of cells is one machine word. Rows and columns are both kept. The run of free cells
//! around a place is two bit scans; a path of two turns exists if, for the runs of both
//! ends in their rows, some common column is free in all rows between (and the same with
//! rows and columns exchanged): O(side) words, no queue. Cells beyond the ring, and the
//! ring itself where paths may not leave the board, are obstacles that never go.

use crate::grid::Size;

/// A place in the frame: the board's cell (row, col) is (row + 1, col + 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) row: u8,
    pub(super) col: u8,
}

impl Place {
    /// Whether the two are neighbours.
    pub(super) const fn is_beside(self, other: Self) -> bool {
        self.row.abs_diff(other.row) + self.col.abs_diff(other.col) == 1
    }
}

/// The obstacles, one bit a cell, by rows and by columns.
#[derive(Clone, Debug)]
pub(super) struct Field {
    rows: [u32; 32],
    cols: [u32; 32],
}

impl Field {
    /// A board of `size` without tiles.
    pub(super) fn new(size: Size, outside: bool) -> Self {
        let inset = usize::from(!outside);
        let row_span = inset..size.rows + 2 - inset;
        let col_span = inset..size.cols + 2 - inset;
        let mut field = Self { rows: [u32::MAX; 32], cols: [u32::MAX; 32] };
        for row in row_span {
            for col in col_span.clone() {
                field.clear(Place { row: row as u8, col: col as u8 });
            }
        }
        field
    }

    /// Puts an obstacle.
    #[inline]
    pub(super) fn block(&mut self, place: Place) {
        self.rows[usize::from(place.row & 31)] |= 1 << (place.col & 31);
        self.cols[usize::from(place.col & 31)] |= 1 << (place.row & 31);
    }

    /// Takes an obstacle away.
    #[inline]
    pub(super) fn clear(&mut self, place: Place) {
        self.rows[usize::from(place.row & 31)] &= !(1 << (place.col & 31));
        self.cols[usize::from(place.col & 31)] &= !(1 << (place.row & 31));
    }

    /// Whether a neighbour of a place is free: any path but that between two neighbours
    /// begins and ends at such places.
    #[inline]
    pub(super) fn is_exposed(&self, place: Place) -> bool {
        let around = |line: u32, position: u8| {
            let neighbours = (1u32 << (position & 31)).rotate_left(1)
                | (1u32 << (position & 31)).rotate_right(1);
            !line & neighbours != 0
        };
        around(self.rows[usize::from(place.row & 31)], place.col)
            || around(self.cols[usize::from(place.col & 31)], place.row)
    }

    /// Whether a path of at most `max_turns` turns joins `from` and `to` through free
    /// cells; whether the two ends themselves are obstacles does not matter.
    #[inline]
    pub(super) fn joins(&self, from: Place, to: Place, max_turns: u8) -> bool {
        match max_turns {
            0 => self.straight(from, to),
            1 => self.straight(from, to) || self.one_turn(from, to),
            2 => self.by_column(from, to) || self.by_row(from, to),
            _ => self.three_turns(from, to),
        }
    }

    /// As [`Field::joins`] for up to two turns, when only paths that run through the
    /// given rows and columns (as bits) can be new.
    #[inline]
    pub(super) fn joins_anew(
        &self,
        from: Place,
        to: Place,
        max_turns: u8,
        rows: u32,
        cols: u32,
    ) -> bool {
        let in_rows = rows & through(from.row, to.row) != 0;
        let in_cols = cols & through(from.col, to.col) != 0;
        if max_turns == 2 {
            in_rows && self.by_column(from, to) || in_cols && self.by_row(from, to)
        } else {
            (in_rows || in_cols || max_turns > 2) && self.joins(from, to, max_turns)
        }
    }

    /// Every cell on which a path from `from` can end, obstacles included, by rows.
    pub(super) fn reach(&self, from: Place, max_turns: u8) -> [u32; 32] {
        let mut reach = [0; 32];
        let mut start = [0; 32];
        start[usize::from(from.row & 31)] = 1 << (from.col & 31);
        for begins_in_row in [true, false] {
            let mut cells = start;
            for segment in 0..=max_turns {
                cells = if (segment % 2 == 0) == begins_in_row {
                    self.spread_along_rows(&cells, &mut reach)
                } else {
                    self.spread_along_columns(&cells, &mut reach)
                };
            }
        }
        reach
    }

    /// The free cells straight east or west of `cells`, and they; what they reach is
    /// added to `reach`.
    fn spread_along_rows(&self, cells: &[u32; 32], reach: &mut [u32; 32]) -> [u32; 32] {
        let mut spread = *cells;
        for (row, cells) in spread.iter_mut().enumerate() {
            let mut rest = *cells;
            while rest != 0 {
                let run = run(self.rows[row], rest.trailing_zeros() as u8);
                *cells |= run;
                rest &= !run;
            }
            reach[row] |= *cells | *cells << 1 | *cells >> 1;
        }
        spread
    }

    /// The free cells straight north or south of `cells`, and they; what they reach is
    /// added to `reach`.
    fn spread_along_columns(&self, cells: &[u32; 32], reach: &mut [u32; 32]) -> [u32; 32] {
        let mut spread = *cells;
        for row in 1..32 {
            reach[row] |= spread[row - 1];
            spread[row] |= spread[row - 1] & !self.rows[row];
        }
        for row in (0..31).rev() {
            reach[row] |= spread[row + 1];
            spread[row] |= spread[row + 1] & !self.rows[row];
        }
        for row in 0..32 {
            reach[row] |= spread[row];
        }
        spread
    }

    /// The free rows of the column through a free place, around it.
    #[inline]
    pub(super) fn col_span(&self, place: Place) -> std::ops::Range<u8> {
        span(self.cols[usize::from(place.col & 31)], place.row)
    }

    /// The free columns of the row through a free place, around it.
    #[inline]
    pub(super) fn row_span(&self, place: Place) -> std::ops::Range<u8> {
        span(self.rows[usize::from(place.row & 31)], place.col)
    }

    /// The first obstacles east and west of a place, within the frame.
    #[inline]
    pub(super) fn row_sights(&self, place: Place) -> [Option<Place>; 2] {
        let ends = span(self.rows[usize::from(place.row & 31)], place.col);
        let at = |col| Place { row: place.row, col };
        [(ends.end < 32).then(|| at(ends.end)), ends.start.checked_sub(1).map(at)]
    }

    /// The first obstacles south and north of a place, within the frame.
    #[inline]
    pub(super) fn col_sights(&self, place: Place) -> [Option<Place>; 2] {
        let ends = span(self.cols[usize::from(place.col & 31)], place.row);
        let at = |row| Place { row, col: place.col };
        [(ends.end < 32).then(|| at(ends.end)), ends.start.checked_sub(1).map(at)]
    }

    /// The first obstacles in all four directions.
    #[inline]
    pub(super) fn sights(&self, place: Place) -> [Option<Place>; 4] {
        let [east, west] = self.row_sights(place);
        let [south, north] = self.col_sights(place);
        [east, west, south, north]
    }

    /// The corners of a path from `from` to `to` with the fewest turns, and among
    /// those the fewest cells; `None` where [`Field::joins`] is false.
    pub(super) fn corners(&self, from: Place, to: Place, max_turns: u8) -> Option<Vec<Place>> {
        if self.straight(from, to) {
            return Some(Vec::new());
        }
        let places = || (0..32u8).flat_map(|row| (0..32u8).map(move |col| Place { row, col }));
        let is_free = |place: &Place| self.rows[usize::from(place.row)] >> place.col & 1 == 0;
        let shortest = |paths: &mut dyn Iterator<Item = Vec<Place>>| {
            paths.min_by_key(|corners| length(from, corners, to))
        };
        if max_turns >= 1 {
            let corners =
                [Place { row: from.row, col: to.col }, Place { row: to.row, col: from.col }];
            let fits = |corner: &Place| {
                is_free(corner) && self.straight(from, *corner) && self.straight(*corner, to)
            };
            if let Some(path) =
                shortest(&mut corners.into_iter().filter(fits).map(|corner| vec![corner]))
            {
                return Some(path);
            }
        }
        if max_turns >= 2
            && let Some(path) = shortest(&mut self.two_turn_paths(from, to))
        {
            return Some(path);
        }
        if max_turns >= 3 {
            let ends = places().filter(|place| {
                is_free(place)
                    && (place.row == to.row || place.col == to.col)
                    && *place != to
                    && self.straight(*place, to)
            });
            let mut paths = ends.flat_map(|last| {
                self.two_turn_paths(from, last)
                    // The last segment must turn off the one before it.
                    .filter(move |corners| (corners[1].row == last.row) != (last.row == to.row))
                    .map(move |mut corners| {
                        corners.push(last);
                        corners
                    })
            });
            return shortest(&mut paths);
        }
        None
    }

    /// Every path of exactly two turns, as its two corners.
    fn two_turn_paths(&self, from: Place, to: Place) -> impl Iterator<Item = Vec<Place>> {
        let by_column =
            (0..32u8).map(move |col| (Place { row: from.row, col }, Place { row: to.row, col }));
        let by_row =
            (0..32u8).map(move |row| (Place { row, col: from.col }, Place { row, col: to.col }));
        by_column
            .chain(by_row)
            .filter(move |&(first, second)| {
                let is_free =
                    |place: Place| self.rows[usize::from(place.row)] >> place.col & 1 == 0;
                first != second
                    && ![from, to].contains(&first)
                    && ![from, to].contains(&second)
                    && is_free(first)
                    && is_free(second)
                    && self.straight(from, first)
                    && self.straight(first, second)
                    && self.straight(second, to)
            })
            .map(|(first, second)| vec![first, second])
    }

    /// One straight segment.
    fn straight(&self, from: Place, to: Place) -> bool {
        if from.row == to.row {
            between(from.col, to.col) & self.rows[usize::from(from.row & 31)] == 0
        } else if from.col == to.col {
            between(from.row, to.row) & self.cols[usize::from(from.col & 31)] == 0
        } else {
            false
        }
    }

    /// Two segments that meet at right angles; the ends are not in one line.
    fn one_turn(&self, from: Place, to: Place) -> bool {
        if from.row == to.row || from.col == to.col {
            return false;
        }
        let has = |run: u32, position: u8| run >> (position & 31) & 1 == 1;
        has(self.row_run(from), to.col) && has(self.col_run(to), from.row)
            || has(self.col_run(from), to.row) && has(self.row_run(to), from.col)
    }

    /// At most two turns, with the middle segment in a column.
    #[inline]
    fn by_column(&self, from: Place, to: Place) -> bool {
        let mut open = self.row_run(from) & self.row_run(to);
        if open == 0 {
            return false;
        }
        let (low, high) = ordered(from.row, to.row);
        for row in low + 1..high {
            open &= !self.rows[usize::from(row & 31)];
        }
        open != 0
    }

    /// At most two turns, with the middle segment in a row.
    #[inline]
    fn by_row(&self, from: Place, to: Place) -> bool {
        let mut open = self.col_run(from) & self.col_run(to);
        if open == 0 {
            return false;
        }
        let (low, high) = ordered(from.col, to.col);
        for col in low + 1..high {
            open &= !self.cols[usize::from(col & 31)];
        }
        open != 0
    }

    /// At most three turns: from some free place straight ahead of `to`, a path of two
    /// turns whose last segment lies across.
    fn three_turns(&self, from: Place, to: Place) -> bool {
        self.by_column(from, to)
            || self.by_row(from, to)
            || bits(self.col_run(to)).any(|row| self.by_column(from, Place { row, col: to.col }))
            || bits(self.row_run(to)).any(|col| self.by_row(from, Place { row: to.row, col }))
    }

    /// The free cells around `place` in its row, itself included, as bits.
    #[inline]
    fn row_run(&self, place: Place) -> u32 {
        run(self.rows[usize::from(place.row & 31)], place.col)
    }

    /// The free cells around `place` in its column, itself included, as bits.
    #[inline]
    fn col_run(&self, place: Place) -> u32 {
        run(self.cols[usize::from(place.col & 31)], place.row)
    }
}

/// The zero bits of `line` around `position`, and that bit itself.
#[inline]
const fn run(line: u32, position: u8) -> u32 {
    let ends = span(line, position);
    ((1u64 << ends.end) - 1) as u32 & (u32::MAX << ends.start)
}

/// The positions of those bits.
#[inline]
const fn span(line: u32, position: u8) -> std::ops::Range<u8> {
    let position = position as u32 & 31;
    let below = line & ((1 << position) - 1);
    let above = line & ((u32::MAX << position) << 1);
    32 - below.leading_zeros() as u8..above.trailing_zeros() as u8
}

/// The bits strictly between two positions.
const fn between(one: u8, other: u8) -> u32 {
    let (low, high) = ordered(one, other);
    ((1u64 << high) - 1) as u32 & ((u64::MAX << (low + 1)) as u32)
}

/// The bits from one position to another, both included.
#[inline]
const fn through(one: u8, other: u8) -> u32 {
    let (low, high) = ordered(one, other);
    (u32::MAX >> ((31 - high as u32) & 31)) & (u32::MAX << (low as u32 & 31))
}

#[inline]
const fn ordered(one: u8, other: u8) -> (u8, u8) {
    if one < other { (one, other) } else { (other, one) }
}

/// The positions of the one bits, ascending.
fn bits(mut word: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as u8)?;
        word &= word - 1;
        Some(bit)
    })
}

/// The number of steps along a path.
fn length(from: Place, corners: &[Place], to: Place) -> u32 {
    let mut last = from;
    let mut steps = 0;
    for &place in corners.iter().chain([&to]) {
        steps += u32::from(last.row.abs_diff(place.row)) + u32::from(last.col.abs_diff(place.col));
        last = place;
    }
    steps
}
