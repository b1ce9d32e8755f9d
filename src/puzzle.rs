//! The contract that every puzzle keeps.
//!
//! A board is parsed once, at the door, into a type whose fields are private;
//! after that nothing re-checks it. [`Puzzle::solve`] ends in one of three ways
//! ([`Outcome`]), and what it claims is replayed by [`Puzzle::verify`] or
//! [`Puzzle::verify_reason`], which know the rules alone and never the search.

use std::fmt;
use std::hash::Hash;

use crate::budget::{Budget, Stop};

/// One of the puzzles: a type without values that ties its parts together.
pub trait Puzzle: Sized + Send + Sync + 'static {
    /// The path segment and the name on the command line, such as `linkgame`.
    const NAME: &'static str;
    /// A short title, such as `Lianliankan`.
    const TITLE: &'static str;
    /// The puzzle's options, as they appear in query parameters beside a text
    /// body and as flags of `boardsolve solve`. The JSON request has fields of
    /// the same names and defaults.
    const OPTIONS: &'static [OptionSpec];

    /// A legal position together with the puzzle's options. Equal boards have
    /// equal answers.
    type Board: Eq + Hash + fmt::Debug + Send + Sync + 'static;
    /// What a solved board is answered with.
    type Answer: fmt::Debug + Send + Sync + 'static;
    /// Why a board has no solution.
    type Reason: fmt::Debug + Send + Sync + 'static;
    /// What a search knew when it was stopped; `()` where nothing is worth telling.
    type Learnt: fmt::Debug + Send + Sync + 'static;

    /// Decides the board. Deterministic but for whether a limit was reached.
    fn solve(board: &Self::Board, budget: &mut Budget) -> OutcomeOf<Self>;

    /// Sets how many bytes the puzzle may keep in tables between solves; such a
    /// table never changes an answer. Puzzles that keep nothing need not care.
    fn share_memory(_bytes: usize) {}

    /// Replays an answer from the rules alone.
    ///
    /// # Errors
    /// The first rule that the answer breaks.
    fn verify(board: &Self::Board, answer: &Self::Answer) -> Result<(), Violation>;

    /// Checks a "no" from the rules alone, as far as the reason can be checked
    /// without a search (`exhausted` cannot).
    ///
    /// # Errors
    /// The first claim of the reason that is not so.
    fn verify_reason(board: &Self::Board, reason: &Self::Reason) -> Result<(), Violation>;

    /// Reads a body in the contest's form: one case or several.
    ///
    /// # Errors
    /// The first fault, with its line and column; nothing is answered then.
    fn read_text(text: &str, options: &OptionValues)
    -> Result<Vec<TextCase<Self::Board>>, Invalid>;

    /// Writes one case's answer in the contest's form, line ends included.
    fn write_text(board: &Self::Board, answer: Result<&Self::Answer, &Self::Reason>) -> String;

    /// Draws the board with its answer, or with what its reason names, as SVG. The same
    /// answer is drawn the same, byte for byte.
    fn picture(board: &Self::Board, answer: Result<&Self::Answer, &Self::Reason>) -> String;
}

/// How a solve ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<Answer, Reason, Learnt> {
    /// The question is answered.
    Solved(Answer),
    /// There is no solution, for a reason that was checked or a finished search.
    Unsolvable(Reason),
    /// Not decided within the limits.
    Unknown {
        /// The limit that ended the search.
        stop: Stop,
        /// What was known by then.
        learnt: Learnt,
    },
}

/// The [`Outcome`] of a puzzle.
pub type OutcomeOf<P> =
    Outcome<<P as Puzzle>::Answer, <P as Puzzle>::Reason, <P as Puzzle>::Learnt>;

/// One case of a text body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextCase<Board> {
    /// The line on which the case begins, from 1.
    pub line: usize,
    /// The case.
    pub board: Board,
}

/// A rule that an answer breaks, or a claim of a reason that is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation(String);

impl Violation {
    /// A violation, described by one sentence that names the place.
    pub fn new(description: impl Into<String>) -> Self {
        Self(description.into())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Violation {}

/// Why a request is not a legal puzzle, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Whether the form itself is broken (a body that is not the contest's form),
    /// rather than well-formed but illegal.
    pub malformed: bool,
    /// What is wrong, why, and what would be right.
    pub detail: String,
    /// Where.
    pub place: Place,
    /// The cap that was passed, if one was.
    pub limit: Option<Limit>,
}

impl Invalid {
    /// A well-formed JSON request that is not a legal puzzle; `pointer` is a
    /// JSON pointer (RFC 6901), empty for the whole body.
    pub fn at_pointer(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            malformed: false,
            detail: detail.into(),
            place: Place::Pointer(pointer.into()),
            limit: None,
        }
    }

    /// A text body that is well-formed but not a legal puzzle; line and column
    /// count from 1, the column in characters.
    pub fn at_line(line: usize, column: usize, detail: impl Into<String>) -> Self {
        Self {
            malformed: false,
            detail: detail.into(),
            place: Place::Line { line, column },
            limit: None,
        }
    }

    /// A text body that is not in the contest's form.
    pub fn malformed_at_line(line: usize, column: usize, detail: impl Into<String>) -> Self {
        Self { malformed: true, ..Self::at_line(line, column, detail) }
    }

