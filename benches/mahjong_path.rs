//! The speed claims of mahjong-path, over seeded families of boards.
//!
//! Prints a Markdown table: for each family the boards, the share decided, the
//! time of a solve (50th, 95th and 99th percentile and the greatest, in ms),
//! pairs a second, the time of the check that follows every solve, and nodes.
//! Times are the thread's own on the processor, so that a busy machine does not show.
//! A second table has the stages of one large JSON request, and the peer's times
//! when the environment variable `BOARDSOLVE_PEERS` names the folder of peer
//! programs. `BOARDSOLVE_BENCH` picks the families whose names contain it.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "support/clock.rs"]
mod clock;
#[allow(dead_code, reason = "each bench uses its own part of it")]
#[path = "support/contest.rs"]
mod contest;
#[path = "support/peer.rs"]
mod peer;

use std::path::Path;
use std::time::{Duration, Instant};

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::grid::{Cell, CellSet, Direction, Size};
use boardsolve::http::wire::{Stats, Wire};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::mahjong_path::MahjongPath;
use boardsolve::puzzles::mahjong_path::board::{Board, Options, Pair};

use self::clock::{milliseconds, processor_time};
use self::contest::{random_board, random_pairs};

/// The time limit of a solve: of the wall clock, hence more than the service's 10 s.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The memory limit of a solve, as the service has it by default.
const MEMORY_LIMIT: usize = 256 << 20;

/// How long the peer may take for a board.
const PEER_LIMIT: Duration = Duration::from_secs(10);

/// A kind of boards, made from a seed.
struct Family {
    name: &'static str,
    boards: u64,
    make: fn(&mut fastrand::Rng) -> Board,
    /// Whether the peer takes part: its board is at most 83 × 83, all outside.
    for_peer: bool,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "75×75 at 30 %, 100 000 pairs",
        boards: 20,
        for_peer: false,
        make: |random| random_board(random, 75, 0.3, 100_000, true),
    },
    Family {
        name: "75×75 at 30 %, 100 000 pairs, numbers only",
        boards: 20,
        for_peer: false,
        make: |random| random_board(random, 75, 0.3, 100_000, false),
    },
    Family {
        name: "75×75 at 30 %, 1000 pairs",
        boards: 100,
        for_peer: true,
        make: |random| random_board(random, 75, 0.3, 1000, true),
    },
    Family {
        name: "75×75 at 30 %, one pair",
        boards: 300,
        for_peer: true,
        make: |random| random_board(random, 75, 0.3, 1, true),
    },
    Family {
        name: "75×75 at 50 %, 100 000 pairs",
        boards: 20,
        for_peer: false,
        make: |random| random_board(random, 75, 0.5, 100_000, true),
    },
    Family {
        name: "75×75 at 5 %, 100 000 pairs",
        boards: 20,
        for_peer: false,
        make: |random| random_board(random, 75, 0.05, 100_000, true),
    },
    Family {
        name: "75×75 serpentine, 100 000 pairs",
        boards: 5,
        for_peer: false,
        make: |random| random_pairs(random, serpentine(75), 100_000, true),
    },
    Family {
        name: "20×20 at 40 %, 20 pairs",
        boards: 300,
        for_peer: true,
        make: |random| random_board(random, 20, 0.4, 20, true),
    },
    Family {
        name: "500×500 at 30 %, one pair",
        boards: 40,
        for_peer: false,
        make: |random| random_board(random, 500, 0.3, 1, true),
    },
    Family {
        name: "500×500 at 30 %, one tile to 1000",
        boards: 20,
        for_peer: false,
        make: |random| star(random, 500, 0.3, 1000),
    },
    Family {
        name: "500×500 at 30 %, 1000 pairs",
        boards: 5,
        for_peer: false,
        make: |random| random_board(random, 500, 0.3, 1000, true),
    },
    Family {
        name: "500×500 at 30 %, 100 000 pairs, numbers only",
        boards: 2,
        for_peer: false,
        make: |random| random_board(random, 500, 0.3, 100_000, false),
    },
    Family {
        name: "500×500 at 5 %, 10 000 pairs",
        boards: 2,
        for_peer: false,
        make: |random| random_board(random, 500, 0.05, 10_000, true),
    },
    Family {
        name: "501×501 maze, 1000 pairs",
        boards: 2,
        for_peer: false,
        make: |random| {
            let walls = maze(random, 250);
            random_pairs(random, walls, 1000, true)
        },
    },
    Family {
        name: "501×501 maze, 100 000 pairs",
        boards: 1,
        for_peer: false,
        make: |random| {
            let walls = maze(random, 250);
            random_pairs(random, walls, 100_000, true)
        },
    },
    Family {
        name: "501×501 maze, 100 000 pairs, numbers only",
        boards: 1,
        for_peer: false,
        make: |random| {
            let walls = maze(random, 250);
            random_pairs(random, walls, 100_000, false)
        },
    },
    Family {
        name: "1000×1000 at 30 %, one pair",
        boards: 10,
        for_peer: false,
        make: |random| random_board(random, 1000, 0.3, 1, true),
    },
    Family {
        name: "1000×1000 at 30 %, one tile to 100 000",
        boards: 3,
        for_peer: false,
        make: |random| star(random, 1000, 0.3, 100_000),
    },
    Family {
        name: "1000×1000 at 30 %, 100 000 pairs, numbers only",
        boards: 1,
        for_peer: false,
        make: |random| random_board(random, 1000, 0.3, 100_000, false),
    },
    Family {
        name: "1000×1000 at 30 %, 100 000 pairs",
        boards: 1,
        for_peer: false,
        make: |random| random_board(random, 1000, 0.3, 100_000, true),
    },
    Family {
        name: "1000×1000 at 50 %, 100 000 pairs, at most 3",
        boards: 2,
        for_peer: false,
        make: |random| {
            let board = random_board(random, 1000, 0.5, 100_000, true);
            let options = Options { max_segments: std::num::NonZeroU32::new(3), ..board.options() };
            Board::new(board.tiles().clone(), board.pairs().to_vec(), options)
                .expect("it was legal")
        },
    },
    Family {
        name: "1000×1000 chequered, 100 000 pairs",
        boards: 2,
        for_peer: false,
        make: |random| {
            let size = Size::new(1000, 1000);
            let tiles = CellSet::from_cells(size, size.cells().filter(|cell| cell.is_white()));
            random_pairs(random, tiles, 100_000, true)
        },
    },
];

