//! The search for an order of removals.
//!
//! 1. A kind with an odd number of tiles can't be cleared: `odd_kind`.
//! 2. Under gravity, positions are searched: see `gravity`.
//! 3. Else a *derivation* (`derivation`) takes what can go, first kinds that go as a
//!    whole, then open pairs, and only when no pair is open a tile alone whose partner is
//!    gone already. If nothing had to go alone, it is an answer: this decides nearly every
//!    small board in some ten microseconds. If something stays, the board is `locked`, and
//!    the stuck set is made small (`locked`).
//! 4. Else pairings are searched (`pairing`), with the derivation as what tells dead ends
//!    and as what is followed; when no pairing is left, the board is `exhausted`.
//!
//! All of it rests on one fact: without gravity a removal never blocks a path. Which tiles
//! go together is hard to find all the same: Shisen-Sho is NP-complete (de Bondt, arXiv
//! 2010.09014). Nothing looks at the clock but the budget.
//!
//! What was measured on boards of 12 × 24 with 60 kinds, paths outside, where "yes" and
//! "no" mix (conflicts to decide sixteen of them): deciding by activity alone 4 100, by the
//! derivation's first undecided step 230, the two by turns 225 and with fewer slow boards;
//! keeping the clauses of stuck sets beside those learnt from them, a quarter less. What
//! did not help: shrinking a stuck set by letting tiles go instead of allowing forbidden
//! choices (the sets are smaller but their clauses need three times the conflicts), saved
//! phases, deciding the choice of the first tile that went alone, several greedy orders
//! before the search.

mod derivation;
mod field;
mod gravity;
mod locked;
mod pairing;
mod play;
mod tiles;

use crate::budget::{Budget, Stop};
use crate::puzzle::Outcome;

use super::board::{Answer, Board, Learnt, Move, Reason};
use derivation::{Derivation, Step, Value};
use pairing::{Pairing, Progress};
use tiles::Tiles;

/// The conflicts between two looks at what was learnt.
const SLICE: u64 = 1000;

/// Decides a board.
pub fn solve(board: &Board, budget: &mut Budget) -> Outcome<Answer, Reason, Learnt> {
    if let Some(reason) = odd_kind(board) {
        return Outcome::Unsolvable(reason);
    }
    let mut learnt = Learnt::default();
    let decided = if board.rules().gravity {
        gravity::decide(board, budget, &mut learnt)
    } else {
        decide(board, budget, &mut learnt)
    };
    match decided {
        Ok(Ok(answer)) => Outcome::Solved(answer),
        Ok(Err(reason)) => Outcome::Unsolvable(reason),
        Err(stop) => Outcome::Unknown { stop, learnt },
    }
}

fn odd_kind(board: &Board) -> Option<Reason> {
    let mut kinds: Vec<char> = board.tiles().map(|(_, kind)| kind).collect();
    kinds.sort_unstable();
    let mut odd = kinds.chunk_by(|one, other| one == other).filter(|group| group.len() % 2 == 1);
    odd.next()?;
    board.tiles().map(|(_, kind)| kind).find_map(|kind| {
        let count = kinds.iter().filter(|&&other| other == kind).count();
        (count % 2 == 1).then_some(Reason::OddKind { kind, count })
    })
}

/// Decides a board without gravity.
fn decide(
    board: &Board,
    budget: &mut Budget,
    learnt: &mut Learnt,
) -> Result<Result<Answer, Reason>, Stop> {
    budget.reserve(Tiles::bytes(board))?;
    let tiles = Tiles::new(board);
    let mut derivation = Derivation::new(&tiles);
    let undecided = vec![Value::Undecided; tiles.choices];
    let cleared = derivation.extend(&undecided, &vec![false; tiles.choices], budget);
    learnt.most_cleared = derivation.cleared_by_pairs();
    if !cleared? {
        let stuck = locked::small_stuck_set(&mut derivation.play, budget)?;
        let cells = stuck.iter().map(|&tile| Tiles::cell(tiles.places[usize::from(tile)]));
        return Ok(Err(Reason::Locked { cells: cells.collect() }));
    }
    if derivation.is_solution() {
        return Ok(Ok(replay(&tiles, derivation.steps())));
    }
    budget.reserve(Pairing::bytes(&tiles))?;
    let mut pairing = Pairing::new(&tiles, derivation);
    loop {
        let progress = pairing.run(SLICE, budget);
        learnt.most_cleared = learnt.most_cleared.max(pairing.most_cleared);
        match progress? {
            Progress::Cleared => return Ok(Ok(replay(&tiles, pairing.steps()))),
            Progress::Refuted => {
                return Ok(Err(Reason::Exhausted { positions: pairing.positions }));
            }
            Progress::Open => {}
        }
    }
}

/// The moves of a play, with their paths.
fn replay(tiles: &Tiles, steps: &[Step]) -> Answer {
    let mut field = tiles.field.clone();
    let mut answer = Answer::default();
    for step in steps {
        let (one, other) = tiles.pairs[step.pair as usize];
        let (from, to) = (tiles.places[usize::from(one)], tiles.places[usize::from(other)]);
        let corners = field
            .corners(from, to, tiles.max_turns)
            .expect("a step of a play follows an open path");
        let mut path = vec![Tiles::cell(from)];
        path.extend(corners.into_iter().map(Tiles::cell));
        path.push(Tiles::cell(to));
        let tile = tiles.names[usize::from(tiles.kinds[usize::from(one)])];
        answer.moves.push(Move { tile, path });
        field.clear(from);
        field.clear(to);
    }
    answer
}
