//! Mahjong paths against truth.

#[path = "mahjong_path/forms.rs"]
mod forms;

use std::num::NonZeroU32;

use boardsolve::budget::{Budget, CancelFlag, Stop};
use boardsolve::grid::{Cell, CellSet, Direction, Size};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::mahjong_path::MahjongPath;
use boardsolve::puzzles::mahjong_path::answer::Paths;
use boardsolve::puzzles::mahjong_path::board::{Board, Options, Pair};

use crate::oracles::mahjong_path::Oracle;

fn solved(board: &Board) -> Paths {
    match MahjongPath::solve(board, &mut Budget::unlimited()) {
        Outcome::Solved(paths) => {
            if let Err(violation) = MahjongPath::verify(board, &paths) {
                panic!("{violation}\n{board}{:?}\n{paths:?}", board.pairs());
            }
            paths
        }
        other => panic!("without limits the board is solved, not {other:?}\n{board}"),
    }
}

fn segments(board: &Board) -> Vec<u32> {
    solved(board).iter().map(|path| path.segments()).collect()
}

fn corners(paths: &Paths, pair: usize) -> Vec<Cell> {
    paths.path(pair).corners().collect()
}

fn board(tiles: &CellSet, pairs: &[Pair], options: Options) -> Board {
    Board::new(tiles.clone(), pairs.to_vec(), options).unwrap()
}

/// Every pair of tiles, in both directions.
fn all_pairs(tiles: &CellSet) -> Vec<Pair> {
    let cells: Vec<Cell> = tiles.iter().collect();
    let pairs = cells.iter().flat_map(|&from| cells.iter().map(move |&to| Pair { from, to }));
    pairs.filter(|pair| pair.from != pair.to).collect()
}

fn random_tiles(random: &mut fastrand::Rng, size: Size, density: f64) -> CellSet {
    CellSet::from_cells(size, size.cells().filter(|_| random.f64() < density))
}

fn options(outside: bool, max_segments: Option<u32>, corners: bool) -> Options {
    Options { outside, max_segments: max_segments.and_then(NonZeroU32::new), corners }
}

#[test]
fn every_pair_of_every_tiny_board_takes_as_many_segments_as_the_oracle_says() {
    for (rows, cols) in [(1, 1), (1, 5), (5, 1), (2, 2), (2, 4), (4, 2), (3, 3), (3, 4), (4, 3)] {
        let size = Size::new(rows, cols);
        for bits in 0..1_u32 << size.area() {
            let cells = (0..size.area()).filter(|index| bits >> index & 1 == 1);
            let tiles = CellSet::from_cells(size, cells.map(|index| size.cell(index)));
            let pairs = all_pairs(&tiles);
            for outside in [false, true] {
                let board = board(&tiles, &pairs, options(outside, None, false));
                let oracle = Oracle::of(&board);
                let expected: Vec<u32> = pairs.iter().map(|&pair| oracle.fewest(pair)).collect();
                assert_eq!(segments(&board), expected, "outside {outside}\n{board}{pairs:?}");
            }
        }
    }
}

#[test]
fn every_path_of_every_tiny_board_is_the_first_of_the_shortest() {
    for (rows, cols) in [(1, 4), (4, 1), (2, 4), (4, 2), (3, 3)] {
        let size = Size::new(rows, cols);
        for bits in 0..1_u32 << size.area() {
            let cells = (0..size.area()).filter(|index| bits >> index & 1 == 1);
            let tiles = CellSet::from_cells(size, cells.map(|index| size.cell(index)));
            let pairs = all_pairs(&tiles);
            for outside in [false, true] {
                let board = board(&tiles, &pairs, options(outside, None, true));
                assert_first(&board, &solved(&board), "exhaustive");
            }
        }
    }
}