fn main() {
    let chosen = std::env::var("BOARDSOLVE_BENCH").unwrap_or_default();
    let peer = peer::program("mahjong-path");
    println!(
        "| family | boards | decided | p50 | p95 | p99 | max ms | pairs/s | check ms | nodes |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut peer_lines = Vec::new();
    for family in FAMILIES.iter().filter(|family| family.name.contains(&chosen)) {
        let boards: Vec<Board> = (0..family.boards)
            .map(|seed| (family.make)(&mut fastrand::Rng::with_seed(seed)))
            .collect();
        println!("{}", measure(family, &boards));
        if let Some(peer) = peer.as_ref().filter(|_| family.for_peer) {
            peer_lines.push(compare(family, &boards, peer));
        }
    }
    if "one JSON request".contains(&chosen) {
        print_stages();
    }
    if !peer_lines.is_empty() {
        println!("\n| family | boards | solve, whole family ms | peer ms | same answers |");
        println!("|---|---|---|---|---|");
        peer_lines.iter().for_each(|line| println!("{line}"));
    }
}

/// One line of the table.
fn measure(family: &Family, boards: &[Board]) -> String {
    let mut times = Vec::new();
    let (mut checking, mut decided, mut pairs, mut nodes) = (Duration::ZERO, 0, 0, 0);
    for board in boards {
        let mut budget = Budget::new(Some(TIME_LIMIT), CancelFlag::new(), MEMORY_LIMIT);
        let started = processor_time();
        let outcome = MahjongPath::solve(board, &mut budget);
        times.push(processor_time() - started);
        nodes += budget.nodes();
        match outcome {
            Outcome::Solved(paths) => {
                decided += 1;
                pairs += paths.len();
                let started = processor_time();
                MahjongPath::verify(board, &paths).expect("every answer is right");
                checking += processor_time() - started;
            }
            Outcome::Unknown { learnt, .. } => pairs += learnt.answered,
            Outcome::Unsolvable(reason) => match reason {},
        }
    }
    let solving: Duration = times.iter().sum();
    times.sort_unstable();
    let percentile = |percent: usize| milliseconds(times[(times.len() - 1) * percent / 100]);
    let count = boards.len();
    format!(
        "| {} | {count} | {} % | {:.3} | {:.3} | {:.3} | {:.3} | {:.0} | {:.3} | {} |",
        family.name,
        decided * 100 / count,
        percentile(50),
        percentile(95),
        percentile(99),
        percentile(100),
        pairs as f64 / solving.as_secs_f64(),
        milliseconds(checking) / f64::from(decided.max(1) as u32),
        nodes / count as u64,
    )
}

/// One line of the peer's table.
fn compare(family: &Family, boards: &[Board], peer: &Path) -> String {
    let (mut own, mut of_peer, mut same, mut ran) = (Duration::ZERO, Duration::ZERO, 0, 0);
    for board in boards {
        let started = Instant::now();
        let Outcome::Solved(paths) = MahjongPath::solve(board, &mut Budget::unlimited()) else {
            continue;
        };
        own += started.elapsed();
        let Some((time, printed)) = peer::run(peer, contest::mahjong_path(board), PEER_LIMIT)
        else {
            continue;
        };
        of_peer += time;
        ran += 1;
        same += usize::from(printed == MahjongPath::write_text(board, Ok(&paths)));
        if of_peer > PEER_LIMIT {
            break;
        }
    }
    format!(
        "| {} | {ran} | {:.3} | {:.3} | {same} |",
        family.name,
        milliseconds(own),
        milliseconds(of_peer)
    )
}

/// The stages of a request of 100 000 pairs.
fn print_stages() {
    let board = random_board(&mut fastrand::Rng::with_seed(1), 75, 0.3, 100_000, true);
    let mut body = String::from("{\"board\":[");
    for (index, row) in board.to_string().lines().enumerate() {
        body += if index > 0 { ",\"" } else { "\"" };
        body += row;
        body.push('"');
    }
    body += "],\"pairs\":[";
    for (index, Pair { from, to }) in board.pairs().iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        body += &format!(
            "{comma}{{\"from\":{{\"row\":{},\"col\":{}}},\"to\":{{\"row\":{},\"col\":{}}}}}",
            from.row, from.col, to.row, to.col
        );
    }
    body += "]}";
    println!("\n| stage of one JSON request, 75×75, 100 000 pairs | ms |\n|---|---|");
    let stage = |name: &str, started: Duration| {
        println!("| {name} | {:.1} |", milliseconds(processor_time() - started))
    };

    let started = processor_time();
    let request: <MahjongPath as Wire>::Request =
        serde_json::from_str(&body).expect("the body is a request");
    stage(&format!("read {} bytes", body.len()), started);
    let started = processor_time();
    let board = MahjongPath::board(request).expect("the request is legal");
    stage("make the board", started);
    let started = processor_time();
    let outcome = MahjongPath::solve(&board, &mut Budget::unlimited());
    stage("solve", started);
    let Outcome::Solved(paths) = &outcome else { unreachable!("there is no limit") };
    let started = processor_time();
    MahjongPath::verify(&board, paths).expect("the answer is right");
    stage("check", started);
    let started = processor_time();
    let stats = Stats { time_ms: 0.0, nodes: 0, time_limit_ms: 1 };
    let mut page = Vec::new();
    let response = MahjongPath::response(&board, &outcome, stats);
    serde_json::to_writer(&mut page, &response).expect("it is written");
    stage(&format!("write {} bytes", page.len()), started);
    let text = contest::mahjong_path(&board);
    let options = boardsolve::puzzle::OptionValues::defaults(MahjongPath::OPTIONS);
    let started = processor_time();
    let cases = MahjongPath::read_text(&text, &options).expect("it is legal");
    stage(&format!("read {} bytes of text instead", text.len()), started);
    drop(cases);
    let started = processor_time();
    let text = MahjongPath::write_text(&board, Ok(paths));
    stage(&format!("write {} bytes of text instead", text.len()), started);
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
        println!("\nPeak of resident memory of the whole bench so far: {peak}");
    }
}

