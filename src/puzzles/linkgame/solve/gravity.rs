//! Gravity (first version).
use super::super::board::{Answer, Board, Learnt, Move, Reason};
use super::field::{Field, Place};
use crate::budget::{Budget, Stop};
use crate::grid::Cell;
use std::collections::HashSet;

type Grid = Vec<Option<char>>;

pub(super) fn decide(
    board: &Board,
    budget: &mut Budget,
    learnt: &mut Learnt,
) -> Result<Result<Answer, Reason>, Stop> {
    Ok(search(board, budget, learnt)?.ok_or(Reason::Exhausted { positions: budget.nodes() }))
}

fn search(board: &Board, budget: &mut Budget, learnt: &mut Learnt) -> Result<Option<Answer>, Stop> {
    let start: Grid = board.size().cells().map(|cell| board.tile(cell)).collect();
    let total = board.tiles().count();
    let mut dead: HashSet<Grid> = HashSet::new();
    let mut stack = vec![(start.clone(), moves(board, &start), 0)];
    let mut made: Vec<(usize, usize)> = Vec::new();
    loop {
        let Some((grid, choices, next)) = stack.last_mut() else { return Ok(None) };
        let left = grid.iter().flatten().count();
        learnt.most_cleared = learnt.most_cleared.max(total - left);
        if left == 0 {
            return Ok(Some(replay(board, start, &made)));
        }
        let Some(&(from, to)) = choices.get(*next) else {
            let (grid, _, _) = stack.pop().expect("the stack is not empty");
            budget.reserve(grid.len() * 8 + 64)?;
            dead.insert(grid);
            made.pop();
            continue;
        };
        *next += 1;
        budget.tick()?;
        let mut after = grid.clone();
        remove(board, &mut after, from, to);
        if !dead.contains(&after) {
            let choices = moves(board, &after);
            stack.push((after, choices, 0));
            made.push((from, to));
        }
    }
}

fn field(board: &Board, grid: &Grid) -> Field {
    let mut field = Field::new(board.size(), board.rules().outside);
    for (index, _) in grid.iter().enumerate().filter(|(_, tile)| tile.is_some()) {
        field.block(place(board, index));
    }
    field
}

fn place(board: &Board, index: usize) -> Place {
    let cell = board.size().cell(index);
    Place { row: cell.row as u8 + 1, col: cell.col as u8 + 1 }
}

fn moves(board: &Board, grid: &Grid) -> Vec<(usize, usize)> {
    let field = field(board, grid);
    let mut moves = Vec::new();
    for from in 0..grid.len() {
        for to in from + 1..grid.len() {
            if grid[from].is_some()
                && grid[from] == grid[to]
                && field.joins(place(board, from), place(board, to), board.rules().max_turns)
            {
                moves.push((from, to));
            }
        }
    }
    moves
}

fn remove(board: &Board, grid: &mut Grid, from: usize, to: usize) {
    grid[from] = None;
    grid[to] = None;
    if board.rules().gravity {
        let size = board.size();
        for col in 0..size.cols {
            let column: Vec<_> =
                (0..size.rows).filter_map(|row| grid[row * size.cols + col]).collect();
            let empty = size.rows - column.len();
            for row in 0..size.rows {
                grid[row * size.cols + col] = (row >= empty).then(|| column[row - empty]);
            }
        }
    }
}

fn replay(board: &Board, mut grid: Grid, made: &[(usize, usize)]) -> Answer {
    let cell = |place: Place| Cell::new(i32::from(place.row) - 1, i32::from(place.col) - 1);
    let mut answer = Answer::default();
    for &(from, to) in made {
        let (start, end) = (place(board, from), place(board, to));
        let corners = field(board, &grid)
            .corners(start, end, board.rules().max_turns)
            .expect("the move was found open");
        let path = [vec![start], corners, vec![end]].concat().into_iter().map(cell).collect();
        answer.moves.push(Move { tile: grid[from].expect("a tile stands here"), path });
        remove(board, &mut grid, from, to);
    }
    answer
}
