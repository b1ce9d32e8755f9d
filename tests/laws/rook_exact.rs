//! Laws of rook-circuit's exact methods: the frontier sweep, the regions proof, the
//! question whether a tour is the only one.

#[path = "rook_exact/agreement.rs"]
mod agreement;
#[path = "rook_exact/boards.rs"]
mod boards;
#[path = "rook_exact/certificates.rs"]
mod certificates;

use self::boards::{balanced, board, maze, planted, random, rooms};
use crate::oracles::rook_circuit::naive_count;
use boardsolve::budget::{Budget, CancelFlag, Stop};
use boardsolve::grid::{Cell, CellSet, Size};
use boardsolve::puzzles::rook_circuit::board::Board;
use boardsolve::puzzles::rook_circuit::frontier::{Frontier, Swept};
use boardsolve::puzzles::rook_circuit::regions::Certificate;
use boardsolve::puzzles::rook_circuit::{regions, unique};

fn count(board: &Board) -> String {
    let budget = &mut Budget::unlimited();
    let frontier = Frontier::new(board, budget).expect("no limit");
    match frontier.count(u64::MAX, budget).expect("no limit") {
        Swept::Finished(circuits) => circuits,
        Swept::GaveUp => panic!("too wide for a sweep:\n{board}"),
    }
}

fn find_circuit(board: &Board, budget: &mut Budget) -> Option<Vec<Cell>> {
    let frontier = Frontier::new(board, budget).expect("no limit");
    match frontier.find_circuit(u64::MAX, budget).expect("no limit") {
        Swept::Finished(tour) => tour,
        Swept::GaveUp => panic!("too wide for a sweep:\n{board}"),
    }
}

fn check_tour(board: &Board, tour: &[Cell]) {
    assert_eq!(tour.first(), Some(&board.start()), "{board}");
    assert_eq!(tour.len(), board.free().len(), "{board}");
    let visited = CellSet::from_cells(board.size(), tour.iter().copied());
    assert_eq!(&visited, board.free(), "{board}");
    for (at, next) in tour.iter().zip(tour.iter().cycle().skip(1)) {
        assert!(at.neighbours().contains(next), "{at} {next}\n{board}");
    }
}

/// The sweep finds, counts and tells apart what the naive walk counts.
fn check_sweep(board: &Board, circuits: u64) {
    let budget = &mut Budget::unlimited();
    let frontier = Frontier::new(board, budget).expect("no limit");
    let up_to_two = Swept::Finished(circuits.min(2) as u8);
    assert_eq!(frontier.count_up_to_two(u64::MAX, budget), Ok(up_to_two), "{board}");
    assert_eq!(count(board), circuits.to_string(), "{board}");
    match find_circuit(board, budget) {
        Some(tour) => {
            assert!(circuits > 0, "{board}");
            check_tour(board, &tour);
            assert_eq!(unique::is_unique(board, &tour, budget), Ok(Some(circuits == 1)), "{board}");
        }
        None => assert_eq!(circuits, 0, "{board}"),
    }
}

fn all_boards(size: Size) -> impl Iterator<Item = Board> {
    (1_u32..1 << size.area()).filter_map(move |bits| {
        let is_free = |cell: &Cell| bits >> size.index(*cell).expect("a cell") & 1 == 1;
        board(CellSet::from_cells(size, size.cells().filter(is_free)))
    })
}

#[test]
fn the_sweep_agrees_with_a_naive_walk_on_every_board_of_up_to_sixteen_cells() {
    for (rows, cols) in
        [(1, 1), (1, 5), (5, 1), (2, 2), (2, 5), (5, 2), (3, 3), (3, 4), (4, 3), (3, 5), (4, 4)]
    {
        for board in all_boards(Size::new(rows, cols)) {
            check_sweep(&board, naive_count(board.free(), u64::MAX));
        }
    }
}

#[test]
fn the_sweep_agrees_with_a_naive_walk_on_every_board_of_four_by_five() {
    for board in all_boards(Size::new(4, 5)) {
        let circuits = naive_count(board.free(), u64::MAX);
        assert_eq!(count(&board), circuits.to_string(), "{board}");
    }
}

