//! Checks answers and reasons from the rules alone.
//!
//! A tour is walked step by step. A reason is counted out: colours, neighbours, parts; forced steps
//! are taken one by one, each after its ground was checked; cut sets and regions are checked by
//! `certificate`. That a search was exhausted cannot be checked without a search.
//!
//! Cost: O(area) and O(1) a step.

use super::answer::Answer;
use super::board::Board;
use super::certificate::parts_without;
use super::reason::{ForcedBy, ForcedStep, Reason};
use crate::grid::{Cell, CellSet, Direction};
use crate::puzzle::Violation;

/// Walks the tour: every free cell exactly once, and back to the start.
///
/// # Errors
/// The first step that breaks a rule, or the first contradiction to what else is said.
pub fn answer(board: &Board, answer: &Answer) -> Result<(), Violation> {
    let cells = board.free().len();
    if cells < 4 {
        return Err(Violation::new("a circuit has at least four cells"));
    }
    let mut left = board.free().clone();
    let mut at = board.start();
    for (number, &direction) in answer.moves.iter().enumerate() {
        at = at.step(direction);
        if !left.remove(at) {
            let what = if board.is_free(at) { "visits again" } else { "leaves the board at" };
            return Err(Violation::new(format!("step {} {what} {at}", number + 1)));
        }
    }
    if !left.is_empty() {
        return Err(Violation::new(format!("{} cells are not visited", left.len())));
    }
    if at != board.start() {
        return Err(Violation::new(format!("the tour ends at {at}, not at the start")));
    }
    match (answer.unique, answer.count.as_deref()) {
        (_, Some("0")) => Err(Violation::new("there is a circuit, and the count says 0")),
        (Some(unique), Some(count)) if unique != (count == "1") => Err(Violation::new(format!(
            "`unique` is {unique}, but the count says {count} circuits"
        ))),
        _ => Ok(()),
    }
}

/// Checks a reason, as far as that needs no search.
///
/// # Errors
/// The first claim that is not so.
pub fn reason(board: &Board, reason: &Reason) -> Result<(), Violation> {
    match reason {
        Reason::TooSmall => match board.free().len() {
            0..4 => Ok(()),
            cells => Err(Violation::new(format!("the board has {cells} free cells"))),
        },
        Reason::Parity { white, black } => parity(board, *white, *black),
        Reason::DeadEnd { cell } => dead_end(board, *cell),
        Reason::Disconnected { cells: [one, other] } => disconnected(board, *one, *other),
        Reason::CutCell { cell } => cut_cell(board, *cell),
        Reason::Forced { cells, steps } => Forced::new(board).check(cells, steps),
        Reason::Crowded { cells } => crowded(board, cells),
        Reason::Counted(certificate) => certificate.check(board),
        Reason::Exhausted => Ok(()),
    }
}

fn parity(board: &Board, white: usize, black: usize) -> Result<(), Violation> {
    let whites = board.free().iter().filter(|cell| cell.is_white()).count();
    let blacks = board.free().len() - whites;
    if (whites, blacks) != (white, black) || white == black {
        return Err(Violation::new(format!(
            "there are {whites} white and {blacks} black cells, not {white} and {black}"
        )));
    }
    Ok(())
}

fn dead_end(board: &Board, cell: Cell) -> Result<(), Violation> {
    must_be_free(board, cell)?;
    let ways = free_neighbours(board, cell).count();
    if ways > 1 {
        return Err(Violation::new(format!("{cell} has {ways} free neighbours")));
    }
    Ok(())
}

fn disconnected(board: &Board, one: Cell, other: Cell) -> Result<(), Violation> {
    must_be_free(board, one)?;
    must_be_free(board, other)?;
    let mut seen = CellSet::from_cells(board.size(), [one]);
    let mut stack = vec![one];
    while let Some(cell) = stack.pop() {
        for next in free_neighbours(board, cell) {
            if seen.insert(next) {
                stack.push(next);
            }
        }
    }
    match seen.contains(other) {
        true => Err(Violation::new(format!("a path joins {one} and {other}"))),
        false => Ok(()),
    }
}

fn cut_cell(board: &Board, cell: Cell) -> Result<(), Violation> {
    must_be_free(board, cell)?;
    match parts_without(board, &CellSet::from_cells(board.size(), [cell])) {
        0 | 1 => Err(Violation::new(format!("without {cell} the others hang together"))),
        _ => Ok(()),
    }
}

fn crowded(board: &Board, cells: &[Cell]) -> Result<(), Violation> {
    let mut members = CellSet::new(board.size());
    for &cell in cells {
        must_be_free(board, cell)?;
        if cell.is_white() != cells[0].is_white() {
            return Err(Violation::new(format!("{cell} is not of the colour of {}", cells[0])));
        }
        if !members.insert(cell) {
            return Err(Violation::new(format!("{cell} is named twice")));
        }
    }
    let mut seen = CellSet::new(board.size());
    let mut passes = 0;
    for neighbour in cells.iter().flat_map(|&cell| free_neighbours(board, cell)) {
        if seen.insert(neighbour) {
            let around = neighbour.neighbours().into_iter();
            passes += around.filter(|&cell| members.contains(cell)).count().min(2);
        }
    }
    if passes >= 2 * cells.len() {
        return Err(Violation::new(format!(
            "{} cells can be passed {passes} times by their neighbours",
            cells.len()
        )));
    }
    Ok(())
}

