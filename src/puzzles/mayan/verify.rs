//! Replays answers and checks reasons by the rules alone.
//!
//! The bound of `too_far` is recomputed from its definition: a search over the
//! histograms of one colour, a block moved by one column at a time, and for
//! each histogram a plain look for rows that it splits into. It shares nothing
//! with the table that the solver uses.

use std::collections::BTreeSet;

use crate::puzzle::Violation;

use super::answer::{Answer, Reason};
use super::board::{Board, COLUMNS, Goal, MAX_COLOUR};

/// Replays an answer: every move is legal, what is said to vanish does, the
/// board ends empty, and there are as many moves as asked for. That no other
/// answer sorts before it can't be replayed.
///
/// # Errors
/// The first rule that the answer breaks.
pub fn answer(board: &Board, answer: &Answer) -> Result<(), Violation> {
    let (count, steps) = (answer.moves.len(), usize::from(board.steps()));
    match board.rules().goal {
        Goal::Exact if count != steps => {
            return Err(Violation::new(format!("there are {count} moves, not exactly {steps}")));
        }
        Goal::Fewest if count > steps => {
            return Err(Violation::new(format!("there are {count} moves, more than {steps}")));
        }
        _ => {}
    }
    if answer.cascade.len() != count {
        let lists = answer.cascade.len();
        return Err(Violation::new(format!("{count} moves have {lists} lists of rounds")));
    }
    let mut blocks = *board.blocks();
    for (index, (&played, claimed)) in answer.moves.iter().zip(&answer.cascade).enumerate() {
        let rounds = blocks
            .play(played, board.rules().same_colour_swaps)
            .map_err(|illegal| Violation::new(format!("move {index} ({played}): {illegal}")))?;
        if rounds != *claimed {
            let what = format!("after move {index} ({played}) other blocks vanish than is said");
            return Err(Violation::new(what));
        }
    }
    if !blocks.is_empty() {
        return Err(Violation::new(format!("after the last move blocks are left:\n{blocks}")));
    }
    Ok(())
}

/// Checks a reason.
///
/// # Errors
/// The first claim that is not so.
pub fn reason(board: &Board, reason: &Reason) -> Result<(), Violation> {
    match *reason {
        Reason::TooFew { colour, count } => {
            let actual: usize = board.blocks().histogram(colour).iter().sum();
            if !(1..=MAX_COLOUR).contains(&colour) || actual != count {
                let what = format!("colour {colour} has {actual} blocks, not {count}");
                return Err(Violation::new(what));
            }
            if !(1..=2).contains(&count) {
                return Err(Violation::new(format!("{count} blocks are not too few")));
            }
            Ok(())
        }
        Reason::TooFar { colour, bound, steps } => {
            if steps != board.steps() || bound <= steps {
                let what = format!("a bound of {bound} does not pass {} steps", board.steps());
                return Err(Violation::new(what));
            }
            if !(1..=MAX_COLOUR).contains(&colour) {
                return Err(Violation::new(format!("{colour} is no colour")));
            }
            let histogram = board.blocks().histogram(colour);
            if can_come_together(histogram, bound - 1) {
                let what = format!("colour {colour} may come together in fewer than {bound} moves");
                return Err(Violation::new(what));
            }
            Ok(())
        }
        Reason::Exhausted { .. } => Ok(()),
    }
}

/// Whether `moves` moves of a block by one column can bring `histogram` to one
/// that splits into lines.
fn can_come_together(histogram: [usize; COLUMNS], moves: u8) -> bool {
    let mut seen = BTreeSet::from([histogram]);
    let mut reached = vec![histogram];
    for left in (0..=moves).rev() {
        if reached.iter().any(|&histogram| splits_into_lines(histogram)) {
            return true;
        }
        if left == 0 {
            break;
        }
        let mut next = Vec::new();
        for histogram in reached {
            for x in 1..COLUMNS {
                for (from, to) in [(x - 1, x), (x, x - 1)] {
                    let mut moved = histogram;
                    if moved[from] == 0 {
                        continue;
                    }
                    moved[from] -= 1;
                    moved[to] += 1;
                    if seen.insert(moved) {
                        next.push(moved);
                    }
                }
            }
        }
        reached = next;
    }
    false
}

/// Whether blocks that vanish in these columns can all have stood in lines: a
/// column with three or more can go as a column, whether rows cross it or not;
/// the blocks of any other column must each have a row of its own.
fn splits_into_lines(histogram: [usize; COLUMNS]) -> bool {
    const ROWS: [(usize, usize); 6] = [(0, 2), (0, 3), (0, 4), (1, 3), (1, 4), (2, 4)];

    fn with_rows(
        histogram: [usize; COLUMNS],
        rows: &[(usize, usize)],
        crossed: [usize; COLUMNS],
    ) -> bool {
        if (0..COLUMNS).any(|x| crossed[x] > histogram[x]) {
            return false;
        }
        let Some((&(first, last), rest)) = rows.split_first() else {
            return (0..COLUMNS).all(|x| histogram[x] >= 3 || crossed[x] == histogram[x]);
        };
        // Rows over columns of three or more alone are never needed, so no row is needed thrice.
        (0..=2).any(|times| {
            let mut crossed = crossed;
            for count in &mut crossed[first..=last] {
                *count += times;
            }
            with_rows(histogram, rest, crossed)
        })
    }

    with_rows(histogram, &ROWS, [0; COLUMNS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_split_into_columns_rows_and_both() {
        for histogram in [[3, 0, 0, 0, 0], [1, 1, 1, 0, 0], [1, 3, 1, 0, 0], [1, 2, 2, 1, 0]] {
            assert!(splits_into_lines(histogram), "{histogram:?}");
        }
        for histogram in [[2, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 1, 0, 1, 1], [2, 0, 0, 0, 3]] {
            assert!(!splits_into_lines(histogram), "{histogram:?}");
        }
    }

    #[test]
    fn the_bound_counts_moves_of_one_block_by_one_column() {
        assert!(can_come_together([1, 0, 0, 1, 1], 2));
        assert!(!can_come_together([1, 0, 0, 1, 1], 1));
        assert!(!can_come_together([1, 0, 1, 0, 1], 1));
        assert!(can_come_together([1, 0, 1, 0, 1], 2));
    }
}
