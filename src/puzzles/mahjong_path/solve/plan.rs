//! Who searches for whom: shares the pairs out among searches.
//!
//! A search from one tile, its *root*, serves every pair that has the tile as an
//! end. Searches from up to [`LANES`] roots run together, a bit each, for about
//! the price of five ([`super::batch`]); those roots should lie close together,
//! so the tiles are numbered along a Z-order curve.
//!
//! When the corners are asked for, the tie between equal paths is broken from
//! `from` on. A batch can do that with `to` as the root, walking towards it; a
//! single search can do it with `from` as the root ([`super::tree`]). So `from`
//! gets a single search when its pairs would take more than that search's worth
//! of batches otherwise. Without corners either end does, and a pair goes to
//! the end that has more pairs.

use super::super::board::Board;
use super::runs::Place;
use crate::budget::{Budget, Stop};

/// How many roots a batch has: the bits of a word.
pub(super) const LANES: usize = 64;

/// How many roots of a batch cost as much as a single search.
const BATCHED_AT_THE_PRICE_OF_ONE: u64 = 16;

/// The number of a tile that is an end of some pair, from 1; 0 is no such tile.
pub(super) type EndTile = u32;

/// The searches to run, with the pairs that each answers.
#[derive(Debug)]
pub(super) struct Plan {
    /// The place of each end tile; the first entry stands for no tile.
    pub(super) places: Vec<Place>,
    /// The roots of all batches, [`LANES`] a batch.
    pub(super) batch_roots: Vec<EndTile>,
    /// The pairs that batches answer, batch by batch, and in a batch by far end.
    pub(super) batched: Vec<Job>,
    /// The pairs that single searches answer, root by root.
    pub(super) single: Vec<Job>,
}

/// A pair to be answered by a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The end where the search begins: in a batched job its index among the
    /// batches' roots, in a single job the tile.
    pub(super) root: u32,
    /// The other end.
    pub(super) far: EndTile,
    /// The index of the pair.
    pub(super) pair: u32,
}

impl Job {
    /// The batch that answers a batched job.
    pub(super) const fn batch(&self) -> usize {
        self.root as usize / LANES
    }

    /// The bit of its root in that batch.
    pub(super) const fn lane(&self) -> u32 {
        self.root % LANES as u32
    }
}

impl Plan {
    /// Shares out the pairs of `board` whose tiles do not lie side by side.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn of(board: &Board, budget: &mut Budget) -> Result<Self, Stop> {
        let (numbers, places) = number_ends(board, budget)?;
        let pairs: Vec<Job> = board
            .pairs()
            .iter()
            .enumerate()
            .filter(|(_, pair)| !pair.is_adjacent())
            .map(|(index, pair)| {
                let number = |cell| numbers[board.size().index(cell).expect("ends are on board")];
                Job { root: number(pair.to), far: number(pair.from), pair: index as u32 }
            })
            .collect();
        budget.poll()?;
        let (single, mut batched) = if board.options().corners {
            share_with_corners(pairs, places.len())
        } else {
            (Vec::new(), share_without_corners(pairs, places.len()))
        };
        budget.poll()?;
        Ok(Self::in_order(places, &single, &mut batched))
    }

    /// Numbers the batches' roots and sorts the jobs.
    fn in_order(places: Vec<Place>, single: &[Job], batched: &mut [Job]) -> Self {
        let tiles = places.len();
        let mut is_root = vec![false; tiles];
        for job in &*batched {
            is_root[job.root as usize] = true;
        }
        let batch_roots: Vec<EndTile> =
            (0..tiles as u32).filter(|&tile| is_root[tile as usize]).collect();
        let mut root_index = vec![0; tiles];
        for (index, &tile) in batch_roots.iter().enumerate() {
            root_index[tile as usize] = index as u32;
        }
        for job in &mut *batched {
            job.root = root_index[job.root as usize];
        }
        let batches = batch_roots.len().div_ceil(LANES);
        let batched = sorted(batched, tiles, |job| job.far as usize);
        let batched = sorted(&batched, batches, Job::batch);
        let single = sorted(single, tiles, |job| job.far as usize);
        let single = sorted(&single, tiles, |job| job.root as usize);
        Self { places, batch_roots, batched, single }
    }
}

