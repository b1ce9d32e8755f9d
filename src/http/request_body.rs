//! The bytes of a request as text and as JSON, and where in them a fault lies.
//!
//! A body that can be read is read once, by a fast path that knows no places. Only
//! one that was refused is read again: first for its form, then for the place.

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_path_to_error::{Path, Segment};

use crate::http::problem::{Code, Problem};
use crate::http::wire::object;

/// The body as text.
///
/// # Errors
/// `malformed_body`, with the place.
pub fn utf8(body: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(body).map_err(|error| {
        let before = &body[..error.valid_up_to()];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + String::from_utf8_lossy(&before[line_start..]).chars().count();
        Problem::new(
            Code::MalformedBody,
            format!("line {line}, column {column}: the body is not UTF-8"),
        )
        .at_position(line, column)
    })
}

/// The body as a JSON object of type `T`.
///
/// # Errors
/// `malformed_body` where it is not JSON, `invalid_puzzle` where it is not a `T`.
pub fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let text = utf8(body)?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    object::<_, T>(&mut deserializer)
        .and_then(|request| deserializer.end().map(|()| request))
        .map_err(|_| json_fault::<T>(text))
}

/// What is wrong with a body that could not be read as `T`. This is
/// the slow path: it reads the body again, first for its form, then for the place.
fn json_fault<T: DeserializeOwned>(text: &str) -> Problem {
    if let Err(error) = serde_json::from_str::<WellFormed>(text) {
        let (line, column) = (error.line().max(1), error.column().max(1));
        let hint = if looks_like_text(text) { TEXT_HINT } else { "" };
        return Problem::new(Code::MalformedBody, format!("The body is not JSON: {error}{hint}"))
            .at_position(line, column);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    match object::<_, T>(tracked) {
        Ok(_) => Problem::new(Code::MalformedBody, "The body is not one JSON object."),
        Err(error) => {
            let message = match without_position(&error.to_string()).as_str() {
                // What serde_json says of a word's place that holds null or a number.
                "expected value" => "a string is expected here".to_owned(),
                message => in_words_of_json(message),
            };
            let pointer = pointer_of(&track.path(), &message);
            let detail = match pointer.as_str() {
                "" => message.clone(),
                pointer => format!("{pointer}: {message}"),
            };
            Problem::new(Code::InvalidPuzzle, detail).at_pointer(pointer, message)
        }
    }
}

/// What is added where a contest's input came as JSON, which is what `curl` sends it as
/// unless it is told otherwise.
const TEXT_HINT: &str = ". A body in the contest's form needs `Content-Type: text/plain`";

/// Whether a body begins as those of all contests do, with a number.
fn looks_like_text(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.trim_start().starts_with(|character: char| character.is_ascii_digit())
}

/// serde's message about a wrong type, in which arrays and objects are sequences and maps.
fn in_words_of_json(message: &str) -> String {
    let mut words = message.to_owned();
    for (kind, name) in [("sequence", "array"), ("map", "object")] {
        if let Some(rest) = words.strip_prefix(&format!("invalid type: {kind}, ")) {
            words = format!("invalid type: {name}, {rest}");
        }
    }
    match words.strip_suffix("expected a sequence") {
        Some(rest) => format!("{rest}expected an array"),
        None => words,
    }
}

/// Any JSON value, read to its end and thrown away. Unlike `IgnoredAny` it looks
/// into the escapes of strings, so that what it accepts is JSON throughout.
struct WellFormed;

impl<'de> Deserialize<'de> for WellFormed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyVisitor;

        impl<'de> Visitor<'de> for AnyVisitor {
            type Value = WellFormed;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON value")
            }

            fn visit_bool<E>(self, _: bool) -> Result<WellFormed, E> {
                Ok(WellFormed)
            }

            fn visit_i64<E>(self, _: i64) -> Result<WellFormed, E> {
                Ok(WellFormed)
            }

            fn visit_u64<E>(self, _: u64) -> Result<WellFormed, E> {
                Ok(WellFormed)
            }

            fn visit_f64<E>(self, _: f64) -> Result<WellFormed, E> {
                Ok(WellFormed)
            }

            fn visit_str<E>(self, _: &str) -> Result<WellFormed, E> {
                Ok(WellFormed)
            }

            fn visit_unit<E>(self) -> Result<WellFormed, E> {
                Ok(WellFormed)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<WellFormed, A::Error> {
                while items.next_element::<WellFormed>()?.is_some() {}
                Ok(WellFormed)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<WellFormed, A::Error> {
                while members.next_entry::<WellFormed, WellFormed>()?.is_some() {}
                Ok(WellFormed)
            }
        }

        deserializer.deserialize_any(AnyVisitor)
    }
}

/// serde_json ends its messages with a position; the pointer says it better.
fn without_position(message: &str) -> String {
    match message.rfind(" at line ") {
        Some(end) => message[..end].to_owned(),
        None => message.to_owned(),
    }
}

/// The JSON pointer of a path; an unknown field is pointed at itself.
fn pointer_of(path: &Path, message: &str) -> String {
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => push_key(&mut pointer, key),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    if let Some(rest) = message.strip_prefix("unknown field `")
        && let Some((field, _)) = rest.split_once("`, ")
    {
        let mut own = String::new();
        push_key(&mut own, field);
        if !pointer.ends_with(&own) {
            pointer.push_str(&own);
        }
    }
    pointer
}

fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
}