/// One tile, and others to which it is to be joined.
fn star(random: &mut fastrand::Rng, side: usize, density: f64, pairs: usize) -> Board {
    let board = random_board(random, side, density, pairs, true);
    let from = board.pairs()[0].from;
    let pairs = board.pairs().iter().filter(|pair| pair.to != from);
    let pairs = pairs.map(|pair| Pair { from, to: pair.to }).collect();
    Board::new(board.tiles().clone(), pairs, board.options()).expect("it is legal")
}

/// Walls across the board, each open at one end, in turn.
fn serpentine(side: usize) -> CellSet {
    let size = Size::new(side, side);
    let is_wall = |cell: &Cell| {
        let open = if cell.row % 4 == 1 { side as i32 - 1 } else { 0 };
        cell.row % 2 == 1 && cell.col != open
    };
    CellSet::from_cells(size, size.cells().filter(is_wall))
}

/// A maze without loops, dug depth first: its corridors turn at almost every room.
fn maze(random: &mut fastrand::Rng, rooms: i32) -> CellSet {
    let size = Size::new(2 * rooms as usize + 1, 2 * rooms as usize + 1);
    let mut walls = CellSet::from_cells(size, size.cells());
    let mut trail = vec![Cell::new(1, 1)];
    walls.remove(trail[0]);
    while let Some(&room) = trail.last() {
        let next = |direction| (room.step(direction), room.step(direction).step(direction));
        let closed: Vec<(Cell, Cell)> = Direction::ALL
            .into_iter()
            .map(next)
            .filter(|&(_, room)| size.contains(room) && walls.contains(room))
            .collect();
        if closed.is_empty() {
            trail.pop();
            continue;
        }
        let (door, room) = closed[random.usize(..closed.len())];
        walls.remove(door);
        walls.remove(room);
        trail.push(room);
    }
    walls
}
