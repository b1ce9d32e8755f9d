//! The search for an order of removals.

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
    let runs: Vec<&[char]> = kinds.chunk_by(|one, other| one == other).collect();
    let odd = |kind: char| runs.iter().find(|run| run[0] == kind && run.len() % 2 == 1);
    board.tiles().find_map(|(_, kind)| Some(Reason::OddKind { kind, count: odd(kind)?.len() }))
}

/// Decides a board without gravity.
fn decide(
    board: &Board,
    budget: &mut Budget,
    learnt: &mut Learnt,
) -> Result<Result<Answer, Reason>, Stop> {
    let tiles = Tiles::new(board);
    let mut derivation = Derivation::new(&tiles);
    let values = vec![Value::Undecided; tiles.choices];
    let preferred = vec![false; tiles.choices];
    let cleared = derivation.extend(&values, &preferred, budget);
    learnt.most_cleared = derivation.cleared_by_pairs();
    if !cleared? {
        let stuck = locked::small_stuck_set(&mut derivation.play, budget)?;
        let cells = stuck.iter().map(|&tile| Tiles::cell(tiles.places[usize::from(tile)]));
        return Ok(Err(Reason::Locked { cells: cells.collect() }));
    }
    if derivation.is_solution() {
        return Ok(Ok(replay(&tiles, derivation.steps())));
    }
    let mut pairing = Pairing::new(&tiles, derivation);
    loop {
        let progress = pairing.run(1000, budget);
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
        answer
            .moves
            .push(Move { tile: tiles.names[usize::from(tiles.kinds[usize::from(one)])], path });
        field.clear(from);
        field.clear(to);
    }
    answer
}
