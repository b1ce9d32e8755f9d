//! A legal position: the free cells of one board or of several, and what is
//! asked about them.
//!
//! The picture is the contest's own: rows of `0` (free) and `1` (taken); the
//! boards of a sum are parted by a blank line. [`Position::parse`] reads it back.

use std::fmt;

use crate::grid::{Cell, CellSet, Size};

/// The most rows and the most columns of a board.
pub const MAX_SIDE: usize = 64;

/// The most boards of a sum.
pub const MAX_BOARDS: usize = 64;

/// One board or a sum of several, each with at least one cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    boards: Vec<CellSet>,
    questions: Questions,
}

/// What is asked beyond the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Questions {
    /// Which winning moves.
    pub moves: MovesAsked,
    /// Whether the Grundy value is asked for.
    pub grundy: bool,
}

impl Questions {
    /// The winner and nothing else.
    pub const WINNER: Self = Self { moves: MovesAsked::None, grundy: false };
}

/// Which winning moves are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MovesAsked {
    /// Every one.
    All,
    /// The first in order of board, row and column.
    One,
    /// None.
    None,
}

/// A 2×2 square put on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The board of the sum, from 0.
    pub board: usize,
    /// The square's top left cell.
    pub cell: Cell,
}

/// Why boards are not a legal position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// No board.
    NoBoard,
    /// More than [`MAX_BOARDS`] boards.
    TooManyBoards {
        /// How many there are.
        boards: usize,
    },
    /// A board without rows, or without columns.
    Empty {
        /// Which board, from 0.
        board: usize,
    },
    /// A board of more than [`MAX_SIDE`] rows.
    TooManyRows {
        /// Which board, from 0.
        board: usize,
        /// How many rows it has.
        rows: usize,
    },
    /// A row of more than [`MAX_SIDE`] cells.
    TooLongRow {
        /// Which board, from 0.
        board: usize,
        /// Which row, from 0.
        row: usize,
        /// How many cells it has.
        cells: usize,
    },
    /// A row that is not as long as the board's first.
    Ragged {
        /// Which board, from 0.
        board: usize,
        /// Which row, from 0.
        row: usize,
        /// The length of the first row.
        expected: usize,
        /// The length of this one.
        actual: usize,
    },
    /// A character other than `0` and `1`.
    NotACell {
        /// Which board, from 0.
        board: usize,
        /// Which row, from 0.
        row: usize,
        /// Which character of the row, from 0.
        col: usize,
        /// The character.
        character: char,
    },
}

impl Position {
    /// The sum of `boards`, each given by its rows of `0` and `1`.
    ///
    /// # Errors
    /// The first fault, reading board by board and row by row.
    pub fn from_rows<Row: AsRef<str>>(
        boards: &[Vec<Row>],
        questions: Questions,
    ) -> Result<Self, PositionError> {
        if boards.is_empty() {
            return Err(PositionError::NoBoard);
        }
        if boards.len() > MAX_BOARDS {
            return Err(PositionError::TooManyBoards { boards: boards.len() });
        }
        let boards = boards.iter().enumerate().map(|(board, rows)| free_cells(board, rows));
        Ok(Self { boards: boards.collect::<Result<_, _>>()?, questions })
    }

    /// Reads the picture that `Display` draws.
    ///
    /// # Errors
    /// As [`Position::from_rows`].
    pub fn parse(picture: &str, questions: Questions) -> Result<Self, PositionError> {
        let lines: Vec<_> = picture.lines().map(str::trim_end).collect();
        let boards = lines.split(|line| line.is_empty()).filter(|rows| !rows.is_empty());
        Self::from_rows(&boards.map(<[_]>::to_vec).collect::<Vec<_>>(), questions)
    }

    /// The same boards with other questions.
    #[must_use]
    pub fn asking(self, questions: Questions) -> Self {
        Self { questions, ..self }
    }

    /// How many boards there are.
    pub const fn len(&self) -> usize {
        self.boards.len()
    }

    /// Never: a position has at least one board.
    pub const fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Rows and columns of one board.
    pub fn size(&self, board: usize) -> Size {
        self.boards[board].size()
    }

    /// What is asked beyond the winner.
    pub const fn questions(&self) -> Questions {
        self.questions
    }

    /// Whether `cell` is a free cell of `board`.
    pub fn is_free(&self, board: usize, cell: Cell) -> bool {
        self.boards.get(board).is_some_and(|free| free.contains(cell))
    }

    /// The free cells of `board`, row by row.
    pub fn free_cells(&self, board: usize) -> impl Iterator<Item = Cell> + '_ {
        self.boards[board].iter()
    }

    /// Whether all four cells of the square of `play` are free.
    pub fn is_legal(&self, play: Move) -> bool {
        square(play.cell).iter().all(|&cell| self.is_free(play.board, cell))
    }

    /// The top left cells of all squares that fit on `board`, row by row.
    pub fn anchors(&self, board: usize) -> impl Iterator<Item = Cell> + '_ {
        let fits = move |cell: &Cell| self.is_legal(Move { board, cell: *cell });
        self.free_cells(board).filter(fits)
    }
}

