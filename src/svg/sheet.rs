//! The paper: a drawing with a heading above it and a legend below.
//!
//! All text is measured against the whole sheet, so that it can be read when a sheet of
//! a hundred by a hundred cells is shown as large as one of eight by eight.

use std::fmt::Write as _;

use super::drawing::Drawing;
use super::palette::{INK, MUTED, PAPER, Style};
use super::path::{Point, number};
use super::text::escaped;

const GROUND: Style = Style::area("paper", PAPER);
const HEADING: Style = Style { rest: "font-weight:600", ..Style::area("heading", INK) };
const NOTE: Style = Style::area("note", MUTED);

/// The longest side of a picture as it is shown, in pixels, unless the viewer scales it.
const LONGEST: f64 = 1200.0;

/// The same of a picture of many frames.
const LONGEST_OF_FRAMES: f64 = 2400.0;

/// A drawing on its way to paper.
#[derive(Debug)]
pub struct Sheet {
    width: f64,
    height: f64,
    heading: String,
    description: String,
    notes: Vec<String>,
    keys: Vec<(Drawing, String)>,
    longest: f64,
}

impl Sheet {
    /// A sheet for a drawing of this extent. `heading` is its visible title;
    /// `description` tells a reader who can't see it what it shows.
    pub fn new(width: f64, height: f64, heading: &str, description: &str) -> Self {
        Self {
            width,
            height,
            heading: heading.to_owned(),
            description: description.to_owned(),
            notes: Vec::new(),
            keys: Vec::new(),
            longest: LONGEST,
        }
    }

    /// Says that the drawing is many small ones, to be shown larger than one board.
    #[must_use]
    pub fn of_frames(self) -> Self {
        Self { longest: LONGEST_OF_FRAMES, ..self }
    }

    /// Adds a line of text below the heading.
    pub fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    /// Adds a line to the legend. `mark` draws what it explains about the point (0, 0),
    /// within a square as wide and high as a cell ([`super::CELL`]).
    pub fn key(&mut self, text: &str, mark: impl FnOnce(&mut Drawing)) {
        let mut drawing = Drawing::new();
        mark(&mut drawing);
        self.keys.push((drawing, text.to_owned()));
    }

    /// The picture: `content` on paper.
    pub fn finish(self, content: &Drawing) -> String {
        let em = (self.width.max(self.height) / 60.0 * (LONGEST / self.longest)).max(15.0);
        let margin = em * 1.6;
        let inner = self.width.max(em * 30.0);
        let width = inner + 2.0 * margin;
        let mut page = Drawing::new();
        page.open(&[], (0.0, 0.0), "");
        let mut y = margin + em * 0.7;
        // Bold letters are a tenth wider.
        for line in wrapped(&self.heading, inner / (em * 1.3 * 1.1)) {
            page.text(&[&HEADING], (margin, y), em * 1.3, &line);
            y += em * 1.8;
        }
        for line in self.notes.iter().flat_map(|note| wrapped(note, inner / em)) {
            page.text(&[&NOTE], (margin, y), em, &line);
            y += em * 1.45;
        }
        y += em * 0.4;
        page.put(content, ((width - self.width) / 2.0, y));
        y += self.height + em * 1.7;
        y = self.legend(&mut page, (margin, y), inner, em);
        page.close();
        self.document(&page, width, y + margin - em * 0.8)
    }

    /// Draws the legend from `at` downwards; gives the place below it.
    fn legend(&self, page: &mut Drawing, at: Point, inner: f64, em: f64) -> f64 {
        let (x, mut y) = at;
        for (mark, text) in &self.keys {
            // The mark is drawn for a cell, and shown one and a half lines high.
            let scale = em * 1.5 / super::CELL;
            page.put_scaled(mark, (x + em * 0.75, y), scale);
            for line in wrapped(text, (inner - em * 2.2) / em) {
                page.text(&[&NOTE], (x + em * 2.2, y), em, &line);
                y += em * 1.45;
            }
            y += em * 0.35;
        }
        y
    }

    fn document(&self, page: &Drawing, width: f64, height: f64) -> String {
        let mut whole = Drawing::new();
        whole.rectangle(&[&GROUND], (0.0, 0.0), width, height, 0.0);
        whole.put(page, (0.0, 0.0));
        let scale = (self.longest / width.max(height)).min(1.0);
        let mut out = String::with_capacity(whole.body().len() + 4096);
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" \
             height=\"{}\" role=\"img\" aria-labelledby=\"title desc\">",
            number(width),
            number(height),
            number((width * scale).ceil()),
            number((height * scale).ceil()),
        );
        let _ = writeln!(out, "<title id=\"title\">{}</title>", escaped(&self.heading));
        let _ = writeln!(out, "<desc id=\"desc\">{}</desc>", escaped(&self.description));
        let _ = write!(
            out,
            "<style>\nsvg{{color-scheme:light dark;font-family:system-ui,sans-serif}}\n{}</style>\n",
            whole.rules()
        );
        out.push_str(whole.body());
        out.push_str("</svg>\n");
        out
    }
}

/// The text in lines of at most `ems` times the size of its letters.
fn wrapped(text: &str, ems: f64) -> Vec<String> {
    // The mean width of a letter of a sans serif face is about half its size; the
    // wide ones of East Asian scripts are as wide as high.
    let width = |word: &str| {
        word.chars().map(|c| if u32::from(c) < 0x1100 { 0.6 } else { 1.0 }).sum::<f64>()
    };
    let mut lines = Vec::new();
    let (mut line, mut used) = (String::new(), 0.0);
    for word in text.split(' ') {
        let needed = width(word);
        if !line.is_empty() && used + 0.27 + needed > ems {
            lines.push(std::mem::take(&mut line));
            used = 0.0;
        }
        if !line.is_empty() {
            line.push(' ');
            used += 0.27;
        }
        line.push_str(word);
        used += needed;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_alone() {
        assert_eq!(wrapped("ab cd ef", 3.0), ["ab cd", "ef"]);
        assert_eq!(wrapped("abcdefghij k", 3.0), ["abcdefghij", "k"]);
        assert_eq!(wrapped("", 3.0), [""]);
    }
}
