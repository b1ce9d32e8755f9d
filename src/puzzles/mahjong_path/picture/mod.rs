//! The picture: the tiles, and the pairs' paths, each in a colour and a dash of its own
//! between two plates with its number.
//!
//! A picture is read by a person, and thousands of paths over each other can't be: the
//! first pairs are drawn, as many as the board has room for, and the picture says so.
//! Paths that share cells run beside each other (`lanes.rs`); where a path leaves the
//! board it runs through the ring around it. What stands on a tile is not known here:
//! boards with tiles in the same places have the same answers.
//!
//! Lines and plates grow with the board, so that they can be seen on one of
//! 1000 × 1000; its tiles are drawn as runs, in a few megabytes at most.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::NoReason;
use super::answer::Paths;
use super::board::{Board, Pair};
use crate::grid::Cell;
use crate::svg::{
    self, CELL, Drawing, INK, PANEL, PAPER, Path, Point, SERIES, Sheet, Style, Tone, WARNING,
    series_line, series_tint,
};

mod lanes;

use lanes::Lanes;

/// The most pairs that are drawn, on any board, and the fewest where there are more.
const MOST_PAIRS: usize = 50;
const FEWEST_PAIRS: usize = 16;
/// Pairs are drawn until their paths have so many corners; the first always is.
const MOST_CORNERS: usize = 20_000;
/// Corners are dotted while there are no more than this.
const MOST_DOTS: usize = 2000;
/// The most cells of a board whose tiles are drawn one by one.
const MOST_SINGLE_TILES: usize = 10_000;
/// The most pairs with a line in the legend, and in words, and the corners of each.
const MOST_KEYS: usize = 12;
const MOST_IN_WORDS: usize = 20;
const MOST_CORNERS_IN_WORDS: usize = 12;
/// Boards of so many cells a side are drawn with lines of the usual width.
const USUAL_SIDE: f64 = 33.0;

const STONE: Tone = Tone::new("#cbd2dc", "#444d5b");
const TILE: Style = Style::area("tile", STONE);
const TILE_RUN: Style = Style::line("tiles", STONE, "fill:none;stroke-width:40");
const LINE: Style = Style::bare("line", "fill:none;stroke-width:4;stroke-linejoin:round");
const HALO: Style = Style::line("halo", PAPER, "fill:none;stroke-width:7;stroke-linejoin:round");
const DOT: Style = Style { fill: Some(PANEL), ..Style::bare("dot", "stroke-width:2.5") };
const PLATE: Style = Style::bare("plate", "stroke-width:2");
const SHARED: Style = Style { stroke: Some(INK), ..Style::area("shared", PAPER) };
const NO_PATH: Style = Style {
    stroke: Some(WARNING),
    rest: "stroke-dasharray:4 2.5",
    ..Style::area("no-path", PAPER)
};
const NUMBER: Style =
    Style { rest: "text-anchor:middle;font-weight:700", ..Style::area("number", INK) };

/// Draws the board with the paths.
pub(super) fn draw(board: &Board, answer: Result<&Paths, &NoReason>) -> String {
    let paths = match answer {
        Ok(paths) => paths,
        Err(reason) => match *reason {},
    };
    let canvas = Canvas::new(board);
    let pairs = drawn_pairs(board, paths);
    let mut drawing = Drawing::new();
    canvas.grid.ground(&mut drawing);
    draw_tiles(&mut drawing, board, &canvas);
    drawing.put_scaled(&draw_paths(board, &pairs, &canvas), (0.0, 0.0), canvas.scale);
    drawing.put_scaled(&draw_plates(&pairs, &canvas), (0.0, 0.0), canvas.scale);
    let heading = heading(paths);
    let description = description(board, paths, pairs.len());
    let (width, height) = (canvas.grid.width(), canvas.grid.height());
    let mut sheet = Sheet::new(width, height, &heading, &description);
    if pairs.len() < paths.len() {
        sheet.note(&format!("The first {} of {} pairs are drawn.", pairs.len(), paths.len()));
    }
    if !board.options().corners && paths.iter().any(|path| path.segments() > 0) {
        sheet.note("The corners were not asked for, so the paths can’t be drawn.");
    }
    legend(&mut sheet, board, &pairs);
    sheet.finish(&drawing)
}

/// A pair that is drawn.
struct Drawn {
    number: usize,
    pair: Pair,
    segments: u32,
    corners: Vec<Cell>,
}

/// The first pairs, as many as there is room for.
fn drawn_pairs(board: &Board, paths: &Paths) -> Vec<Drawn> {
    let most = (board.size().area() / 8).clamp(FEWEST_PAIRS, MOST_PAIRS);
    let mut corners_left = MOST_CORNERS;
    let mut drawn = Vec::new();
    for (index, (path, &pair)) in paths.iter().zip(board.pairs()).enumerate().take(most) {
        let corners = path.corners();
        if corners.len() > corners_left && index > 0 {
            break;
        }
        corners_left = corners_left.saturating_sub(corners.len());
        let corners = corners.collect();
        drawn.push(Drawn { number: index + 1, pair, segments: path.segments(), corners });
    }
    drawn
}

