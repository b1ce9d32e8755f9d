//! The JSON form: request, answer, and their schemas.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::budget::Stop;
use crate::http::wire::{Example, JsonCell, Stats, Status, Wire, stop_code, stop_message};
use crate::puzzle::{Invalid, Outcome, OutcomeOf};

use super::Linkgame;
use super::board::{Board, BoardError, MAX_SIDE, MAX_TURNS, Move, Reason, Rules};

/// A board to clear.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LinkgameRequest)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The rows, top to bottom, all equally long (1 to 30 characters). `*` is an empty
    /// cell; any other character but white space is a tile of the kind it names.
    #[schema(min_items = 1, max_items = 30, example = json!(["AB*", "*BA"]))]
    pub board: Vec<Row>,
    /// Whether a path may leave the board. Most apps and KShisen play `true`.
    #[serde(default)]
    #[schema(default = false)]
    pub outside: bool,
    /// Whether every column falls after each removal; paths then refer to the board at
    /// that moment, and no tile of the request may stand over an empty cell.
    #[serde(default)]
    #[schema(default = false)]
    pub gravity: bool,
    /// The most turns of a path, 0 to 3.
    #[serde(default = "two_turns")]
    #[schema(default = 2, minimum = 0, maximum = 3)]
    pub max_turns: u32,
}

/// A row of a board.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = LinkgameRow, min_length = 1, max_length = 30, example = "AB*")]
pub struct Row(String);

impl AsRef<str> for Row {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

const fn two_turns() -> u32 {
    2
}

/// Whether the board can be cleared, and how.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LinkgameResponse)]
pub struct Response {
    /// `solved`: `moves` clear the board. `unsolvable`: no order does.
    pub status: Status,
    /// The removals, in order; empty for an empty board. There exactly when `status` is `solved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 450)]
    pub moves: Option<Vec<JsonMove>>,
    /// The most tiles that any order tried has cleared. There exactly when `status` is `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 900)]
    pub most_cleared: Option<usize>,
    /// Why the board was not solved. There exactly when `status` is not `solved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<JsonReason>,
    /// What the solve took; a node is a move tried or a pairing decided.
    pub stats: Stats,
}

/// The removal of two tiles.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LinkgameMove)]
pub struct JsonMove {
    /// The kind of both tiles: one character.
    #[schema(example = "A")]
    pub tile: char,
    /// The one tile, the corners of the path, the other tile. A cell outside the board
    /// has a row or column of −1 or one past the edge. Under gravity, places on the
    /// board at the moment of the move.
    #[schema(min_items = 2, max_items = 5)]
    pub path: Vec<JsonCell>,
}

/// Why a board was not solved.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LinkgameReason)]
pub struct JsonReason {
    /// What kind of reason it is.
    pub code: Code,
    /// The reason as a sentence.
    #[schema(example = "There are 3 tiles `A`: an odd number can't be cleared in pairs.")]
    pub message: String,
    /// Of `odd_kind`: the kind, one character.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "A")]
    pub kind: Option<char>,
    /// Of `odd_kind`: how many tiles of the kind there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 899)]
    pub count: Option<usize>,
    /// Of `locked`: the tiles that lock each other in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 900)]
    pub cells: Option<Vec<JsonCell>>,
    /// Of `exhausted`: how many positions the finished search looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    pub positions: Option<u64>,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = LinkgameReasonCode)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// A kind has an odd number of tiles: `kind`, `count`.
    OddKind,
    /// Tiles lock each other in: with every tile outside `cells` taken away as an
    /// obstacle but kept as a partner (under gravity: at any height to which it can
    /// fall), none of them can be joined to another of its kind.
    Locked,
    /// A finished search found no way: `positions`.
    Exhausted,
    /// The time limit was reached.
    TimeLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The solve was cancelled.
    Cancelled,
}

impl Wire for Linkgame {
    type Request = Request;
    type Response = Response;

    const SUMMARY: &'static str = "Clear a board of tiles pair by pair (Lianliankan, Shisen-Sho)";
    const DESCRIPTION: &'static str = "\
Two tiles of one kind go if a path of at most `max_turns` + 1 horizontal or vertical segments \
joins them through empty cells. Is there an order that clears the board?

The answer lists the removals with their paths. A board that can't be cleared gets the first of \
these reasons that applies: `odd_kind`, `locked` (a small set of tiles that lock each other in), \
`exhausted` (a finished search).

Boards have 1 to 30 rows and columns. With `gravity` every column falls after each removal.

Text form (POJ 2308): cases `N M` and N rows of M characters, `0 0` at the end; the answers are \
`yes` or `no`, a line each.";

