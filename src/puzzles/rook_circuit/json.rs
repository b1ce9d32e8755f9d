//! The JSON form: request, answer, and their schemas.

mod reason;

pub use self::reason::{Code, JsonReason};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::RookCircuit;
use super::board::{Board, BoardError, MAX_SIDE, Questions};
use crate::grid::Cell;
use crate::http::wire::{Example, JsonCell, Stats, Status, Wire, present};
use crate::puzzle::{Invalid, Outcome, OutcomeOf};

/// A board on which a closed tour of the free cells is sought.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RookCircuitRequest)]
pub struct Request {
    /// The rows, top to bottom, all equally long: 1 to 500 rows of 1 to 500 characters. `.` is a free
    /// cell and `#` a blocked one; at least one cell is free.
    #[schema(min_items = 1, max_items = 500, example = json!(["....", ".#..", "..#.", "...."]))]
    board: Vec<Row>,
    /// Where the tour begins and ends: a free cell. The first free cell, row by row, when left out.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = JsonCell, required = false, nullable = false)]
    start: Option<JsonCell>,
    /// Whether it is asked if the circuit is the only one.
    #[serde(default)]
    #[schema(default = false)]
    unique: bool,
    /// Whether it is asked how many circuits there are. Narrow boards can be counted (up to some
    /// twelve columns or rows); on wider ones it is left out and named in `undecided`.
    #[serde(default)]
    #[schema(default = false)]
    count: bool,
}

/// A row of a board: `.` is a free cell and `#` a blocked one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = RookCircuitRow, min_length = 1, max_length = 500, pattern = "^[.#]+$", example = ".#..")]
pub struct Row(String);

impl AsRef<str> for Row {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Whether the board has a circuit, and one.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RookCircuitResponse)]
pub struct Response {
    /// `solved`: `moves` is a circuit. `unsolvable`: there is none.
    status: Status,
    /// The steps from the start through every free cell and back: `N`, `E`, `S` or `W` each, as many
    /// as there are free cells. There exactly when `status` is `solved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        min_length = 4,
        max_length = 250_000,
        pattern = "^[NESW]+$",
        example = "EEESSWNWSSENEN"
    )]
    moves: Option<String>,
    /// Whether the circuit is the only one, direction and start not counted. There when it was asked,
    /// `status` is `solved`, and it was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unique: Option<bool>,
    /// The number of circuits, direction and start not counted, in decimal digits. There
    /// when it was asked and decided; `"0"` when `status` is `unsolvable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^(0|[1-9][0-9]*)$", example = "1072")]
    count: Option<String>,
    /// With `solved`: what was asked but not decided within the limits. Left out when
    /// everything was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, min_items = 1, max_items = 2)]
    undecided: Vec<Extra>,
    /// Why there is no circuit, or why that is not known. There exactly when `status` is not `solved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<JsonReason>,
    /// What the solve took; a node is a place looked at by one of its methods.
    stats: Stats,
}

/// What may be asked beyond one tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RookCircuitExtra)]
pub enum Extra {
    /// Whether the circuit is the only one.
    Unique,
    /// How many circuits there are.
    Count,
}

impl Wire for RookCircuit {
    type Request = Request;
    type Response = Response;

    const SUMMARY: &'static str = "A closed tour of the free cells of a board";
    const DESCRIPTION: &'static str = "\
Visit every free cell exactly once, stepping north, south, east or west, and come back to the start: \
a Hamiltonian cycle of the free cells.

- A circuit has at least four cells.
- The start only says where the tour is written down from.
- With `unique` it is asked whether the circuit is the only one, with `count` how many there are. \
What is not decided in time is left out and named in `undecided`; the tour is given all the same.

A board without a circuit gets the first of these reasons that is found: `too_small`, `parity`, \
`dead_end`, `disconnected`, `cut_cell`, `forced`, `crowded`, `cut_set`, `regions`, `exhausted`. All but \
the last can be checked by counting, and were.

Boards have up to 500 × 500 cells.

Text form (Greater New York 2003 F): `Nrows Ncols Nblocks StartX StartY`, Nblocks lines `X Y` (X the \
column, both from 0, Y southwards), and `0 0 0 0 0` at the end. The answer is the steps, forty letters a \
line, or `NO SOLUTION`, and a blank line after each.";

