//! The contest's form: steps and columns in, moves out.
//!
//! A case is `n`, then five lines, each a column bottom-up that ends in 0; cases
//! may follow each other. The answer of a case is its moves, a line `x y g`
//! each, or `-1`.

use crate::puzzle::{Invalid, TextCase};
use crate::text::{Line, Lines};

use super::answer::Answer;
use super::board::{Board, BoardError, COLUMNS, HEIGHT, MAX_STEPS, Rules};

const STEPS_FORM: &str = "`n`, the number of steps,";
const COLUMN_FORM: &str = "the colours of a column, bottom-up, and a 0 at its end";

/// Reads all cases of a body.
pub(super) fn read(text: &str, rules: Rules) -> Result<Vec<TextCase<Board>>, Invalid> {
    let mut lines = Lines::new(text);
    let mut cases = Vec::new();
    while let Some(head) = lines.next_filled() {
        let [steps] = head.numbers::<1>(STEPS_FORM)?;
        let mut column_lines = Vec::with_capacity(COLUMNS);
        let mut columns = Vec::with_capacity(COLUMNS);
        for x in 1..=COLUMNS {
            let line = lines
                .next_filled()
                .ok_or_else(|| lines.ends_early(&format!("column {x} of {COLUMNS}")))?;
            columns.push(column(line)?);
            column_lines.push(line);
        }
        let board = Board::new(steps.1, &columns, rules)
            .map_err(|fault| illegal(fault, head, steps, &column_lines))?;
        cases.push(TextCase { line: head.number, board });
    }
    Ok(cases)
}

/// The moves, a line each, or `-1`.
pub(super) fn write(answer: Option<&Answer>) -> String {
    match answer {
        Some(answer) => answer.moves.iter().map(|played| format!("{played}\n")).collect(),
        None => "-1\n".to_owned(),
    }
}

fn column(line: Line<'_>) -> Result<Vec<i64>, Invalid> {
    let mut colours = Vec::new();
    let mut words = line.words();
    for (place, word) in words.by_ref() {
        match line.number_at(place, word, COLUMN_FORM)? {
            0 => break,
            colour => colours.push((place, colour)),
        }
    }
    if let Some((place, word)) = words.next() {
        let detail = format!("`{word}` stands after the 0 that ends the column");
        return Err(line.malformed(place, detail));
    }
    let ends_in_zero = line.words().count() > colours.len();
    if !ends_in_zero {
        let end = line.text.chars().count() + 1;
        let detail = format!("the line ends early: {COLUMN_FORM} expected");
        return Err(line.malformed(end, detail));
    }
    Ok(colours.into_iter().map(|(_, colour)| colour).collect())
}

/// The fault at its place.
fn illegal(
    fault: BoardError,
    head: Line<'_>,
    (steps_column, steps): (usize, i64),
    columns: &[Line<'_>],
) -> Invalid {
    let at = |x: usize, y: usize| {
        let line = columns[x];
        let place = line.words().nth(y).map_or(1, |(place, _)| place);
        line.illegal(place, fault.to_string())
    };
    match fault {
        BoardError::Steps(_) => {
            let invalid = head.illegal(steps_column, fault.to_string());
            match u64::try_from(steps) {
                Ok(actual @ 1..) => invalid.with_limit(u64::from(MAX_STEPS), actual),
                _ => invalid,
            }
        }
        BoardError::ColumnCount(_) => head.illegal(1, fault.to_string()),
        BoardError::TooHigh { x, blocks } => at(x, HEIGHT).with_limit(HEIGHT as u64, blocks as u64),
        BoardError::Colour { x, y, .. } => at(x, y),
        BoardError::Vanishes(vanished) => at(vanished.x, vanished.y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Limit, Place};

    fn read_all(text: &str) -> Result<Vec<TextCase<Board>>, Invalid> {
        read(text, Rules::default())
    }

    #[test]
    fn cases_follow_each_other_whatever_stands_between_the_lines() {
        let text =
            "\u{feff}\r\n2 \r\n1 0\r\n1 0 \r\n\r\n0\r\n1 0\r\n1 0\r\n\n1\n0\n0\n\n0\n2 3 0\n0";
        let cases = read_all(text).unwrap();
        let pictures: Vec<_> =
            cases.iter().map(|case| (case.line, case.board.to_string())).collect();
        assert_eq!(
            pictures,
            [
                (2, "2\n1 0\n1 0\n0\n1 0\n1 0\n".to_owned()),
                (10, "1\n0\n0\n0\n2 3 0\n0\n".to_owned()),
            ]
        );
        assert_eq!(read_all(" \n\r\n"), Ok(Vec::new()));
    }

    #[test]
    fn a_fault_names_its_line_and_column_and_nothing_is_answered() {
        let place = |text: &str| {
            let fault = read_all(text).unwrap_err();
            (fault.malformed, fault.place)
        };
        let at = |line, column| Place::Line { line, column };
        assert_eq!(place("x\n"), (true, at(1, 1)));
        assert_eq!(place("3 4\n"), (true, at(1, 3)));
        assert_eq!(place("3\n0\n0\n0\n0\n"), (true, at(6, 1)));
        assert_eq!(place("3\n1 2\n0\n0\n0\n0\n"), (true, at(2, 4)));
        assert_eq!(place("3\n1 a 0\n0\n0\n0\n0\n"), (true, at(2, 3)));
        assert_eq!(place("3\n0\n1 0 2 0\n0\n0\n0\n"), (true, at(3, 5)));
        assert_eq!(place("0\n0\n0\n0\n0\n0\n"), (false, at(1, 1)));
        assert_eq!(place(" 11\n0\n0\n0\n0\n0\n"), (false, at(1, 2)));
        assert_eq!(place("1\n0\n1 -3 0\n0\n0\n0\n"), (false, at(3, 3)));
        assert_eq!(place("1\n0\n1 2 11 0\n0\n0\n0\n"), (false, at(3, 5)));
        assert_eq!(place("1\n0\n2 1 1 1 0\n0\n0\n0\n"), (false, at(3, 3)));
        assert_eq!(place("1\n1 2 1 2 1 2 1 2 0\n0\n0\n0\n0\n"), (false, at(2, 15)));
        let limit = |text: &str| read_all(text).unwrap_err().limit;
        assert_eq!(limit("11\n0\n0\n0\n0\n0\n"), Some(Limit { limit: 10, actual: 11 }));
        assert_eq!(limit("-1\n0\n0\n0\n0\n0\n"), None);
        assert_eq!(
            limit("1\n1 2 1 2 1 2 1 2 0\n0\n0\n0\n0\n"),
            Some(Limit { limit: 7, actual: 8 })
        );
    }
}
