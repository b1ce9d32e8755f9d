//! The picture: the board.

use super::answer::{Answer, Never};
use super::board::Position;
use crate::svg::{self, Drawing, Sheet, Style};

const FILLED: Style = Style::area("filled", svg::WALL);

/// Draws the board with its answer, or with what its reason names.
pub(super) fn draw(board: &Position, answer: Result<&Answer, &Never>) -> String {
    let _ = answer;
    let frame = svg::Board::new(board.size(0), false);
    let mut drawing = Drawing::new();
    frame.ground(&mut drawing);
    let taken = board.size(0).cells().filter(|&cell| !board.is_free(0, cell));
    drawing.path(&[&FILLED], &frame.area(taken, 0.0));
    Sheet::new(frame.width(), frame.height(), "2×2 squares", "A board.").finish(&drawing)
}
