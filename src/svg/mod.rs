//! Pictures: a small vocabulary of shapes, written as SVG 1.1.
//!
//! A [`Drawing`] is a list of shapes with classes; a [`Sheet`] puts one drawing on
//! paper, with a heading above it and a legend of what its marks mean below. A
//! [`Path`] is one line or area, written in the short relative form, since the tour
//! of a large board has a quarter of a million steps. [`Board`] places cells.
//!
//! A picture is one file that asks for nothing else: no script, no link, no font, no
//! image. It is light, or dark where the reader's system is. Each [`Tone`] has both
//! colours, and they are written out as plain rules: viewers that know no custom
//! properties show the light ones. Colour alone never says anything: series differ by
//! their dashes too, and marks have shapes, numbers and a line in the legend.
//!
//! The same calls write the same bytes: numbers are rounded to hundredths, and
//! classes are listed in the order of their first use.

mod board;
mod drawing;
mod palette;
mod path;
mod sheet;
mod text;

pub use board::{Board, CELL};
pub use drawing::Drawing;
pub use palette::{
    ACCENT, DASHES, FAINT, GRID, INK, MUTED, PANEL, PAPER, SERIES, SERIES_TINTS, Style, Tone, WALL,
    WARNING, series_line, series_tint,
};
pub use path::{Path, Point};
pub use sheet::Sheet;
pub use text::{escaped, glyph};
