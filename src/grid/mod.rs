//! The vocabulary that boards share: sizes, cells, directions and sets of cells.
//!
//! Nothing here knows a puzzle. Rows grow downwards and columns to the right,
//! both zero-based; a [`Cell`] may lie outside its board (row or column −1, or
//! one past the edge), since paths of two puzzles may leave it.

mod cell;
mod cell_set;

pub use cell::{Cell, Direction, Size};
pub use cell_set::CellSet;
