//! Charts in the vocabulary of the service's own pictures: lines over an axis, and
//! rows of marks beside their names. They follow the reader's light or dark, and tell
//! series apart by mark and dash as well as by colour.

use boardsolve::svg::{
    Drawing, GRID, INK, MUTED, PAPER, Path, SERIES, Sheet, Style, WALL, series_line,
};

const GRID_LINE: Style = Style::line("grid-line", GRID, "stroke-width:1;fill:none");
const AXIS_LINE: Style = Style::line("axis-line", WALL, "stroke-width:1.5;fill:none");
const LABEL: Style = Style::area("label", INK);
const TITLE: Style = Style::area("axis-title", MUTED);
const WIDE: Style = Style::bare("wide", "stroke-width:2.5;fill:none;stroke-linejoin:round");
const SPAN: Style = Style::line("span", WALL, "stroke-width:1.5;fill:none");
const HOLLOW: Style = Style::area("hollow", PAPER);
const SOLID: Style = Style::bare("solid", "stroke-width:2");
const MIDDLE: Style = Style::bare("middle", "text-anchor:middle");
const END: Style = Style::bare("end", "text-anchor:end");

const TEXT: f64 = 15.0;
const MARK: f64 = 5.0;

/// What a chart is called and says.
pub(crate) struct Words {
    /// The visible title.
    pub(crate) heading: &'static str,
    /// What a reader who can't see it is told.
    pub(crate) description: &'static str,
    /// A line below the heading.
    pub(crate) note: String,
}

/// One axis: where values lie, and which of them are written.
pub(crate) struct Axis {
    title: &'static str,
    ticks: Vec<(f64, String)>,
    from: f64,
    to: f64,
    is_logarithmic: bool,
}

