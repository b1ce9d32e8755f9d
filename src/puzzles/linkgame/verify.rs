//! Replays an answer, and checks a "no", from the rules alone.
//!
//! Nothing here knows the search: boards are plain grids of characters, paths are
//! walked cell by cell, and what a tile can be joined to is found by spreading from
//! cell to cell, one straight run a turn. Walking an answer costs O(moves × side);
//! a locked set costs one flood of the board a tile, O(area × side).

use crate::grid::{Cell, CellSet, Direction, Size};
use crate::puzzle::Violation;

use super::board::{Answer, Board, Move, Reason};

/// Plays the moves and checks that each is legal and that nothing is left.
///
/// # Errors
/// The first move that is not legal, or the number of tiles that stay.
pub fn answer(board: &Board, answer: &Answer) -> Result<(), Violation> {
    let mut table = Table::new(board);
    for (number, played) in answer.moves.iter().enumerate() {
        table
            .play(played)
            .map_err(|fault| Violation::new(format!("move {number} (from 0): {fault}")))?;
    }
    match table.tiles.iter().flatten().count() {
        0 => Ok(()),
        left => Err(Violation::new(format!("{left} tiles stay on the board"))),
    }
}

/// Checks a reason; `exhausted` can't be checked without a search, beyond that the
/// board is not an empty one.
///
/// # Errors
/// The claim that is not so.
pub fn reason(board: &Board, reason: &Reason) -> Result<(), Violation> {
    match reason {
        Reason::OddKind { kind, count } => {
            let actual = board.tiles().filter(|(_, tile)| tile == kind).count();
            if actual != *count {
                return Err(Violation::new(format!("there are {actual} `{kind}`, not {count}")));
            }
            if count % 2 == 0 {
                return Err(Violation::new(format!("{count} is even")));
            }
            Ok(())
        }
        Reason::Locked { cells } => locked(board, cells),
        Reason::Exhausted { .. } if board.tiles().next().is_none() => {
            Err(Violation::new("an empty board is cleared"))
        }
        Reason::Exhausted { .. } => Ok(()),
    }
}

/// A board in play.
struct Table {
    size: Size,
    tiles: Vec<Option<char>>,
    outside: bool,
    gravity: bool,
    max_turns: usize,
}

impl Table {
    fn new(board: &Board) -> Self {
        let rules = board.rules();
        Self {
            size: board.size(),
            tiles: board.size().cells().map(|cell| board.tile(cell)).collect(),
            outside: rules.outside,
            gravity: rules.gravity,
            max_turns: usize::from(rules.max_turns),
        }
    }

    fn tile(&self, cell: Cell) -> Option<char> {
        self.size.index(cell).and_then(|index| self.tiles[index])
    }

    /// Whether a path may pass here as far as the board's extent goes.
    fn within_reach(&self, cell: Cell) -> bool {
        let rows = self.size.rows as i32;
        let cols = self.size.cols as i32;
        let ring = i32::from(self.outside);
        (-ring..rows + ring).contains(&cell.row) && (-ring..cols + ring).contains(&cell.col)
    }

    fn play(&mut self, played: &Move) -> Result<(), String> {
        let (Some(&from), Some(&to)) = (played.path.first(), played.path.last()) else {
            return Err("the path is empty".to_owned());
        };
        if from == to {
            return Err(format!("the path begins and ends at {from}"));
        }
        for end in [from, to] {
            if self.tile(end) != Some(played.tile) {
                return Err(format!("there is no `{}` at {end}", played.tile));
            }
        }
        if played.path.len() > self.max_turns + 2 {
            return Err(format!("the path has more than {} turns", self.max_turns));
        }
        self.walk(&played.path)?;
        for end in [from, to] {
            let index = self.size.index(end).ok_or("an end lies outside")?;
            self.tiles[index] = None;
        }
        if self.gravity {
            self.fall();
        }
        Ok(())
    }

    /// Follows a path from corner to corner; every cell between the ends must be empty.
    fn walk(&self, path: &[Cell]) -> Result<(), String> {
        let last = path.len() - 1;
        let mut previous: Option<(i32, i32)> = None;
        for (number, step) in path.windows(2).enumerate() {
            let (from, to) = (step[0], step[1]);
            let along = ((to.row - from.row).signum(), (to.col - from.col).signum());
            if (along.0 == 0) == (along.1 == 0) {
                return Err(format!("{from} to {to} is not a straight segment"));
            }
            if previous.is_some_and(|before| (before.0 == 0) == (along.0 == 0)) {
                return Err(format!("the path does not turn at {from}"));
            }
            previous = Some(along);
            let mut cell = from;
            while cell != to {
                cell = Cell::new(cell.row + along.0, cell.col + along.1);
                let is_end = number + 1 == last && cell == to;
                if !self.within_reach(cell) {
                    return Err(format!("the path leaves the board at {cell}"));
                }
                if !is_end && self.tile(cell).is_some() {
                    return Err(format!("the path runs into a tile at {cell}"));
                }
            }
        }
        Ok(())
    }

