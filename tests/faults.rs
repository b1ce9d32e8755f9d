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
use boardsolve::http::ask::{Ask, Solved};
use boardsolve::http::body::BodyLimits;
use boardsolve::http::bulk::{Bulk, Items};
use boardsolve::http::endpoint::{Case, Finished};
use boardsolve::http::metrics::Metrics;
use boardsolve::http::problem::{Code, Problem};
use boardsolve::http::request_id::RequestId;
use boardsolve::http::run::{GLANCE_BYTES, SolveLimits, Solver};
use boardsolve::http::service::{Service, ServiceLimits};
use boardsolve::http::slices;
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
    NamesItsThread,
    TakesLonger,
    NeedsTheLongLane,
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
            Self::Answers => Ok(Arc::new(Done(String::new()))),
            Self::NamesItsThread => {
                let thread = std::thread::current();
                Ok(Arc::new(Done(thread.name().unwrap_or_default().to_owned())))
            }
            Self::TakesLonger => {
                std::thread::sleep(LONGER_THAN_A_GLANCE);
                match budget.poll() {
                    Ok(()) => Self::NamesItsThread.solve(budget),
                    Err(stop) => Ok(Arc::new(Open(stop))),
                }
            }
            Self::NeedsTheLongLane => {
                budget.add_nodes(5);
                match budget.memory_left() < MEMORY {
                    true => Ok(until_stopped(budget)),
                    false => Ok(Arc::new(Done(String::new()))),
                }
            }
            Self::PanicsAtOnce => panic!("a bug"),
            Self::PanicsLate => {
                // The first slice ends by its deadline; the long lane's run panics.
                let is_slice = budget.memory_left() < MEMORY;
                assert!(is_slice, "a bug");
                Ok(until_stopped(budget))
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

/// Searches in vain.
fn until_stopped(budget: &mut Budget) -> Arc<dyn Finished> {
    loop {
        if let Err(stop) = budget.poll() {
            return Arc::new(Open(stop));
        }
    }
}

/// Solved; its text is this.
#[derive(Debug)]
struct Done(String);

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
        Some(self.0.clone())
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

/// Many times a glance, a fifth of a slice.
const LONGER_THAN_A_GLANCE: Duration = Duration::from_millis(2);

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
        status(self.ask(behaviour, SMALL, None).await)
    }

    async fn ask(
        &self,
        behaviour: Behaviour,
        case_bytes: usize,
        time_limit_ms: Option<u64>,
    ) -> Result<Solved, Problem> {
        let case = Arc::new(behaviour);
        let ask = Ask { case, case_bytes, time_limit_ms, patience: Patience::Bounded };
        self.solver.solve(ask).await
    }

    fn counts(&self, name: &str, count: u64) -> bool {
        let line = format!("boardsolve_{name}_total{{puzzle=\"made-up\"}} {count}");
        self.metrics.render(&self.admission).contains(&line)
    }
}

fn status(solved: Result<Solved, Problem>) -> Result<Status, Code> {
    solved.map(|solved| solved.finished.status()).map_err(|problem| problem.code())
}

/// A board that is glanced at, and one that gets a first slice at once.
const SMALL: usize = 1;
const LARGE: usize = GLANCE_BYTES + 1;

#[tokio::test]
async fn a_small_board_is_decided_where_it_was_read_and_a_large_or_a_longer_one_is_not() {
    let here = std::thread::current().name().map(str::to_owned);
    for (behaviour, case_bytes, is_here) in [
        (Behaviour::NamesItsThread, SMALL, true),
        (Behaviour::NamesItsThread, LARGE, false),
        (Behaviour::TakesLonger, SMALL, false),
    ] {
        // A bench each: what the first decided would be kept for the second.
        let solved = Bench::new().ask(behaviour, case_bytes, None).await.expect("it is solved");
        assert_eq!(solved.finished.text() == here, is_here, "{behaviour:?} {case_bytes}");
    }
}

#[tokio::test]
async fn the_nodes_and_the_time_of_all_attempts_are_told() {
    // A glance, a slice and a long solve; without the glance two.
    for (case_bytes, attempts) in [(SMALL, 3), (LARGE, 2)] {
        let bench = Bench::new();
        let solved = bench.ask(Behaviour::NeedsTheLongLane, case_bytes, None).await;
        let stats = solved.expect("it is solved").stats;
        assert_eq!(stats.nodes, 5 * attempts);
        // That of the slice at least, of which the glance is a two-hundredth.
        assert!(stats.time_ms >= slices::LONGEST.as_secs_f64() * 1e3, "{}", stats.time_ms);
    }
}

#[tokio::test]
async fn a_panic_before_the_long_lane_is_internal_and_counted_and_the_next_solve_goes_through() {
    for case_bytes in [SMALL, LARGE] {
        let bench = Bench::new();
        let panicked = bench.ask(Behaviour::PanicsAtOnce, case_bytes, None).await;
        assert_eq!(status(panicked), Err(Code::Internal));
        assert!(bench.counts("panics", 1));
        assert_eq!(bench.solve(Behaviour::Answers).await, Ok(Status::Solved));
    }
}

#[tokio::test]
async fn a_panic_in_the_long_lane_is_internal_and_counted_and_its_place_comes_back() {
    let bench = Bench::new();
    assert_eq!(bench.solve(Behaviour::PanicsLate).await, Err(Code::Internal));
    assert!(bench.counts("panics", 1));
    assert_eq!(bench.solve(Behaviour::PanicsLate).await, Err(Code::Internal));
    assert_eq!(bench.solve(Behaviour::Answers).await, Ok(Status::Solved));
}

#[tokio::test]
async fn who_leaves_a_search_that_stops_too_late_is_answered_and_has_not_hung_up() {
    let bench = Bench::new();
    let began = Instant::now();
    let answered = bench.ask(Behaviour::StopsTooLate, SMALL, Some(100)).await;
    assert_eq!(status(answered), Ok(Status::Unknown));
    assert!(began.elapsed() < TOO_LATE, "{:?}", began.elapsed());
    // The flight sees that everybody has left once its task has its turn.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let metrics = bench.metrics.render(&bench.admission);
    assert!(metrics.contains("boardsolve_cancelled_total{reason=\"hang_up\"} 0"), "{metrics}");
}

#[tokio::test]
async fn an_answer_that_fails_its_check_is_internal_and_counted_and_never_kept() {
    for case_bytes in [SMALL, LARGE] {
        let bench = Bench::new();
        for _ in 0..2 {
            let solved = bench.ask(Behaviour::AnswersWrongly, case_bytes, None).await;
            assert_eq!(status(solved), Err(Code::Internal));
        }
        assert!(bench.counts("verification_failures", 2));
    }
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
