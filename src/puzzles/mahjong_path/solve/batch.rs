//! Breadth-first searches from up to 64 tiles at once, over runs.
//!
//! Every run has a word with a bit for each root whose search has seen it; one
//! look at a pair of crossing runs carries up to 64 searches on. Roots that lie
//! close together reach a run in the same few levels, so a batch costs about
//! five single searches, not 64 \[1\]. Work is O(levels at which a run gains
//! bits × its neighbours), at most that of 64 single searches.
//!
//! A run touches at most two tiles end-on, so when it gains bits it is seen at
//! once whether the far end of a pair was reached; the level is then the number
//! of segments. The search ends when all its pairs are answered, when the cap on
//! segments is reached, or when no run gains bits.
//!
//! Corners are found by walking from the far end back towards the root, from
//! level to level. Levels of crossing runs differ by at most one, so two more
//! bits a run and root, the level modulo 4, tell which crossing run lies nearer.
//! The walk takes the nearest turn each time, which makes it the first path in
//! the order that [`super`] states: any turn onto a run one level nearer can be
//! completed, and nothing else can.
//!
//! \[1\] Then et al., "The More the Merrier: Efficient Multi-Source Graph
//! Traversal", PVLDB 8(4), 2014.

use super::answers::Answers;
use super::plan::{Job, LANES, Plan};
use super::runs::{NO_RUN, Place, Ray, Runs};
use super::touch::Touch;
use crate::budget::{Budget, Stop};

/// What a batch knows of one run, a bit for each root.
#[derive(Clone, Copy, Debug, Default)]
struct RunState {
    /// The searches that have seen it.
    seen: u64,
    /// The searches that will see it at the next level.
    coming: u64,
    /// The low bit of the level at which each saw it.
    level_low: u64,
    /// The next bit of that level.
    level_high: u64,
}

/// The tables of batched searches, used by one batch after the other.
#[derive(Debug)]
pub(super) struct Batch<'board> {
    runs: &'board Runs,
    plan: &'board Plan,
    touch: &'board Touch,
    states: Vec<RunState>,
    /// The runs that any search of this batch has seen.
    seen: Vec<u32>,
    /// The runs that gained bits at this level, with those bits.
    frontier: Vec<(u32, u64)>,
    /// The runs that gain bits at the next level, `coming_count` of them, and
    /// room for every run and one more.
    coming: Vec<u32>,
    coming_count: usize,
    /// The roots that wait for each end tile.
    awaited: Vec<u64>,
    /// The first job of this batch with each end tile as its far end.
    first_job: Vec<u32>,
    /// The end tiles reached at this level, with the roots that reached them.
    reached: Vec<(u32, u64)>,
}