    fn examples() -> Vec<Example> {
        vec![
            Example {
                name: "contest",
                summary: "A small board with empty cells",
                request: json!({ "board": ["AB*", "*BA"] }),
            },
            Example {
                name: "outside",
                summary: "A board that is cleared only by leaving it",
                request: json!({ "board": ["*DCD", "ACA*"], "outside": true }),
            },
            Example {
                name: "locked",
                summary: "Four tiles that lock each other in",
                request: json!({ "board": ["AB", "BA"], "outside": true }),
            },
            Example {
                name: "gravity",
                summary: "Columns that fall",
                request: json!({
                    "board": ["🀀🀁🀂🀃", "🀁🀀🀃🀂", "🀀🀀🀂🀂"],
                    "outside": true,
                    "gravity": true
                }),
            },
        ]
    }

    fn text_example() -> &'static str {
        "2 3\nAB*\n*BA\n2 2\nAB\nBA\n0 0\n"
    }

    fn board(request: Request) -> Result<Board, Invalid> {
        let max_turns = u8::try_from(request.max_turns).unwrap_or(u8::MAX);
        let rules = Rules { outside: request.outside, gravity: request.gravity, max_turns };
        Board::from_rows(&request.board, rules).map_err(|fault| match fault {
            BoardError::TooManyTurns(_) => Invalid::at_pointer(
                "/max_turns",
                format!("a path may have 0 to {MAX_TURNS} turns, not {}", request.max_turns),
            )
            .with_limit(u64::from(MAX_TURNS), u64::from(request.max_turns)),
            BoardError::NoRow => Invalid::at_pointer("/board", fault.to_string()),
            BoardError::NoColumn => Invalid::at_pointer("/board/0", fault.to_string()),
            BoardError::TooLarge(size) => Invalid::at_pointer("/board", fault.to_string())
                .with_limit(MAX_SIDE as u64, size.rows.max(size.cols) as u64),
            BoardError::Ragged { row, .. } => {
                Invalid::at_pointer(format!("/board/{row}"), fault.to_string())
            }
            BoardError::WhiteSpace(cell) | BoardError::Floating(cell) => Invalid::at_pointer(
                format!("/board/{}", cell.row),
                format!("{fault} (character {}, from 0)", cell.col),
            ),
        })
    }

    fn response(_board: &Board, outcome: &OutcomeOf<Self>, stats: Stats) -> Response {
        let blank = Response {
            status: Status::Solved,
            moves: None,
            most_cleared: None,
            reason: None,
            stats,
        };
        match outcome {
            Outcome::Solved(answer) => {
                Response { moves: Some(answer.moves.iter().map(JsonMove::from).collect()), ..blank }
            }
            Outcome::Unsolvable(reason) => Response {
                status: Status::Unsolvable,
                reason: Some(JsonReason::from(reason)),
                ..blank
            },
            Outcome::Unknown { stop, learnt } => Response {
                status: Status::Unknown,
                most_cleared: Some(learnt.most_cleared),
                reason: Some(JsonReason::from(*stop)),
                ..blank
            },
        }
    }
}

impl From<&Move> for JsonMove {
    fn from(played: &Move) -> Self {
        Self { tile: played.tile, path: played.path.iter().copied().map(Into::into).collect() }
    }
}

impl From<&Reason> for JsonReason {
    fn from(reason: &Reason) -> Self {
        match reason {
            Reason::OddKind { kind, count } => Self {
                kind: Some(*kind),
                count: Some(*count),
                ..Self::bare(
                    Code::OddKind,
                    match count {
                        1 => format!("There is only one tile `{kind}`: it has no partner."),
                        _ => format!(
                            "There are {count} tiles `{kind}`: an odd number can't be cleared in pairs."
                        ),
                    },
                )
            },
            Reason::Locked { cells } => Self {
                cells: Some(cells.iter().copied().map(Into::into).collect()),
                ..Self::bare(
                    Code::Locked,
                    format!(
                        "These {} tiles lock each other in: even if every other tile were no \
                         obstacle, none of them could be joined to another of its kind.",
                        cells.len()
                    ),
                )
            },
            Reason::Exhausted { positions } => Self {
                positions: Some(*positions),
                ..Self::bare(
                    Code::Exhausted,
                    "A finished search found no order that clears the board.".to_owned(),
                )
            },
        }
    }
}

