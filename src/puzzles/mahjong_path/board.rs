//! A legal board: where the tiles lie, which pairs are asked for, and the options.
//!
//! What stands on a tile is not kept, since tiles are told apart by their place
//! alone: two boards with tiles in the same places are equal.

use std::fmt;
use std::num::NonZeroU32;

use crate::grid::{Cell, CellSet, Size};

/// The most rows and the most columns of a board.
pub const MAX_SIDE: usize = 1000;

/// The most pairs of one board.
pub const MAX_PAIRS: usize = 100_000;

/// A board whose pairs join two different tiles each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    tiles: CellSet,
    pairs: Vec<Pair>,
    options: Options,
}

/// Two tiles to be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// The tile where the path begins.
    pub from: Cell,
    /// The tile where it ends.
    pub to: Cell,
}

impl Pair {
    /// Whether the tiles lie side by side: one segment joins them, with no free
    /// cell between.
    pub const fn is_adjacent(self) -> bool {
        self.from.row.abs_diff(self.to.row) + self.from.col.abs_diff(self.to.col) == 1
    }
}

/// What a path may do, and what is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Whether a path may leave the board.
    pub outside: bool,
    /// The most segments of a path; `None` for no cap.
    pub max_segments: Option<NonZeroU32>,
    /// Whether the corners are asked for, and not only the number of segments.
    pub corners: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { outside: true, max_segments: None, corners: true }
    }
}

/// One of the two ends of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The end where the path begins.
    From,
    /// The end where it ends.
    To,
}

/// Why a board is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// No row or no column.
    Empty,
    /// More than [`MAX_SIDE`] rows or columns.
    TooLarge(Size),
    /// A row is not as long as the first one.
    Ragged {
        /// The row.
        row: usize,
        /// Its length in characters.
        length: usize,
        /// The length of the first row.
        expected: usize,
    },
    /// White space other than the blank.
    WhiteSpace {
        /// Where it stands.
        cell: Cell,
        /// What stands there.
        character: char,
    },
    /// More than [`MAX_PAIRS`] pairs.
    TooManyPairs(usize),
    /// An end of the pair with this index lies off the board.
    EndOutside(usize, End, Cell),
    /// An end of the pair with this index has no tile.
    EndEmpty(usize, End, Cell),
    /// Both ends of the pair with this index are this tile.
    SameEnds(usize, Cell),
}

impl Board {
    /// The board with these tiles, asked for these pairs.
    ///
    /// # Errors
    /// The first fault: of the size, of the number of pairs, then pair by pair.
    pub fn new(tiles: CellSet, pairs: Vec<Pair>, options: Options) -> Result<Self, BoardError> {
        check_size(tiles.size())?;
        if pairs.len() > MAX_PAIRS {
            return Err(BoardError::TooManyPairs(pairs.len()));
        }
        for (index, pair) in pairs.iter().enumerate() {
            for (end, cell) in [(End::From, pair.from), (End::To, pair.to)] {
                if !tiles.size().contains(cell) {
                    return Err(BoardError::EndOutside(index, end, cell));
                }
                if !tiles.contains(cell) {
                    return Err(BoardError::EndEmpty(index, end, cell));
                }
            }
            if pair.from == pair.to {
                return Err(BoardError::SameEnds(index, pair.to));
            }
        }
        Ok(Self { tiles, pairs, options })
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.tiles.size()
    }

    /// The cells with a tile.
    pub const fn tiles(&self) -> &CellSet {
        &self.tiles
    }

    /// The pairs that are asked for.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// What a path may do, and what is told of it.
    pub const fn options(&self) -> Options {
        self.options
    }
}

/// The tiles of a picture: rows of equal length, a blank for an empty cell and
/// any character that is not white space for a tile. The inverse of the board's
/// `Display`.
///
/// # Errors
/// The first row that is off, or a size that is.
pub fn tiles_of_rows<Row: AsRef<str>>(rows: &[Row]) -> Result<CellSet, BoardError> {
    let cols = rows.first().map_or(0, |row| row.as_ref().chars().count());
    let size = Size::new(rows.len(), cols);
    check_size(size)?;
    let mut tiles = CellSet::new(size);
    for (row, text) in rows.iter().enumerate() {
        let length = place_row(&mut tiles, row, text.as_ref())?;
        if length != cols {
            return Err(BoardError::Ragged { row, length, expected: cols });
        }
    }
    Ok(tiles)
}

