//! The JSON form: request, answer and their schema.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::budget::Stop;
use crate::http::wire::{Example, JsonCell, Stats, Status, Wire, present, stop_message};
use crate::puzzle::{Invalid, Outcome, OutcomeOf};

use super::board::{MAX_BOARDS, MAX_SIDE, Move, MovesAsked, Position, PositionError, Questions};
use super::{TetrisSg, answer};

/// One board, or the boards of a sum, and what is asked about them.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TetrisSgRequest)]
pub struct Request {
    /// One board: rows of `0` (free) and `1` (taken), all equally long. Give
    /// either this or `boards`.
    #[serde(default, deserialize_with = "present")]
    #[schema(
        nullable = false, min_items = 1, max_items = 64,
        example = json!(["0000", "0010", "0100", "0000"])
    )]
    board: Option<Vec<Row>>,
    /// The boards of a sum: a player places a square on any one of them. Give
    /// either this or `board`.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false, min_items = 1, max_items = 64)]
    boards: Option<Vec<Vec<Row>>>,
    /// Which winning moves to answer.
    #[serde(default)]
    #[schema(default = "one")]
    moves: WireMoves,
    /// Whether to answer the Grundy value. Without it the winner may be found far sooner.
    #[serde(default = "yes")]
    #[schema(default = true)]
    grundy: bool,
}

/// A row of a board: `0` is a free cell and `1` a taken one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = TetrisSgRow, min_length = 1, max_length = 64, pattern = "^[01]+$", example = "0010")]
pub struct Row(String);

impl AsRef<str> for Row {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

const fn yes() -> bool {
    true
}

/// Which winning moves to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TetrisSgMoves)]
pub enum WireMoves {
    /// Every winning move.
    All,
    /// The first in order of board, row and column.
    #[default]
    One,
    /// No moves; `winning_moves` is left out.
    None,
}

/// The winner, and what else was asked for.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TetrisSgResponse)]
pub struct Response {
    /// `solved`, or `unknown` when the limits were reached before the winner was known.
    status: Status,
    /// Who wins when both play perfectly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    winner: Option<Winner>,
    /// The Grundy value; of several boards, the exclusive or of theirs. It is 0
    /// exactly when the second player wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, example = 5)]
    grundy: Option<u32>,
    /// The winning moves that were asked for, in order of board, row and
    /// column; empty when the second player wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    winning_moves: Option<Vec<WireMove>>,
    /// What was asked for beyond the winner but not decided within the limits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, min_items = 1)]
    undecided: Vec<Extra>,
    /// Why the winner is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<WireReason>,
    /// What the solve took. A node is one position whose options were looked at.
    stats: Stats,
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TetrisSgWinner)]
pub enum Winner {
    /// The player to move.
    First,
    /// The other one.
    Second,
}

/// A question beyond the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TetrisSgExtra)]
pub enum Extra {
    /// The Grundy value.
    Grundy,
    /// The winning moves.
    WinningMoves,
}

/// A square to place.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = TetrisSgMove)]
pub struct WireMove {
    /// The board, from 0.
    #[schema(minimum = 0, maximum = 63)]
    board: usize,
    /// Row of the square's top left cell, 0 on top.
    #[schema(minimum = 0, maximum = 62)]
    row: i32,
    /// Column of the square's top left cell, 0 at the left.
    #[schema(minimum = 0, maximum = 62)]
    col: i32,
}

/// Why the winner is not known.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TetrisSgReason)]
pub struct WireReason {
    /// Which limit ended the search.
    code: ReasonCode,
    /// A sentence a person can act on.
    message: String,
}

/// Which limit ended the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TetrisSgReasonCode)]
pub enum ReasonCode {
    /// The time limit.
    TimeLimit,
    /// The memory limit.
    MemoryLimit,
    /// The solve was cancelled.
    Cancelled,
}

impl Wire for TetrisSg {
    type Request = Request;
    type Response = Response;

