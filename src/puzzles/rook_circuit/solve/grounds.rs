//! A contradiction of forced steps, told as the steps that lead to it.
//!
//! Steps are gone through from the last to the first; those that a step in need rests on are in
//! need, too. What remains is checked, step by step, by `verify`.
//!
//! Cost: O(steps), but for edges that would close a path: each asks for a walk along its path. Past
//! [`MOST_WALKED`] places all steps are told instead.

use super::knowledge::{Contradiction, Ground, Knowledge, Step};
use super::lattice::{Lattice, directions};
use crate::budget::{Budget, Stop};
use crate::grid::Cell;
use crate::puzzles::rook_circuit::reason::{ForcedBy, ForcedStep, Reason};

/// The most places walked along to find what the steps rest on.
const MOST_WALKED: usize = 4_000_000;
/// Edges without a step.
const NEVER: u32 = u32::MAX;

/// The reason why there is no circuit, after `knowledge` met a contradiction by forced
/// steps alone.
pub(super) fn forced(
    knowledge: &Knowledge<'_>,
    contradiction: Contradiction,
    budget: &mut Budget,
) -> Result<Reason, Stop> {
    let lattice = knowledge.lattice;
    let bytes = lattice.places() * size_of::<[u32; 4]>()
        + knowledge.steps().len() * size_of::<ForcedStep>();
    budget.reserve(bytes)?;
    let mut grounds = Grounds::new(knowledge);
    let places = match contradiction {
        Contradiction::At(place) => {
            let is_overfull = knowledge.used()[place].count_ones() > 2;
            // Three used edges, or all but one dropped.
            let many = if is_overfull { 3 } else { grounds.degree(place) - 1 };
            grounds.need_at(place, is_overfull, many, NEVER);
            vec![place]
        }
        Contradiction::ClosedThrough(place) => {
            let direction = directions(knowledge.used()[place]).next().unwrap_or(0);
            let mut circuit = vec![place];
            let end = lattice.step(place, direction);
            grounds.walk(place, direction, end, NEVER, &mut circuit);
            circuit
        }
    };
    let is_minimal = grounds.close(budget)?;
    let steps = knowledge
        .steps()
        .iter()
        .zip(&grounds.is_needed)
        .filter(|&(_, &is_needed)| is_needed || !is_minimal)
        .map(|(step, _)| told(lattice, step))
        .collect();
    budget.release(bytes);
    let cells: Vec<Cell> = places.into_iter().map(|place| lattice.cell(place)).collect();
    Ok(Reason::Forced { cells, steps })
}

fn told(lattice: &Lattice, step: &Step) -> ForcedStep {
    let place = step.place as usize;
    ForcedStep {
        from: lattice.cell(place),
        to: lattice.cell(lattice.step(place, step.direction as usize)),
        is_used: step.is_used,
        ground: match step.ground {
            Ground::Degree(at) => ForcedBy::Degree(lattice.cell(at as usize)),
            Ground::ClosesEarly | Ground::Global => ForcedBy::ClosesEarly,
        },
    }
}

struct Grounds<'a> {
    knowledge: &'a Knowledge<'a>,
    /// By place and direction, the number of the step that settled the edge.
    step_of: Vec<[u32; 4]>,
    is_needed: Vec<bool>,
    walked: usize,
}

impl<'a> Grounds<'a> {
    fn new(knowledge: &'a Knowledge<'a>) -> Self {
        let lattice = knowledge.lattice;
        let mut step_of = vec![[NEVER; 4]; lattice.places()];
        for (number, step) in knowledge.steps().iter().enumerate() {
            let (place, direction) = (step.place as usize, step.direction as usize);
            step_of[place][direction] = number as u32;
            step_of[lattice.step(place, direction)][direction ^ 2] = number as u32;
        }
        Self { knowledge, step_of, is_needed: vec![false; knowledge.steps().len()], walked: 0 }
    }

    fn degree(&self, place: usize) -> usize {
        self.knowledge.lattice.neighbours()[place].count_ones() as usize
    }

    /// Marks the first `many` steps at a place, before the step `before`, that used one of its edges
    /// (or dropped one).
    fn need_at(&mut self, place: usize, is_used: bool, many: usize, before: u32) {
        let mut numbers = self.step_of[place];
        numbers.sort_unstable();
        let earlier = numbers.into_iter().filter(|&number| {
            number < before && self.knowledge.steps()[number as usize].is_used == is_used
        });
        for number in earlier.take(many).collect::<Vec<_>>() {
            self.is_needed[number as usize] = true;
        }
    }

    /// Marks what the needed steps rest on; `false` when that takes too long.
    fn close(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        let lattice = self.knowledge.lattice;
        for number in (0..self.is_needed.len()).rev() {
            budget.tick()?;
            if !self.is_needed[number] {
                continue;
            }
            let step = self.knowledge.steps()[number];
            match step.ground {
                Ground::Degree(at) => {
                    // All but two dropped, or two used.
                    let many = if step.is_used { self.degree(at as usize) - 2 } else { 2 };
                    self.need_at(at as usize, !step.is_used, many, number as u32);
                }
                Ground::ClosesEarly | Ground::Global => {
                    let (place, direction) = (step.place as usize, step.direction as usize);
                    let end = lattice.step(place, direction);
                    self.walk(place, direction, end, number as u32, &mut Vec::new());
                    if self.walked > MOST_WALKED {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Marks the used edges settled before step `before` along the path from `start` to `end`, which
    /// the edge in direction `but` would close; `but` itself is marked if it is used.
    fn walk(&mut self, start: usize, but: usize, end: usize, before: u32, passed: &mut Vec<usize>) {
        let knowledge = self.knowledge;
        if knowledge.used()[start] & (1 << but) != 0 {
            self.is_needed[self.step_of[start][but] as usize] = true;
        }
        let (mut at, mut behind) = (start, but);
        while at != end {
            let onward = directions(knowledge.used()[at] & !(1 << behind))
                .find(|&direction| self.step_of[at][direction] < before);
            let Some(direction) = onward else { break };
            self.is_needed[self.step_of[at][direction] as usize] = true;
            at = knowledge.lattice.step(at, direction);
            behind = direction ^ 2;
            self.walked += 1;
            passed.push(at);
        }
    }
}
