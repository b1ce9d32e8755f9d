//! The answer: a path for each pair, stored compactly and shared, since 100 000
//! paths travel from the search through the check to the page that is sent.

use std::fmt;
use std::sync::Arc;

use crate::grid::Cell;

/// A path for each pair of a board, in the order of the pairs. Clones share
/// one store.
#[derive(Clone)]
pub struct Paths {
    store: Arc<Store>,
}

#[derive(Debug, Default)]
struct Store {
    spans: Vec<Span>,
    corners: Vec<Corner>,
}

/// The segments of one path, and where its corners begin in the store.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    segments: u32,
    corner_count: u32,
    first_corner: usize,
}

/// A cell in four bytes; −1 to 1000 fit well.
#[derive(Clone, Copy, Debug)]
struct Corner {
    row: i16,
    col: i16,
}

/// One path.
#[derive(Clone, Copy, Debug)]
pub struct Path<'paths> {
    segments: u32,
    corners: &'paths [Corner],
}

impl Paths {
    /// The number of paths.
    pub fn len(&self) -> usize {
        self.store.spans.len()
    }

    /// Whether there is no path at all, not even a missing one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The path of the pair with this index.
    ///
    /// # Panics
    /// When there is no such pair.
    pub fn path(&self, pair: usize) -> Path<'_> {
        let span = self.store.spans[pair];
        let corners = &self.store.corners[span.first_corner..][..span.corner_count as usize];
        Path { segments: span.segments, corners }
    }

    /// Every path, in the order of the pairs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Path<'_>> {
        (0..self.len()).map(|pair| self.path(pair))
    }
}

impl fmt::Debug for Paths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl<'paths> Path<'paths> {
    /// The number of segments; 0 where there is no path.
    pub const fn segments(self) -> u32 {
        self.segments
    }

    /// From one tile to the other, both included, with the turns between; empty
    /// where there is no path and where corners were not asked for.
    pub fn corners(self) -> impl ExactSizeIterator<Item = Cell> + 'paths {
        self.corners.iter().map(|corner| Cell::new(corner.row.into(), corner.col.into()))
    }
}

/// Paths while they are being found, in any order.
#[derive(Debug)]
pub(super) struct PathsBuilder {
    store: Store,
    answered: usize,
}

impl PathsBuilder {
    /// The bytes of a builder for `pairs` pairs, corners not counted.
    pub(super) const fn bytes(pairs: usize) -> usize {
        pairs * size_of::<Span>()
    }

    /// The bytes that one corner takes here.
    pub(super) const CORNER_BYTES: usize = size_of::<Corner>();

    /// A builder in which no pair has a path yet.
    pub(super) fn new(pairs: usize) -> Self {
        Self {
            store: Store { spans: vec![Span::default(); pairs], corners: Vec::new() },
            answered: 0,
        }
    }

    /// The number of corners that can be added before more memory is taken.
    pub(super) const fn spare_corners(&self) -> usize {
        self.store.corners.capacity() - self.store.corners.len()
    }

    /// The number of corners that memory was taken for.
    pub(super) const fn corner_capacity(&self) -> usize {
        self.store.corners.capacity()
    }

    /// Takes memory for `capacity` corners in all.
    pub(super) fn grow(&mut self, capacity: usize) {
        self.store.corners.reserve_exact(capacity.saturating_sub(self.store.corners.len()));
    }

    /// Sets the number of segments of a pair's path; `corner_count` corners must follow.
    pub(super) fn begin(&mut self, pair: usize, segments: u32, corner_count: u32) {
        self.answered += 1;
        self.store.spans[pair] =
            Span { segments, corner_count, first_corner: self.store.corners.len() };
    }

    /// Adds the next corner to the path of the pair that was begun last.
    pub(super) fn push(&mut self, cell: Cell) {
        self.store.corners.push(Corner { row: cell.row as i16, col: cell.col as i16 });
    }

    /// Turns round the last `corner_count` corners.
    pub(super) fn reverse(&mut self, corner_count: usize) {
        let first = self.store.corners.len() - corner_count;
        self.store.corners[first..].reverse();
    }

    /// The number of pairs that were begun.
    pub(super) const fn answered(&self) -> usize {
        self.answered
    }

    /// The paths; a pair that was never begun has none.
    pub(super) fn finish(self) -> Paths {
        Paths { store: Arc::new(self.store) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_in_the_order_of_the_pairs() {
        let mut builder = PathsBuilder::new(3);
        builder.begin(2, 1, 2);
        for cell in [Cell::new(-1, 0), Cell::new(1000, 7)] {
            builder.push(cell);
        }
        builder.begin(0, 1, 2);
        for cell in [Cell::new(3, 4), Cell::new(3, 9)] {
            builder.push(cell);
        }
        builder.reverse(2);
        assert_eq!(builder.answered(), 2);
        let paths = builder.finish();
        let cells = |pair: usize| paths.path(pair).corners().collect::<Vec<_>>();
        assert_eq!(cells(0), [Cell::new(3, 9), Cell::new(3, 4)]);
        assert_eq!((paths.path(1).segments(), cells(1)), (0, Vec::new()));
        assert_eq!(cells(2), [Cell::new(-1, 0), Cell::new(1000, 7)]);
    }
}
