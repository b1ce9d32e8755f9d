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
