//! Edges that all 2-factors have, or none has.
//!
//! Two 2-factors differ by closed walks that alternate between their edges. So direct the
//! chosen edges of one of them from black to white and the others from white to black: an edge
//! that lies on no directed cycle — its ends are in different strongly connected
//! components — is in all 2-factors or in none (the Dulmage–Mendelsohn argument).
//!
//! Cost: O(places) by Tarjan's algorithm (1972), without recursion.

use super::knowledge::{Consistency, Ground, Knowledge};
use super::lattice::{Lattice, Mask, directions};
use crate::budget::{Budget, Stop};

/// The arrays of the search for components, kept between searches.
#[derive(Debug)]
pub(super) struct Components<'a> {
    lattice: &'a Lattice,
    met: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    path: Vec<(u32, Mask)>,
    unassigned: Vec<u32>,
}

impl<'a> Components<'a> {
    pub(super) fn new(lattice: &'a Lattice) -> Self {
        let places = lattice.places();
        Self {
            lattice,
            met: vec![0; places],
            low: vec![0; places],
            component: vec![0; places],
            path: Vec::new(),
            unassigned: Vec::new(),
        }
    }

    /// Settles the edges that the 2-factor `chosen` shows to be in all 2-factors or in none.
    pub(super) fn settle(
        &mut self,
        knowledge: &mut Knowledge<'_>,
        chosen: &[Mask],
        budget: &mut Budget,
    ) -> Result<Consistency, Stop> {
        self.find(knowledge, chosen, budget)?;
        for place in self.lattice.free() {
            // East and south: each edge once.
            for direction in directions(knowledge.undecided(place) & 0b0110) {
                let other = self.lattice.step(place, direction);
                if self.component[place] == self.component[other]
                    || knowledge.undecided(place) & (1 << direction) == 0
                {
                    continue;
                }
                if chosen[place] & (1 << direction) == 0 {
                    knowledge.close_edge(place, direction, Ground::Global);
                } else {
                    let settled = knowledge.use_edge(place, direction, Ground::Global);
                    if settled.is_err() {
                        return Ok(settled);
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    /// Numbers the components of the undecided edges, directed.
    fn find(
        &mut self,
        knowledge: &Knowledge<'_>,
        chosen: &[Mask],
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        /// Of places that are still to be given a component.
        const NONE: u32 = u32::MAX;
        let Self { lattice, met, low, component, path, unassigned } = self;
        let ways = |place: usize| match lattice.is_white(place) {
            true => knowledge.undecided(place) & !chosen[place],
            false => knowledge.undecided(place) & chosen[place],
        };
        met.fill(0);
        component.fill(NONE);
        let (mut count, mut components) = (0, 0);
        for start in lattice.free() {
            if met[start] != 0 {
                continue;
            }
            count += 1;
            (met[start], low[start]) = (count, count);
            path.push((start as u32, ways(start)));
            unassigned.push(start as u32);
            while let Some((place, rest)) = path.last_mut() {
                let at = *place as usize;
                if *rest != 0 {
                    let direction = rest.trailing_zeros() as usize;
                    *rest &= *rest - 1;
                    let next = lattice.step(at, direction);
                    if met[next] == 0 {
                        budget.tick()?;
                        count += 1;
                        (met[next], low[next]) = (count, count);
                        path.push((next as u32, ways(next)));
                        unassigned.push(next as u32);
                    } else if component[next] == NONE {
                        low[at] = low[at].min(met[next]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    let parent = parent as usize;
                    low[parent] = low[parent].min(low[at]);
                }
                if low[at] == met[at] {
                    while let Some(member) = unassigned.pop() {
                        component[member as usize] = components;
                        if member as usize == at {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        Ok(())
    }
}
