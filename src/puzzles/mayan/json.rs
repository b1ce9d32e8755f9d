//! The JSON form: request, answer, and their schemas.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};

use crate::budget::Stop;
use crate::http::wire::{Example, Stats, Status, Wire, stop_message};
use crate::puzzle::{Invalid, Outcome, OutcomeOf};

use super::Mayan;
use super::answer::Reason;
use super::board::{
    Board, BoardError, COLUMNS, Goal, HEIGHT, MAX_COLOUR, MAX_STEPS, Move, Rules, Vanished,
};

/// A board to clear.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MayanRequest)]
pub struct Request {
    /// The number of moves; with `goal` `fewest`, the most of them.
    #[schema(minimum = 1, maximum = 10, example = 3)]
    steps: i64,
    #[schema(schema_with = columns_schema)]
    columns: Vec<Vec<i64>>,
    /// What `steps` means.
    #[serde(default)]
    #[schema(default = "exact")]
    goal: WireGoal,
    /// Whether a swap of two blocks of one colour, which changes nothing, is a move.
    #[serde(default)]
    #[schema(default = false)]
    same_colour_swaps: bool,
}

/// The schema of a request's columns, which says what holds of each column and colour.
fn columns_schema() -> Array {
    let colour = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1))
        .maximum(Some(f64::from(MAX_COLOUR)));
    let column = ArrayBuilder::new().items(colour).max_items(Some(HEIGHT));
    ArrayBuilder::new()
        .items(column)
        .min_items(Some(COLUMNS))
        .max_items(Some(COLUMNS))
        .description(Some(
            "The five columns from left to right, each its blocks' colours bottom-up: at most 7 \
             blocks, colours 1 to 10. No run of three may stand on the board.",
        ))
        .examples([json!([[1], [2, 1], [2, 3, 4], [3, 1], [2, 4, 3, 4]])])
        .build()
}

/// What the number of steps means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = MayanGoal)]
pub enum WireGoal {
    /// Exactly `steps` moves, as the contest has it.
    #[default]
    Exact,
    /// As few moves as possible, at most `steps`.
    Fewest,
}

/// Whether the board can be cleared, and how.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MayanResponse)]
pub struct Response {
    /// `solved`: `moves` clear the board. `unsolvable`: no moves do.
    status: Status,
    /// The moves, in order: the smallest sequence by `x`, then `y`, then `g` with
    /// 1 before −1. Empty only for an empty board with `goal` `fewest`. There
    /// exactly when `status` is `solved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 10)]
    moves: Option<Vec<WireMove>>,
    /// For each move the rounds of blocks that vanish after it; a round lists the
    /// blocks that vanish together, at their places of that moment. There exactly
    /// when `status` is `solved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 10)]
    cascade: Option<Vec<Vec<Vec<WireVanished>>>>,
    /// No solution has fewer moves than this. There exactly when `status` is `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 10)]
    at_least: Option<u8>,
    /// Why the board was not solved. There exactly when `status` is not `solved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<WireReason>,
    /// What the solve took; a node is a position whose moves were looked at.
    stats: Stats,
}

/// The drag of one block by one column.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = MayanMove)]
pub struct WireMove {
    /// Column of the block, 0 at the left.
    #[schema(minimum = 0, maximum = 4, example = 2)]
    x: usize,
    /// Height of the block, 0 at the bottom.
    #[schema(minimum = 0, maximum = 6, example = 1)]
    y: usize,
    /// 1 to the right, −1 to the left.
    #[schema(minimum = -1, maximum = 1, example = 1)]
    g: i8,
}

/// A block that vanished, and where it was then.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = MayanVanished)]
pub struct WireVanished {
    /// Column, 0 at the left.
    #[schema(minimum = 0, maximum = 4)]
    x: usize,
    /// Height, 0 at the bottom.
    #[schema(minimum = 0, maximum = 6)]
    y: usize,
    /// Colour.
    #[schema(minimum = 1, maximum = 10)]
    colour: u8,
}

/// Why a board was not solved.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MayanReason)]
pub struct WireReason {
    /// What kind of reason it is.
    code: ReasonCode,
    /// The reason as a sentence.
    message: String,
    /// Of `too_few` and `too_far`: the colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 10)]
    colour: Option<u8>,
    /// Of `too_few`: how many blocks the colour has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 2)]
    count: Option<usize>,
    /// Of `too_far`: the fewest moves that the colour needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 2)]
    bound: Option<u8>,
    /// Of `too_far`: the moves that there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 10)]
    steps: Option<u8>,
    /// Of `exhausted`: how many positions the finished search looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    positions: Option<u64>,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MayanReasonCode)]
pub enum ReasonCode {
    /// A colour has one or two blocks: `colour`, `count`.
    TooFew,
    /// A colour's blocks stand too far apart: `colour`, `bound`, `steps`.
    TooFar,
    /// A finished search found no moves: `positions`.
    Exhausted,
    /// The time limit was reached.
    TimeLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The solve was cancelled.
    Cancelled,
}

impl Wire for Mayan {
    type Request = Request;
    type Response = Response;