impl Axis {
    /// From 0 to a round number not below `greatest`.
    pub(crate) fn linear(title: &'static str, greatest: f64) -> Self {
        let power = 10_f64.powf((greatest / 5.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = step.into_iter().find(|step| step * 5.0 >= greatest).unwrap_or(greatest);
        let steps = (greatest / step).ceil();
        let ticks =
            (0..=steps as usize).map(|index| (index as f64 * step, short(index as f64 * step)));
        Self { title, ticks: ticks.collect(), from: 0.0, to: steps * step, is_logarithmic: false }
    }

    /// Whole powers of ten about `least` and `greatest`.
    pub(crate) fn logarithmic(title: &'static str, least: f64, greatest: f64) -> Self {
        let (low, high) = (least.log10().floor() as i32, greatest.log10().ceil() as i32);
        let ticks = (low..=high).map(|power| (10_f64.powi(power), short(10_f64.powi(power))));
        let (from, to) = (10_f64.powi(low), 10_f64.powi(high));
        Self { title, ticks: ticks.collect(), from, to, is_logarithmic: true }
    }

    /// The values that occur, as far from each other as their logarithms.
    pub(crate) fn of_values(title: &'static str, values: &[f64]) -> Self {
        let (least, greatest) = (values[0], values[values.len() - 1]);
        let ticks = values.iter().map(|&value| (value, short(value))).collect();
        // A little room on both sides.
        Self { title, ticks, from: least / 1.25, to: greatest * 1.25, is_logarithmic: true }
    }

    /// Where a value lies, from 0 to 1; what lies outside is moved to the edge.
    fn share(&self, value: f64) -> f64 {
        let (value, from, to) = match self.is_logarithmic {
            true => (value.max(f64::MIN_POSITIVE).log10(), self.from.log10(), self.to.log10()),
            false => (value, self.from, self.to),
        };
        ((value - from) / (to - from)).clamp(0.0, 1.0)
    }
}

/// A number as it is read, its thousands apart.
fn short(value: f64) -> String {
    match value {
        value if value >= 10_000.0 => format!("{} {:03}", value as u64 / 1000, value as u64 % 1000),
        value => value.to_string(),
    }
}

/// A named line through points.
pub(crate) struct Series {
    /// What it is.
    pub(crate) name: String,
    /// Its points, from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A chart of lines.
pub(crate) fn lines(words: &Words, along: &Axis, up: &Axis, series: &[Series]) -> String {
    let (left, width, height) = (70.0, 810.0, 400.0);
    let mut drawing = Drawing::new();
    let place =
        |(x, y): (f64, f64)| (left + along.share(x) * width, 30.0 + (1.0 - up.share(y)) * height);
    let (floor, right) = (30.0 + height, left + width);
    drawing.text(&[&TITLE], (left - 60.0, 6.0), TEXT, up.title);
    for (value, label) in &up.ticks {
        let y = place((along.from, *value)).1;
        straight(&mut drawing, &GRID_LINE, (left, y), (right, y));
        drawing.text(&[&LABEL, &END], (left - 8.0, y), TEXT, label);
    }
    for (value, label) in &along.ticks {
        let x = place((*value, up.from)).0;
        straight(&mut drawing, &AXIS_LINE, (x, floor), (x, floor + 6.0));
        drawing.text(&[&LABEL, &MIDDLE], (x, floor + 18.0), TEXT, label);
    }
    straight(&mut drawing, &AXIS_LINE, (left, floor), (right, floor));
    drawing.text(&[&TITLE, &MIDDLE], (left + width / 2.0, floor + 42.0), TEXT, along.title);
    for (index, Series { points, .. }) in series.iter().enumerate() {
        let mut path = Path::new();
        for (step, &point) in points.iter().enumerate() {
            match step {
                0 => path.move_to(place(point)),
                _ => path.line_to(place(point)),
            }
        }
        let [colour, dash] = series_line(index);
        drawing.path(&[colour, dash, &WIDE], &path);
        for &point in points {
            mark(&mut drawing, index, place(point), MARK);
        }
    }
    let mut sheet = sheet(words, left + width, floor + 52.0);
    for (index, Series { name, .. }) in series.iter().enumerate() {
        sheet.key(name, |drawing| {
            let mut path = Path::new();
            path.move_to((-26.0, 0.0));
            path.line_to((26.0, 0.0));
            let [colour, dash] = series_line(index);
            drawing.path(&[colour, dash, &WIDE], &path);
            mark(drawing, index, (0.0, 0.0), MARK * 1.8);
        });
    }
    sheet.finish(&drawing)
}

/// A row of a chart of marks: its name, and a value a kind of mark where it has one.
pub(crate) struct Row {
    /// What it is.
    pub(crate) name: String,
    /// One value a kind.
    pub(crate) values: Vec<Option<f64>>,
}

/// A chart of marks: a row a name, a mark a kind.
pub(crate) fn marks(words: &Words, along: &Axis, kinds: &[&str], rows: &[Row]) -> String {
    let (left, width, step) = (325.0, 540.0, 24.0);
    let height = rows.len() as f64 * step;
    let place = |value: f64, row: usize| {
        (left + along.share(value) * width, 34.0 + (row as f64 + 0.5) * step)
    };
    let mut drawing = Drawing::new();
    for (value, label) in &along.ticks {
        let x = place(*value, 0).0;
        straight(&mut drawing, &GRID_LINE, (x, 30.0), (x, 34.0 + height));
        drawing.text(&[&LABEL, &MIDDLE], (x, 16.0), TEXT, label);
        drawing.text(&[&LABEL, &MIDDLE], (x, 34.0 + height + 14.0), TEXT, label);
    }
    drawing.text(&[&TITLE, &MIDDLE], (left + width / 2.0, 34.0 + height + 38.0), TEXT, along.title);
    for (number, Row { name, values }) in rows.iter().enumerate() {
        drawing.text(&[&LABEL, &END], (left - 14.0, place(along.from, number).1), TEXT, name);
        let present: Vec<f64> = values.iter().flatten().copied().collect();
        if let Some((first, last)) = present.first().zip(present.last()) {
            straight(&mut drawing, &SPAN, place(*first, number), place(*last, number));
        }
        for (kind, value) in values.iter().enumerate().rev() {
            if let Some(value) = value {
                mark(&mut drawing, kind, place(*value, number), MARK);
            }
        }
    }
    let mut sheet = sheet(words, left + width + 28.0, 34.0 + height + 48.0);
    for (kind, name) in kinds.iter().enumerate() {
        sheet.key(name, |drawing| mark(drawing, kind, (0.0, 0.0), MARK * 1.8));
    }
    sheet.finish(&drawing)
}

fn sheet(words: &Words, width: f64, height: f64) -> Sheet {
    let mut sheet = Sheet::new(width, height, words.heading, words.description);
    sheet.note(&words.note);
    sheet
}

fn straight(drawing: &mut Drawing, style: &Style, from: (f64, f64), to: (f64, f64)) {
    let mut path = Path::new();
    path.move_to(from);
    path.line_to(to);
    drawing.path(&[style], &path);
}

/// The mark of the series `index`, about a place: disc, square, triangle, diamond.
fn mark(drawing: &mut Drawing, index: usize, (x, y): (f64, f64), size: f64) {
    let styles = [&SERIES[index % SERIES.len()], &HOLLOW, &SOLID];
    let mut path = Path::new();
    match index % 4 {
        0 => return drawing.circle(&styles, (x, y), size),
        1 => path.rectangle((x - size * 0.9, y - size * 0.9), size * 1.8, size * 1.8),
        2 => path.arrow_head((x, y - size * 1.1), (0.0, -1.0), size * 2.1),
        _ => {
            path.move_to((x, y - size * 1.25));
            for corner in [(x + size * 1.25, y), (x, y + size * 1.25), (x - size * 1.25, y)] {
                path.line_to(corner);
            }
            path.close();
        }
    }
    drawing.path(&styles, &path);
}