#[test]
fn the_sweep_agrees_with_a_naive_walk_on_random_boards_up_to_six_by_six() {
    for seed in 0..1500 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let size = Size::new(rng.usize(4..7), rng.usize(4..7));
        let free = match seed % 3 {
            0 => random(rng, size, 85),
            1 => balanced(rng, size, 2),
            _ => balanced(rng, size, 4),
        };
        let Some(board) = board(free) else { continue };
        check_sweep(&board, naive_count(board.free(), u64::MAX));
    }
}

#[test]
fn empty_boards_have_the_known_numbers_of_circuits() {
    // OEIS A003763 for the squares; 4 × n by its recurrence.
    for (rows, cols, circuits) in [
        (2, 2, "1"),
        (4, 4, "6"),
        (6, 6, "1072"),
        (8, 8, "4638576"),
        (10, 10, "467260456608"),
        (3, 5, "0"),
        (5, 6, "154"),
        (2, 500, "1"),
        (500, 2, "1"),
    ] {
        let size = Size::new(rows, cols);
        let board = board(CellSet::from_cells(size, size.cells())).expect("free cells");
        assert_eq!(count(&board), circuits, "{size}");
    }
}

#[test]
fn a_number_of_many_digits_is_exact() {
    // OEIS A006864: 4 × n has 1, 2, 6, 14 circuits for n = 2 to 5, and then
    // a(n) = 2 a(n − 1) + 2 a(n − 2) − 2 a(n − 3) + a(n − 4).
    let length: usize = 300;
    let prime = 1_000_000_007_i64;
    let mut terms = vec![1_i64, 2, 6, 14];
    while terms.len() < length - 1 {
        let n = terms.len();
        let next = 2 * terms[n - 1] + 2 * terms[n - 2] - 2 * terms[n - 3] + terms[n - 4];
        terms.push(next.rem_euclid(prime));
    }
    let size = Size::new(4, length);
    let board = board(CellSet::from_cells(size, size.cells())).expect("free cells");
    let digits = count(&board);
    assert!(digits.len() > 100, "{digits}");
    let remainder = digits
        .bytes()
        .fold(0, |remainder, digit| (remainder * 10 + i64::from(digit - b'0')) % prime);
    assert_eq!(remainder, terms[length - 2]);
}

#[test]
fn the_free_part_may_be_far_smaller_than_the_board() {
    let size = Size::new(400, 400);
    let small = Size::new(4, 4);
    let free = small.cells().map(|cell| Cell::new(cell.row + 380, cell.col + 200));
    let board = board(CellSet::from_cells(size, free)).expect("free cells");
    check_sweep(&board, 6);
}

#[test]
fn planted_tours_on_narrow_boards_are_found_with_little_memory_too() {
    for seed in 0..20 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let blocks = Size::new(rng.usize(5..40), rng.usize(2..6));
        let (board, planted_tour) = planted(rng, blocks, blocks.area() * 3 / 4);
        check_tour(&board, &planted_tour);
        // The layers that are kept for the way back fit all, some, or hardly at all.
        let tours = [256 << 20, 2 << 20, 1 << 20].map(|memory| {
            let budget = &mut Budget::new(None, CancelFlag::new(), memory);
            let tour = find_circuit(&board, budget).expect("planted");
            assert_eq!(budget.memory_left(), memory);
            tour
        });
        check_tour(&board, &tours[0]);
        assert!(tours.iter().all(|tour| tour == &tours[0]), "seed {seed}");
    }
}

#[test]
fn a_sweep_stops_for_a_flag_and_for_memory_and_gives_back_what_it_took() {
    let size = Size::new(100, 14);
    let board = board(CellSet::from_cells(size, size.cells())).expect("free cells");
    let cancel = CancelFlag::new();
    let budget = &mut Budget::new(None, cancel.clone(), 1 << 20);
    let frontier = Frontier::new(&board, budget).expect("no limit");
    assert_eq!(frontier.count(u64::MAX, budget), Ok(Swept::GaveUp));
    assert_eq!(frontier.find_circuit(u64::MAX, budget), Ok(Swept::GaveUp));
    assert_eq!(frontier.find_circuit(1000, budget), Ok(Swept::GaveUp));
    assert_eq!(budget.memory_left(), 1 << 20);
    cancel.cancel();
    assert_eq!(frontier.count(u64::MAX, budget), Err(Stop::Cancelled));
}

