//! The fewest segments of very many pairs on a large board, without a search
//! from any of their tiles: divide and conquer over cuts.
//!
//! Cut a board by a row. A path that has a cell in that row takes one of the
//! vertical runs that cross it, unless it is one segment along it: so with the
//! numbers of segments from each such run to all tiles of interest, the fewest
//! segments of a pair by way of the cut is the least sum of two of them, less the
//! run that counts twice. All other paths lie in one of the halves, where the same
//! is done with shorter cuts. Pairs that one segment joins are told beforehand.
//!
//! A board of n × n cells takes about 3 n searches' work in all, however many tiles
//! there are, and the runs that cross a cut lie side by side, as batches like it.
//! A pair is compared with O(n) runs, 64 at a time.
//!
//! The method is that of separators in planar graphs: Lipton and Tarjan,
//! "Applications of a planar separator theorem", SIAM J. Comput. 9(3), 1980.

mod sweep;

use std::ops::Range;

use self::sweep::{FAR, Sweep};
use super::super::board::Board;
use super::plan::{EndTile, Job, LANES};
use super::runs::{NO_RUN, Place, Runs, blocked_cells};
use crate::budget::{Budget, Stop};

/// How many pairs are compared between two looks at the budget.
const PAIRS_A_TICK: usize = 16;

/// The fewest segments of each job, 0 for no path; `None` where the levels grow
/// too great to be counted here.
///
/// # Errors
/// When the budget is used up.
pub(super) fn fewest(
    board: &Board,
    places: &[Place],
    jobs: &[Job],
    budget: &mut Budget,
) -> Result<Option<Vec<u16>>, Stop> {
    let (rows, cols) = (board.size().rows + 2, board.size().cols + 2);
    let bytes = rows * cols
        + places.len() * size_of::<u32>()
        // A pair of two tiles on the lines of two cuts is in four parts.
        + jobs.len() * (size_of::<u16>() + 4 * size_of::<u32>());
    budget.reserve(bytes)?;
    let mut cuts = Cuts {
        blocked: blocked_cells(board),
        cols,
        places,
        jobs,
        fewest: vec![FAR; jobs.len()],
        tile_index: vec![NO_TILE; places.len()],
    };
    let whole = Part { rows: 0..rows, cols: 0..cols };
    let mut parts = vec![(whole, (0..jobs.len() as u32).collect::<Vec<u32>>())];
    let mut is_whole = true;
    while let Some((part, pairs)) = parts.pop() {
        if !cuts.join_across(&part, &pairs, is_whole, budget)? {
            return Ok(None);
        }
        is_whole = false;
        for half in part.halves() {
            let inside = cuts.pairs_within(&half, &pairs);
            if !inside.is_empty() {
                parts.push((half, inside));
            }
        }
    }
    budget.release(bytes);
    let known = cuts.fewest.into_iter().map(|segments| if segments == FAR { 0 } else { segments });
    Ok(Some(known.collect()))
}

/// A rectangle of the framed board, within which paths are sought.
#[derive(Clone, Debug)]
struct Part {
    rows: Range<usize>,
    cols: Range<usize>,
}

impl Part {
    fn is_cut_by_row(&self) -> bool {
        self.rows.len() >= self.cols.len()
    }

    /// The line of the cut, and what lies on either side of it.
    fn halves(&self) -> [Self; 2] {
        let (rows, cols) = (self.rows.clone(), self.cols.clone());
        if self.is_cut_by_row() {
            let cut = middle(&rows);
            [
                Self { rows: rows.start..cut, cols: cols.clone() },
                Self { rows: cut + 1..rows.end, cols },
            ]
        } else {
            let cut = middle(&cols);
            [
                Self { rows: rows.clone(), cols: cols.start..cut },
                Self { rows, cols: cut + 1..cols.end },
            ]
        }
    }

    /// Whether a path within this part may end at a tile: one in it or beside it.
    fn touches(&self, tile: Place) -> bool {
        let near = |line: usize, lines: &Range<usize>| {
            !lines.is_empty() && line + 1 >= lines.start && line <= lines.end
        };
        near(tile.row(), &self.rows) && near(tile.col(), &self.cols)
    }

    /// Where a place lies in the part framed by two blocked cells on each side:
    /// one for tiles beside the part, and one beside those.
    fn local(&self, place: Place) -> Place {
        Place::new(place.row() + 2 - self.rows.start, place.col() + 2 - self.cols.start)
    }
}

const fn middle(lines: &Range<usize>) -> usize {
    lines.start + (lines.end - lines.start) / 2
}

/// A tile that is no end of a pair of this part.
const NO_TILE: u32 = u32::MAX;

struct Cuts<'board> {
    blocked: Vec<bool>,
    cols: usize,
    places: &'board [Place],
    jobs: &'board [Job],
    fewest: Vec<u16>,
    /// The index of each end tile among those of the part at hand.
    tile_index: Vec<u32>,
}

