//! How long mayan takes, over seeded families of boards.
//!
//! Prints a Markdown table: family, steps, boards, the share decided, how many of
//! them are solvable, milliseconds of the thread on the processor (median, 95th
//! and 99th percentile, greatest) and the greatest number of nodes. A board that
//! takes under 50 ms is solved three times and its least time counts, so that other
//! processes show less. A family ends early when our solver has used up its
//! seconds. With `BOARDSOLVE_PEERS` naming a folder of peer programs, its program
//! `mayan` is timed beside ours on the boards of five steps, as a child process
//! that is stopped after ten seconds.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "support/clock.rs"]
mod clock;
#[path = "support/peer.rs"]
mod peer;

use std::path::Path;
use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::mayan::Mayan;
use boardsolve::puzzles::mayan::board::{Board, Drag, Goal, Move, Rules};

use self::clock::{milliseconds, processor_time};

type Columns = Vec<Vec<i64>>;

const TIME_LIMIT: Duration = Duration::from_secs(10);
const MEMORY_LIMIT: usize = 64 << 20;
const TIME_A_FAMILY: Duration = Duration::from_secs(3);
const PEER_LIMIT: Duration = Duration::from_secs(10);
const MOST_PEER_BOARDS: usize = 5;

/// Boards found by hill climbing on the number of nodes: the hardest that are known.
const HARDEST: &[[&[i64]; 5]] = &[
    [&[], &[2, 1, 2, 3, 1, 2, 3], &[1, 3, 3, 2, 3, 1, 2], &[3, 2, 1, 1, 2, 3, 1], &[]],
    [
        &[3, 2, 2, 3, 2, 1, 3],
        &[1, 3, 3, 1, 1, 3, 2],
        &[3, 1, 1, 2, 3, 2, 1],
        &[1, 2, 1],
        &[3, 3, 2, 3, 2, 3, 2],
    ],
    [&[3, 2, 1], &[4, 1, 2, 1, 3], &[1, 4, 3, 2, 4, 2, 4], &[4, 2, 4, 1, 2, 1, 3], &[3]],
    [
        &[3, 1, 3, 3, 1, 1, 2],
        &[2, 2, 1, 1, 2, 3, 1],
        &[1, 3, 1, 2, 3, 1, 2],
        &[3, 1, 3, 3, 1, 2, 3],
        &[1, 3, 3, 2, 3, 3],
    ],
    [
        &[3, 1, 3, 2, 1, 1],
        &[1, 3, 2, 3, 2, 3, 1],
        &[2, 2, 1, 1, 3, 2, 1],
        &[3, 1, 1, 2, 3, 2, 3],
        &[1, 2, 2, 1, 1, 3, 2],
    ],
    [
        &[2, 1, 3, 1, 2, 3, 1],
        &[3, 2, 1, 3, 3, 1, 2],
        &[1, 3, 2, 1, 2, 1, 3],
        &[2, 1, 1, 3, 1, 2, 2],
        &[3, 2, 3, 1, 3, 2, 1],
    ],
    [
        &[1, 1, 2, 3, 1],
        &[3, 3, 1, 2, 3, 1],
        &[1, 2, 2, 3, 1, 3, 2],
        &[2, 3, 2, 1, 2, 1, 3],
        &[2, 2, 1, 2, 1, 1, 2],
    ],
    [&[3], &[1, 2, 2, 3, 1, 2, 3], &[3, 3, 1, 2, 1], &[2, 1, 2, 3, 3, 2, 3], &[1, 2, 1, 1]],
    [&[], &[3, 4, 3, 5, 5, 3, 2], &[2, 1, 2, 5, 4, 5, 2], &[4, 2, 5, 1, 2], &[5, 5, 2, 2, 5, 1, 2]],
    [
        &[6, 3, 1, 6, 6, 5],
        &[1, 5, 6, 3, 1, 1, 6],
        &[6, 2, 1, 5, 3, 6, 1],
        &[2, 1, 5, 6],
        &[4, 4, 2, 4, 5, 1, 6],
    ],
    [
        &[3, 1, 1, 3, 1, 3, 3],
        &[2, 3, 3, 2, 3, 2, 1],
        &[3, 1, 2, 3, 1, 3, 2],
        &[1, 3, 3, 2, 2, 1, 1],
        &[3, 1, 2, 3, 1, 3, 1],
    ],
    [
        &[2, 3, 3, 2, 2, 3, 1],
        &[3, 1, 1, 3, 3, 1, 3],
        &[1, 2, 3, 2, 1, 3, 2],
        &[],
        &[1, 3, 1, 3, 1, 3, 1],
    ],
];