#[test]
fn regions_refute_room_boards_that_the_sweep_refutes_too_and_never_others() {
    let (mut cut_sets, mut refuted, mut solvable) = (0, 0, 0);
    for seed in 0..6000 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let size = Size::new(rng.usize(2..4), rng.usize(2..4));
        let (side, holes) = (rng.usize(3..6), rng.usize(0..2));
        let Some(board) = board(rooms(rng, size, side, holes)) else { continue };
        let budget = &mut Budget::unlimited();
        let certificate = regions::find(&board, 1, budget).expect("no limit");
        let tour = find_circuit(&board, budget);
        solvable += u32::from(tour.is_some());
        if let Some(certificate) = certificate {
            assert_eq!(tour, None, "seed {seed}\n{board}");
            refuted += 1;
            cut_sets += u32::from(matches!(certificate, Certificate::CutSet { .. }));
            assert_eq!(certificate.check(&board), Ok(()), "seed {seed}\n{board}");
        }
    }
    let counts = format!("{refuted} refuted, {cut_sets} by a cut set, {solvable} solvable");
    assert!(refuted > 100 && cut_sets > 50 && cut_sets < refuted && solvable > 40, "{counts}");
}

#[test]
fn regions_refute_larger_room_boards_with_certificates_that_hold() {
    let mut refuted = 0;
    for seed in 0..400 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let size = Size::new(rng.usize(2..5), rng.usize(2..5));
        let side = rng.usize(6..13);
        let Some(board) = board(rooms(rng, size, side, 1)) else { continue };
        let found = regions::find(&board, 2, &mut Budget::unlimited()).expect("no limit");
        if let Some(certificate) = found {
            refuted += 1;
            assert_eq!(certificate.check(&board), Ok(()), "seed {seed}\n{board}");
        }
    }
    assert!(refuted >= 5, "{refuted} refuted");
}

#[test]
fn regions_stop_for_a_flag_and_for_memory_and_give_back_what_they_took() {
    let size = Size::new(300, 300);
    let board = board(CellSet::from_cells(size, size.cells())).expect("free cells");
    let budget = &mut Budget::new(None, CancelFlag::new(), 1 << 20);
    assert_eq!(regions::find(&board, 1, budget), Err(Stop::MemoryLimit));
    assert_eq!(budget.memory_left(), 1 << 20);
    let cancel = CancelFlag::new();
    cancel.cancel();
    let budget = &mut Budget::new(None, cancel, 1 << 28);
    assert_eq!(regions::find(&board, 1, budget), Err(Stop::Cancelled));
    assert_eq!(budget.memory_left(), 1 << 28);
}

#[test]
fn regions_never_refute_a_board_with_a_planted_tour() {
    for seed in 0..60 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let blocks = Size::new(rng.usize(2..20), rng.usize(2..20));
        let most = blocks.area() * rng.usize(40..100) / 100;
        let (board, _) = planted(rng, blocks, most);
        let found = regions::find(&board, 1, &mut Budget::unlimited());
        assert_eq!(found, Ok(None), "seed {seed}\n{board}");
    }
}

#[test]
fn a_maze_of_corridors_two_cells_wide_has_one_circuit_however_wide_the_board() {
    for seed in 0..12 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let blocks = Size::new(rng.usize(3..60), rng.usize(3..60));
        let (board, tour) = maze(rng, blocks);
        check_tour(&board, &tour);
        let unique = unique::is_unique(&board, &tour, &mut Budget::unlimited());
        assert_eq!(unique, Ok(Some(true)), "seed {seed}\n{board}");
    }
}

#[test]
fn a_planted_tour_with_room_to_spare_is_not_the_only_one() {
    for seed in 0..12 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let blocks = Size::new(rng.usize(20..60), rng.usize(20..60));
        let most = blocks.area() * rng.usize(40..100) / 100;
        let (board, tour) = planted(rng, blocks, most);
        check_tour(&board, &tour);
        let unique = unique::is_unique(&board, &tour, &mut Budget::unlimited());
        assert_eq!(unique, Ok(Some(false)), "seed {seed}\n{board}");
    }
}
