//! The tests that cost one or two passes over the board: too few cells, colours that differ,
//! dead ends, several parts, a cell that holds parts together.
//!
//! Cut cells: Hopcroft and Tarjan's low points (1973), without recursion. Cost: O(cells).

use super::lattice::{Lattice, Mask};
use crate::budget::{Budget, Stop};
use crate::puzzles::rook_circuit::reason::Reason;

/// The first of the cheap reasons that applies.
pub(super) fn refute(lattice: &Lattice, budget: &mut Budget) -> Result<Option<Reason>, Stop> {
    if lattice.cells() < 4 {
        return Ok(Some(Reason::TooSmall));
    }
    let white = lattice.free().filter(|&place| lattice.is_white(place)).count();
    let black = lattice.cells() - white;
    if white != black {
        return Ok(Some(Reason::Parity { white, black }));
    }
    let neighbours = lattice.neighbours();
    if let Some(place) = lattice.free().find(|&place| neighbours[place].count_ones() < 2) {
        return Ok(Some(Reason::DeadEnd { cell: lattice.cell(place) }));
    }
    Ok(match Blocks::new(lattice).weakness(neighbours, budget)? {
        None => None,
        Some(Weakness::Parts(one, other)) => {
            Some(Reason::Disconnected { cells: [lattice.cell(one), lattice.cell(other)] })
        }
        Some(Weakness::CutPlace(place)) => Some(Reason::CutCell { cell: lattice.cell(place) }),
    })
}

/// Why a graph has no circuit through all its places, as far as connectedness tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weakness {
    /// Two places that no path joins.
    Parts(usize, usize),
    /// A place without which the others fall into several parts.
    CutPlace(usize),
}

/// The arrays of a depth-first search, kept between searches.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    lattice: &'a Lattice,
    /// When a place was met, from 1.
    met: Vec<u32>,
    /// The earliest place met that a place or one behind it leads to by one edge.
    low: Vec<u32>,
    path: Vec<(u32, Mask)>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(lattice: &'a Lattice) -> Self {
        Self {
            lattice,
            met: vec![0; lattice.places()],
            low: vec![0; lattice.places()],
            path: Vec::new(),
        }
    }

    /// A weakness of the graph with the edges `open`, if it has one.
    pub(super) fn weakness(
        &mut self,
        open: &[Mask],
        budget: &mut Budget,
    ) -> Result<Option<Weakness>, Stop> {
        let Self { lattice, met, low, path } = self;
        let Some(root) = lattice.free().next() else { return Ok(None) };
        met.fill(0);
        path.clear();
        path.push((root as u32, open[root]));
        (met[root], low[root]) = (1, 1);
        let mut count = 1;
        let mut root_branches = 0;
        let mut cut_place = None;
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
                    // The edge back would make the low point the parent itself, as needed at most.
                    path.push((next as u32, open[next] & !(1 << (direction ^ 2))));
                } else {
                    low[at] = low[at].min(met[next]);
                }
                continue;
            }
            path.pop();
            let Some(&(parent, _)) = path.last() else { break };
            let parent = parent as usize;
            low[parent] = low[parent].min(low[at]);
            if parent == root {
                root_branches += 1;
                if root_branches == 2 {
                    cut_place = cut_place.or(Some(root));
                }
            } else if low[at] >= met[parent] {
                cut_place = cut_place.or(Some(parent));
            }
        }
        if (count as usize) < lattice.cells() {
            let other = lattice.free().find(|&place| met[place] == 0);
            return Ok(other.map(|other| Weakness::Parts(root, other)));
        }
        Ok(cut_place.map(Weakness::CutPlace))
    }
}