/// Every path is the oracle's first one, and "no path" is so.
fn assert_first(board: &Board, paths: &Paths, note: &str) {
    let oracle = Oracle::of(board);
    for (index, &pair) in board.pairs().iter().enumerate() {
        let fewest = oracle.fewest(pair);
        assert_eq!(paths.path(index).segments(), fewest, "{note} {pair:?}\n{board}");
        let expected = oracle.first_path(pair, fewest);
        let expected = if fewest == 0 { Vec::new() } else { expected.unwrap() };
        assert_eq!(corners(paths, index), expected, "{note} {pair:?}\n{board}");
    }
}

#[test]
fn random_small_boards_agree_with_the_oracle_under_every_option() {
    for seed in 0..3000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let size = Size::new(random.usize(1..=9), random.usize(1..=9));
        let density = random.f64();
        let tiles = random_tiles(&mut random, size, density);
        let mut pairs = all_pairs(&tiles);
        random.shuffle(&mut pairs);
        pairs.truncate(40);
        let most = random.bool().then(|| random.u32(1..=6));
        let board = board(&tiles, &pairs, options(random.bool(), most, random.bool()));
        let oracle = Oracle::of(&board);
        let expected: Vec<u32> = pairs.iter().map(|&pair| oracle.fewest(pair)).collect();
        assert_eq!(segments(&board), expected, "seed {seed}\n{board}{:?}", board.options());
    }
}

#[test]
fn the_paths_of_random_small_boards_are_the_first_ones_whichever_search_finds_them() {
    let mut single_searches = 0;
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let size = Size::new(random.usize(4..=6), random.usize(5..=7));
        let density = 0.5 + 0.45 * random.f64();
        let tiles = random_tiles(&mut random, size, density);
        let options = options(random.bool(), None, true);
        let mut pairs = all_pairs(&tiles);
        random.shuffle(&mut pairs);
        let note = format!("seed {seed}");
        let Some(&first) = pairs.first() else { continue };
        // A tile with very many pairs of its own gets a search of its own.
        let star: Vec<Pair> = pairs.iter().copied().filter(|pair| pair.to == first.to).collect();
        single_searches += usize::from(star.len() > 16);
        pairs.truncate(20);
        for pairs in [star, pairs] {
            let board = board(&tiles, &pairs, options);
            assert_first(&board, &solved(&board), &note);
        }
    }
    assert!(single_searches > 100, "only {single_searches} boards with a search of its own");
}

#[test]
fn a_path_does_not_depend_on_the_pairs_beside_it() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let size = Size::new(random.usize(8..=40), random.usize(8..=80));
        let density = 0.1 + 0.6 * random.f64();
        let tiles = random_tiles(&mut random, size, density);
        let options = options(random.bool(), random.bool().then_some(5), true);
        let cells: Vec<Cell> = tiles.iter().collect();
        let hub = cells[random.usize(..cells.len())];
        let others = || cells.iter().copied().filter(|&tile| tile != hub);
        // One wave answers the first star, one search from `to` the second, and
        // batches the crowd; a pair alone has a wave of its own.
        let out: Vec<Pair> = others().map(|to| Pair { from: hub, to }).collect();
        let back: Vec<Pair> = others().map(|from| Pair { from, to: hub }).collect();
        for star in [out, back] {
            let crowd = others().flat_map(|from| {
                let to = cells.iter().copied().filter(move |&to| to != from);
                to.take(30).map(move |to| Pair { from, to })
            });
            let crowd: Vec<Pair> = star.iter().copied().chain(crowd).collect();
            let crowd_paths = solved(&board(&tiles, &crowd, options));
            let star_paths = solved(&board(&tiles, &star, options));
            for (index, &pair) in star.iter().enumerate() {
                let expected = corners(&star_paths, index);
                assert_eq!(corners(&crowd_paths, index), expected, "seed {seed} {pair:?}");
                if index % 29 == 0 {
                    let alone = solved(&board(&tiles, &[pair], options));
                    assert_eq!(corners(&alone, 0), expected, "seed {seed} {pair:?} alone");
                }
            }
        }
    }
}

