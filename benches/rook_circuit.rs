//! The speed claims for rook circuits, over seeded families of boards and the handed ones.
//!
//! `cargo bench --bench rook_circuit` prints a Markdown table. Every board is solved on one core,
//! within 10 s and 256 MB, and what comes out is verified; times are the thread's own on the
//! processor, verification not included. If `BOARDSOLVE_PEERS` names the folder of peer programs, the
//! contest's own program is timed beside ours on the boards where it can take part (one process a
//! board, at most 1 s); if `BOARDSOLVE_CP_SAT` names a Python that has `ortools`, so is CP-SAT by
//! `benches/peers/rook_circuit.py` (one process a family, a second a board). Both take the first
//! boards of a family. `BOARDSOLVE_BENCH_SCALE` multiplies the number of boards
//! (default 1), `BOARDSOLVE_BENCH_FAMILY` picks the families whose names contain it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its table")]

#[allow(dead_code, reason = "shared with the laws")]
#[path = "../tests/laws/rook_circuit/boards.rs"]
mod boards;
#[path = "support/clock.rs"]
mod clock;
#[allow(dead_code, reason = "each bench uses its own part of it")]
#[path = "support/contest.rs"]
mod contest;
#[allow(dead_code, reason = "shared with the laws")]
#[path = "../tests/laws/rook_exact/boards.rs"]
mod exact_boards;
#[path = "support/peer.rs"]
mod peer;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::grid::{Cell, CellSet, Size};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::rook_circuit::RookCircuit;
use boardsolve::puzzles::rook_circuit::board::Board;
use fastrand::Rng;

use self::boards::{balanced, near_miss, open_ended, plain, planted, riddled, strip};
use self::clock::{milliseconds, processor_time};
use self::exact_boards::rooms;

/// Of the wall clock: on a busy machine more than the 10 s of processor time that are counted.
const TIME_LIMIT: Duration = Duration::from_secs(20);
const MEMORY_LIMIT: usize = 256 << 20;
const PEER_LIMIT: Duration = Duration::from_secs(1);
/// The widest board that the contest's program reads.
const PEER_SIDE: usize = 100;
/// The most boards of a family that a peer decides.
const PEER_BOARDS: usize = 3;

/// A family of boards.
struct Family {
    name: String,
    boards: Vec<(String, Board)>,
}

fn families(scale: f64) -> Vec<Family> {
    let mut families = Vec::new();
    let mut add = |name: String, count: usize, make: &dyn Fn(&mut Rng) -> CellSet| {
        let count = ((count as f64 * scale) as usize).max(1);
        let board = |seed: usize| {
            let free = make(&mut Rng::with_seed(seed as u64));
            (format!("{name}, seed {seed}"), plain(free))
        };
        let boards = (0..count).map(board).collect();
        families.push(Family { name, boards });
    };
    let square = |side: usize| Size::new(side, side);
    add("empty 8".into(), 1, &|_| all(square(8)));
    for side in [100, 500] {
        add(format!("empty {side}"), 1, &|_| all(square(side)));
        add(format!("holes {side}"), 3, &|random| riddled(random, square(side), side * side / 50));
    }
    for (side, count) in [(10, 100), (20, 100), (50, 50), (100, 40), (200, 10)] {
        for percent in [3, 10, 20, 30] {
            let name = format!("planted {side}, {percent} %");
            add(name, count, &|random| planted(random, square(side), percent));
        }
    }
    for percent in [3, 10, 20, 30] {
        let name = format!("planted 500, {percent} %");
        add(name, 2, &|random| planted(random, square(500), percent));
    }
    for (side, count) in [(10, 200), (20, 200), (50, 100), (100, 50), (200, 10)] {
        for percent in [10, 20, 30] {
            for swaps in [1, 4] {
                let name = format!("near miss {side}, {percent} %, {swaps} swaps");
                add(name, count, &|random| near_miss(random, square(side), percent, swaps));
            }
        }
    }
    for (side, count) in [(8, 300), (14, 200), (30, 100), (100, 30)] {
        for percent in [2, 5, 10, 20] {
            let name = format!("balanced {side}, {percent} %");
            add(name, count, &|random| balanced(random, square(side), percent));
        }
    }
    for (side, count) in [(8, 300), (14, 200), (30, 100), (100, 20)] {
        for percent in [5, 10, 15, 20, 30] {
            let name = format!("no dead ends {side}, {percent} %");
            add(name, count, &|random| open_ended(random, square(side), percent));
        }
    }
    for (across, side, count) in [(3, 8, 40), (3, 12, 40), (5, 12, 20), (3, 20, 20), (6, 14, 20)] {
        for is_off in [false, true] {
            let kind = if is_off { "off" } else { "tight" };
            let name = format!("strip of {across} × {across} rooms of {side}, {kind}");
            add(name, count, &|random| strip(random, across, side, 3, is_off));
        }
    }
    for (across, side, count) in [(4, 8, 40), (6, 14, 10)] {
        let name = format!("{across} × {across} rooms of {side}");
        add(name, count, &|random| rooms(random, square(across), side, 3));
    }
    families.extend(handed());
    families
}

