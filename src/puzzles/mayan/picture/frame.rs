//! One frame of the strip: a caption, the board, and marks on its blocks.

use std::cmp::Ordering;

use crate::puzzles::mayan::board::{Blocks, COLUMNS, Drag, HEIGHT, Move, Vanished};
use crate::svg::{
    ACCENT, CELL, Drawing, GRID, INK, MUTED, PANEL, PAPER, Path, Point, SERIES, SERIES_TINTS,
    Style, Tone, WARNING,
};

/// A frame's room for the heights at its left, and for its caption above.
const LEFT: f64 = 20.0;
pub(super) const ABOVE: f64 = 50.0;
const BELOW: f64 = 22.0;
/// The extent of a frame.
pub(super) const FRAME_WIDTH: f64 = LEFT + COLUMNS as f64 * CELL;
pub(super) const FRAME_HEIGHT: f64 = ABOVE + HEIGHT as f64 * CELL + BELOW;

const WELL: Style =
    Style { rest: "stroke-width:1.5", stroke: Some(GRID), ..Style::area("well", PANEL) };
const LINES: Style = Style::line("lines", GRID, "fill:none;stroke-width:1");
const AXIS: Style = Style { rest: "text-anchor:middle", ..Style::area("axis", MUTED) };
const TILE_EDGE: Style = Style::bare("tile", "stroke-width:1.5");
const NUMBER: Style =
    Style { rest: "text-anchor:middle;font-weight:600", ..Style::area("number", INK) };
const MOVE_NAME: Style = Style { rest: "font-weight:700", ..Style::area("move", ACCENT) };
const NAME: Style = Style { rest: "font-weight:700", ..Style::area("name", INK) };
const WORDS: Style = Style::area("words", MUTED);
pub(super) const DRAGGED: Style = Style::line("dragged", ACCENT, "fill:none;stroke-width:4");
const ARROW: Style = Style::line(
    "arrow",
    ACCENT,
    "fill:none;stroke-width:5;stroke-linecap:round;stroke-linejoin:round",
);
const ARROW_HALO: Style = Style::line(
    "halo",
    PAPER,
    "fill:none;stroke-width:10;stroke-linecap:round;stroke-linejoin:round",
);
const TICK: Style = Style::line(
    "tick",
    ACCENT,
    "fill:none;stroke-width:10;stroke-linecap:round;stroke-linejoin:round",
);
const VANISHING: Style =
    Style::line("vanishing", INK, "fill:none;stroke-width:3;stroke-dasharray:7 4");
const STAR: Style =
    Style { stroke: Some(PAPER), rest: "stroke-width:1.5", ..Style::area("star", INK) };
const BAD: Style = Style::line("bad", WARNING, "fill:none;stroke-width:4");
const BAD_SIGN: Style =
    Style { stroke: Some(PAPER), rest: "stroke-width:1.5", ..Style::area("bad-sign", WARNING) };
const BAD_MARK: Style =
    Style { rest: "text-anchor:middle;font-weight:800", ..Style::area("bad-mark", PAPER) };

/// The two colours beyond the eight series, so that no two of the ten look alike.
const NINTH: [Style; 2] = [
    Style::area("t8", Tone::new("#f6cfd0", "#6b2230")),
    Style::line("s8", Tone::new("#b4303f", "#ff9aa2"), ""),
];
const TENTH: [Style; 2] = [
    Style::area("t9", Tone::new("#e3eab8", "#414a0c")),
    Style::line("s9", Tone::new("#6b7a00", "#c9d65a"), ""),
];

/// One board of the strip.
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) words: String,
    pub(super) blocks: Blocks,
    pub(super) mark: Mark,
}

/// What is to be seen on a frame beside its blocks.
pub(super) enum Mark {
    None,
    Cleared,
    Drag(Move),
    Vanishing(Vec<Vanished>),
    Hopeless(Vec<(usize, usize)>),
}

impl Frame {
    pub(super) fn draw(&self, drawing: &mut Drawing) {
        let style = if matches!(self.mark, Mark::Drag(_)) { &MOVE_NAME } else { &NAME };
        drawing.text(&[style], (LEFT, 13.0), 19.0, &self.name);
        drawing.text(&[&WORDS], (LEFT, 35.0), 16.0, &self.words);
        well(drawing);
        for (x, y) in places() {
            if let Some(colour) = self.blocks.colour(x, y) {
                tile(drawing, corner(x, y), colour);
            }
        }
        match &self.mark {
            Mark::None => {}
            Mark::Cleared => drawing.path(&[&TICK], &tick()),
            &Mark::Drag(played) => mark_drag(drawing, &self.blocks, played),
            Mark::Vanishing(round) => {
                for vanished in round {
                    mark_vanishing(drawing, corner(vanished.x, vanished.y));
                }
            }
            Mark::Hopeless(places) => {
                for &(x, y) in places {
                    mark_hopeless(drawing, corner(x, y));
                }
            }
        }
    }
}

/// The empty board, with its numbers.
fn well(drawing: &mut Drawing) {
    let (width, height) = (COLUMNS as f64 * CELL, HEIGHT as f64 * CELL);
    drawing.rectangle(&[&WELL], (LEFT, ABOVE), width, height, 4.0);
    let mut lines = Path::new();
    for x in 1..COLUMNS {
        lines.move_to((corner(x, 0).0, ABOVE));
        lines.line_to((corner(x, 0).0, ABOVE + height));
    }
    for y in 1..HEIGHT {
        lines.move_to((LEFT, corner(0, y - 1).1));
        lines.line_to((LEFT + width, corner(0, y - 1).1));
    }
    drawing.path(&[&LINES], &lines);
    for x in 0..COLUMNS {
        let (left, top) = corner(x, 0);
        drawing.text(&[&AXIS], (left + CELL / 2.0, top + CELL + 12.0), 13.0, &x.to_string());
    }
    for y in 0..HEIGHT {
        let (left, top) = corner(0, y);
        drawing.text(&[&AXIS], (left - 10.0, top + CELL / 2.0), 13.0, &y.to_string());
    }
}

