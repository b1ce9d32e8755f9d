//! The contest's form: boards in, `Yes` or `No` out.
//!
//! A case is `N M`, then N rows of M digits, `0` free and `1` taken; the body
//! ends where the file does. `Yes` says that the first player wins.

use crate::puzzle::{Invalid, TextCase};
use crate::text::{Line, Lines};

use super::answer::{Answer, Winner};
use super::board::{MAX_SIDE, Position, PositionError, Questions};

const SIZE_FORM: &str = "`N M`, the board's rows and columns,";

/// Reads all cases of a body.
pub(super) fn read(text: &str, questions: Questions) -> Result<Vec<TextCase<Position>>, Invalid> {
    let mut lines = Lines::new(text);
    let mut cases = Vec::new();
    while let Some(head) = lines.next_filled() {
        let [rows, cols] = head.numbers::<2>(SIZE_FORM)?;
        let rows = side(head, rows, "rows")?;
        let cols = side(head, cols, "columns")?;
        let board = read_rows(&mut lines, rows, cols, questions)?;
        cases.push(TextCase { line: head.number, board });
    }
    Ok(cases)
}

/// One line, as the contest's judge expects it.
pub(super) fn write(answer: &Answer) -> String {
    match answer.winner {
        Winner::First => "Yes\n".to_owned(),
        Winner::Second => "No\n".to_owned(),
    }
}

fn side(head: Line<'_>, (column, number): (usize, i64), what: &str) -> Result<usize, Invalid> {
    match usize::try_from(number) {
        Ok(side @ 1..=MAX_SIDE) => Ok(side),
        Ok(side @ 1..) => {
            let detail = format!("a board has at most {MAX_SIDE} {what}, not {side}");
            Err(head.illegal(column, detail).with_limit(MAX_SIDE as u64, side as u64))
        }
        _ => Err(head.illegal(column, format!("a board has 1 to {MAX_SIDE} {what}, not {number}"))),
    }
}

fn read_rows(
    lines: &mut Lines<'_>,
    rows: usize,
    cols: usize,
    questions: Questions,
) -> Result<Position, Invalid> {
    let mut texts = Vec::with_capacity(rows);
    for row in 1..=rows {
        let line = lines
            .next_filled()
            .ok_or_else(|| lines.ends_early(&format!("row {row} of the {rows} of a board")))?;
        let cells = line.text.chars().count();
        if let Some(col) = line.text.chars().position(|character| !matches!(character, '0' | '1')) {
            let character = line.text.chars().nth(col).unwrap_or_default();
            let fault = PositionError::NotACell { board: 0, row: row - 1, col, character };
            return Err(line.malformed(col + 1, fault.to_string()));
        }
        if cells != cols {
            let detail = format!("row {row} of the board has {cells} cells, not {cols}");
            return Err(line.malformed(cells.min(cols) + 1, detail));
        }
        texts.push(line.text);
    }
    Ok(Position::from_rows(&[texts], questions).expect("size and digits were checked"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Result<Vec<TextCase<Position>>, Invalid> {
        read(text, Questions::WINNER)
    }

    #[test]
    fn cases_are_read_to_the_end_whatever_stands_between_the_lines() {
        let cases = read_all("\u{feff}\r\n1 2 \r\n\r\n01 \r\n\n2 1\n0\n\n1").unwrap();
        let pictures: Vec<_> =
            cases.iter().map(|case| (case.line, case.board.to_string())).collect();
        assert_eq!(pictures, [(2, "01\n".to_owned()), (6, "0\n1\n".to_owned())]);
        assert_eq!(read_all(" \n\n"), Ok(Vec::new()));
    }

    #[test]
    fn a_fault_names_its_line_and_column_and_nothing_is_answered() {
        let place = |text: &str| {
            let fault = read_all(text).unwrap_err();
            (fault.malformed, fault.place)
        };
        let at = |line, column| crate::puzzle::Place::Line { line, column };
        assert_eq!(place("1 1\n0\n2 x\n"), (true, at(3, 3)));
        assert_eq!(place("1 1\n0\n1 1 1\n"), (true, at(3, 5)));
        assert_eq!(place("1 3\n00\n"), (true, at(2, 3)));
        assert_eq!(place("1 2\n000\n"), (true, at(2, 3)));
        assert_eq!(place("1 2\n02\n"), (true, at(2, 2)));
        assert_eq!(place("2 2\n00\n"), (true, at(3, 1)));
        assert_eq!(place("0 2\n"), (false, at(1, 1)));
        assert_eq!(place("2 -1\n"), (false, at(1, 3)));
        assert_eq!(place("2 65\n"), (false, at(1, 3)));
        let fault = read_all("65 2\n").unwrap_err();
        assert_eq!(fault.limit, Some(crate::puzzle::Limit { limit: 64, actual: 65 }));
    }
}
