//! The contest's form (POJ 2308): cases `N M` and N rows of M characters, `0 0` at
//! the end; the answers are `yes` or `no`, a line each.

use crate::puzzle::{Invalid, OptionValues, TextCase};
use crate::text::{Line, Lines};

use super::board::{Answer, Board, BoardError, MAX_SIDE, Reason, Rules};

const HEADER: &str = "`N M`, the board's rows and columns, or `0 0` at the end,";

/// Reads every case of a body.
///
/// # Errors
/// The first fault, with its line and column.
pub fn read(text: &str, options: &OptionValues) -> Result<Vec<TextCase<Board>>, Invalid> {
    let rules = Rules {
        outside: options.boolean("outside"),
        gravity: options.boolean("gravity"),
        max_turns: options.integer("max_turns").map_or(2, |turns| turns as u8),
    };
    let mut lines = Lines::new(text);
    let mut cases = Vec::new();
    while let Some(header) = lines.next_filled() {
        let [rows, cols] = header.numbers::<2>(HEADER)?;
        if (rows.1, cols.1) == (0, 0) {
            if let Some(line) = lines.next_filled() {
                return Err(line.malformed(1, "nothing may follow the `0 0` that ends the body"));
            }
            break;
        }
        let row_count = side(header, rows, "rows")?;
        let col_count = side(header, cols, "columns")?;
        let board = read_board(&mut lines, row_count, col_count, rules)?;
        cases.push(TextCase { line: header.number, board });
    }
    Ok(cases)
}

/// Writes one case's answer.
pub fn write(answer: Result<&Answer, &Reason>) -> String {
    let word = match answer {
        Ok(_) => "yes\n",
        Err(_) => "no\n",
    };
    word.to_owned()
}

fn side(header: Line<'_>, number: (usize, i64), what: &str) -> Result<usize, Invalid> {
    let (column, value) = number;
    match usize::try_from(value) {
        Ok(side) if (1..=MAX_SIDE).contains(&side) => Ok(side),
        Ok(side) if side > MAX_SIDE => Err(header
            .illegal(column, format!("a board has at most {MAX_SIDE} {what}, not {value}"))
            .with_limit(MAX_SIDE as u64, side as u64)),
        _ => {
            Err(header.illegal(column, format!("a board has 1 to {MAX_SIDE} {what}, not {value}")))
        }
    }
}

fn read_board(
    lines: &mut Lines<'_>,
    row_count: usize,
    col_count: usize,
    rules: Rules,
) -> Result<Board, Invalid> {
    let mut rows = Vec::with_capacity(row_count);
    for number in 1..=row_count {
        let Some(line) = lines.next_filled() else {
            return Err(lines.ends_early(&format!("row {number} of {row_count} of a board")));
        };
        let length = line.text.chars().count();
        if length != col_count {
            let detail = format!("a row of {col_count} characters expected, this one has {length}");
            return Err(line.malformed(length.min(col_count) + 1, detail));
        }
        rows.push(line);
    }
    let texts: Vec<&str> = rows.iter().map(|line| line.text).collect();
    Board::from_rows(&texts, rules).map_err(|fault| match fault {
        BoardError::WhiteSpace(cell) | BoardError::Floating(cell) => {
            rows[cell.row as usize].illegal(cell.col as usize + 1, fault.to_string())
        }
        BoardError::Ragged { row, .. } => rows[row].malformed(1, fault.to_string()),
        // The sides and the turns were checked before.
        BoardError::TooManyTurns(_)
        | BoardError::NoRow
        | BoardError::NoColumn
        | BoardError::TooLarge(_) => rows[0].illegal(1, fault.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Linkgame;
    use super::*;
    use crate::puzzle::Puzzle;

    fn read_with(text: &str, set: &[(&str, &str)]) -> Result<Vec<TextCase<Board>>, Invalid> {
        let mut options = OptionValues::defaults(Linkgame::OPTIONS);
        for (name, value) in set {
            options.set(name, value).unwrap();
        }
        read(text, &options)
    }

    #[test]
    fn cases_are_read_with_whatever_the_rules_tolerate() {
        let tidy = read_with("2 3\nAB*\n*BA\n1 2\nAA\n0 0\n", &[]).unwrap();
        let odd = "\u{feff}\r\n 2  3 \r\nAB* \r\n\r\n*BA\r\n1 2\r\n\r\nAA";
        let odd = read_with(odd, &[]).unwrap();
        let boards = |cases: Vec<TextCase<Board>>| -> Vec<Board> {
            cases.into_iter().map(|case| case.board).collect()
        };
        assert_eq!(tidy[1].line, 4);
        assert_eq!(odd[1].line, 6);
        assert_eq!(boards(tidy), boards(odd));
        assert!(read_with("\n0 0\n", &[]).unwrap().is_empty());
    }

    #[test]
    fn options_given_beside_the_body_hold_for_every_case() {
        let options = [("outside", "true"), ("max_turns", "3")];
        let cases = read_with("1 1\nA\n1 1\nB\n", &options).unwrap();
        let rules = Rules { outside: true, gravity: false, max_turns: 3 };
        assert!(cases.iter().all(|case| case.board.rules() == rules));
    }

    #[test]
    fn a_fault_is_named_with_its_line_and_column() {
        let place = |text: &str, set: &[(&str, &str)]| {
            let fault = read_with(text, set).unwrap_err();
            let crate::puzzle::Place::Line { line, column } = fault.place else {
                panic!("{fault}")
            };
            (fault.malformed, line, column, fault.limit.map(|limit| (limit.limit, limit.actual)))
        };
        assert_eq!(place("2 x\n", &[]), (true, 1, 3, None));
        assert_eq!(place("2\n", &[]), (true, 1, 2, None));
        assert_eq!(place("2 0\n", &[]), (false, 1, 3, None));
        assert_eq!(place("-1 2\n", &[]), (false, 1, 1, None));
        assert_eq!(place("2 31\n", &[]), (false, 1, 3, Some((30, 31))));
        assert_eq!(place("2 2\nAB\nA\n", &[]), (true, 3, 2, None));
        assert_eq!(place("2 2\nAB\nABC\n", &[]), (true, 3, 3, None));
        assert_eq!(place("2 2\nAB\n", &[]), (true, 3, 1, None));
        assert_eq!(place("1 3\nA B\n", &[]), (false, 2, 2, None));
        assert_eq!(place("0 0\nAB\n", &[]), (true, 2, 1, None));
        assert_eq!(place("2 2\n\nAB\n*B\n", &[("gravity", "true")]), (false, 3, 1, None));
    }

    #[test]
    fn answers_are_a_word_a_line() {
        assert_eq!(write(Ok(&Answer::default())), "yes\n");
        assert_eq!(write(Err(&Reason::Exhausted { positions: 1 })), "no\n");
    }
}
