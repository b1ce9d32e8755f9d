//! What is known of each edge, and the steps that follow at once.
//!
//! An edge is *used* (every circuit has it), not *open* (none has it), or neither is
//! known. Three rules, applied until nothing changes:
//!
//! - a place with two open edges uses both;
//! - a place with two used edges uses no other;
//! - an edge that would close a path of used edges before it visits every place is not used.
//!
//! Paths of used edges are known by their ends: each end holds the other one, so that two paths
//! are joined in O(1). Each step is written down with its ground, so that a contradiction
//! can be told as the steps that lead to it (`grounds`).
//!
//! Cost: O(1) a step, O(edges) in all.

use super::lattice::{Lattice, Mask, directions};
use crate::budget::{Budget, Stop};

/// What is known of each edge.
#[derive(Clone, Debug)]
pub(super) struct Knowledge<'a> {
    pub(super) lattice: &'a Lattice,
    open: Vec<Mask>,
    used: Vec<Mask>,
    /// For an end of a path of used edges, its other end.
    far: Vec<u32>,
    /// For an end of a path, the number of its places.
    length: Vec<u32>,
    queue: Vec<u32>,
    steps: Vec<Step>,
    is_closed: bool,
}

/// An edge that became settled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) place: u32,
    pub(super) direction: u8,
    pub(super) is_used: bool,
    pub(super) ground: Ground,
}

/// Why an edge became settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// One of its ends, the given place, had two open edges left, or two used edges.
    Degree(u32),
    /// It would close a path of used edges too early.
    ClosesEarly,
    /// More than one place had a part in it: the 2-factors, the connectedness.
    Global,
}

/// A contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contradiction {
    /// The place has fewer than two open edges, or more than two used ones.
    At(usize),
    /// Used edges close a circuit through the place that does not visit every place.
    ClosedThrough(usize),
}

/// How applying the rules ended.
pub(super) type Consistency = Result<(), Contradiction>;

impl<'a> Knowledge<'a> {
    /// Nothing known but which cells are free. The places with two neighbours wait to be looked at.
    pub(super) fn new(lattice: &'a Lattice) -> Self {
        let open = lattice.neighbours().to_vec();
        let queue = lattice
            .free()
            .filter(|&place| open[place].count_ones() <= 2)
            .map(|place| place as u32)
            .collect();
        Self {
            lattice,
            used: vec![0; open.len()],
            far: (0..open.len() as u32).collect(),
            length: vec![1; open.len()],
            queue,
            steps: Vec::new(),
            is_closed: false,
            open,
        }
    }

    /// Per place the edges that may be used.
    pub(super) fn open(&self) -> &[Mask] {
        &self.open
    }

    /// Per place the edges that must be used.
    pub(super) fn used(&self) -> &[Mask] {
        &self.used
    }

    /// The edges that are neither closed nor used at `place`.
    #[inline]
    pub(super) fn undecided(&self, place: usize) -> Mask {
        self.open[place] & !self.used[place]
    }

    /// The other end of the path of used edges that ends at `place`.
    pub(super) fn far_end(&self, place: usize) -> usize {
        self.far[place] as usize
    }

    /// The steps taken so far.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the used edges are a circuit through all places.
    pub(super) fn is_circuit(&self) -> bool {
        self.is_closed
    }

    /// Applies the rules until nothing changes.
    pub(super) fn propagate(&mut self, budget: &mut Budget) -> Result<Consistency, Stop> {
        while let Some(place) = self.queue.pop() {
            budget.tick()?;
            let at = place as usize;
            let (open, used) = (self.open[at], self.used[at]);
            if open.count_ones() < 2 || used.count_ones() > 2 {
                return Ok(Err(Contradiction::At(at)));
            }
            let undecided = open & !used;
            if undecided == 0 {
                continue;
            }
            let is_used = match (open.count_ones(), used.count_ones()) {
                (2, _) => true,
                (_, 2) => false,
                _ => continue,
            };
            for direction in directions(undecided) {
                // A step may settle the next one, too.
                if self.undecided(at) & (1 << direction) == 0 {
                    continue;
                }
                let settled = match is_used {
                    true => self.use_edge(at, direction, Ground::Degree(place)),
                    false => {
                        self.close_edge(at, direction, Ground::Degree(place));
                        Ok(())
                    }
                };
                if settled.is_err() {
                    return Ok(settled);
                }
            }
        }
        Ok(Ok(()))
    }

    /// Settles that an undecided edge is used.
    pub(super) fn use_edge(
        &mut self,
        place: usize,
        direction: usize,
        ground: Ground,
    ) -> Consistency {
        let other = self.lattice.step(place, direction);
        self.used[place] |= 1 << direction;
        self.used[other] |= 1 << (direction ^ 2);
        self.note(place, direction, true, ground);
        for end in [place, other] {
            if self.used[end].count_ones() > 2 {
                return Err(Contradiction::At(end));
            }
        }
        let (one_end, other_end) = (self.far[place] as usize, self.far[other] as usize);
        let length = self.length[place] + self.length[other];
        if one_end == other {
            if self.length[place] as usize != self.lattice.cells() {
                return Err(Contradiction::ClosedThrough(place));
            }
            self.is_closed = true;
            return Ok(());
        }
        self.far[one_end] = other_end as u32;
        self.far[other_end] = one_end as u32;
        self.length[one_end] = length;
        self.length[other_end] = length;
        if (length as usize) < self.lattice.cells()
            && let Some(direction) = self.lattice.direction_to(one_end, other_end)
            && self.undecided(one_end) & (1 << direction) != 0
        {
            self.close_edge(one_end, direction, Ground::ClosesEarly);
        }
        Ok(())
    }

    /// Settles that an undecided edge is not used.
    pub(super) fn close_edge(&mut self, place: usize, direction: usize, ground: Ground) {
        let other = self.lattice.step(place, direction);
        self.open[place] &= !(1 << direction);
        self.open[other] &= !(1 << (direction ^ 2));
        self.note(place, direction, false, ground);
    }

    fn note(&mut self, place: usize, direction: usize, is_used: bool, ground: Ground) {
        let step = Step { place: place as u32, direction: direction as u8, is_used, ground };
        self.steps.push(step);
        self.queue.push(place as u32);
        self.queue.push(self.lattice.step(place, direction) as u32);
    }
}
