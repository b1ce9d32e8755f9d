//! A legal board with its rules, the moves that clear it, and what can be said of it.

use std::fmt;

use crate::grid::{Cell, Size};

/// The most rows and the most columns of a board.
pub const MAX_SIDE: usize = 30;

/// The most turns that the rules may allow a path.
pub const MAX_TURNS: u8 = 3;

/// How an empty cell is written.
pub const EMPTY: char = '*';

/// A board of tiles, and the rules by which it is cleared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    tiles: Vec<Option<char>>,
    rules: Rules,
}

/// The options of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Whether a path may leave the board (one ring around it is enough).
    pub outside: bool,
    /// Whether every column falls after each removal.
    pub gravity: bool,
    /// The most turns of a path: 0 to [`MAX_TURNS`].
    pub max_turns: u8,
}

impl Default for Rules {
    fn default() -> Self {
        Self { outside: false, gravity: false, max_turns: 2 }
    }
}

/// Why a board is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// More than [`MAX_TURNS`] turns.
    TooManyTurns(u8),
    /// No row.
    NoRow,
    /// The first row is empty.
    NoColumn,
    /// More than [`MAX_SIDE`] rows or columns.
    TooLarge(Size),
    /// A row is not as long as the first.
    Ragged {
        /// The row, from 0.
        row: usize,
        /// Its length in characters.
        length: usize,
        /// The length of the first row.
        expected: usize,
    },
    /// A tile is white space.
    WhiteSpace(Cell),
    /// Under gravity, a tile hangs over an empty cell.
    Floating(Cell),
}

impl Board {
    /// A board from its rows, one character a cell, [`EMPTY`] for an empty one.
    ///
    /// # Errors
    /// The first fault, in the order of [`BoardError`].
    pub fn from_rows<Row: AsRef<str>>(rows: &[Row], rules: Rules) -> Result<Self, BoardError> {
        if rules.max_turns > MAX_TURNS {
            return Err(BoardError::TooManyTurns(rules.max_turns));
        }
        let first = rows.first().ok_or(BoardError::NoRow)?;
        let size = Size::new(rows.len(), first.as_ref().chars().count());
        if size.cols == 0 {
            return Err(BoardError::NoColumn);
        }
        if size.rows > MAX_SIDE || size.cols > MAX_SIDE {
            return Err(BoardError::TooLarge(size));
        }
        let mut tiles = Vec::with_capacity(size.area());
        for (row, text) in rows.iter().enumerate() {
            let length = text.as_ref().chars().count();
            if length != size.cols {
                return Err(BoardError::Ragged { row, length, expected: size.cols });
            }
            tiles.extend(text.as_ref().chars().map(|tile| (tile != EMPTY).then_some(tile)));
        }
        let board = Self { size, tiles, rules };
        let is_blank = |cell: &Cell| board.tile(*cell).is_some_and(char::is_whitespace);
        if let Some(cell) = size.cells().find(is_blank) {
            return Err(BoardError::WhiteSpace(cell));
        }
        let hangs = |cell: &Cell| {
            let below = Cell::new(cell.row + 1, cell.col);
            board.tile(*cell).is_some() && size.contains(below) && board.tile(below).is_none()
        };
        if rules.gravity
            && let Some(cell) = size.cells().find(hangs)
        {
            return Err(BoardError::Floating(cell));
        }
        Ok(board)
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The rules in force.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The tile at `cell`; `None` where it is empty or outside.
    pub fn tile(&self, cell: Cell) -> Option<char> {
        self.size.index(cell).and_then(|index| self.tiles[index])
    }

    /// Every tile with its place, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = (Cell, char)> + '_ {
        self.size.cells().zip(&self.tiles).filter_map(|(cell, &tile)| Some((cell, tile?)))
    }
}

