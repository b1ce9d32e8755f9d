//! Clearing a board under gravity, a frame a move.
//!
//! Each frame is the board before the move, since a path refers to the board at that
//! moment.

use super::super::board::{Board, Move};
use super::lanes::route;
use super::{
    GLYPH, MAX_FRAME_TILES, PATH, PLUG, TAKEN, TILE_EDGE, WRITING, ends, glyph_size, heading,
    kinds, path_mark, story,
};
use crate::grid::{Cell, Size};
use crate::svg::{self, CELL, Drawing, Sheet, Style};

const CAPTION: Style = Style { rest: "font-weight:600", ..Style::area("caption", svg::MUTED) };

/// Between two frames.
const GAP: f64 = 44.0;

/// Draws the frames; `None` where they would be too many.
pub(super) fn draw(board: &Board, moves: &[Move]) -> Option<String> {
    let count = moves.len();
    if count * (count + 1) > MAX_FRAME_TILES {
        return None;
    }
    let size = board.size();
    let leaves = |played: &Move| played.path.iter().any(|&cell| !size.contains(cell));
    let frame = svg::Board::unnumbered(size, moves.iter().any(leaves));
    let kinds = kinds(board);
    // About as wide as four thirds of the height.
    let (wide, high) = (frame.width() + GAP, frame.height() + GAP);
    let across = (1..count)
        .find(|&across| across as f64 * wide * 3.0 >= count.div_ceil(across) as f64 * high * 4.0);
    let across = across.unwrap_or(count).max(1);
    let mut drawing = Drawing::new();
    let mut stacks = Stacks::new(board);
    for (index, played) in moves.iter().enumerate() {
        let offset = ((index % across) as f64 * wide, (index / across) as f64 * high);
        let taken = ends(played);
        drawing.open(&[], offset, "");
        let number = (index + 1).to_string();
        drawing.text(&[&CAPTION], (frame.corner(Cell::new(0, 0)).0, 13.0), 26.0, &number);
        drawing.open(&[], (0.0, GAP - 12.0), "");
        frame.ground(&mut drawing);
        for (cell, tile) in stacks.tiles() {
            let (x, y) = frame.corner(cell);
            let kind = kinds[&tile];
            let tint = svg::series_tint(kind);
            let is_taken = taken.contains(&cell);
            let edge = if is_taken { &TAKEN } else { &TILE_EDGE };
            let side = CELL - 6.0;
            drawing.rectangle(&[tint, edge], (x + 3.0, y + 3.0), side, side, 6.0);
            let writing = &WRITING[kind % WRITING.len()];
            let text = svg::glyph(tile);
            drawing.text(&[&GLYPH, writing], frame.centre(cell), glyph_size(&text), &text);
        }
        let [colour, _] = svg::series_line(0);
        let (line, plugs) = route(&frame, &played.path, 0.0);
        drawing.path(&[&PATH, colour], &line);
        for plug in plugs {
            drawing.circle(&[&PLUG, colour], plug, 1.6);
        }
        drawing.close();
        drawing.close();
        stacks.take(taken);
    }
    let width = across.min(count) as f64 * wide - GAP;
    let height = count.div_ceil(across) as f64 * high;
    let mut sheet = Sheet::new(width, height, &heading(moves), &story(board, moves)).of_frames();
    sheet.note("One frame a move, before it; then the pair goes and what lies above falls.");
    sheet.key("The pair that goes.", |drawing| {
        drawing.rectangle(&[svg::series_tint(6), &TAKEN], (-16.0, -16.0), 32.0, 32.0, 6.0);
    });
    sheet.key("The path that joins it.", |drawing| path_mark(drawing, 0));
    Some(sheet.finish(&drawing))
}

/// The places at the start of the tiles that go, two a move, in order.
pub(super) fn first_places(board: &Board, moves: &[Move]) -> Vec<Cell> {
    let mut stacks = Stacks::new(board);
    moves.iter().flat_map(|played| stacks.take(ends(played))).collect()
}

/// The tiles of each column, from the bottom up, with their first places.
struct Stacks {
    size: Size,
    columns: Vec<Vec<(Cell, char)>>,
}

impl Stacks {
    fn new(board: &Board) -> Self {
        let mut columns = vec![Vec::new(); board.size().cols];
        let mut tiles: Vec<_> = board.tiles().collect();
        tiles.reverse();
        for (cell, tile) in tiles {
            columns[cell.col as usize].push((cell, tile));
        }
        Self { size: board.size(), columns }
    }

    /// The tiles where they lie now.
    fn tiles(&self) -> impl Iterator<Item = (Cell, char)> + '_ {
        self.columns.iter().enumerate().flat_map(move |(col, stack)| {
            stack.iter().enumerate().map(move |(height, &(_, tile))| {
                (Cell::new((self.size.rows - 1 - height) as i32, col as i32), tile)
            })
        })
    }

    /// Takes two tiles away, upon which those above fall; gives their first places.
    fn take(&mut self, mut cells: [Cell; 2]) -> [Cell; 2] {
        // The upper one first: it moves no tile below it.
        cells.sort();
        cells.map(|cell| {
            let height = self.size.rows as i32 - 1 - cell.row;
            let stack = self.columns.get_mut(cell.col as usize);
            match stack {
                Some(stack) if (height as usize) < stack.len() => stack.remove(height as usize).0,
                _ => cell,
            }
        })
    }
}
