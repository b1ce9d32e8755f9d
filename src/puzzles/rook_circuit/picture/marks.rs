//! The marks on a board without a circuit, and how the legend shows them.

use super::LETTER;
use crate::svg::{self, Drawing, Path, Point, Style};

pub(super) const MARKED: Style = Style {
    fill: Some(svg::Tone::new("#fbd9d6", "#5c1f1b")),
    ..Style::line("marked", svg::WARNING, "stroke-width:4")
};
pub(super) const DOTS: Style = Style::area("dots", svg::MUTED);
pub(super) const USED: Style = Style::line(
    "used",
    svg::ACCENT,
    "fill:none;stroke-width:9;stroke-linecap:round;stroke-linejoin:round",
);
pub(super) const EARLY: Style =
    Style::line("early", svg::WARNING, "fill:none;stroke-width:9;stroke-linejoin:round");
pub(super) const BARRED: Style = Style::line("barred", svg::MUTED, "fill:none;stroke-width:4");
pub(super) const BORDER: Style =
    Style::bare("border", "fill:none;stroke-width:5;stroke-linejoin:round");
pub(super) const NUMBER: Style =
    Style { rest: "text-anchor:middle", ..Style::area("number", svg::INK) };

/// A short line across the middle between two cells.
pub(super) fn bar(path: &mut Path, from: Point, to: Point) {
    let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let (along, down) = (8.0, 8.0);
    path.move_to((x - along, y - down));
    path.line_to((x + along, y + down));
    path.move_to((x - along, y + down));
    path.line_to((x + along, y - down));
}

pub(super) fn diamond(path: &mut Path, (x, y): Point, radius: f64) {
    path.move_to((x, y - radius));
    path.line_to((x + radius, y));
    path.line_to((x, y + radius));
    path.line_to((x - radius, y));
    path.close();
}

pub(super) fn marked_mark(drawing: &mut Drawing) {
    drawing.rectangle(&[&MARKED], (-15.0, -15.0), 30.0, 30.0, 0.0);
}

pub(super) fn used_mark(drawing: &mut Drawing) {
    line_mark(drawing, &USED);
}

pub(super) fn early_mark(drawing: &mut Drawing) {
    let mut ring = Path::new();
    ring.rounded_ring(&[(-12.0, -12.0), (12.0, -12.0), (12.0, 12.0), (-12.0, 12.0)], 10.0);
    drawing.path(&[&EARLY], &ring);
}

pub(super) fn barred_mark(drawing: &mut Drawing) {
    let mut path = Path::new();
    bar(&mut path, (-10.0, 0.0), (10.0, 0.0));
    drawing.path(&[&BARRED], &path);
}

pub(super) fn line_mark(drawing: &mut Drawing, style: &Style) {
    let mut line = Path::new();
    line.move_to((-15.0, 0.0));
    line.line_to((15.0, 0.0));
    drawing.path(&[style], &line);
}

pub(super) fn dot_mark(drawing: &mut Drawing) {
    let mut path = Path::new();
    diamond(&mut path, (0.0, 0.0), 10.0);
    drawing.path(&[&DOTS], &path);
}

pub(super) fn black_mark(drawing: &mut Drawing) {
    drawing.rectangle(&[svg::series_tint(0)], (-17.0, -17.0), 34.0, 34.0, 0.0);
    dot_mark(drawing);
}

pub(super) fn part_mark(drawing: &mut Drawing) {
    drawing.rectangle(&[svg::series_tint(0)], (-17.0, -17.0), 34.0, 34.0, 0.0);
    drawing.text(&[&LETTER], (0.0, 0.0), 24.0, "A");
}

pub(super) fn region_mark(drawing: &mut Drawing) {
    let [colour, dash] = svg::series_line(0);
    drawing.rectangle(&[svg::series_tint(0)], (-16.0, -16.0), 32.0, 32.0, 0.0);
    drawing.rectangle(&[&BORDER, colour, dash], (-16.0, -16.0), 32.0, 32.0, 0.0);
}

pub(super) fn weight_mark(drawing: &mut Drawing) {
    drawing.text(&[&NUMBER], (0.0, 0.0), 22.0, "−1");
}
