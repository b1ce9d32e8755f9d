//! Tiles that lock each other in, and a small set of them.
//!
//! A relaxed play lets a tile go as soon as a path joins it to any other of its kind,
//! gone or not. What stays is the greatest set whose tiles lock each other in, and the
//! board can be cleared only if nothing stays. The set is then made small: each tile in
//! turn is let go, with all that then can; if something stays, it is a smaller set.
//! The result has no smaller such set within it. O(tiles) relaxed plays, most of which
//! end early: once a tile is known to take everything with it, a play that lets it go
//! need not go on.

use crate::budget::{Budget, Stop};

use super::play::Play;

/// Removals that leave nothing stuck, found so far; they stay so when the set shrinks.
#[derive(Clone, Debug)]
pub(super) struct Dissolvers {
    single: Vec<bool>,
    double: Vec<(u16, u16)>,
}

impl Dissolvers {
    /// None known, on a board of so many tiles.
    pub(super) fn new(tiles: usize) -> Self {
        Self { single: vec![false; tiles], double: Vec::new() }
    }

    /// Notes that the removal of one or two tiles leaves nothing stuck.
    pub(super) fn note(&mut self, tiles: &[u16]) {
        match *tiles {
            [tile] => self.single[usize::from(tile)] = true,
            [one, other] => self.double.push((one, other)),
            _ => {}
        }
    }

    /// Whether a removal just made is known to leave nothing stuck.
    #[inline]
    pub(super) fn are_hit(&self, play: &Play<'_>, tile: u16) -> bool {
        self.single[usize::from(tile)]
            || self.double.iter().any(|&(one, other)| {
                (one == tile || other == tile) && !play.stands(one) && !play.stands(other)
            })
    }
}

/// Takes tiles off a board on which nothing allowed can go, then all that can go.
/// Whether something stays; if not, the play may have been cut short.
///
/// `standing` lists at least the tiles on the board.
pub(super) fn relax(
    play: &mut Play<'_>,
    standing: &[u16],
    removed: &[u16],
    allowed: impl Fn(u32) -> bool,
    dissolvers: &Dissolvers,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let tiles = play.tiles;
    let mut cursor = play.opened().len();
    play.take_changes();
    for &tile in removed {
        play.remove(tile);
        if dissolvers.are_hit(play, tile) {
            return Ok(false);
        }
    }
    loop {
        budget.poll()?;
        while let Some(&pair) = play.opened().get(cursor) {
            cursor += 1;
            if !allowed(tiles.choice_of[pair as usize]) {
                continue;
            }
            let (one, other) = tiles.pairs[pair as usize];
            for tile in [one, other] {
                if play.stands(tile) {
                    budget.tick()?;
                    play.remove(tile);
                    if dissolvers.are_hit(play, tile) {
                        return Ok(false);
                    }
                }
            }
        }
        if play.catch_up(budget)? {
            continue;
        }
        let left = play.left();
        let changes = play.take_changes();
        for &tile in standing.iter() {
            if play.stands(tile) && joins_one_gone(play, tile, changes, &allowed) {
                budget.tick()?;
                play.remove(tile);
                if dissolvers.are_hit(play, tile) {
                    return Ok(false);
                }
            }
        }
        if play.left() == left {
            return Ok(left > 0);
        }
    }
}

/// Whether an allowed path leads from a tile to one of its kind that is gone, when only
/// paths through the rows and columns of `changes` can be new.
fn joins_one_gone(
    play: &Play<'_>,
    tile: u16,
    changes: (u32, u32),
    allowed: impl Fn(u32) -> bool,
) -> bool {
    let tiles = play.tiles;
    tiles.groups[usize::from(tiles.kinds[usize::from(tile)])].iter().any(|&gone| {
        !play.stands(gone) && {
            let pair = tiles.pair(tile, gone);
            allowed(tiles.choice_of[pair as usize]) && play.is_joined_anew(pair, changes)
        }
    })
}

/// Makes the stuck tiles of a board few: none of those returned can be spared. The
/// board is one on which nothing can go any more, and something stays.
pub(super) fn small_stuck_set(play: &mut Play<'_>, budget: &mut Budget) -> Result<Vec<u16>, Stop> {
    let mut standing: Vec<u16> = play.standing().collect();
    let mut dissolvers = Dissolvers::new(play.tiles.len());
    for tile in standing.clone() {
        if !play.stands(tile) {
            continue;
        }
        let before = play.now();
        if relax(play, &standing, &[tile], |_| true, &dissolvers, budget)? {
            standing.retain(|&tile| play.stands(tile));
        } else {
            play.back_to(before);
            dissolvers.note(&[tile]);
        }
    }
    Ok(standing)
}
