//! A 2-factor: every place gets two edges, all used ones among them and open ones alone.
//!
//! Places are coloured like a chequered board, so a 2-factor is a flow of two units from
//! each white place to the black ones. It is begun with unit squares, which later merge
//! easily, filled greedily, and completed by Dinic's blocking flows (1970), each search going
//! no further than the nearest place in need.
//!
//! Cost: O(places) a round; rounds grow with the distance between places in need, few in practice.

use super::lattice::{Lattice, Mask, directions};
use crate::budget::{Budget, Stop};

/// A choice of edges, at most two a place.
#[derive(Clone, Debug)]
pub(super) struct Factor<'a> {
    lattice: &'a Lattice,
    chosen: Vec<Mask>,
    /// Stamps of the last round in which a place was reached.
    stamp: Vec<u32>,
    level: Vec<u32>,
    untried: Vec<Mask>,
    round: u32,
}

impl<'a> Factor<'a> {
    /// Chooses the used edges and as many open ones as is easily done.
    pub(super) fn begin(lattice: &'a Lattice, open: &[Mask], used: &[Mask]) -> Self {
        let mut factor = Self {
            lattice,
            chosen: used.to_vec(),
            stamp: vec![0; open.len()],
            level: vec![0; open.len()],
            untried: vec![0; open.len()],
            round: 0,
        };
        factor.choose_squares(open);
        factor.fill(open);
        factor
    }

    /// The chosen edges.
    pub(super) fn chosen(&self) -> &[Mask] {
        &self.chosen
    }

    pub(super) fn into_chosen(self) -> Vec<Mask> {
        self.chosen
    }

    /// Drops chosen edges that are not open any more, and chooses the used ones.
    pub(super) fn follow(&mut self, open: &[Mask], used: &[Mask]) {
        for place in self.lattice.free() {
            let wrong = self.chosen[place] & !open[place];
            for direction in directions(wrong) {
                self.toggle(place, direction);
            }
        }
        for place in self.lattice.free() {
            for direction in directions(used[place] & !self.chosen[place]) {
                for end in [place, self.lattice.step(place, direction)] {
                    if self.chosen[end].count_ones() == 2 {
                        let spare = self.chosen[end] & !used[end];
                        if let Some(other) = directions(spare).next() {
                            self.toggle(end, other);
                        }
                    }
                }
                self.toggle(place, direction);
            }
        }
    }

    /// Completes the 2-factor; `false` when there is none.
    pub(super) fn complete(
        &mut self,
        open: &[Mask],
        used: &[Mask],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let mut needy: Vec<usize> = Vec::new();
        for place in self.lattice.free() {
            if self.lattice.is_white(place) && self.chosen[place].count_ones() < 2 {
                needy.push(place);
            }
        }
        while !needy.is_empty() {
            if !self.levels(&needy, open, used, budget)? {
                return Ok(false);
            }
            for &place in &needy {
                while self.chosen[place].count_ones() < 2
                    && self.augment(place, open, used, budget)?
                {}
            }
            needy.retain(|&place| self.chosen[place].count_ones() < 2);
        }
        Ok(true)
    }

    /// After a failed completion: places of one colour with too few neighbours to be passed
    /// twice each, few of them where that is cheap.
    pub(super) fn crowd(
        &mut self,
        open: &[Mask],
        used: &[Mask],
        budget: &mut Budget,
    ) -> Result<Vec<usize>, Stop> {
        let mut best: Vec<usize> = Vec::new();
        let needy: Vec<usize> =
            self.lattice.free().filter(|&place| self.chosen[place].count_ones() < 2).collect();
        for &place in needy.iter().take(MOST_CROWDS) {
            let colour = self.lattice.is_white(place);
            let reached = self.reached_from(place, open, used, budget)?;
            let crowd: Vec<usize> = reached
                .into_iter()
                .filter(|&place| self.lattice.is_white(place) == colour)
                .collect();
            if best.is_empty() || crowd.len() < best.len() {
                best = crowd;
            }
        }
        best.sort_unstable();
        Ok(best)
    }

    /// The edges along which a unit can leave `place`, on its way from places of the colour that
    /// is white if `from_white`.
    #[inline]
    fn residual(&self, place: usize, from_white: bool, open: &[Mask], used: &[Mask]) -> Mask {
        if self.lattice.is_white(place) == from_white {
            open[place] & !self.chosen[place]
        } else {
            self.chosen[place] & !used[place]
        }
    }

