//! Rook circuits by walking: every path of free cells from the first one.

use boardsolve::grid::{Cell, CellSet, Direction};

/// The number of circuits, by walking every path from the first free cell; at most `most`.
///
/// The first free cell has free neighbours to the east and to the south at most, so a circuit
/// leaves it to the east and comes back from the south: each is met once.
pub(crate) fn naive_count(free: &CellSet, most: u64) -> u64 {
    let Some(first) = free.iter().next() else { return 0 };
    let (east, south) = (first.step(Direction::East), first.step(Direction::South));
    if !free.contains(east) || !free.contains(south) {
        return 0;
    }
    let mut left = free.clone();
    left.remove(first);
    let mut count = 0;
    walk(east, south, &mut left, &mut count, most);
    count
}

fn walk(at: Cell, goal: Cell, left: &mut CellSet, count: &mut u64, most: u64) {
    if *count == most {
        return;
    }
    left.remove(at);
    if at == goal {
        *count += u64::from(left.is_empty());
    } else {
        for next in at.neighbours() {
            if left.contains(next) {
                walk(next, goal, left, count, most);
            }
        }
    }
    left.insert(at);
}
