//! The JSON request and answer.
//!
//! 100 000 paths are written out straight from the store that the solve filled:
//! an answer shares it, and copies nothing.

use std::num::NonZeroU32;

use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use utoipa::ToSchema;

use super::MahjongPath;
use super::answer::{Path, Paths};
use super::board::{Board, BoardError, End, MAX_PAIRS, MAX_SIDE, Options, Pair, tiles_of_rows};
use crate::budget::Stop;
use crate::grid::Cell;
use crate::http::wire::{Example, JsonCell, Stats, Status, Wire, object, present, stop_message};
use crate::puzzle::{Invalid, Outcome, OutcomeOf};

/// A board, and the pairs of tiles to be joined.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MahjongPathRequest)]
pub struct Request {
    /// The rows of the board, all of one length: 1 to 1000 rows of 1 to 1000
    /// characters. A blank (U+0020) is an empty cell and any other character a
    /// tile; other white space is refused.
    #[schema(min_items = 1, max_items = 1000, example = json!(["XXXXX", "X   X", "XXX X", " XXX "]))]
    board: Vec<Row>,
    /// The pairs to be joined, each answered by one path, in this order.
    #[serde(deserialize_with = "pairs_of_objects")]
    #[schema(value_type = Vec<JsonPair>, max_items = 100_000)]
    pairs: Vec<Pair>,
    /// Whether a path may leave the board.
    #[serde(default = "yes")]
    #[schema(default = true)]
    outside: bool,
    /// The most segments of a path, from 1; a pair that needs more is answered
    /// as having no path. No cap when left out.
    #[serde(default, deserialize_with = "present")]
    #[schema(minimum = 1, maximum = 4_294_967_295_u32, nullable = false, value_type = u64)]
    max_segments: Option<u32>,
    /// Whether the corners of each path are given, and not only the number of
    /// its segments.
    #[serde(default = "yes")]
    #[schema(default = true)]
    corners: bool,
}

/// A row of a board.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = MahjongPathRow, min_length = 1, max_length = 1000, example = "X   X")]
pub struct Row(String);

impl AsRef<str> for Row {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

const fn yes() -> bool {
    true
}

/// Two different tiles. What stands on them does not matter.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MahjongPathPair)]
pub struct JsonPair {
    /// The tile where the path begins.
    from: JsonCell,
    /// The tile where it ends.
    to: JsonCell,
}

/// Reads the pairs, each from an object alone.
fn pairs_of_objects<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pair>, D::Error> {
    struct OfObject(Pair);

    impl<'de> Deserialize<'de> for OfObject {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let JsonPair { from, to } = object(deserializer)?;
            Ok(Self(Pair { from: from.into(), to: to.into() }))
        }
    }

    let pairs = Vec::<OfObject>::deserialize(deserializer)?;
    Ok(pairs.into_iter().map(|OfObject(pair)| pair).collect())
}

/// The paths, one a pair.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MahjongPathResponse)]
pub struct Response {
    /// `solved` whatever the paths say, or `unknown`.
    status: Status,
    /// One path a pair, in the order of the pairs. Left out when `status` is `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<JsonPath>, required = false, max_items = 100_000)]
    paths: Option<SharedPaths>,
    /// With `unknown`: how many pairs had been answered when the limit was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 100_000)]
    answered: Option<usize>,
    /// Why the status is `unknown`. Left out when it is `solved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<JsonReason>,
    /// What the solve took. A node is a line of free cells that a
    /// search went on from, a level of a wave, or a corner.
    stats: Stats,
}

/// A path of horizontal and vertical segments.
///
/// Among the paths with the fewest segments, the segments are compared one by
/// one from `to` back to `from`: the shorter goes first, and of equally long
/// ones the order is north, east, south, west, as seen from `to`. The first path
/// in that order is given.
#[derive(Clone, Debug, ToSchema)]
#[schema(as = MahjongPathPath)]
#[allow(dead_code, reason = "it describes what `SharedPaths` writes")]
pub struct JsonPath {
    /// The fewest segments that join the pair; 0 when there is no path.
    #[schema(minimum = 0, example = 4)]
    segments: u32,
    /// The cells from `from` to `to`, both included, with each turn between:
    /// `segments` + 1 of them, or none when there is no path. A cell outside the
    /// board has a row or column of −1 or one past the edge. Left out with
    /// `"corners": false`.
    #[schema(required = false)]
    corners: Vec<JsonCell>,
}

