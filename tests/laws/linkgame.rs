//! Lianliankan against truth: two naive oracles, every tiny board, seeded random ones,
//! planted ones, and laws that need no oracle.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use boardsolve::budget::{Budget, CancelFlag, Stop};
use boardsolve::grid::Cell;
use boardsolve::puzzle::{Outcome, OutcomeOf, Puzzle};
use boardsolve::puzzles::linkgame::Linkgame;
use boardsolve::puzzles::linkgame::board::{Answer, Board, Move, Reason, Rules};
use fastrand::Rng;
use serde::Deserialize;

use crate::oracles::linkgame::{Grid, by_orders, fall, joined, tiles};

// ---- what is asked of the solver ----

fn board(rows: &[String], rules: Rules) -> Board {
    Board::from_rows(rows, rules).unwrap_or_else(|fault| panic!("{fault}:\n{}", rows.join("\n")))
}

/// Solves a board and checks what comes out by the rules alone.
fn solve(board: &Board) -> Result<Answer, Reason> {
    let outcome: OutcomeOf<Linkgame> = Linkgame::solve(board, &mut Budget::unlimited());
    match outcome {
        Outcome::Solved(answer) => {
            if let Err(fault) = Linkgame::verify(board, &answer) {
                panic!("{fault}:\n{board}{:?}\n{answer:?}", board.rules());
            }
            Ok(answer)
        }
        Outcome::Unsolvable(reason) => {
            if let Err(fault) = Linkgame::verify_reason(board, &reason) {
                panic!("{fault}:\n{board}{:?}\n{reason:?}", board.rules());
            }
            Err(reason)
        }
        Outcome::Unknown { stop, .. } => panic!("stopped by {stop:?} without a limit:\n{board}"),
    }
}

fn every_rule() -> impl Iterator<Item = Rules> {
    (0..16).map(|code| Rules {
        outside: code & 1 == 1,
        gravity: code & 2 == 2,
        max_turns: code as u8 >> 2,
    })
}

// ---- the second oracle, for boards that do not fall ----