fn all(size: Size) -> CellSet {
    CellSet::from_cells(size, size.cells())
}

/// The handed boards, whose verdicts the laws compare, by kind.
fn handed() -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for case in include_str!("../tests/cases/rook_circuit_boards.txt").split("\n\n") {
        let mut lines = case.lines();
        let Some((name, _)) = lines.next().and_then(|line| line.split_once(' ')) else { continue };
        let rows: Vec<&str> = lines.collect();
        let board = Board::from_rows(&rows, None, Default::default()).expect("a legal board");
        let kind = format!("handed: {}", name.split('_').next().unwrap_or(name));
        let board = (name.to_owned(), board);
        match families.iter_mut().find(|family| family.name == kind) {
            Some(family) => family.boards.push(board),
            None => families.push(Family { name: kind, boards: vec![board] }),
        }
    }
    families
}

/// What a family's boards came to.
#[derive(Default)]
struct Tally {
    solved: usize,
    unsolvable: usize,
    unknown: usize,
    nodes: u64,
    times: Vec<f64>,
    slowest: String,
    peer: PeerTally,
    cp_sat: PeerTally,
}

/// What a family's boards came to by another program.
#[derive(Default)]
struct PeerTally {
    times: Vec<f64>,
    late: usize,
    wrong: usize,
}

fn main() {
    let scale: f64 = std::env::var("BOARDSOLVE_BENCH_SCALE")
        .map_or(1.0, |text| text.parse().expect("BOARDSOLVE_BENCH_SCALE is a number"));
    let picked = std::env::var("BOARDSOLVE_BENCH_FAMILY").unwrap_or_default();
    let peer = peer::program("rook-circuit");
    let python = std::env::var("BOARDSOLVE_CP_SAT").ok();
    println!(
        "| family | boards | solved / unsolvable / unknown | in 1 s | in 10 s | p50 ms | p95 ms | p99 ms | max ms | nodes a board | contest's program: p50 / max ms, over 1 s, wrong | CP-SAT: p50 / max ms, over 1 s, wrong |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for family in families(scale) {
        if !family.name.contains(&picked) {
            continue;
        }
        let mut tally = Tally::default();
        let mut shared = Vec::new();
        for (name, board) in &family.boards {
            let has_circuit = ours(name, board, &mut tally);
            let size = board.size();
            if let Some(has_circuit) = has_circuit
                && size.rows.max(size.cols) <= PEER_SIDE
                && shared.len() < PEER_BOARDS
            {
                shared.push((board, has_circuit));
            }
        }
        if let Some(peer) = &peer {
            for &(board, has_circuit) in &shared {
                contest_program(peer, board, has_circuit, &mut tally.peer);
            }
        }
        if let Some(python) = &python {
            cp_sat(python, &shared, &mut tally.cp_sat);
        }
        report(&family, tally);
    }
}

