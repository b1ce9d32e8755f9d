//! Checks the paths from the rules alone.
//!
//! What is checked, and how far:
//!
//! 1. *Every path* that comes with corners is replayed: it begins and ends at its
//!    pair, its segments are straight and turn by a right angle each, it runs
//!    through empty cells only (in O(1) a segment, from running counts of tiles),
//!    leaves the board only where that is allowed, and has as many segments as it
//!    says and no more than the cap.
//! 2. *Every "no path"* without a cap is checked against the connected parts of the
//!    empty cells, and so is, where corners are not asked for, every "path".
//! 3. *That no path has fewer segments* can't be seen from a path: it is checked by
//!    plain waves of its own ([`wave`]), from tile after tile, for all pairs of each
//!    tile. Waves stop when their work passes a bound that grows with the pairs:
//!    random boards of contest size are checked in whole, larger ones by a sample
//!    that does not depend on the answer. A wave that was cut short still refutes a
//!    claim of more segments than it took.
//!
//! That a path is the *first* of several with as few segments is not checked here.
//! O(area + corners + the waves' bound).

mod parts;
mod sight;
mod wave;

use self::parts::Parts;
use self::sight::Sight;
use super::answer::{Path, Paths};
use super::board::Board;
use crate::puzzle::Violation;

/// Checks every path.
pub(super) fn verify(board: &Board, paths: &Paths) -> Result<(), Violation> {
    if paths.len() != board.pairs().len() {
        let (paths, pairs) = (paths.len(), board.pairs().len());
        return Err(Violation::new(format!("there are {paths} paths for {pairs} pairs")));
    }
    let max_segments = board.options().max_segments.map_or(u32::MAX, u32::from);
    let sight = board.options().corners.then(|| Sight::of(board));
    for (index, (&pair, path)) in board.pairs().iter().zip(paths.iter()).enumerate() {
        let fault = |what: &str| Violation::new(format!("the path of pair {index} {what}"));
        if path.segments() > max_segments {
            return Err(fault("has more segments than allowed"));
        }
        match &sight {
            Some(sight) => sight.replay(pair, path).map_err(fault)?,
            None if path.corners().len() > 0 => return Err(fault("has corners unasked")),
            None => {}
        }
    }
    check_parts(board, paths)?;
    wave::check_fewest(board, paths)
}

