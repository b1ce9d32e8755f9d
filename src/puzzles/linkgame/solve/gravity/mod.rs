//! Columns that fall: a search over positions.
//!
//! With gravity a removal can part what was joined, so the order matters and nothing of
//! the search over pairings holds. Positions are searched depth first, in runs that grow:
//! each run tries moves in another random order (kinds with few tiles left first), which
//! finds "yes" where one order would lose itself in a dead part; and the positions found
//! dead in any run are kept with their whole keys, so that no run searches them again. A
//! run that ends before its limit has seen all there is.
//!
//! A small set of tiles that lock each other in is looked for first: the lowest tiles of
//! some columns, none of which can be joined to another of its kind while they alone
//! stand, at whatever height the partners outside the set lie by then. Nothing of the set
//! moves before the first of it goes, so none ever does.
//!
//! Tried without gain: looking for a locked set at every position (it costs more than
//! the positions that it saves), and other orders of moves (low or high tiles first, high
//! columns first, few tiles above first).

mod memo;
mod stacks;

use crate::budget::{Budget, Stop};

use super::super::board::{Answer, Board, Learnt, Move, Reason};
use super::tiles::Tiles;
use memo::Memo;
use stacks::{Pair, Stacks};

/// The most bytes that the table of dead positions takes.
const MEMO_BYTES: usize = 48 << 20;

/// The least number of positions of the first run.
const FIRST_RUN: u64 = 300;

/// Decides a board with gravity.
pub(super) fn decide(
    board: &Board,
    budget: &mut Budget,
    learnt: &mut Learnt,
) -> Result<Result<Answer, Reason>, Stop> {
    let stacks = Stacks::new(board);
    if stacks.left() == 0 {
        return Ok(Ok(Answer::default()));
    }
    if let Some(reason) = locked(&stacks, budget)? {
        return Ok(Err(reason));
    }
    let memo = Memo::new(stacks.key().len(), MEMO_BYTES.min(budget.memory_left()));
    budget.reserve(memo.bytes())?;
    let mut limit = FIRST_RUN.max(stacks.left() as u64);
    let mut search = Search::new(stacks, memo);
    loop {
        let end = search.run(limit, budget);
        learnt.most_cleared = search.most_cleared;
        match end? {
            End::Cleared => return Ok(Ok(answer(board, &search.made))),
            End::Exhausted => {
                return Ok(Err(Reason::Exhausted { positions: search.positions }));
            }
            End::Limit => limit += limit * 3 / 10,
        }
    }
}

/// A small set of tiles that lock each other in.
fn locked(stacks: &Stacks, budget: &mut Budget) -> Result<Option<Reason>, Stop> {
    let is_empty = |heights: &[u8]| heights.iter().all(|&height| height == 0);
    let mut heights = stacks.heights();
    stacks.sink(&mut heights, budget)?;
    if is_empty(&heights) {
        return Ok(None);
    }
    for col in 0..heights.len() {
        // The topmost tile of a column can be spared if something else stays stuck.
        while heights[col] > 0 {
            let mut smaller = heights.clone();
            smaller[col] -= 1;
            stacks.sink(&mut smaller, budget)?;
            if is_empty(&smaller) {
                break;
            }
            heights = smaller;
        }
    }
    let lowest = stacks.columns().iter().zip(&heights);
    let mut cells: Vec<_> = lowest
        .flat_map(|(column, &height)| &column[..usize::from(height)])
        .map(|&tile| stacks.cell(tile))
        .collect();
    cells.sort_unstable();
    Ok(Some(Reason::Locked { cells }))
}

enum End {
    Cleared,
    Exhausted,
    Limit,
}

/// A position on the way down.
struct Frame {
    /// Where its moves begin in the common list; they end where the next frame's begin.
    first: usize,
    /// The move to try next.
    next: usize,
}

struct Search {
    stacks: Stacks,
    dead: Memo,
    made: Vec<Pair>,
    frames: Vec<Frame>,
    moves: Vec<Pair>,
    random: u64,
    positions: u64,
    most_cleared: usize,
}

impl Search {
    fn new(stacks: Stacks, dead: Memo) -> Self {
        Self {
            stacks,
            dead,
            made: Vec::new(),
            frames: Vec::new(),
            moves: Vec::new(),
            random: 0x1234_5678_9abc_def1,
            positions: 0,
            most_cleared: 0,
        }
    }

    /// Depth first from the start, until decided or for so many positions.
    fn run(&mut self, limit: u64, budget: &mut Budget) -> Result<End, Stop> {
        let end = self.positions + limit;
        self.enter(budget)?;
        while let Some(frame) = self.frames.last_mut() {
            if self.stacks.left() == 0 {
                return Ok(End::Cleared);
            }
            if self.positions >= end {
                self.unwind();
                return Ok(End::Limit);
            }
            if let Some(&pair) = self.moves.get(frame.next) {
                frame.next += 1;
                self.stacks.remove(pair);
                self.made.push(pair);
                if self.dead.contains(self.stacks.key()) {
                    self.take_back();
                } else {
                    self.enter(budget)?;
                }
            } else {
                self.moves.truncate(frame.first);
                self.frames.pop();
                self.dead.insert(self.stacks.key());
                self.take_back();
            }
        }
        Ok(End::Exhausted)
    }

    /// Opens a position: lists its moves.
    fn enter(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        budget.tick()?;
        self.positions += 1;
        self.most_cleared = self.most_cleared.max(self.stacks.tiles() - self.stacks.left());
        budget.show_best(self.most_cleared as u64);
        let first = self.moves.len();
        self.frames.push(Frame { first, next: first });
        self.stacks.moves(&mut self.moves);
        let mut ranked: Vec<(u64, Pair)> = Vec::with_capacity(self.moves.len() - first);
        for position in first..self.moves.len() {
            let pair = self.moves[position];
            ranked.push((self.rank(pair), pair));
        }
        ranked.sort_unstable();
        for (slot, (_, pair)) in self.moves[first..].iter_mut().zip(ranked) {
            *slot = pair;
        }
        Ok(())
    }

    /// Where a move comes in the order of trial: at random, but kinds with few tiles
    /// left rather come first.
    fn rank(&mut self, pair: Pair) -> u64 {
        // Marsaglia's xorshift.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 40) % 1000 + 300 * self.stacks.left_of_kind(pair.0) as u64
    }

    fn take_back(&mut self) {
        if self.made.pop().is_some() {
            self.stacks.put_back();
        }
    }

    fn unwind(&mut self) {
        while !self.made.is_empty() {
            self.take_back();
        }
        self.frames.clear();
        self.moves.clear();
    }
}

/// The moves with their paths.
fn answer(board: &Board, made: &[Pair]) -> Answer {
    let kinds: Vec<char> = board.tiles().map(|(_, kind)| kind).collect();
    let mut stacks = Stacks::new(board);
    let mut answer = Answer::default();
    for &pair in made {
        let corners = stacks.corners(pair).expect("a move of a play follows an open path");
        let mut path = vec![stacks.cell(pair.0)];
        path.extend(corners.into_iter().map(Tiles::cell));
        path.push(stacks.cell(pair.1));
        answer.moves.push(Move { tile: kinds[usize::from(pair.0)], path });
        stacks.remove(pair);
    }
    answer
}
