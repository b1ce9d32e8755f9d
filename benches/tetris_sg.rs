//! The speed claims of tetris-sg, over seeded families of boards.
//!
//! Prints a Markdown table; times are the thread's own on the processor. With `BOARDSOLVE_PEERS` set to the folder of peer
//! programs, the one named `tetris-sg` is timed on the same boards where it can
//! take part: a process of its own for each board, which ends after a few seconds.
//! The shared table is emptied before every board but in the family that shows it.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "support/clock.rs"]
mod clock;
#[path = "support/peer.rs"]
mod peer;

use std::path::{Path, PathBuf};
use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::tetris_sg::board::{MovesAsked, Position, Questions};
use boardsolve::puzzles::tetris_sg::solve::shared;
use boardsolve::puzzles::tetris_sg::{Answer, TetrisSg, Winner};

use self::clock::{milliseconds, processor_time};

/// The memory that a solve of the service may hold unless told otherwise.
const MEMORY: usize = 256 << 20;

/// How long one board may take here, of the wall clock: much on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// How long the peer may take for one board.
const PEER_LIMIT: Duration = Duration::from_secs(5);

const DEFAULTS: Questions = Questions { moves: MovesAsked::One, grundy: true };
const EVERYTHING: Questions = Questions { moves: MovesAsked::All, grundy: true };

/// Boards of one kind.
struct Family {
    name: String,
    boards: Vec<Vec<String>>,
    questions: Questions,
    /// Whether the peer can decide such boards in any time.
    for_peer: bool,
    /// Whether what earlier boards found is kept.
    keeps_shared: bool,
}

fn main() {
    let peer = peer::program("tetris-sg");
    let peer_head = if peer.is_some() { " peer decided | peer p50 ms | peer max ms |" } else { "" };
    println!(
        "| family | boards | decided | p50 ms | p95 ms | p99 ms | max ms | nodes |{peer_head}"
    );
    println!(
        "|---|---|---|---|---|---|---|---|{}",
        if peer.is_some() { "---|---|---|" } else { "" }
    );
    for family in families() {
        print_row(&family, peer.as_ref());
    }
}

fn families() -> Vec<Family> {
    let mut families = vec![
        contest("contest boards, winner", Questions::WINNER),
        contest("contest boards, winner, value and a move", DEFAULTS),
        contest("contest boards, everything", EVERYTHING),
        sparse("64×64, 50 % taken, everything", 50),
        sparse("64×64, 40 % taken, everything", 40),
        strips("2×n to 3×n, n ≤ 64, winner", 2..=3, 64, Questions::WINNER),
        strips(
            "2×n to 3×n, n ≤ 64, value",
            2..=3,
            64,
            Questions { grundy: true, ..Questions::WINNER },
        ),
        strips("4×n, n ≤ 32, winner", 4..=4, 32, Questions::WINNER),
        strips("5×n, n ≤ 20, winner", 5..=5, 20, Questions::WINNER),
    ];
    for (rows, cols) in [(8, 9), (9, 9), (8, 11), (9, 10), (9, 11)] {
        families.push(empty(rows, cols, Questions::WINNER, "winner"));
    }
    families.push(empty(8, 9, DEFAULTS, "value and a move"));
    families.push(empty(9, 9, DEFAULTS, "value and a move"));
    let again = empty(9, 10, Questions::WINNER, "winner, a second time");
    families.push(Family { boards: vec![again.boards[0].clone(); 2], keeps_shared: true, ..again });
    families
}

/// What the contest's statement allows: under 50 cells, at most 40 of them free.
fn contest(name: &str, questions: Questions) -> Family {
    let mut random = fastrand::Rng::with_seed(1760);
    let mut boards = Vec::new();
    while boards.len() < 300 {
        let (rows, cols) = (random.usize(1..=12), random.usize(1..=12));
        if rows * cols >= 50 || rows * cols < 16 {
            continue;
        }
        let most = 40.min(rows * cols);
        let free = random.usize(most / 2..=most);
        let mut cells: Vec<char> =
            (0..rows * cols).map(|index| if index < free { '0' } else { '1' }).collect();
        random.shuffle(&mut cells);
        boards.push(cells.chunks(cols).map(|row| row.iter().collect()).collect());
    }
    Family { name: name.to_owned(), boards, questions, for_peer: true, keeps_shared: false }
}

