//! A board's size, a place on it, and the four ways to step from it.

use std::fmt;

/// The extent of a board, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
}

impl Size {
    /// A size of `rows` × `cols` cells.
    pub const fn new(rows: usize, cols: usize) -> Self {
        Self { rows, cols }
    }

    /// The number of cells.
    pub const fn area(self) -> usize {
        self.rows * self.cols
    }

    /// Whether `cell` lies on a board of this size.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row >= 0
            && cell.col >= 0
            && (cell.row as usize) < self.rows
            && (cell.col as usize) < self.cols
    }

    /// The row-major index of `cell`, or `None` when it lies outside.
    pub const fn index(self, cell: Cell) -> Option<usize> {
        if self.contains(cell) {
            Some(cell.row as usize * self.cols + cell.col as usize)
        } else {
            None
        }
    }

    /// The cell with row-major index `index`; the inverse of [`Size::index`].
    pub const fn cell(self, index: usize) -> Cell {
        Cell::new((index / self.cols) as i32, (index % self.cols) as i32)
    }

    /// Every cell, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.area()).map(move |index| self.cell(index))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} × {}", self.rows, self.cols)
    }
}

/// A place: zero-based row from the top and column from the left.
///
/// Cells order by row, then by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Row, 0 on top.
    pub row: i32,
    /// Column, 0 at the left.
    pub col: i32,
}

impl Cell {
    /// The cell at `row`, `col`.
    pub const fn new(row: i32, col: i32) -> Self {
        Self { row, col }
    }

    /// The neighbour one step in `direction`.
    pub const fn step(self, direction: Direction) -> Self {
        let (row, col) = direction.offset();
        Self::new(self.row + row, self.col + col)
    }

    /// The four neighbours, in the order of [`Direction::ALL`].
    pub fn neighbours(self) -> [Self; 4] {
        Direction::ALL.map(|direction| self.step(direction))
    }

    /// Whether row + column is even: the white cells of a chequered board.
    pub const fn is_white(self) -> bool {
        (self.row + self.col) & 1 == 0
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "(row {}, col {})", self.row, self.col)
    }
}

/// A step to one of the four neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// One row up.
    North,
    /// One column to the right.
    East,
    /// One row down.
    South,
    /// One column to the left.
    West,
}

impl Direction {
    /// North, east, south, west: the order in which neighbours are listed.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The change of (row, column).
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::North => (-1, 0),
            Self::East => (0, 1),
            Self::South => (1, 0),
            Self::West => (0, -1),
        }
    }

    /// The way back.
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// The compass letter: `N`, `E`, `S` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }

    /// The direction of a compass letter; the inverse of [`Direction::letter`].
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'N' => Some(Self::North),
            'E' => Some(Self::East),
            'S' => Some(Self::South),
            'W' => Some(Self::West),
            _ => None,
        }
    }
}
