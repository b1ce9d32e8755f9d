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
mod order;

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
    pub(super) conflicts: u64,
    pub(super) most_cleared: usize,
    restarts: u64,
    reserved: usize,
    keep: usize,
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

impl<'tiles> Pairing<'tiles> {
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
        Self {
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
            reserved: 0,
            keep: 4000,
        }
    }

    /// The steps of the play that clears the board, after [`Progress::Cleared`].
    pub(super) fn steps(&self) -> &[Step] {
        self.derivation.steps()
    }

    /// Searches until decided or for about `conflicts` conflicts more.
    pub(super) fn run(&mut self, conflicts: u64, budget: &mut Budget) -> Result<Progress, Stop> {
        let end = self.conflicts + conflicts;
        if self.restarts == 0 {
            for slot in 0..self.slots.len() {
                self.check_slot(slot as u32);
            }
        }
        while self.conflicts < end {
            self.restarts += 1;
            let limit = self.conflicts + 50 * luby(self.restarts);
            while self.conflicts < limit {
                if self.contradiction {
                    return Ok(Progress::Refuted);
                }
                if let Some(conflict) = self.propagate() {
                    self.learn(&conflict, budget)?;
                    continue;
                }
                if !self.extend(budget)? {
                    let conflict = self.stuck(budget)?;
                    self.learn(&conflict, budget)?;
                    continue;
                }
                if self.derivation.is_solution() {
                    return Ok(Progress::Cleared);
                }
                self.positions += 1;
                self.decide();
            }
            self.cancel(0);
            if self.clauses.len() > self.keep {
                let values = &self.values;
                let freed = self.clauses.forget(2, |literal| {
                    let made = values[literal.choice() as usize];
                    made == if literal.is_made() { Value::Made } else { Value::Forbidden }
                });
                budget.release(freed);
                self.keep += 300;
            }
        }
        Ok(Progress::Open)
    }

    fn is_true(&self, literal: Literal) -> bool {
        let wanted = if literal.is_made() { Value::Made } else { Value::Forbidden };
        self.values[literal.choice() as usize] == wanted
    }

    fn is_false(&self, literal: Literal) -> bool {
        self.is_true(literal.negated())
    }

    fn level(&self) -> u32 {
        self.starts.len() as u32
    }

    fn enqueue(&mut self, literal: Literal, cause: Cause) {
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

    fn cancel(&mut self, level: u32) {
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

    /// Unit propagation; the false literals of a clause that failed.
    fn propagate(&mut self) -> Option<Vec<Literal>> {
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
                if conflict.is_some() {
                    return conflict;
                }
            }
            if let Some(clause) = self.visit_watchers(literal.negated()) {
                return Some(self.clauses.literals(clause).collect());
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

    fn check_slot(&mut self, slot: u32) -> Option<Vec<Literal>> {
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

    /// Brings the derivation up to date; false when it is stuck.
    fn extend(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        self.derivation.back_to(self.sound);
        let cleared = self.derivation.extend(&self.values, &self.preferred, budget);
        self.sound = self.derivation.steps().len();
        if self.derivation.is_solution() {
            return Ok(true);
        }
        cleared
    }

    /// The clause of a small stuck set.
    ///
    /// Forbidden choices are allowed again one by one, later ones first, as long as
    /// something stays stuck; what stays at the end gives the clause.
    fn stuck(&mut self, budget: &mut Budget) -> Result<Vec<Literal>, Stop> {
        let kept = self.derivation.steps().len();
        let mut lenient = self.values.clone();
        let mut needed = vec![false; self.tiles.choices];
        let result = loop {
            let openings = self.openings();
            let next = openings
                .iter()
                .copied()
                .filter(|&choice| !needed[choice as usize])
                .max_by_key(|&choice| (self.levels[choice as usize], choice));
            let Some(choice) = next.filter(|&choice| self.levels[choice as usize] > 0) else {
                break Ok(openings);
            };
            lenient[choice as usize] = Value::Undecided;
            let before = self.derivation.steps().len();
            match self.derivation.extend(&lenient, &self.preferred, budget) {
                Err(stop) => break Err(stop),
                Ok(false) => {}
                Ok(true) => {
                    self.derivation.back_to(before);
                    lenient[choice as usize] = Value::Forbidden;
                    needed[choice as usize] = true;
                }
            }
        };
        self.derivation.back_to(kept);
        Ok(result?.into_iter().map(Literal::made).collect())
    }

    /// The choices that would open a tile of the stuck set; all are forbidden.
    fn openings(&self) -> Vec<u32> {
        let play = &self.derivation.play;
        let mut openings = Vec::new();
        for (kind, group) in self.tiles.groups.iter().enumerate() {
            if play.left_of(kind as u16) == 0 {
                continue;
            }
            let first = self.tiles.first_pair[kind] as usize;
            let count = group.len() * (group.len() - 1) / 2;
            for pair in first..first + count {
                let (one, other) = self.tiles.pairs[pair];
                if (play.stands(one) || play.stands(other)) && play.is_joined(pair as u32) {
                    openings.push(self.tiles.choice_of[pair]);
                }
            }
        }
        openings.sort_unstable();
        openings.dedup();
        openings
    }

    /// Learns from a clause whose literals are all false.
    fn learn(&mut self, conflict: &[Literal], budget: &mut Budget) -> Result<(), Stop> {
        budget.tick()?;
        self.conflicts += 1;
        self.positions += 1;
        let top = conflict.iter().map(|literal| self.levels[literal.choice() as usize]).max();
        let Some(top @ 1..) = top else {
            self.contradiction = true;
            return Ok(());
        };
        self.cancel(top);
        let mut clause = self.analyze(conflict);
        // The second place belongs to the literal of the highest level but the first's.
        let mut back = 0;
        if clause.len() > 1 {
            let highest = (1..clause.len())
                .max_by_key(|&position| self.levels[clause[position].choice() as usize])
                .expect("the clause has a second literal");
            clause.swap(1, highest);
            back = self.levels[clause[1].choice() as usize];
        }
        let weight = self.weight(&clause);
        self.cancel(back);
        if clause.len() == 1 {
            self.enqueue(clause[0], Cause::None);
        } else {
            budget.reserve(Clauses::bytes(clause.len()))?;
            let id = self.clauses.add(&clause, weight);
            self.enqueue(clause[0], Cause::Clause(id));
        }
        self.order.fade(0.95);
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

    /// Opens a decision level.
    fn decide(&mut self) {
        let choice = loop {
            let choice = self.order.pop().expect("an undecided choice is left");
            if self.values[choice as usize] == Value::Undecided {
                break choice;
            }
        };
        let used = self.derivation.first_use(choice).is_some();
        let literal = if used { Literal::made(choice) } else { Literal::forbidden(choice) };
        self.starts.push(self.trail.len());
        self.enqueue(literal, Cause::None);
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