    /// Adds the cap that was passed.
    #[must_use]
    pub fn with_limit(mut self, limit: u64, actual: u64) -> Self {
        self.limit = Some(Limit { limit, actual });
        self
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Pointer(pointer) if pointer.is_empty() => formatter.write_str(&self.detail),
            Place::Pointer(pointer) => write!(formatter, "{pointer}: {}", self.detail),
            Place::Line { line, column } => {
                write!(formatter, "line {line}, column {column}: {}", self.detail)
            }
        }
    }
}

impl std::error::Error for Invalid {}

/// Where in a request a fault lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A JSON pointer.
    Pointer(String),
    /// A line and a column (in characters) of a text body, both from 1.
    Line {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
}

/// A cap and the value that passed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The most that is allowed.
    pub limit: u64,
    /// What the request has.
    pub actual: u64,
}

/// One option of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name of the JSON field and the query parameter, such as `max_turns`.
    pub name: &'static str,
    /// The values it takes.
    pub kind: OptionKind,
    /// One sentence for `--help` and the OpenAPI document.
    pub help: &'static str,
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Boolean {
        /// The value when it is left out.
        default: bool,
    },
    /// A whole number from `min` to `max`.
    Integer {
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
        /// The value when it is left out; `None` where leaving it out means "no limit".
        default: Option<u64>,
    },
    /// One of several words.
    Choice {
        /// The words.
        values: &'static [&'static str],
        /// The word when it is left out.
        default: &'static str,
    },
}

/// The options given beside a text body; those left out have their defaults.
#[derive(Clone, Debug)]
pub struct OptionValues {
    specs: &'static [OptionSpec],
    text_answer: bool,
    given: Vec<(&'static str, OptionValue)>,
}

#[derive(Clone, Copy, Debug)]
enum OptionValue {
    Boolean(bool),
    Integer(u64),
    Choice(&'static str),
}

impl OptionValues {
    /// No option given: all defaults.
    pub const fn defaults(specs: &'static [OptionSpec]) -> Self {
        Self { specs, text_answer: false, given: Vec::new() }
    }

    /// The same for an answer in the contest's form, which says less than JSON does:
    /// what it can't say need not be found.
    #[must_use]
    pub fn for_text_answer(self) -> Self {
        Self { text_answer: true, ..self }
    }

    /// Whether the answer will be in the contest's form.
    pub const fn is_for_text_answer(&self) -> bool {
        self.text_answer
    }

    /// Sets the option `name` from its text.
    ///
    /// # Errors
    /// A sentence that says what is wrong and what is allowed.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
        let Some(spec) = self.specs.iter().find(|spec| spec.name == name) else {
            return Err(format!("there is no option `{name}`"));
        };
        if self.given.iter().any(|(given, _)| *given == spec.name) {
            return Err(format!("`{name}` is given twice"));
        }
        let value = match spec.kind {
            OptionKind::Boolean { .. } => match text {
                "true" => OptionValue::Boolean(true),
                "false" => OptionValue::Boolean(false),
                _ => return Err(format!("`{name}` is `true` or `false`, not `{text}`")),
            },
            OptionKind::Integer { min, max, .. } => match text.parse::<u64>() {
                Ok(number) if (min..=max).contains(&number) => OptionValue::Integer(number),
                _ => {
                    return Err(format!(
                        "`{name}` is a whole number from {min} to {max}, not `{text}`"
                    ));
                }
            },
            OptionKind::Choice { values, .. } => {
                match values.iter().find(|value| **value == text) {
                    Some(value) => OptionValue::Choice(value),
                    None => {
                        return Err(format!(
                            "`{name}` is one of {}, not `{text}`",
                            values.join(", ")
                        ));
                    }
                }
            }
        };
        self.given.push((spec.name, value));
        Ok(())
    }

    /// The value of a boolean option.
    ///
    /// # Panics
    /// When the puzzle has no boolean option of that name.
    pub fn boolean(&self, name: &str) -> bool {
        match (self.given(name), self.spec(name).kind) {
            (Some(OptionValue::Boolean(value)), _) => value,
            (None, OptionKind::Boolean { default }) => default,
            _ => panic!("`{name}` is not a boolean option"),
        }
    }

    /// The value of an integer option; `None` when it was left out and has no default.
    ///
    /// # Panics
    /// When the puzzle has no integer option of that name.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match (self.given(name), self.spec(name).kind) {
            (Some(OptionValue::Integer(value)), _) => Some(value),
            (None, OptionKind::Integer { default, .. }) => default,
            _ => panic!("`{name}` is not an integer option"),
        }
    }

    /// The value of an option that is one of several words.
    ///
    /// # Panics
    /// When the puzzle has no such option of that name.
    pub fn choice(&self, name: &str) -> &'static str {
        match (self.given(name), self.spec(name).kind) {
            (Some(OptionValue::Choice(value)), _) => value,
            (None, OptionKind::Choice { default, .. }) => default,
            _ => panic!("`{name}` is not an option of words"),
        }
    }

    fn given(&self, name: &str) -> Option<OptionValue> {
        self.given.iter().find(|(given, _)| *given == name).map(|&(_, value)| value)
    }

    fn spec(&self, name: &str) -> &'static OptionSpec {
        self.specs.iter().find(|spec| spec.name == name).expect("the option is the puzzle's own")
    }
}
