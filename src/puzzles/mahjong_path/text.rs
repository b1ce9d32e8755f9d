//! The contest's form.
//!
//! `w h`, then h rows of w characters (a blank is empty, anything else a tile;
//! rows cut short are filled with blanks, and a blank line is an empty row), then
//! a line `x1 y1 x2 y2` for each pair, from 1, until `0 0 0 0`. Another board may
//! follow; `0 0` ends. Either end mark may be missing: a line of two numbers
//! begins the next board. The answer is a number a line and pair: the fewest
//! segments, or 0 where there is no path.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use super::answer::Paths;
use super::board::{
    Board, BoardError, End, MAX_PAIRS, MAX_SIDE, Options, Pair, check_size, place_row,
};
use crate::grid::{Cell, CellSet, Size};
use crate::puzzle::{Invalid, OptionValues, TextCase};
use crate::text::{Line, Lines};

/// The most cells of all boards of a body together. A row may be cut short, so
/// without a cap a short body could ask for much memory.
const MAX_CELLS: usize = 64_000_000;

const SIZE_FORM: &str = "`w h`, the board's columns and rows,";
const PAIR_FORM: &str = "`x1 y1 x2 y2`, two tiles,";

/// Reads every board of a body.
pub(super) fn read(text: &str, options: &OptionValues) -> Result<Vec<TextCase<Board>>, Invalid> {
    let options = Options {
        outside: options.boolean("outside"),
        max_segments: options
            .integer("max_segments")
            .and_then(|most| NonZeroU32::new(u32::try_from(most).unwrap_or(u32::MAX))),
        // A text answer tells the numbers alone.
        corners: options.boolean("corners") && !options.is_for_text_answer(),
    };
    let mut lines = Lines::new(text);
    let mut cases = Vec::new();
    let mut cells = 0;
    let mut next = lines.next_filled();
    while let Some(line) = next {
        let Some(size) = read_size(line)? else {
            if let Some(line) = lines.next_filled() {
                return Err(line.malformed(1, "there is a line after `0 0`, which ends the body"));
            }
            break;
        };
        cells += size.area();
        if cells > MAX_CELLS {
            let detail = format!(
                "the boards of a body have at most {MAX_CELLS} cells together, \
                 and {cells} with this one"
            );
            return Err(line.illegal(1, detail).with_limit(MAX_CELLS as u64, cells as u64));
        }
        let tiles = read_tiles(&mut lines, size)?;
        let pairs;
        (pairs, next) = read_pairs(&mut lines)?;
        let cells_of_pairs = pairs.iter().map(PairLine::pair).collect();
        let board = Board::new(tiles, cells_of_pairs, options)
            .map_err(|error| pair_fault(error, size, &pairs))?;
        cases.push(TextCase { line: line.number, board });
    }
    Ok(cases)
}

/// Writes a number a pair.
pub(super) fn write(paths: &Paths) -> String {
    let mut text = String::with_capacity(paths.len() * 2);
    for path in paths.iter() {
        writeln!(text, "{}", path.segments()).expect("a string takes everything");
    }
    text
}

/// A line that asks for a pair.
struct PairLine<'text> {
    line: Line<'text>,
    numbers: [i64; 4],
}

impl PairLine<'_> {
    fn pair(&self) -> Pair {
        let [x1, y1, x2, y2] = self.numbers;
        // Numbers that are no coordinates stay off the board.
        let index = |number: i64| number.saturating_sub(1).clamp(-1, MAX_SIDE as i64) as i32;
        Pair { from: Cell::new(index(y1), index(x1)), to: Cell::new(index(y2), index(x2)) }
    }

    /// The column at which word number `word` begins.
    fn column(&self, word: usize) -> usize {
        self.line.words().nth(word).map_or(1, |(column, _)| column)
    }
}

/// Rows and columns of the next board; `None` for the end mark `0 0`.
fn read_size(line: Line<'_>) -> Result<Option<Size>, Invalid> {
    let [(cols_at, cols), (rows_at, rows)] = line.numbers::<2>(SIZE_FORM)?;
    if (cols, rows) == (0, 0) {
        return Ok(None);
    }
    for (column, number, what) in [(cols_at, cols, "columns"), (rows_at, rows, "rows")] {
        if !(1..=MAX_SIDE as i64).contains(&number) {
            let detail = format!("a board has 1 to {MAX_SIDE} {what}, not {number}");
            let fault = line.illegal(column, detail);
            return Err(match u64::try_from(number) {
                Ok(actual) if actual > 0 => fault.with_limit(MAX_SIDE as u64, actual),
                _ => fault,
            });
        }
    }
    let size = Size::new(rows as usize, cols as usize);
    debug_assert_eq!(check_size(size), Ok(()));
    Ok(Some(size))
}

