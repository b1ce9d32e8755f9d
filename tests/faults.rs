//! Bugs in a solver stay that solve's own: a panic or an answer that fails its
//! check is a 500 `internal`, counted, and the next solve goes through.
//!
//! No board of the real puzzles is known to do either, so these cases are made up.

use std::any::Any;
use std::hash::Hasher;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boardsolve::budget::{Budget, CancelFlag, Stop};
use boardsolve::http::access::Access;
use boardsolve::http::admission::{Admission, Patience};
use boardsolve::http::body::BodyLimits;
use boardsolve::http::bulk::{Bulk, Items};
use boardsolve::http::endpoint::{Case, Finished};
use boardsolve::http::metrics::Metrics;
use boardsolve::http::problem::Code;
use boardsolve::http::request_id::RequestId;
use boardsolve::http::run::{Ask, SolveLimits, Solver};
use boardsolve::http::service::{Service, ServiceLimits};
use boardsolve::http::wire::{Stats, Status};
use boardsolve::puzzle::{TextCase, Violation};
use boardsolve::puzzles;
use http_body_util::BodyExt;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// How a made-up solve ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behaviour {
    Answers,
    PanicsAtOnce,
    PanicsLate,
    AnswersWrongly,
    PanicsWhenWritten,
    StopsTooLate,
}

impl Case for Behaviour {
    fn puzzle(&self) -> &'static str {
        "made-up"
    }

    fn solve(&self, budget: &mut Budget) -> Result<Arc<dyn Finished>, Violation> {
        match self {
            Self::Answers => Ok(Arc::new(Done)),
            Self::PanicsAtOnce => panic!("a bug"),
            Self::PanicsLate => {
                // The first slice ends by its deadline; the long lane's run panics.
                let is_slice = budget.memory_left() < MEMORY;
                assert!(is_slice, "a bug");
                loop {
                    if let Err(stop) = budget.poll() {
                        return Ok(Arc::new(Open(stop)));
                    }
                }
            }
            Self::AnswersWrongly => Err(Violation::new("two tiles are left")),
            Self::PanicsWhenWritten => Ok(Arc::new(Unwritable)),
            Self::StopsTooLate => loop {
                if let Err(stop) = budget.poll() {
                    let is_slice = budget.memory_left() < MEMORY;
                    let late = if is_slice { Duration::ZERO } else { TOO_LATE };
                    std::thread::sleep(late);
                    return Ok(Arc::new(Open(stop)));
                }
            },
        }
    }

    fn hash_into(&self, hasher: &mut dyn Hasher) {
        hasher.write_u8(*self as u8);
    }

    fn equals(&self, other: &dyn Case) -> bool {
        other.as_any().downcast_ref::<Self>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Debug)]
struct Done;

impl Finished for Done {
    fn status(&self) -> Status {
        Status::Solved
    }

    fn stopped_by(&self) -> Option<Stop> {
        None
    }

    fn write_json(&self, _: Stats, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(b"{\"status\":\"solved\"}")
    }

    fn text(&self) -> Option<String> {
        Some(String::new())
    }

    fn picture(&self) -> Option<String> {
        None
    }
}

#[derive(Debug)]
struct Unwritable;

impl Finished for Unwritable {
    fn status(&self) -> Status {
        Status::Solved
    }

    fn stopped_by(&self) -> Option<Stop> {
        None
    }

    fn write_json(&self, _: Stats, _: &mut dyn io::Write) -> io::Result<()> {
        panic!("a bug")
    }

    fn text(&self) -> Option<String> {
        None
    }

    fn picture(&self) -> Option<String> {
        None
    }
}

#[derive(Debug)]
struct Open(Stop);

impl Finished for Open {
    fn status(&self) -> Status {
        Status::Unknown
    }

    fn stopped_by(&self) -> Option<Stop> {
        Some(self.0)
    }

    fn write_json(&self, _: Stats, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(b"{}")
    }

    fn text(&self) -> Option<String> {
        None
    }

    fn picture(&self) -> Option<String> {
        None
    }
}

const MEMORY: usize = 256 << 20;

/// How long a search goes on that was told to stop.
const TOO_LATE: Duration = Duration::from_secs(5);

struct Bench {
    solver: Solver,
    metrics: Arc<Metrics>,
    admission: Arc<Admission>,
}

impl Bench {
    fn new() -> Self {
        let admission =
            Arc::new(Admission::new(1, 8, Duration::from_secs(60), CancellationToken::new()));
        let metrics = Arc::new(Metrics::new(["made-up"]));
        let limits = SolveLimits {
            default_time: Duration::from_secs(10),
            max_time: Duration::from_secs(10),
            memory: MEMORY,
            cache: 1 << 20,
        };
        let solver =
            Solver::new(Arc::clone(&admission), 1, limits, Arc::clone(&metrics), CancelFlag::new())
                .expect("the runtime starts");
        Self { solver, metrics, admission }
    }

