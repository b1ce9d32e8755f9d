//! A line or an area, in the short relative form of SVG's path data.

use std::fmt::Write as _;

/// A place: right and down, in units.
pub type Point = (f64, f64);

/// Path data. Coordinates are kept as whole hundredths of a unit, so that relative
/// steps never add up an error.
#[derive(Clone, Debug, Default)]
pub struct Path {
    data: String,
    at: (i64, i64),
    start: (i64, i64),
}

impl Path {
    /// No line yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing was drawn.
    pub const fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The path data, as it stands in the attribute `d`.
    pub fn data(&self) -> &str {
        &self.data
    }

    /// Begins a new piece at `point`.
    pub fn move_to(&mut self, point: Point) {
        let to = hundredths(point);
        self.data.push(if self.data.is_empty() { 'M' } else { 'm' });
        self.numbers(&[to.0 - self.at.0, to.1 - self.at.1]);
        self.at = to;
        self.start = to;
    }

    /// A straight line to `point`.
    pub fn line_to(&mut self, point: Point) {
        let to = hundredths(point);
        let step = (to.0 - self.at.0, to.1 - self.at.1);
        match step {
            (0, 0) => return,
            (along, 0) => {
                self.data.push('h');
                self.numbers(&[along]);
            }
            (0, down) => {
                self.data.push('v');
                self.numbers(&[down]);
            }
            (along, down) => {
                self.data.push('l');
                self.numbers(&[along, down]);
            }
        }
        self.at = to;
    }

    /// A curve to `point` that leaves and arrives towards `control`.
    pub fn curve_to(&mut self, control: Point, point: Point) {
        let (bend, to) = (hundredths(control), hundredths(point));
        self.data.push('q');
        self.numbers(&[bend.0 - self.at.0, bend.1 - self.at.1, to.0 - self.at.0, to.1 - self.at.1]);
        self.at = to;
    }

    /// Back to where this piece began.
    pub fn close(&mut self) {
        self.data.push('z');
        self.at = self.start;
    }

    /// A rectangle.
    pub fn rectangle(&mut self, (x, y): Point, width: f64, height: f64) {
        self.move_to((x, y));
        self.line_to((x + width, y));
        self.line_to((x + width, y + height));
        self.line_to((x, y + height));
        self.close();
    }

    /// A line through `points` whose corners are rounded by `radius`.
    pub fn rounded(&mut self, points: &[Point], radius: f64) {
        let Some((&first, rest)) = points.split_first() else { return };
        self.move_to(first);
        for (index, &corner) in rest.iter().enumerate() {
            match rest.get(index + 1) {
                Some(&next) => self.corner(points[index], corner, next, radius),
                None => self.line_to(corner),
            }
        }
    }

    /// A closed line through `points` whose corners are rounded by `radius`.
    pub fn rounded_ring(&mut self, points: &[Point], radius: f64) {
        let [first, .., last] = points else { return };
        self.move_to(((first.0 + last.0) / 2.0, (first.1 + last.1) / 2.0));
        for (index, &corner) in points.iter().enumerate() {
            let before = if index == 0 { *last } else { points[index - 1] };
            self.corner(before, corner, *points.get(index + 1).unwrap_or(first), radius);
        }
        self.close();
    }

    /// A triangle that points along `direction` (a step of length 1), its tip at `tip`.
    pub fn arrow_head(&mut self, tip: Point, direction: Point, size: f64) {
        let back = (tip.0 - direction.0 * size, tip.1 - direction.1 * size);
        let side = (-direction.1 * size * 0.6, direction.0 * size * 0.6);
        self.move_to(tip);
        self.line_to((back.0 + side.0, back.1 + side.1));
        self.line_to((back.0 - side.0, back.1 - side.1));
        self.close();
    }

    /// Goes round `corner`, no further than halfway to `next`.
    fn corner(&mut self, before: Point, corner: Point, next: Point, radius: f64) {
        let (arriving, arriving_length) = unit(before, corner);
        let (leaving, leaving_length) = unit(corner, next);
        let is_straight = arriving.0 * leaving.1 == arriving.1 * leaving.0
            && arriving.0 * leaving.0 + arriving.1 * leaving.1 > 0.0;
        if is_straight {
            return;
        }
        let cut = radius.min(arriving_length / 2.0).min(leaving_length / 2.0);
        self.line_to((corner.0 - arriving.0 * cut, corner.1 - arriving.1 * cut));
        self.curve_to(corner, (corner.0 + leaving.0 * cut, corner.1 + leaving.1 * cut));
    }

    /// Writes numbers in hundredths, parted as briefly as the grammar allows.
    fn numbers(&mut self, numbers: &[i64]) {
        for (index, &number) in numbers.iter().enumerate() {
            if index > 0 && number >= 0 {
                self.data.push(' ');
            }
            write_hundredths(&mut self.data, number);
        }
    }
}

/// A length as it stands in an attribute: at most two decimals, no trailing zeros.
pub(super) fn number(value: f64) -> String {
    let mut text = String::new();
    write_hundredths(&mut text, hundredth(value));
    text
}

fn write_hundredths(out: &mut String, value: i64) {
    let sign = if value < 0 { "-" } else { "" };
    let (whole, part) = (value.unsigned_abs() / 100, value.unsigned_abs() % 100);
    let _ = match part {
        0 => write!(out, "{sign}{whole}"),
        _ if part.is_multiple_of(10) => write!(out, "{sign}{whole}.{}", part / 10),
        _ => write!(out, "{sign}{whole}.{part:02}"),
    };
}

fn hundredths(point: Point) -> (i64, i64) {
    (hundredth(point.0), hundredth(point.1))
}

fn hundredth(value: f64) -> i64 {
    (value * 100.0).round() as i64
}

/// The direction from one point to another, and how far that is.
fn unit(from: Point, to: Point) -> (Point, f64) {
    let (along, down) = (to.0 - from.0, to.1 - from.1);
    let length = (along * along + down * down).sqrt();
    if length == 0.0 { ((0.0, 0.0), 0.0) } else { ((along / length, down / length), length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_minus_zero() {
        assert_eq!(
            ["0", "-0.5", "12.25", "3", "0.05"],
            [-0.001, -0.5, 12.254, 3.0, 0.05].map(number)[..]
        );
    }

    #[test]
    fn a_line_turns_by_curves_and_goes_straight_through_what_lies_between() {
        let mut path = Path::new();
        path.rounded(&[(0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (20.0, 20.0)], 4.0);
        assert_eq!(path.data(), "M0 0h16q4 0 4 4v16");
    }

    #[test]
    fn relative_steps_add_up_no_error() {
        let mut path = Path::new();
        path.move_to((0.0, 0.0));
        for step in 1..=300 {
            path.line_to((f64::from(step) / 3.0, 0.0));
        }
        let steps = path.data()["M0 0h".len()..].split('h');
        let sum: f64 = steps.map(|step| step.parse::<f64>().unwrap()).sum();
        assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    }
}
