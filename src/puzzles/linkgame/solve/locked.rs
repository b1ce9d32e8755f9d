//! Tiles that lock each other in, and a small set of them.
//!
//! A relaxed play lets a tile go as soon as a path joins it to any other of its kind,
//! gone or not. What stays is the greatest set whose tiles lock each other in, and the
//! board can be cleared only if nothing stays. The set is then made small: each tile in
//! turn is let go, with all that then can; if something stays, it is a smaller set.
//! The result has no smaller such set within it. O(tiles) relaxed plays.

use crate::budget::{Budget, Stop};

use super::play::Play;

/// Lets go what can; the stuck tiles that stay are on the board afterwards.
pub(super) fn relax(play: &mut Play<'_>, budget: &mut Budget) -> Result<(), Stop> {
    let mut cursor = 0;
    loop {
        while let Some(&pair) = play.opened().get(cursor) {
            cursor += 1;
            let (one, other) = play.tiles.pairs[pair as usize];
            for tile in [one, other] {
                if play.stands(tile) {
                    budget.tick()?;
                    play.remove(tile);
                }
            }
        }
        if !play.catch_up() && !let_go_alone(play, budget)? {
            return Ok(());
        }
    }
}

/// Lets go every tile that is joined to one that is gone; whether there was any.
fn let_go_alone(play: &mut Play<'_>, budget: &mut Budget) -> Result<bool, Stop> {
    let tiles = play.tiles;
    let left = play.left();
    for (kind, group) in tiles.groups.iter().enumerate() {
        if play.left_of(kind as u16) == 0 || play.left_of(kind as u16) == group.len() {
            continue;
        }
        for &tile in group {
            let is_joined = play.stands(tile)
                && group
                    .iter()
                    .any(|&gone| !play.stands(gone) && play.is_joined(tiles.pair(tile, gone)));
            if is_joined {
                budget.tick()?;
                play.remove(tile);
            }
        }
    }
    Ok(play.left() < left)
}

/// The stuck tiles of a board, none of which can be spared; empty when none is stuck.
pub(super) fn stuck_set(play: &mut Play<'_>, budget: &mut Budget) -> Result<Vec<u16>, Stop> {
    relax(play, budget)?;
    for tile in 0..play.tiles.len() as u16 {
        if !play.stands(tile) {
            continue;
        }
        let before = play.now();
        play.remove(tile);
        relax(play, budget)?;
        if play.left() == 0 {
            play.back_to(before);
        }
    }
    Ok((0..play.tiles.len() as u16).filter(|&tile| play.stands(tile)).collect())
}