/// Tries every pairing, and for each takes what is open until nothing is. Without
/// gravity a removal never closes a path, so the order does not matter.
fn by_pairings(grid: &Grid, rules: Rules) -> bool {
    let mut kinds: HashMap<char, Vec<(i32, i32)>> = HashMap::new();
    for cell in tiles(grid) {
        kinds.entry(grid[cell.0 as usize][cell.1 as usize]).or_default().push(cell);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort();
    let pairings: Vec<Vec<Vec<Pair>>> =
        kinds.into_iter().map(|(_, cells)| pairings_of(&cells)).collect();
    let mut chosen = vec![0; pairings.len()];
    loop {
        let pairs: Vec<Pair> =
            chosen.iter().zip(&pairings).flat_map(|(&number, all)| all[number].clone()).collect();
        if clears(grid.clone(), rules, pairs) {
            return true;
        }
        let Some(next) = (0..chosen.len()).find(|&kind| chosen[kind] + 1 < pairings[kind].len())
        else {
            return false;
        };
        chosen[next] += 1;
        chosen[..next].fill(0);
    }
}

type Pair = ((i32, i32), (i32, i32));

fn pairings_of(cells: &[(i32, i32)]) -> Vec<Vec<Pair>> {
    let Some((&first, rest)) = cells.split_first() else { return vec![Vec::new()] };
    let mut pairings = Vec::new();
    for (number, &partner) in rest.iter().enumerate() {
        let mut others = rest.to_vec();
        others.remove(number);
        for mut pairing in pairings_of(&others) {
            pairing.push((first, partner));
            pairings.push(pairing);
        }
    }
    pairings
}

fn clears(mut grid: Grid, rules: Rules, mut pairs: Vec<Pair>) -> bool {
    loop {
        let before = pairs.len();
        pairs.retain(|&(from, to)| {
            let open = joined(&grid, rules, from, to);
            if open {
                grid[from.0 as usize][from.1 as usize] = '*';
                grid[to.0 as usize][to.1 as usize] = '*';
            }
            !open
        });
        if pairs.is_empty() || pairs.len() == before {
            return pairs.is_empty();
        }
    }
}

// ---- boards ----

fn strings(grid: &Grid) -> Vec<String> {
    grid.iter().map(|row| row.iter().collect()).collect()
}

/// Every board of a size over `*` and up to three kinds, each kind first met in
/// alphabetical order.
fn every_board(rows: usize, cols: usize, mut visit: impl FnMut(&Grid)) {
    let area = rows * cols;
    let mut digits = vec![0u8; area];
    loop {
        let mut highest = 0;
        let in_order = digits.iter().all(|&digit| {
            let fits = digit <= highest + 1;
            highest = highest.max(digit);
            fits
        });
        if in_order {
            let tiles: Vec<char> =
                digits.iter().map(|&digit| ['*', 'A', 'B', 'C'][usize::from(digit)]).collect();
            visit(&tiles.chunks(cols).map(<[char]>::to_vec).collect());
        }
        let Some(position) = digits.iter().position(|&digit| digit < 3) else { return };
        digits[..position].fill(0);
        digits[position] += 1;
    }
}

fn is_even(grid: &Grid) -> bool {
    let mut odd = Vec::new();
    for &tile in grid.iter().flatten().filter(|&&tile| tile != '*') {
        match odd.iter().position(|&other| other == tile) {
            Some(position) => {
                odd.swap_remove(position);
            }
            None => odd.push(tile),
        }
    }
    odd.is_empty()
}

fn hangs(grid: &Grid) -> bool {
    let mut fallen = grid.clone();
    fall(&mut fallen);
    fallen != *grid
}

/// A board of `pairs` pairs over `kinds` kinds, the rest empty.
fn random_board(random: &mut Rng, rows: usize, cols: usize, pairs: usize, kinds: usize) -> Grid {
    let mut tiles = vec!['*'; rows * cols];
    for pair in 0..pairs {
        let kind = if pair < kinds { pair } else { random.usize(..kinds) };
        let tile = char::from_u32('A' as u32 + kind as u32).unwrap();
        tiles[2 * pair] = tile;
        tiles[2 * pair + 1] = tile;
    }
    random.shuffle(&mut tiles);
    tiles.chunks(cols).map(<[char]>::to_vec).collect()
}

/// A board that is cleared by the reverse of how it was built.
fn planted_board(random: &mut Rng, rows: usize, cols: usize, kinds: usize, rules: Rules) -> Grid {
    let mut grid = vec![vec!['*'; cols]; rows];
    let mut misses = 0;
    while misses < 300 {
        let mut after = grid.clone();
        let tile = char::from_u32('A' as u32 + random.u32(..kinds as u32)).unwrap();
        let ends = [(); 2].map(|()| place(&mut after, random, tile, rules.gravity));
        if let [Some(from), Some(to)] = ends {
            // The second tile may have lifted the first.
            let lifted = rules.gravity && from.1 == to.1 && to.0 >= from.0;
            let from = if lifted { (from.0 - 1, from.1) } else { from };
            if joined(&after, rules, from, to) {
                grid = after;
                continue;
            }
        }
        misses += 1;
    }
    grid
}

/// Puts a tile on a random free cell, or under gravity into a column that has room.
fn place(grid: &mut Grid, random: &mut Rng, tile: char, gravity: bool) -> Option<(i32, i32)> {
    let (row, col) = (random.usize(..grid.len()), random.usize(..grid[0].len()));
    if !gravity {
        let is_free = grid[row][col] == '*';
        grid[row][col] = if is_free { tile } else { grid[row][col] };
        return is_free.then_some((row as i32, col as i32));
    }
    let top = grid.iter().take_while(|line| line[col] == '*').count();
    if top == 0 || row + 1 < top {
        return None;
    }
    for lifted in top..=row {
        grid[lifted - 1][col] = grid[lifted][col];
    }
    grid[row][col] = tile;
    Some((row as i32, col as i32))
}

/// How many random boards to compare; `BOARDSOLVE_LAW_BOARDS` asks for another number.
fn board_count(default: u64) -> u64 {
    std::env::var("BOARDSOLVE_LAW_BOARDS").map_or(default, |text| text.parse().unwrap())
}

// ---- the laws ----

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    board: Vec<String>,
    outside: bool,
    gravity: bool,
    max_turns: u8,
    answer: String,
    why: String,
}

