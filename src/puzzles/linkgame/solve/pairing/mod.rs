//! Which tiles go together: conflict-driven search over pairings.
//!
//! Without gravity a removal never blocks a path, so once every tile has its partner
//! the order does not matter: the board is cleared by taking what is open until nothing
//! is left. Only the pairing is searched, as a satisfiability problem over *choices*
//! (see [`super::tiles`]): of each slot exactly one choice is made, and every set of
//! tiles must have a way in: for a set U, *some choice is made whose path is free once
//! all tiles outside U are gone*, since the first tile of U to go needs one. There are
//! exponentially many such sets; a set is brought in when a relaxed play
//! ([`super::derivation`]) gets stuck on it under the decisions so far.
//!
//! The rest is the usual conflict-driven search: unit propagation over watched
//! literals, the first unique implication point, activities, restarts by Luby's
//! sequence, and forgetting of clauses that join many decision levels. All of it is
//! counted in work, so the same board is decided the same way every time.
//!
//! Why "no" is right: every clause is implied by the rules of the game, and the search
//! ends only when they contradict each other. Why "yes" is right: the steps are a play.

mod clauses;
mod learning;
mod order;
mod propagation;
mod stuck;

use crate::budget::{Budget, Stop};

use super::derivation::{Derivation, Step, Value};
use super::tiles::Tiles;
use clauses::{ClauseId, Clauses, Literal};
use order::Order;

/// The search.
#[derive(Debug)]
pub(super) struct Pairing<'tiles> {
    tiles: &'tiles Tiles,
    /// The choices of each slot: exactly one is made.
    slots: Vec<Vec<u32>>,
    /// The one or two slots of each choice.
    slots_of: Vec<[u32; 2]>,
    /// How many choices of each slot are not forbidden.
    possible: Vec<u32>,
    values: Vec<Value>,
    levels: Vec<u32>,
    causes: Vec<Cause>,
    trail: Vec<Literal>,
    /// Where each decision level begins in the trail.
    starts: Vec<usize>,
    /// How much of the trail was propagated.
    propagated: usize,
    clauses: Clauses,
    order: Order,
    /// Whether a choice was made when it was last decided.
    preferred: Vec<bool>,
    derivation: Derivation<'tiles>,
    /// The derivation's steps before this one rest on nothing forbidden.
    sound: usize,
    contradiction: bool,
    seen: Vec<bool>,
    /// Positions looked at: decisions and conflicts.
    pub(super) positions: u64,
    /// The most tiles that a play has cleared before a tile went alone.
    pub(super) most_cleared: usize,
    conflicts: u64,
    restarts: u64,
    /// How many clauses are kept before some are forgotten.
    clauses_kept: usize,
}

/// The literals of a clause, all false.
#[derive(Debug)]
struct Conflict {
    literals: Vec<Literal>,
    /// Whether it is the clause of a stuck set, not yet among the clauses.
    is_new: bool,
}

/// Why a choice stands as it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// Decided, or known at the root.
    None,
    /// A clause has no other literal left.
    Clause(ClauseId),
    /// Another choice of the same slot was made.
    Rival(u32),
    /// All others of a slot are forbidden.
    Last(u32),
}

/// How a slice of the search ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The derivation is a play that clears the board.
    Cleared,
    /// No pairing does.
    Refuted,
    /// The slice is over.
    Open,
}

const NO_SLOT: u32 = u32::MAX;

/// Value, level, cause, slots, activity, and two empty lists of watchers.
const BYTES_A_CHOICE: usize = 128;

/// The conflicts of the shortest run between restarts.
const FIRST_RUN: u64 = 100;

/// By how much activities fade at each conflict.
const ACTIVITY_FADES: f64 = 0.9;

/// Clauses that join so few decision levels are never forgotten.
const ALWAYS_KEPT: u32 = 2;

impl<'tiles> Pairing<'tiles> {
    /// The bytes that a search takes before it learns anything.
    pub(super) const fn bytes(tiles: &Tiles) -> usize {
        BYTES_A_CHOICE * tiles.choices
    }