    const SUMMARY: &'static str = "Who wins placing 2×2 squares?";

    const DESCRIPTION: &'static str = "Two players in turn place a 2×2 square on four free cells; \
        who cannot, loses. The answer says who wins, with the winning moves and the Grundy value \
        (the first player wins exactly when it is not 0).\n\n\
        A text body has cases of `N M` and N rows of M digits, to its end; the answer is `Yes` \
        (the first player wins) or `No`, a line each.\n\n\
        The free part of a board decides how hard it is: 64×64 cells with small free parts are \
        quick, an empty 9×10 board takes seconds. Whatever is asked for beyond the winner and not \
        decided in time is named in `undecided`.";

    fn examples() -> Vec<Example> {
        vec![
            Example {
                name: "board",
                summary: "An empty 4×4 board: the first player wins from the centre",
                request: json!({ "board": ["0000", "0000", "0000", "0000"] }),
            },
            Example {
                name: "all_moves",
                summary: "Every winning move of a board with holes",
                request: json!({
                    "board": ["0000100", "1000000", "0010000", "0001000", "1011000", "0100001", "0000000"],
                    "moves": "all"
                }),
            },
            Example {
                name: "sum",
                summary: "Two boards at once: the second player answers on the other board",
                request: json!({ "boards": [["00", "00"], ["000", "000"]], "moves": "none" }),
            },
        ]
    }

    fn text_example() -> &'static str {
        "4 4\n0000\n0000\n0000\n0000\n4 4\n0000\n0010\n0100\n0000\n"
    }

    fn board(request: Request) -> Result<Position, Invalid> {
        let Request { board, boards, moves, grundy } = request;
        let moves = match moves {
            WireMoves::All => MovesAsked::All,
            WireMoves::One => MovesAsked::One,
            WireMoves::None => MovesAsked::None,
        };
        let questions = Questions { moves, grundy };
        let (boards, is_sum) = match (board, boards) {
            (Some(board), None) => (vec![board], false),
            (None, Some(boards)) => (boards, true),
            (Some(_), Some(_)) => {
                let detail = "`board` and `boards` were both given; give one of them";
                return Err(Invalid::at_pointer("/boards", detail));
            }
            (None, None) => {
                let detail = "missing field `board`: give `board`, or `boards` for a sum";
                return Err(Invalid::at_pointer("", detail));
            }
        };
        Position::from_rows(&boards, questions).map_err(|fault| invalid(&fault, is_sum))
    }

    fn response(_: &Position, outcome: &OutcomeOf<Self>, stats: Stats) -> Response {
        let open = Response {
            status: Status::Unknown,
            winner: None,
            grundy: None,
            winning_moves: None,
            undecided: Vec::new(),
            reason: None,
            stats,
        };
        match outcome {
            Outcome::Solved(answer) => Response {
                status: Status::Solved,
                winner: Some(answer.winner.into()),
                grundy: answer.grundy,
                winning_moves: answer.winning_moves.as_ref().map(|moves| {
                    let wire = |play: &Move| {
                        let JsonCell { row, col } = play.cell.into();
                        WireMove { board: play.board, row, col }
                    };
                    moves.iter().map(wire).collect()
                }),
                undecided: answer.undecided.iter().copied().map(Extra::from).collect(),
                ..open
            },
            Outcome::Unsolvable(never) => match *never {},
            Outcome::Unknown { stop, .. } => Response {
                reason: Some(WireReason {
                    code: match stop {
                        Stop::TimeLimit => ReasonCode::TimeLimit,
                        Stop::MemoryLimit => ReasonCode::MemoryLimit,
                        Stop::Cancelled => ReasonCode::Cancelled,
                    },
                    message: stop_message(*stop).to_owned(),
                }),
                ..open
            },
        }
    }
}