/// The bytes that a plan takes for `pairs` pairs on a board of `area` cells.
const fn bytes(pairs: usize, area: usize) -> usize {
    // Two jobs a pair while they are sorted, and at most two end tiles a pair.
    area * size_of::<EndTile>()
        + pairs * (2 * size_of::<Job>() + 2 * (size_of::<Place>() + 4 * size_of::<u32>()))
}

/// Numbers the ends of all pairs along a Z-order curve: the number of each cell
/// of the board, and the place of each number.
fn number_ends(board: &Board, budget: &mut Budget) -> Result<(Vec<EndTile>, Vec<Place>), Stop> {
    budget.reserve(bytes(board.pairs().len(), board.size().area()))?;
    let mut numbers = vec![0; board.size().area()];
    let mut places = vec![Place::unpacked(0)];
    for pair in board.pairs() {
        for cell in [pair.from, pair.to] {
            let number = &mut numbers[board.size().index(cell).expect("ends are on board")];
            if *number == 0 {
                *number = 1;
                places.push(Place::of(cell));
            }
        }
    }
    budget.poll()?;
    places[1..].sort_unstable_by_key(|place| place.along_curve());
    for (number, place) in places.iter().enumerate().skip(1) {
        numbers[board.size().index(place.cell()).expect("ends are on board")] = number as EndTile;
    }
    Ok((numbers, places))
}

/// The jobs of single searches with `from` as the root, and of batches with `to`.
fn share_with_corners(pairs: Vec<Job>, tiles: usize) -> (Vec<Job>, Vec<Job>) {
    let mut pairs_to = vec![0_u64; tiles];
    for job in &pairs {
        pairs_to[job.root as usize] += 1;
    }
    // A pair's part of the price of its root in a batch, summed up for each `from`.
    const ROOT: u64 = 1 << 20;
    let mut batched_price = vec![0; tiles];
    for job in &pairs {
        batched_price[job.far as usize] += ROOT / pairs_to[job.root as usize];
    }
    let (single, batched): (Vec<Job>, Vec<Job>) = pairs
        .into_iter()
        .partition(|job| batched_price[job.far as usize] > BATCHED_AT_THE_PRICE_OF_ONE * ROOT);
    let from_its_other_end = |job: Job| Job { root: job.far, far: job.root, ..job };
    (single.into_iter().map(from_its_other_end).collect(), batched)
}

/// The jobs of batches, each with the end as root that has more pairs.
fn share_without_corners(mut pairs: Vec<Job>, tiles: usize) -> Vec<Job> {
    let mut pairs_at = vec![0_u32; tiles];
    for job in &pairs {
        pairs_at[job.root as usize] += 1;
        pairs_at[job.far as usize] += 1;
    }
    for job in &mut pairs {
        if pairs_at[job.far as usize] > pairs_at[job.root as usize] {
            (job.root, job.far) = (job.far, job.root);
        }
    }
    pairs
}

/// The jobs in order of a key below `keys`; jobs of equal keys stay in order.
fn sorted(jobs: &[Job], keys: usize, key: impl Fn(&Job) -> usize) -> Vec<Job> {
    let Some(&any) = jobs.first() else { return Vec::new() };
    let mut next = vec![0_u32; keys + 1];
    for job in jobs {
        next[key(job) + 1] += 1;
    }
    for index in 1..next.len() {
        next[index] += next[index - 1];
    }
    let mut in_order = vec![any; jobs.len()];
    for job in jobs {
        let slot = &mut next[key(job)];
        in_order[*slot as usize] = *job;
        *slot += 1;
    }
    in_order
}
