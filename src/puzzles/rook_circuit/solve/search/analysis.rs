//! What a contradiction teaches: a clause that holds always, and how far to go back.
//!
//! The literals of the contradiction are replaced, the last assigned first, by the
//! reasons for them, until one of the last level is left: the first unique implication point. What the
//! other literals imply by their reasons is then left out (Sörensson and Biere 2009).

use super::clauses::Literal;
use super::{Reason, Search};
use crate::budget::{Budget, Stop};

/// Arrays kept between analyses.
#[derive(Debug)]
pub(super) struct Analysis {
    /// By edge: what is known of it in this analysis.
    seen: Vec<Seen>,
    touched: Vec<u32>,
    clause: Vec<Literal>,
    grounds: Vec<Literal>,
    pub(super) path: Vec<u32>,
    pub(super) marks: Marks,
    levels: Marks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    No,
    /// Part of the clause, or replaced by its reason.
    Yes,
    /// Implied by the clause.
    Implied,
    /// Known not to be.
    NotImplied,
}

impl Analysis {
    pub(super) fn new(edges: usize) -> Self {
        Self {
            seen: vec![Seen::No; edges],
            touched: Vec::new(),
            clause: Vec::new(),
            grounds: Vec::new(),
            path: Vec::new(),
            marks: Marks::default(),
            levels: Marks::default(),
        }
    }
}

/// A set of small numbers that is emptied in O(1).
#[derive(Debug, Default)]
pub(super) struct Marks {
    stamps: Vec<u32>,
    stamp: u32,
}

