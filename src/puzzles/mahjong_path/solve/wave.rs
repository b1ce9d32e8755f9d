//! A search from one tile by waves over rows of bits.
//!
//! At each level the wave holds the cells that a path of that many segments can
//! reach with a horizontal last segment, and those with a vertical one, 64 cells
//! a word. The next level fills the rows from the cells newly reached vertically
//! (an addition carries a seed to the end of its run), and the columns from those
//! newly reached horizontally (row by row, down and up). What was reached is
//! always made of whole runs, so a seed that was reached before has nothing left
//! to fill, and only rows with seeds, and those that they carry over to, are
//! looked at: O(rows with new cells × width / 64) a level.
//!
//! This takes no run graph and little memory, some 12 bits a cell, which makes it
//! the quickest for few roots, and for roots that lie too far apart for batches.
//! Corners are found as in [`super::batch`], by walking from the far end to the
//! root by the level modulo 4.

mod front;
mod turns;

use self::front::{Front, RowSet, Shape, free_cells};
use super::super::board::Board;
use super::answers::Answers;
use super::plan::{Job, Plan};
use super::runs::Place;
use crate::budget::{Budget, Stop};

/// What a search over runs costs for each word of the board, in words looked at
/// by a wave; what a wave's level and a row of it cost beside their words.
const WORDS_OF_A_RUN_SEARCH: usize = 512;
const WORDS_A_LEVEL: usize = 64;
const WORDS_A_ROW: usize = 8;

/// The tables of waves, used by one wave after the other.
#[derive(Debug)]
pub(super) struct Wave<'board> {
    plan: &'board Plan,
    shape: Shape,
    free: Vec<u64>,
    /// The far ends of open jobs.
    awaited: Vec<u64>,
    horizontal: Front,
    vertical: Front,
    /// The rows in which anything was reached.
    touched_rows: RowSet,
    /// The first job with each end tile as its far end.
    first_job: Vec<u32>,
    /// The far ends reached at this level.
    hits: Vec<Place>,
    /// What the waves have cost so far, in words, and how many there were.
    words_seen: usize,
    waves: usize,
}

impl<'board> Wave<'board> {
    /// Empty tables.
    ///
    /// # Errors
    /// When they do not fit into the budget.
    pub(super) fn new(
        board: &Board,
        plan: &'board Plan,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let (rows, cols) = (board.size().rows + 2, board.size().cols + 2);
        let shape = Shape { rows, words: cols.div_ceil(64) };
        let lists = 12;
        budget.reserve(lists * rows * shape.words * size_of::<u64>() + plan.places.len() * 4)?;
        Ok(Self {
            plan,
            shape,
            free: free_cells(board.tiles(), board.options().outside, shape),
            awaited: vec![0; rows * shape.words],
            horizontal: Front::new(shape),
            vertical: Front::new(shape),
            touched_rows: RowSet::new(rows),
            first_job: vec![0; plan.places.len()],
            hits: Vec::new(),
            words_seen: 0,
            waves: 0,
        })
    }