/// A block whose place has this upper left corner.
pub(super) fn tile(drawing: &mut Drawing, (left, top): Point, colour: u8) {
    let [tint, line] = match colour {
        9 => [&NINTH[0], &NINTH[1]],
        10 => [&TENTH[0], &TENTH[1]],
        _ => {
            let index = usize::from(colour.saturating_sub(1)) % SERIES.len();
            [&SERIES_TINTS[index], &SERIES[index]]
        }
    };
    let (side, at) = (CELL - 6.0, (left + 3.0, top + 3.0));
    drawing.rectangle(&[tint, line, &TILE_EDGE], at, side, side, 7.0);
    let middle = (left + CELL / 2.0, top + CELL / 2.0);
    let size = if colour < 10 { 18.0 } else { 15.0 };
    drawing.text(&[&NUMBER], middle, size, &colour.to_string());
}

/// A frame around the block and an arrow to where it goes; where that is empty, on to
/// where it falls.
fn mark_drag(drawing: &mut Drawing, blocks: &Blocks, Move { x, y, drag }: Move) {
    let sign = f64::from(drag.sign());
    let (left, top) = corner(x, y);
    drawing.rectangle(&[&DRAGGED], (left + 3.0, top + 3.0), CELL - 6.0, CELL - 6.0, 7.0);
    let middle = (left + CELL / 2.0, top + CELL / 2.0);
    let to = match drag {
        Drag::Right => x + 1,
        Drag::Left => x.saturating_sub(1),
    };
    // It begins and ends beside the numbers, which stay readable.
    let is_long = |x| blocks.colour(x, y).is_some_and(|colour| colour >= 10);
    let from_middle = if is_long(x) { 0.38 } else { 0.3 };
    let start = (middle.0 + sign * from_middle * CELL, middle.1);
    let beyond = middle.0 + sign * CELL;
    let floor = if to < COLUMNS { blocks.height(to) } else { y };
    match floor.cmp(&y) {
        Ordering::Greater => {
            let reach = if is_long(to) { 0.64 } else { 0.7 };
            let end = (middle.0 + sign * reach * CELL, middle.1);
            arrow(drawing, &[start, end], (sign, 0.0));
        }
        Ordering::Equal => arrow(drawing, &[start, (beyond, middle.1)], (sign, 0.0)),
        Ordering::Less => {
            let end = (beyond, corner(to, floor).1 + CELL / 2.0);
            arrow(drawing, &[start, (beyond, middle.1), end], (0.0, 1.0));
        }
    }
}

/// An arrow through `points` that arrives in `direction`.
pub(super) fn arrow(drawing: &mut Drawing, points: &[Point], direction: Point) {
    let mut path = Path::new();
    path.rounded(points, 10.0);
    let tip = points[points.len() - 1];
    let back = (tip.0 - direction.0 * 8.0, tip.1 - direction.1 * 8.0);
    let side = (direction.1 * 7.0, direction.0 * 7.0);
    path.move_to((back.0 + side.0, back.1 + side.1));
    path.line_to(tip);
    path.line_to((back.0 - side.0, back.1 - side.1));
    drawing.path(&[&ARROW_HALO], &path);
    drawing.path(&[&ARROW], &path);
}

/// A dashed frame, and a star in the corner.
pub(super) fn mark_vanishing(drawing: &mut Drawing, (left, top): Point) {
    drawing.rectangle(&[&VANISHING], (left + 3.0, top + 3.0), CELL - 6.0, CELL - 6.0, 7.0);
    let (x, y) = (left + CELL - 6.0, top + 6.0);
    let mut star = Path::new();
    star.move_to((x, y - 9.0));
    for (along, down) in
        [(2.5, -2.5), (9.0, 0.0), (2.5, 2.5), (0.0, 9.0), (-2.5, 2.5), (-9.0, 0.0), (-2.5, -2.5)]
    {
        star.line_to((x + along, y + down));
    }
    star.close();
    drawing.path(&[&STAR], &star);
}

/// A frame, and an exclamation mark in the corner.
pub(super) fn mark_hopeless(drawing: &mut Drawing, (left, top): Point) {
    drawing.rectangle(&[&BAD], (left + 3.0, top + 3.0), CELL - 6.0, CELL - 6.0, 7.0);
    let sign = (left + CELL - 6.0, top + 6.0);
    drawing.circle(&[&BAD_SIGN], sign, 8.0);
    drawing.text(&[&BAD_MARK], sign, 12.0, "!");
}

fn tick() -> Path {
    let (x, y) = (LEFT + COLUMNS as f64 * CELL / 2.0, ABOVE + HEIGHT as f64 * CELL / 2.0);
    let mut path = Path::new();
    path.move_to((x - 36.0, y + 2.0));
    path.line_to((x - 10.0, y + 28.0));
    path.line_to((x + 38.0, y - 28.0));
    path
}

pub(super) fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..COLUMNS).flat_map(|x| (0..HEIGHT).map(move |y| (x, y)))
}

/// The upper left corner of a place; heights grow upwards.
fn corner(x: usize, y: usize) -> Point {
    (LEFT + x as f64 * CELL, ABOVE + (HEIGHT - 1 - y) as f64 * CELL)
}