impl Marks {
    /// Empties the set, and makes room for numbers below `size`.
    pub(super) fn begin(&mut self, size: usize) {
        if self.stamps.len() < size {
            self.stamps.resize(size, 0);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// Adds a number; whether it is new.
    pub(super) fn set(&mut self, number: usize) -> bool {
        let is_new = self.stamps[number] != self.stamp;
        self.stamps[number] = self.stamp;
        is_new
    }

    pub(super) fn is_set(&self, number: usize) -> bool {
        self.stamps[number] == self.stamp
    }
}

impl Search {
    /// Learns from a clause all of whose literals are false, and goes back to where it says something.
    pub(super) fn learn(&mut self, conflict: &[Literal], budget: &mut Budget) -> Result<(), Stop> {
        let levels = conflict.iter().map(|literal| self.state[literal.edge()].level);
        let level = levels.max().unwrap_or(0);
        if level == 0 {
            self.is_refuted = true;
            return Ok(());
        }
        self.go_back_to(level);
        let mut clause = std::mem::take(&mut self.analysis.clause);
        clause.clear();
        self.resolve(conflict, level, &mut clause, budget)?;
        self.leave_out_implied(&mut clause);
        for edge in std::mem::take(&mut self.analysis.touched) {
            self.analysis.seen[edge as usize] = Seen::No;
        }
        self.order.decay();
        let levels = self.count_levels(&clause);
        // The literal of the last level but one is watched as well, for it is freed next.
        let second = (1..clause.len()).max_by_key(|&index| self.state[clause[index].edge()].level);
        match second {
            None => {
                self.go_back_to(0);
                self.assign(clause[0], Reason::Decision);
            }
            Some(second) => {
                self.go_back_to(self.state[clause[second].edge()].level);
                clause.swap(1, second);
                let id = self.clauses.add(&clause, levels);
                self.assign(clause[0], Reason::Clause(id));
            }
        }
        self.analysis.clause = clause;
        Ok(())
    }

    /// Puts into `clause` the literal of the level that implies the conflict, and the others of
    /// earlier levels behind it.
    fn resolve(
        &mut self,
        conflict: &[Literal],
        level: u32,
        clause: &mut Vec<Literal>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let mut grounds = std::mem::take(&mut self.analysis.grounds);
        grounds.clear();
        grounds.extend_from_slice(conflict);
        // Its place is kept for the literal of the last level.
        clause.push(grounds[0]);
        let mut to_replace = 0;
        let mut position = self.trail.len();
        loop {
            self.work += grounds.len() as u64;
            for &literal in &grounds {
                budget.tick()?;
                let edge = literal.edge();
                if self.analysis.seen[edge] != Seen::No || self.state[edge].level == 0 {
                    continue;
                }
                self.analysis.seen[edge] = Seen::Yes;
                self.analysis.touched.push(edge as u32);
                self.order.bump(edge);
                if self.state[edge].level == level {
                    to_replace += 1;
                } else {
                    clause.push(literal);
                }
            }
            let last = loop {
                position -= 1;
                let literal = self.trail[position];
                if self.analysis.seen[literal.edge()] == Seen::Yes
                    && self.state[literal.edge()].level == level
                {
                    break literal;
                }
            };
            to_replace -= 1;
            if to_replace == 0 {
                clause[0] = last.negated();
                break;
            }
            self.grounds_of(last, &mut grounds);
        }
        self.analysis.grounds = grounds;
        Ok(())
    }

    /// The literals, all false, whose falsehood implies a true literal that was not decided.
    fn grounds_of(&mut self, literal: Literal, grounds: &mut Vec<Literal>) {
        grounds.clear();
        let edge = literal.edge();
        let state = self.state[edge];
        match state.reason {
            Reason::Decision => {}
            Reason::Clause(id) => {
                grounds.extend(self.clauses.literals(id).filter(|&other| other != literal));
            }
            Reason::Node(node) => {
                for other in self.instance.nodes[node as usize].edges() {
                    let against = match literal.is_chosen() {
                        true => Literal::chosen(other),
                        false => Literal::dropped(other),
                    };
                    if other != edge
                        && self.value(against) == -1
                        && self.state[other].position < state.position
                    {
                        grounds.push(against);
                    }
                }
            }
            Reason::Path(position) => {
                let [one, other] = self.instance.ends[edge];
                let mut path = std::mem::take(&mut self.analysis.path);
                self.path(one, other, position, &mut path);
                grounds.extend(path.iter().map(|&edge| Literal::dropped(edge as usize)));
                self.analysis.path = path;
            }
        }
    }

    /// Leaves out literals that are implied by the others.
    fn leave_out_implied(&mut self, clause: &mut Vec<Literal>) {
        let mut kept = 1;
        for index in 1..clause.len() {
            let literal = clause[index];
            if !self.is_implied(literal) {
                clause[kept] = literal;
                kept += 1;
            }
        }
        clause.truncate(kept);
    }

    /// Whether the reasons for a literal of the clause lead to other literals of the clause alone.
    fn is_implied(&mut self, literal: Literal) -> bool {
        if !self.is_followed(literal) {
            return false;
        }
        let mut stack = vec![literal];
        let mut visited: Vec<usize> = Vec::new();
        let mut grounds = std::mem::take(&mut self.analysis.grounds);
        let mut is_implied = true;
        'search: while let Some(literal) = stack.pop() {
            self.grounds_of(literal.negated(), &mut grounds);
            for &ground in &grounds {
                let edge = ground.edge();
                if self.state[edge].level == 0 {
                    continue;
                }
                match self.analysis.seen[edge] {
                    Seen::Yes | Seen::Implied => continue,
                    Seen::NotImplied => {
                        is_implied = false;
                        break 'search;
                    }
                    Seen::No => {}
                }
                if !self.is_followed(ground) || visited.len() >= MOST_VISITED {
                    is_implied = false;
                    break 'search;
                }
                self.analysis.seen[edge] = Seen::Implied;
                self.analysis.touched.push(edge as u32);
                visited.push(edge);
                stack.push(ground);
            }
        }
        if !is_implied {
            for edge in visited {
                self.analysis.seen[edge] = Seen::NotImplied;
            }
        }
        self.analysis.grounds = grounds;
        is_implied
    }

    /// Whether the reason for a literal is looked at to leave it out. Those of paths can be long, and cost
    /// more than they save.
    fn is_followed(&self, literal: Literal) -> bool {
        matches!(self.state[literal.edge()].reason, Reason::Clause(_) | Reason::Node(_))
    }

    fn count_levels(&mut self, literals: &[Literal]) -> u32 {
        self.analysis.levels.begin(self.levels.len() + 1);
        let mut count = 0;
        for literal in literals {
            let level = self.state[literal.edge()].level as usize;
            count += u32::from(self.analysis.levels.set(level));
        }
        count
    }
}

/// The most literals that are looked at to leave one out.
const MOST_VISITED: usize = 50;