#[test]
fn every_named_case_has_its_known_answer() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../cases/linkgame.json")).unwrap();
    for case in cases {
        let rules =
            Rules { outside: case.outside, gravity: case.gravity, max_turns: case.max_turns };
        let board = board(&case.board, rules);
        let answer = if solve(&board).is_ok() { "yes" } else { "no" };
        assert_eq!(answer, case.answer, "{} ({}):\n{board}", case.name, case.why);
    }
}

#[test]
fn every_tiny_board_is_decided_as_by_trying_every_order() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
        let mut known: Vec<HashMap<Grid, bool>> = vec![HashMap::new(); 16];
        every_board(rows, cols, |grid| {
            let even = is_even(grid);
            for (rules, known) in every_rule().zip(&mut known) {
                if rules.gravity && hangs(grid) {
                    continue;
                }
                let board = board(&strings(grid), rules);
                let verdict = solve(&board);
                if even {
                    let expected = by_orders(grid, rules, known);
                    assert_eq!(verdict.is_ok(), expected, "{rules:?}:\n{board}{verdict:?}");
                } else {
                    let is_odd = matches!(verdict, Err(Reason::OddKind { .. }));
                    assert!(is_odd, "{rules:?}:\n{board}{verdict:?}");
                }
            }
        });
    }
}

#[test]
fn small_random_boards_are_decided_as_by_trying_every_order() {
    let mut yes = 0;
    let count = board_count(60_000);
    for seed in 0..count {
        let mut random = Rng::with_seed(seed);
        let (rows, cols) = (random.usize(2..6), random.usize(2..6));
        let pairs = random.usize(1..=(rows * cols / 2).min(8));
        let kinds = random.usize(1..=pairs);
        let mut grid = random_board(&mut random, rows, cols, pairs, kinds);
        let rules = every_rule().nth(random.usize(..16)).unwrap();
        if rules.gravity {
            fall(&mut grid);
        }
        let board = board(&strings(&grid), rules);
        let expected = by_orders(&grid, rules, &mut HashMap::new());
        assert_eq!(solve(&board).is_ok(), expected, "seed {seed}, {rules:?}:\n{board}");
        yes += u64::from(expected);
    }
    assert!(yes > count / 10 && yes < count - count / 10, "{yes} of {count} are cleared");
}

#[test]
fn full_boards_with_four_of_a_kind_are_decided_as_by_trying_every_pairing() {
    let mut searched = 0;
    let count = board_count(60_000) / 10;
    for seed in 0..count {
        let mut random = Rng::with_seed(seed);
        let (rows, cols, kinds) = [(4, 6, 6), (4, 5, 5), (4, 4, 4), (6, 4, 6)][random.usize(..4)];
        let mut tiles: Vec<char> = (0..rows * cols)
            .map(|number| char::from_u32('A' as u32 + (number % kinds) as u32).unwrap())
            .collect();
        random.shuffle(&mut tiles);
        let grid: Grid = tiles.chunks(cols).map(<[char]>::to_vec).collect();
        let rules = Rules { outside: true, gravity: false, max_turns: random.u8(1..=3) };
        let board = board(&strings(&grid), rules);
        let verdict = solve(&board);
        let expected = by_pairings(&grid, rules);
        assert_eq!(verdict.is_ok(), expected, "seed {seed}, {rules:?}:\n{board}");
        searched += u64::from(matches!(verdict, Err(Reason::Exhausted { .. })));
    }
    assert!(searched > 0, "no board needed a finished search");
}

#[test]
fn boards_built_backwards_are_cleared() {
    for seed in 0..60 {
        let mut random = Rng::with_seed(seed);
        let rules = every_rule().nth(seed as usize % 16).unwrap();
        let (rows, cols) = (random.usize(6..13), random.usize(6..13));
        let kinds = random.usize(4..26);
        let grid = planted_board(&mut random, rows, cols, kinds, rules);
        let board = board(&strings(&grid), rules);
        assert!(solve(&board).is_ok(), "seed {seed}, {rules:?}:\n{board}");
    }
}