/// Puts the tiles of one row on the board and returns the row's length in
/// characters; what lies past the board's last column is only counted.
///
/// # Errors
/// White space other than the blank.
pub fn place_row(tiles: &mut CellSet, row: usize, text: &str) -> Result<usize, BoardError> {
    let mut length = 0;
    for (col, character) in text.chars().enumerate() {
        length = col + 1;
        if character == ' ' {
            continue;
        }
        let cell = Cell::new(row as i32, col as i32);
        if character.is_whitespace() {
            return Err(BoardError::WhiteSpace { cell, character });
        }
        if tiles.size().contains(cell) {
            tiles.insert(cell);
        }
    }
    Ok(length)
}

/// The fault of a size, if it has one.
///
/// # Errors
/// [`BoardError::Empty`] or [`BoardError::TooLarge`].
pub const fn check_size(size: Size) -> Result<(), BoardError> {
    if size.rows == 0 || size.cols == 0 {
        return Err(BoardError::Empty);
    }
    if size.rows > MAX_SIDE || size.cols > MAX_SIDE {
        return Err(BoardError::TooLarge(size));
    }
    Ok(())
}

/// The board as rows of `X` (a tile) and blanks, a line each.
impl fmt::Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        for row in 0..size.rows as i32 {
            let line: String = (0..size.cols as i32)
                .map(|col| if self.tiles.contains(Cell::new(row, col)) { 'X' } else { ' ' })
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
    fn a_picture_gives_back_the_tiles_it_was_made_of() {
        let rows = ["X 7", "   ", " 🀄 "];
        let tiles = tiles_of_rows(&rows).unwrap();
        let board = Board::new(tiles.clone(), Vec::new(), Options::default()).unwrap();
        let picture = board.to_string();
        assert_eq!(picture, "X X\n   \n X \n");
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(tiles_of_rows(&lines), Ok(tiles));
    }

    #[test]
    fn each_fault_of_a_picture_is_named() {
        assert_eq!(tiles_of_rows::<&str>(&[]), Err(BoardError::Empty));
        assert_eq!(tiles_of_rows(&[""]), Err(BoardError::Empty));
        assert_eq!(
            tiles_of_rows(&["XX", "X"]),
            Err(BoardError::Ragged { row: 1, length: 1, expected: 2 })
        );
        assert_eq!(
            tiles_of_rows(&["X\t"]),
            Err(BoardError::WhiteSpace { cell: Cell::new(0, 1), character: '\t' })
        );
        let wide = "X".repeat(MAX_SIDE + 1);
        assert_eq!(tiles_of_rows(&[wide]), Err(BoardError::TooLarge(Size::new(1, MAX_SIDE + 1))));
    }

    #[test]
    fn each_fault_of_a_pair_is_named() {
        let tiles = tiles_of_rows(&["XX "]).unwrap();
        let good = Pair { from: Cell::new(0, 0), to: Cell::new(0, 1) };
        let fault = |from: (i32, i32), to: (i32, i32)| {
            let pair = Pair { from: Cell::new(from.0, from.1), to: Cell::new(to.0, to.1) };
            Board::new(tiles.clone(), vec![good, pair], Options::default()).unwrap_err()
        };
        assert_eq!(fault((0, -1), (0, 0)), BoardError::EndOutside(1, End::From, Cell::new(0, -1)));
        assert_eq!(fault((0, 0), (1, 0)), BoardError::EndOutside(1, End::To, Cell::new(1, 0)));
        assert_eq!(fault((0, 0), (0, 2)), BoardError::EndEmpty(1, End::To, Cell::new(0, 2)));
        assert_eq!(fault((0, 2), (0, 2)), BoardError::EndEmpty(1, End::From, Cell::new(0, 2)));
        assert_eq!(fault((0, 1), (0, 1)), BoardError::SameEnds(1, Cell::new(0, 1)));
    }

    #[test]
    fn the_greatest_board_with_the_most_pairs_is_taken_and_nothing_beyond() {
        let pair = Pair { from: Cell::new(0, 0), to: Cell::new(0, 1) };
        let made = |size: Size, pairs: usize| {
            let tiles = CellSet::from_cells(size, [pair.from, pair.to]);
            Board::new(tiles, vec![pair; pairs], Options::default()).map(|_| ())
        };
        assert_eq!(made(Size::new(MAX_SIDE, MAX_SIDE), MAX_PAIRS), Ok(()));
        let count = MAX_PAIRS + 1;
        assert_eq!(made(Size::new(1, 2), count), Err(BoardError::TooManyPairs(count)));
        for size in [Size::new(MAX_SIDE + 1, 2), Size::new(1, MAX_SIDE + 1)] {
            assert_eq!(made(size, 1), Err(BoardError::TooLarge(size)));
        }
    }
}
