//! Columns that fall: a search over positions.

mod memo;
mod stacks;

use crate::budget::{Budget, Stop};

use super::super::board::{Answer, Board, Learnt, Move, Reason};
use super::tiles::Tiles;
use memo::Memo;
use stacks::{Pair, Stacks};

/// The most bytes that the table of dead positions takes.
const MEMO_BYTES: usize = 48 << 20;

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
    let memo = Memo::new(stacks.key().len(), MEMO_BYTES.min(budget.memory_left() / 2));
    budget.reserve(memo.bytes())?;
    let mut search = Search {
        memo,
        stacks,
        made: Vec::new(),
        frames: Vec::new(),
        moves: Vec::new(),
        random: 0x1234_5678_9abc_def1,
        positions: 0,
        most_cleared: 0,
    };
    let mut limit = 300;
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
    let mut heights: Vec<u8> = stacks.columns().iter().map(|column| column.len() as u8).collect();
    stacks.sink(&mut heights);
    if heights.iter().all(|&height| height == 0) {
        return Ok(None);
    }
    for col in 0..heights.len() {
        // Without the topmost tile of a column the others must still be stuck.
        while heights[col] > 0 {
            budget.tick()?;
            budget.poll()?;
            let mut smaller = heights.clone();
            smaller[col] -= 1;
            stacks.sink(&mut smaller);
            if smaller.iter().all(|&height| height == 0) {
                break;
            }
            heights = smaller;
        }
    }
    let mut cells: Vec<_> = stacks
        .columns()
        .iter()
        .zip(&heights)
        .flat_map(|(column, &height)| column.iter().take(usize::from(height)))
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

struct Frame {
    /// Where this position's moves begin in `moves`; they end where the next frame's begin.
    first: usize,
    next: usize,
}

struct Search {
    stacks: Stacks,
    memo: Memo,
    made: Vec<Pair>,
    frames: Vec<Frame>,
    moves: Vec<Pair>,
    random: u64,
    positions: u64,
    most_cleared: usize,
}

impl Search {
    /// Depth first from the start, until decided or for so many positions.
    fn run(&mut self, limit: u64, budget: &mut Budget) -> Result<End, Stop> {
        let end = self.positions + limit;
        if self.enter(budget)? {
            return Ok(End::Cleared);
        }
        loop {
            let Some(frame) = self.frames.last_mut() else { return Ok(End::Exhausted) };
            if frame.next == self.moves.len() {
                self.moves.truncate(frame.first);
                self.frames.pop();
                self.memo.insert(self.stacks.key());
                if self.made.pop().is_some() {
                    self.stacks.put_back();
                }
                continue;
            }
            if self.positions >= end {
                self.unwind();
                return Ok(End::Limit);
            }
            let pair = self.moves[frame.next];
            frame.next += 1;
            // Frames share one list of moves: those tried are not needed any more.
            self.stacks.remove(pair);
            self.made.push(pair);
            if self.memo.contains(self.stacks.key()) {
                self.made.pop();
                self.stacks.put_back();
                continue;
            }
            if self.enter(budget)? {
                return Ok(End::Cleared);
            }
        }
    }

    /// Opens a position; whether nothing is left.
    fn enter(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        budget.tick()?;
        self.positions += 1;
        self.most_cleared = self.most_cleared.max(self.stacks.tiles() - self.stacks.left());
        if self.stacks.left() == 0 {
            return Ok(true);
        }
        let first = self.moves.len();
        self.frames.push(Frame { first, next: first });
        let mut moves = Vec::new();
        self.stacks.moves(&mut moves);
        let mut ranked: Vec<(i64, Pair)> =
            moves.iter().map(|&pair| (self.rank(pair, &moves), pair)).collect();
        ranked.sort_unstable();
        self.moves.extend(ranked.into_iter().map(|(_, pair)| pair));
        Ok(false)
    }

    fn rank(&mut self, pair: Pair, _moves: &[Pair]) -> i64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let noise = (self.random >> 40) as i64 % 1000;
        let kind = self.stacks.kinds[usize::from(pair.0)];
        let left = self.stacks.groups[usize::from(kind)]
            .iter()
            .filter(|&&t| self.stacks.stands(t))
            .count() as i64;
        noise + 300 * left
    }

    fn unwind(&mut self) {
        while self.made.pop().is_some() {
            self.stacks.put_back();
        }
        self.frames.clear();
        self.moves.clear();
    }
}

/// The moves with their paths.
fn answer(board: &Board, made: &[Pair]) -> Answer {
    let mut stacks = Stacks::new(board);
    let mut answer = Answer::default();
    for &pair in made {
        let corners = stacks.corners(pair).expect("the move was open");
        let mut path = vec![stacks.cell(pair.0)];
        let tile = board.tiles().nth(usize::from(pair.0)).expect("the tile is the board's").1;
        path.extend(corners.into_iter().map(Tiles::cell));
        path.push(stacks.cell(pair.1));
        answer.moves.push(Move { tile, path });
        stacks.remove(pair);
    }
    answer
}