fn main() {
    let peer = peer::program("mayan");
    println!(
        "| family | steps | boards | decided | solvable | p50 ms | p95 ms | p99 ms | max ms | most nodes | peer |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|");
    let peer = peer.as_deref();
    let exact = Rules::default();
    for steps in [5, 7, 8, 10] {
        for colours in [2, 3, 4, 5, 6, 8, 10] {
            run(&format!("full, {colours} colours"), steps, 60, exact, peer, |random| {
                filled(random, [7; 5], colours)
            });
        }
        run("random heights and colours", steps, 400, exact, peer, |random| {
            let colours = random.i64(2..=10);
            let heights = std::array::from_fn(|_| random.usize(0..=7));
            filled(random, heights, colours)
        });
        run("few blocks", steps, 400, exact, peer, |random| {
            let colours = random.i64(1..=3);
            let heights = std::array::from_fn(|_| random.usize(0..=3));
            filled(random, heights, colours)
        });
        run("planted", steps, 200, exact, peer, |random| {
            let colours = random.i64(2..=10);
            planted(random, steps as usize, colours)
        });
        run("planted, then two blocks exchanged", steps, 200, exact, peer, |random| {
            let colours = random.i64(2..=6);
            let mut columns = planted(random, steps as usize, colours)?;
            let places: Vec<(usize, usize)> =
                (0..5).flat_map(|x| (0..columns[x].len()).map(move |y| (x, y))).collect();
            let [(x, y), (z, w)] = [0, 0].map(|_| places[random.usize(0..places.len())]);
            let colour = columns[x][y];
            columns[x][y] = columns[z][w];
            columns[z][w] = colour;
            Some(columns)
        });
        let literal = Rules { same_colour_swaps: true, ..exact };
        let fewest = Rules { goal: Goal::Fewest, ..exact };
        for (name, rules) in [
            ("hardest found", exact),
            ("the same, same_colour_swaps", literal),
            ("the same, fewest", fewest),
        ] {
            let mut hardest = HARDEST.iter();
            let peer = peer.filter(|_| rules == exact);
            run(name, steps, HARDEST.len(), rules, peer, |_| {
                hardest.next().map(|columns| columns.map(<[i64]>::to_vec).to_vec())
            });
        }
    }
}

/// Times a family of at most `most` boards and prints its line.
fn run(
    family: &str,
    steps: i64,
    most: usize,
    rules: Rules,
    peer: Option<&Path>,
    mut next: impl FnMut(&mut fastrand::Rng) -> Option<Columns>,
) {
    let mut random = fastrand::Rng::with_seed(family.len() as u64 * 100 + steps as u64);
    let (mut times, mut decided, mut solvable, mut most_nodes) = (Vec::new(), 0, 0, 0);
    let mut peer_times = Vec::new();
    let mut used = Duration::ZERO;
    for _ in 0..50 * most {
        if times.len() == most || used > TIME_A_FAMILY {
            break;
        }
        let Some(columns) = next(&mut random) else { continue };
        let Ok(board) = Board::new(steps, &columns, rules) else { continue };
        let mut least = f64::MAX;
        for repeat in 0..3 {
            let mut budget = Budget::new(Some(TIME_LIMIT), CancelFlag::new(), MEMORY_LIMIT);
            let begin = processor_time();
            let outcome = Mayan::solve(&board, &mut budget);
            let time = processor_time() - begin;
            used += time;
            least = least.min(milliseconds(time));
            if repeat == 0 {
                decided += usize::from(!matches!(outcome, Outcome::Unknown { .. }));
                solvable += usize::from(matches!(outcome, Outcome::Solved(_)));
                most_nodes = most_nodes.max(budget.nodes());
            }
            if time > Duration::from_millis(50) {
                break;
            }
        }
        times.push(least);
        if let Some(peer) = peer
            && steps == 5
            && peer_times.len() < MOST_PEER_BOARDS
        {
            let ended = peer::run(peer, board.to_string(), PEER_LIMIT);
            peer_times.push(ended.map_or(PEER_LIMIT, |(time, _)| time));
        }
    }
    if times.is_empty() {
        return;
    }
    times.sort_by(f64::total_cmp);
    let percentile = |percent: usize| times[(times.len() - 1) * percent / 100];
    let peer = match peer_times.iter().max() {
        None => String::new(),
        Some(greatest) if *greatest >= PEER_LIMIT => {
            let stopped = peer_times.iter().filter(|&&time| time >= PEER_LIMIT).count();
            format!("{stopped} of {} stopped at 10 s", peer_times.len())
        }
        Some(greatest) => {
            format!("max {:.1} ms of {}", milliseconds(*greatest), peer_times.len())
        }
    };
    println!(
        "| {family} | {steps} | {} | {:.1} % | {solvable} | {:.2} | {:.2} | {:.2} | {:.2} | {most_nodes} | {peer} |",
        times.len(),
        100.0 * decided as f64 / times.len() as f64,
        percentile(50),
        percentile(95),
        percentile(99),
        percentile(100),
    );
}

