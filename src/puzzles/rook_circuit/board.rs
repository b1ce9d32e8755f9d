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
}

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
