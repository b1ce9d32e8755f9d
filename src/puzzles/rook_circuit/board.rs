//! A legal board: which cells are free, where the tour begins, what is asked.

use std::fmt;

use crate::grid::{Cell, CellSet, Size};

/// The most rows and the most columns of a board.
pub const MAX_SIDE: usize = 500;

/// A board with at least one free cell, and a start that is free.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    free: CellSet,
    start: Cell,
    questions: Questions,
}

/// What is asked beyond one tour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Questions {
    /// Whether the circuit is the only one.
    pub unique: bool,
    /// How many circuits there are.
    pub count: bool,
}

/// Why a board is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// No row or no column.
    Empty,
    /// More than [`MAX_SIDE`] rows or columns.
    TooLarge(Size),
    /// No free cell.
    NoFreeCell,
    /// The start lies off the board.
    StartOutside(Cell),
    /// The start is blocked.
    StartBlocked(Cell),
    /// A row is not as long as the first one.
    Ragged {
        /// The number of the row, from 0.
        row: usize,
        /// The length of the first row.
        expected: usize,
        /// The length of this one.
        actual: usize,
    },
    /// A character that is neither `.` nor `#`.
    Character {
        /// Where it stands.
        cell: Cell,
        /// What stands there.
        character: char,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("a board has at least one row and one column"),
            Self::TooLarge(size) => write!(
                formatter,
                "a board has at most {MAX_SIDE} rows and {MAX_SIDE} columns, this one is {size}"
            ),
            Self::NoFreeCell => {
                formatter.write_str("a board has at least one free cell, this one has none")
            }
            Self::StartOutside(cell) => write!(formatter, "the start {cell} lies off the board"),
            Self::StartBlocked(cell) => {
                write!(formatter, "the start {cell} is blocked; it must be a free cell")
            }
            Self::Ragged { row, expected, actual } => write!(
                formatter,
                "all rows are equally long: the first has {expected} cells, row {row} has {actual}"
            ),
            Self::Character { cell, character } => write!(
                formatter,
                "`{character}` at {cell} is not a cell: `.` is a free one, `#` a blocked one"
            ),
        }
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// A board whose free cells are `free`; `start` defaults to the first of them.
    ///
    /// # Errors
    /// The first fault, in the order of [`BoardError`].
    pub fn new(
        free: CellSet,
        start: Option<Cell>,
        questions: Questions,
    ) -> Result<Self, BoardError> {
        let size = free.size();
        if size.area() == 0 {
            return Err(BoardError::Empty);
        }
        if size.rows > MAX_SIDE || size.cols > MAX_SIDE {
            return Err(BoardError::TooLarge(size));
        }
        let first = free.iter().next().ok_or(BoardError::NoFreeCell)?;
        let start = start.unwrap_or(first);
        if !size.contains(start) {
            return Err(BoardError::StartOutside(start));
        }
        if !free.contains(start) {
            return Err(BoardError::StartBlocked(start));
        }
        Ok(Self { free, start, questions })
    }

    /// A board from rows of `.` (free) and `#` (blocked), as its text picture has them.
    ///
    /// # Errors
    /// The first fault: of the size, of a row, then as [`Board::new`].
    pub fn from_rows<Row: AsRef<str>>(
        rows: &[Row],
        start: Option<Cell>,
        questions: Questions,
    ) -> Result<Self, BoardError> {
        let length = |row: &Row| row.as_ref().chars().count();
        let size = Size::new(rows.len(), rows.first().map_or(0, length));
        if size.area() == 0 {
            return Err(BoardError::Empty);
        }
        if size.rows > MAX_SIDE || size.cols > MAX_SIDE {
            return Err(BoardError::TooLarge(size));
        }
        let mut free = CellSet::new(size);
        for (row, text) in rows.iter().enumerate() {
            let actual = length(text);
            if actual != size.cols {
                return Err(BoardError::Ragged { row, expected: size.cols, actual });
            }
            for (col, character) in text.as_ref().chars().enumerate() {
                let cell = Cell::new(row as i32, col as i32);
                match character {
                    '.' => {
                        free.insert(cell);
                    }
                    '#' => {}
                    _ => return Err(BoardError::Character { cell, character }),
                }
            }
        }
        Self::new(free, start, questions)
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.free.size()
    }

    /// The free cells.
    pub const fn free(&self) -> &CellSet {
        &self.free
    }

    /// Whether `cell` is on the board and free.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.free.contains(cell)
    }

    /// Where the tour begins and ends.
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// What is asked beyond one tour.
    pub const fn questions(&self) -> Questions {
        self.questions
    }
}

/// The board as rows of `.` (free) and `#` (blocked), a line each.
impl fmt::Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        for row in 0..size.rows {
            let line: String = (0..size.cols)
                .map(|col| match self.is_free(Cell::new(row as i32, col as i32)) {
                    true => '.',
                    false => '#',
                })
                .collect();
            writeln!(formatter, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_board_is_taken_and_each_fault_has_its_own_error() {
        let asked = Questions::default();
        let made = |size: Size, start: Option<Cell>| {
            let cells = [Cell::new(0, 1), Cell::new(0, 2)];
            Board::new(CellSet::from_cells(size, cells), start, asked).map(|board| board.start())
        };
        let greatest = Size::new(MAX_SIDE, MAX_SIDE);
        assert_eq!(made(greatest, None), Ok(Cell::new(0, 1)));
        for size in [Size::new(MAX_SIDE + 1, 3), Size::new(1, MAX_SIDE + 1)] {
            assert_eq!(made(size, None), Err(BoardError::TooLarge(size)));
            let rows = vec![".".repeat(size.cols); size.rows];
            assert_eq!(Board::from_rows(&rows, None, asked), Err(BoardError::TooLarge(size)));
        }
        let rows = vec![".".repeat(MAX_SIDE); MAX_SIDE];
        assert!(Board::from_rows(&rows, None, asked).is_ok());
        let nothing = CellSet::new(Size::new(0, 3));
        assert_eq!(Board::new(nothing, None, asked), Err(BoardError::Empty));
        assert_eq!(Board::from_rows(&[""], None, asked), Err(BoardError::Empty));
        let blocked = CellSet::new(Size::new(1, 3));
        assert_eq!(Board::new(blocked, None, asked), Err(BoardError::NoFreeCell));
        let row = Size::new(1, 3);
        for outside in [Cell::new(0, 3), Cell::new(1, 1), Cell::new(-1, 1)] {
            assert_eq!(made(row, Some(outside)), Err(BoardError::StartOutside(outside)));
        }
        let start = Cell::new(0, 0);
        assert_eq!(made(row, Some(start)), Err(BoardError::StartBlocked(start)));
        assert_eq!(made(row, Some(Cell::new(0, 2))), Ok(Cell::new(0, 2)));
    }
}