fn read_tiles(lines: &mut Lines<'_>, size: Size) -> Result<CellSet, Invalid> {
    let mut tiles = CellSet::new(size);
    for row in 0..size.rows {
        let Some(line) = lines.next_line() else {
            return Err(lines.ends_early(&format!("row {} of {} of a board", row + 1, size.rows)));
        };
        let text = cut_trailing_blanks(line.text, size.cols);
        match place_row(&mut tiles, row, text) {
            Ok(length) if length <= size.cols => {}
            Ok(length) => {
                return Err(line.malformed(
                    size.cols + 1,
                    format!("the row has {length} characters, and the board is {} wide", size.cols),
                ));
            }
            Err(BoardError::WhiteSpace { cell, character }) => {
                return Err(line.illegal(
                    cell.col as usize + 1,
                    format!(
                        "{character:?} is white space other than the blank; \
                         a cell is a blank (empty) or any other character (a tile)"
                    ),
                ));
            }
            Err(error) => unreachable!("a row has no other fault: {error:?}"),
        }
    }
    Ok(tiles)
}

/// The row without the white space that ends it, as far as it lies past the board.
fn cut_trailing_blanks(text: &str, cols: usize) -> &str {
    if text.len() <= cols {
        return text;
    }
    match text.char_indices().nth(cols) {
        Some((end, _)) if text[end..].trim().is_empty() => &text[..end],
        _ => text.trim_end_matches(' '),
    }
}

/// The pairs of a board, and the line that begins the next one.
fn read_pairs<'text>(
    lines: &mut Lines<'text>,
) -> Result<(Vec<PairLine<'text>>, Option<Line<'text>>), Invalid> {
    let mut pairs = Vec::new();
    while let Some(line) = lines.next_filled() {
        if line.text.split_whitespace().nth(2).is_none() {
            return Ok((pairs, Some(line)));
        }
        let numbers = match quick_numbers(line.text) {
            Some(numbers) => numbers,
            None => line.numbers::<4>(PAIR_FORM)?.map(|(_, number)| number),
        };
        if numbers == [0; 4] {
            return Ok((pairs, lines.next_filled()));
        }
        if pairs.len() == MAX_PAIRS {
            let detail = format!("a board has at most {MAX_PAIRS} pairs");
            let actual = MAX_PAIRS as u64 + 1;
            return Err(line.illegal(1, detail).with_limit(MAX_PAIRS as u64, actual));
        }
        pairs.push(PairLine { line, numbers });
    }
    Ok((pairs, None))
}

/// Four whole numbers, where they are written plainly; `None` leaves it to the slow way.
fn quick_numbers(text: &str) -> Option<[i64; 4]> {
    let mut numbers = [0; 4];
    let mut words = text.split_ascii_whitespace();
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}

/// Where in the text a fault of a pair lies.
fn pair_fault(error: BoardError, size: Size, pairs: &[PairLine<'_>]) -> Invalid {
    let (index, end) = match error {
        BoardError::EndOutside(index, end, _) | BoardError::EndEmpty(index, end, _) => (index, end),
        BoardError::SameEnds(index, _) => (index, End::To),
        _ => unreachable!("size and rows were checked when they were read: {error:?}"),
    };
    let pair = &pairs[index];
    let [x1, y1, x2, y2] = pair.numbers;
    let (word, x, y) = match end {
        End::From => (0, x1, y1),
        End::To => (2, x2, y2),
    };
    match error {
        BoardError::EndOutside(..) => {
            let y_is_off = (1..=size.cols as i64).contains(&x);
            let detail = format!(
                "x {x}, y {y} lies off the board: x is 1 to {} and y is 1 to {}",
                size.cols, size.rows
            );
            pair.line.illegal(pair.column(word + usize::from(y_is_off)), detail)
        }
        BoardError::EndEmpty(..) => {
            let detail = format!("there is no tile at x {x}, y {y}; a pair joins two tiles");
            pair.line.illegal(pair.column(word), detail)
        }
        _ => {
            let detail = "both ends are one tile; a pair joins two different tiles";
            pair.line.illegal(pair.column(word), detail)
        }
    }
}
