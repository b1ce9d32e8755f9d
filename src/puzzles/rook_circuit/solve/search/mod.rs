//! Conflict-driven search for a circuit, with the circuit's own rules built in.
//!
//! A search by cases that learns a clause from each contradiction (Marques-Silva and Sakallah
//! 1996; first unique implication point, Zhang et al. 2001). Two rules are not written as clauses but
//! followed by the search itself, which explains them when asked:
//!
//! - *degrees*: a node gets as many edges as it needs, no more and no fewer;
//! - *paths* (`paths`): an edge that would close a path before everything is joined is
//!   dropped, and a cycle that was closed too early is a contradiction. It can
//!   be explained by its edges (not all of them together) or by its border (one edge must
//!   leave it); the explanation that spans fewer levels is taken.
//!
//! The search can be paused after a number of conflicts and taken up again. Restarts follow
//! Luby's sequence, decisions repeat the last value of an edge, at first that of a given 2-factor:
//! so the search begins close to a circuit.
//!
//! What was found when it was made: a general solver with a clause for each pair and triple of
//! edges at a cell needs several times the memory and time per step.

mod analysis;
mod clauses;
mod instance;
mod order;
mod paths;
#[cfg(test)]
mod tests;

use self::analysis::Analysis;
use self::clauses::{ClauseId, Clauses, Literal, Watch};
pub(super) use self::instance::Instance;
pub(super) use self::instance::NONE;
use self::order::Order;
use self::paths::{Joined, Paths};
use super::lattice::{Lattice, Mask};
use crate::budget::{Budget, Stop};

/// How a slice of a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// With a circuit: see [`Search::is_chosen`].
    Found,
    /// There is no circuit.
    Exhausted,
    /// The slice is used up.
    Paused,
}

/// A search and all that it has learnt.
#[derive(Debug)]
pub(super) struct Search {
    instance: Instance,
    /// By literal: 1 true, −1 false, 0 open.
    value: Vec<i8>,
    state: Vec<EdgeState>,
    /// By node, its chosen edges and its open ones, as far as the trail was followed.
    degree: Vec<Degree>,
    paths: Paths,
    trail: Vec<Literal>,
    /// Where each level begins on the trail.
    levels: Vec<u32>,
    /// How much of the trail was followed.
    followed: usize,
    clauses: Clauses,
    order: Order,
    analysis: Analysis,
    /// The value that each edge had last.
    was_chosen: Vec<bool>,
    restarts: u32,
    conflicts_to_restart: u64,
    conflicts: u64,
    most_clauses: usize,
    is_refuted: bool,
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct EdgeState {
    level: u32,
    /// Where on the trail.
    position: u32,
    reason: Reason,
}

#[derive(Clone, Copy, Debug, Default)]
struct Degree {
    chosen: u8,
    open: u8,
}

/// Why an edge has its value.
#[derive(Clone, Copy, Debug)]
enum Reason {
    Decision,
    Clause(ClauseId),
    /// The need of this node.
    Node(u32),
    /// It would close a path, made of edges up to this place on the trail.
    Path(u32),
}

/// A contradiction: literals of which one would have to be true, all being false.
type Conflict = Vec<Literal>;

/// Conflicts until the first restart.
const RESTART_UNIT: u64 = 100;
/// Learnt clauses before the first are dropped, and how many more after each time.
const FIRST_CLAUSES: usize = 4000;
const MORE_CLAUSES: usize = 1000;
/// About the bytes that an edge and its nodes take.
const BYTES_AN_EDGE: usize = 200;

impl Search {
    /// Begins a search that at first tries to choose the edges for which `hint` says so.
    pub(super) fn new(
        instance: Instance,
        hint: impl Fn(usize, usize) -> bool,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let edges = instance.edges();
        let bytes = edges * BYTES_AN_EDGE;
        budget.reserve(bytes)?;
        let was_chosen = (0..edges)
            .map(|edge| {
                let (place, direction) = instance.side(edge);
                hint(place, direction)
            })
            .collect();
        let degree = instance
            .nodes
            .iter()
            .map(|node| Degree { chosen: 0, open: node.edges().count() as u8 })
            .collect();
        let state = EdgeState { level: 0, position: 0, reason: Reason::Decision };
        let mut search = Self {
            value: vec![0; 2 * edges],
            state: vec![state; edges],
            degree,
            paths: Paths::new(&instance),
            trail: Vec::with_capacity(edges),
            levels: Vec::new(),
            followed: 0,
            clauses: Clauses::new(edges),
            order: Order::new(edges),
            analysis: Analysis::new(edges),
            was_chosen,
            restarts: 0,
            conflicts_to_restart: RESTART_UNIT,
            conflicts: 0,
            most_clauses: FIRST_CLAUSES,
            is_refuted: false,
            bytes,
            instance,
        };
        search.begin();
        Ok(search)
    }

    /// Gives the memory back.
    pub(super) fn end(self, budget: &mut Budget) {
        budget.release(self.bytes);
    }

    /// Whether the circuit found has an edge.
    pub(super) fn is_chosen(&self, edge: usize) -> bool {
        self.value[Literal::chosen(edge).index()] == 1
    }

    /// Writes the circuit found into the masks of chosen edges.
    pub(super) fn write(&self, lattice: &Lattice, chosen: &mut [Mask]) {
        for edge in 0..self.instance.edges() {
            let (place, direction) = self.instance.side(edge);
            if (chosen[place] & (1 << direction) != 0) != self.is_chosen(edge) {
                chosen[place] ^= 1 << direction;
                chosen[lattice.step(place, direction)] ^= 1 << (direction ^ 2);
            }
        }
    }