/// Checks the pairs that nothing else was seen of against the connected parts.
fn check_parts(board: &Board, paths: &Paths) -> Result<(), Violation> {
    let capped = board.options().max_segments.is_some();
    let is_open =
        |path: Path<'_>| if path.segments() == 0 { !capped } else { !board.options().corners };
    if !paths.iter().any(is_open) {
        return Ok(());
    }
    let parts = Parts::of(board);
    for (index, (&pair, path)) in board.pairs().iter().zip(paths.iter()).enumerate() {
        if is_open(path) && parts.joins(pair) != (path.segments() > 0) {
            let what = if path.segments() > 0 { "no path joins" } else { "some path joins" };
            return Err(Violation::new(format!("{what} pair {index}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use fastrand::Rng;

    use super::super::MahjongPath;
    use super::super::answer::PathsBuilder;
    use super::super::board::{Options, Pair};
    use super::*;
    use crate::budget::Budget;
    use crate::grid::{Cell, CellSet, Size};
    use crate::puzzle::{Outcome, Puzzle};

    /// What an answer says of a pair.
    type Said = (u32, Vec<Cell>);

    fn random_board(random: &mut Rng) -> Option<Board> {
        let size = Size::new(random.usize(1..6), random.usize(1..6));
        let density = random.u8(3..9);
        let is_tile = |_: &Cell| random.u8(..10) < density;
        let tiles = CellSet::from_cells(size, size.cells().filter(is_tile).collect::<Vec<_>>());
        let cells: Vec<Cell> = tiles.iter().collect();
        if cells.len() < 2 {
            return None;
        }
        let pairs = (0..random.usize(1..6)).map(|_| {
            let from = random.usize(..cells.len());
            let to = (from + random.usize(1..cells.len())) % cells.len();
            Pair { from: cells[from], to: cells[to] }
        });
        let pairs = pairs.collect();
        let max_segments = random.bool().then(|| NonZeroU32::new(random.u32(1..5))).flatten();
        let options = Options { outside: random.bool(), max_segments, corners: random.u8(..4) > 0 };
        Board::new(tiles, pairs, options).ok()
    }

    fn right_answer(board: &Board) -> Vec<Said> {
        let Outcome::Solved(right) = MahjongPath::solve(board, &mut Budget::unlimited()) else {
            panic!("not solved without a limit:\n{board}");
        };
        right.iter().map(|path| (path.segments(), path.corners().collect())).collect()
    }

    fn paths(said: &[Said]) -> Paths {
        let mut builder = PathsBuilder::new(said.len());
        for (pair, (segments, corners)) in said.iter().enumerate() {
            builder.begin(pair, *segments, corners.len() as u32);
            corners.iter().for_each(|&corner| builder.push(corner));
        }
        builder.finish()
    }

    fn tamper(random: &mut Rng, said: &mut [Said]) {
        let (pair, other) = (random.usize(..said.len()), random.usize(..said.len()));
        let taken = said[other].clone();
        let (segments, corners) = &mut said[pair];
        let nudge = |random: &mut Rng, cell: Cell| {
            Cell::new(cell.row + random.i32(-1..=1), cell.col + random.i32(-1..=1))
        };
        let at = if corners.is_empty() { 0 } else { random.usize(..corners.len()) };
        match random.u8(..9) {
            0 => *segments = random.u32(..6),
            1 => corners.reverse(),
            2 if !corners.is_empty() => corners[at] = nudge(random, corners[at]),
            3 if !corners.is_empty() => {
                corners.remove(at);
            }
            4 if !corners.is_empty() => {
                corners.insert(at, nudge(random, corners[at]));
                *segments += u32::from(random.bool());
            }
            5 => (*segments, *corners) = taken,
            6 => (*segments, *corners) = (0, Vec::new()),
            7 => corners.push(Cell::new(0, 0)),
            _ => {
                // Another way along the same bends.
                let (rows, cols) = (random.i32(-1..=1), random.i32(-1..=1));
                let last = corners.len().saturating_sub(1);
                for corner in corners.iter_mut().take(last).skip(1) {
                    *corner = Cell::new(corner.row + rows, corner.col + cols);
                }
            }
        }
    }

    /// Whether a path is one, walked cell by cell.
    fn is_path(board: &Board, pair: Pair, (segments, corners): &Said) -> bool {
        let ends = (corners.first(), corners.last());
        if corners.len() != *segments as usize + 1 || ends != (Some(&pair.from), Some(&pair.to)) {
            return false;
        }
        let mut cells = Vec::new();
        let mut was_along_row = None;
        for ends in corners.windows(2) {
            let along_row = ends[0].row == ends[1].row;
            let is_straight = along_row != (ends[0].col == ends[1].col);
            if !is_straight || was_along_row.replace(along_row) == Some(along_row) {
                return false;
            }
            let mut at = ends[0];
            while at != ends[1] {
                at.row += (ends[1].row - at.row).signum();
                at.col += (ends[1].col - at.col).signum();
                cells.push(at);
            }
        }
        cells.pop();
        let ring = i32::from(board.options().outside);
        let (rows, cols) = (board.size().rows as i32, board.size().cols as i32);
        cells.iter().all(|&cell| {
            (-ring..rows + ring).contains(&cell.row)
                && (-ring..cols + ring).contains(&cell.col)
                && !board.tiles().contains(cell)
        })
    }

    #[test]
    fn of_tampered_answers_those_are_taken_whose_paths_are_some_and_the_shortest() {
        let (mut taken, mut refused) = (0, 0);
        for seed in 0..40_000 {
            let mut random = Rng::with_seed(seed);
            let Some(board) = random_board(&mut random) else { continue };
            let right = right_answer(&board);
            let mut said = right.clone();
            for _ in 0..random.u8(..3) {
                tamper(&mut random, &mut said);
            }
            let is_right = |(number, one): (usize, &Said)| {
                let (segments, corners) = one;
                let is_fewest = *segments == right[number].0;
                let has_no_corner = *segments == 0 || !board.options().corners;
                let is_told = match has_no_corner {
                    true => corners.is_empty(),
                    false => is_path(&board, board.pairs()[number], one),
                };
                is_fewest && is_told
            };
            let expected = said.iter().enumerate().all(is_right);
            let verdict = verify(&board, &paths(&said));
            assert_eq!(
                verdict.is_ok(),
                expected,
                "seed {seed}: {verdict:?} {:?}\n{board}{:?} {said:?}",
                board.options(),
                board.pairs()
            );
            *(if expected { &mut taken } else { &mut refused }) += 1;
        }
        assert!(taken > 5000 && refused > 5000, "{taken} {refused}");
    }

    /// A wave may never come to a pair, so what a replay lets through is not for waves to find.
    #[test]
    fn of_tampered_paths_those_are_replayed_that_lead_from_end_to_end() {
        let (mut taken, mut refused) = (0, 0);
        for seed in 0..20_000 {
            let mut random = Rng::with_seed(seed);
            let Some(board) = random_board(&mut random) else { continue };
            let options = Options { corners: true, ..board.options() };
            let board = Board::new(board.tiles().clone(), board.pairs().to_vec(), options).unwrap();
            let mut said = right_answer(&board);
            tamper(&mut random, &mut said);
            let sight = Sight::of(&board);
            for ((&pair, one), path) in board.pairs().iter().zip(&said).zip(paths(&said).iter()) {
                let (segments, corners) = one;
                let expected = match segments {
                    0 => corners.is_empty(),
                    _ => is_path(&board, pair, one),
                };
                let verdict = sight.replay(pair, path);
                assert_eq!(verdict.is_ok(), expected, "seed {seed}: {verdict:?}\n{board}{one:?}");
                *(if expected { &mut taken } else { &mut refused }) += 1;
            }
        }
        assert!(taken > 5000 && refused > 5000, "{taken} {refused}");
    }

    #[test]
    fn an_answer_with_a_path_too_few_or_too_many_is_refused() {
        let mut random = Rng::with_seed(1);
        for _ in 0..1000 {
            let Some(board) = random_board(&mut random) else { continue };
            let mut said = right_answer(&board);
            assert_eq!(verify(&board, &paths(&said)).err(), None);
            said.push(said[0].clone());
            assert!(verify(&board, &paths(&said)).is_err(), "{board}{said:?}");
            said.truncate(board.pairs().len() - 1);
            assert!(verify(&board, &paths(&said)).is_err(), "{board}{said:?}");
        }
    }

    #[test]
    fn what_no_corner_shows_is_held_against_the_connected_parts_without_any_wave() {
        let (mut taken, mut refused) = (0, 0);
        for seed in 0..4000 {
            let mut random = Rng::with_seed(seed);
            let Some(board) = random_board(&mut random) else { continue };
            let options = Options { max_segments: None, ..board.options() };
            let uncapped = Board::new(board.tiles().clone(), board.pairs().to_vec(), options);
            let right = right_answer(&uncapped.unwrap());
            // The number of segments is for the waves to check; here it is right or wrong by luck.
            let said: Vec<Said> = right
                .iter()
                .map(|&(segments, _)| match random.u8(..8) {
                    0 => (0, Vec::new()),
                    1 => (random.u32(1..3), Vec::new()),
                    _ => (segments, Vec::new()),
                })
                .collect();
            let expected = said.iter().zip(&right).all(|(&(segments, _), &(right, _))| {
                let is_shown_elsewhere = match segments {
                    0 => board.options().max_segments.is_some(),
                    _ => board.options().corners,
                };
                is_shown_elsewhere || (segments > 0) == (right > 0)
            });
            let verdict = check_parts(&board, &paths(&said));
            assert_eq!(verdict.is_ok(), expected, "seed {seed}: {verdict:?}\n{board}{said:?}");
            *(if expected { &mut taken } else { &mut refused }) += 1;
        }
        assert!(taken > 500 && refused > 200, "{taken} {refused}");
    }
}
