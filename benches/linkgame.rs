//! The speed claims for Lianliankan, over seeded families of boards.
//!
//! `cargo bench --bench linkgame` prints a Markdown table. Every board is solved on one
//! core, within 10 s and 64 MB, and what comes out is verified; times are the thread's own
//! on the processor, verification not included. If `BOARDSOLVE_PEERS` names the folder of peer
//! programs, the contest's own program is timed beside ours on the boards where it can
//! take part (one process a board, at most 1 s). `BOARDSOLVE_BENCH_SCALE` multiplies the
//! number of boards (default 1).

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "support/clock.rs"]
mod clock;
#[path = "support/peer.rs"]
mod peer;

use std::path::Path;
use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::linkgame::Linkgame;
use boardsolve::puzzles::linkgame::board::{Board, Reason, Rules};
use fastrand::Rng;

use self::clock::{milliseconds, processor_time};

/// Of the wall clock: on a busy machine more than the 10 s of processor time that are counted.
const TIME_LIMIT: Duration = Duration::from_secs(20);
const MEMORY_LIMIT: usize = 64 << 20;
const PEER_LIMIT: Duration = Duration::from_secs(1);

/// A family of boards.
struct Family {
    name: &'static str,
    rows: usize,
    cols: usize,
    /// How many kinds; each has about the same even number of tiles.
    kinds: usize,
    /// The percentage of empty cells.
    empty: usize,
    /// Whether three kinds that lock each other in are put somewhere among the tiles.
    locked: bool,
    rules: Rules,
    boards: usize,
    /// Whether the contest's program reads such boards.
    peer: bool,
}

const INSIDE: Rules = Rules { outside: false, gravity: false, max_turns: 2 };
const OUTSIDE: Rules = Rules { outside: true, gravity: false, max_turns: 2 };
const FALLING_INSIDE: Rules = Rules { outside: false, gravity: true, max_turns: 2 };
const FALLING: Rules = Rules { outside: true, gravity: true, max_turns: 2 };

fn families() -> Vec<Family> {
    let base = Family {
        name: "contest, full",
        rows: 10,
        cols: 10,
        kinds: 4,
        empty: 0,
        locked: false,
        rules: INSIDE,
        boards: 400,
        peer: true,
    };
    let mut families = vec![
        Family { ..base },
        Family { name: "contest, 30 % empty", empty: 30, ..base },
        Family { name: "contest, small", rows: 6, cols: 6, ..base },
        Family { name: "contest, locked", locked: true, ..base },
    ];
    let base = Family { peer: false, boards: 60, ..base };
    for (rows, cols) in [(6, 14), (8, 18), (12, 24), (14, 26), (16, 30)] {
        for kinds in [36, 42] {
            for rules in [INSIDE, OUTSIDE] {
                families.push(Family { name: "KShisen", rows, cols, kinds, rules, ..base });
            }
        }
    }
    for (rows, cols, kinds) in
        [(10, 20, 50), (12, 24, 60), (14, 26, 75), (16, 30, 90), (14, 26, 65), (16, 30, 70)]
    {
        for rules in [INSIDE, OUTSIDE] {
            families.push(Family { name: "transition", rows, cols, kinds, rules, ..base });
        }
    }
    for (rows, cols, kinds) in [(8, 18, 36), (12, 24, 36)] {
        for rules in [FALLING_INSIDE, FALLING] {
            families.push(Family { name: "gravity", rows, cols, kinds, rules, ..base });
        }
    }
    families
}

impl Family {
    fn board(&self, seed: u64) -> Vec<String> {
        let mut random = Rng::with_seed(seed);
        let area = self.rows * self.cols;
        let pairs = area * (100 - self.empty) / 200;
        let mut kinds: Vec<usize> = (0..self.kinds).collect();
        random.shuffle(&mut kinds);
        let mut tiles = vec!['*'; area];
        for (number, tile) in tiles[..2 * pairs].iter_mut().enumerate() {
            // Letters first, then characters from a block that has enough of them.
            let kind = kinds[number / 2 % self.kinds] as u32;
            let code = if kind < 26 { 'A' as u32 + kind } else { 0x4e00 + kind };
            *tile = char::from_u32(code).expect("the code is that of a character");
        }
        random.shuffle(&mut tiles);
        let mut rows: Vec<Vec<char>> = tiles.chunks(self.cols).map(<[char]>::to_vec).collect();
        if self.locked {
            rows = vec![vec!['D'; self.cols]; self.rows];
            let (row, col) = (random.usize(..self.rows - 1), random.usize(..self.cols - 2));
            for (offset, tiles) in ["ABC", "BCA"].into_iter().enumerate() {
                rows[row + offset].splice(col..col + 3, tiles.chars());
            }
        }
        if self.rules.gravity {
            for col in 0..self.cols {
                let column: Vec<char> =
                    rows.iter().map(|row| row[col]).filter(|&tile| tile != '*').collect();
                let empty = self.rows - column.len();
                for (row, line) in rows.iter_mut().enumerate() {
                    line[col] = if row < empty { '*' } else { column[row - empty] };
                }
            }
        }
        rows.into_iter().map(|row| row.into_iter().collect()).collect()
    }
}

