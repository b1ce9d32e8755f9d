//! What follows from the edges that have a value: by the needs of nodes, by the paths, and by the
//! learnt clauses.
//!
//! The trail lists the edges in the order in which they got their values. Each is followed
//! once: its two nodes are looked at, then the path that it made longer, then the clauses that
//! watch it.

use super::clauses::{Literal, Watch};
use super::paths::Joined;
use super::{Conflict, Degree, Reason, Search};
use crate::budget::{Budget, Stop};

impl Search {
    /// Follows the trail to its end, unless a contradiction is met.
    pub(super) fn propagate(&mut self, budget: &mut Budget) -> Result<Option<Conflict>, Stop> {
        while let Some(&literal) = self.trail.get(self.followed) {
            budget.tick()?;
            self.work += 1;
            let position = self.followed as u32;
            self.followed += 1;
            let [one, other] = self.instance.ends[literal.edge()];
            for node in [one, other] {
                let degree = &mut self.degree[node as usize];
                degree.open -= 1;
                degree.chosen += u8::from(literal.is_chosen());
            }
            if literal.is_chosen() {
                self.paths.join(one, other);
            }
            for node in [one, other] {
                if let Some(conflict) = self.look_at(node as usize) {
                    return Ok(Some(conflict));
                }
            }
            if literal.is_chosen()
                && let Some(conflict) = self.look_at_path(literal.edge(), position)
            {
                return Ok(Some(conflict));
            }
            if let Some(conflict) = self.follow_watches(literal.negated()) {
                return Ok(Some(conflict));
            }
        }
        Ok(None)
    }

    /// What follows from a node's need.
    pub(super) fn look_at(&mut self, node: usize) -> Option<Conflict> {
        let Degree { chosen, open } = self.degree[node];
        let need = self.instance.nodes[node].need;
        let edges = self.instance.nodes[node].edges();
        if chosen > need {
            return Some(
                edges
                    .filter(|&edge| self.value(Literal::chosen(edge)) == 1)
                    .map(Literal::dropped)
                    .collect(),
            );
        }
        if chosen + open < need {
            return Some(
                edges
                    .filter(|&edge| self.value(Literal::chosen(edge)) == -1)
                    .map(Literal::chosen)
                    .collect(),
            );
        }
        let settle: fn(usize) -> Literal = if chosen == need {
            Literal::dropped
        } else if chosen + open == need {
            Literal::chosen
        } else {
            return None;
        };
        for edge in edges {
            let literal = settle(edge);
            if self.value(literal) == 0 {
                self.assign(literal, Reason::Node(node as u32));
            }
        }
        None
    }

    /// What follows from the path that an edge has just made longer.
    fn look_at_path(&mut self, edge: usize, position: u32) -> Option<Conflict> {
        match self.paths.last_joined() {
            Joined::Path(one, other) => {
                if self.paths.is_one_piece() {
                    return None;
                }
                for edge in self.instance.nodes[one as usize].edges() {
                    let [first, second] = self.instance.ends[edge];
                    if (first == other || second == other) && self.value(Literal::chosen(edge)) == 0
                    {
                        self.assign(Literal::dropped(edge), Reason::Path(position));
                    }
                }
                None
            }
            Joined::Circuit => None,
            Joined::CycleTooEarly => Some(self.explain_cycle(edge, position)),
        }
    }

    /// Looks at the clauses that watch a literal which has become false.
    fn follow_watches(&mut self, literal: Literal) -> Option<Conflict> {
        let mut watches = self.clauses.take_watches(literal);
        let mut kept = 0;
        let mut conflict = None;
        let mut at = 0;
        'clauses: while at < watches.len() {
            let watch = watches[at];
            at += 1;
            if self.value(watch.blocker) == 1 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let clause = watch.clause;
            if self.clauses.literal(clause, 0) == literal {
                self.clauses.swap(clause, 0, 1);
            }
            let first = self.clauses.literal(clause, 0);
            let watch = Watch { clause, blocker: first };
            if self.value(first) != 1 {
                for index in 2..self.clauses.length(clause) {
                    let other = self.clauses.literal(clause, index);
                    if self.value(other) != -1 {
                        self.clauses.swap(clause, 1, index);
                        self.clauses.add_watch(other, watch);
                        continue 'clauses;
                    }
                }
            }
            watches[kept] = watch;
            kept += 1;
            if !self.enqueue(first, Reason::Clause(clause)) {
                conflict = Some(self.clauses.literals(clause).collect());
                break;
            }
        }
        let rest = watches.len() - at;
        watches.copy_within(at.., kept);
        watches.truncate(kept + rest);
        self.clauses.put_watches(literal, watches);
        conflict
    }
}
