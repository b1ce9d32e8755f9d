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

use std::cmp::Reverse;

use crate::budget::{Budget, Stop};

use super::derivation::{Derivation, Step, Value};
use super::locked::{Dissolvers, relax};
use super::play::Play;
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

/// The conflicts of the shortest run between restarts.
const FIRST_RUN: u64 = 100;

/// By how much activities fade at each conflict.
const ACTIVITY_FADES: f64 = 0.9;

/// Clauses that join so few decision levels are never forgotten.
const ALWAYS_KEPT: u32 = 2;

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

    /// Unit propagation, until nothing follows or a clause fails.
    fn propagate(&mut self) -> Option<Conflict> {
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

    /// The clause of a stuck set that needs few choices, and those decided early.
    ///
    /// The choices that would open the set are allowed again one by one, the latest
    /// first. Where something stays stuck all the same, the set shrinks to that.
    fn stuck(&mut self, budget: &mut Budget) -> Result<Vec<Literal>, Stop> {
        let before = self.derivation.play.now();
        let result = self.openings_of_small_stuck_set(budget);
        self.derivation.play.back_to(before);
        let mut choices: Vec<u32> = result?.into_iter().map(|(choice, _)| choice).collect();
        choices.dedup();
        Ok(choices.into_iter().map(Literal::made).collect())
    }

    fn openings_of_small_stuck_set(
        &mut self,
        budget: &mut Budget,
    ) -> Result<Vec<(u32, u16)>, Stop> {
        let levels = &self.levels;
        let play = &mut self.derivation.play;
        let mut standing: Vec<u16> = play.standing().collect();
        let mut openings = openings(play, &standing);
        let mut dissolvers = Dissolvers::new(self.tiles.len());
        let mut is_allowed: Vec<bool> =
            self.values.iter().map(|&value| value != Value::Forbidden).collect();
        let mut is_needed = vec![false; self.tiles.choices];
        loop {
            let latest = openings
                .iter()
                .map(|&(choice, _)| choice)
                .filter(|&choice| !is_needed[choice as usize] && levels[choice as usize] > 0)
                .max_by_key(|&choice| (levels[choice as usize], choice));
            let Some(choice) = latest else { return Ok(openings) };
            let freed: Vec<u16> = openings
                .iter()
                .filter(|&&(opening, _)| opening == choice)
                .map(|&(_, tile)| tile)
                .collect();
            is_allowed[choice as usize] = true;
            let allowed = |choice: u32| is_allowed[choice as usize];
            let before = play.now();
            if relax(play, &standing, &freed, allowed, &dissolvers, budget)? {
                standing.retain(|&tile| play.stands(tile));
                openings = self::openings(play, &standing);
            } else {
                play.back_to(before);
                dissolvers.note(&freed);
                is_allowed[choice as usize] = false;
                is_needed[choice as usize] = true;
            }
        }
    }

    /// Learns from a clause whose literals are all false, and goes back to where what
    /// was learnt decides something.
    fn learn(&mut self, conflict: Conflict, budget: &mut Budget) -> Result<(), Stop> {
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

/// The choices that would open stuck tiles (all are forbidden), each with the tiles it
/// would free; ordered.
fn openings(play: &Play<'_>, standing: &[u16]) -> Vec<(u32, u16)> {
    let tiles = play.tiles;
    let mut openings = Vec::new();
    for &tile in standing {
        for &other in &tiles.groups[usize::from(tiles.kinds[usize::from(tile)])] {
            if other != tile {
                let pair = tiles.pair(tile, other);
                if play.is_joined(pair) {
                    openings.push((tiles.choice_of[pair as usize], tile));
                }
            }
        }
    }
    openings.sort_unstable();
    openings.dedup();
    openings
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