    const SUMMARY: &'static str = "Clear a board of falling blocks in exactly n moves (Mayan)";

    const DESCRIPTION: &'static str = "\
Five columns hold at most seven blocks each. A move drags one block one column left or right: onto \
a block, they swap; onto an empty place, it leaves its column and falls. Then all runs of three or \
more of a colour, in rows and columns, vanish together, what is above them falls, and so on until \
nothing vanishes.

The answer is the smallest sequence of *exactly* `steps` moves that clears the board, by x, then y, \
then g (1, to the right, before −1); with `goal` `fewest`, the smallest among the shortest up to \
`steps`. A board that can't be cleared gets the first of these reasons that applies: `too_few`, \
`too_far`, `exhausted` (a finished search).

Text form (NOIP 2011, Luogu P1312): `n`, then five lines, a column bottom-up each, ending in 0; \
cases may follow each other. The answer of a case is a line `x y g` a move, or `-1`.";

    fn examples() -> Vec<Example> {
        vec![
            Example {
                name: "contest",
                summary: "The contest's sample: three moves",
                request: json!({
                    "steps": 3, "columns": [[1], [2, 1], [2, 3, 4], [3, 1], [2, 4, 3, 4]]
                }),
            },
            Example {
                name: "fewest",
                summary: "As few moves as possible, at most eight",
                request: json!({
                    "steps": 8,
                    "columns": [[], [1, 2, 3, 2, 4], [4, 5, 2, 4, 6, 1, 1], [6, 5, 3, 6, 5], [5, 3, 5, 5]],
                    "goal": "fewest"
                }),
            },
            Example {
                name: "same_colour_swaps",
                summary: "A swap that changes nothing fills a step",
                request: json!({
                    "steps": 2, "columns": [[], [], [], [1, 1], [1]], "same_colour_swaps": true
                }),
            },
            Example {
                name: "too_few",
                summary: "Two blocks of a colour can't vanish",
                request: json!({ "steps": 5, "columns": [[1, 2], [1], [2], [1], [2, 3, 3]] }),
            },
        ]
    }

    fn text_example() -> &'static str {
        "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n"
    }

    fn board(request: Request) -> Result<Board, Invalid> {
        let goal = match request.goal {
            WireGoal::Exact => Goal::Exact,
            WireGoal::Fewest => Goal::Fewest,
        };
        let rules = Rules { goal, same_colour_swaps: request.same_colour_swaps };
        Board::new(request.steps, &request.columns, rules).map_err(invalid)
    }

    fn response(_: &Board, outcome: &OutcomeOf<Self>, stats: Stats) -> Response {
        let blank = Response {
            status: Status::Solved,
            moves: None,
            cascade: None,
            at_least: None,
            reason: None,
            stats,
        };
        match outcome {
            Outcome::Solved(answer) => {
                let round = |round: &Vec<Vanished>| round.iter().map(WireVanished::from).collect();
                let rounds = |rounds: &Vec<_>| rounds.iter().map(round).collect();
                Response {
                    moves: Some(answer.moves.iter().map(WireMove::from).collect()),
                    cascade: Some(answer.cascade.iter().map(rounds).collect()),
                    ..blank
                }
            }
            Outcome::Unsolvable(reason) => Response {
                status: Status::Unsolvable,
                reason: Some(WireReason::from(reason)),
                ..blank
            },
            Outcome::Unknown { stop, learnt } => Response {
                status: Status::Unknown,
                at_least: Some(learnt.at_least),
                reason: Some(WireReason::from(*stop)),
                ..blank
            },
        }
    }
}

/// The fault with the pointer of its place.
fn invalid(fault: BoardError) -> Invalid {
    let (pointer, limit) = match fault {
        BoardError::Steps(steps) => {
            let limit = u64::try_from(steps).ok().filter(|&steps| steps > 0);
            ("/steps".to_owned(), limit.map(|steps| (u64::from(MAX_STEPS), steps)))
        }
        BoardError::ColumnCount(count) => {
            let limit = (count > COLUMNS).then_some((COLUMNS as u64, count as u64));
            ("/columns".to_owned(), limit)
        }
        BoardError::TooHigh { x, blocks } => {
            (format!("/columns/{x}"), Some((HEIGHT as u64, blocks as u64)))
        }
        BoardError::Colour { x, y, .. } | BoardError::Vanishes(Vanished { x, y, .. }) => {
            (format!("/columns/{x}/{y}"), None)
        }
    };
    let invalid = Invalid::at_pointer(pointer, fault.to_string());
    match limit {
        Some((limit, actual)) => invalid.with_limit(limit, actual),
        None => invalid,
    }
}

impl From<&Move> for WireMove {
    fn from(played: &Move) -> Self {
        Self { x: played.x, y: played.y, g: played.drag.sign() }
    }
}

