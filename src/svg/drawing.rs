//! Shapes one after the other, each with its classes.

use std::fmt::Write as _;

use super::palette::Style;
use super::path::{Path, Point, number};
use super::text::escaped;

/// A list of shapes, as they lie over each other: the last on top.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    body: String,
    styles: Vec<Style>,
}

impl Drawing {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A rectangle with corners rounded by `radius`.
    pub fn rectangle(
        &mut self,
        classes: &[&Style],
        (x, y): Point,
        width: f64,
        height: f64,
        radius: f64,
    ) {
        self.begin("rect", classes);
        for (name, value) in [("x", x), ("y", y), ("width", width), ("height", height)] {
            self.attribute(name, &number(value));
        }
        if radius > 0.0 {
            self.attribute("rx", &number(radius));
        }
        self.body.push_str("/>\n");
    }

    /// A circle.
    pub fn circle(&mut self, classes: &[&Style], (x, y): Point, radius: f64) {
        self.begin("circle", classes);
        for (name, value) in [("cx", x), ("cy", y), ("r", radius)] {
            self.attribute(name, &number(value));
        }
        self.body.push_str("/>\n");
    }

    /// A circle whose line has this width; the classes should state none.
    pub fn ring(&mut self, classes: &[&Style], (x, y): Point, radius: f64, width: f64) {
        self.begin("circle", classes);
        for (name, value) in [("cx", x), ("cy", y), ("r", radius), ("stroke-width", width)] {
            self.attribute(name, &number(value));
        }
        self.body.push_str("/>\n");
    }

    /// A path; nothing when it is empty.
    pub fn path(&mut self, classes: &[&Style], path: &Path) {
        if path.is_empty() {
            return;
        }
        self.begin("path", classes);
        self.attribute("d", path.data());
        self.body.push_str("/>\n");
    }

    /// Text whose middle line runs through `y`; where `x` lies in it is the classes'
    /// affair (`text-anchor`).
    pub fn text(&mut self, classes: &[&Style], (x, y): Point, size: f64, text: &str) {
        self.begin("text", classes);
        self.attribute("x", &number(x));
        // Half the height of a capital: not every viewer knows `dominant-baseline`.
        self.attribute("y", &number(y + size * 0.35));
        self.attribute("font-size", &number(size));
        let _ = writeln!(self.body, ">{}</text>", escaped(text));
    }

    /// Opens a group, moved by `offset`, that [`Drawing::close`] ends. `title` names
    /// it for screen readers and shows as a hint; an empty one is left out.
    pub fn open(&mut self, classes: &[&Style], offset: Point, title: &str) {
        self.begin("g", classes);
        if offset != (0.0, 0.0) {
            let moved = format!("translate({} {})", number(offset.0), number(offset.1));
            self.attribute("transform", &moved);
        }
        self.body.push_str(">\n");
        if !title.is_empty() {
            let _ = writeln!(self.body, "<title>{}</title>", escaped(title));
        }
    }

    /// Ends the group that was opened last.
    pub fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// Puts another drawing on top of this one, moved by `offset`.
    pub fn put(&mut self, drawing: &Self, offset: Point) {
        self.put_scaled(drawing, offset, 1.0);
    }

    /// Puts another drawing on top of this one, scaled, then moved by `offset`.
    pub fn put_scaled(&mut self, drawing: &Self, offset: Point, scale: f64) {
        for style in &drawing.styles {
            self.know(style);
        }
        let mut moved = format!("translate({} {})", number(offset.0), number(offset.1));
        if scale != 1.0 {
            let _ = write!(moved, " scale({scale:.4})");
        }
        self.begin("g", &[]);
        self.attribute("transform", &moved);
        self.body.push_str(">\n");
        self.body.push_str(&drawing.body);
        self.close();
    }

    /// The elements.
    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// The rules of the classes that occur: light, then what differs in dark.
    pub(super) fn rules(&self) -> String {
        let (mut light, mut dark) = (String::new(), String::new());
        for style in &self.styles {
            let colours = |of: fn(&super::Tone) -> &'static str| {
                let fill = style.fill.as_ref().map(|tone| format!("fill:{}", of(tone)));
                let stroke = style.stroke.as_ref().map(|tone| format!("stroke:{}", of(tone)));
                fill.into_iter().chain(stroke).collect::<Vec<_>>()
            };
            let mut all = colours(|tone| tone.light);
            if !style.rest.is_empty() {
                all.push(style.rest.to_owned());
            }
            if !all.is_empty() {
                let _ = writeln!(light, ".{}{{{}}}", style.name, all.join(";"));
            }
            let in_dark = colours(|tone| tone.dark);
            if !in_dark.is_empty() {
                let _ = writeln!(dark, ".{}{{{}}}", style.name, in_dark.join(";"));
            }
        }
        format!("{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n")
    }

    fn begin(&mut self, element: &str, classes: &[&Style]) {
        self.body.push('<');
        self.body.push_str(element);
        let mut separator = " class=\"";
        for style in classes {
            self.know(style);
            self.body.push_str(separator);
            self.body.push_str(style.name);
            separator = " ";
        }
        if !classes.is_empty() {
            self.body.push('"');
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let _ = write!(self.body, " {name}=\"{value}\"");
    }

    fn know(&mut self, style: &Style) {
        match self.styles.iter().find(|known| known.name == style.name) {
            Some(known) => debug_assert_eq!(known, style, "one name, one style"),
            None => self.styles.push(*style),
        }
    }
}
