//! What a wave holds: cells as bits of rows, and sets of rows.

use std::ops::Range;

use super::super::runs::Place;
use crate::grid::CellSet;

/// How the framed board lies in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) rows: usize,
    pub(super) words: usize,
}

/// The cells reached with a last segment of one direction.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) reached: Vec<u64>,
    /// The two low bits of the level at which each was reached.
    pub(super) level_low: Vec<u64>,
    pub(super) level_high: Vec<u64>,
    /// Those reached at the last level, all of them in `new_rows`.
    pub(super) new: Vec<u64>,
    pub(super) new_rows: RowSet,
    /// Those reached at the level that is being spread.
    pub(super) coming: Vec<u64>,
    pub(super) coming_rows: RowSet,
}

/// A set of rows.
#[derive(Clone, Debug)]
pub(super) struct RowSet(Vec<u64>);

impl RowSet {
    pub(super) fn new(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The first row of the set from `row` on.
    pub(super) fn first_from(&self, row: usize) -> Option<usize> {
        let mut index = row / 64;
        let mut word = *self.0.get(index)? & (u64::MAX << (row % 64));
        while word == 0 {
            index += 1;
            word = *self.0.get(index)?;
        }
        Some(index * 64 + word.trailing_zeros() as usize)
    }

    /// The last row of the set up to `row`.
    pub(super) fn last_to(&self, row: usize) -> Option<usize> {
        let mut index = row / 64;
        let mut word = self.0[index] & (u64::MAX >> (63 - row % 64));
        while word == 0 {
            index = index.checked_sub(1)?;
            word = self.0[index];
        }
        Some(index * 64 + 63 - word.leading_zeros() as usize)
    }
}

impl Shape {
    pub(super) const fn index(self, place: Place) -> (usize, u64) {
        (place.row() * self.words + place.col() / 64, 1 << (place.col() % 64))
    }

    pub(super) const fn row(self, row: usize) -> Range<usize> {
        row * self.words..(row + 1) * self.words
    }
}

impl Front {
    pub(super) fn new(shape: Shape) -> Self {
        let words = || vec![0; shape.rows * shape.words];
        Self {
            reached: words(),
            level_low: words(),
            level_high: words(),
            new: words(),
            new_rows: RowSet::new(shape.rows),
            coming: words(),
            coming_rows: RowSet::new(shape.rows),
        }
    }

    /// Marks cells of one word, none of them reached before, as reached at `level`.
    pub(super) fn reach(&mut self, index: usize, cells: u64, level: u32) {
        self.reached[index] |= cells;
        self.level_low[index] |= if level & 1 == 0 { 0 } else { cells };
        self.level_high[index] |= if level & 2 == 0 { 0 } else { cells };
        self.coming[index] |= cells;
    }

    /// Makes the coming cells the new ones.
    pub(super) fn advance(&mut self, shape: Shape) {
        let mut row = 0;
        while let Some(next) = self.new_rows.first_from(row) {
            self.new[shape.row(next)].fill(0);
            row = next + 1;
        }
        self.new_rows.clear();
        std::mem::swap(&mut self.new, &mut self.coming);
        std::mem::swap(&mut self.new_rows, &mut self.coming_rows);
    }

    /// The cells of a word that were reached at `level`, known to differ by at most 1 or 2.
    pub(super) fn at_level(&self, index: usize, level: u32) -> u64 {
        let low = if level & 1 == 0 { !self.level_low[index] } else { self.level_low[index] };
        let high = if level & 2 == 0 { !self.level_high[index] } else { self.level_high[index] };
        self.reached[index] & low & high
    }

    pub(super) fn clear(&mut self, words: Range<usize>) {
        let all = [
            &mut self.reached,
            &mut self.level_low,
            &mut self.level_high,
            &mut self.new,
            &mut self.coming,
        ];
        for list in all {
            list[words.clone()].fill(0);
        }
    }
}

/// The free cells of the framed board.
pub(super) fn free_cells(tiles: &CellSet, outside: bool, shape: Shape) -> Vec<u64> {
    let size = tiles.size();
    let margin = usize::from(!outside);
    let mut free = vec![0; shape.rows * shape.words];
    for row in margin..size.rows + 2 - margin {
        for (word, cells) in free[shape.row(row)].iter_mut().enumerate() {
            // The bits of the columns below `end`.
            let below = |end: usize| match end.saturating_sub(word * 64) {
                bits @ 0..64 => (1 << bits) - 1,
                _ => u64::MAX,
            };
            *cells = below(size.cols + 2 - margin) & !below(margin);
        }
    }
    for tile in tiles.iter() {
        let (index, bit) = shape.index(Place::of(tile));
        free[index] &= !bit;
    }
    free
}
