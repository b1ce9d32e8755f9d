//! The search alone, without the methods that leave it little to do: it must find each circuit of a
//! board once, and know when there is no other.

use super::{Instance, Progress, Search};
use crate::budget::{Budget, CancelFlag, Stop};
use crate::grid::{Cell, CellSet, Size};
use crate::puzzles::rook_circuit::board::{Board, Questions};
use crate::puzzles::rook_circuit::frontier::{Frontier, Swept};
use crate::puzzles::rook_circuit::solve::cycles::walk;
use crate::puzzles::rook_circuit::solve::knowledge::Knowledge;
use crate::puzzles::rook_circuit::solve::lattice::Lattice;

/// The number of circuits, up to `most`, by forbidding each one found.
fn enumerated(board: &Board, with_knowledge: bool, slice: u64, most: usize) -> usize {
    let budget = &mut Budget::unlimited();
    let lattice = Lattice::new(board);
    let mut knowledge = Knowledge::new(&lattice);
    if with_knowledge && knowledge.propagate(budget).unwrap().is_err() {
        return 0;
    }
    if knowledge.is_circuit() {
        return 1;
    }
    let instance = Instance::of_all(&knowledge);
    let mut search = Search::new(instance, |place, _| place % 3 == 0, budget).unwrap();
    let mut found = 0;
    while found < most {
        match search.run(slice, budget).unwrap() {
            Progress::Found => {
                found += 1;
                let mut chosen = knowledge.used().to_vec();
                search.write(&lattice, &mut chosen);
                let start = lattice.free().next().unwrap();
                let visited = walk(&lattice, &chosen, start).count();
                assert_eq!(visited, lattice.cells(), "{board}");
                search.forbid_found(budget).unwrap();
            }
            Progress::Exhausted => break,
            Progress::Paused => {}
        }
    }
    search.end(budget);
    found
}

fn counted(board: &Board) -> usize {
    let budget = &mut Budget::unlimited();
    match Frontier::new(board, budget).unwrap().count(u64::MAX, budget).unwrap() {
        Swept::Finished(count) => count.parse().unwrap(),
        Swept::GaveUp => panic!("too wide:\n{board}"),
    }
}

fn board(free: CellSet) -> Option<Board> {
    Board::new(free, None, Questions::default()).ok()
}

#[test]
fn every_circuit_of_an_empty_board_is_found_once() {
    for (rows, cols, circuits) in [(2, 2, 1), (4, 4, 6), (4, 6, 37), (5, 6, 154), (6, 6, 1072)] {
        let size = Size::new(rows, cols);
        let board = board(CellSet::from_cells(size, size.cells())).unwrap();
        for with_knowledge in [false, true] {
            assert_eq!(enumerated(&board, with_knowledge, 7, usize::MAX), circuits);
        }
    }
}

#[test]
fn random_boards_have_as_many_circuits_as_the_sweep_counts() {
    let mut random = fastrand::Rng::with_seed(0x0b0a_4d5e);
    let mut with_circuits = 0;
    for number in 0..3000 {
        let size = Size::new(random.usize(3..8), random.usize(3..8));
        let mut free = CellSet::from_cells(size, size.cells());
        for _ in 0..random.usize(0..6) {
            // One cell of each colour, so that parity does not decide.
            let mut cell =
                || Cell::new(random.i32(0..size.rows as i32), random.i32(0..size.cols as i32));
            let (one, other) = (cell(), cell());
            if one.is_white() != other.is_white() {
                free.remove(one);
                free.remove(other);
            }
        }
        let Some(board) = board(free) else { continue };
        if board.free().len() < 4 {
            continue;
        }
        let most = 200;
        let expected = counted(&board).min(most);
        with_circuits += usize::from(expected > 0);
        let with_knowledge = number % 2 == 0;
        assert_eq!(enumerated(&board, with_knowledge, 5, most), expected, "{number}:\n{board}");
    }
    assert!(with_circuits > 500, "{with_circuits}");
}

#[test]
fn a_search_without_memory_for_what_it_learns_stops_and_gives_back_what_it_has() {
    let size = Size::new(6, 6);
    let board = board(CellSet::from_cells(size, size.cells())).unwrap();
    // Enough to begin with.
    let memory = 1 << 19;
    let budget = &mut Budget::new(None, CancelFlag::new(), memory);
    let lattice = Lattice::new(&board);
    let knowledge = Knowledge::new(&lattice);
    let mut search = Search::new(Instance::of_all(&knowledge), |_, _| false, budget).unwrap();
    let stop = loop {
        let went_on = search.run(5, budget).and_then(|progress| match progress {
            Progress::Found => search.forbid_found(budget),
            Progress::Exhausted => panic!("it learnt all that there is"),
            Progress::Paused => Ok(()),
        });
        if let Err(stop) = went_on {
            break stop;
        }
    };
    assert_eq!(stop, Stop::MemoryLimit);
    search.end(budget);
    assert_eq!(budget.memory_left(), memory);
}
