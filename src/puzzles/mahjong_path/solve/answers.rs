//! Where the searches put their paths: within the cap on segments, and within
//! the budget's memory.

use super::super::answer::{Paths, PathsBuilder};
use super::super::board::Board;
use super::runs::Place;
use crate::budget::{Budget, Stop};

/// What a path and a corner may take on the page that is sent, in bytes, beside
/// what they take here: the page is built while the paths are still held.
const PATH_PAGE_BYTES: usize = 32;
const CORNER_PAGE_BYTES: usize = 24;

/// The paths found so far.
#[derive(Debug)]
pub(super) struct Answers {
    paths: PathsBuilder,
    wants_corners: bool,
    max_segments: u32,
}

impl Answers {
    /// Room for the paths of `board`.
    ///
    /// # Errors
    /// When it does not fit into the budget.
    pub(super) fn of(board: &Board, budget: &mut Budget) -> Result<Self, Stop> {
        let pairs = board.pairs().len();
        budget.reserve(PathsBuilder::bytes(pairs) + pairs * PATH_PAGE_BYTES)?;
        let options = board.options();
        Ok(Self {
            paths: PathsBuilder::new(pairs),
            wants_corners: options.corners,
            max_segments: options.max_segments.map_or(u32::MAX, u32::from),
        })
    }

    /// Whether corners are asked for.
    pub(super) const fn wants_corners(&self) -> bool {
        self.wants_corners
    }

    /// Whether a path may have this many segments.
    pub(super) const fn allows(&self, segments: u32) -> bool {
        segments <= self.max_segments
    }

    /// Answers a pair that no path joins.
    pub(super) fn no_path(&mut self, pair: u32) {
        self.paths.begin(pair as usize, 0, 0);
    }

    /// Answers a pair; when corners are asked for, all `segments` + 1 of them must follow.
    ///
    /// # Errors
    /// When they do not fit into the budget.
    pub(super) fn begin(
        &mut self,
        pair: u32,
        segments: u32,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let corners = if self.wants_corners { segments as usize + 1 } else { 0 };
        if corners > 0 {
            budget.reserve(corners * CORNER_PAGE_BYTES)?;
            if self.paths.spare_corners() < corners {
                self.grow(corners, budget)?;
            }
        }
        self.paths.begin(pair as usize, segments, corners as u32);
        budget.show_best(self.answered() as u64);
        Ok(())
    }

    /// Adds the next corner of the pair that was begun last.
    pub(super) fn corner(&mut self, place: Place) {
        self.paths.push(place.cell());
    }

    /// Turns round the path of this many segments that was added last.
    pub(super) fn reverse(&mut self, segments: u32) {
        self.paths.reverse(segments as usize + 1);
    }

    /// The number of pairs answered so far.
    pub(super) const fn answered(&self) -> usize {
        self.paths.answered()
    }

    /// The paths, once every pair is answered.
    pub(super) fn finish(self) -> Paths {
        self.paths.finish()
    }

    fn grow(&mut self, corners: usize, budget: &mut Budget) -> Result<(), Stop> {
        let held = self.paths.corner_capacity();
        let needed = held + corners;
        let roomy = needed.max(2 * held).max(1024);
        for capacity in [roomy, needed] {
            let bytes = |corners: usize| corners * PathsBuilder::CORNER_BYTES;
            // While they are moved, the corners are held twice.
            if budget.reserve(bytes(capacity)).is_ok() {
                self.paths.grow(capacity);
                budget.release(bytes(held));
                return Ok(());
            }
        }
        Err(Stop::MemoryLimit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::board::{Options, Pair};
    use super::*;
    use crate::budget::CancelFlag;
    use crate::grid::{Cell, CellSet, Size};

    const MEMORY: usize = 1 << 20;

    #[test]
    fn the_memory_of_paths_and_corners_is_taken_before_they_are_held() {
        let (from, to) = (Cell::new(0, 0), Cell::new(0, 2));
        let tiles = CellSet::from_cells(Size::new(1, 3), [from, to]);
        let pairs = vec![Pair { from, to }; 900];
        let options = Options { outside: true, corners: true, max_segments: None };
        let board = Board::new(tiles, pairs, options).unwrap();
        let mut budget = Budget::new(None, CancelFlag::new(), MEMORY);
        let mut answers = Answers::of(&board, &mut budget).unwrap();
        // Three numbers a path, and its 32 bytes on the page.
        let spans = 900 * (16 + PATH_PAGE_BYTES);
        assert_eq!(MEMORY - budget.memory_left(), spans);
        let mut random = fastrand::Rng::with_seed(1);
        let mut corners = 0;
        for pair in 0..900 {
            let segments = random.u32(1..20);
            answers.begin(pair, segments, &mut budget).unwrap();
            for _ in 0..=segments {
                answers.corner(Place::of(from));
            }
            corners += segments as usize + 1;
            let taken = MEMORY - budget.memory_left() - spans - corners * CORNER_PAGE_BYTES;
            // A corner is four bytes, and room is taken for twice as many at most.
            assert!(
                (4 * corners..=4 * (2 * corners + 1024)).contains(&taken),
                "{corners}: {taken}"
            );
        }
        assert_eq!(answers.finish().path(899).corners().next(), Some(from));
    }

    #[test]
    fn paths_that_do_not_fit_are_refused() {
        let mut budget = Budget::new(None, CancelFlag::new(), 100);
        let mut answers =
            Answers { paths: PathsBuilder::new(2), wants_corners: true, max_segments: 9 };
        // Where there is no memory for room to spare, the corners themselves may fit.
        assert_eq!(answers.begin(0, 2, &mut budget), Ok(()));
        assert_eq!(budget.memory_left(), 100 - 3 * (CORNER_PAGE_BYTES + 4));
        assert_eq!(answers.begin(1, 1, &mut budget), Err(Stop::MemoryLimit));
    }
}