    fn examples() -> Vec<Example> {
        vec![
            Example {
                name: "contest",
                summary: "The contest's board with one circuit",
                request: json!({
                    "board": ["....", "....", "..#.", "#..."],
                    "start": { "row": 2, "col": 1 },
                    "unique": true
                }),
            },
            Example {
                name: "count",
                summary: "How many circuits a 6 × 6 board has",
                request: json!({
                    "board": ["......", "......", "......", "......", "......", "......"],
                    "count": true
                }),
            },
            Example {
                name: "parity",
                summary: "A board whose colours differ",
                request: json!({ "board": ["...#", "....", ".#..", "...."] }),
            },
            Example {
                name: "cut-set",
                summary: "A board that falls into too many parts",
                request: json!({
                    "board": ["......", "...#..", ".#....", "......", "......"]
                }),
            },
        ]
    }

    fn text_example() -> &'static str {
        "4 4 2 0 0\n1 2\n3 0\n\n4 4 2 1 2\n0 3\n2 2\n\n0 0 0 0 0\n"
    }

    fn board(request: Request) -> Result<Board, Invalid> {
        let questions = Questions { unique: request.unique, count: request.count };
        let start = request.start.map(Cell::from);
        Board::from_rows(&request.board, start, questions).map_err(|fault| match fault {
            BoardError::Empty if request.board.is_empty() => {
                Invalid::at_pointer("/board", fault.to_string())
            }
            BoardError::Empty => Invalid::at_pointer("/board/0", fault.to_string()),
            BoardError::TooLarge(size) => Invalid::at_pointer("/board", fault.to_string())
                .with_limit(MAX_SIDE as u64, size.rows.max(size.cols) as u64),
            BoardError::NoFreeCell => Invalid::at_pointer("/board", fault.to_string()),
            BoardError::StartOutside(_) | BoardError::StartBlocked(_) => {
                Invalid::at_pointer("/start", fault.to_string())
            }
            BoardError::Ragged { row, .. } => {
                Invalid::at_pointer(format!("/board/{row}"), fault.to_string())
            }
            BoardError::Character { cell, .. } => {
                Invalid::at_pointer(format!("/board/{}", cell.row), fault.to_string())
            }
        })
    }

    fn response(board: &Board, outcome: &OutcomeOf<Self>, stats: Stats) -> Response {
        let asked = board.questions();
        let blank = Response {
            status: Status::Unknown,
            moves: None,
            unique: None,
            count: None,
            undecided: Vec::new(),
            reason: None,
            stats,
        };
        match outcome {
            Outcome::Solved(answer) => {
                let undecided = [
                    (asked.unique && answer.unique.is_none(), Extra::Unique),
                    (asked.count && answer.count.is_none(), Extra::Count),
                ];
                Response {
                    status: Status::Solved,
                    moves: Some(answer.moves.iter().map(|step| step.letter()).collect()),
                    unique: answer.unique,
                    count: answer.count.clone(),
                    undecided: undecided
                        .into_iter()
                        .filter_map(|(is_undecided, extra)| is_undecided.then_some(extra))
                        .collect(),
                    ..blank
                }
            }
            Outcome::Unsolvable(reason) => Response {
                status: Status::Unsolvable,
                count: asked.count.then(|| "0".to_owned()),
                reason: Some(JsonReason::from(reason)),
                ..blank
            },
            Outcome::Unknown { stop, .. } => {
                Response { reason: Some(JsonReason::from(*stop)), ..blank }
            }
        }
    }
}
