//! rook-circuit: the tour, and a picture of every reason.

use std::collections::BTreeSet;

use boardsolve::grid::{Cell, CellSet, Direction, Size};
use boardsolve::puzzle::Puzzle;
use boardsolve::puzzles::rook_circuit::RookCircuit;
use boardsolve::puzzles::rook_circuit::answer::Answer;
use boardsolve::puzzles::rook_circuit::board::{Board, Questions};
use boardsolve::puzzles::rook_circuit::certificate::Certificate;
use boardsolve::puzzles::rook_circuit::reason::{ForcedBy, ForcedStep, Reason};
use serde_json::json;

use crate::drawn;
use crate::form::{checked, count, pieces};

fn board(rows: &[&str]) -> Board {
    Board::from_rows(rows, None, Questions::default()).expect("the board is legal")
}

fn refused(rows: &[&str], reason: &Reason) -> String {
    let picture = RookCircuit::picture(&board(rows), Err(reason));
    let texts = checked(&picture);
    assert_eq!(texts[0], "Rook circuit: there is no tour");
    picture
}

#[test]
fn a_tour_is_one_closed_line_with_its_start_and_direction() {
    let request = json!({ "board": ["....", ".##.", "...."], "unique": true, "count": true });
    let picture = drawn("rook-circuit", &request);
    let texts = checked(&picture);
    assert_eq!(texts[0], "Rook circuit: a tour of 10 cells");
    assert!(texts[1].ends_with("takes the steps EEESSWWWNN."), "{}", texts[1]);
    assert!(texts.contains(&"There is exactly one circuit.".to_owned()), "{texts:?}");
    let all = texts.join(" ");
    assert!(all.contains("The start, (row 0, col 0); the first step goes east."), "{all}");
    assert!(picture.contains("z\"/>"), "the line is closed");
    assert_eq!(count(&picture, "circle", "start"), 1 + 1, "and the legend's");
    assert!(pieces(&picture, "arrows") > 1, "arrows, beside the legend's");
    let elsewhere = json!({ "board": ["....", ".##.", "...."], "start": { "row": 2, "col": 3 } });
    assert_ne!(drawn("rook-circuit", &elsewhere), picture);
}

#[test]
fn a_smaller_board_than_any_arrow_needs_is_drawn() {
    checked(&drawn("rook-circuit", &json!({ "board": ["..", ".."] })));
}

#[test]
fn a_large_tour_rings_its_start_and_stays_small() {
    let picture = drawn("rook-circuit", &json!({ "board": vec![".".repeat(100); 100] }));
    let texts = checked(&picture);
    assert_eq!(count(&picture, "circle", "finder"), 1);
    assert!(
        texts.contains(
            &"The start, (row 0, col 0), in a ring; the first step goes east.".to_owned()
        ),
        "{texts:?}"
    );
    assert!(picture.len() < 100_000, "{} bytes", picture.len());
}

/// A tour of an empty board of `2 * blocks` rows and columns that turns often: the walk
/// around a random spanning tree of its 2 × 2 blocks.
fn crooked(blocks: i32) -> Answer {
    let mut random = fastrand::Rng::with_seed(1);
    let size = Size::new(blocks as usize, blocks as usize);
    let mut seen = CellSet::from_cells(size, [Cell::new(0, 0)]);
    let mut joined = BTreeSet::new();
    let mut stack = vec![Cell::new(0, 0)];
    while let Some(&block) = stack.last() {
        let mut ways = Direction::ALL;
        random.shuffle(&mut ways);
        let is_new = |way: &Direction| {
            let next = block.step(*way);
            size.contains(next) && !seen.contains(next)
        };
        match ways.into_iter().find(is_new) {
            Some(way) => {
                let next = block.step(way);
                seen.insert(next);
                joined.extend([(block, way), (next, way.opposite())]);
                stack.push(next);
            }
            None => drop(stack.pop()),
        }
    }
    // Clockwise around the tree: each cell of a block has a way along the block's side, and
    // one into the next block, which is taken where the tree goes there.
    let mut cell = Cell::new(0, 0);
    let mut moves = Vec::new();
    loop {
        let block = Cell::new(cell.row / 2, cell.col / 2);
        let (along, outward) = match (cell.row % 2, cell.col % 2) {
            (0, 0) => (Direction::East, Direction::North),
            (0, _) => (Direction::South, Direction::East),
            (_, 0) => (Direction::North, Direction::West),
            (_, _) => (Direction::West, Direction::South),
        };
        let way = if joined.contains(&(block, outward)) { outward } else { along };
        moves.push(way);
        cell = cell.step(way);
        if cell == Cell::new(0, 0) {
            return Answer { moves, unique: None, count: None };
        }
    }
}

#[test]
fn the_largest_and_a_crooked_tour_is_drawn_in_four_megabytes() {
    let board = board(&vec![&*".".repeat(500); 500]);
    let answer = crooked(250);
    RookCircuit::verify(&board, &answer).expect("the tour is one");
    let picture = RookCircuit::picture(&board, Ok(&answer));
    checked(&picture);
    assert!(picture.len() > 1_000_000, "it has more than a hundred thousand turns");
    assert!(picture.len() < 4_000_000, "{} bytes", picture.len());
}