/// Columns of the given heights in random colours, without a run of three.
fn filled(random: &mut fastrand::Rng, heights: [usize; 5], colours: i64) -> Option<Columns> {
    let mut columns: Columns = vec![Vec::new(); 5];
    for x in 0..5 {
        for y in 0..heights[x] {
            let ends_run = |colour: i64, columns: &Columns| {
                y >= 2 && columns[x][y - 2..] == [colour; 2]
                    || x >= 2 && (x - 2..x).all(|x| columns[x].get(y) == Some(&colour))
            };
            let fits: Vec<i64> =
                (1..=colours).filter(|&colour| !ends_run(colour, &columns)).collect();
            let &colour = random.choice(&fits)?;
            columns[x].push(colour);
        }
    }
    Some(columns)
}

/// A board that can be cleared in `steps` moves, built backwards: each step puts
/// three blocks of a colour in as a line and drags a block so that the drag back
/// leads to the board as it was.
fn planted(random: &mut fastrand::Rng, steps: usize, colours: i64) -> Option<Columns> {
    let mut columns: Columns = vec![Vec::new(); 5];
    let mut planted = 0;
    for _ in 0..20_000 {
        if planted == steps {
            return Some(columns);
        }
        let mut before = columns.clone();
        let (colour, x) = (random.i64(1..=colours), random.usize(0..5));
        let y = random.usize(0..=before[x].len());
        if random.bool() {
            (0..3).for_each(|_| before[x].insert(y, colour));
        } else if x < 3 && (x..x + 3).all(|x| before[x].len() >= y) {
            (x..x + 3).for_each(|x| before[x].insert(y, colour));
        } else {
            continue;
        }
        let from = random.usize(0..5);
        let (to, back) = match random.bool() {
            true => (from + 1, Drag::Left),
            false => (from.wrapping_sub(1), Drag::Right),
        };
        if to > 4 || before[from].is_empty() {
            continue;
        }
        let y = random.usize(0..before[from].len());
        let moved = before[from].remove(y);
        let place = random.usize(0..=before[to].len());
        if place == y && y < before[to].len() {
            let other = std::mem::replace(&mut before[to][y], moved);
            before[from].insert(y, other);
        } else {
            before[to].insert(place, moved);
        }
        let Ok(board) = Board::new(1, &before, Rules::default()) else { continue };
        let mut after = *board.blocks();
        let is_way_back = after.play(Move { x: to, y: place, drag: back }, false).is_ok()
            && (0..5).all(|x| {
                after.height(x) == columns[x].len()
                    && (0..columns[x].len())
                        .all(|y| after.colour(x, y).map(i64::from) == Some(columns[x][y]))
            });
        if is_way_back {
            (columns, planted) = (before, planted + 1);
        }
    }
    None
}