/// Solves and verifies a board; whether it has a circuit, if that was decided.
fn ours(name: &str, board: &Board, tally: &mut Tally) -> Option<bool> {
    let start = processor_time();
    let mut budget = Budget::new(Some(TIME_LIMIT), CancelFlag::new(), MEMORY_LIMIT);
    let outcome = RookCircuit::solve(board, &mut budget);
    let time = milliseconds(processor_time() - start);
    if tally.times.iter().all(|&other| other < time) {
        name.clone_into(&mut tally.slowest);
    }
    tally.times.push(time);
    tally.nodes += budget.nodes();
    match outcome {
        Outcome::Solved(answer) => {
            RookCircuit::verify(board, &answer).expect("the tour keeps the rules");
            tally.solved += 1;
            Some(true)
        }
        Outcome::Unsolvable(reason) => {
            RookCircuit::verify_reason(board, &reason).expect("the reason holds");
            tally.unsolvable += 1;
            Some(false)
        }
        Outcome::Unknown { .. } => {
            tally.unknown += 1;
            None
        }
    }
}

/// Lets the contest's program decide a board.
fn contest_program(program: &Path, board: &Board, has_circuit: bool, tally: &mut PeerTally) {
    let body = contest::rook_circuit(board);
    let Some((time, printed)) = peer::run(program, body, PEER_LIMIT) else {
        tally.late += 1;
        tally.times.push(milliseconds(PEER_LIMIT));
        return;
    };
    tally.times.push(milliseconds(time));
    let says_no = printed.contains("NO SOLUTION");
    tally.wrong += usize::from(says_no == has_circuit);
}

/// Lets CP-SAT decide boards, all in one process, whose start is not counted.
fn cp_sat(python: &str, boards: &[(&Board, bool)], tally: &mut PeerTally) {
    let mut child = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/rook_circuit.py"))
        .arg(PEER_LIMIT.as_secs().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python runs");
    let mut body = String::new();
    for (board, _) in boards {
        for row in 0..board.size().rows {
            let cells = (0..board.size().cols).map(|col| Cell::new(row as i32, col as i32));
            body.extend(cells.map(|cell| if board.is_free(cell) { '.' } else { '#' }));
            body.push('\n');
        }
        body.push('\n');
    }
    let mut input = child.stdin.take().expect("its input is piped");
    input.write_all(body.as_bytes()).expect("it reads its input");
    drop(input);
    let output = child.wait_with_output().expect("its output can be read");
    let output = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.lines().count(), boards.len(), "CP-SAT answers every board: {output}");
    for (line, &(_, has_circuit)) in output.lines().zip(boards) {
        let (verdict, seconds) = line.split_once(' ').expect("a verdict and a time");
        tally.times.push(seconds.parse::<f64>().expect("seconds") * 1e3);
        match verdict {
            "unknown" => tally.late += 1,
            verdict => tally.wrong += usize::from((verdict == "solved") != has_circuit),
        }
    }
}

fn report(family: &Family, mut tally: Tally) {
    tally.times.sort_by(f64::total_cmp);
    let ours = |share| quantile(&tally.times, share).unwrap_or(0.0);
    let boards = family.boards.len();
    let decided = boards - tally.unknown;
    let share = |most_ms: f64| {
        let within = tally.times.iter().filter(|&&time| time <= most_ms).count().min(decided);
        format!("{:.1} %", within as f64 / boards as f64 * 100.0)
    };
    println!(
        "| {} | {boards} | {} / {} / {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {} | {} | {} |",
        family.name,
        tally.solved,
        tally.unsolvable,
        tally.unknown,
        share(1e3),
        share(1e4),
        ours(0.5),
        ours(0.95),
        ours(0.99),
        ours(1.0),
        tally.nodes / boards.max(1) as u64,
        tally.peer.report(),
        tally.cp_sat.report(),
    );
    eprintln!("{}: slowest {}", family.name, tally.slowest);
}

impl PeerTally {
    fn report(&mut self) -> String {
        self.times.sort_by(f64::total_cmp);
        match (quantile(&self.times, 0.5), quantile(&self.times, 1.0)) {
            (Some(half), Some(all)) => {
                format!("{half:.1} / {all:.1}, {}, {}", self.late, self.wrong)
            }
            _ => "–".to_owned(),
        }
    }
}

fn quantile(times: &[f64], share: f64) -> Option<f64> {
    times.get(((times.len() as f64 * share) as usize).min(times.len().max(1) - 1)).copied()
}
