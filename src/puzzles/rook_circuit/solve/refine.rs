//! Refining what is known of the edges until nothing more follows cheaply.
//!
//! In turn, until nothing changes: forced steps (`knowledge`), a 2-factor (`factor`), the edges
//! that all or no 2-factors have (`fixing`), and the connectedness of what is open
//! (`cheap`). Each is a proof: where one fails there is no circuit. This alone refutes
//! nearly every board without a circuit that a generator makes.
//!
//! Cost: O(cells) a turn; turns are few, since each begins with what the last one settled.

use super::cheap::{Blocks, Weakness};
use super::factor::Factor;
use super::fixing::Components;
use super::grounds::forced;
use super::knowledge::Knowledge;
use super::lattice::{Lattice, directions};
use crate::budget::{Budget, Stop};
use crate::grid::Cell;
use crate::puzzles::rook_circuit::reason::Reason;

/// How refining ended.
#[derive(Debug)]
pub(super) enum Refined<'a> {
    /// What is known of the edges, and a 2-factor.
    Open(Knowledge<'a>, Factor<'a>),
    /// There is no circuit, for a reason that can be checked.
    Refuted(Reason),
    /// There is no circuit; the steps that show it are of several kinds. The sets of cells
    /// are the parts into which the open edges fall, if that is what showed it.
    Contradicted(Vec<Vec<Cell>>),
}

/// Refines what is known of a board that passed the cheap tests.
pub(super) fn refine<'a>(lattice: &'a Lattice, budget: &mut Budget) -> Result<Refined<'a>, Stop> {
    let mut knowledge = Knowledge::new(lattice);
    if let Err(contradiction) = knowledge.propagate(budget)? {
        return Ok(Refined::Refuted(forced(&knowledge, contradiction, budget)?));
    }
    let none = vec![0; lattice.places()];
    let mut factor = Factor::begin(lattice, knowledge.open(), knowledge.used());
    if !factor.complete(knowledge.open(), knowledge.used(), budget)? {
        // Without the forced steps, to tell whether the degrees alone rule it out.
        let mut plain = factor.clone();
        let neighbours = lattice.neighbours();
        if plain.complete(neighbours, &none, budget)? {
            return Ok(Refined::Contradicted(Vec::new()));
        }
        let crowd = plain.crowd(neighbours, &none, budget)?;
        let cells = crowd.into_iter().map(|place| lattice.cell(place)).collect();
        return Ok(Refined::Refuted(Reason::Crowded { cells }));
    }
    let mut components = Components::new(lattice);
    let mut blocks = Blocks::new(lattice);
    loop {
        let before = knowledge.steps().len();
        if components.settle(&mut knowledge, factor.chosen(), budget)?.is_err()
            || knowledge.propagate(budget)?.is_err()
        {
            return Ok(Refined::Contradicted(Vec::new()));
        }
        if knowledge.is_circuit() {
            return Ok(Refined::Open(knowledge, factor));
        }
        if let Some(weakness) = blocks.weakness(knowledge.open(), budget)? {
            return Ok(Refined::Contradicted(parts(&knowledge, weakness)));
        }
        if knowledge.steps().len() == before {
            return Ok(Refined::Open(knowledge, factor));
        }
        factor.follow(knowledge.open(), knowledge.used());
        if !factor.complete(knowledge.open(), knowledge.used(), budget)? {
            return Ok(Refined::Contradicted(Vec::new()));
        }
    }
}

/// The parts into which the open edges fall, the smallest ones first; without the cut place, if
/// that is the weakness.
fn parts(knowledge: &Knowledge<'_>, weakness: Weakness) -> Vec<Vec<Cell>> {
    let lattice = knowledge.lattice;
    let mut seen = vec![false; lattice.places()];
    if let Weakness::CutPlace(place) = weakness {
        seen[place] = true;
    }
    let mut parts = Vec::new();
    for start in lattice.free() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut looked_at = 0;
        while let Some(&place) = part.get(looked_at) {
            looked_at += 1;
            for direction in directions(knowledge.open()[place]) {
                let next = lattice.step(place, direction);
                if !seen[next] {
                    seen[next] = true;
                    part.push(next);
                }
            }
        }
        parts.push(part.into_iter().map(|place| lattice.cell(place)).collect::<Vec<_>>());
    }
    parts.sort_by_key(Vec::len);
    parts
}