#[test]
fn too_few_cells_are_marked() {
    let picture = drawn("rook-circuit", &json!({ "board": ["#..", "###"] }));
    checked(&picture);
    assert_eq!(pieces(&picture, "marked"), 2);
}

#[test]
fn parity_shows_both_colours() {
    let picture = drawn("rook-circuit", &json!({ "board": ["...", "...", "..."] }));
    let texts = checked(&picture);
    assert_eq!(pieces(&picture, "dots"), 4 + 1, "black cells, and the legend's");
    assert!(texts[1].contains("5 free cells are white and 4 black"), "{}", texts[1]);
}

#[test]
fn a_dead_end_is_marked_with_its_only_way() {
    let rows = ["...#.", "#....", ".....", "...#.", ".....", "...#."];
    let picture = drawn("rook-circuit", &json!({ "board": rows }));
    let texts = checked(&picture);
    assert!(texts[1].contains("a single free neighbour"), "{}", texts[1]);
    assert_eq!((pieces(&picture, "marked"), pieces(&picture, "used")), (1, 1 + 1));
}

#[test]
fn two_parts_have_letters_and_tints() {
    let picture = drawn("rook-circuit", &json!({ "board": ["..#..", "..#.."] }));
    let texts = checked(&picture);
    assert!(texts.contains(&"A".to_owned()) && texts.contains(&"B".to_owned()), "{texts:?}");
    assert_eq!((pieces(&picture, "t0"), pieces(&picture, "t1")), (2, 2), "two rows of each part");
}

#[test]
fn a_cut_cell_and_a_cut_set_leave_lettered_parts() {
    let rows = ["...##", "..#..", "....."];
    let reason = Reason::CutCell { cell: Cell::new(2, 2) };
    let picture = refused(&rows, &reason);
    assert_eq!(pieces(&picture, "marked"), 1);
    assert_eq!(count(&picture, "text", "letter"), 2 + 1, "two parts, and the legend's");
    let cells = vec![Cell::new(0, 1), Cell::new(1, 0)];
    let reason = Reason::Counted(Certificate::CutSet { cells, parts: 3 });
    let picture = refused(&[".....", ".#...", "....."], &reason);
    assert_eq!(pieces(&picture, "marked"), 2);
}

#[test]
fn forced_steps_are_drawn_and_those_that_none_takes_are_crossed_out() {
    let step = |from: (i32, i32), to: (i32, i32), is_used| ForcedStep {
        from: Cell::new(from.0, from.1),
        to: Cell::new(to.0, to.1),
        is_used,
        ground: ForcedBy::ClosesEarly,
    };
    let steps =
        vec![step((0, 0), (0, 1), true), step((0, 0), (1, 0), true), step((0, 1), (1, 1), false)];
    let reason = Reason::Forced { cells: vec![Cell::new(1, 1)], steps: steps.clone() };
    let picture = refused(&["...", "..."], &reason);
    assert_eq!((pieces(&picture, "used"), pieces(&picture, "barred")), (2 + 1, 2 + 2));
    assert_eq!(pieces(&picture, "marked"), 1);
    let ring = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(row, col)| Cell::new(row, col)).to_vec();
    let picture = refused(&["...", "..."], &Reason::Forced { cells: ring, steps });
    assert_eq!(count(&picture, "path", "early"), 1 + 1);
    assert!(checked(&picture)[1].contains("close a circuit of 4 cells"));
}

#[test]
fn a_crowded_set_is_marked_and_its_neighbours_dotted() {
    let cells = vec![Cell::new(0, 1), Cell::new(1, 0)];
    let picture = refused(&["...", "..."], &Reason::Crowded { cells });
    let texts = checked(&picture);
    assert_eq!(pieces(&picture, "marked"), 2);
    assert!(texts[1].contains("only 3 neighbours"), "{}", texts[1]);
}

#[test]
fn regions_have_borders_letters_multipliers_and_weights() {
    let cells = |row: i32| vec![Cell::new(row, 0), Cell::new(row, 1)];
    let reason = Reason::Counted(Certificate::Regions {
        regions: vec![cells(0), cells(2)],
        multipliers: vec![1, 3],
        weights: vec![vec![0, 0], vec![-1, 2], vec![0, 0]],
    });
    let picture = refused(&["..", "..", ".."], &reason);
    let texts = checked(&picture);
    for text in ["A×1", "B×3", "−1", "2"] {
        assert!(texts.contains(&text.to_owned()), "{text}: {texts:?}");
    }
    assert_eq!(pieces(&picture, "border"), 2 * 6);
}

#[test]
fn a_finished_search_is_told_of() {
    let picture = refused(&["...", "..."], &Reason::Exhausted);
    assert!(checked(&picture)[1].contains("A finished search"));
}

#[test]
fn reasons_of_a_large_board_stay_small() {
    let row = ".".repeat(499);
    let rows = vec![row.as_str(); 499];
    let parity = Reason::Parity { white: 124_501, black: 124_500 };
    let picture = refused(&rows, &parity);
    assert!(picture.len() < 12_000_000, "{} bytes", picture.len());
    let all: Vec<_> = board(&rows).free().iter().collect();
    let picture =
        refused(&rows, &Reason::Counted(Certificate::CutSet { cells: all, parts: 250_000 }));
    assert!(picture.len() < 12_000_000, "{} bytes", picture.len());
}