#[test]
fn mirrored_turned_and_renamed_boards_have_the_same_verdict() {
    for seed in 0..150 {
        let mut random = Rng::with_seed(seed);
        let (rows, cols) = (random.usize(5..9), random.usize(5..9));
        let pairs = rows * cols / 2 - random.usize(..6);
        let kinds = random.usize(pairs / 3..=pairs / 2);
        let mut grid = random_board(&mut random, rows, cols, pairs, kinds);
        let mut rules = every_rule().nth(random.usize(..16)).unwrap();
        rules.max_turns = rules.max_turns.max(1);
        if rules.gravity {
            fall(&mut grid);
        }
        let verdict = |grid: &Grid| solve(&board(&strings(grid), rules)).is_ok();
        let mut images = vec![
            grid.iter().map(|row| row.iter().rev().copied().collect()).collect::<Grid>(),
            grid.iter()
                .map(|row| {
                    let renamed = |&tile: &char| match tile {
                        '*' => '*',
                        _ => char::from_u32(0x1f0ff - tile as u32).unwrap(),
                    };
                    row.iter().map(renamed).collect()
                })
                .collect(),
        ];
        if !rules.gravity {
            images.push(grid.iter().rev().cloned().collect());
            images.push((0..cols).map(|col| grid.iter().map(|row| row[col]).collect()).collect());
        }
        let expected = verdict(&grid);
        for image in images {
            let mut picture = String::new();
            for row in strings(&image) {
                writeln!(picture, "{row}").unwrap();
            }
            assert_eq!(verdict(&image), expected, "seed {seed}, {rules:?}:\n{picture}");
        }
    }
}

#[test]
fn more_turns_or_leaving_the_board_never_lose_a_solution() {
    for seed in 0..150 {
        let mut random = Rng::with_seed(seed);
        let gravity = random.bool();
        let mut grid = random_board(&mut random, 6, 6, 16, 8);
        if gravity {
            fall(&mut grid);
        }
        let rows = strings(&grid);
        let verdict = |outside, max_turns| {
            solve(&board(&rows, Rules { outside, gravity, max_turns })).is_ok()
        };
        for turns in 0..=3 {
            assert!(!verdict(false, turns) || verdict(true, turns), "seed {seed}: {rows:?}");
            if turns < 3 {
                for outside in [false, true] {
                    let fewer = verdict(outside, turns);
                    assert!(!fewer || verdict(outside, turns + 1), "seed {seed}: {rows:?}");
                }
            }
        }
    }
}

#[test]
fn no_tile_of_a_locked_set_can_be_spared() {
    let mut seen = [0, 0];
    for seed in 0..200 {
        let mut random = Rng::with_seed(seed);
        let gravity = seed % 2 == 1;
        let rules = Rules { outside: random.bool(), gravity, max_turns: random.u8(0..=3) };
        let grid = random_board(&mut random, 7, 7, 24, 20);
        let mut grid = grid;
        if gravity {
            fall(&mut grid);
        }
        let board = board(&strings(&grid), rules);
        let Err(Reason::Locked { cells }) = solve(&board) else { continue };
        seen[usize::from(gravity)] += 1;
        for spared in &cells {
            // Under gravity only the topmost tile of a column leaves a set that holds.
            let cells: Vec<Cell> = cells.iter().copied().filter(|cell| cell != spared).collect();
            let verdict = Linkgame::verify_reason(&board, &Reason::Locked { cells });
            assert!(verdict.is_err(), "seed {seed}: {spared} can be spared in\n{board}");
        }
    }
    assert!(seen[0] > 10 && seen[1] > 3, "{seen:?} boards are locked");
}

#[test]
fn a_locked_square_is_named_and_a_board_of_ds_around_three_kinds_too() {
    let square = board(&["AB".to_owned(), "BA".to_owned()], Rules::default());
    let Err(Reason::Locked { cells }) = solve(&square) else { panic!("{square}") };
    assert_eq!(cells.len(), 4);
    let rows = ["DDDDDDDDDD"; 10].map(str::to_owned);
    let mut rows = rows.to_vec();
    rows[1].replace_range(1..4, "ABC");
    rows[2].replace_range(1..4, "BCA");
    let Err(Reason::Locked { cells }) = solve(&board(&rows, Rules::default())) else {
        panic!("{rows:?}")
    };
    assert_eq!(cells.len(), 6);
}