    /// The search, nothing decided, with the steps that go whatever is decided.
    pub(super) fn new(tiles: &'tiles Tiles, derivation: Derivation<'tiles>) -> Self {
        let mut slots = Vec::new();
        let mut slots_of = vec![[NO_SLOT; 2]; tiles.choices];
        for group in &tiles.groups {
            let slot_tiles = if group.len() == 4 { &group[..1] } else { &group[..] };
            for &tile in slot_tiles {
                let mut slot = Vec::new();
                for &other in group.iter().filter(|&&other| other != tile) {
                    let choice = tiles.choice_of[tiles.pair(tile, other) as usize];
                    let entry = &mut slots_of[choice as usize];
                    let free = usize::from(entry[0] != NO_SLOT);
                    entry[free] = slots.len() as u32;
                    slot.push(choice);
                }
                slots.push(slot);
            }
        }
        let possible = slots.iter().map(|slot| slot.len() as u32).collect();
        let mut pairing = Self {
            tiles,
            slots,
            slots_of,
            possible,
            values: vec![Value::Undecided; tiles.choices],
            levels: vec![0; tiles.choices],
            causes: vec![Cause::None; tiles.choices],
            trail: Vec::new(),
            starts: Vec::new(),
            propagated: 0,
            clauses: Clauses::new(tiles.choices),
            order: Order::new(tiles.choices),
            preferred: vec![false; tiles.choices],
            derivation,
            sound: 0,
            contradiction: false,
            seen: vec![false; tiles.choices],
            positions: 0,
            conflicts: 0,
            most_cleared: 0,
            restarts: 0,
            clauses_kept: 4000,
        };
        for slot in 0..pairing.slots.len() as u32 {
            pairing.check_slot(slot);
        }
        pairing
    }

    /// The steps of the play that clears the board, after [`Progress::Cleared`].
    pub(super) fn steps(&self) -> &[Step] {
        self.derivation.steps()
    }

    /// Searches until decided or for about `conflicts` conflicts more.
    pub(super) fn run(&mut self, conflicts: u64, budget: &mut Budget) -> Result<Progress, Stop> {
        let end = self.conflicts + conflicts;
        while self.conflicts < end {
            self.restarts += 1;
            let limit = self.conflicts + FIRST_RUN * luby(self.restarts);
            while self.conflicts < limit {
                let conflict = match self.propagate() {
                    None => self.check(budget)?,
                    conflict => conflict,
                };
                if let Some(conflict) = conflict {
                    self.learn(conflict, budget)?;
                    if self.contradiction {
                        return Ok(Progress::Refuted);
                    }
                } else if self.derivation.is_solution() {
                    return Ok(Progress::Cleared);
                } else {
                    self.positions += 1;
                    self.decide();
                }
            }
            self.cancel(0);
            if self.clauses.len() > self.clauses_kept {
                self.forget(budget);
            }
        }
        Ok(Progress::Open)
    }

    /// Brings the derivation up to date; the clause of a stuck set if it is stuck.
    fn check(&mut self, budget: &mut Budget) -> Result<Option<Conflict>, Stop> {
        self.derivation.back_to(self.sound);
        let cleared = self.derivation.extend(&self.values, &self.preferred, budget);
        self.sound = self.derivation.steps().len();
        let cleared = cleared?;
        let tiles_left = self.derivation.play.left();
        self.most_cleared = self.most_cleared.max(self.derivation.cleared_by_pairs());
        budget.show_best(self.most_cleared as u64);
        debug_assert_eq!(cleared, tiles_left == 0);
        if cleared {
            return Ok(None);
        }
        Ok(Some(Conflict { literals: self.stuck(budget)?, is_new: true }))
    }

    fn forget(&mut self, budget: &mut Budget) {
        let values = &self.values;
        let freed = self.clauses.forget(ALWAYS_KEPT, |literal| {
            let made = if literal.is_made() { Value::Made } else { Value::Forbidden };
            values[literal.choice() as usize] == made
        });
        budget.release(freed);
        self.clauses_kept += 300;
    }

    /// Opens a decision level.
    ///
    /// In every other run the choice on which the first undecided step of the
    /// derivation rests is made: that keeps the play as it is for as long as it goes,
    /// and finds "yes" soon. Else the most active choice is decided as the play has it.
    fn decide(&mut self) {
        let literal = if self.restarts % 2 == 1 { self.next_step() } else { None };
        let literal = literal.unwrap_or_else(|| self.most_active());
        self.starts.push(self.trail.len());
        self.enqueue(literal, Cause::None);
    }

    fn next_step(&self) -> Option<Literal> {
        let mut choices =
            self.derivation.steps().iter().map(|step| self.tiles.choice_of[step.pair as usize]);
        choices.find(|&choice| self.values[choice as usize] == Value::Undecided).map(Literal::made)
    }

    fn most_active(&mut self) -> Literal {
        loop {
            let choice = self.order.pop().expect("an undecided choice is left");
            if self.values[choice as usize] == Value::Undecided {
                return match self.derivation.first_use(choice) {
                    Some(_) => Literal::made(choice),
                    None => Literal::forbidden(choice),
                };
            }
        }
    }
}

/// Luby's sequence from 1: 1 1 2 1 1 2 4 …
const fn luby(mut number: u64) -> u64 {
    loop {
        let mut power = 1;
        while power < number + 1 {
            power *= 2;
        }
        if power == number + 1 {
            return power / 2;
        }
        number -= power / 2 - 1;
    }
}
