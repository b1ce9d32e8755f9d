//! Lianliankan: moves walked cell by cell, locked sets by trying every path.

use boardsolve::budget::Budget;
use boardsolve::grid::{Cell, CellSet, Direction};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::linkgame::Linkgame;
use boardsolve::puzzles::linkgame::board::{Answer, Board, Move, Reason, Rules};
use fastrand::Rng;

use super::Verdicts;
use crate::oracles::linkgame::{Grid, fall, joined};

fn random_rules(random: &mut Rng) -> Rules {
    Rules { outside: random.bool(), gravity: random.bool(), max_turns: random.u8(0..=3) }
}

fn random_board(random: &mut Rng, rules: Rules) -> (Grid, Board) {
    let (rows, cols) = (random.usize(1..5), random.usize(2..5));
    let pairs = random.usize(1..=(rows * cols / 2).min(6));
    let mut tiles = vec!['*'; rows * cols];
    for pair in 0..pairs {
        let kind = ['A', 'B', 'C'][random.usize(..3)];
        tiles[2 * pair] = kind;
        tiles[2 * pair + 1] = kind;
    }
    random.shuffle(&mut tiles);
    let mut grid: Grid = tiles.chunks(cols).map(<[char]>::to_vec).collect();
    if rules.gravity {
        fall(&mut grid);
    }
    let rows: Vec<String> = grid.iter().map(|row| row.iter().collect()).collect();
    let board = Board::from_rows(&rows, rules).unwrap();
    (grid, board)
}

fn clears(mut grid: Grid, rules: Rules, moves: &[Move]) -> bool {
    for played in moves {
        if !is_legal(&grid, rules, played) {
            return false;
        }
        for end in [played.path[0], played.path[played.path.len() - 1]] {
            grid[end.row as usize][end.col as usize] = '*';
        }
        if rules.gravity {
            fall(&mut grid);
        }
    }
    grid.iter().flatten().all(|&tile| tile == '*')
}

fn is_legal(grid: &Grid, rules: Rules, played: &Move) -> bool {
    let (rows, cols) = (grid.len() as i32, grid[0].len() as i32);
    let tile = |cell: Cell| {
        let on_board = (0..rows).contains(&cell.row) && (0..cols).contains(&cell.col);
        if on_board { grid[cell.row as usize][cell.col as usize] } else { '*' }
    };
    let (Some(&from), Some(&to)) = (played.path.first(), played.path.last()) else { return false };
    if from == to || tile(from) != played.tile || tile(to) != played.tile || played.tile == '*' {
        return false;
    }
    if played.path.len() < 2 || played.path.len() - 2 > usize::from(rules.max_turns) {
        return false;
    }
    // Every cell of the path after the first.
    let mut cells = Vec::new();
    let mut was_along_row = None;
    for ends in played.path.windows(2) {
        let along_row = ends[0].row == ends[1].row;
        if ends[0] == ends[1] || (!along_row && ends[0].col != ends[1].col) {
            return false;
        }
        if was_along_row == Some(along_row) {
            return false;
        }
        was_along_row = Some(along_row);
        let mut at = ends[0];
        while at != ends[1] {
            at.row += (ends[1].row - at.row).signum();
            at.col += (ends[1].col - at.col).signum();
            cells.push(at);
        }
    }
    let ring = i32::from(rules.outside);
    cells.pop();
    cells.iter().all(|&cell| {
        let in_reach =
            (-ring..rows + ring).contains(&cell.row) && (-ring..cols + ring).contains(&cell.col);
        in_reach && tile(cell) == '*'
    })
}

fn tamper(random: &mut Rng, moves: &mut Vec<Move>) {
    if moves.is_empty() {
        return;
    }
    let (number, other) = (random.usize(..moves.len()), random.usize(..moves.len()));
    match random.u8(..9) {
        0 => moves.swap(number, other),
        1 => drop(moves.remove(number)),
        2 => moves.insert(other, moves[number].clone()),
        3 => moves[number].tile = ['A', 'B', 'C', '*'][random.usize(..4)],
        4 => moves[number].path.reverse(),
        5 => {
            let path = &mut moves[number].path;
            let at = random.usize(..path.len());
            path[at].row += random.i32(-1..=1);
            path[at].col += random.i32(-1..=1);
        }
        6 => {
            let path = &mut moves[number].path;
            path.remove(random.usize(..path.len()));
        }
        7 => {
            // A corner at which nothing turns, or a detour.
            let path = &mut moves[number].path;
            let at = random.usize(..path.len());
            let cell = Cell::new(path[at].row + random.i32(-1..=1), path[at].col);
            path.insert(at, cell);
        }
        _ => {
            // Another way along the same bends.
            let path = &mut moves[number].path;
            let (rows, cols) = (random.i32(-2..=2), random.i32(-2..=2));
            let last = path.len().saturating_sub(1);
            for cell in path.iter_mut().take(last).skip(1) {
                *cell = Cell::new(cell.row + rows, cell.col + cols);
            }
        }
    }
}

