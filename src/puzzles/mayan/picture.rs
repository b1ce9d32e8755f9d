//! The picture: the board.

use super::answer::{Answer, Reason};
use super::board::{Board, COLUMNS, HEIGHT};
use crate::grid::{Cell, Size};
use crate::svg::{self, CELL, Drawing, Sheet, Style};

const TILE: Style = Style { rest: "text-anchor:middle", ..Style::area("tile", svg::INK) };

/// Draws the board with its answer, or with what its reason names.
pub(super) fn draw(board: &Board, answer: Result<&Answer, &Reason>) -> String {
    let _ = answer;
    let frame = svg::Board::new(Size::new(HEIGHT, COLUMNS), false);
    let mut drawing = Drawing::new();
    frame.ground(&mut drawing);
    for x in 0..COLUMNS {
        for y in 0..board.blocks().height(x) {
            if let Some(colour) = board.blocks().colour(x, y) {
                let cell = Cell::new((HEIGHT - 1 - y) as i32, x as i32);
                drawing.text(&[&TILE], frame.centre(cell), CELL * 0.5, &colour.to_string());
            }
        }
    }
    Sheet::new(frame.width(), frame.height(), "Mayan", "A board.").finish(&drawing)
}