/// The four cells of the square whose top left cell is `anchor`.
pub fn square(anchor: Cell) -> [Cell; 4] {
    [(0, 0), (0, 1), (1, 0), (1, 1)]
        .map(|(down, right)| Cell::new(anchor.row + down, anchor.col + right))
}

fn free_cells<Row: AsRef<str>>(board: usize, rows: &[Row]) -> Result<CellSet, PositionError> {
    let cols = rows.first().map_or(0, |row| row.as_ref().chars().count());
    if cols == 0 {
        return Err(PositionError::Empty { board });
    }
    if rows.len() > MAX_SIDE {
        return Err(PositionError::TooManyRows { board, rows: rows.len() });
    }
    if cols > MAX_SIDE {
        return Err(PositionError::TooLongRow { board, row: 0, cells: cols });
    }
    let mut free = CellSet::new(Size::new(rows.len(), cols));
    for (row, text) in rows.iter().enumerate() {
        let actual = text.as_ref().chars().count();
        if actual != cols {
            return Err(PositionError::Ragged { board, row, expected: cols, actual });
        }
        for (col, character) in text.as_ref().chars().enumerate() {
            match character {
                '0' => _ = free.insert(Cell::new(row as i32, col as i32)),
                '1' => {}
                _ => return Err(PositionError::NotACell { board, row, col, character }),
            }
        }
    }
    Ok(free)
}

/// Rows of `0` and `1`, a line each, with a blank line between two boards.
impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (board, free) in self.boards.iter().enumerate() {
            if board > 0 {
                writeln!(formatter)?;
            }
            let size = free.size();
            for row in 0..size.rows {
                let cell = |col| Cell::new(row as i32, col as i32);
                let digit = |col| if free.contains(cell(col)) { '0' } else { '1' };
                writeln!(formatter, "{}", (0..size.cols).map(digit).collect::<String>())?;
            }
        }
        Ok(())
    }
}

/// The fault alone; whoever reads the request adds the place.
impl fmt::Display for PositionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBoard => write!(formatter, "a sum has at least one board"),
            Self::TooManyBoards { boards } => {
                write!(formatter, "a sum has at most {MAX_BOARDS} boards, not {boards}")
            }
            Self::Empty { .. } => {
                write!(formatter, "a board has at least one row and one column")
            }
            Self::TooManyRows { rows, .. } => {
                write!(formatter, "a board has at most {MAX_SIDE} rows, not {rows}")
            }
            Self::TooLongRow { cells, .. } => {
                write!(formatter, "a row has at most {MAX_SIDE} cells, not {cells}")
            }
            Self::Ragged { expected, actual, .. } => write!(
                formatter,
                "the row has {actual} cells where the first row of its board has {expected}"
            ),
            Self::NotACell { character, .. } => write!(
                formatter,
                "{character:?} is not a cell: `0` is a free cell and `1` a taken one"
            ),
        }
    }
}

impl std::error::Error for PositionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_of_a_sum_is_read_back_as_the_same_sum() {
        let picture = "0010\n0000\n\n1\n\n000\n";
        let position = Position::parse(picture, Questions::WINNER).unwrap();
        assert_eq!(position.len(), 3);
        assert_eq!(position.to_string(), picture);
        assert_eq!(Position::parse(&position.to_string(), Questions::WINNER), Ok(position));
    }

    #[test]
    fn a_square_fits_where_all_four_of_its_cells_are_free() {
        let position = Position::parse("0010\n0000\n0000\n", Questions::WINNER).unwrap();
        let anchors: Vec<_> = position.anchors(0).collect();
        let expected = [(0, 0), (1, 0), (1, 1), (1, 2)].map(|(row, col)| Cell::new(row, col));
        assert_eq!(anchors, expected);
        assert!(!position.is_legal(Move { board: 1, cell: Cell::new(0, 0) }));
        assert!(!position.is_legal(Move { board: 0, cell: Cell::new(2, 0) }));
    }

    #[test]
    fn every_fault_has_its_own_error() {
        let read = |boards: &[Vec<&str>]| Position::from_rows(boards, Questions::WINNER);
        assert_eq!(read(&[]), Err(PositionError::NoBoard));
        assert_eq!(read(&[vec!["0"], vec![]]), Err(PositionError::Empty { board: 1 }));
        assert_eq!(read(&[vec!["", ""]]), Err(PositionError::Empty { board: 0 }));
        assert_eq!(
            read(&[vec!["00", "0"]]),
            Err(PositionError::Ragged { board: 0, row: 1, expected: 2, actual: 1 })
        );
        assert_eq!(
            read(&[vec!["0x"]]),
            Err(PositionError::NotACell { board: 0, row: 0, col: 1, character: 'x' })
        );
        assert_eq!(read(&vec![vec!["0"]; 65]), Err(PositionError::TooManyBoards { boards: 65 }));
        assert_eq!(read(&[vec!["0"; 65]]), Err(PositionError::TooManyRows { board: 0, rows: 65 }));
        let long = "0".repeat(65);
        assert_eq!(
            read(&[vec![long.as_str()]]),
            Err(PositionError::TooLongRow { board: 0, row: 0, cells: 65 })
        );
    }
}