impl From<answer::Winner> for Winner {
    fn from(winner: answer::Winner) -> Self {
        match winner {
            answer::Winner::First => Self::First,
            answer::Winner::Second => Self::Second,
        }
    }
}

impl From<answer::Extra> for Extra {
    fn from(extra: answer::Extra) -> Self {
        match extra {
            answer::Extra::Grundy => Self::Grundy,
            answer::Extra::WinningMoves => Self::WinningMoves,
        }
    }
}

/// The fault with the pointer of its place.
fn invalid(fault: &PositionError, is_sum: bool) -> Invalid {
    let of_board = |board: usize| match is_sum {
        true => format!("/boards/{board}"),
        false => "/board".to_owned(),
    };
    let (pointer, limit) = match *fault {
        PositionError::NoBoard => ("/boards".to_owned(), None),
        PositionError::TooManyBoards { boards } => {
            ("/boards".to_owned(), Some((MAX_BOARDS, boards)))
        }
        PositionError::Empty { board } => (of_board(board), None),
        PositionError::TooManyRows { board, rows } => (of_board(board), Some((MAX_SIDE, rows))),
        PositionError::TooLongRow { board, row, cells } => {
            (format!("{}/{row}", of_board(board)), Some((MAX_SIDE, cells)))
        }
        PositionError::Ragged { board, row, .. } | PositionError::NotACell { board, row, .. } => {
            (format!("{}/{row}", of_board(board)), None)
        }
    };
    let detail = match *fault {
        PositionError::NotACell { col, .. } => format!("at character {}, {fault}", col + 1),
        _ => fault.to_string(),
    };
    let invalid = Invalid::at_pointer(pointer, detail);
    match limit {
        Some((limit, actual)) => invalid.with_limit(limit as u64, actual as u64),
        None => invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::wire::stop_code;
    use crate::puzzle::{Limit, Place};

    fn read(request: serde_json::Value) -> Result<Position, Invalid> {
        TetrisSg::board(serde_json::from_value(request).unwrap())
    }

    #[test]
    fn a_fault_points_at_its_place() {
        let pointer = |request| match read(request).unwrap_err().place {
            Place::Pointer(pointer) => pointer,
            place => panic!("{place:?} is no pointer"),
        };
        assert_eq!(pointer(json!({})), "");
        assert_eq!(pointer(json!({ "board": ["0"], "boards": [["0"]] })), "/boards");
        assert_eq!(pointer(json!({ "board": [] })), "/board");
        assert_eq!(pointer(json!({ "boards": [] })), "/boards");
        assert_eq!(pointer(json!({ "boards": [["0"], [""]] })), "/boards/1");
        assert_eq!(pointer(json!({ "boards": [["0"], ["00", "0"]] })), "/boards/1/1");
        assert_eq!(pointer(json!({ "board": ["00", "0x"] })), "/board/1");
        let fault = read(json!({ "board": vec!["0"; 70] })).unwrap_err();
        assert_eq!(fault.limit, Some(Limit { limit: 64, actual: 70 }));
    }

    #[test]
    fn null_and_unknown_fields_and_words_are_refused() {
        let refused = |request| serde_json::from_value::<Request>(request).is_err();
        assert!(refused(json!({ "board": null })));
        assert!(refused(json!({ "board": ["0"], "boards": null })));
        assert!(refused(json!({ "board": ["0"], "grundy": null })));
        assert!(refused(json!({ "board": ["0"], "moves": "some" })));
        assert!(refused(json!({ "board": ["0"], "outside": true })));
    }

    #[test]
    fn every_stop_has_the_code_that_all_puzzles_share() {
        for (stop, code) in [
            (Stop::TimeLimit, ReasonCode::TimeLimit),
            (Stop::MemoryLimit, ReasonCode::MemoryLimit),
            (Stop::Cancelled, ReasonCode::Cancelled),
        ] {
            assert_eq!(json!(code), json!(stop_code(stop)));
        }
    }
}