/// Why the paths are not known.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MahjongPathReason)]
pub struct JsonReason {
    /// Which limit was reached.
    code: ReasonCode,
    /// The same as a sentence, with what can be done.
    message: String,
}

/// The limits that end a solve.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MahjongPathReasonCode)]
pub enum ReasonCode {
    /// The time limit was reached.
    TimeLimit,
    /// The memory limit was reached, for example by very many or very long paths.
    MemoryLimit,
    /// The solve was cancelled.
    Cancelled,
}

/// The paths, written as [`JsonPath`]s.
#[derive(Clone, Debug)]
pub struct SharedPaths {
    paths: Paths,
    with_corners: bool,
}

impl Serialize for SharedPaths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.paths.len()))?;
        for path in self.paths.iter() {
            let corners = self.with_corners.then_some(Corners(path));
            list.serialize_element(&WrittenPath { segments: path.segments(), corners })?;
        }
        list.end()
    }
}

#[derive(Serialize)]
struct WrittenPath<'paths> {
    segments: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    corners: Option<Corners<'paths>>,
}

struct Corners<'paths>(Path<'paths>);

impl Serialize for Corners<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.corners().map(JsonCell::from))
    }
}

impl Wire for MahjongPath {
    type Request = Request;
    type Response = Response;

    const SUMMARY: &'static str = "Fewest segments between pairs of tiles";

    const DESCRIPTION: &'static str = "\
Two tiles are joined by a path of horizontal and vertical segments that runs \
through empty cells only. For each pair the answer gives the fewest segments of \
such a path, and its corners.\n\n\
- Any character but the blank is a tile, and any two different tiles may be asked \
for: what stands on them does not matter.\n\
- A path may leave the board, unless `outside` is false.\n\
- Tiles side by side are joined by one segment.\n\
- A pair without a path, or one that needs more than `max_segments`, has \
`segments` 0 and no corners; `status` is `solved` all the same.\n\
- Several paths may have the fewest segments. Their segments are compared one by \
one from `to` back to `from`: the shorter goes first, and of equally long ones the \
order is north, east, south, west, as seen from `to`. The first path in that order \
is given.\n\n\
An end without a tile, an end off the board and two equal ends are refused, \
naming the pair. Up to 1000 × 1000 cells and 100 000 pairs; pairs that share a \
tile share its search, so many pairs belong into one request.\n\n\
Text form: `w h`, h rows of w characters, then lines `x1 y1 x2 y2` (from 1; x is \
the column) until `0 0 0 0`; another board may follow, and `0 0` ends. The answer \
is a number a line and pair.";

    fn examples() -> Vec<Example> {
        vec![
            Example {
                name: "contest",
                summary: "The board of the contest: four segments, three, and no path",
                request: json!({
                    "board": ["XXXXX", "X   X", "XXX X", " XXX "],
                    "pairs": [
                        { "from": { "row": 2, "col": 1 }, "to": { "row": 2, "col": 4 } },
                        { "from": { "row": 2, "col": 0 }, "to": { "row": 3, "col": 3 } },
                        { "from": { "row": 2, "col": 1 }, "to": { "row": 3, "col": 2 } }
                    ]
                }),
            },
            Example {
                name: "inside",
                summary: "Paths that stay on the board, with at most three segments",
                request: json!({
                    "board": ["🀇🀈🀇", "🀈  ", "🀇 🀈"],
                    "pairs": [
                        { "from": { "row": 0, "col": 0 }, "to": { "row": 0, "col": 2 } },
                        { "from": { "row": 0, "col": 1 }, "to": { "row": 2, "col": 2 } }
                    ],
                    "outside": false,
                    "max_segments": 3
                }),
            },
            Example {
                name: "numbers-only",
                summary: "The number of segments alone",
                request: json!({
                    "board": ["A B", " C ", "B A"],
                    "pairs": [
                        { "from": { "row": 0, "col": 0 }, "to": { "row": 2, "col": 2 } },
                        { "from": { "row": 0, "col": 2 }, "to": { "row": 2, "col": 0 } }
                    ],
                    "corners": false
                }),
            },
        ]
    }

