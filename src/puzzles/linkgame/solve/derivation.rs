//! What could go at best: a play in which a tile may go with a partner that is gone.
//!
//! Every choice is made, undecided or forbidden. A tile goes when a path joins it to
//! any partner by a choice that is not forbidden, whether that partner still stands or
//! not. That relaxes the game, so tiles that stay here stay in every play that keeps
//! to what is forbidden: they are *stuck*, and some choice that would open one of them
//! must be made. Where nothing had to go alone, the steps are a play that clears the
//! board, whatever is decided or not.
//!
//! Steps are taken so that this often happens: first kinds that can go as a whole (that
//! never hurts), then pairs that are already decided, then the preferred ones, then
//! any; a tile alone goes last. Each step names the choice on which it rests. While that
//! is not forbidden, the step stays right, so after a change of mind only the steps
//! from the first broken one on are taken back.

use crate::budget::{Budget, Stop};

use super::play::{Moment, Play};
use super::tiles::Tiles;

/// How a choice stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// It is made.
    Made,
    /// It is not decided.
    Undecided,
    /// It is not made.
    Forbidden,
}

/// One step of a derivation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The pair whose path was found.
    pub(super) pair: u32,
    /// Whether one of the two was gone already.
    pub(super) alone: bool,
    before: Moment,
}

/// A relaxed play.
#[derive(Clone, Debug)]
pub(super) struct Derivation<'tiles> {
    pub(super) play: Play<'tiles>,
    tiles: &'tiles Tiles,
    steps: Vec<Step>,
    alone: usize,
    /// The first step that rests on each choice.
    first_use: Vec<u32>,
    /// Opened pairs before this one were handed to `dirty` and `live`.
    cursor: usize,
    /// Open pairs, at least those of which both tiles stand.
    live: Vec<u32>,
    /// The kind at which the search for a tile that goes alone left off.
    alone_from: usize,
    /// Kinds that may be able to go as a whole.
    dirty: Vec<u16>,
    is_dirty: Vec<bool>,
}

const UNUSED: u32 = u32::MAX;

/// The largest number of tiles of a kind that is tried to go as a whole.
const WHOLE: usize = 8;

impl<'tiles> Derivation<'tiles> {
    /// No step yet.
    pub(super) fn new(tiles: &'tiles Tiles) -> Self {
        Self {
            play: Play::new(tiles),
            tiles,
            steps: Vec::new(),
            alone: 0,
            first_use: vec![UNUSED; tiles.choices],
            cursor: 0,
            live: Vec::new(),
            alone_from: 0,
            dirty: Vec::new(),
            is_dirty: vec![false; tiles.groups.len()],
        }
    }

    /// The steps so far.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the steps are a play that clears the board.
    pub(super) const fn is_solution(&self) -> bool {
        self.alone == 0 && self.play.left() == 0
    }

    /// The tiles that went before one went alone: a play clears as many.
    pub(super) fn cleared_by_pairs(&self) -> usize {
        2 * self.steps.iter().take_while(|step| !step.alone).count()
    }

    /// The first step that rests on a choice.
    #[inline]
    pub(super) fn first_use(&self, choice: u32) -> Option<usize> {
        let step = self.first_use[choice as usize];
        (step != UNUSED).then_some(step as usize)
    }

    /// Takes back all steps but the first `kept`.
    pub(super) fn back_to(&mut self, kept: usize) {
        if kept >= self.steps.len() {
            return;
        }
        self.play.back_to(self.steps[kept].before);
        for number in (kept..self.steps.len()).rev() {
            let step = self.steps[number];
            let choice = self.tiles.choice_of[step.pair as usize] as usize;
            if self.first_use[choice] as usize == number {
                self.first_use[choice] = UNUSED;
            }
            self.alone -= usize::from(step.alone);
        }
        self.steps.truncate(kept);
        self.cursor = 0;
        self.live.clear();
    }