    async fn solve(&self, behaviour: Behaviour) -> Result<Status, Code> {
        self.solve_within(behaviour, None).await
    }

    async fn solve_within(
        &self,
        behaviour: Behaviour,
        time_limit_ms: Option<u64>,
    ) -> Result<Status, Code> {
        let ask = Ask {
            case: Arc::new(behaviour),
            case_bytes: 1,
            time_limit_ms,
            patience: Patience::Bounded,
        };
        let solved = self.solver.solve(ask).await;
        solved.map(|solved| solved.finished.status()).map_err(|problem| problem.code())
    }

    fn counts(&self, name: &str) -> bool {
        let line = format!("boardsolve_{name}_total{{puzzle=\"made-up\"}} 1");
        self.metrics.render(&self.admission).contains(&line)
    }
}

#[tokio::test]
async fn a_panic_in_a_first_slice_is_internal_and_counted_and_the_next_solve_goes_through() {
    let bench = Bench::new();
    assert_eq!(bench.solve(Behaviour::PanicsAtOnce).await, Err(Code::Internal));
    assert!(bench.counts("panics"));
    assert_eq!(bench.solve(Behaviour::Answers).await, Ok(Status::Solved));
}

#[tokio::test]
async fn a_panic_in_the_long_lane_is_internal_and_counted_and_its_place_comes_back() {
    let bench = Bench::new();
    assert_eq!(bench.solve(Behaviour::PanicsLate).await, Err(Code::Internal));
    assert!(bench.counts("panics"));
    assert_eq!(bench.solve(Behaviour::PanicsLate).await, Err(Code::Internal));
    assert_eq!(bench.solve(Behaviour::Answers).await, Ok(Status::Solved));
}

#[tokio::test]
async fn who_leaves_a_search_that_stops_too_late_is_answered_and_has_not_hung_up() {
    let bench = Bench::new();
    let began = Instant::now();
    let answered = bench.solve_within(Behaviour::StopsTooLate, Some(100)).await;
    assert_eq!(answered, Ok(Status::Unknown));
    assert!(began.elapsed() < TOO_LATE, "{:?}", began.elapsed());
    // The flight sees that everybody has left once its task has its turn.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let metrics = bench.metrics.render(&bench.admission);
    assert!(metrics.contains("boardsolve_cancelled_total{reason=\"hang_up\"} 0"), "{metrics}");
}

#[tokio::test]
async fn an_answer_that_fails_its_check_is_internal_and_counted_and_never_kept() {
    let bench = Bench::new();
    assert_eq!(bench.solve(Behaviour::AnswersWrongly).await, Err(Code::Internal));
    assert!(bench.counts("verification_failures"));
    assert_eq!(bench.solve(Behaviour::AnswersWrongly).await, Err(Code::Internal));
}

#[tokio::test]
async fn a_bug_in_one_item_of_a_bulk_body_stays_that_items_own() {
    let limits = ServiceLimits {
        places: 1,
        queue: 8,
        max_wait: Duration::from_secs(60),
        solve: SolveLimits {
            default_time: Duration::from_secs(10),
            max_time: Duration::from_secs(10),
            memory: MEMORY,
            cache: 1 << 20,
        },
        body: BodyLimits { bytes: 1 << 20, time: Duration::from_secs(10) },
        shared_memory: 16 << 20,
    };
    let open = Access::new(Vec::new(), None, None);
    let service = Service::new(limits, open, ["made-up"], Value::Null).expect("it starts");
    let behaviours = [
        Behaviour::Answers,
        Behaviour::PanicsAtOnce,
        Behaviour::PanicsWhenWritten,
        Behaviour::PanicsLate,
        Behaviour::AnswersWrongly,
        Behaviour::Answers,
    ];
    let cases = behaviours.into_iter().enumerate().map(|(index, behaviour)| {
        let case: Arc<dyn Case> = Arc::new(behaviour);
        TextCase { line: index + 1, board: case }
    });
    let service = Arc::new(service);
    let items = Items::Cases {
        cases: cases.collect::<Vec<_>>().into_iter(),
        case_bytes: 1,
        _share: service.memory().share(),
    };
    let bulk = Bulk {
        service,
        endpoint: puzzles::ALL[0],
        time_limit_ms: None,
        request_id: RequestId::fresh(),
        caller: None,
    };
    let reserve = bulk.reserve().expect("there is memory for it");
    let body = bulk
        .answer(items, reserve)
        .into_body()
        .collect()
        .await
        .expect("the stream ends well")
        .to_bytes();
    let text = std::str::from_utf8(&body).expect("JSON is UTF-8");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(lines.len(), 6, "{text}");
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line["line"], index + 1, "{line}");
        match index {
            0 | 5 => assert_eq!(line["status"], "solved", "{line}"),
            _ => assert_eq!(line["code"], "internal", "{line}"),
        }
    }
}