#[test]
fn gravity_decides_otherwise_where_it_should() {
    let rows = ["AB", "CC", "BA"].map(str::to_owned);
    let rules = Rules { outside: true, ..Rules::default() };
    assert!(solve(&board(&rows, rules)).is_ok());
    assert!(solve(&board(&rows, Rules { gravity: true, ..rules })).is_err());
}

#[test]
fn the_first_odd_kind_of_the_board_is_named() {
    let rows = ["*ZAB", "ZZBC"].map(str::to_owned);
    let reason = solve(&board(&rows, Rules::default())).unwrap_err();
    assert_eq!(reason, Reason::OddKind { kind: 'Z', count: 3 });
}

#[test]
fn an_empty_board_is_cleared_by_no_move() {
    for rules in every_rule() {
        let answer = solve(&board(&["***".to_owned()], rules)).unwrap();
        assert!(answer.moves.is_empty());
    }
}

#[test]
fn the_greatest_boards_of_few_kinds_are_cleared() {
    for gravity in [false, true] {
        for kinds in [1, 2, 4] {
            let mut random = Rng::with_seed(kinds as u64);
            let grid = random_board(&mut random, 30, 30, 450, kinds);
            let rules = Rules { outside: true, gravity, max_turns: 2 };
            assert!(solve(&board(&strings(&grid), rules)).is_ok(), "{kinds} kinds, {rules:?}");
        }
    }
}

#[test]
fn a_search_without_time_says_so_and_one_that_is_cancelled_too() {
    let mut random = Rng::with_seed(1);
    for gravity in [false, true] {
        let grid = random_board(&mut random, 12, 24, 144, 60);
        let rules = Rules { outside: true, gravity, max_turns: 2 };
        let board = board(&strings(&grid), rules);
        let mut budget = Budget::new(Some(Duration::ZERO), CancelFlag::new(), usize::MAX);
        let outcome = Linkgame::solve(&board, &mut budget);
        assert!(matches!(outcome, Outcome::Unknown { stop: Stop::TimeLimit, .. }), "{outcome:?}");
        let cancel = CancelFlag::new();
        cancel.cancel();
        let outcome = Linkgame::solve(&board, &mut Budget::new(None, cancel, usize::MAX));
        assert!(matches!(outcome, Outcome::Unknown { stop: Stop::Cancelled, .. }), "{outcome:?}");
    }
}

#[test]
fn a_search_with_little_memory_never_says_a_wrong_word() {
    for seed in 0..40 {
        let mut random = Rng::with_seed(seed);
        let grid = random_board(&mut random, 8, 12, 48, 24);
        let rules = Rules { outside: true, gravity: false, max_turns: 2 };
        let board = board(&strings(&grid), rules);
        let expected = solve(&board).is_ok();
        for bytes in [0, 50_000, 100_000, 150_000, 1_000_000] {
            let mut budget = Budget::new(None, CancelFlag::new(), bytes);
            match Linkgame::solve(&board, &mut budget) {
                Outcome::Solved(_) => assert!(expected, "seed {seed}, {bytes} bytes"),
                Outcome::Unsolvable(_) => assert!(!expected, "seed {seed}, {bytes} bytes"),
                Outcome::Unknown { stop, .. } => assert_eq!(stop, Stop::MemoryLimit),
            }
        }
    }
}

#[test]
fn the_same_board_has_the_same_answer() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let grid = random_board(&mut random, 8, 10, 40, 18);
        let rules = Rules { outside: true, gravity: false, max_turns: 2 };
        let board = board(&strings(&grid), rules);
        assert_eq!(solve(&board), solve(&board), "seed {seed}:\n{board}");
    }
}

// ---- what verification refuses ----

fn cell(row: i32, col: i32) -> Cell {
    Cell::new(row, col)
}

