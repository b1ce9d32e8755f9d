//! The speed claims for rook circuits, over seeded families of boards and the handed ones.
//!
//! `cargo bench --bench rook_circuit` prints a Markdown table. Every board is solved on one core,
//! within 10 s and 256 MB, and what comes out is verified; times are of the wall clock,
//! verification not included. If `BOARDSOLVE_PEERS` names the folder of peer programs, the
//! contest's own program is timed beside ours on the boards where it can take part (one process a
//! board, at most 1 s). `BOARDSOLVE_BENCH_SCALE` multiplies the number of boards
//! (default 1), `BOARDSOLVE_BENCH_FAMILY` picks the families whose names contain it.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[allow(dead_code, reason = "shared with the laws")]
#[path = "../tests/laws/rook_circuit/boards.rs"]
mod boards;
#[allow(dead_code, reason = "shared with the laws")]
#[path = "../tests/laws/rook_exact/boards.rs"]
mod exact_boards;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::grid::{CellSet, Size};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::rook_circuit::RookCircuit;
use boardsolve::puzzles::rook_circuit::board::Board;
use fastrand::Rng;

use self::boards::{balanced, near_miss, open_ended, plain, planted, riddled, strip};
use self::exact_boards::rooms;

const TIME_LIMIT: Duration = Duration::from_secs(10);
const MEMORY_LIMIT: usize = 256 << 20;
const PEER_LIMIT: Duration = Duration::from_secs(1);
/// The widest board that the contest's program reads.
const PEER_SIDE: usize = 100;

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
    families.push(Family { name: "handed boards".into(), boards: handed() });
    families
}

fn all(size: Size) -> CellSet {
    CellSet::from_cells(size, size.cells())
}

/// The handed boards, whose verdicts the laws compare.
fn handed() -> Vec<(String, Board)> {
    let cases = include_str!("../tests/cases/rook_circuit_boards.txt").split("\n\n");
    cases
        .filter_map(|case| {
            let mut lines = case.lines();
            let (name, _) = lines.next()?.split_once(' ')?;
            let rows: Vec<&str> = lines.collect();
            let board = Board::from_rows(&rows, None, Default::default());
            Some((name.to_owned(), board.expect("a legal board")))
        })
        .collect()
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
    peer_times: Vec<f64>,
    peer_late: usize,
    peer_wrong: usize,
}

fn main() {
    let scale: f64 = std::env::var("BOARDSOLVE_BENCH_SCALE")
        .map_or(1.0, |text| text.parse().expect("BOARDSOLVE_BENCH_SCALE is a number"));
    let picked = std::env::var("BOARDSOLVE_BENCH_FAMILY").unwrap_or_default();
    let peers = std::env::var("BOARDSOLVE_PEERS").ok();
    let peer = peers.map(|folder| Path::new(&folder).join("rook-circuit"));
    println!(
        "| family | boards | solved / unsolvable / unknown | p50 ms | p95 ms | p99 ms | max ms | slowest | nodes a board | peer p50 / max ms | peer over 1 s | peer wrong |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for family in families(scale) {
        if !family.name.contains(&picked) {
            continue;
        }
        let mut tally = Tally::default();
        for (number, (name, board)) in family.boards.iter().enumerate() {
            let has_circuit = ours(name, board, &mut tally);
            let size = board.size();
            if let (Some(peer), Some(has_circuit)) = (&peer, has_circuit)
                && size.rows.max(size.cols) <= PEER_SIDE
                && number < 10
            {
                theirs(peer, board, has_circuit, &mut tally);
            }
        }
        report(&family, tally);
    }
}

/// Solves and verifies a board; whether it has a circuit, if that was decided.
fn ours(name: &str, board: &Board, tally: &mut Tally) -> Option<bool> {
    let start = Instant::now();
    let mut budget = Budget::new(Some(TIME_LIMIT), CancelFlag::new(), MEMORY_LIMIT);
    let outcome = RookCircuit::solve(board, &mut budget);
    let time = start.elapsed().as_secs_f64() * 1e3;
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
fn theirs(program: &Path, board: &Board, has_circuit: bool, tally: &mut Tally) {
    let size = board.size();
    let blocked: Vec<_> = size.cells().filter(|&cell| !board.is_free(cell)).collect();
    let start = board.start();
    let mut body =
        format!("{} {} {} {} {}\n", size.rows, size.cols, blocked.len(), start.col, start.row);
    for cell in blocked {
        body += &format!("{} {}\n", cell.col, cell.row);
    }
    body += "\n0 0 0 0 0\n";
    let start = Instant::now();
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the peer program runs");
    let mut input = child.stdin.take().expect("the peer's input is piped");
    input.write_all(body.as_bytes()).expect("the peer reads its input");
    drop(input);
    loop {
        if child.try_wait().expect("the peer can be waited for").is_some() {
            break;
        }
        if start.elapsed() > PEER_LIMIT {
            child.kill().expect("the peer can be stopped");
            child.wait().expect("the peer can be waited for");
            tally.peer_late += 1;
            tally.peer_times.push(PEER_LIMIT.as_secs_f64() * 1e3);
            return;
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    tally.peer_times.push(start.elapsed().as_secs_f64() * 1e3);
    let output = child.wait_with_output().expect("the peer's output can be read");
    let says_no = String::from_utf8_lossy(&output.stdout).contains("NO SOLUTION");
    tally.peer_wrong += usize::from(says_no == has_circuit);
}

fn report(family: &Family, mut tally: Tally) {
    tally.times.sort_by(f64::total_cmp);
    tally.peer_times.sort_by(f64::total_cmp);
    let quantile = |times: &[f64], share: f64| {
        times.get(((times.len() as f64 * share) as usize).min(times.len().max(1) - 1)).copied()
    };
    let ours = |share| quantile(&tally.times, share).unwrap_or(0.0);
    let peer = match (quantile(&tally.peer_times, 0.5), quantile(&tally.peer_times, 1.0)) {
        (Some(half), Some(all)) => {
            format!("{half:.2} / {all:.2} | {} | {}", tally.peer_late, tally.peer_wrong)
        }
        _ => "– | – | –".to_owned(),
    };
    println!(
        "| {} | {} | {} / {} / {} | {:.2} | {:.2} | {:.2} | {:.2} | {} | {} | {peer} |",
        family.name,
        family.boards.len(),
        tally.solved,
        tally.unsolvable,
        tally.unknown,
        ours(0.5),
        ours(0.95),
        ours(0.99),
        ours(1.0),
        tally.slowest,
        tally.nodes / family.boards.len().max(1) as u64,
    );
}