    /// Goes on until a circuit is found, there is none, or `conflicts` more conflicts were met.
    pub(super) fn run(&mut self, conflicts: u64, budget: &mut Budget) -> Result<Progress, Stop> {
        let last = self.conflicts.saturating_add(conflicts);
        while !self.is_refuted {
            budget.tick()?;
            if let Some(conflict) = self.propagate(budget)? {
                self.conflicts += 1;
                self.conflicts_to_restart = self.conflicts_to_restart.saturating_sub(1);
                self.learn(&conflict);
                self.account(budget)?;
                continue;
            }
            if self.conflicts >= last {
                self.go_back_to(0);
                return Ok(Progress::Paused);
            }
            if self.conflicts_to_restart == 0 {
                self.restarts += 1;
                self.conflicts_to_restart = RESTART_UNIT * luby(self.restarts);
                self.go_back_to(0);
            }
            if self.clauses.len() >= self.most_clauses {
                self.most_clauses += MORE_CLAUSES;
                self.reduce();
            }
            if !self.decide() {
                return Ok(Progress::Found);
            }
        }
        Ok(Progress::Exhausted)
    }

    /// Forbids the circuit that was found, so that the search can go on for another.
    pub(super) fn forbid_found(&mut self) {
        let clause: Vec<Literal> = (0..self.instance.edges())
            .filter(|&edge| self.is_chosen(edge))
            .map(Literal::dropped)
            .collect();
        if clause.is_empty() {
            self.is_refuted = true;
        } else {
            self.learn(&clause);
        }
    }

    /// Settles what follows before any decision.
    fn begin(&mut self) {
        for node in 0..self.instance.nodes.len() {
            if self.look_at(node).is_some() {
                self.is_refuted = true;
            }
        }
        for edge in 0..self.instance.edges() {
            let [one, other] = self.instance.ends[edge];
            if self.instance.nodes[one as usize].partner == other
                && self.instance.pieces > 1
                && !self.enqueue(Literal::dropped(edge), Reason::Path(0))
            {
                self.is_refuted = true;
            }
        }
    }

    fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    #[inline]
    fn value(&self, literal: Literal) -> i8 {
        self.value[literal.index()]
    }

    /// Decides an open edge; `false` when there is none.
    fn decide(&mut self) -> bool {
        while let Some(edge) = self.order.pop() {
            if self.value(Literal::chosen(edge)) == 0 {
                self.levels.push(self.trail.len() as u32);
                let literal = match self.was_chosen[edge] {
                    true => Literal::chosen(edge),
                    false => Literal::dropped(edge),
                };
                self.assign(literal, Reason::Decision);
                return true;
            }
        }
        false
    }

    fn assign(&mut self, literal: Literal, reason: Reason) {
        self.value[literal.index()] = 1;
        self.value[literal.negated().index()] = -1;
        self.state[literal.edge()] =
            EdgeState { level: self.level(), position: self.trail.len() as u32, reason };
        self.trail.push(literal);
    }

    /// Makes a literal true; `false` when it is false already.
    fn enqueue(&mut self, literal: Literal, reason: Reason) -> bool {
        match self.value(literal) {
            0 => self.assign(literal, reason),
            value => return value == 1,
        }
        true
    }

    /// Follows the trail to its end, unless a contradiction is met.
    fn propagate(&mut self, budget: &mut Budget) -> Result<Option<Conflict>, Stop> {
        while let Some(&literal) = self.trail.get(self.followed) {
            budget.tick()?;
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
    fn look_at(&mut self, node: usize) -> Option<Conflict> {
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

    /// Takes back all that was assigned after a level.
    fn go_back_to(&mut self, level: u32) {
        let Some(&begin) = self.levels.get(level as usize) else { return };
        self.levels.truncate(level as usize);
        for position in (begin as usize..self.trail.len()).rev() {
            let literal = self.trail[position];
            let edge = literal.edge();
            if position < self.followed {
                let [one, other] = self.instance.ends[edge];
                for node in [one, other] {
                    let degree = &mut self.degree[node as usize];
                    degree.open += 1;
                    degree.chosen -= u8::from(literal.is_chosen());
                }
                if literal.is_chosen() {
                    self.paths.part();
                }
            }
            self.value[literal.index()] = 0;
            self.value[literal.negated().index()] = 0;
            self.was_chosen[edge] = literal.is_chosen();
            self.order.push(edge);
        }
        self.trail.truncate(begin as usize);
        self.followed = self.followed.min(begin as usize);
    }

    /// Drops learnt clauses that are worth little.
    fn reduce(&mut self) {
        self.go_back_to(0);
        // At level 0 no reason is asked for any more.
        self.clauses.reduce(|_| false, |_, _| {});
    }

    /// Keeps the budget told of the memory held; drops clauses when it gives no more.
    fn account(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        const STEP: usize = 1 << 20;
        let bytes = self.instance.edges() * BYTES_AN_EDGE + self.clauses.bytes();
        if bytes > self.bytes {
            match budget.reserve(STEP) {
                Ok(()) => self.bytes += STEP,
                Err(stop) if self.clauses.len() < FIRST_CLAUSES => return Err(stop),
                Err(_) => {
                    self.most_clauses = self.clauses.len() / 2;
                    self.reduce();
                }
            }
        }
        Ok(())
    }
}

/// Luby, Sinclair and Zuckerman's sequence from 0: 1 1 2 1 1 2 4 …
const fn luby(index: u32) -> u64 {
    let mut index = index + 1;
    loop {
        let bits = u32::BITS - index.leading_zeros();
        if index + 1 == 1 << bits {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}
