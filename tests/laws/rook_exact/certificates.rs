//! Laws of the certificates that refute a board by counting: the checker takes exactly those
//! that prove something.

use super::boards::{board, rooms};
use boardsolve::budget::Budget;
use boardsolve::grid::{Cell, CellSet, Size};
use boardsolve::puzzles::rook_circuit::board::Board;
use boardsolve::puzzles::rook_circuit::regions::{self, Certificate};

/// Whether regions prove that there is no circuit, edge by edge.
fn naive_regions_prove(
    board: &Board,
    regions: &[Vec<Cell>],
    multipliers: &[i64],
    weights: &[Vec<i64>],
) -> bool {
    let weight = |cell: Cell| weights[cell.row as usize][cell.col as usize];
    let mut available = 0;
    let mut needed = 0;
    for cell in board.free().iter() {
        needed += 2 * weight(cell);
        for other in [Cell::new(cell.row, cell.col + 1), Cell::new(cell.row + 1, cell.col)] {
            if board.is_free(other) {
                let crossed = regions
                    .iter()
                    .zip(multipliers)
                    .filter(|(region, _)| region.contains(&cell) != region.contains(&other));
                let crossed: i64 = crossed.map(|(_, multiplier)| multiplier).sum();
                available += (weight(cell) + weight(other) + crossed).max(0);
            }
        }
    }
    needed += 2 * multipliers.iter().sum::<i64>();
    needed > available
}

/// Some room boards that regions refute, each with its certificate as regions.
fn refuted_rooms() -> Vec<(Board, Certificate)> {
    let boards = (0..4000).filter_map(|seed| {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let (side, holes) = (rng.usize(3..6), rng.usize(0..2));
        let board = board(rooms(rng, Size::new(2, 3), side, holes))?;
        let found = regions::find(&board, 1, &mut Budget::unlimited()).expect("no limit");
        found.map(|certificate| (board, certificate))
    });
    boards.collect()
}

#[test]
fn the_checker_refuses_certificates_that_were_tampered_with() {
    let refused = |board: &Board, certificate: &Certificate| {
        assert!(certificate.check(board).is_err(), "{certificate:?}\n{board}");
    };
    let (mut cut_sets, mut others) = (0, 0);
    for (board, certificate) in refuted_rooms() {
        let blocked = board.size().cells().find(|&cell| !board.is_free(cell)).expect("a wall");
        match certificate {
            Certificate::CutSet { cells, parts } => {
                cut_sets += 1;
                refused(&board, &Certificate::CutSet { cells: cells.clone(), parts: parts + 1 });
                refused(&board, &Certificate::CutSet { cells: Vec::new(), parts: 1 });
                for wrong in [blocked, cells[0], Cell::new(-1, 0)] {
                    let mut cells = cells.clone();
                    cells.push(wrong);
                    refused(&board, &Certificate::CutSet { cells, parts });
                }
            }
            Certificate::Regions { regions, multipliers, weights } => {
                others += 1;
                let with =
                    |regions: Vec<Vec<Cell>>, multipliers: Vec<i64>, weights: Vec<Vec<i64>>| {
                        Certificate::Regions { regions, multipliers, weights }
                    };
                for wrong in [0, -1] {
                    let mut multipliers = multipliers.clone();
                    multipliers[0] = wrong;
                    refused(&board, &with(regions.clone(), multipliers, weights.clone()));
                }
                // The sum still proves it, but not every region has its multiplier, or an idle one.
                let with_one_more = |last: i64| [multipliers.clone(), vec![last]].concat();
                let again = [regions.clone(), vec![regions[0].clone()]].concat();
                refused(&board, &with(regions.clone(), with_one_more(1), weights.clone()));
                refused(&board, &with(again.clone(), multipliers.clone(), weights.clone()));
                refused(&board, &with(again, with_one_more(0), weights.clone()));
                refused(&board, &with(regions.clone(), Vec::new(), weights.clone()));
                refused(&board, &with(Vec::new(), Vec::new(), weights.clone()));
                refused(&board, &with(regions.clone(), multipliers.clone(), Vec::new()));
                let everything: Vec<Cell> = board.free().iter().collect();
                for wrong in [Vec::new(), everything, vec![blocked], vec![regions[0][0]; 2]] {
                    let mut regions = regions.clone();
                    regions[0] = wrong;
                    refused(&board, &with(regions, multipliers.clone(), weights.clone()));
                }
                let mut too_great = weights.clone();
                for cell in board.free().iter() {
                    too_great[cell.row as usize][cell.col as usize] = i64::MAX;
                }
                refused(&board, &with(regions.clone(), multipliers.clone(), too_great));
                for wrong in [1, i64::MIN, i64::MAX] {
                    let mut weights = weights.clone();
                    weights[blocked.row as usize][blocked.col as usize] = wrong;
                    refused(&board, &with(regions.clone(), multipliers.clone(), weights));
                }
            }
        }
    }
    assert!(cut_sets > 20 && others > 5, "{cut_sets} cut sets, {others} others");
}

