//! The JSON form of a puzzle: what each `json.rs` implements, and the pieces
//! that all puzzles share.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::budget::Stop;
use crate::grid::Cell;
use crate::puzzle::{Invalid, OutcomeOf, Puzzle};

/// A puzzle that can be asked and answered in JSON.
pub trait Wire: Puzzle {
    /// The request body: a struct with `#[serde(deny_unknown_fields)]`.
    type Request: DeserializeOwned + ToSchema;
    /// The answer body: a flat struct with `status`, the puzzle's own fields,
    /// `reason` and `stats`; a field that does not apply is left out.
    type Response: Serialize + ToSchema;

    /// One sentence of what a request asks, for the OpenAPI summary.
    const SUMMARY: &'static str;
    /// The puzzle's rules in a few Markdown paragraphs, for the OpenAPI description.
    const DESCRIPTION: &'static str;

    /// Examples for the OpenAPI document and the playground; the first is what
    /// "Try it out" is filled with, so it must be solved at once.
    fn examples() -> Vec<Example>;

    /// An example body in the contest's text form.
    fn text_example() -> &'static str;

    /// Checks a request and makes it a board.
    ///
    /// # Errors
    /// The first fault, with its JSON pointer.
    fn board(request: Self::Request) -> Result<Self::Board, Invalid>;

    /// The answer body of an outcome.
    fn response(board: &Self::Board, outcome: &OutcomeOf<Self>, stats: Stats) -> Self::Response;
}

/// A request to try.
#[derive(Clone, Debug)]
pub struct Example {
    /// A key: lower case, no blanks.
    pub name: &'static str,
    /// What it shows.
    pub summary: &'static str,
    /// The request body.
    pub request: serde_json::Value,
}

/// How a solve ended. All three are HTTP 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The question is answered.
    Solved,
    /// There is no solution; `reason` says why.
    Unsolvable,
    /// Not decided within the limits; `reason` says which.
    Unknown,
}

impl Status {
    /// The word in an answer's `status`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Unknown => "unknown",
        }
    }
}

/// What the solve took.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Stats {
    /// Milliseconds from the request's place to its answer; waiting is not counted.
    #[schema(minimum = 0)]
    pub time_ms: f64,
    /// Nodes of the search; what a node is depends on the puzzle.
    pub nodes: u64,
    /// The time limit that was in force, in milliseconds.
    #[schema(minimum = 1)]
    pub time_limit_ms: u64,
}

/// The `code` of a reason for `unknown`.
pub const fn stop_code(stop: Stop) -> &'static str {
    match stop {
        Stop::TimeLimit => "time_limit",
        Stop::MemoryLimit => "memory_limit",
        Stop::Cancelled => "cancelled",
    }
}

/// The `message` of a reason for `unknown`.
pub const fn stop_message(stop: Stop) -> &'static str {
    match stop {
        Stop::TimeLimit => {
            "The time limit was reached before the board was decided. A greater `time_limit_ms` may decide it."
        }
        Stop::MemoryLimit => {
            "The memory limit of a solve was reached before the board was decided. The operator sets it with `--solve-memory-mb`."
        }
        Stop::Cancelled => "The solve was cancelled before the board was decided.",
    }
}

/// A place on a board, zero-based, row 0 on top.
///
/// In an answer, a place outside the board has a row or column of −1 or one past the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Cell)]
pub struct JsonCell {
    /// Row, 0 on top.
    #[schema(minimum = -1)]
    pub row: i32,
    /// Column, 0 at the left.
    #[schema(minimum = -1)]
    pub col: i32,
}

impl From<Cell> for JsonCell {
    fn from(cell: Cell) -> Self {
        Self { row: cell.row, col: cell.col }
    }
}

impl From<JsonCell> for Cell {
    fn from(cell: JsonCell) -> Self {
        Self::new(cell.row, cell.col)
    }
}

impl<'de> Deserialize<'de> for JsonCell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            row: i32,
            col: i32,
        }
        let Fields { row, col } = object(deserializer)?;
        Ok(Self { row, col })
    }
}

/// Deserializes a struct from a JSON object alone. Derived structs would also
/// take an array of their fields in order; use this with
/// `#[serde(deserialize_with = "object")]`, or inside a manual `Deserialize`.
///
/// # Errors
/// When the value is not an object, or the struct refuses it.
pub fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct ObjectVisitor<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
        type Value = T;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<T, M::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

/// Deserializes a field that may be left out but not be `null`: use with
/// `#[serde(default, deserialize_with = "present")]` on an `Option`.
///
/// # Errors
/// When the value is not a `T`.
pub fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
