//! Checks an answer from the rules alone.
//!
//! What is checked of every answer: everything asked for is there or named as
//! undecided, and nothing else; the moves are legal, in order, each once; there
//! is a winning move exactly when the first player wins; the Grundy value is 0
//! exactly when the second player wins.
//!
//! Whether the winner is right can't be told without playing the game out. That
//! is done, by the definition of the Grundy value and nothing cleverer, as long
//! as the whole position takes no more than [`MOST_POSITIONS`] different ones:
//! then the winner, the value and every move are checked, and that no winning
//! move is left out. Such are all boards up to 5×5 and most contest boards in
//! which the free places are scattered. For greater ones the winner, the value
//! and that a move wins are *not* checked here; the laws compare those with
//! independent methods.

use rustc_hash::FxHashMap;

use crate::grid::Cell;
use crate::puzzle::Violation;

use super::answer::{Answer, Extra, Winner};
use super::board::{Move, MovesAsked, Position};

/// The most positions that are played out to check one answer: well under a
/// tenth of a millisecond.
pub const MOST_POSITIONS: usize = 400;

/// Checks `answer` as far as this module says.
///
/// # Errors
/// The first rule that the answer breaks.
pub fn answer(position: &Position, answer: &Answer) -> Result<(), Violation> {
    check_questions(position, answer)?;
    check_moves(position, answer)?;
    check_winner(answer)?;
    match PlayedOut::new(position) {
        Some(played_out) => check_against(position, answer, &played_out),
        None => Ok(()),
    }
}

/// Everything asked for is there or named as undecided, and nothing else.
fn check_questions(position: &Position, answer: &Answer) -> Result<(), Violation> {
    let questions = position.questions();
    let asked = [
        (Extra::Grundy, questions.grundy, answer.grundy.is_some()),
        (Extra::WinningMoves, questions.moves != MovesAsked::None, answer.winning_moves.is_some()),
    ];
    for (extra, is_asked, is_given) in asked {
        let times = answer.undecided.iter().filter(|&&undecided| undecided == extra).count();
        if usize::from(is_asked) != usize::from(is_given) + times {
            let detail = format!(
                "{extra:?}: asked for: {is_asked}, given: {is_given}, undecided: {times} times"
            );
            return Err(Violation::new(detail));
        }
    }
    Ok(())
}

/// The moves are legal, in order, each once, and no more than were asked for.
fn check_moves(position: &Position, answer: &Answer) -> Result<(), Violation> {
    let Some(moves) = &answer.winning_moves else { return Ok(()) };
    if let Some(play) = moves.iter().find(|&&play| !position.is_legal(play)) {
        return Err(Violation::new(format!("{play:?} does not lie on four free cells")));
    }
    if let Some(pair) = moves.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(Violation::new(format!("{:?} does not come before {:?}", pair[0], pair[1])));
    }
    if position.questions().moves == MovesAsked::One && moves.len() > 1 {
        return Err(Violation::new(format!("one move was asked for, not {}", moves.len())));
    }
    Ok(())
}

/// The winner, the value and whether there is a winning move say the same.
fn check_winner(answer: &Answer) -> Result<(), Violation> {
    let first_wins = answer.winner == Winner::First;
    if let Some(value) = answer.grundy
        && first_wins != (value != 0)
    {
        return Err(Violation::new(format!(
            "the {:?} player can't win at the Grundy value {value}",
            answer.winner
        )));
    }
    if let Some(moves) = &answer.winning_moves
        && first_wins == moves.is_empty()
    {
        return Err(Violation::new(format!(
            "the {:?} player can't win when there are {} winning moves",
            answer.winner,
            moves.len()
        )));
    }
    Ok(())
}

/// The answer is the one that playing everything out gives.
fn check_against(
    position: &Position,
    answer: &Answer,
    played_out: &PlayedOut,
) -> Result<(), Violation> {
    let value = played_out.value;
    if (answer.winner == Winner::First) != (value != 0) {
        let detail = format!("the {:?} player does not win: the value is {value}", answer.winner);
        return Err(Violation::new(detail));
    }
    if let Some(given) = answer.grundy
        && given != value
    {
        return Err(Violation::new(format!("the Grundy value is {value}, not {given}")));
    }
    if let Some(given) = &answer.winning_moves {
        let mut right = played_out.winning_moves.clone();
        if position.questions().moves == MovesAsked::One {
            right.truncate(1);
        }
        if *given != right {
            return Err(Violation::new(format!("the winning moves are {right:?}, not {given:?}")));
        }
    }
    Ok(())
}

