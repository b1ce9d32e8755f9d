//! Colours in light and dark, and the styles that most pictures share.
//!
//! The series are the eight colours of Okabe and Ito ("Color Universal Design", 2008), which
//! people with any of the common colour deficiencies can tell apart, moved a little so
//! that each has a contrast of 3 : 1 or more against the paper, in light and in dark.

/// One colour, in light and in dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone {
    /// On light paper.
    pub light: &'static str,
    /// On dark paper.
    pub dark: &'static str,
}

impl Tone {
    /// A colour of its own; both are written as `#rrggbb`.
    pub const fn new(light: &'static str, dark: &'static str) -> Self {
        Self { light, dark }
    }
}

/// What lies behind everything.
pub const PAPER: Tone = Tone::new("#ffffff", "#15181d");
/// A free cell, the board's ground.
pub const PANEL: Tone = Tone::new("#f4f5f7", "#20242b");
/// Lines between cells.
pub const GRID: Tone = Tone::new("#d5d9e0", "#363c46");
/// A cell that is blocked or taken.
pub const WALL: Tone = Tone::new("#7f8897", "#666e7b");
/// Text and strong lines.
pub const INK: Tone = Tone::new("#1b1f26", "#eceff4");
/// Text of less weight.
pub const MUTED: Tone = Tone::new("#5a6270", "#a5adba");
/// What only hints.
pub const FAINT: Tone = Tone::new("#c3c9d3", "#4a525f");
/// The one thing to look at: an answer.
pub const ACCENT: Tone = Tone::new("#0b62b8", "#63b0ff");
/// What is wrong: the reason of a "no".
pub const WARNING: Tone = Tone::new("#b3261e", "#ff8a80");

/// A CSS class: at most one fill, one stroke, and declarations that hold in light and dark.
///
/// Classes may be combined, such as a line's width with the colour of a series; those
/// of one shape should not state the same property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The name of the class: a letter, then letters, digits and `-`. One name, one style.
    pub name: &'static str,
    /// The colour inside.
    pub fill: Option<Tone>,
    /// The colour of the line.
    pub stroke: Option<Tone>,
    /// Further declarations, parted by semicolons: `"stroke-width:2;fill:none"`.
    pub rest: &'static str,
}

impl Style {
    /// An area of one colour, without a line.
    pub const fn area(name: &'static str, fill: Tone) -> Self {
        Self { name, fill: Some(fill), stroke: None, rest: "" }
    }

    /// A line of one colour; `rest` states its width.
    pub const fn line(name: &'static str, stroke: Tone, rest: &'static str) -> Self {
        Self { name, fill: None, stroke: Some(stroke), rest }
    }

    /// Declarations without a colour.
    pub const fn bare(name: &'static str, rest: &'static str) -> Self {
        Self { name, fill: None, stroke: None, rest }
    }
}

const BLUE: Tone = Tone::new("#0072b2", "#4fb3e8");
const VERMILION: Tone = Tone::new("#c64f00", "#ff8c42");
const GREEN: Tone = Tone::new("#00805d", "#2fc79b");
const PURPLE: Tone = Tone::new("#a8457f", "#e58bc0");
const OCHRE: Tone = Tone::new("#946a00", "#e6b422");
const SKY: Tone = Tone::new("#2a7fa8", "#8ad4f5");
const SLATE: Tone = Tone::new("#4b5563", "#c2cad6");
const VIOLET: Tone = Tone::new("#6247c5", "#ab9bff");

/// The strokes of series; [`series_line`] combines them with dashes.
pub const SERIES: [Style; 8] = [
    Style::line("s0", BLUE, ""),
    Style::line("s1", VERMILION, ""),
    Style::line("s2", GREEN, ""),
    Style::line("s3", PURPLE, ""),
    Style::line("s4", OCHRE, ""),
    Style::line("s5", SKY, ""),
    Style::line("s6", SLATE, ""),
    Style::line("s7", VIOLET, ""),
];

/// The fills of series, pale enough to write on in [`INK`].
pub const SERIES_TINTS: [Style; 8] = [
    Style::area("t0", Tone::new("#cfe5f5", "#12415e")),
    Style::area("t1", Tone::new("#fbdcc5", "#66320b")),
    Style::area("t2", Tone::new("#cdeadd", "#0b4a39")),
    Style::area("t3", Tone::new("#f1d6e6", "#5a2547")),
    Style::area("t4", Tone::new("#f6e6b4", "#564004")),
    Style::area("t5", Tone::new("#d9f0fa", "#1c4f66")),
    Style::area("t6", Tone::new("#dfe3e9", "#3a424e")),
    Style::area("t7", Tone::new("#dfd9fa", "#372a78")),
];

/// Dashes that tell series apart without colour: solid, dashed, dotted, dash and dot, long.
/// The lengths are in units of a line four units wide.
pub const DASHES: [Style; 5] = [
    Style::bare("d0", ""),
    Style::bare("d1", "stroke-dasharray:10 5"),
    Style::bare("d2", "stroke-dasharray:.5 7.5;stroke-linecap:round"),
    Style::bare("d3", "stroke-dasharray:12 6 1 6"),
    Style::bare("d4", "stroke-dasharray:20 6"),
];

/// The stroke and the dash of the series `index`: forty pairs before one comes again.
pub fn series_line(index: usize) -> [&'static Style; 2] {
    [&SERIES[index % SERIES.len()], &DASHES[index % DASHES.len()]]
}

/// The fill of the series `index`; write its number or letter on it.
pub fn series_tint(index: usize) -> &'static Style {
    &SERIES_TINTS[index % SERIES_TINTS.len()]
}