    /// Goes on as far as it gets; whether every tile went.
    ///
    /// # Errors
    /// When the budget is used up; the steps taken stay right.
    pub(super) fn extend(
        &mut self,
        values: &[Value],
        preferred: &[bool],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        while self.play.left() > 0 {
            budget.tick()?;
            if self.clear_whole_kind(values)
                || self.take_pair(values, preferred)
                || self.play.catch_up(budget)?
            {
                continue;
            }
            budget.poll()?;
            if !self.take_alone(values) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Clears a kind of which all tiles can go now.
    fn clear_whole_kind(&mut self, values: &[Value]) -> bool {
        while let Some(&pair) = self.play.opened().get(self.cursor) {
            self.cursor += 1;
            self.live.push(pair);
            let (tile, _) = self.tiles.pairs[pair as usize];
            self.touch(self.tiles.kinds[usize::from(tile)]);
        }
        while let Some(kind) = self.dirty.pop() {
            self.is_dirty[usize::from(kind)] = false;
            let left = self.play.left_of(kind);
            if left == 0 || left > WHOLE || left % 2 == 1 {
                continue;
            }
            if let Some(pairs) = self.matching(kind, values) {
                for pair in pairs.into_iter().flatten() {
                    self.step(pair, false);
                }
                return true;
            }
        }
        false
    }

    fn touch(&mut self, kind: u16) {
        if !std::mem::replace(&mut self.is_dirty[usize::from(kind)], true) {
            self.dirty.push(kind);
        }
    }

    /// Open pairs that take all standing tiles of a kind, at most [`WHOLE`].
    fn matching(&self, kind: u16, values: &[Value]) -> Option<[Option<u32>; WHOLE / 2]> {
        let mut standing = [0u16; WHOLE];
        let mut count = 0;
        for &tile in &self.tiles.groups[usize::from(kind)] {
            if self.play.stands(tile) {
                standing[count] = tile;
                count += 1;
            }
        }
        let usable = |one: usize, other: usize| {
            let pair = self.tiles.pair(standing[one], standing[other]);
            let value = values[self.tiles.choice_of[pair as usize] as usize];
            (self.play.is_open(pair) && value != Value::Forbidden).then_some(pair)
        };
        // The partner under trial of the lowest free tile at each depth.
        let mut chosen = [None; WHOLE / 2];
        let mut trial = [(0usize, 0usize); WHOLE / 2];
        let mut free = (1u32 << count) - 1;
        let mut depth = 0;
        trial[0] = (0, 0);
        loop {
            let (low, tried) = trial[depth];
            match (tried + 1..count)
                .filter(|&high| high > low && free >> high & 1 == 1)
                .find_map(|high| usable(low, high).map(|pair| (high, pair)))
            {
                Some((high, pair)) => {
                    chosen[depth] = Some(pair);
                    trial[depth].1 = high;
                    free &= !(1 << low | 1 << high);
                    depth += 1;
                    if free == 0 {
                        return Some(chosen);
                    }
                    let next = free.trailing_zeros() as usize;
                    trial[depth] = (next, next);
                }
                None => {
                    chosen[depth] = None;
                    depth = depth.checked_sub(1)?;
                    free |= 1 << trial[depth].0 | 1 << trial[depth].1;
                }
            }
        }
    }

    /// Takes an open pair, a decided one if there is one, else a preferred one.
    fn take_pair(&mut self, values: &[Value], preferred: &[bool]) -> bool {
        let mut best = None;
        let mut best_rank = 0;
        let (tiles, play) = (self.tiles, &self.play);
        self.live.retain(|&pair| {
            let (one, other) = tiles.pairs[pair as usize];
            if !play.stands(one) || !play.stands(other) {
                return false;
            }
            let choice = tiles.choice_of[pair as usize] as usize;
            let rank = match values[choice] {
                Value::Made => 3,
                Value::Undecided if preferred[choice] => 2,
                Value::Undecided => 1,
                Value::Forbidden => 0,
            };
            if rank > best_rank {
                best = Some(pair);
                best_rank = rank;
            }
            true
        });
        let Some(pair) = best else { return false };
        self.step(pair, false);
        true
    }

    /// Takes a tile that is joined to a partner that is gone.
    fn take_alone(&mut self, values: &[Value]) -> bool {
        let kinds = self.tiles.groups.len();
        for kind in (self.alone_from..kinds).chain(0..self.alone_from) {
            if self.play.left_of(kind as u16) == 0 {
                continue;
            }
            let group = &self.tiles.groups[kind];
            for &tile in group.iter().filter(|&&tile| self.play.stands(tile)) {
                for &gone in group.iter().filter(|&&other| !self.play.stands(other)) {
                    let pair = self.tiles.pair(tile, gone);
                    let value = values[self.tiles.choice_of[pair as usize] as usize];
                    if value != Value::Forbidden && self.play.is_joined(pair) {
                        self.step(pair, true);
                        self.alone_from = kind;
                        return true;
                    }
                }
            }
        }
        false
    }

    fn step(&mut self, pair: u32, alone: bool) {
        let choice = self.tiles.choice_of[pair as usize] as usize;
        if self.first_use[choice] == UNUSED {
            self.first_use[choice] = self.steps.len() as u32;
        }
        self.steps.push(Step { pair, alone, before: self.play.now() });
        self.alone += usize::from(alone);
        let (one, other) = self.tiles.pairs[pair as usize];
        for tile in [one, other] {
            if self.play.stands(tile) {
                self.play.remove(tile);
            }
        }
        self.touch(self.tiles.kinds[usize::from(one)]);
    }
}