    /// Breadth-first levels from the needy white places, up to the level of the first black
    /// place in need; `false` when none is reached.
    fn levels(
        &mut self,
        needy: &[usize],
        open: &[Mask],
        used: &[Mask],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        self.round += 1;
        let round = self.round;
        let mut layer: Vec<usize> = needy.to_vec();
        for &place in needy {
            self.stamp[place] = round;
            self.level[place] = 0;
            self.untried[place] = self.residual(place, true, open, used);
        }
        let mut level = 0;
        let mut reached = 0;
        while !layer.is_empty() && reached < needy.len() {
            level += 1;
            let mut next_layer = Vec::new();
            for &place in &layer {
                budget.tick()?;
                for direction in directions(self.residual(place, true, open, used)) {
                    let next = self.lattice.step(place, direction);
                    if self.stamp[next] == round {
                        continue;
                    }
                    self.stamp[next] = round;
                    self.level[next] = level;
                    self.untried[next] = self.residual(next, true, open, used);
                    let is_needy =
                        !self.lattice.is_white(next) && self.chosen[next].count_ones() < 2;
                    reached += usize::from(is_needy);
                    next_layer.push(next);
                }
            }
            layer = next_layer;
        }
        Ok(reached > 0)
    }

    /// Sends a unit from `start` along rising levels to a black place in need.
    fn augment(
        &mut self,
        start: usize,
        open: &[Mask],
        used: &[Mask],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut at = start;
        loop {
            budget.tick()?;
            if !self.lattice.is_white(at) && self.chosen[at].count_ones() < 2 {
                for (place, direction) in path {
                    self.toggle(place, direction);
                }
                return Ok(true);
            }
            let ways = self.untried[at] & self.residual(at, true, open, used);
            let ahead = directions(ways).find(|&direction| {
                let next = self.lattice.step(at, direction);
                self.stamp[next] == self.round && self.level[next] == self.level[at] + 1
            });
            match ahead {
                Some(direction) => {
                    // What was skipped leads nowhere in this round, either.
                    self.untried[at] &= !((1 << direction) - 1);
                    path.push((at, direction));
                    at = self.lattice.step(at, direction);
                }
                None => {
                    let Some((before, direction)) = path.pop() else { return Ok(false) };
                    self.untried[before] &= !(1 << direction);
                    at = before;
                }
            }
        }
    }

    /// The places to which a unit from `start` could be sent.
    fn reached_from(
        &mut self,
        start: usize,
        open: &[Mask],
        used: &[Mask],
        budget: &mut Budget,
    ) -> Result<Vec<usize>, Stop> {
        self.round += 1;
        let from_white = self.lattice.is_white(start);
        self.stamp[start] = self.round;
        let mut reached = vec![start];
        let mut looked_at = 0;
        while let Some(&place) = reached.get(looked_at) {
            looked_at += 1;
            budget.tick()?;
            for direction in directions(self.residual(place, from_white, open, used)) {
                let next = self.lattice.step(place, direction);
                if self.stamp[next] != self.round {
                    self.stamp[next] = self.round;
                    reached.push(next);
                }
            }
        }
        Ok(reached)
    }

    fn toggle(&mut self, place: usize, direction: usize) {
        let other = self.lattice.step(place, direction);
        self.chosen[place] ^= 1 << direction;
        self.chosen[other] ^= 1 << (direction ^ 2);
    }

    /// Chooses the four sides of each unit square whose corners have no edge yet.
    fn choose_squares(&mut self, open: &[Mask]) {
        const NORTH: Mask = 1;
        const EAST: Mask = 2;
        const SOUTH: Mask = 4;
        const WEST: Mask = 8;
        let stride = self.lattice.stride();
        for place in self.lattice.free() {
            let corners = [place, place + 1, place + stride, place + stride + 1];
            let sides = [EAST | SOUTH, WEST | SOUTH, EAST | NORTH, WEST | NORTH];
            // Only the east and south sides of one corner and the two sides that meet
            // at the opposite corner need be open; the masks hold each at both ends.
            if (place / stride).is_multiple_of(2)
                || (place % stride).is_multiple_of(2)
                || open[place] & sides[0] != sides[0]
                || open[corners[3]] & sides[3] != sides[3]
                || corners.iter().any(|&corner| self.chosen[corner] != 0)
            {
                continue;
            }
            for (corner, sides) in corners.into_iter().zip(sides) {
                self.chosen[corner] = sides;
            }
        }
    }

    /// Gives each white place in need open edges to black places in need, those with few ways first.
    fn fill(&mut self, open: &[Mask]) {
        for place in self.lattice.free() {
            if !self.lattice.is_white(place) {
                continue;
            }
            for direction in directions(open[place] & !self.chosen[place]) {
                if self.chosen[place].count_ones() == 2 {
                    break;
                }
                let other = self.lattice.step(place, direction);
                if self.chosen[other].count_ones() < 2 {
                    self.toggle(place, direction);
                }
            }
        }
    }
}

/// The most places in need from which a crowd is sought.
const MOST_CROWDS: usize = 64;