#[test]
fn mirrored_and_turned_boards_and_swapped_ends_take_as_many_segments() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let size = Size::new(random.usize(2..=30), random.usize(2..=70));
        let tiles = random_tiles(&mut random, size, 0.4);
        let cells: Vec<Cell> = tiles.iter().collect();
        if cells.len() < 2 {
            continue;
        }
        let pairs: Vec<Pair> = (0..50)
            .map(|_| Pair {
                from: cells[random.usize(..cells.len())],
                to: cells[random.usize(..cells.len())],
            })
            .filter(|pair| pair.from != pair.to)
            .collect();
        let options = options(random.bool(), None, random.bool());
        let expected = segments(&board(&tiles, &pairs, options));
        let (last_row, last_col) = (size.rows as i32 - 1, size.cols as i32 - 1);
        let turned = Size::new(size.cols, size.rows);
        let images: [(Size, &dyn Fn(Cell) -> Cell); 4] = [
            (size, &|cell| Cell::new(last_row - cell.row, cell.col)),
            (size, &|cell| Cell::new(cell.row, last_col - cell.col)),
            (turned, &|cell| Cell::new(cell.col, cell.row)),
            (turned, &|cell| Cell::new(last_col - cell.col, cell.row)),
        ];
        for (size, image) in images {
            let tiles = CellSet::from_cells(size, cells.iter().map(|&cell| image(cell)));
            let pairs: Vec<Pair> = pairs
                .iter()
                .map(|pair| Pair { from: image(pair.to), to: image(pair.from) })
                .collect();
            assert_eq!(segments(&board(&tiles, &pairs, options)), expected, "seed {seed}");
        }
    }
}

#[test]
fn a_corridor_with_thousands_of_turns_is_walked_to_its_end() {
    // One zigzag staircase: every step is two segments.
    let steps = 400;
    let size = Size::new(steps + 2, steps + 3);
    let mut tiles = CellSet::from_cells(size, size.cells());
    for step in 0..steps as i32 {
        tiles.remove(Cell::new(step + 1, step + 1));
        tiles.remove(Cell::new(step + 1, step + 2));
    }
    let pair = Pair { from: Cell::new(1, 0), to: Cell::new(steps as i32 + 1, steps as i32 + 1) };
    let board = board(&tiles, &[pair], options(false, None, true));
    let paths = solved(&board);
    assert_eq!(paths.path(0).segments(), 2 * steps as u32);
    assert_eq!(corners(&paths, 0).len(), 2 * steps + 1);
}

/// A maze without loops, dug depth first from the first room.
fn maze(random: &mut fastrand::Rng, rooms: i32) -> CellSet {
    let size = Size::new(2 * rooms as usize + 1, 2 * rooms as usize + 1);
    let mut walls = CellSet::from_cells(size, size.cells());
    let mut trail = vec![Cell::new(1, 1)];
    walls.remove(trail[0]);
    while let Some(&room) = trail.last() {
        let mut ways = Direction::ALL;
        random.shuffle(&mut ways);
        let two_steps = |way: Direction| room.step(way).step(way);
        match ways
            .into_iter()
            .find(|&way| walls.contains(two_steps(way)) && size.contains(two_steps(way)))
        {
            None => {
                trail.pop();
            }
            Some(way) => {
                walls.remove(room.step(way));
                walls.remove(two_steps(way));
                trail.push(two_steps(way));
            }
        }
    }
    walls
}

#[test]
fn in_a_maze_where_waves_are_given_up_the_paths_stay_the_same() {
    for seed in 0..12 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut walls = maze(&mut random, 35);
        for _ in 0..seed {
            // Some loops, so that there are several paths.
            let cell = Cell::new(random.i32(1..70), random.i32(1..70));
            walls.remove(cell);
        }
        let cells: Vec<Cell> = walls.iter().collect();
        let mut any = || cells[random.usize(..cells.len())];
        let pairs: Vec<Pair> = std::iter::repeat_with(|| Pair { from: any(), to: any() })
            .filter(|pair| pair.from != pair.to)
            .take(40)
            .collect();
        let options = options(seed % 2 == 0, None, true);
        let together = solved(&board(&walls, &pairs, options));
        let numbers = segments(&board(&walls, &pairs, Options { corners: false, ..options }));
        for (index, &pair) in pairs.iter().enumerate() {
            let alone = solved(&board(&walls, &[pair], options));
            assert_eq!(corners(&together, index), corners(&alone, 0), "seed {seed} {pair:?}");
            assert_eq!(numbers[index], alone.path(0).segments(), "seed {seed} {pair:?}");
        }
        assert!(numbers.iter().any(|&segments| segments > 50), "seed {seed}: {numbers:?}");
    }
}

