//! Mayan by its statement, played out: columns are lists, every block is tried in every
//! direction in the order of the answer, a left move onto a block too, and there is no
//! bound and no table.

use boardsolve::puzzles::mayan::board::{Goal, Rules};

/// Five columns of colours, bottom-up.
pub(crate) type Columns = Vec<Vec<i64>>;

/// A move: column, height, and 1 to the right or -1 to the left.
pub(crate) type Plain = (usize, usize, i8);

/// The board after a move, by the statement; `None` where there is no such move.
pub(crate) fn play(
    columns: &Columns,
    (x, y, g): Plain,
    same_colour_swaps: bool,
) -> Option<Columns> {
    let to = x.checked_add_signed(isize::from(g)).filter(|&to| to < 5)?;
    let colour = *columns.get(x)?.get(y)?;
    let mut after = columns.clone();
    if let Some(&other) = columns[to].get(y) {
        if other == colour && !same_colour_swaps {
            return None;
        }
        after[x][y] = other;
        after[to][y] = colour;
    } else {
        after[x].remove(y);
        after[to].push(colour);
    }
    while vanish(&mut after) {}
    Some(after)
}

/// Takes all runs away at once; whether there were any.
pub(crate) fn vanish(columns: &mut Columns) -> bool {
    let at = |x: usize, y: usize| columns.get(x).and_then(|column| column.get(y)).copied();
    let mut marked = vec![[false; 8]; 5];
    for x in 0..5 {
        for y in 0..columns[x].len() {
            let colour = at(x, y);
            if at(x, y + 1) == colour && at(x, y + 2) == colour {
                for up in 0..3 {
                    marked[x][y + up] = true;
                }
            }
            if at(x + 1, y) == colour && at(x + 2, y) == colour {
                for right in 0..3 {
                    marked[x + right][y] = true;
                }
            }
        }
    }
    for (column, marked) in columns.iter_mut().zip(&marked) {
        let mut y = 0;
        column.retain(|_| {
            y += 1;
            !marked[y - 1]
        });
    }
    marked.iter().flatten().any(|&marked| marked)
}

/// The smallest sequence of exactly `steps` moves that clears the board.
fn exact(columns: &Columns, steps: u8, same_colour_swaps: bool) -> Option<Vec<Plain>> {
    if steps == 0 {
        return columns.iter().all(Vec::is_empty).then(Vec::new);
    }
    for x in 0..5 {
        for y in 0..columns[x].len() {
            for g in [1, -1] {
                let Some(after) = play(columns, (x, y, g), same_colour_swaps) else {
                    continue;
                };
                if let Some(mut moves) = exact(&after, steps - 1, same_colour_swaps) {
                    moves.insert(0, (x, y, g));
                    return Some(moves);
                }
            }
        }
    }
    None
}

/// The answer to a board: the smallest sequence of as many moves as the goal asks for.
pub(crate) fn answer(columns: &Columns, steps: u8, rules: Rules) -> Option<Vec<Plain>> {
    match rules.goal {
        Goal::Exact => exact(columns, steps, rules.same_colour_swaps),
        Goal::Fewest => {
            (0..=steps).find_map(|steps| exact(columns, steps, rules.same_colour_swaps))
        }
    }
}
