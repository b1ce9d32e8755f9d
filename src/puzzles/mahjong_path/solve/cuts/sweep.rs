//! Searches from up to 64 runs at once to all tiles of a part of the board.

use super::super::plan::LANES;
use super::super::runs::{Place, Runs};
use crate::budget::{Budget, Stop};

/// Not reached. Levels stay below half of it, so that no sum of two is taken for it.
pub(super) const FAR: u16 = u16::MAX;
const MAX_LEVEL: u16 = FAR / 2;

/// What a sweep knows of a run, a bit for each root.
#[derive(Clone, Copy, Debug, Default)]
struct RunState {
    seen: u64,
    coming: u64,
}

/// Searches from up to 64 runs at once, as [`super::batch`] does from tiles, to
/// all tiles of a part.
pub(super) struct Sweep<'part> {
    runs: &'part Runs,
    states: Vec<RunState>,
    frontier: Vec<(u32, u64)>,
    coming: Vec<u32>,
    coming_count: usize,
    /// The tiles that each run touches, one more than their index; 0 for none.
    touched: Vec<[u32; 2]>,
    /// The roots that have not reached each tile; the first entry stands for no tile.
    missing: Vec<u64>,
    /// The level at which each root reached each tile.
    levels: Vec<[u16; LANES]>,
}

impl<'part> Sweep<'part> {
    /// The bytes that a sweep takes.
    pub(super) const fn bytes(runs: usize, tiles: usize) -> usize {
        let per_run = size_of::<RunState>()
            + size_of::<(u32, u64)>()
            + size_of::<u32>()
            + size_of::<[u32; 2]>();
        let per_tile = size_of::<u64>() + size_of::<[u16; LANES]>() + 2 * size_of::<u32>();
        runs * per_run + tiles * per_tile
    }

    /// Empty tables for a part with these tiles.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn new(
        runs: &'part Runs,
        tiles: &[Place],
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let mut touched = vec![[0; 2]; runs.count()];
        for (index, &tile) in tiles.iter().enumerate() {
            budget.tick()?;
            for ray in runs.around(tile).into_iter().flatten() {
                let sides = &mut touched[ray.run as usize];
                let free_side = usize::from(sides[0] != 0);
                sides[free_side] = index as u32 + 1;
            }
        }
        Ok(Self {
            runs,
            states: vec![RunState::default(); runs.count()],
            frontier: Vec::new(),
            coming: vec![0; runs.count() + 1],
            coming_count: 0,
            touched,
            missing: vec![0; tiles.len() + 1],
            levels: vec![[FAR; LANES]; tiles.len()],
        })
    }

    /// Finds the levels of all tiles from these runs; whether they could be counted.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn run(&mut self, roots: &[u32], budget: &mut Budget) -> Result<bool, Stop> {
        self.states.fill(RunState::default());
        self.levels.fill([FAR; LANES]);
        self.missing[1..].fill(u64::MAX >> (LANES - roots.len()));
        for (lane, &root) in roots.iter().enumerate() {
            self.states[root as usize].coming = 1 << lane;
            self.coming[lane] = root;
        }
        self.coming_count = roots.len();
        let mut level = 0;
        while self.coming_count > 0 {
            level += 1;
            if level > MAX_LEVEL {
                return Ok(false);
            }
            self.arrive(level);
            self.expand(budget)?;
        }
        Ok(true)
    }

    fn arrive(&mut self, level: u16) {
        self.frontier.clear();
        for &run in &self.coming[..self.coming_count] {
            let state = &mut self.states[run as usize];
            let new = std::mem::take(&mut state.coming);
            state.seen |= new;
            self.frontier.push((run, new));
            for tile in self.touched[run as usize] {
                let mut reached = self.missing[tile as usize] & new;
                self.missing[tile as usize] &= !reached;
                while reached != 0 {
                    let lane = reached.trailing_zeros() as usize;
                    self.levels[tile as usize - 1][lane] = level;
                    reached &= reached - 1;
                }
            }
        }
    }

    fn expand(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let mut count = 0;
        for &(run, bits) in &self.frontier {
            budget.tick()?;
            for &neighbour in self.runs.neighbours(run) {
                let state = &mut self.states[neighbour as usize];
                let before = state.coming;
                state.coming |= bits & !state.seen;
                self.coming[count] = neighbour;
                count += usize::from((before == 0) & (state.coming != 0));
            }
        }
        self.coming_count = count;
        Ok(())
    }

    /// The least sum of the levels of two tiles from one root.
    pub(super) fn least_sum(&self, one: u32, other: u32) -> u16 {
        let levels = self.levels[one as usize].iter().zip(&self.levels[other as usize]);
        levels.map(|(one, other)| one.saturating_add(*other)).fold(FAR, u16::min)
    }
}