#[test]
fn the_numbers_of_very_many_pairs_on_a_large_board_are_those_of_their_paths() {
    for (seed, density) in [(0, 0.1), (1, 0.3), (2, 0.5), (3, 0.9)] {
        let mut random = fastrand::Rng::with_seed(seed);
        let size = Size::new(150 + random.usize(0..40), 200 + random.usize(0..40));
        let tiles = random_tiles(&mut random, size, density);
        let cells: Vec<Cell> = tiles.iter().collect();
        let mut any = || cells[random.usize(..cells.len())];
        let pairs: Vec<Pair> = std::iter::repeat_with(|| Pair { from: any(), to: any() })
            .filter(|pair| pair.from != pair.to)
            .take(3000)
            .collect();
        let with_corners = options(seed % 2 == 0, None, true);
        let expected = segments(&board(&tiles, &pairs, with_corners));
        let numbers = segments(&board(&tiles, &pairs, Options { corners: false, ..with_corners }));
        assert_eq!(numbers, expected, "seed {seed}");
    }
}

#[test]
fn the_check_refuses_every_wrong_number_of_a_contest_sized_board() {
    // Two boards that differ in one wall: the answers of one are wrong on the other.
    for seed in 0..40 {
        let mut random = fastrand::Rng::with_seed(seed);
        let size = Size::new(20, 30);
        let tiles = random_tiles(&mut random, size, 0.35);
        let mut pairs = all_pairs(&tiles);
        random.shuffle(&mut pairs);
        pairs.truncate(300);
        let with_corners = random.bool();
        let options = options(random.bool(), None, with_corners);
        let right = board(&tiles, &pairs, options);
        let mut walled = tiles.clone();
        let free: Vec<Cell> = size.cells().filter(|&cell| !tiles.contains(cell)).collect();
        walled.insert(free[random.usize(..free.len())]);
        let other = board(&walled, &pairs, options);
        let differs = segments(&right) != segments(&other);
        for (board, paths) in [(&right, solved(&other)), (&other, solved(&right))] {
            if differs {
                assert!(MahjongPath::verify(board, &paths).is_err(), "seed {seed}");
            }
        }
        assert!(
            MahjongPath::verify(&board(&tiles, &pairs[1..], options), &solved(&right)).is_err()
        );
    }
}

#[test]
fn a_solve_without_time_or_memory_says_so() {
    let mut random = fastrand::Rng::with_seed(7);
    let tiles = random_tiles(&mut random, Size::new(60, 60), 0.3);
    let mut pairs = all_pairs(&tiles);
    random.shuffle(&mut pairs);
    pairs.truncate(2000);
    let board = board(&tiles, &pairs, Options::default());
    let cancelled = CancelFlag::new();
    cancelled.cancel();
    let mut budget = Budget::new(None, cancelled, usize::MAX);
    let Outcome::Unknown { stop, .. } = MahjongPath::solve(&board, &mut budget) else {
        panic!("a cancelled solve is unknown");
    };
    assert_eq!(stop, Stop::Cancelled);
    let mut solves = 0;
    let mut memory = 1 << 12;
    loop {
        let mut budget = Budget::new(None, CancelFlag::new(), memory);
        match MahjongPath::solve(&board, &mut budget) {
            Outcome::Solved(_) => break,
            Outcome::Unknown { stop, learnt } => {
                assert_eq!(stop, Stop::MemoryLimit);
                assert!(learnt.answered < pairs.len());
            }
            Outcome::Unsolvable(reason) => match reason {},
        }
        solves += 1;
        memory += memory / 4;
    }
    assert!(solves > 3 && memory < 8 << 20, "{solves} {memory}");
}
