//! Solvers that others have published, beside ours, on the same boards in the same run.
//!
//! `benches/run public` installs them and prints a Markdown table: whole processes by the wall
//! clock, their starts included, ours as `boardsolve solve`; the answers are compared. The variable
//! `BOARDSOLVE_PUBLIC_PEERS` names the folder with the adapters of `benches/peers/`.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[allow(dead_code, reason = "shared with the laws")]
#[path = "../tests/laws/rook_circuit/boards.rs"]
mod boards;
#[allow(dead_code, reason = "each bench uses its own part of it")]
#[path = "support/clock.rs"]
mod clock;
#[allow(dead_code, reason = "each bench uses its own part of it")]
#[path = "support/contest.rs"]
mod contest;
#[allow(dead_code, reason = "each bench uses its own part of it")]
#[path = "support/peer.rs"]
mod peer;

use std::path::Path;
use std::time::Duration;

use boardsolve::grid::Size;
use fastrand::Rng;

use self::boards::{plain, planted};
use self::clock::milliseconds;

/// How long either may take for one board.
const LIMIT: Duration = Duration::from_secs(60);

/// Boards that both are asked about.
struct Family {
    puzzle: &'static str,
    peer: &'static str,
    name: String,
    /// In the contest's form.
    boards: Vec<String>,
}

fn main() {
    let Some(folder) = std::env::var_os("BOARDSOLVE_PUBLIC_PEERS") else {
        println!("\nThe public solvers were left out: BOARDSOLVE_PUBLIC_PEERS names no folder.");
        return;
    };
    println!("\n### Other public solvers\n");
    println!(
        "| puzzle, boards | number | boardsolve: p50, worst ms | peer | found | p50, worst ms |"
    );
    println!("|---|---|---|---|---|---|");
    for family in families() {
        print_row(&family, &Path::new(&folder).join(family.puzzle));
    }
}

fn families() -> Vec<Family> {
    let mut families = Vec::new();
    for (side, percent, count) in [(5, 20, 9), (6, 20, 9), (7, 20, 5), (8, 20, 3), (9, 10, 3)] {
        let name = format!("{side}×{side}, {percent} % taken");
        families.push(Family::new("tetris-sg", "pycgt", name, count, |random| {
            let mut row = || (0..side).map(|_| digit(random, percent)).collect::<String>() + "\n";
            format!("{side} {side}\n") + &(0..side).map(|_| row()).collect::<String>()
        }));
    }
    for (side, pairs, count) in [(20, 100, 9), (75, 100, 9), (75, 2000, 5)] {
        let name = format!("{side}×{side}, 30 % tiles, {pairs} pairs");
        families.push(Family::new("mahjong-path", "pathfinding", name, count, |random| {
            contest::mahjong_path(&contest::random_board(random, side, 0.3, pairs, true))
        }));
    }
    for (side, percent, count) in [(8, 5, 7), (12, 3, 7), (20, 2, 5), (30, 2, 3)] {
        let name = format!("{side}×{side}, {percent} % blocked, with a circuit");
        families.push(Family::new("rook-circuit", "LKH", name, count, |random| {
            contest::rook_circuit(&plain(planted(random, Size::new(side, side), percent)))
        }));
    }
    families
}

fn digit(random: &mut Rng, percent_taken: u32) -> char {
    if random.u32(0..100) < percent_taken { '1' } else { '0' }
}

impl Family {
    fn new(
        puzzle: &'static str,
        peer: &'static str,
        name: String,
        count: u64,
        board: impl Fn(&mut Rng) -> String,
    ) -> Self {
        let boards = (0..count).map(|seed| board(&mut Rng::with_seed(seed))).collect();
        Self { puzzle, peer, name, boards }
    }
}

fn print_row(family: &Family, adapter: &Path) {
    let ours = Path::new(env!("CARGO_BIN_EXE_boardsolve"));
    let (mut our_times, mut peer_times, mut found) = (Vec::new(), Vec::new(), 0);
    for board in &family.boards {
        let (time, answer) = peer::run_with(ours, &["solve", family.puzzle], board.clone(), LIMIT)
            .expect("boardsolve ends within its limits");
        our_times.push(time);
        let Some((time, said)) = peer::run(adapter, board.clone(), LIMIT) else {
            peer_times.push(LIMIT);
            continue;
        };
        peer_times.push(time);
        found += usize::from(agree(family.puzzle, &answer, &said, board));
    }
    println!(
        "| {}, {} | {} | {} | {} | {found} | {} |",
        family.puzzle,
        family.name,
        family.boards.len(),
        median_and_worst(our_times),
        family.peer,
        median_and_worst(peer_times),
    );
}

/// Whether the peer has found what we have; a peer that contradicts us ends the bench.
fn agree(puzzle: &str, answer: &str, said: &str, board: &str) -> bool {
    if puzzle == "rook-circuit" {
        // LKH may miss a circuit, and proves nothing by that. Every board here has one.
        assert!(!answer.contains("NO SOLUTION"), "{board}");
        return said.trim() == "FOUND";
    }
    assert_eq!(answer.trim(), said.trim(), "{board}");
    true
}

fn median_and_worst(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let worst = times.last().expect("a family has boards");
    match times[times.len() / 2] {
        LIMIT => format!("none within {} s", LIMIT.as_secs()),
        median => format!("{:.1}, {:.1}", milliseconds(median), milliseconds(*worst)),
    }
}