/// A position whose game was played out whole.
struct PlayedOut {
    value: u32,
    winning_moves: Vec<Move>,
}

impl PlayedOut {
    /// `None` when it takes more than [`MOST_POSITIONS`].
    fn new(position: &Position) -> Option<Self> {
        // A quick look first: this many anchors can't be played out.
        if (0..position.len()).flat_map(|board| position.anchors(board)).count() > MOST_POSITIONS {
            return None;
        }
        let mut left = MOST_POSITIONS;
        let mut parts = Vec::new();
        for board in 0..position.len() {
            for anchors in parts_of(position.anchors(board)) {
                parts.push((board, Part::new(anchors, &mut left)?));
            }
        }
        let value = parts.iter().fold(0, |value, (_, part)| value ^ part.value);
        let mut winning_moves = Vec::new();
        for (board, part) in &parts {
            for (index, &cell) in part.anchors.iter().enumerate() {
                if value != 0 && part.values_after[index] ^ part.value ^ value == 0 {
                    winning_moves.push(Move { board: *board, cell });
                }
            }
        }
        winning_moves.sort_unstable();
        Some(Self { value, winning_moves })
    }
}

/// Anchors that hang together: no square on one part touches what another part allows.
struct Part {
    anchors: Vec<Cell>,
    value: u32,
    values_after: Vec<u32>,
}

impl Part {
    fn new(anchors: Vec<Cell>, left: &mut usize) -> Option<Self> {
        if anchors.len() > 64 {
            return None;
        }
        let near = |&from: &Cell| {
            let bits = anchors.iter().enumerate().filter(|&(_, &to)| overlap(from, to));
            bits.fold(0u64, |mask, (index, _)| mask | 1 << index)
        };
        let taken: Vec<u64> = anchors.iter().map(near).collect();
        let all = taken.iter().fold(0, |all, near| all | near);
        let mut known = FxHashMap::default();
        let value = value_of(all, &taken, &mut known, left)?;
        let values_after = taken.iter().map(|near| known[&(all & !near)]).collect();
        Some(Self { anchors, value, values_after })
    }
}

/// The Grundy value by its definition: the least number that no move leads to.
/// It calls itself once a square placed, so at most 64 deep.
fn value_of(
    open: u64,
    taken: &[u64],
    known: &mut FxHashMap<u64, u32>,
    left: &mut usize,
) -> Option<u32> {
    if let Some(&value) = known.get(&open) {
        return Some(value);
    }
    *left = left.checked_sub(1)?;
    let mut reached = 0u64;
    for (index, near) in taken.iter().enumerate() {
        if open >> index & 1 == 1 {
            reached |= 1 << value_of(open & !near, taken, known, left)?;
        }
    }
    let value = reached.trailing_ones();
    known.insert(open, value);
    Some(value)
}

/// The parts of a board's anchors, each in row-major order.
fn parts_of(anchors: impl Iterator<Item = Cell>) -> Vec<Vec<Cell>> {
    let mut parts: Vec<Vec<Cell>> = Vec::new();
    for anchor in anchors {
        let mut joined = Vec::new();
        // Row by row, an anchor can only join parts that reach the row above.
        parts.retain_mut(|part| {
            let touches = part.iter().rev().take_while(|cell| cell.row + 1 >= anchor.row);
            let joins = touches.into_iter().any(|&cell| overlap(cell, anchor));
            if joins {
                joined.append(part);
            }
            !joins
        });
        joined.push(anchor);
        joined.sort_unstable();
        parts.push(joined);
    }
    parts
}

fn overlap(one: Cell, other: Cell) -> bool {
    one.row.abs_diff(other.row) <= 1 && one.col.abs_diff(other.col) <= 1
}