/// The rows, a line each: what [`Board::from_rows`] reads.
impl fmt::Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.tiles.chunks(self.size.cols) {
            let line: String = row.iter().map(|tile| tile.unwrap_or(EMPTY)).collect();
            writeln!(formatter, "{line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyTurns(turns) => {
                write!(formatter, "a path may have 0 to {MAX_TURNS} turns, not {turns}")
            }
            Self::NoRow => formatter.write_str("a board has at least one row"),
            Self::NoColumn => formatter.write_str("a board has at least one column"),
            Self::TooLarge(size) => write!(
                formatter,
                "a board has at most {MAX_SIDE} rows and {MAX_SIDE} columns; this one is {size}"
            ),
            Self::Ragged { length, expected, .. } => write!(
                formatter,
                "all rows are as long as the first, {expected} characters; this one has {length}"
            ),
            Self::WhiteSpace(_) => write!(
                formatter,
                "a tile is any character but white space; an empty cell is written `{EMPTY}`"
            ),
            Self::Floating(cell) => write!(
                formatter,
                "under gravity no tile stands over an empty cell, as the one at row {}, column {} \
                 (from 0) does; let the columns fall first",
                cell.row, cell.col
            ),
        }
    }
}

impl std::error::Error for BoardError {}

/// The removal of two tiles of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The kind of both.
    pub tile: char,
    /// The one tile, the corners of the path, the other tile. Under gravity these
    /// are places on the board at the moment of the move.
    pub path: Vec<Cell>,
}

/// Moves that clear a board, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The moves.
    pub moves: Vec<Move>,
}

/// Why a board can't be cleared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A kind has an odd number of tiles.
    OddKind {
        /// The first such kind in the board's row-major order.
        kind: char,
        /// The number of its tiles.
        count: usize,
    },
    /// Tiles that lock each other in: with every tile outside the set taken away as
    /// an obstacle but kept as a partner, none of them can be joined to another of
    /// its kind, so none of them can be the first of the set to go.
    ///
    /// Under gravity the set holds every tile below one of its own, so that none of
    /// them moves before the first goes; and a partner outside the set is tried at
    /// every height to which it can fall.
    Locked {
        /// Where they stand, in row-major order.
        cells: Vec<Cell>,
    },
    /// A finished search found no way.
    Exhausted {
        /// The positions (partial pairings, or boards under gravity) it looked at.
        positions: u64,
    },
}

/// What a search knew when it was stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learnt {
    /// The most tiles that any order tried has cleared.
    pub most_cleared: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(rows: &[&str], rules: Rules) -> BoardError {
        Board::from_rows(rows, rules).unwrap_err()
    }

    #[test]
    fn a_board_is_read_back_from_its_picture() {
        let picture = "AB*\n*🀄A\n";
        let rows: Vec<_> = picture.lines().collect();
        let board = Board::from_rows(&rows, Rules::default()).unwrap();
        assert_eq!(board.to_string(), picture);
        assert_eq!(board.tile(Cell::new(1, 1)), Some('🀄'));
        assert_eq!(board.tile(Cell::new(-1, 0)), None);
        assert_eq!(board.tiles().count(), 4);
    }

    #[test]
    fn every_fault_is_named_with_its_place() {
        let rules = Rules::default();
        assert_eq!(fault(&[], rules), BoardError::NoRow);
        assert_eq!(fault(&["", "A"], rules), BoardError::NoColumn);
        let long = "A".repeat(31);
        assert_eq!(fault(&[&long], rules), BoardError::TooLarge(Size::new(1, 31)));
        assert_eq!(
            fault(&["AB", "ABC"], rules),
            BoardError::Ragged { row: 1, length: 3, expected: 2 }
        );
        assert_eq!(fault(&["A\u{3000}"], rules), BoardError::WhiteSpace(Cell::new(0, 1)));
        assert_eq!(fault(&["A"], Rules { max_turns: 4, ..rules }), BoardError::TooManyTurns(4));
    }

    #[test]
    fn under_gravity_alone_a_tile_may_not_hang() {
        let rows = ["A*", "*A"];
        let rules = Rules { gravity: true, ..Rules::default() };
        assert_eq!(fault(&rows, rules), BoardError::Floating(Cell::new(0, 0)));
        assert!(Board::from_rows(&rows, Rules::default()).is_ok());
    }
}