/// Where things are, and how much larger than usual the lines are.
struct Canvas {
    grid: svg::Board,
    scale: f64,
}

impl Canvas {
    fn new(board: &Board) -> Self {
        let size = board.size();
        let scale = (size.rows.max(size.cols) as f64 / USUAL_SIDE).max(1.0);
        Self { grid: svg::Board::new(size, board.options().outside), scale }
    }

    /// The middle of a cell, in the units of what is scaled.
    fn centre(&self, cell: Cell) -> Point {
        let (x, y) = self.grid.centre(cell);
        (x / self.scale, y / self.scale)
    }
}

fn draw_tiles(drawing: &mut Drawing, board: &Board, canvas: &Canvas) {
    if board.size().area() <= MOST_SINGLE_TILES {
        drawing.path(&[&TILE], &canvas.grid.area(board.tiles().iter(), 2.0));
        return;
    }
    let mut runs = Path::new();
    let mut put = |first: Cell, length: i32| {
        let (x, y) = canvas.grid.corner(first);
        runs.move_to((x, y + CELL / 2.0));
        runs.line_to((x + f64::from(length) * CELL, y + CELL / 2.0));
    };
    let mut run: Option<(Cell, i32)> = None;
    for tile in board.tiles().iter() {
        match &mut run {
            Some((first, length)) if first.row == tile.row && first.col + *length == tile.col => {
                *length += 1;
            }
            _ => {
                if let Some((first, length)) = run.replace((tile, 1)) {
                    put(first, length);
                }
            }
        }
    }
    if let Some((first, length)) = run {
        put(first, length);
    }
    drawing.path(&[&TILE_RUN], &runs);
}

fn draw_paths(board: &Board, pairs: &[Drawn], canvas: &Canvas) -> Drawing {
    let mut drawing = Drawing::new();
    // The lanes stay within their cells: where lines are wide there are fewer.
    let (count, distance) = match canvas.scale {
        scale if scale < 1.6 => (5, 5.5 / scale),
        scale if scale < 4.0 => (3, 12.0 / scale),
        _ => (1, 0.0),
    };
    let mut lanes = Lanes::new(board.size(), count);
    let corners: usize = pairs.iter().map(|drawn| drawn.corners.len()).sum();
    for (index, drawn) in pairs.iter().enumerate() {
        if drawn.corners.is_empty() {
            continue;
        }
        let offset = lanes.place(index, &drawn.corners) * distance;
        let points = drawn.corners.iter().map(|&cell| {
            let (x, y) = canvas.centre(cell);
            (x + offset, y + offset)
        });
        let points: Vec<_> = points.collect();
        let mut line = Path::new();
        line.move_to(points[0]);
        for &point in &points[1..] {
            line.line_to(point);
        }
        if corners <= MOST_CORNERS {
            drawing.path(&[&HALO], &line);
        }
        let [colour, dash] = series_line(index);
        drawing.path(&[&LINE, colour, dash], &line);
        if corners <= MOST_DOTS {
            for &point in &points[1..points.len() - 1] {
                drawing.circle(&[&DOT, colour], point, 4.0);
            }
        }
    }
    drawing
}

/// The plates at the ends of the pairs. Where pairs share a tile they share its plate.
fn draw_plates(pairs: &[Drawn], canvas: &Canvas) -> Drawing {
    let mut ends: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (index, drawn) in pairs.iter().enumerate() {
        for end in [drawn.pair.from, drawn.pair.to] {
            ends.entry(end).or_default().push(index);
        }
    }
    let mut drawing = Drawing::new();
    for (&tile, indices) in &ends {
        let mut label = String::new();
        for (at, &index) in indices.iter().take(3).enumerate() {
            let _ = write!(label, "{}{}", if at == 0 { "" } else { "," }, pairs[index].number);
        }
        if indices.len() > 3 {
            label.push('…');
        }
        let only = match indices.as_slice() {
            &[index] => Some(index),
            _ => None,
        };
        let is_without_path = indices.iter().all(|&index| pairs[index].segments == 0);
        draw_plate(&mut drawing, canvas.centre(tile), &label, only, is_without_path);
    }
    drawing
}

fn draw_plate(
    drawing: &mut Drawing,
    (x, y): Point,
    label: &str,
    series: Option<usize>,
    is_without_path: bool,
) {
    const SIZE: f64 = 13.0;
    let (height, letters) = (20.0, label.chars().count() as f64);
    let width = (letters * SIZE * 0.62 + 7.0).max(height);
    let at = (x - width / 2.0, y - height / 2.0);
    match series {
        _ if is_without_path => drawing.rectangle(&[&PLATE, &NO_PATH], at, width, height, 2.0),
        Some(index) => {
            let styles = [&PLATE, series_tint(index), &SERIES[index % SERIES.len()]];
            drawing.rectangle(&styles, at, width, height, 6.0);
        }
        None => drawing.rectangle(&[&PLATE, &SHARED], at, width, height, 6.0),
    }
    drawing.text(&[&NUMBER], (x, y), SIZE, label);
}

