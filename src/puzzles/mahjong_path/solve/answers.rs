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
