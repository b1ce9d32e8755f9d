//! Fewest segments for every pair, by breadth-first search over runs.
//!
//! *Algorithm.* A *run* is a maximal straight line of free cells: a segment lies
//! in a run, a turn leads from a run to one that crosses it. The pairs are shared
//! out among searches ([`plan`]), and every pair that shares a search shares its
//! price: breadth-first searches over a graph of runs ([`runs`]) from up to 64
//! roots at once ([`batch`]); a wave over rows of bits from one root ([`wave`]);
//! where one `to` has very many pairs, a search from there ([`tree`]); and where
//! only numbers are asked for, of very many tiles on a large board, searches from
//! the runs that cross a cut through it, then through each half ([`cuts`]).
//!
//! *Why it is right.* A path of s segments is a walk over s runs that cross in
//! turn, and the first and the last touch the two tiles end-on; breadth-first
//! search finds the fewest. Marking cells instead of runs as seen would be wrong:
//! a cell reached first on a horizontal segment may still be needed on a vertical
//! one. Tiles side by side are joined by one segment that lies in no run.
//!
//! *Which of several.* Among paths with the fewest segments, the segments are
//! compared one by one from `to` back to `from`: the shorter goes first, and of
//! equally long ones the order is north, east, south, west, as seen from `to`.
//! The first path in that order is the answer, whichever search found it.
//!
//! *Cost.* O(area) to build; a search costs at most O(area) (a wave O(area × width
//! / 64) on the worst mazes, where it is given up for the run graph), and ends as
//! soon as its pairs are answered; cuts cost O(area^1.5) for all pairs together.
//! Memory is about 70 bytes a run and 10 a cell for the run graph, 2 a cell for
//! waves.
//!
//! *Tried.* The run graph alone, one root after the other, took five times as long
//! as a wave for one pair on 500 × 500 cells. Batches of roots that lie far apart
//! gain nothing over single searches: their fronts do not overlap, and a run is
//! carried on 25 times. A branch on whether a run gains bits is hard to predict
//! and cost a batch a quarter of its time.

mod answers;
mod batch;
mod cuts;
mod plan;
mod runs;
mod touch;
mod tree;
mod wave;

use self::answers::Answers;
use self::batch::Batch;
use self::plan::Plan;
use self::runs::{Place, Runs};
use self::touch::Touch;
use self::tree::Tree;
use self::wave::Wave;
use super::answer::Paths;
use super::board::Board;
use crate::budget::{Budget, Stop};

/// A solve that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped {
    /// The limit that ended it.
    pub(super) stop: Stop,
    /// How many pairs were answered by then.
    pub(super) answered: usize,
}

/// The path of every pair of `board`.
///
/// # Errors
/// When the budget is used up first.
pub(super) fn solve(board: &Board, budget: &mut Budget) -> Result<Paths, Stopped> {
    let mut answers = Answers::of(board, budget).map_err(|stop| Stopped { stop, answered: 0 })?;
    match answer_all(board, &mut answers, budget) {
        Ok(()) => Ok(answers.finish()),
        Err(stop) => Err(Stopped { stop, answered: answers.answered() }),
    }
}

fn answer_all(board: &Board, answers: &mut Answers, budget: &mut Budget) -> Result<(), Stop> {
    answer_adjacent(board, answers, budget)?;
    if answers.answered() == board.pairs().len() {
        return Ok(());
    }
    let mut plan = Plan::of(board, budget)?;
    if !plan.cut.is_empty() {
        match cuts::fewest(board, &plan.places, &plan.cut, budget)? {
            None => plan.give_up_cuts(budget)?,
            Some(fewest) => {
                for (job, segments) in plan.cut.iter().zip(fewest) {
                    answers.begin(job.pair, segments.into(), budget)?;
                }
            }
        }
    }
    if !plan.waved.is_empty() {
        let mut wave = Wave::new(board, &plan, budget)?;
        let mut done = 0;
        for jobs in plan.waved.chunk_by(|one, next| one.root == next.root) {
            wave.run(plan.places[jobs[0].root as usize], jobs, answers, budget)?;
            done += jobs.len();
            if wave.is_dear() {
                break;
            }
        }
        plan.give_up_waves(done, answers.wants_corners(), budget)?;
    }
    if plan.batched.is_empty() && plan.treed.is_empty() {
        return Ok(());
    }
    let runs = Runs::of(board, budget)?;
    let touch = Touch::of(&runs, &plan, budget)?;
    if !plan.batched.is_empty() {
        let mut batch = Batch::new(&runs, &plan, &touch, budget)?;
        for jobs in plan.batched.chunk_by(|one, next| one.batch() == next.batch()) {
            budget.poll()?;
            batch.run(jobs, answers, budget)?;
        }
    }
    if !plan.treed.is_empty() {
        let mut tree = Tree::new(&runs, &plan, &touch, budget)?;
        for jobs in plan.treed.chunk_by(|one, next| one.root == next.root) {
            budget.poll()?;
            tree.run(jobs, answers, budget)?;
        }
    }
    Ok(())
}

/// Answers the pairs of tiles that lie side by side.
fn answer_adjacent(board: &Board, answers: &mut Answers, budget: &mut Budget) -> Result<(), Stop> {
    for (index, pair) in board.pairs().iter().enumerate().filter(|(_, pair)| pair.is_adjacent()) {
        let index = index as u32;
        answers.begin(index, 1, budget)?;
        if answers.wants_corners() {
            answers.corner(Place::of(pair.from));
            answers.corner(Place::of(pair.to));
        }
    }
    Ok(())
}