impl From<&Vanished> for WireVanished {
    fn from(vanished: &Vanished) -> Self {
        Self { x: vanished.x, y: vanished.y, colour: vanished.colour }
    }
}

impl From<&Reason> for WireReason {
    fn from(reason: &Reason) -> Self {
        match *reason {
            Reason::TooFew { colour, count } => {
                let blocks = if count == 1 { "block" } else { "blocks" };
                let message = format!(
                    "Colour {colour} has {count} {blocks}, and only three or more vanish together."
                );
                Self {
                    colour: Some(colour),
                    count: Some(count),
                    ..Self::bare(ReasonCode::TooFew, message)
                }
            }
            Reason::TooFar { colour, bound, steps } => {
                let step = if steps == 1 { "step" } else { "steps" };
                let message = format!(
                    "The blocks of colour {colour} need at least {bound} moves to come into lines, \
                     and there are {steps} {step}."
                );
                Self {
                    colour: Some(colour),
                    bound: Some(bound),
                    steps: Some(steps),
                    ..Self::bare(ReasonCode::TooFar, message)
                }
            }
            Reason::Exhausted { positions } => {
                let message = "A finished search found no moves that clear the board.".to_owned();
                Self { positions: Some(positions), ..Self::bare(ReasonCode::Exhausted, message) }
            }
        }
    }
}

impl From<Stop> for WireReason {
    fn from(stop: Stop) -> Self {
        let code = match stop {
            Stop::TimeLimit => ReasonCode::TimeLimit,
            Stop::MemoryLimit => ReasonCode::MemoryLimit,
            Stop::Cancelled => ReasonCode::Cancelled,
        };
        Self::bare(code, stop_message(stop).to_owned())
    }
}

impl WireReason {
    const fn bare(code: ReasonCode, message: String) -> Self {
        Self { code, message, colour: None, count: None, bound: None, steps: None, positions: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::http::wire::stop_code;
    use crate::puzzle::{Limit, Place, Puzzle};

    fn read(request: serde_json::Value) -> Result<Board, Invalid> {
        Mayan::board(serde_json::from_value(request).unwrap())
    }

    #[test]
    fn a_fault_points_at_its_place() {
        let pointer = |request| match read(request).unwrap_err().place {
            Place::Pointer(pointer) => pointer,
            place => panic!("{place:?} is no pointer"),
        };
        assert_eq!(pointer(json!({ "steps": 0, "columns": [[], [], [], [], []] })), "/steps");
        assert_eq!(pointer(json!({ "steps": 1, "columns": [[]] })), "/columns");
        let high = [1, 2, 1, 2, 1, 2, 1, 2];
        let request = json!({ "steps": 1, "columns": [[], high, [], [], []] });
        assert_eq!(pointer(request), "/columns/1");
        let request = json!({ "steps": 1, "columns": [[], [], [1, 0], [], []] });
        assert_eq!(pointer(request), "/columns/2/1");
        let request = json!({ "steps": 1, "columns": [[], [], [1], [1], [1]] });
        assert_eq!(pointer(request), "/columns/2/0");
        let request = json!({ "steps": 11, "columns": [[], [], [], [], []] });
        assert_eq!(read(request).unwrap_err().limit, Some(Limit { limit: 10, actual: 11 }));
    }

    #[test]
    fn a_field_that_is_unknown_or_null_is_refused() {
        for request in [
            json!({ "steps": 1, "columns": [[], [], [], [], []], "colour": 1 }),
            json!({ "steps": 1, "columns": [[], [], [], [], []], "goal": null }),
            json!({ "steps": 1, "columns": [[], [], [], [], []], "same_colour_swaps": null }),
            json!({ "steps": 1, "columns": [[], [], [], [], null] }),
            json!({ "steps": 1 }),
        ] {
            assert!(serde_json::from_value::<Request>(request.clone()).is_err(), "{request}");
        }
    }

    #[test]
    fn the_first_example_is_answered_with_moves_and_cascade() {
        let board = read(Mayan::examples().remove(0).request).unwrap();
        let outcome = Mayan::solve(&board, &mut Budget::unlimited());
        let stats = Stats { time_ms: 0.0, nodes: 0, time_limit_ms: 1 };
        let response = json!(Mayan::response(&board, &outcome, stats));
        assert_eq!(
            response["moves"],
            json!([{ "x": 2, "y": 1, "g": 1 }, { "x": 3, "y": 1, "g": 1 }, { "x": 3, "y": 0, "g": 1 }])
        );
        assert_eq!(response["cascade"].as_array().map(Vec::len), Some(3));
        assert_eq!(response.get("reason"), None);
    }

    #[test]
    fn the_codes_of_a_stopped_search_are_those_that_all_puzzles_share() {
        for stop in [Stop::TimeLimit, Stop::MemoryLimit, Stop::Cancelled] {
            assert_eq!(json!(WireReason::from(stop).code), json!(stop_code(stop)));
        }
    }
}