    fn text_example() -> &'static str {
        "5 4\nXXXXX\nX   X\nXXX X\n XXX \n2 3 5 3\n1 3 4 4\n2 3 3 4\n0 0 0 0\n0 0\n"
    }

    fn board(request: Request) -> Result<Board, Invalid> {
        let tiles = tiles_of_rows(&request.board).map_err(fault)?;
        let max_segments = match request.max_segments {
            None => None,
            Some(most) => Some(NonZeroU32::new(most).ok_or_else(|| {
                let detail = "`max_segments` is at least 1, not 0; leave it out for no cap";
                Invalid::at_pointer("/max_segments", detail)
            })?),
        };
        let Request { pairs, outside, corners, .. } = request;
        Board::new(tiles, pairs, Options { outside, max_segments, corners }).map_err(fault)
    }

    fn response(board: &Board, outcome: &OutcomeOf<Self>, stats: Stats) -> Response {
        match outcome {
            Outcome::Solved(paths) => Response {
                status: Status::Solved,
                paths: Some(SharedPaths {
                    paths: paths.clone(),
                    with_corners: board.options().corners,
                }),
                answered: None,
                reason: None,
                stats,
            },
            Outcome::Unsolvable(reason) => match *reason {},
            Outcome::Unknown { stop, learnt } => Response {
                status: Status::Unknown,
                paths: None,
                answered: Some(learnt.answered),
                reason: Some(JsonReason {
                    code: match stop {
                        Stop::TimeLimit => ReasonCode::TimeLimit,
                        Stop::MemoryLimit => ReasonCode::MemoryLimit,
                        Stop::Cancelled => ReasonCode::Cancelled,
                    },
                    message: stop_message(*stop).to_owned(),
                }),
                stats,
            },
        }
    }
}

/// Where in the request a fault lies, and what it is.
fn fault(error: BoardError) -> Invalid {
    let pointer_to = |index: usize, end: End| match end {
        End::From => format!("/pairs/{index}/from"),
        End::To => format!("/pairs/{index}/to"),
    };
    match error {
        BoardError::Empty => {
            Invalid::at_pointer("/board", "a board has at least one row and one column")
        }
        BoardError::TooLarge(size) => {
            let detail = format!("a board is at most {MAX_SIDE} × {MAX_SIDE} cells, not {size}");
            Invalid::at_pointer("/board", detail)
                .with_limit(MAX_SIDE as u64, size.rows.max(size.cols) as u64)
        }
        BoardError::Ragged { row, length, expected } => Invalid::at_pointer(
            format!("/board/{row}"),
            format!("the row has {length} characters, and the first row has {expected}"),
        ),
        BoardError::WhiteSpace { cell: Cell { row, col }, character } => Invalid::at_pointer(
            format!("/board/{row}"),
            format!(
                "the character {character:?} in column {col} is white space other than the blank; \
                 a cell is a blank (empty) or any other character (a tile)"
            ),
        ),
        BoardError::TooManyPairs(count) => {
            let detail = format!("a request has at most {MAX_PAIRS} pairs, not {count}");
            Invalid::at_pointer("/pairs", detail).with_limit(MAX_PAIRS as u64, count as u64)
        }
        BoardError::EndOutside(index, end, cell) => {
            Invalid::at_pointer(pointer_to(index, end), format!("{cell} lies off the board"))
        }
        BoardError::EndEmpty(index, end, cell) => {
            let detail = format!("there is no tile at {cell}; a pair joins two tiles");
            Invalid::at_pointer(pointer_to(index, end), detail)
        }
        BoardError::SameEnds(index, cell) => {
            let detail =
                format!("both ends are the tile at {cell}; a pair joins two different tiles");
            Invalid::at_pointer(pointer_to(index, End::To), detail)
        }
    }
}
