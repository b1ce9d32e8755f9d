//! What the soak asks, and what is right for an answer.
//!
//! Every question is put to the library as well, in this process, where `verify`
//! replays the answer; the same request has the same answer, so the service's has
//! to be that one, down to its last byte but for what the solve took. A body that
//! the library refuses has to be refused for the same reason.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::http::endpoint::Endpoint;
use boardsolve::http::problem::Code;
use boardsolve::http::wire::{Stats, Status};
use boardsolve::puzzles;
use fastrand::Rng;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::support::hard_board;

/// How long the library may take here: what the service decides, it decides too.
const JUDGE_TIME: Duration = Duration::from_secs(120);

/// Large boards of each kind; their right answers are found once.
const LARGE: usize = 12;

/// A request.
pub(crate) struct Question {
    /// The puzzle.
    pub(crate) puzzle: &'static str,
    /// The time limit that it names.
    pub(crate) limit_ms: Option<u64>,
    /// The body.
    pub(crate) body: String,
    right: OnceLock<Right>,
}

/// What is right.
enum Right {
    /// This answer, by its members.
    Answer(BTreeMap<String, Box<RawValue>>),
    /// A refusal for this reason.
    Refusal(&'static str),
    /// Nothing is known: the board is too hard for the library, too.
    Open,
}

impl Question {
    fn new(puzzle: &'static str, limit_ms: Option<u64>, body: String) -> Self {
        Self { puzzle, limit_ms, body, right: OnceLock::new() }
    }

    /// Where it is sent.
    pub(crate) fn path(&self) -> String {
        let query = self.limit_ms.map_or(String::new(), |limit| format!("?time_limit_ms={limit}"));
        format!("/{}{query}", self.puzzle)
    }

    /// Whether its board may stay undecided.
    pub(crate) const fn is_hard(&self) -> bool {
        self.limit_ms.is_some()
    }

    /// Says what is wrong with an answer, or with a line of one.
    pub(crate) fn check_answer(&self, answer: &[u8]) -> Result<(), String> {
        let mut given = members(answer)?;
        given.remove("line");
        if given.get("status").is_some_and(|status| status.get() == "\"unknown\"") {
            let reason = given.get("reason").map_or("", |reason| reason.get());
            let is_limit = ["time_limit", "memory_limit"].iter().any(|code| reason.contains(code));
            let is_right = is_limit && self.is_hard();
            return if is_right { Ok(()) } else { Err(format!("undecided: {reason}")) };
        }
        match self.right() {
            Right::Answer(right) if same(right, &given) => Ok(()),
            Right::Answer(right) => {
                Err(format!("{right:.300?} is right, and told was {given:.300?}"))
            }
            Right::Refusal(code) => Err(format!("answered, and not refused with {code}")),
            Right::Open => Err("decided, and the library can't decide it".to_owned()),
        }
    }

    /// Says what is wrong with a refusal.
    pub(crate) fn check_refusal(&self, problem: &[u8]) -> Result<(), String> {
        let problem: Value = serde_json::from_slice(problem).map_err(|error| error.to_string())?;
        match self.right() {
            Right::Refusal(code) if problem["code"] == *code => Ok(()),
            Right::Refusal(code) => Err(format!("refused with {problem}, and not with {code}")),
            Right::Answer(_) | Right::Open => Err(format!("refused: {problem}")),
        }
    }

    fn right(&self) -> &Right {
        self.right.get_or_init(|| {
            let endpoint = endpoint(self.puzzle);
            let case = match endpoint.read_json(self.body.as_bytes()) {
                Ok(case) => case,
                Err(problem) => return Right::Refusal(problem.code().name()),
            };
            let mut budget = Budget::new(Some(JUDGE_TIME), CancelFlag::new(), 1 << 30);
            let finished = match case.solve(&mut budget) {
                Ok(finished) => finished,
                Err(violation) => panic!("the library's own answer is wrong: {violation}"),
            };
            if finished.status() == Status::Unknown {
                return Right::Open;
            }
            let stats = Stats { time_ms: 0.0, nodes: 0, time_limit_ms: 1 };
            let mut answer = Vec::new();
            finished.write_json(stats, &mut answer).expect("memory takes bytes");
            Right::Answer(members(&answer).expect("an answer is an object"))
        })
    }
}

/// The code of "try again later", which is right at any time.
pub(crate) fn is_overloaded(problem: &[u8]) -> bool {
    let problem: Result<Value, _> = serde_json::from_slice(problem);
    problem.is_ok_and(|problem| problem["code"] == Code::Overloaded.name())
}

fn endpoint(puzzle: &str) -> &'static dyn Endpoint {
    let endpoint = puzzles::ALL.iter().find(|endpoint| endpoint.name() == puzzle);
    *endpoint.expect("a question names its puzzle")
}

fn members(answer: &[u8]) -> Result<BTreeMap<String, Box<RawValue>>, String> {
    let members: Result<BTreeMap<String, Box<RawValue>>, _> = serde_json::from_slice(answer);
    let mut members = members.map_err(|error| {
        format!("no object ({error}): {:.300}", String::from_utf8_lossy(answer))
    })?;
    members.remove("stats");
    Ok(members)
}

fn same(right: &BTreeMap<String, Box<RawValue>>, given: &BTreeMap<String, Box<RawValue>>) -> bool {
    right.len() == given.len()
        && right.iter().zip(given).all(|((name, value), (given_name, given_value))| {
            name == given_name && value.get() == given_value.get()
        })
}

/// The questions.
pub(crate) struct Questions {
    large_mahjong: Vec<Question>,
    large_rook: Vec<Question>,
}

