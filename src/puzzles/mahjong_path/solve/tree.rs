//! One breadth-first search over runs from the tile where paths end, in the
//! order in which equal paths are preferred.
//!
//! Runs are taken in the order in which they were found, and the turns of a run
//! nearest to where it was entered first. By induction over the levels the queue
//! is then sorted by the paths to its runs, in the order that [`super`] states:
//! of two runs of a level, the one whose path comes first was found first. So a
//! run keeps the first path that found it, and of the runs that touch the far end
//! the first in the queue ends the path sought. The runs around the root itself
//! have taken no turn yet, so their turns are looked for side by side.
//!
//! O(area) a search, and O(segments) a path.

use super::answers::Answers;
use super::plan::{Job, Plan};
use super::runs::{Place, Ray, Runs};
use super::touch::Touch;
use crate::budget::{Budget, Stop};

/// A run that was not entered, and a tile that nobody waits for.
const NONE: u32 = u32::MAX;

/// The tables of single searches, used by one search after the other.
#[derive(Debug)]
pub(super) struct Tree<'board> {
    runs: &'board Runs,
    plan: &'board Plan,
    touch: &'board Touch,
    /// The place at which each run was entered, packed; the root for the runs around it.
    entered: Vec<u32>,
    /// The runs entered so far.
    queue: Vec<u32>,
    /// The first open job with each end tile as its far end.
    awaited: Vec<u32>,
    /// How many jobs are open.
    open_jobs: usize,
}

/// The jobs of a search, and where their paths go.
#[derive(Debug)]
struct Found<'search> {
    jobs: &'search [Job],
    answers: &'search mut Answers,
    budget: &'search mut Budget,
}

impl<'board> Tree<'board> {
    /// Empty tables.
    ///
    /// # Errors
    /// When they do not fit into the budget.
    pub(super) fn new(
        runs: &'board Runs,
        plan: &'board Plan,
        touch: &'board Touch,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let words = 2 * runs.count() + plan.places.len();
        budget.reserve(words * size_of::<u32>())?;
        Ok(Self {
            runs,
            plan,
            touch,
            entered: vec![NONE; runs.count()],
            queue: Vec::with_capacity(runs.count()),
            awaited: vec![NONE; plan.places.len()],
            open_jobs: 0,
        })
    }

    /// Answers the jobs of one root, which are sorted by far end.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn run(
        &mut self,
        jobs: &[Job],
        answers: &mut Answers,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        for (index, job) in jobs.iter().enumerate().rev() {
            self.awaited[job.far as usize] = index as u32;
        }
        self.open_jobs = jobs.len();
        let mut found = Found { jobs, answers, budget };
        self.search(self.plan.places[jobs[0].root as usize], &mut found)?;
        for job in jobs.iter().filter(|job| self.awaited[job.far as usize] != NONE) {
            answers.no_path(job.pair);
        }
        for job in jobs {
            self.awaited[job.far as usize] = NONE;
        }
        for run in self.queue.drain(..) {
            self.entered[run as usize] = NONE;
        }
        Ok(())
    }

    fn search(&mut self, root: Place, found: &mut Found<'_>) -> Result<(), Stop> {
        let around = self.runs.around(root);
        for ray in around.into_iter().flatten() {
            self.enter(ray.run, root, 1, found)?;
        }
        let mut level = 1;
        let mut level_start = 0;
        while level_start < self.queue.len() && found.answers.allows(level + 1) {
            let level_end = self.queue.len();
            level += 1;
            if level == 2 {
                self.turn_off(around, root, level, found)?;
            } else {
                for index in level_start..level_end {
                    let run = self.queue[index];
                    let place = Place::unpacked(self.entered[run as usize]);
                    let rays = self.runs.both_ways(run, place).map(Some);
                    self.turn_off(rays, place, level, found)?;
                    if self.open_jobs == 0 {
                        return Ok(());
                    }
                }
            }
            level_start = level_end;
        }
        Ok(())
    }

    /// Enters the runs that cross the rays from `place`, the nearest first.
    fn turn_off<const RAYS: usize>(
        &mut self,
        rays: [Option<Ray>; RAYS],
        place: Place,
        level: u32,
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        found.budget.tick()?;
        let longest = rays.iter().flatten().map(|ray| ray.length).max().unwrap_or(0);
        for distance in 1..=longest {
            for ray in rays.iter().flatten().filter(|ray| distance <= ray.length) {
                let run = self.runs.crossing(ray, distance);
                if self.entered[run as usize] == NONE {
                    let turn = place.step(ray.direction, distance);
                    self.enter(run, turn, level, found)?;
                }
            }
        }
        Ok(())
    }

    /// Enters `run` at a place, and answers the jobs whose far end it touches.
    fn enter(
        &mut self,
        run: u32,
        place: Place,
        level: u32,
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        self.entered[run as usize] = place.packed();
        self.queue.push(run);
        for tile in self.touch.tiles(run) {
            let first = std::mem::replace(&mut self.awaited[tile as usize], NONE);
            if first == NONE {
                continue;
            }
            for job in found.jobs[first as usize..].iter().take_while(|job| job.far == tile) {
                self.open_jobs -= 1;
                found.answers.begin(job.pair, level, found.budget)?;
                self.trace(job, run, found.answers, found.budget)?;
            }
        }
        Ok(())
    }

    /// Adds the corners from the job's far end, which `run` touches, to the root.
    fn trace(
        &self,
        job: &Job,
        mut run: u32,
        answers: &mut Answers,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let root = self.plan.places[job.root as usize];
        answers.corner(self.plan.places[job.far as usize]);
        loop {
            budget.tick()?;
            let place = Place::unpacked(self.entered[run as usize]);
            answers.corner(place);
            if place == root {
                break;
            }
            run = self.runs.other_run(run, place);
        }
        Ok(())
    }
}
