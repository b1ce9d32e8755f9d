//! Who searches for whom: shares the pairs out among searches.
//!
//! A search from one tile, its *root*, serves every pair that has the tile as an
//! end. Most pairs have `from` as the root. Where the roots lie dense, searches
//! from up to [`LANES`] of them run together ([`super::batch`]), the nearer to
//! each other the better, so the tiles are numbered block by block along a curve. Where
//! they lie far apart or are few, each sends out a wave of its own
//! ([`super::wave`]), unless the first waves turn out to be dear.
//!
//! Where only the numbers of segments are asked for, of very many roots on a large
//! board, no tile is searched from at all ([`super::cuts`]).
//!
//! When the corners are asked for, the tie between equal paths is broken from
//! `to` back to `from`: batches and waves do that by walking from `to` to their
//! root. A third search, with `to` as the root, finds the same paths
//! ([`super::tree`]); a `to` gets one when its pairs alone would take many searches
//! from `from`. Without corners either end will do, and a pair goes to the end that
//! has more pairs.

use super::super::board::Board;
use super::runs::Place;
use crate::budget::{Budget, Stop};
use crate::grid::{Cell, Size};

/// How many roots a batch has: the bits of a word.
pub(super) const LANES: usize = 64;

/// How many searches from `from` cost as much as a search with `to` as the root.
const PRICE_OF_A_TREE: u64 = 16;

/// How many cells a root may have to itself where roots are searched from in batches.
const CELLS_A_BATCHED_ROOT: usize = 64;

/// From how many cells on, and from how many roots for each cell of a row and a
/// column, cuts through the board are quicker than a search from each root.
const CELLS_OF_A_CUT_BOARD: usize = 30_000;
const ROOTS_OF_A_CUT_BOARD: usize = 1;

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
    /// The pairs that waves answer, root by root, and for a root by far end.
    pub(super) waved: Vec<Job>,
    /// The pairs that searches with `to` as the root answer, in the same order.
    pub(super) treed: Vec<Job>,
    /// The pairs that cuts through the board answer, in any order.
    pub(super) cut: Vec<Job>,
    /// The number of the end tile in each cell of the board.
    numbers: Vec<EndTile>,
    size: Size,
}

/// A pair to be answered by a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The end where the search begins: in a batched job its index among the
    /// batches' roots, else the tile.
    pub(super) root: u32,
    /// The other end.
    pub(super) far: EndTile,
    /// The index of the pair.
    pub(super) pair: u32,
}

impl Job {
    /// The pairs of `board` whose tiles do not lie side by side, their ends numbered by `number`.
    pub(super) fn of_pairs(board: &Board, number: impl Fn(Cell) -> EndTile) -> Vec<Self> {
        let pairs = board.pairs().iter().enumerate();
        pairs
            .filter(|(_, pair)| !pair.is_adjacent())
            .map(|(index, pair)| Self {
                root: number(pair.from),
                far: number(pair.to),
                pair: index as u32,
            })
            .collect()
    }

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
        let size = board.size();
        budget.reserve(bytes(board.pairs().len(), size.area()))?;
        let (numbers, places) = number_ends(board, budget)?;
        budget.poll()?;
        let number = |cell| numbers[size.index(cell).expect("ends are on board")];
        let pairs = Job::of_pairs(board, number);
        let tiles = places.len();
        let (treed, mut others) = if board.options().corners {
            share_with_corners(pairs, tiles)
        } else {
            (Vec::new(), share_without_corners(pairs, tiles))
        };
        budget.poll()?;
        let roots = roots_of(&others, tiles).len();
        let mut plan = Self {
            places,
            batch_roots: Vec::new(),
            batched: Vec::new(),
            waved: Vec::new(),
            cut: Vec::new(),
            treed: by_root(&treed, tiles, budget)?,
            numbers,
            size,
        };
        let is_capped = board.options().max_segments.is_some();
        if !board.options().corners && !is_capped && cuts_pay(size, roots) {
            plan.cut = others;
        } else if roots * CELLS_A_BATCHED_ROOT < size.area() {
            plan.waved = by_root(&others, tiles, budget)?;
        } else {
            plan.batch(&mut others, budget)?;
        }
        Ok(plan)
    }

    /// Takes the pairs from this one on away from waves: with corners they get
    /// searches with `to` as the root, else batches.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn give_up_waves(
        &mut self,
        first: usize,
        with_corners: bool,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let mut rest = self.waved.split_off(first);
        if with_corners {
            let from_its_other_end = |job: &Job| Job { root: job.far, far: job.root, ..*job };
            let treed: Vec<Job> =
                self.treed.iter().copied().chain(rest.iter().map(from_its_other_end)).collect();
            self.treed = by_root(&treed, self.places.len(), budget)?;
        } else {
            self.batch(&mut rest, budget)?;
        }
        Ok(())
    }

    /// Takes the pairs away from cuts, to batches.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn give_up_cuts(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let mut jobs = std::mem::take(&mut self.cut);
        self.batch(&mut jobs, budget)
    }

    /// Gives jobs to batches.
    fn batch(&mut self, jobs: &mut [Job], budget: &mut Budget) -> Result<(), Stop> {
        let tiles = self.places.len();
        self.batch_roots = roots_of(jobs, tiles);
        number_roots(jobs, &self.batch_roots, tiles);
        let by_far = sorted(jobs, tiles, |job| job.far as usize);
        budget.poll()?;
        self.batched = sorted(&by_far, self.batch_roots.len().div_ceil(LANES), Job::batch);
        Ok(())
    }

    /// The number of the end tile at a place of the board.
    pub(super) fn number(&self, place: Place) -> EndTile {
        self.numbers[self.size.index(place.cell()).expect("tiles are on board")]
    }
}

