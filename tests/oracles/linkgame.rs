//! Lianliankan by its statement: paths are walked cell by cell, and orders of removals tried.

use std::collections::HashMap;

use boardsolve::puzzles::linkgame::board::Rules;

/// Rows of tiles, `*` where a cell is empty.
pub(crate) type Grid = Vec<Vec<char>>;

const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// Whether a path leads from the tile at `from` to the one at `to`.
pub(crate) fn joined(grid: &Grid, rules: Rules, from: (i32, i32), to: (i32, i32)) -> bool {
    STEPS.iter().any(|&step| walk(grid, rules, from, to, step, rules.max_turns))
}

fn walk(
    grid: &Grid,
    rules: Rules,
    from: (i32, i32),
    to: (i32, i32),
    step: (i32, i32),
    turns: u8,
) -> bool {
    let (rows, cols) = (grid.len() as i32, grid[0].len() as i32);
    let ring = i32::from(rules.outside);
    let (mut row, mut col) = from;
    loop {
        (row, col) = (row + step.0, col + step.1);
        if (row, col) == to {
            return true;
        }
        if row < -ring || row >= rows + ring || col < -ring || col >= cols + ring {
            return false;
        }
        let on_board = (0..rows).contains(&row) && (0..cols).contains(&col);
        if on_board && grid[row as usize][col as usize] != '*' {
            return false;
        }
        if turns > 0 {
            for turned in [(step.1, step.0), (-step.1, -step.0)] {
                if walk(grid, rules, (row, col), to, turned, turns - 1) {
                    return true;
                }
            }
        }
    }
}

/// Where the tiles stand, row by row.
pub(crate) fn tiles(grid: &Grid) -> Vec<(i32, i32)> {
    let mut tiles = Vec::new();
    for (row, line) in grid.iter().enumerate() {
        for (col, &tile) in line.iter().enumerate() {
            if tile != '*' {
                tiles.push((row as i32, col as i32));
            }
        }
    }
    tiles
}

/// Lets every column fall.
pub(crate) fn fall(grid: &mut Grid) {
    for col in 0..grid[0].len() {
        let column: Vec<char> =
            grid.iter().map(|row| row[col]).filter(|&tile| tile != '*').collect();
        let empty = grid.len() - column.len();
        for (row, line) in grid.iter_mut().enumerate() {
            line[col] = if row < empty { '*' } else { column[row - empty] };
        }
    }
}

/// Whether some order of removals clears the grid, by trying every one; `known` keeps what
/// came out of others under the same rules.
pub(crate) fn by_orders(grid: &Grid, rules: Rules, known: &mut HashMap<Grid, bool>) -> bool {
    let tiles = tiles(grid);
    if tiles.is_empty() {
        return true;
    }
    if let Some(&answer) = known.get(grid) {
        return answer;
    }
    let kind = |cell: (i32, i32)| grid[cell.0 as usize][cell.1 as usize];
    let mut answer = false;
    'all: for (number, &from) in tiles.iter().enumerate() {
        for &to in &tiles[number + 1..] {
            if kind(from) == kind(to) && joined(grid, rules, from, to) {
                let mut after = grid.clone();
                after[from.0 as usize][from.1 as usize] = '*';
                after[to.0 as usize][to.1 as usize] = '*';
                if rules.gravity {
                    fall(&mut after);
                }
                if by_orders(&after, rules, known) {
                    answer = true;
                    break 'all;
                }
            }
        }
    }
    known.insert(grid.clone(), answer);
    answer
}
