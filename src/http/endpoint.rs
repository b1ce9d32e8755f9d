//! Puzzles with their types erased: what lets one handler, one cache and one
//! command line serve all of them.
//!
//! [`Of`] makes an [`Endpoint`] of any [`Wire`] puzzle. An endpoint reads bodies
//! into [`Case`]s; a case is solved *and checked* by [`Case::solve`], the only
//! way to a [`Finished`] answer, so that nothing leaves unverified.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::budget::{Budget, Stop};
use crate::http::problem::{Code, Problem};
use crate::http::request_body;
use crate::http::wire::{Example, Stats, Status, Wire};
use crate::puzzle::{OptionSpec, OptionValues, Outcome, OutcomeOf, TextCase, Violation};

/// A puzzle, type erased.
pub trait Endpoint: Send + Sync {
    /// The path segment.
    fn name(&self) -> &'static str;
    /// A short title.
    fn title(&self) -> &'static str;
    /// One sentence of what a request asks.
    fn summary(&self) -> &'static str;
    /// The rules, in Markdown.
    fn description(&self) -> &'static str;
    /// The options that stand in the query beside a text body.
    fn options(&self) -> &'static [OptionSpec];
    /// Requests to try.
    fn examples(&self) -> Vec<Example>;
    /// A text body to try.
    fn text_example(&self) -> &'static str;
    /// The JSON schemas of request and answer and of all that they refer to.
    fn schemas(&self) -> WireSchemas;

    /// Sets how many bytes the puzzle may keep in tables between solves.
    fn share_memory(&self, bytes: usize);

    /// Reads one JSON request.
    ///
    /// # Errors
    /// `malformed_body` or `invalid_puzzle`.
    fn read_json(&self, body: &[u8]) -> Result<Arc<dyn Case>, Problem>;

    /// Reads a text body: one case or several, with the line on which each begins.
    ///
    /// # Errors
    /// `malformed_body` or `invalid_puzzle`.
    fn read_text(
        &self,
        body: &[u8],
        options: &OptionValues,
    ) -> Result<Vec<TextCase<Arc<dyn Case>>>, Problem>;
}

/// Named schemas of one endpoint.
#[derive(Debug)]
pub struct WireSchemas {
    /// The name of the request's schema.
    pub request: String,
    /// The name of the answer's schema.
    pub response: String,
    /// Every schema by name, the two above included.
    pub all: Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>,
}

/// A board to solve, type erased. Equal cases have equal answers.
pub trait Case: fmt::Debug + Send + Sync {
    /// The name of the puzzle.
    fn puzzle(&self) -> &'static str;

    /// Solves the board and checks what comes out.
    ///
    /// # Errors
    /// What the independent check found wrong: a bug, never to be sent.
    fn solve(&self, budget: &mut Budget) -> Result<Arc<dyn Finished>, Violation>;

    /// Feeds the board to a hasher; with [`Case::equals`], the key of the result cache.
    fn hash_into(&self, hasher: &mut dyn Hasher);

    /// Whether the other case is the same board of the same puzzle.
    fn equals(&self, other: &dyn Case) -> bool;

    /// This case as `Any`, for [`Case::equals`].
    fn as_any(&self) -> &dyn Any;
}

/// An outcome that was checked, type erased.
pub trait Finished: fmt::Debug + Send + Sync {
    /// How the solve ended.
    fn status(&self) -> Status;

    /// The limit that left the main question open, if one did.
    fn stopped_by(&self) -> Option<Stop>;

    /// Writes the JSON answer.
    ///
    /// # Errors
    /// Those of the writer.
    fn write_json(&self, stats: Stats, out: &mut dyn io::Write) -> io::Result<()>;

    /// The answer in the contest's form; `None` where the question is open.
    fn text(&self) -> Option<String>;

    /// The board with its answer, drawn as SVG; `None` where the question is open.
    fn picture(&self) -> Option<String>;
}

/// The endpoint of puzzle `P`.
pub struct Of<P>(PhantomData<fn() -> P>);

impl<P> Of<P> {
    /// The endpoint; it holds nothing.
    pub const ENDPOINT: Self = Self(PhantomData);
}

impl<P: Wire> fmt::Debug for Of<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(P::NAME)
    }
}