    /// Answers the jobs of one root, which are sorted by far end.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn run(
        &mut self,
        root: Place,
        jobs: &[Job],
        answers: &mut Answers,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        for (index, job) in jobs.iter().enumerate().rev() {
            let (word, bit) = self.shape.index(self.plan.places[job.far as usize]);
            self.awaited[word] |= bit;
            self.first_job[job.far as usize] = index as u32;
        }
        let mut open_jobs = jobs.len();
        let mut level = 1;
        self.leave(root);
        while open_jobs > 0 && answers.allows(level) {
            budget.tick()?;
            self.notice_hits();
            for hit in 0..self.hits.len() {
                let tile = self.plan.number(self.hits[hit]);
                let first = self.first_job[tile as usize] as usize;
                for job in jobs[first..].iter().take_while(|job| job.far == tile) {
                    open_jobs -= 1;
                    answers.begin(job.pair, level, budget)?;
                    if answers.wants_corners() {
                        self.walk(root, job, level, answers, budget)?;
                    }
                }
            }
            if self.horizontal.new_rows.is_empty() && self.vertical.new_rows.is_empty() {
                break;
            }
            level += 1;
            self.spread(level);
        }
        for job in jobs {
            let (word, bit) = self.shape.index(self.plan.places[job.far as usize]);
            if self.awaited[word] & bit != 0 {
                answers.no_path(job.pair);
            }
        }
        self.waves += 1;
        self.clear(jobs);
        Ok(())
    }

    /// Whether a wave costs more on this board than a search over its runs, as in
    /// a maze, where thousands of levels reach a few cells each.
    pub(super) const fn is_dear(&self) -> bool {
        self.words_seen > WORDS_OF_A_RUN_SEARCH * self.shape.rows * self.shape.words * self.waves
    }

    /// Reaches the runs around the root, at level 1.
    fn leave(&mut self, root: Place) {
        // The root counts as reached while its lines are filled, and only then.
        let (word, bit) = self.shape.index(root);
        self.free[word] |= bit;
        for front in [&mut self.horizontal, &mut self.vertical] {
            front.new[word] = bit;
            front.new_rows.insert(root.row());
        }
        self.spread(1);
        self.free[word] &= !bit;
        for front in [&mut self.horizontal, &mut self.vertical] {
            for list in
                [&mut front.reached, &mut front.level_low, &mut front.level_high, &mut front.new]
            {
                list[word] &= !bit;
            }
        }
    }

    /// Goes on by one segment, to `level`.
    fn spread(&mut self, level: u32) {
        self.words_seen += WORDS_A_LEVEL;
        self.fill_rows(level);
        self.fill_down(level);
        self.fill_up(level);
        self.horizontal.advance(self.shape);
        self.vertical.advance(self.shape);
    }

    /// Fills the rows from what is new in the vertical front.
    fn fill_rows(&mut self, level: u32) {
        let mut row = 0;
        while let Some(next) = self.vertical.new_rows.first_from(row) {
            row = next + 1;
            self.words_seen += WORDS_A_ROW + self.shape.words;
            let words = self.shape.row(next);
            // Adding a seed to the ones of its run carries to the end of the run and clears
            // what it passes; further seeds of the run stay set, and are filled anyway.
            let mut carry = false;
            let mut is_new = false;
            for index in words.clone() {
                let seeds = self.vertical.new[index] & !self.horizontal.reached[index];
                let free = self.free[index];
                let (sum, first) = free.overflowing_add(seeds);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                carry = first || second;
                let filled = free & !sum | seeds;
                self.horizontal.coming[index] = filled;
                is_new |= filled != 0;
            }
            if !is_new {
                continue;
            }
            // The other way round, mirrored; now everything filled so far is a seed.
            carry = false;
            for index in words.rev() {
                let seeds = self.horizontal.coming[index].reverse_bits();
                let free = self.free[index].reverse_bits();
                let (sum, first) = free.overflowing_add(seeds);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                carry = first || second;
                let filled = (free & !sum | seeds).reverse_bits();
                self.horizontal.reach(index, filled, level);
            }
            self.horizontal.coming_rows.insert(next);
            self.touched_rows.insert(next);
        }
    }

    /// Fills the columns downwards from what is new in the horizontal front.
    fn fill_down(&mut self, level: u32) {
        let mut row = 0;
        let mut carries = false;
        loop {
            if !carries {
                match self.horizontal.new_rows.first_from(row) {
                    None => break,
                    Some(next) => row = next,
                }
            }
            self.words_seen += WORDS_A_ROW + self.shape.words;
            let (above, has_above) = (row.saturating_sub(1), carries);
            carries = false;
            for word in 0..self.shape.words {
                let index = row * self.shape.words + word;
                let carried = match has_above {
                    true => self.vertical.coming[above * self.shape.words + word],
                    false => 0,
                };
                let cells = (carried | self.horizontal.new[index])
                    & self.free[index]
                    & !self.vertical.reached[index];
                if cells != 0 {
                    self.vertical.reach(index, cells, level);
                    carries = true;
                }
            }
            if carries {
                self.vertical.coming_rows.insert(row);
                self.touched_rows.insert(row);
            }
            row += 1;
            if row == self.shape.rows {
                break;
            }
        }
    }

    /// Fills the columns upwards from what [`Wave::fill_down`] has reached.
    fn fill_up(&mut self, level: u32) {
        let mut last = self.shape.rows - 1;
        while let Some(below) = self.vertical.coming_rows.last_to(last) {
            let Some(row) = below.checked_sub(1) else { break };
            self.words_seen += WORDS_A_ROW + self.shape.words;
            let mut carries = false;
            for word in 0..self.shape.words {
                let index = row * self.shape.words + word;
                let cells = self.vertical.coming[below * self.shape.words + word]
                    & self.free[index]
                    & !self.vertical.reached[index];
                if cells != 0 {
                    self.vertical.reach(index, cells, level);
                    carries = true;
                }
            }
            if carries {
                self.vertical.coming_rows.insert(row);
                self.touched_rows.insert(row);
            }
            last = row;
        }
    }

    /// Finds the awaited tiles that touch what is new, and waits for them no more.
    fn notice_hits(&mut self) {
        self.hits.clear();
        let words = self.shape.words;
        let mut row = 0;
        while let Some(next) = self.horizontal.new_rows.first_from(row) {
            row = next + 1;
            let mut west = 0;
            for word in 0..words {
                let index = next * words + word;
                let new = self.horizontal.new[index];
                let east = if word + 1 < words { self.horizontal.new[index + 1] << 63 } else { 0 };
                let beside = new << 1 | west | new >> 1 | east;
                west = new >> 63;
                self.take_hits(index, beside);
            }
        }
        row = 0;
        while let Some(next) = self.vertical.new_rows.first_from(row) {
            row = next + 1;
            for index in self.shape.row(next) {
                let new = self.vertical.new[index];
                if next > 0 {
                    self.take_hits(index - words, new);
                }
                if row < self.shape.rows {
                    self.take_hits(index + words, new);
                }
            }
        }
    }

    fn take_hits(&mut self, index: usize, cells: u64) {
        let mut hits = self.awaited[index] & cells;
        self.awaited[index] &= !hits;
        while hits != 0 {
            let col = index % self.shape.words * 64 + hits.trailing_zeros() as usize;
            self.hits.push(Place::new(index / self.shape.words, col));
            hits &= hits - 1;
        }
    }

    /// Empties the tables of what this wave left in them.
    fn clear(&mut self, jobs: &[Job]) {
        let mut row = 0;
        while let Some(next) = self.touched_rows.first_from(row) {
            self.horizontal.clear(self.shape.row(next));
            self.vertical.clear(self.shape.row(next));
            row = next + 1;
        }
        self.touched_rows.clear();
        for front in [&mut self.horizontal, &mut self.vertical] {
            front.new_rows.clear();
            front.coming_rows.clear();
        }
        for job in jobs {
            let (word, _) = self.shape.index(self.plan.places[job.far as usize]);
            self.awaited[word] = 0;
        }
    }
}