impl Cuts<'_> {
    /// The pairs that may have a better path within a part.
    fn pairs_within(&self, part: &Part, pairs: &[u32]) -> Vec<u32> {
        let may_be_joined = |&&pair: &&u32| {
            let Job { root, far, .. } = self.jobs[pair as usize];
            self.fewest[pair as usize] > 2
                && part.touches(self.places[root as usize])
                && part.touches(self.places[far as usize])
        };
        pairs.iter().filter(may_be_joined).copied().collect()
    }

    /// Joins the pairs of a part by way of its cut; whether the levels could be counted.
    fn join_across(
        &mut self,
        part: &Part,
        pairs: &[u32],
        is_whole: bool,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let runs = self.runs_of(part, budget)?;
        let tiles = self.number_tiles(pairs);
        let bytes = Sweep::bytes(runs.count(), tiles.len());
        budget.reserve(bytes)?;
        let locals: Vec<Place> =
            tiles.iter().map(|&tile| part.local(self.places[tile as usize])).collect();
        if is_whole {
            self.join_in_sight(&runs, part, pairs, budget)?;
        }
        let mut sweep = Sweep::new(&runs, &locals, budget)?;
        let mut is_counted = true;
        for roots in crossing_runs(&runs, part).chunks(LANES) {
            is_counted &= sweep.run(roots, budget)?;
            for pairs in pairs.chunks(PAIRS_A_TICK) {
                budget.tick()?;
                for &pair in pairs {
                    let Job { root, far, .. } = self.jobs[pair as usize];
                    let [one, other] = [root, far].map(|tile| self.tile_index[tile as usize]);
                    let sum = sweep.least_sum(one, other);
                    let fewest = &mut self.fewest[pair as usize];
                    // The run of the cut was counted twice.
                    *fewest = (*fewest).min(if sum == FAR { FAR } else { sum - 1 });
                }
            }
        }
        for tile in tiles {
            self.tile_index[tile as usize] = NO_TILE;
        }
        drop(sweep);
        runs.release(budget);
        budget.release(bytes);
        Ok(is_counted)
    }

    /// Notes the pairs that one segment joins.
    fn join_in_sight(
        &mut self,
        runs: &Runs,
        part: &Part,
        pairs: &[u32],
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        for &pair in pairs {
            budget.tick()?;
            let Job { root, far, .. } = self.jobs[pair as usize];
            let [from, to] = [root, far].map(|tile| {
                let tile = part.local(self.places[tile as usize]);
                runs.around(tile).map(|ray| ray.map(|ray| ray.run))
            });
            if from.iter().flatten().any(|run| to.contains(&Some(*run))) {
                self.fewest[pair as usize] = 1;
            }
        }
        Ok(())
    }

    fn runs_of(&self, part: &Part, budget: &mut Budget) -> Result<Runs, Stop> {
        let (rows, cols) = (part.rows.len() + 4, part.cols.len() + 4);
        budget.reserve(rows * cols)?;
        let mut blocked = vec![true; rows * cols];
        for (row, cells) in part.rows.clone().zip(blocked.chunks_exact_mut(cols).skip(2)) {
            let line = &self.blocked[row * self.cols..][part.cols.clone()];
            cells[2..cols - 2].copy_from_slice(line);
        }
        let runs = Runs::of_cells(&blocked, (rows, cols), budget);
        budget.release(rows * cols);
        runs
    }

    /// Numbers the ends of these pairs, and lists them.
    fn number_tiles(&mut self, pairs: &[u32]) -> Vec<EndTile> {
        let mut tiles = Vec::new();
        for &pair in pairs {
            let Job { root, far, .. } = self.jobs[pair as usize];
            for tile in [root, far] {
                let index = &mut self.tile_index[tile as usize];
                if *index == NO_TILE {
                    *index = tiles.len() as u32;
                    tiles.push(tile);
                }
            }
        }
        tiles
    }
}

/// The runs that cross the cut of a part, from one end of it to the other.
fn crossing_runs(runs: &Runs, part: &Part) -> Vec<u32> {
    let by_row = part.is_cut_by_row();
    let through = |place| runs.through(part.local(place), by_row);
    let all: Vec<u32> = if by_row {
        let cut = middle(&part.rows);
        part.cols.clone().map(|col| through(Place::new(cut, col))).collect()
    } else {
        let cut = middle(&part.cols);
        part.rows.clone().map(|row| through(Place::new(row, cut))).collect()
    };
    all.into_iter().filter(|&run| run != NO_RUN).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::board::{Options, Pair};
    use super::super::plan::Plan;
    use super::*;
    use crate::grid::{Cell, CellSet, Size};

    #[test]
    fn cuts_find_the_numbers_that_searches_find() {
        for seed in 0..400 {
            let mut random = fastrand::Rng::with_seed(seed);
            let size = Size::new(random.usize(1..=24), random.usize(1..=24));
            let density = random.f64();
            let tiles = CellSet::from_cells(size, size.cells().filter(|_| random.f64() < density));
            let cells: Vec<Cell> = tiles.iter().collect();
            if cells.len() < 2 {
                continue;
            }
            let mut any = || cells[random.usize(..cells.len())];
            let pairs: Vec<Pair> = std::iter::repeat_with(|| Pair { from: any(), to: any() })
                .filter(|pair| pair.from != pair.to)
                .take(120)
                .collect();
            let outside = random.bool();
            let options = Options { outside, corners: false, max_segments: None };
            let board = Board::new(tiles, pairs, options).unwrap();
            let mut budget = Budget::unlimited();
            let paths = super::super::solve(&board, &mut budget).unwrap();
            let places: Vec<Place> = std::iter::once(Place::unpacked(0))
                .chain(cells.iter().map(|&cell| Place::of(cell)))
                .collect();
            let number = |cell| cells.binary_search(&cell).unwrap() as u32 + 1;
            let jobs = Job::of_pairs(&board, number);
            assert!(Plan::of(&board, &mut budget).unwrap().cut.is_empty());
            let fewest = fewest(&board, &places, &jobs, &mut budget).unwrap().unwrap();
            for (job, segments) in jobs.iter().zip(fewest) {
                let expected = paths.path(job.pair as usize).segments();
                assert_eq!(u32::from(segments), expected, "seed {seed} {job:?}\n{board}");
            }
        }
    }
}