    fn fall(&mut self) {
        for col in 0..self.size.cols {
            let column: Vec<Option<char>> = (0..self.size.rows)
                .map(|row| self.tiles[row * self.size.cols + col])
                .filter(Option::is_some)
                .collect();
            let empty = self.size.rows - column.len();
            for row in 0..self.size.rows {
                self.tiles[row * self.size.cols + col] =
                    if row < empty { None } else { column[row - empty] };
            }
        }
    }
}

/// Checks that the tiles at `cells` lock each other in; see [`Reason::Locked`].
fn locked(board: &Board, cells: &[Cell]) -> Result<(), Violation> {
    let size = board.size();
    let mut set = CellSet::new(size);
    for &cell in cells {
        if board.tile(cell).is_none() {
            return Err(Violation::new(format!("there is no tile at {cell}")));
        }
        if !set.insert(cell) {
            return Err(Violation::new(format!("{cell} is named twice")));
        }
    }
    if cells.is_empty() {
        return Err(Violation::new("an empty set locks nothing"));
    }
    if board.rules().gravity {
        for &cell in cells {
            let below = cell.step(Direction::South);
            if size.contains(below) && !set.contains(below) {
                return Err(Violation::new(format!("{cell} stands over {below}, not in the set")));
            }
        }
    }
    let mut table = Table::new(board);
    for cell in size.cells().filter(|&cell| !set.contains(cell)) {
        if let Some(index) = size.index(cell) {
            table.tiles[index] = None;
        }
    }
    for &cell in cells {
        if let Some(partner) = joined(board, &table, &set, cell) {
            return Err(Violation::new(format!("{cell} can be joined to {partner}")));
        }
    }
    Ok(())
}

/// A partner to which the tile at `from` can be joined when only the set stands.
fn joined(board: &Board, table: &Table, set: &CellSet, from: Cell) -> Option<Cell> {
    let size = board.size();
    let reach = Reach::new(table, from);
    let kind = board.tile(from);
    let mut partners = size.cells().filter(|&cell| cell != from && board.tile(cell) == kind);
    partners.find(|&partner| {
        if reach.contains(partner) {
            return true;
        }
        // Under gravity a partner outside the set may have fallen, as far as the set lets it.
        let mut cell = partner;
        while board.rules().gravity && !set.contains(partner) {
            cell = cell.step(Direction::South);
            if !size.contains(cell) || set.contains(cell) {
                return false;
            }
            if reach.contains(cell) {
                return true;
            }
        }
        false
    })
}

/// Every cell that a path from one tile can end on, tiles and empty cells alike.
struct Reach {
    cols: usize,
    /// The board and the ring around it, row by row.
    reached: Vec<bool>,
}

impl Reach {
    fn new(table: &Table, from: Cell) -> Self {
        let cells = (table.size.rows + 2) * (table.size.cols + 2);
        let mut reach = Self { cols: table.size.cols, reached: vec![false; cells] };
        reach.insert(from);
        // The cells at which the path may turn: those first reached with the turns so far.
        let mut corners = vec![from];
        for _segment in 0..=table.max_turns {
            let mut next = Vec::new();
            for &corner in &corners {
                for direction in Direction::ALL {
                    let mut cell = corner.step(direction);
                    while table.within_reach(cell) {
                        let is_new = reach.insert(cell);
                        if table.tile(cell).is_some() {
                            break;
                        }
                        if is_new {
                            next.push(cell);
                        }
                        cell = cell.step(direction);
                    }
                }
            }
            corners = next;
        }
        reach
    }

    fn place(&self, cell: Cell) -> usize {
        (cell.row + 1) as usize * (self.cols + 2) + (cell.col + 1) as usize
    }

    /// Adds a cell; whether it is new.
    fn insert(&mut self, cell: Cell) -> bool {
        let place = self.place(cell);
        !std::mem::replace(&mut self.reached[place], true)
    }

    fn contains(&self, cell: Cell) -> bool {
        self.reached[self.place(cell)]
    }
}
