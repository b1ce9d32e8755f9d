//! The lines of a text body: what the contest forms share.
//!
//! Line ends may be LF or CRLF, a byte order mark may stand first, blank lines
//! may stand anywhere, and blanks may trail. Lines and columns count from 1,
//! columns in characters.

use std::iter::Peekable;
use std::str::Lines as StrLines;

use crate::puzzle::Invalid;

/// The lines of a body, with their numbers.
#[derive(Clone, Debug)]
pub struct Lines<'text> {
    rest: Peekable<StrLines<'text>>,
    next_number: usize,
}

impl<'text> Lines<'text> {
    /// The lines of `text`, without a leading byte order mark.
    pub fn new(text: &'text str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { rest: text.lines().peekable(), next_number: 1 }
    }

    /// The next line, blank or not, as it stands but for its line end.
    pub fn next_line(&mut self) -> Option<Line<'text>> {
        let text = self.rest.next()?;
        let number = self.next_number;
        self.next_number += 1;
        // A lone CR before the end of the text has no LF for `lines` to take it with.
        Some(Line { number, text: text.strip_suffix('\r').unwrap_or(text) })
    }

    /// The next line that is not blank, without trailing blanks.
    pub fn next_filled(&mut self) -> Option<Line<'text>> {
        self.skip_blank();
        let line = self.next_line()?;
        Some(Line { text: line.text.trim_end(), ..line })
    }

    /// Skips blank lines.
    pub fn skip_blank(&mut self) {
        while self.rest.peek().is_some_and(|line| line.trim().is_empty()) {
            self.next_line();
        }
    }

    /// The number of the line that would come next, from 1.
    pub const fn next_number(&self) -> usize {
        self.next_number
    }

    /// The fault of a body that ends where more was due.
    pub fn ends_early(&self, due: &str) -> Invalid {
        let detail = format!("the body ends where {due} was expected");
        Invalid::malformed_at_line(self.next_number, 1, detail)
    }
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub struct Line<'text> {
    /// Its number, from 1.
    pub number: usize,
    /// What stands on it, without the line end.
    pub text: &'text str,
}

impl<'text> Line<'text> {
    /// The words between blanks, each with the column at which it begins, from 1.
    pub fn words(self) -> impl Iterator<Item = (usize, &'text str)> {
        let mut column = 1;
        let mut rest = self.text;
        std::iter::from_fn(move || {
            let word_start = rest.find(|character: char| !character.is_whitespace())?;
            column += rest[..word_start].chars().count();
            rest = &rest[word_start..];
            let word_end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (word, after) = rest.split_at(word_end);
            let begins = column;
            column += word.chars().count();
            rest = after;
            Some((begins, word))
        })
    }

    /// The whole numbers on this line, exactly `COUNT` of them, each with its
    /// column; `form` says what was expected, such as "`N M`, the board's rows and columns".
    ///
    /// # Errors
    /// A malformed-body fault at the first word that is off, or at the line's end.
    pub fn numbers<const COUNT: usize>(self, form: &str) -> Result<[(usize, i64); COUNT], Invalid> {
        let mut numbers = [(0, 0); COUNT];
        let mut words = self.words();
        for slot in &mut numbers {
            let Some((column, word)) = words.next() else {
                let end = self.text.trim_end().chars().count() + 1;
                return Err(self.malformed(end, format!("the line ends early: {form} expected")));
            };
            *slot = (column, self.number_at(column, word, form)?);
        }
        match words.next() {
            None => Ok(numbers),
            Some((column, word)) => {
                Err(self.malformed(column, format!("`{word}` is one too many: {form} expected")))
            }
        }
    }

    /// One word of this line as a whole number.
    ///
    /// # Errors
    /// A malformed-body fault at the word's column.
    pub fn number_at(self, column: usize, word: &str, form: &str) -> Result<i64, Invalid> {
        word.parse().map_err(|_| {
            self.malformed(column, format!("`{word}` is not a whole number: {form} expected"))
        })
    }

    /// A fault of form on this line.
    pub fn malformed(self, column: usize, detail: impl Into<String>) -> Invalid {
        Invalid::malformed_at_line(self.number, column, detail)
    }

    /// A well-formed but illegal puzzle, at a place on this line.
    pub fn illegal(self, column: usize, detail: impl Into<String>) -> Invalid {
        Invalid::at_line(self.number, column, detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_mark_carriage_returns_and_blank_lines_are_passed_over() {
        let mut lines = Lines::new("\u{feff}\r\n 3  4 \r\n\r\nab\r");
        let line = lines.next_filled().unwrap();
        assert_eq!(line.number, 2);
        assert_eq!(line.numbers::<2>("`N M`").unwrap(), [(2, 3), (5, 4)]);
        let line = lines.next_filled().unwrap();
        assert_eq!((line.number, line.text), (4, "ab"));
        assert!(lines.next_filled().is_none());
    }

    #[test]
    fn a_fault_names_its_line_and_column() {
        let line = Lines::new("1 é x 4").next_filled().unwrap();
        let fault = line.numbers::<2>("`N M`").unwrap_err();
        assert_eq!(
            fault,
            Invalid::malformed_at_line(1, 3, "`é` is not a whole number: `N M` expected")
        );
        let line = Lines::new("1").next_filled().unwrap();
        let fault = line.numbers::<2>("`N M`").unwrap_err();
        assert_eq!(fault, Invalid::malformed_at_line(1, 2, "the line ends early: `N M` expected"));
        let line = Lines::new("1 2 3").next_filled().unwrap();
        let fault = line.numbers::<2>("`N M`").unwrap_err();
        assert_eq!(fault, Invalid::malformed_at_line(1, 5, "`3` is one too many: `N M` expected"));
    }
}