#[test]
fn an_answer_that_breaks_a_rule_is_refused() {
    let rows = ["A*A", "BB*"].map(str::to_owned);
    let inside = board(&rows, Rules::default());
    let take = |tile, path: &[(i32, i32)]| Move {
        tile,
        path: path.iter().map(|&(row, col)| cell(row, col)).collect(),
    };
    let a = take('A', &[(0, 0), (0, 2)]);
    let b = take('B', &[(1, 0), (1, 1)]);
    let refuses = |board: &Board, moves: Vec<Move>| {
        let verdict = Linkgame::verify(board, &Answer { moves: moves.clone() });
        assert!(verdict.is_err(), "{moves:?} was taken");
    };
    assert_eq!(Linkgame::verify(&inside, &Answer { moves: vec![a.clone(), b.clone()] }), Ok(()));
    refuses(&inside, vec![a.clone()]);
    refuses(&inside, vec![a.clone(), a.clone(), b.clone()]);
    refuses(&inside, vec![take('B', &[(0, 0), (0, 2)]), b.clone()]);
    refuses(&inside, vec![take('A', &[]), b.clone()]);
    refuses(&inside, vec![take('A', &[(0, 0)]), b.clone()]);
    refuses(&inside, vec![take('A', &[(0, 0), (0, 0)]), b.clone()]);
    refuses(&inside, vec![take('A', &[(0, 0), (0, 1), (0, 2)]), b.clone()]);
    refuses(&inside, vec![take('A', &[(0, 0), (1, 2)]), b.clone()]);
    refuses(&inside, vec![take('A', &[(0, 0), (1, 0), (1, 2), (0, 2)]), b.clone()]);
    let over = take('A', &[(0, 0), (-1, 0), (-1, 2), (0, 2)]);
    refuses(&inside, vec![over.clone(), b.clone()]);
    let rules = Rules { outside: true, ..Rules::default() };
    let outside = board(&rows, rules);
    let moves = vec![over.clone(), b.clone()];
    assert_eq!(Linkgame::verify(&outside, &Answer { moves: moves.clone() }), Ok(()));
    let far = take('A', &[(0, 0), (-2, 0), (-2, 2), (0, 2)]);
    refuses(&outside, vec![far, b.clone()]);
    refuses(&board(&rows, Rules { max_turns: 1, ..rules }), moves);
}

#[test]
fn a_reason_that_is_not_so_is_refused() {
    let refuses = |rows: &[&str], rules: Rules, reason: Reason| {
        let rows: Vec<String> = rows.iter().map(|&row| row.to_owned()).collect();
        let verdict = Linkgame::verify_reason(&board(&rows, rules), &reason);
        assert!(verdict.is_err(), "{reason:?} was taken for {rows:?}");
    };
    let rules = Rules::default();
    let locked = |cells: &[(i32, i32)]| Reason::Locked {
        cells: cells.iter().map(|&(row, col)| cell(row, col)).collect(),
    };
    refuses(&["ABA"], rules, Reason::OddKind { kind: 'A', count: 2 });
    refuses(&["ABA"], rules, Reason::OddKind { kind: 'B', count: 3 });
    refuses(&["***"], rules, Reason::Exhausted { positions: 1 });
    refuses(&["AB", "BA"], rules, locked(&[]));
    refuses(&["AB", "BA"], rules, locked(&[(0, 0), (0, 0)]));
    refuses(&["AB", "BA"], rules, locked(&[(0, 0), (0, 1), (1, 1)]));
    refuses(&["AB*", "BA*"], rules, locked(&[(0, 2)]));
    refuses(&["AA", "BB"], rules, locked(&[(0, 0), (0, 1), (1, 0), (1, 1)]));
    // The partner of the lower A can fall beside it once the C below it is gone.
    let falls = ["A*", "CB", "BA", "CD", "DE"];
    refuses(&falls, Rules { gravity: true, ..rules }, locked(&[(2, 1), (3, 1), (4, 1)]));
    // What stands over a cell outside the set may move.
    refuses(&["AB", "BA"], Rules { gravity: true, ..rules }, locked(&[(0, 0), (0, 1)]));
}
