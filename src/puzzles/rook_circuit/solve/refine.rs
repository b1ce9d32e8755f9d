//! Refining what is known of the edges until nothing more follows cheaply.
//!
//! In turn, until nothing changes: forced steps (`knowledge`), a 2-factor (`factor`), the edges
//! that all or no 2-factors have (`fixing`), and the connectedness of what is open
//! (`cheap`). Each is a proof: where one fails there is no circuit. This alone refutes
//! nearly every board without a circuit that a generator makes.
//!
//! Cost: O(cells) a turn; turns are few, since each begins with what the last one settled.

use super::cheap::Blocks;
use super::factor::Factor;
use super::fixing::Components;
use super::grounds::forced;
use super::knowledge::Knowledge;
use super::lattice::Lattice;
use crate::budget::{Budget, Stop};
use crate::puzzles::rook_circuit::reason::Reason;

/// How refining ended.
#[derive(Debug)]
pub(super) enum Refined<'a> {
    /// What is known of the edges, and a 2-factor.
    Open(Knowledge<'a>, Factor<'a>),
    /// There is no circuit, for a reason that can be checked.
    Refuted(Reason),
    /// There is no circuit; the steps that show it are of several kinds.
    Contradicted,
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
            return Ok(Refined::Contradicted);
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
            return Ok(Refined::Contradicted);
        }
        if knowledge.is_circuit() {
            return Ok(Refined::Open(knowledge, factor));
        }
        if blocks.weakness(knowledge.open(), budget)?.is_some() {
            return Ok(Refined::Contradicted);
        }
        if knowledge.steps().len() == before {
            return Ok(Refined::Open(knowledge, factor));
        }
        factor.follow(knowledge.open(), knowledge.used());
        if !factor.complete(knowledge.open(), knowledge.used(), budget)? {
            return Ok(Refined::Contradicted);
        }
    }
}