impl From<Stop> for JsonReason {
    fn from(stop: Stop) -> Self {
        let code = match stop {
            Stop::TimeLimit => Code::TimeLimit,
            Stop::MemoryLimit => Code::MemoryLimit,
            Stop::Cancelled => Code::Cancelled,
        };
        debug_assert_eq!(json!(code), json!(stop_code(stop)));
        Self::bare(code, stop_message(stop).to_owned())
    }
}

impl JsonReason {
    const fn bare(code: Code, message: String) -> Self {
        Self { code, message, kind: None, count: None, cells: None, positions: None }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::budget::Budget;
    use crate::puzzle::{Limit, Place, Puzzle};

    fn board_of(request: Value) -> Result<Board, Invalid> {
        Linkgame::board(serde_json::from_value(request).expect("the request has the right form"))
    }

    fn answer_to(request: Value) -> Value {
        let board = board_of(request).expect("the board is legal");
        let mut budget = Budget::unlimited();
        let outcome = Linkgame::solve(&board, &mut budget);
        let stats = Stats { time_ms: 0.0, nodes: 0, time_limit_ms: 1 };
        let mut answer = json!(Linkgame::response(&board, &outcome, stats));
        answer.as_object_mut().expect("an answer is an object").remove("stats");
        answer
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let board = board_of(json!({ "board": ["AA"] })).unwrap();
        assert_eq!(board.rules(), Rules::default());
    }

    #[test]
    fn unknown_fields_and_null_are_refused() {
        for request in [
            json!({ "board": ["AA"], "turns": 2 }),
            json!({ "board": ["AA"], "outside": null }),
            json!({ "board": ["AA"], "max_turns": -1 }),
            json!({ "board": null }),
            json!({ "outside": true }),
        ] {
            assert!(serde_json::from_value::<Request>(request.clone()).is_err(), "{request}");
        }
    }

    #[test]
    fn a_fault_points_at_its_place() {
        let place = |request: Value| {
            let fault = board_of(request).unwrap_err();
            let Place::Pointer(pointer) = fault.place else { panic!("{:?}", fault.place) };
            (pointer, fault.limit)
        };
        let limit = |limit, actual| Some(Limit { limit, actual });
        assert_eq!(place(json!({ "board": [] })), ("/board".into(), None));
        assert_eq!(place(json!({ "board": [""] })), ("/board/0".into(), None));
        assert_eq!(place(json!({ "board": ["AB", "A"] })), ("/board/1".into(), None));
        assert_eq!(place(json!({ "board": ["AB", "A\t"] })), ("/board/1".into(), None));
        let wide = json!({ "board": ["A".repeat(31)] });
        assert_eq!(place(wide), ("/board".into(), limit(30, 31)));
        let turns = json!({ "board": ["AA"], "max_turns": 300 });
        assert_eq!(place(turns), ("/max_turns".into(), limit(3, 300)));
        let hanging = json!({ "board": ["AA", "*A"], "gravity": true });
        assert_eq!(place(hanging), ("/board/0".into(), None));
    }

    #[test]
    fn answers_leave_out_what_does_not_apply() {
        assert_eq!(
            answer_to(json!({ "board": ["A*", "*A"] })),
            json!({ "status": "solved", "moves": [{ "tile": "A", "path": [
                { "row": 0, "col": 0 }, { "row": 0, "col": 1 }, { "row": 1, "col": 1 }
            ] }] })
        );
        assert_eq!(
            answer_to(json!({ "board": ["*"] })),
            json!({ "status": "solved", "moves": [] })
        );
        assert_eq!(
            answer_to(json!({ "board": ["AAA"] })),
            json!({ "status": "unsolvable", "reason": {
                "code": "odd_kind",
                "message": "There are 3 tiles `A`: an odd number can't be cleared in pairs.",
                "kind": "A",
                "count": 3
            } })
        );
        let single = answer_to(json!({ "board": ["AB", "*B"] }))["reason"].take();
        assert_eq!(single["message"], "There is only one tile `A`: it has no partner.");
        assert_eq!(single["count"], 1);
        let locked = answer_to(json!({ "board": ["AB", "BA"] }));
        assert_eq!(locked["reason"]["code"], "locked");
        assert_eq!(locked["reason"]["cells"].as_array().map(Vec::len), Some(4));
    }

    #[test]
    fn every_example_is_decided() {
        for example in Linkgame::examples() {
            let status = answer_to(example.request)["status"].clone();
            assert_ne!(status, "unknown", "{}", example.name);
        }
        assert_eq!(answer_to(Linkgame::examples().remove(0).request)["status"], "solved");
    }
}