/// Whether cuts through the board are quicker than a search from each root.
const fn cuts_pay(size: Size, roots: usize) -> bool {
    size.area() >= CELLS_OF_A_CUT_BOARD && roots >= ROOTS_OF_A_CUT_BOARD * (size.rows + size.cols)
}

/// The jobs root by root, and for a root by far end.
fn by_root(jobs: &[Job], tiles: usize, budget: &mut Budget) -> Result<Vec<Job>, Stop> {
    let by_far = sorted(jobs, tiles, |job| job.far as usize);
    budget.poll()?;
    Ok(sorted(&by_far, tiles, |job| job.root as usize))
}

/// The roots of these jobs, in order.
fn roots_of(jobs: &[Job], tiles: usize) -> Vec<EndTile> {
    let mut is_root = vec![false; tiles];
    for job in jobs {
        is_root[job.root as usize] = true;
    }
    (0..tiles as u32).filter(|&tile| is_root[tile as usize]).collect()
}

/// Makes each job's root its index among `roots`.
fn number_roots(jobs: &mut [Job], roots: &[EndTile], tiles: usize) {
    let mut root_index = vec![0; tiles];
    for (index, &tile) in roots.iter().enumerate() {
        root_index[tile as usize] = index as u32;
    }
    for job in jobs {
        job.root = root_index[job.root as usize];
    }
}

/// The bytes that a plan takes for `pairs` pairs on a board of `area` cells.
const fn bytes(pairs: usize, area: usize) -> usize {
    // Two jobs a pair while they are sorted, and at most two end tiles a pair.
    area * size_of::<EndTile>()
        + pairs * (2 * size_of::<Job>() + 2 * (size_of::<Place>() + 4 * size_of::<u32>()))
}

/// Numbers the ends of all pairs along a curve: the number of each cell of the
/// board, and the place of each number.
fn number_ends(board: &Board, budget: &mut Budget) -> Result<(Vec<EndTile>, Vec<Place>), Stop> {
    let index = |cell| board.size().index(cell).expect("ends are on board");
    let mut numbers = vec![0; board.size().area()];
    let mut ends = Vec::new();
    for pair in board.pairs() {
        for cell in [pair.from, pair.to] {
            let number = &mut numbers[index(cell)];
            if *number == 0 {
                *number = 1;
                ends.push(Place::of(cell));
            }
        }
    }
    budget.poll()?;
    let blocks = Place::new(board.size().rows + 1, board.size().cols + 1);
    let most_blocks = blocks.row().max(blocks.col()).next_power_of_two().pow(2) / 64 + 1;
    let in_order = sorted(&ends, most_blocks, |place| place.block_on_curve());
    let places: Vec<Place> = std::iter::once(Place::unpacked(0)).chain(in_order).collect();
    for (number, place) in places.iter().enumerate().skip(1) {
        numbers[index(place.cell())] = number as EndTile;
    }
    Ok((numbers, places))
}

/// The jobs of searches with `to` as the root, and the others.
fn share_with_corners(pairs: Vec<Job>, tiles: usize) -> (Vec<Job>, Vec<Job>) {
    let mut pairs_from = vec![0_u64; tiles];
    for job in &pairs {
        pairs_from[job.root as usize] += 1;
    }
    // A pair's part of the price of the search from its `from`, summed up for each `to`.
    const SEARCH: u64 = 1 << 20;
    let mut price = vec![0; tiles];
    for job in &pairs {
        price[job.far as usize] += SEARCH / pairs_from[job.root as usize];
    }
    let (treed, others): (Vec<Job>, Vec<Job>) =
        pairs.into_iter().partition(|job| price[job.far as usize] > PRICE_OF_A_TREE * SEARCH);
    let from_its_other_end = |job: Job| Job { root: job.far, far: job.root, ..job };
    (treed.into_iter().map(from_its_other_end).collect(), others)
}

/// The jobs, each with the end as root that has more pairs.
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

/// The items in order of a key below `keys`; items of equal keys stay in order.
fn sorted<Item: Copy>(items: &[Item], keys: usize, key: impl Fn(&Item) -> usize) -> Vec<Item> {
    let Some(&any) = items.first() else { return Vec::new() };
    let mut next = vec![0_u32; keys + 1];
    for item in items {
        next[key(item) + 1] += 1;
    }
    for index in 1..next.len() {
        next[index] += next[index - 1];
    }
    let mut in_order = vec![any; items.len()];
    for item in items {
        let slot = &mut next[key(item)];
        in_order[*slot as usize] = *item;
        *slot += 1;
    }
    in_order
}