impl<P: Wire> Endpoint for Of<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn title(&self) -> &'static str {
        P::TITLE
    }

    fn summary(&self) -> &'static str {
        P::SUMMARY
    }

    fn description(&self) -> &'static str {
        P::DESCRIPTION
    }

    fn options(&self) -> &'static [OptionSpec] {
        P::OPTIONS
    }

    fn examples(&self) -> Vec<Example> {
        P::examples()
    }

    fn text_example(&self) -> &'static str {
        P::text_example()
    }

    fn schemas(&self) -> WireSchemas {
        use utoipa::{PartialSchema, ToSchema};
        let request = <P::Request as ToSchema>::name().into_owned();
        let response = <P::Response as ToSchema>::name().into_owned();
        let mut all = Vec::new();
        <P::Request as ToSchema>::schemas(&mut all);
        <P::Response as ToSchema>::schemas(&mut all);
        all.push((request.clone(), <P::Request as PartialSchema>::schema()));
        all.push((response.clone(), <P::Response as PartialSchema>::schema()));
        WireSchemas { request, response, all }
    }

    fn share_memory(&self, bytes: usize) {
        P::share_memory(bytes);
    }

    fn read_json(&self, body: &[u8]) -> Result<Arc<dyn Case>, Problem> {
        let board = P::board(request_body::json::<P::Request>(body)?)?;
        Ok(Arc::new(Posed::<P> { board: Arc::new(board) }))
    }

    fn read_text(
        &self,
        body: &[u8],
        options: &OptionValues,
    ) -> Result<Vec<TextCase<Arc<dyn Case>>>, Problem> {
        let cases = P::read_text(request_body::utf8(body)?, options)?;
        if cases.is_empty() {
            return Err(
                Problem::new(Code::MalformedBody, "The body holds no case.").at_position(1, 1)
            );
        }
        let erase = |TextCase { line, board }| {
            let case: Arc<dyn Case> = Arc::new(Posed::<P> { board: Arc::new(board) });
            TextCase { line, board: case }
        };
        Ok(cases.into_iter().map(erase).collect())
    }
}

struct Posed<P: Wire> {
    board: Arc<P::Board>,
}

impl<P: Wire> fmt::Debug for Posed<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?}", P::NAME, self.board)
    }
}

impl<P: Wire> Case for Posed<P> {
    fn puzzle(&self) -> &'static str {
        P::NAME
    }

    fn solve(&self, budget: &mut Budget) -> Result<Arc<dyn Finished>, Violation> {
        let outcome = P::solve(&self.board, budget);
        match &outcome {
            Outcome::Solved(answer) => P::verify(&self.board, answer)?,
            Outcome::Unsolvable(reason) => P::verify_reason(&self.board, reason)?,
            Outcome::Unknown { .. } => {}
        }
        Ok(Arc::new(Checked::<P> { board: Arc::clone(&self.board), outcome }))
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        P::NAME.hash(&mut hasher);
        self.board.hash(&mut hasher);
    }

    fn equals(&self, other: &dyn Case) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| self.board == other.board)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct Checked<P: Wire> {
    board: Arc<P::Board>,
    outcome: OutcomeOf<P>,
}

impl<P: Wire> fmt::Debug for Checked<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?}", P::NAME, self.outcome)
    }
}

impl<P: Wire> Finished for Checked<P> {
    fn status(&self) -> Status {
        match self.outcome {
            Outcome::Solved(_) => Status::Solved,
            Outcome::Unsolvable(_) => Status::Unsolvable,
            Outcome::Unknown { .. } => Status::Unknown,
        }
    }

    fn stopped_by(&self) -> Option<Stop> {
        match self.outcome {
            Outcome::Unknown { stop, .. } => Some(stop),
            Outcome::Solved(_) | Outcome::Unsolvable(_) => None,
        }
    }

    fn write_json(&self, stats: Stats, out: &mut dyn io::Write) -> io::Result<()> {
        let response = P::response(&self.board, &self.outcome, stats);
        Ok(serde_json::to_writer(out, &response)?)
    }

    fn text(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Solved(answer) => Some(P::write_text(&self.board, Ok(answer))),
            Outcome::Unsolvable(reason) => Some(P::write_text(&self.board, Err(reason))),
            Outcome::Unknown { .. } => None,
        }
    }

    fn picture(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Solved(answer) => Some(P::picture(&self.board, Ok(answer))),
            Outcome::Unsolvable(reason) => Some(P::picture(&self.board, Err(reason))),
            Outcome::Unknown { .. } => None,
        }
    }
}
