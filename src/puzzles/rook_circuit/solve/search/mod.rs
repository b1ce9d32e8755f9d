//! Conflict-driven search for a circuit, with the circuit's own rules built in.
//!
//! A search by cases that learns a clause from each contradiction (Marques-Silva and Sakallah
//! 1996; first unique implication point, Zhang et al. 2001). Two rules are not written as clauses but
//! followed by the search itself, which explains them when asked:
//!
//! - *degrees*: a node gets as many edges as it needs, no more and no fewer;
//! - *paths* (`paths`): an edge that would close a path before everything is joined is
//!   dropped, and a cycle that was closed too early is a contradiction. It is
//!   explained by its border: one edge must leave it.
//!
//! The search can be paused after a number of conflicts and taken up again. It restarts often,
//! and decisions repeat the last value of an edge, at first that of a given 2-factor: so the
//! search begins close to a circuit and goes on close to where it was.
//!
//! What was found when it was made, on tight boards: explained by its edges instead of its border, a
//! cycle teaches next to nothing (30 times slower or worse); restarts after Luby's
//! sequence, or later than after 50 conflicts, take up to twice as long; the decay of
//! activities matters little.

mod analysis;
mod clauses;
mod instance;
mod order;
mod paths;
mod propagation;
#[cfg(test)]
mod tests;

use self::analysis::Analysis;
use self::clauses::{ClauseId, Clauses, Literal};
pub(super) use self::instance::Instance;
pub(super) use self::instance::NONE;
use self::order::Order;
use self::paths::Paths;
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
    /// Edges followed and literals looked at.
    work: u64,
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
const FIRST_RESTART: u64 = 20;
/// After so many restarts each one waits for one more conflict.
const RESTARTS_A_CONFLICT: u32 = 4;
/// Learnt clauses before the first are dropped, and how many more after each time.
const FIRST_CLAUSES: usize = 4000;
const MORE_CLAUSES: usize = 1000;
/// So much work counts as one more conflict, so that slices are no longer on large boards.
const WORK_A_CONFLICT: u64 = 2_000;
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
            conflicts_to_restart: FIRST_RESTART,
            conflicts: 0,
            work: 0,
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

    /// Goes on until a circuit is found, there is none, or `conflicts` more conflicts were met (or
    /// as much work was done as many conflicts take).
    pub(super) fn run(&mut self, conflicts: u64, budget: &mut Budget) -> Result<Progress, Stop> {
        let last = self.spent().saturating_add(conflicts);
        while !self.is_refuted {
            budget.tick()?;
            if let Some(conflict) = self.propagate(budget)? {
                self.conflicts += 1;
                self.conflicts_to_restart = self.conflicts_to_restart.saturating_sub(1);
                self.learn(&conflict, budget)?;
                self.account(budget)?;
                continue;
            }
            if self.spent() >= last {
                self.go_back_to(0);
                return Ok(Progress::Paused);
            }
            if self.conflicts_to_restart == 0 {
                self.restarts += 1;
                self.conflicts_to_restart =
                    FIRST_RESTART + u64::from(self.restarts / RESTARTS_A_CONFLICT);
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

    const fn spent(&self) -> u64 {
        self.conflicts + self.work / WORK_A_CONFLICT
    }

    /// Forbids the circuit that was found, so that the search can go on for another.
    pub(super) fn forbid_found(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let clause: Vec<Literal> = (0..self.instance.edges())
            .filter(|&edge| self.is_chosen(edge))
            .map(Literal::dropped)
            .collect();
        self.learn(&clause, budget)
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
