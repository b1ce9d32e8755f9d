//! The clause of a stuck set.
//!
//! When the derivation is stuck on a set of tiles, one of the choices that would open a
//! tile of it must be made, in every solution. A good clause has few literals, of early
//! levels. Dropping a forbidden choice from it means to allow that choice: if the board
//! then still gets stuck, it does so on a smaller set, and the clause of that set does
//! without. Each choice is tried once, which takes O(choices) relaxed plays; most of those
//! that come to nothing end as soon as they meet a removal known to do so.

use crate::budget::{Budget, Stop};

use super::super::locked::{Dissolvers, relax};
use super::super::play::Play;
use super::clauses::Literal;
use super::{Pairing, Value};

impl Pairing<'_> {
    /// The clause of a stuck set that needs few choices, and those decided early.
    ///
    /// The choices that would open the set are allowed again one by one, the latest
    /// first. Where something stays stuck all the same, the set shrinks to that.
    pub(super) fn stuck(&mut self, budget: &mut Budget) -> Result<Vec<Literal>, Stop> {
        let before = self.derivation.play.now();
        let result = self.openings_of_small_stuck_set(budget);
        self.derivation.play.back_to(before);
        let mut choices: Vec<u32> = result?.into_iter().map(|(choice, _)| choice).collect();
        choices.dedup();
        Ok(choices.into_iter().map(Literal::made).collect())
    }

    fn openings_of_small_stuck_set(
        &mut self,
        budget: &mut Budget,
    ) -> Result<Vec<(u32, u16)>, Stop> {
        let levels = &self.levels;
        let play = &mut self.derivation.play;
        let mut standing: Vec<u16> = play.standing().collect();
        let mut openings = openings(play, &standing);
        let mut dissolvers = Dissolvers::new(self.tiles.len());
        let mut is_allowed: Vec<bool> =
            self.values.iter().map(|&value| value != Value::Forbidden).collect();
        let mut is_needed = vec![false; self.tiles.choices];
        loop {
            let latest = openings
                .iter()
                .map(|&(choice, _)| choice)
                .filter(|&choice| !is_needed[choice as usize] && levels[choice as usize] > 0)
                .max_by_key(|&choice| (levels[choice as usize], choice));
            let Some(choice) = latest else { return Ok(openings) };
            let freed: Vec<u16> = openings
                .iter()
                .filter(|&&(opening, _)| opening == choice)
                .map(|&(_, tile)| tile)
                .collect();
            is_allowed[choice as usize] = true;
            let allowed = |choice: u32| is_allowed[choice as usize];
            let before = play.now();
            if relax(play, &standing, &freed, allowed, &dissolvers, budget)? {
                standing.retain(|&tile| play.stands(tile));
                openings = self::openings(play, &standing);
            } else {
                play.back_to(before);
                dissolvers.note(&freed);
                is_allowed[choice as usize] = false;
                is_needed[choice as usize] = true;
            }
        }
    }
}

/// The choices that would open stuck tiles (all are forbidden), each with the tiles it
/// would free; ordered.
fn openings(play: &Play<'_>, standing: &[u16]) -> Vec<(u32, u16)> {
    let tiles = play.tiles;
    let mut openings = Vec::new();
    for &tile in standing {
        for &other in &tiles.groups[usize::from(tiles.kinds[usize::from(tile)])] {
            if other != tile {
                let pair = tiles.pair(tile, other);
                if play.is_joined(pair) {
                    openings.push((tiles.choice_of[pair as usize], tile));
                }
            }
        }
    }
    openings.sort_unstable();
    openings.dedup();
    openings
}
