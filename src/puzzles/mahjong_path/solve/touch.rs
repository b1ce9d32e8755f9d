//! Which end tiles each run touches end-on: two at most.

use super::plan::{EndTile, Plan};
use super::runs::Runs;
use crate::budget::{Budget, Stop};
use crate::grid::Direction;

/// The end tiles that the runs touch.
#[derive(Debug)]
pub(super) struct Touch {
    /// For each run the tile before its first cell and the one after its last; 0 for none.
    tiles: Vec<[EndTile; 2]>,
}

impl Touch {
    /// Notes down the runs around every end tile.
    ///
    /// # Errors
    /// When it does not fit into the budget.
    pub(super) fn of(runs: &Runs, plan: &Plan, budget: &mut Budget) -> Result<Self, Stop> {
        budget.reserve(runs.count() * size_of::<[EndTile; 2]>())?;
        let mut tiles = vec![[0; 2]; runs.count()];
        for (tile, &place) in plan.places.iter().enumerate().skip(1) {
            budget.tick()?;
            for ray in runs.around(place).into_iter().flatten() {
                let tile_is_after = matches!(ray.direction, Direction::North | Direction::West);
                tiles[ray.run as usize][usize::from(tile_is_after)] = tile as EndTile;
            }
        }
        Ok(Self { tiles })
    }

    /// The end tiles that `run` touches; 0 stands for none.
    pub(super) fn tiles(&self, run: u32) -> [EndTile; 2] {
        self.tiles[run as usize]
    }
}