fn heading(paths: &Paths) -> String {
    let joined = paths.iter().filter(|path| path.segments() > 0).count();
    match (joined, paths.len()) {
        (_, 0) => "Mahjong path: no pair is asked for".to_owned(),
        (1, 1) => {
            let segments = paths.path(0).segments();
            format!("Mahjong path: joined by {}", counted(segments as usize, "segment"))
        }
        (0, 1) => "Mahjong path: no path".to_owned(),
        (joined, all) if joined == all => format!("Mahjong path: all {all} pairs are joined"),
        (joined, all) => format!("Mahjong path: {joined} of {all} pairs are joined"),
    }
}

fn legend(sheet: &mut Sheet, board: &Board, pairs: &[Drawn]) {
    let is_small = pairs.len() <= MOST_KEYS;
    for (index, drawn) in pairs.iter().enumerate().take(if is_small { MOST_KEYS } else { 0 }) {
        let Drawn { number, pair, segments, corners } = drawn;
        let what = match segments {
            0 => "no path".to_owned(),
            &segments => counted(segments as usize, "segment"),
        };
        let text = format!("{number}: {} to {}, {what}", short(pair.from), short(pair.to));
        let plate = number.to_string();
        sheet.key(&text, |drawing| match segments {
            0 => draw_plate(drawing, (0.0, 0.0), &plate, None, true),
            _ if corners.is_empty() => draw_plate(drawing, (0.0, 0.0), &plate, Some(index), false),
            _ => draw_sample(drawing, index),
        });
    }
    if is_small && !pairs.is_empty() {
        sheet.note("Places are (row, column).");
    }
    if !is_small {
        let corners: usize = pairs.iter().map(|drawn| drawn.corners.len()).sum();
        let text = match corners {
            0 => "a number at both ends of each pair",
            1..=MOST_DOTS => "a number at both ends of each pair; the circles are corners",
            _ => "a number at both ends of each pair; corners are not dotted, there are too many",
        };
        sheet.key(text, |drawing| match corners {
            0 => draw_plate(drawing, (0.0, 0.0), "1", Some(0), false),
            _ => draw_sample(drawing, 0),
        });
        if pairs.iter().any(|drawn| drawn.segments == 0) {
            sheet.key("a pair without a path", |drawing| {
                draw_plate(drawing, (0.0, 0.0), "1", None, true);
            });
        }
    }
    if let Some(most) = board.options().max_segments {
        sheet.note(&format!("At most {} a path.", counted(most.get() as usize, "segment")));
    }
}

/// A piece of the line of the series `index`, with a corner.
fn draw_sample(drawing: &mut Drawing, index: usize) {
    let [colour, dash] = series_line(index);
    let mut line = Path::new();
    line.move_to((-CELL / 2.0, 0.0));
    line.line_to((CELL / 2.0, 0.0));
    drawing.path(&[&LINE, colour, dash], &line);
}

/// What is heard instead of seen.
fn description(board: &Board, paths: &Paths, drawn: usize) -> String {
    let mut text = format!(
        "A board of {} cells with {}; paths {}.",
        board.size(),
        counted(board.tiles().len(), "tile"),
        if board.options().outside { "may leave it" } else { "stay on it" },
    );
    for (index, (path, pair)) in paths.iter().zip(board.pairs()).enumerate().take(MOST_IN_WORDS) {
        let _ =
            write!(text, " Pair {}, {} to {}: ", index + 1, in_words(pair.from), in_words(pair.to));
        match path.segments() {
            0 => text.push_str("no path"),
            segments => text.push_str(&counted(segments as usize, "segment")),
        }
        let turns = path.corners().len().saturating_sub(2);
        for (at, corner) in
            path.corners().skip(1).take(turns.min(MOST_CORNERS_IN_WORDS)).enumerate()
        {
            let before = if at == 0 { ", turning at" } else { ";" };
            let _ = write!(text, "{before} {}", in_words(corner));
        }
        text.push_str(if turns > MOST_CORNERS_IN_WORDS { "; and so on." } else { "." });
    }
    match paths.len().saturating_sub(MOST_IN_WORDS) {
        0 => {}
        more => _ = write!(text, " And {} more.", counted(more, "pair")),
    }
    if drawn < paths.len() {
        let _ = write!(text, " The first {} are drawn.", counted(drawn, "pair"));
    }
    text
}

fn in_words(Cell { row, col }: Cell) -> String {
    format!("row {row}, column {col}")
}

fn short(Cell { row, col }: Cell) -> String {
    format!("({row}, {col})")
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
