//! What a conflict teaches.
//!
//! Going back along the trail, each false literal of the latest level is replaced by those
//! from which it follows, until one is left: the first unique implication point (Marques
//! Silva and Sakallah, "GRASP", 1996). The clause holds for good, and decides that one
//! literal as soon as all other levels but those it names are taken back.

use std::cmp::Reverse;

use crate::budget::{Budget, Stop};

use super::clauses::{Clauses, Literal};
use super::{ACTIVITY_FADES, Cause, Conflict, Pairing};

impl Pairing<'_> {
    /// Learns from a clause whose literals are all false, and goes back to where what
    /// was learnt decides something.
    pub(super) fn learn(&mut self, conflict: Conflict, budget: &mut Budget) -> Result<(), Stop> {
        budget.tick()?;
        self.conflicts += 1;
        self.positions += 1;
        let literals = conflict.literals;
        let level_of = |search: &Self, literal: Literal| search.levels[literal.choice() as usize];
        let top = literals.iter().map(|&literal| level_of(self, literal)).max().unwrap_or(0);
        if top == 0 {
            self.contradiction = true;
            return Ok(());
        }
        self.cancel(top);
        let mut clause = self.analyze(&literals);
        let others = 1..clause.len();
        if let Some(highest) = others.max_by_key(|&position| level_of(self, clause[position])) {
            clause.swap(1, highest);
        }
        let back = clause.get(1).map_or(0, |&literal| level_of(self, literal));
        let weight = self.weight(&clause);
        if conflict.is_new && literals.len() > clause.len() {
            self.keep(literals, budget)?;
        }
        self.cancel(back);
        if clause.len() == 1 {
            self.enqueue(clause[0], Cause::None);
        } else {
            budget.reserve(Clauses::bytes(clause.len()))?;
            let id = self.clauses.add(&clause, weight);
            self.enqueue(clause[0], Cause::Clause(id));
        }
        self.order.fade(ACTIVITY_FADES);
        Ok(())
    }

    /// Keeps the clause of a stuck set beside what was learnt from it, unless only one
    /// of its literals is of the highest level: then what was learnt says as much.
    fn keep(&mut self, mut literals: Vec<Literal>, budget: &mut Budget) -> Result<(), Stop> {
        literals.sort_by_key(|literal| Reverse(self.levels[literal.choice() as usize]));
        let [first, second] = [0, 1].map(|at| self.levels[literals[at].choice() as usize]);
        if first == second {
            budget.reserve(Clauses::bytes(literals.len()))?;
            let weight = self.weight(&literals);
            self.clauses.add(&literals, weight);
        }
        Ok(())
    }

    /// The number of decision levels that a clause joins.
    fn weight(&self, clause: &[Literal]) -> u32 {
        let mut levels: Vec<u32> =
            clause.iter().map(|literal| self.levels[literal.choice() as usize]).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }

    /// The clause of the first unique implication point; its literal comes first.
    fn analyze(&mut self, conflict: &[Literal]) -> Vec<Literal> {
        let mut clause = vec![Literal::made(0)];
        let mut marked = Vec::new();
        let mut open = 0;
        let mut position = self.trail.len();
        let mut antecedent: Vec<Literal> = conflict.to_vec();
        loop {
            for &literal in &antecedent {
                let choice = literal.choice() as usize;
                if self.seen[choice] || self.levels[choice] == 0 {
                    continue;
                }
                self.seen[choice] = true;
                marked.push(choice);
                self.order.bump(literal.choice());
                if self.levels[choice] == self.level() {
                    open += 1;
                } else {
                    clause.push(literal);
                }
            }
            loop {
                position -= 1;
                if self.seen[self.trail[position].choice() as usize] {
                    break;
                }
            }
            let literal = self.trail[position];
            open -= 1;
            if open == 0 {
                clause[0] = literal.negated();
                break;
            }
            antecedent.clear();
            self.add_antecedent(literal, &mut antecedent);
        }
        // A literal that follows from the others says nothing new.
        let mut kept = 1;
        for at in 1..clause.len() {
            antecedent.clear();
            let choice = clause[at].choice() as usize;
            self.add_antecedent(clause[at].negated(), &mut antecedent);
            let follows = self.causes[choice] != Cause::None
                && antecedent.iter().all(|literal| {
                    let choice = literal.choice() as usize;
                    self.seen[choice] || self.levels[choice] == 0
                });
            if !follows {
                clause[kept] = clause[at];
                kept += 1;
            }
        }
        clause.truncate(kept);
        for choice in marked {
            self.seen[choice] = false;
        }
        clause
    }

    /// The false literals from which a true one follows.
    fn add_antecedent(&self, literal: Literal, antecedent: &mut Vec<Literal>) {
        match self.causes[literal.choice() as usize] {
            Cause::None => {}
            Cause::Clause(clause) => {
                antecedent.extend(self.clauses.literals(clause).filter(|&other| other != literal));
            }
            Cause::Rival(made) => antecedent.push(Literal::forbidden(made)),
            Cause::Last(slot) => antecedent.extend(
                self.slots[slot as usize]
                    .iter()
                    .map(|&choice| Literal::made(choice))
                    .filter(|&other| other != literal),
            ),
        }
    }
}
