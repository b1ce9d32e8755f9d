//! What follows from what was decided.
//!
//! The trail lists what stands in the order in which it came to stand. A choice that is
//! made forbids its rivals in each slot; a slot with one choice left makes it; a clause
//! with one literal left makes that true. Clauses are looked at only when one of their two
//! watched literals becomes false (Moskewicz and others, "Chaff", 2001).

use super::clauses::{ClauseId, Literal};
use super::{Cause, Conflict, NO_SLOT, Pairing, Value};

impl Pairing<'_> {
    pub(super) fn is_true(&self, literal: Literal) -> bool {
        let wanted = if literal.is_made() { Value::Made } else { Value::Forbidden };
        self.values[literal.choice() as usize] == wanted
    }

    pub(super) fn is_false(&self, literal: Literal) -> bool {
        self.is_true(literal.negated())
    }

    pub(super) fn level(&self) -> u32 {
        self.starts.len() as u32
    }

    pub(super) fn enqueue(&mut self, literal: Literal, cause: Cause) {
        let choice = literal.choice() as usize;
        self.levels[choice] = self.level();
        self.causes[choice] = cause;
        self.trail.push(literal);
        if literal.is_made() {
            self.values[choice] = Value::Made;
        } else {
            self.values[choice] = Value::Forbidden;
            for slot in self.slots_of[choice] {
                if slot != NO_SLOT {
                    self.possible[slot as usize] -= 1;
                }
            }
            if let Some(step) = self.derivation.first_use(literal.choice()) {
                self.sound = self.sound.min(step);
            }
        }
    }

    pub(super) fn cancel(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let start = self.starts[level as usize];
        for position in (start..self.trail.len()).rev() {
            let literal = self.trail[position];
            let choice = literal.choice() as usize;
            if !literal.is_made() {
                for slot in self.slots_of[choice] {
                    if slot != NO_SLOT {
                        self.possible[slot as usize] += 1;
                    }
                }
            }
            self.preferred[choice] = literal.is_made();
            self.values[choice] = Value::Undecided;
            self.order.insert(literal.choice());
        }
        self.trail.truncate(start);
        self.starts.truncate(level as usize);
        self.propagated = start;
    }

    /// Unit propagation, until nothing follows or a clause fails.
    pub(super) fn propagate(&mut self) -> Option<Conflict> {
        while self.propagated < self.trail.len() {
            let literal = self.trail[self.propagated];
            self.propagated += 1;
            let choice = literal.choice();
            for slot in self.slots_of[choice as usize] {
                if slot == NO_SLOT {
                    continue;
                }
                let conflict = if literal.is_made() {
                    self.rule_out_rivals(slot, choice)
                } else {
                    self.check_slot(slot)
                };
                if let Some(literals) = conflict {
                    return Some(Conflict { literals, is_new: false });
                }
            }
            if let Some(clause) = self.visit_watchers(literal.negated()) {
                let literals = self.clauses.literals(clause).collect();
                return Some(Conflict { literals, is_new: false });
            }
        }
        None
    }

    fn rule_out_rivals(&mut self, slot: u32, made: u32) -> Option<Vec<Literal>> {
        for position in 0..self.slots[slot as usize].len() {
            let rival = self.slots[slot as usize][position];
            if rival == made {
                continue;
            }
            match self.values[rival as usize] {
                Value::Made => {
                    return Some(vec![Literal::forbidden(made), Literal::forbidden(rival)]);
                }
                Value::Undecided => self.enqueue(Literal::forbidden(rival), Cause::Rival(made)),
                Value::Forbidden => {}
            }
        }
        None
    }

    pub(super) fn check_slot(&mut self, slot: u32) -> Option<Vec<Literal>> {
        match self.possible[slot as usize] {
            0 => Some(
                self.slots[slot as usize].iter().map(|&choice| Literal::made(choice)).collect(),
            ),
            1 => {
                let last = *self.slots[slot as usize]
                    .iter()
                    .find(|&&choice| self.values[choice as usize] != Value::Forbidden)
                    .expect("one choice is possible");
                if self.values[last as usize] == Value::Undecided {
                    self.enqueue(Literal::made(last), Cause::Last(slot));
                }
                None
            }
            _ => None,
        }
    }

    /// Looks at the clauses that watch a literal which became false.
    fn visit_watchers(&mut self, falsified: Literal) -> Option<ClauseId> {
        let mut watchers = std::mem::take(&mut self.clauses.watchers[falsified.index()]);
        let mut conflict = None;
        let mut kept = 0;
        let mut next = 0;
        while next < watchers.len() {
            let mut watcher = watchers[next];
            next += 1;
            if self.is_true(watcher.blocker) {
                watchers[kept] = watcher;
                kept += 1;
                continue;
            }
            let clause = watcher.clause;
            if self.clauses.literal(clause, 0) == falsified {
                self.clauses.swap(clause, 0, 1);
            }
            let first = self.clauses.literal(clause, 0);
            watcher.blocker = first;
            if self.is_true(first) {
                watchers[kept] = watcher;
                kept += 1;
                continue;
            }
            let replacement = (2..self.clauses.length(clause))
                .find(|&position| !self.is_false(self.clauses.literal(clause, position)));
            if let Some(position) = replacement {
                self.clauses.swap(clause, 1, position);
                let literal = self.clauses.literal(clause, 1);
                self.clauses.watchers[literal.index()].push(watcher);
                continue;
            }
            watchers[kept] = watcher;
            kept += 1;
            if self.is_false(first) {
                conflict = Some(clause);
                break;
            }
            self.enqueue(first, Cause::Clause(clause));
        }
        if kept < next {
            watchers.copy_within(next.., kept);
        }
        let rest = watchers.len() - next;
        watchers.truncate(kept + rest);
        self.clauses.watchers[falsified.index()] = watchers;
        conflict
    }
}