impl<'board> Batch<'board> {
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
        let per_run = size_of::<RunState>() + 2 * size_of::<u32>() + size_of::<(u32, u64)>();
        let per_tile = size_of::<u64>() + size_of::<u32>() + size_of::<(u32, u64)>();
        budget.reserve(runs.count() * per_run + plan.places.len() * per_tile)?;
        Ok(Self {
            runs,
            plan,
            touch,
            states: vec![RunState::default(); runs.count()],
            seen: Vec::new(),
            frontier: Vec::new(),
            coming: vec![0; runs.count() + 1],
            coming_count: 0,
            awaited: vec![0; plan.places.len()],
            first_job: vec![0; plan.places.len()],
            reached: Vec::new(),
        })
    }

    /// Answers the jobs of one batch, which are sorted by far end.
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
            self.awaited[job.far as usize] |= 1 << job.lane();
            self.first_job[job.far as usize] = index as u32;
        }
        self.leave_roots(jobs[0].batch());
        let mut open_jobs = jobs.len();
        let mut level = 0;
        while self.coming_count > 0 && open_jobs > 0 && answers.allows(level + 1) {
            level += 1;
            self.arrive(level);
            open_jobs -= self.answer_reached(jobs, level, answers, budget)?;
            if open_jobs > 0 {
                self.expand(budget)?;
            }
        }
        for job in jobs {
            if self.awaited[job.far as usize] >> job.lane() & 1 == 1 {
                answers.no_path(job.pair);
            }
        }
        self.clear(jobs);
        Ok(())
    }

    /// Marks the runs that the roots touch as seen at level 1.
    fn leave_roots(&mut self, batch: usize) {
        let roots = self.plan.batch_roots.iter().skip(batch * LANES).take(LANES);
        for (lane, &root) in roots.enumerate() {
            for ray in self.runs.around(self.plan.places[root as usize]).into_iter().flatten() {
                let state = &mut self.states[ray.run as usize];
                if state.coming == 0 {
                    self.coming[self.coming_count] = ray.run;
                    self.coming_count += 1;
                }
                state.coming |= 1 << lane;
            }
        }
    }

    /// Makes the coming bits seen ones, and notices the awaited tiles that they reach.
    fn arrive(&mut self, level: u32) {
        self.frontier.clear();
        let low = if level & 1 == 0 { 0 } else { u64::MAX };
        let high = if level & 2 == 0 { 0 } else { u64::MAX };
        for &run in &self.coming[..self.coming_count] {
            let state = &mut self.states[run as usize];
            let new = std::mem::take(&mut state.coming);
            if state.seen == 0 {
                self.seen.push(run);
            }
            state.seen |= new;
            state.level_low |= new & low;
            state.level_high |= new & high;
            self.frontier.push((run, new));
            for tile in self.touch.tiles(run) {
                let reached = self.awaited[tile as usize] & new;
                if reached != 0 {
                    self.awaited[tile as usize] &= !reached;
                    self.reached.push((tile, reached));
                }
            }
        }
        self.coming_count = 0;
    }

    /// Answers the jobs whose far end was reached at this level; how many they are.
    fn answer_reached(
        &mut self,
        jobs: &[Job],
        level: u32,
        answers: &mut Answers,
        budget: &mut Budget,
    ) -> Result<usize, Stop> {
        let mut answered = 0;
        for &(tile, lanes) in &self.reached {
            let first = self.first_job[tile as usize] as usize;
            let jobs_to_tile = jobs[first..].iter().take_while(|job| job.far == tile);
            for job in jobs_to_tile.filter(|job| lanes >> job.lane() & 1 == 1) {
                answered += 1;
                answers.begin(job.pair, level, budget)?;
                if answers.wants_corners() {
                    self.walk(job, level, answers, budget)?;
                }
            }
        }
        self.reached.clear();
        Ok(answered)
    }

    /// Carries every search of the frontier on to the runs that cross it.
    fn expand(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        // Whether a neighbour gains bits is as good as random, so nothing branches on it:
        // its number is always written down, and kept if it gained its first ones.
        let mut count = 0;
        for &(run, bits) in &self.frontier {
            budget.tick()?;
            for &neighbour in self.runs.neighbours(run) {
                let state = &mut self.states[neighbour as usize];
                let before = state.coming;
                state.coming |= bits & !state.seen;
                self.coming[count] = neighbour;
                count += usize::from((before == 0) & (state.coming != 0));
            }
        }
        self.coming_count = count;
        Ok(())
    }

    /// Adds the corners of the path from the root to the job's far end, reached at `level`.
    fn walk(
        &self,
        job: &Job,
        level: u32,
        answers: &mut Answers,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let lane = job.lane();
        let mut place = self.plan.places[job.far as usize];
        answers.corner(place);
        let mut run = NO_RUN;
        for nearer in (1..level).rev() {
            budget.tick()?;
            (place, run) = if run == NO_RUN {
                self.first_turn(place, lane, nearer)
            } else {
                self.nearest_turn(run, place, lane, nearer)
            };
            answers.corner(place);
        }
        let root = self.plan.batch_roots[job.root as usize];
        answers.corner(self.plan.places[root as usize]);
        answers.reverse(level);
        Ok(())
    }

    /// The turn nearest to a tile onto a run that the search of `lane` saw at
    /// `level`, and of equally near ones the first, with that run.
    fn first_turn(&self, tile: Place, lane: u32, level: u32) -> (Place, u32) {
        // Of the runs around the far end none lies nearer to the root than the level at which
        // it was reached, and none farther was seen yet.
        let is_seen = |ray: &Ray| self.states[ray.run as usize].seen >> lane & 1 == 1;
        let rays = self.runs.around(tile).map(|ray| ray.filter(is_seen));
        let longest = rays.iter().flatten().map(|ray| ray.length).max().unwrap_or(0);
        for distance in 1..=longest {
            for ray in rays.iter().flatten().filter(|ray| distance <= ray.length) {
                let run = self.runs.crossing(ray, distance);
                if self.is_at_level(run, lane, level) {
                    return (tile.step(ray.direction, distance), run);
                }
            }
        }
        unreachable!("a run of the level before crosses every run of a level")
    }

    /// The same from a place on a run, along that run.
    fn nearest_turn(&self, run: u32, place: Place, lane: u32, level: u32) -> (Place, u32) {
        let line = self.runs.line(run, place);
        for distance in 1..line.neighbours.len() {
            for (index, direction) in line.both_ways(distance) {
                if let Some(&turn) = line.neighbours.get(index)
                    && self.is_at_level(turn, lane, level)
                {
                    return (place.step(direction, distance), turn);
                }
            }
        }
        unreachable!("a run of the level before crosses every run of a level")
    }

    /// Whether the search of `lane` saw `run` at `level`, known to differ by at most 1 or 2.
    fn is_at_level(&self, run: u32, lane: u32, level: u32) -> bool {
        let state = &self.states[run as usize];
        let differs = |word: u64, bit: u32| word ^ if level & bit == 0 { 0 } else { u64::MAX };
        let here = state.seen & !differs(state.level_low, 1) & !differs(state.level_high, 2);
        here >> lane & 1 == 1
    }

    /// Empties the tables of what the batch with these jobs left in them.
    fn clear(&mut self, jobs: &[Job]) {
        let coming = self.coming[..self.coming_count].iter().copied();
        for run in self.seen.drain(..).chain(coming) {
            self.states[run as usize] = RunState::default();
        }
        self.coming_count = 0;
        for job in jobs {
            self.awaited[job.far as usize] = 0;
        }
    }
}