/// A question of a pool, or one that was made for this once.
pub(crate) enum Asked<'pool> {
    Again(&'pool Question),
    Once(Box<Question>),
}

impl std::ops::Deref for Asked<'_> {
    type Target = Question;

    fn deref(&self) -> &Question {
        match self {
            Self::Again(question) => question,
            Self::Once(question) => question,
        }
    }
}

impl Questions {
    /// Makes the large ones.
    pub(crate) fn new() -> Self {
        let mut random = Rng::with_seed(0);
        let large_mahjong = (0..LARGE)
            .map(|_| {
                let body = mahjong(&mut random, 1000, 20_000);
                Question::new("mahjong-path", Some(2000), body)
            })
            .collect();
        let large_rook = (0..LARGE)
            .map(|_| Question::new("rook-circuit", Some(2000), rook(&mut random, 500)))
            .collect();
        Self { large_mahjong, large_rook }
    }

    /// Any of them: hard boards, large bodies, large answers, bad bodies, and easy ones.
    pub(crate) fn any(&self, random: &mut Rng) -> Asked<'_> {
        let once =
            |puzzle, limit_ms, body| Asked::Once(Box::new(Question::new(puzzle, limit_ms, body)));
        match random.u8(..8) {
            0 => Asked::Once(Box::new(hard(random, 2000))),
            1 => Asked::Again(&self.large_mahjong[random.usize(..LARGE)]),
            2 => once("mahjong-path", None, mahjong(random, 75, 5_000)),
            3 => Asked::Again(&self.large_rook[random.usize(..LARGE)]),
            4 => once("rook-circuit", None, rook(random, 40)),
            5 => once("linkgame", Some(1000), linkgame(random)),
            6 => once("linkgame", None, format!("{{\"board\": [{}", "\"AB\",".repeat(200_000))),
            _ => Asked::Once(Box::new(small(random))),
        }
    }
}

/// A board that no search decides within its limit.
pub(crate) fn hard(random: &mut Rng, limit_ms: u64) -> Question {
    Question::new("tetris-sg", Some(limit_ms), hard_board(random.usize(..1_000_000_000)))
}

/// A small board of any puzzle.
pub(crate) fn small(random: &mut Rng) -> Question {
    let puzzle = puzzles::ALL[random.usize(..puzzles::ALL.len())].name();
    small_of(puzzle, random)
}

/// A small board of one puzzle; sometimes one that breaks a rule.
pub(crate) fn small_of(puzzle: &'static str, random: &mut Rng) -> Question {
    if random.u8(..12) == 0 {
        let bad = ["{", "[]", "{\"board\": [\"A\", \"BCD\"]}", "{\"board\": 7}", "{\"no\": 1}"];
        return Question::new(puzzle, None, bad[random.usize(..bad.len())].to_owned());
    }
    let body = match puzzle {
        "linkgame" => {
            let mut tiles: Vec<u8> = (0..36).map(|tile| b'A' + tile / 4).collect();
            random.shuffle(&mut tiles);
            let rows: Vec<_> = tiles.chunks(6).map(String::from_utf8_lossy).collect();
            json!({ "board": rows, "outside": random.bool() }).to_string()
        }
        "mayan" => {
            let columns: Vec<Vec<u8>> =
                (0..5).map(|_| (0..random.u8(..5)).map(|_| random.u8(1..4)).collect()).collect();
            json!({ "steps": random.u8(1..4), "columns": columns }).to_string()
        }
        "tetris-sg" => {
            let row = |random: &mut Rng| -> String {
                (0..6).map(|_| if random.u8(..5) == 0 { '1' } else { '0' }).collect()
            };
            let rows: Vec<_> = (0..5).map(|_| row(random)).collect();
            json!({ "board": rows }).to_string()
        }
        "mahjong-path" => mahjong(random, 20, 50),
        _ => rook(random, 12),
    };
    Question::new(puzzle, None, body)
}

fn mahjong(random: &mut Rng, side: usize, count: usize) -> String {
    let rows: Vec<String> = (0..side)
        .map(|_| (0..side).map(|_| if random.u8(..10) < 3 { 'X' } else { ' ' }).collect())
        .collect();
    let tiles: Vec<(usize, usize)> = (0..side)
        .flat_map(|row| (0..side).map(move |col| (row, col)))
        .filter(|&(row, col)| rows[row].as_bytes()[col] == b'X')
        .collect();
    let mut cell = || {
        let (row, col) = tiles[random.usize(..tiles.len())];
        json!({ "row": row, "col": col })
    };
    let pairs: Vec<Value> = std::iter::from_fn(|| {
        let (from, to) = (cell(), cell());
        Some((from != to).then(|| json!({ "from": from, "to": to })))
    })
    .flatten()
    .take(count)
    .collect();
    json!({ "board": rows, "pairs": pairs }).to_string()
}

fn rook(random: &mut Rng, side: usize) -> String {
    let rows: Vec<String> = (0..side)
        .map(|_| (0..side).map(|_| if random.u16(..1000) < 3 { '#' } else { '.' }).collect())
        .collect();
    json!({ "board": rows }).to_string()
}

fn linkgame(random: &mut Rng) -> String {
    let mut tiles: Vec<char> =
        (0..360u32).map(|tile| char::from_u32(0x4e00 + tile / 6).expect("a character")).collect();
    random.shuffle(&mut tiles);
    let rows: Vec<String> = tiles.chunks(20).map(|row| row.iter().collect()).collect();
    json!({ "board": rows, "gravity": random.bool() }).to_string()
}