fn sparse(name: &str, percent_taken: u32) -> Family {
    let mut random = fastrand::Rng::with_seed(u64::from(percent_taken));
    let mut digit = || if random.u32(0..100) < percent_taken { '1' } else { '0' };
    let boards =
        (0..10).map(|_| (0..64).map(|_| (0..64).map(|_| digit()).collect()).collect()).collect();
    Family {
        name: name.to_owned(),
        boards,
        questions: EVERYTHING,
        for_peer: false,
        keeps_shared: false,
    }
}

fn strips(
    name: &str,
    rows: std::ops::RangeInclusive<usize>,
    longest: usize,
    questions: Questions,
) -> Family {
    let sizes = rows.flat_map(|rows| (2..=longest).map(move |cols| vec!["0".repeat(cols); rows]));
    Family {
        name: name.to_owned(),
        boards: sizes.collect(),
        questions,
        for_peer: false,
        keeps_shared: false,
    }
}

fn empty(rows: usize, cols: usize, questions: Questions, what: &str) -> Family {
    Family {
        name: format!("empty {rows}×{cols}, {what}"),
        boards: vec![vec!["0".repeat(cols); rows]],
        questions,
        for_peer: false,
        keeps_shared: false,
    }
}

fn print_row(family: &Family, peer: Option<&PathBuf>) {
    shared::clear();
    let mut times = Vec::new();
    let mut answers = Vec::new();
    let mut nodes = 0;
    for board in &family.boards {
        if !family.keeps_shared {
            shared::clear();
        }
        let position = Position::from_rows(std::slice::from_ref(board), family.questions)
            .expect("the families hold legal boards");
        let mut budget = Budget::new(Some(TIME_LIMIT), CancelFlag::new(), MEMORY);
        let begun = processor_time();
        let outcome = TetrisSg::solve(&position, &mut budget);
        times.push(processor_time() - begun);
        nodes += budget.nodes();
        answers.push(match outcome {
            Outcome::Solved(answer) => Some(answer),
            _ => None,
        });
    }
    let whole = |answer: &&Option<Answer>| answer.as_ref().is_some_and(|a| a.undecided.is_empty());
    let decided = answers.iter().filter(whole).count();
    times.sort_unstable();
    let mut row = format!(
        "| {} | {} | {} % | {} | {} | {} | {} | {nodes} |",
        family.name,
        times.len(),
        decided * 100 / times.len(),
        in_ms(times[times.len() / 2]),
        in_ms(times[times.len() * 95 / 100]),
        in_ms(times[times.len() * 99 / 100]),
        in_ms(times[times.len() - 1]),
    );
    if let Some(peer) = peer {
        row += &match family.for_peer {
            true => peer_columns(peer, family, &answers),
            false => " | | |".to_owned(),
        };
    }
    println!("{row}");
}

/// Times the peer on every board of the family; its answers must be ours.
fn peer_columns(peer: &Path, family: &Family, answers: &[Option<Answer>]) -> String {
    let mut times = Vec::new();
    for (board, answer) in family.boards.iter().zip(answers) {
        let body = format!("{} {}\n{}\n", board.len(), board[0].len(), board.join("\n"));
        let Some((time, said)) = peer::run(peer, body, PEER_LIMIT) else { continue };
        let expected = answer.as_ref().map(|answer| match answer.winner {
            Winner::First => "Yes",
            Winner::Second => "No",
        });
        assert_eq!(Some(said.trim()), expected, "{}", board.join("\n"));
        times.push(time);
    }
    times.sort_unstable();
    match times.last() {
        None => " 0 % | | |".to_owned(),
        Some(&slowest) => format!(
            " {} % | {} | {} |",
            times.len() * 100 / family.boards.len(),
            in_ms(times[times.len() / 2]),
            in_ms(slowest)
        ),
    }
}

fn in_ms(time: Duration) -> String {
    format!("{:.3}", milliseconds(time))
}
