//! The contest's form (Greater New York 2003 F).
//!
//! A case is `Nrows Ncols Nblocks StartX StartY` and Nblocks lines `X Y`, where X is the column and
//! Y the row, both from 0; `0 0 0 0 0` ends. The answer is the steps, forty letters a line, or
//! `NO SOLUTION`, and a blank line after each.

use std::ops::RangeInclusive;

use super::answer::Answer;
use super::board::{Board, BoardError, MAX_SIDE, Questions};
use super::reason::Reason;
use crate::grid::{Cell, CellSet, Size};
use crate::puzzle::{Invalid, OptionValues, TextCase};
use crate::text::{Line, Lines};

const HEADER: &str = "`Nrows Ncols Nblocks StartX StartY`, or `0 0 0 0 0` at the end,";
const BLOCK: &str = "`X Y`, the column and row of a blocked cell,";
/// Letters on a line.
const LINE_LENGTH: usize = 40;

/// Reads every case of a body.
///
/// # Errors
/// The first fault, with its line and column.
pub fn read(text: &str, options: &OptionValues) -> Result<Vec<TextCase<Board>>, Invalid> {
    let questions =
        Questions { unique: options.boolean("unique"), count: options.boolean("count") };
    let mut lines = Lines::new(text);
    let mut cases = Vec::new();
    while let Some(header) = lines.next_filled() {
        let numbers = header.numbers::<5>(HEADER)?;
        if numbers.iter().all(|&(_, number)| number == 0) {
            if let Some(line) = lines.next_filled() {
                return Err(
                    line.malformed(1, "nothing may follow the `0 0 0 0 0` that ends the body")
                );
            }
            break;
        }
        let board = read_board(header, numbers, &mut lines, questions)?;
        cases.push(TextCase { line: header.number, board });
    }
    Ok(cases)
}

/// Writes one case's answer.
pub fn write(answer: Result<&Answer, &Reason>) -> String {
    let Ok(answer) = answer else { return "NO SOLUTION\n\n".to_owned() };
    let mut text = String::with_capacity(answer.moves.len() + answer.moves.len() / LINE_LENGTH + 2);
    for line in answer.moves.chunks(LINE_LENGTH) {
        text.extend(line.iter().map(|direction| direction.letter()));
        text.push('\n');
    }
    text.push('\n');
    text
}

fn read_board(
    header: Line<'_>,
    numbers: [(usize, i64); 5],
    lines: &mut Lines<'_>,
    questions: Questions,
) -> Result<Board, Invalid> {
    let [rows, cols, blocks, start_col, start_row] = numbers;
    let size = Size::new(side(header, rows, "rows")?, side(header, cols, "columns")?);
    let most = 0..=size.area() as i64;
    if !most.contains(&blocks.1) {
        return Err(header.illegal(
            blocks.0,
            format!("a board of {size} has 0 to {} blocked cells, not {}", size.area(), blocks.1),
        ));
    }
    let start = cell(header, size, start_col, start_row, "the start")?;
    let mut free = CellSet::from_cells(size, size.cells());
    for number in 1..=blocks.1 {
        let Some(line) = lines.next_filled() else {
            let due = format!("the blocked cell {number} of {}, `X Y`,", blocks.1);
            return Err(lines.ends_early(&due));
        };
        let [col, row] = line.numbers::<2>(BLOCK)?;
        let blocked = cell(line, size, col, row, "the blocked cell")?;
        if !free.remove(blocked) {
            return Err(line.illegal(
                col.0,
                format!("the cell X {}, Y {} is blocked by an earlier line already", col.1, row.1),
            ));
        }
    }
    Board::new(free, Some(start), questions).map_err(|fault| match fault {
        BoardError::StartBlocked(_) => header.illegal(
            start_col.0,
            format!(
                "the start X {}, Y {} is blocked; it must be a free cell",
                start_col.1, start_row.1
            ),
        ),
        BoardError::NoFreeCell => header.illegal(blocks.0, fault.to_string()),
        _ => header.illegal(1, fault.to_string()),
    })
}

fn side(header: Line<'_>, (column, value): (usize, i64), what: &str) -> Result<usize, Invalid> {
    const SIDES: RangeInclusive<i64> = 1..=MAX_SIDE as i64;
    if SIDES.contains(&value) {
        return Ok(value as usize);
    }
    let fault = header.illegal(column, format!("a board has 1 to {MAX_SIDE} {what}, not {value}"));
    Err(match u64::try_from(value) {
        Ok(actual @ 1..) => fault.with_limit(MAX_SIDE as u64, actual),
        _ => fault,
    })
}

fn cell(
    line: Line<'_>,
    size: Size,
    col: (usize, i64),
    row: (usize, i64),
    what: &str,
) -> Result<Cell, Invalid> {
    for ((column, value), sides, name) in [(col, size.cols, "X"), (row, size.rows, "Y")] {
        if !(0..sides as i64).contains(&value) {
            return Err(line.illegal(
                column,
                format!("{name} of {what} is 0 to {} on a board of {size}, not {value}", sides - 1),
            ));
        }
    }
    Ok(Cell::new(row.1 as i32, col.1 as i32))
}