#[test]
fn of_tampered_moves_those_are_taken_that_clear_the_board_step_by_step() {
    let mut verdicts = Verdicts::default();
    for seed in 0..40_000 {
        let mut random = Rng::with_seed(seed);
        let rules = random_rules(&mut random);
        let (grid, board) = random_board(&mut random, rules);
        let Outcome::Solved(answer) = Linkgame::solve(&board, &mut Budget::unlimited()) else {
            continue;
        };
        let mut moves = answer.moves;
        for _ in 0..random.u8(..3) {
            tamper(&mut random, &mut moves);
        }
        let expected = clears(grid, rules, &moves);
        let verdict = Linkgame::verify(&board, &Answer { moves: moves.clone() });
        assert_eq!(verdict.is_ok(), expected, "seed {seed} {rules:?}\n{board}{moves:?}");
        verdicts.count(expected);
    }
    verdicts.assert_at_least(3000, 3000);
}

/// Whether the tiles at `cells` lock each other in, by walking every path.
fn lock(grid: &Grid, board: &Board, cells: &[Cell]) -> bool {
    let size = board.size();
    let set = CellSet::from_cells(size, cells.iter().copied());
    if cells.is_empty()
        || set.len() != cells.len()
        || cells.iter().any(|&cell| board.tile(cell).is_none())
    {
        return false;
    }
    let gravity = board.rules().gravity;
    let below = |cell: Cell| cell.step(Direction::South);
    let stands = |cell: Cell| !size.contains(below(cell)) || set.contains(below(cell));
    if gravity && !cells.iter().all(|&cell| stands(cell)) {
        return false;
    }
    let mut left = grid.clone();
    for cell in size.cells().filter(|&cell| !set.contains(cell)) {
        left[cell.row as usize][cell.col as usize] = '*';
    }
    let is_open =
        |from: Cell, to: Cell| joined(&left, board.rules(), (from.row, from.col), (to.row, to.col));
    !cells.iter().any(|&from| {
        size.cells().filter(|&to| to != from && board.tile(to) == board.tile(from)).any(|to| {
            if set.contains(to) || !gravity {
                return is_open(from, to);
            }
            // A partner falls to any height over what stays.
            let mut at = to;
            loop {
                if is_open(from, at) {
                    return true;
                }
                at = below(at);
                if !size.contains(at) || set.contains(at) {
                    return false;
                }
            }
        })
    })
}

#[test]
fn of_sets_of_tiles_those_are_taken_as_locked_that_no_path_opens() {
    let mut verdicts = [Verdicts::default(), Verdicts::default()];
    for seed in 0..60_000 {
        let mut random = Rng::with_seed(seed);
        let mut rules = random_rules(&mut random);
        rules.max_turns = random.u8(0..=2);
        let (grid, board) = random_board(&mut random, rules);
        let tiles: Vec<Cell> = board.tiles().map(|(cell, _)| cell).collect();
        let found = match Linkgame::solve(&board, &mut Budget::unlimited()) {
            Outcome::Unsolvable(Reason::Locked { cells }) => cells,
            _ => tiles.iter().copied().filter(|_| random.bool()).collect(),
        };
        let mut cells = found;
        match random.u8(..6) {
            0 => cells.push(tiles[random.usize(..tiles.len())]),
            1 if !cells.is_empty() => {
                cells.swap_remove(random.usize(..cells.len()));
            }
            2 => cells.push(Cell::new(random.i32(-1..5), random.i32(-1..5))),
            _ => {}
        }
        let is_inside = cells.iter().all(|&cell| board.size().contains(cell));
        let expected = is_inside && lock(&grid, &board, &cells);
        let reason = Reason::Locked { cells };
        let verdict = Linkgame::verify_reason(&board, &reason);
        assert_eq!(verdict.is_ok(), expected, "seed {seed} {rules:?}\n{board}{reason:?}");
        verdicts[usize::from(rules.gravity)].count(expected);
    }
    verdicts.iter().for_each(|verdicts| verdicts.assert_at_least(500, 3000));
}