/// What a family's boards came to.
#[derive(Default)]
struct Tally {
    cleared: usize,
    locked: usize,
    exhausted: usize,
    unknown: usize,
    nodes: u64,
    times: Vec<f64>,
    peer_times: Vec<f64>,
    peer_late: usize,
    peer_wrong: usize,
}

fn main() {
    let scale: f64 = std::env::var("BOARDSOLVE_BENCH_SCALE")
        .map_or(1.0, |text| text.parse().expect("BOARDSOLVE_BENCH_SCALE is a number"));
    let peer = peer::program("linkgame");
    println!(
        "| family | size, kinds | outside | boards | cleared / locked / exhausted | decided in 1 s | in 10 s | p50 ms | p95 ms | p99 ms | max ms | nodes a board | peer p50 / p99 ms | peer over 1 s | peer wrong |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for family in families() {
        let boards = ((family.boards as f64 * scale) as usize).max(1);
        let mut tally = Tally::default();
        for seed in 0..boards as u64 {
            let rows = family.board(seed);
            let board = Board::from_rows(&rows, family.rules).expect("the board is legal");
            let cleared = ours(&board, &mut tally);
            if let (true, Some(peer), Some(cleared)) = (family.peer, &peer, cleared)
                && seed < 40
            {
                theirs(peer, &family, &rows, cleared, &mut tally);
            }
        }
        report(&family, boards, tally);
    }
}

/// Solves and verifies a board; whether it is cleared, if that was decided.
fn ours(board: &Board, tally: &mut Tally) -> Option<bool> {
    let start = processor_time();
    let mut budget = Budget::new(Some(TIME_LIMIT), CancelFlag::new(), MEMORY_LIMIT);
    let outcome = Linkgame::solve(board, &mut budget);
    tally.times.push(milliseconds(processor_time() - start));
    tally.nodes += budget.nodes();
    match outcome {
        Outcome::Solved(answer) => {
            Linkgame::verify(board, &answer).expect("the answer keeps the rules");
            tally.cleared += 1;
            Some(true)
        }
        Outcome::Unsolvable(reason) => {
            Linkgame::verify_reason(board, &reason).expect("the reason holds");
            match reason {
                Reason::Exhausted { .. } => tally.exhausted += 1,
                _ => tally.locked += 1,
            }
            Some(false)
        }
        Outcome::Unknown { .. } => {
            tally.unknown += 1;
            None
        }
    }
}

/// Lets the contest's program decide a board.
fn theirs(program: &Path, family: &Family, rows: &[String], cleared: bool, tally: &mut Tally) {
    let body = format!("{} {}\n{}\n0 0\n", family.rows, family.cols, rows.join("\n"));
    let Some((time, printed)) = peer::run(program, body, PEER_LIMIT) else {
        tally.peer_late += 1;
        tally.peer_times.push(milliseconds(PEER_LIMIT));
        return;
    };
    tally.peer_times.push(milliseconds(time));
    let word = if cleared { "yes" } else { "no" };
    tally.peer_wrong += usize::from(printed.trim() != word);
}

fn report(family: &Family, boards: usize, mut tally: Tally) {
    let within = |limit: f64| {
        let late = tally.times.iter().filter(|&&time| time > limit).count();
        100.0 * (boards - late.max(tally.unknown)) as f64 / boards as f64
    };
    let (in_one, in_ten) = (within(1e3), within(1e4));
    tally.times.sort_by(f64::total_cmp);
    tally.peer_times.sort_by(f64::total_cmp);
    let quantile = |times: &[f64], share: f64| {
        times.get(((times.len() as f64 * share) as usize).min(times.len().max(1) - 1)).copied()
    };
    let ours = |share| quantile(&tally.times, share).unwrap_or(0.0);
    let peer = match (quantile(&tally.peer_times, 0.5), quantile(&tally.peer_times, 0.99)) {
        (Some(half), Some(nearly_all)) => {
            format!("{half:.2} / {nearly_all:.2} | {} | {}", tally.peer_late, tally.peer_wrong)
        }
        _ => "– | – | –".to_owned(),
    };
    println!(
        "| {} | {} × {}, {} | {} | {boards} | {} / {} / {} | {in_one:.1} % | {in_ten:.1} % | {:.2} | {:.2} | {:.2} | {:.2} | {} | {peer} |",
        family.name,
        family.rows,
        family.cols,
        family.kinds,
        family.rules.outside,
        tally.cleared,
        tally.locked,
        tally.exhausted,
        ours(0.5),
        ours(0.95),
        ours(0.99),
        ours(1.0),
        tally.nodes / boards as u64,
    );
}