#[test]
fn weights_without_any_region_are_no_certificate() {
    // Three cells of a row weigh 1, −1 and 1: no pair is worth anything, but Σ y = 1.
    let board = board(CellSet::from_cells(Size::new(1, 3), Size::new(1, 3).cells()));
    let board = board.expect("a row is a board");
    let certificate = |regions: Vec<Vec<Cell>>, multipliers| Certificate::Regions {
        regions,
        multipliers,
        weights: vec![vec![1, -1, 1]],
    };
    assert!(certificate(vec![vec![Cell::new(0, 0)]], vec![1]).check(&board).is_ok());
    assert!(certificate(vec![], vec![]).check(&board).is_err());
}

#[test]
fn a_cut_set_is_taken_where_more_parts_than_cells_are_left_and_as_many_as_it_says() {
    let (mut right, mut wrong) = (0, 0);
    for (number, (board, certificate)) in refuted_rooms().into_iter().enumerate() {
        let Certificate::CutSet { mut cells, .. } = certificate else { continue };
        let rng = &mut fastrand::Rng::with_seed(number as u64);
        // Bit by bit from a proof to none: with one cell fewer the parts are often as many as
        // the cells, which proves nothing.
        while !cells.is_empty() {
            let left = parts_without(&board, &cells).len();
            for parts in left.saturating_sub(1)..=left + 1 {
                let proves = parts == left && left > cells.len();
                let claim = Certificate::CutSet { cells: cells.clone(), parts };
                assert_eq!(claim.check(&board).is_ok(), proves, "{claim:?}\n{board}");
                *(if proves { &mut right } else { &mut wrong }) += 1;
            }
            cells.swap_remove(rng.usize(0..cells.len()));
        }
    }
    assert!(right > 40 && wrong > 400, "{right} right, {wrong} wrong");
}

#[test]
fn the_checker_agrees_with_a_naive_sum_on_random_weights_and_regions() {
    let (mut right, mut wrong) = (0, 0);
    let refuted = refuted_rooms();
    for seed in 0..3000 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let (board, certificate) = &refuted[rng.usize(0..refuted.len())];
        let size = board.size();
        let (mut regions, mut multipliers, mut weights) = match certificate.clone() {
            Certificate::Regions { regions, multipliers, weights } => {
                (regions, multipliers, weights)
            }
            // The same proof told in the other way: a removed cell weighs −1, and each part
            // that is left is a region.
            Certificate::CutSet { cells, .. } => {
                let mut weights = vec![vec![0; size.cols]; size.rows];
                for cell in &cells {
                    weights[cell.row as usize][cell.col as usize] = -1;
                }
                let regions = parts_without(board, &cells);
                (regions.clone(), vec![1; regions.len()], weights)
            }
        };
        for _ in 0..rng.usize(0..3) {
            let cell = board.free().iter().nth(rng.usize(0..board.free().len())).expect("free");
            match rng.u32(0..4) {
                0 => weights[cell.row as usize][cell.col as usize] += rng.i64(-2..3),
                1 => {
                    let multiplier = &mut multipliers[rng.usize(0..regions.len())];
                    *multiplier = (*multiplier + rng.i64(-1..2)).max(1);
                }
                2 => {
                    let region = &mut regions[rng.usize(0..multipliers.len())];
                    if region.len() > 1 {
                        region.swap_remove(rng.usize(0..region.len()));
                    }
                }
                _ => {
                    regions.push(vec![cell]);
                    multipliers.push(rng.i64(1..3));
                }
            }
        }
        let proves = naive_regions_prove(board, &regions, &multipliers, &weights);
        let certificate = Certificate::Regions { regions, multipliers, weights };
        assert_eq!(certificate.check(board).is_ok(), proves, "seed {seed}\n{board}");
        *(if proves { &mut right } else { &mut wrong }) += 1;
    }
    assert!(right > 500 && wrong > 500, "{right} right, {wrong} wrong");
}

/// The connected parts of the free cells outside `removed`.
fn parts_without(board: &Board, removed: &[Cell]) -> Vec<Vec<Cell>> {
    let mut left = board.free().clone();
    for &cell in removed {
        left.remove(cell);
    }
    let mut parts = Vec::new();
    for start in board.free().iter() {
        if !left.remove(start) {
            continue;
        }
        let mut part = vec![start];
        let mut number = 0;
        while let Some(&cell) = part.get(number) {
            part.extend(cell.neighbours().into_iter().filter(|&next| left.remove(next)));
            number += 1;
        }
        parts.push(part);
    }
    parts
}