fn must_be_free(board: &Board, cell: Cell) -> Result<(), Violation> {
    match board.is_free(cell) {
        true => Ok(()),
        false => Err(Violation::new(format!("{cell} is not a free cell"))),
    }
}

fn free_neighbours(board: &Board, cell: Cell) -> impl Iterator<Item = Cell> {
    cell.neighbours().into_iter().filter(|&next| board.is_free(next))
}

/// Forced steps, taken one by one.
struct Forced<'a> {
    board: &'a Board,
    /// By cell and direction.
    used: Vec<[bool; 4]>,
    dropped: Vec<[bool; 4]>,
    /// Cells that used edges join: a forest, with the number of members at each root.
    parent: Vec<u32>,
    members: Vec<u32>,
}

impl<'a> Forced<'a> {
    fn new(board: &'a Board) -> Self {
        let area = board.size().area();
        Self {
            board,
            used: vec![[false; 4]; area],
            dropped: vec![[false; 4]; area],
            parent: (0..area as u32).collect(),
            members: vec![1; area],
        }
    }

    fn check(mut self, cells: &[Cell], steps: &[ForcedStep]) -> Result<(), Violation> {
        for (number, step) in steps.iter().enumerate() {
            self.take(step)
                .map_err(|fault| Violation::new(format!("forced step {}: {fault}", number + 1)))?;
        }
        match *cells {
            [cell] => {
                let index = self.index(cell)?;
                let (used, left) = (self.used_at(index), self.left_at(cell)?);
                if used <= 2 && left >= 2 {
                    return Err(Violation::new(format!(
                        "{cell} has {left} edges left and {used} used ones"
                    )));
                }
                Ok(())
            }
            _ => self.check_circuit(cells),
        }
    }

    /// Checks that used edges lead along the cells and back, and that others are left.
    fn check_circuit(&self, cells: &[Cell]) -> Result<(), Violation> {
        // One used edge leads there and back, but two cells are no circuit.
        if cells.len() < 4 {
            return Err(Violation::new(format!("{} cells are no circuit", cells.len())));
        }
        let mut visited = CellSet::new(self.board.size());
        for (&cell, &next) in cells.iter().zip(cells.iter().cycle().skip(1)) {
            let index = self.index(cell)?;
            let is_used = direction_between(cell, next)
                .is_some_and(|direction| self.used[index][direction as usize]);
            if !is_used || !visited.insert(cell) {
                return Err(Violation::new(format!(
                    "no forced circuit leads from {cell} to {next}"
                )));
            }
        }
        if cells.len() == self.board.free().len() {
            return Err(Violation::new("the forced circuit visits every cell"));
        }
        Ok(())
    }

    fn take(&mut self, step: &ForcedStep) -> Result<(), Violation> {
        let (from, to) = (self.index(step.from)?, self.index(step.to)?);
        let Some(direction) = direction_between(step.from, step.to) else {
            return Err(Violation::new(format!("{} is no neighbour of {}", step.to, step.from)));
        };
        let is_grounded = match step.ground {
            ForcedBy::Degree(cell) if cell != step.from && cell != step.to => false,
            ForcedBy::Degree(cell) if step.is_used => self.left_at(cell)? <= 2,
            ForcedBy::Degree(cell) => self.used_at(self.index(cell)?) >= 2,
            // The edge joins two cells of a path, so it would close it (or make a cell
            // have three used edges).
            ForcedBy::ClosesEarly => {
                let root = self.root(from);
                !step.is_used
                    && root == self.root(to)
                    && (self.members[root] as usize) < self.board.free().len()
            }
        };
        let back = direction.opposite() as usize;
        let direction = direction as usize;
        if !is_grounded || self.used[from][direction] || self.dropped[from][direction] {
            return Err(Violation::new(format!(
                "nothing forces the edge between {} and {}",
                step.from, step.to
            )));
        }
        let edges = if step.is_used { &mut self.used } else { &mut self.dropped };
        edges[from][direction] = true;
        edges[to][back] = true;
        if step.is_used {
            let (one, other) = (self.root(from), self.root(to));
            if one != other {
                self.parent[one] = other as u32;
                self.members[other] += self.members[one];
            }
        }
        Ok(())
    }

    fn index(&self, cell: Cell) -> Result<usize, Violation> {
        must_be_free(self.board, cell)?;
        self.board
            .size()
            .index(cell)
            .ok_or_else(|| Violation::new(format!("{cell} is off the board")))
    }

    fn used_at(&self, index: usize) -> usize {
        self.used[index].iter().filter(|&&used| used).count()
    }

    /// The edges of a cell that are not dropped.
    fn left_at(&self, cell: Cell) -> Result<usize, Violation> {
        let index = self.index(cell)?;
        let dropped = self.dropped[index].iter().filter(|&&dropped| dropped).count();
        Ok(free_neighbours(self.board, cell).count() - dropped)
    }

    fn root(&mut self, index: usize) -> usize {
        let mut at = index as u32;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at as usize
    }
}

fn direction_between(from: Cell, to: Cell) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&direction| from.step(direction) == to)
}
