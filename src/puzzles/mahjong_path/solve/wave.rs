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

use super::answers::Answers;
use super::plan::{Job, Plan};
use super::runs::Place;
use crate::budget::{Budget, Stop};
use crate::grid::{CellSet, Direction};

use super::super::board::Board;

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

/// How the framed board lies in words.
#[derive(Clone, Copy, Debug)]
struct Shape {
    rows: usize,
    words: usize,
}

/// The cells reached with a last segment of one direction.
#[derive(Debug)]
struct Front {
    reached: Vec<u64>,
    /// The two low bits of the level at which each was reached.
    level_low: Vec<u64>,
    level_high: Vec<u64>,
    /// Those reached at the last level, all of them in `new_rows`.
    new: Vec<u64>,
    new_rows: RowSet,
    /// Those reached at the level that is being spread.
    coming: Vec<u64>,
    coming_rows: RowSet,
}

/// A set of rows.
#[derive(Clone, Debug)]
struct RowSet(Vec<u64>);

impl RowSet {
    fn new(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(64)])
    }

    fn insert(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The first row of the set from `row` on.
    fn first_from(&self, row: usize) -> Option<usize> {
        let mut index = row / 64;
        let mut word = *self.0.get(index)? & (u64::MAX << (row % 64));
        while word == 0 {
            index += 1;
            word = *self.0.get(index)?;
        }
        Some(index * 64 + word.trailing_zeros() as usize)
    }

    /// The last row of the set up to `row`.
    fn last_to(&self, row: usize) -> Option<usize> {
        let mut index = row / 64;
        let mut word = self.0[index] & (u64::MAX >> (63 - row % 64));
        while word == 0 {
            index = index.checked_sub(1)?;
            word = self.0[index];
        }
        Some(index * 64 + 63 - word.leading_zeros() as usize)
    }
}

impl Shape {
    const fn index(self, place: Place) -> (usize, u64) {
        (place.row() * self.words + place.col() / 64, 1 << (place.col() % 64))
    }

    const fn row(self, row: usize) -> std::ops::Range<usize> {
        row * self.words..(row + 1) * self.words
    }
}

impl Front {
    fn new(shape: Shape) -> Self {
        let words = || vec![0; shape.rows * shape.words];
        Self {
            reached: words(),
            level_low: words(),
            level_high: words(),
            new: words(),
            new_rows: RowSet::new(shape.rows),
            coming: words(),
            coming_rows: RowSet::new(shape.rows),
        }
    }

    /// Marks cells of one word, none of them reached before, as reached at `level`.
    fn reach(&mut self, index: usize, cells: u64, level: u32) {
        self.reached[index] |= cells;
        self.level_low[index] |= if level & 1 == 0 { 0 } else { cells };
        self.level_high[index] |= if level & 2 == 0 { 0 } else { cells };
        self.coming[index] |= cells;
    }

    /// Makes the coming cells the new ones.
    fn advance(&mut self, shape: Shape) {
        let mut row = 0;
        while let Some(next) = self.new_rows.first_from(row) {
            self.new[shape.row(next)].fill(0);
            row = next + 1;
        }
        self.new_rows.clear();
        std::mem::swap(&mut self.new, &mut self.coming);
        std::mem::swap(&mut self.new_rows, &mut self.coming_rows);
    }

    /// The cells of a word that were reached at `level`, known to differ by at most 1 or 2.
    fn at_level(&self, index: usize, level: u32) -> u64 {
        let low = if level & 1 == 0 { !self.level_low[index] } else { self.level_low[index] };
        let high = if level & 2 == 0 { !self.level_high[index] } else { self.level_high[index] };
        self.reached[index] & low & high
    }

    fn clear(&mut self, words: std::ops::Range<usize>) {
        let all = [
            &mut self.reached,
            &mut self.level_low,
            &mut self.level_high,
            &mut self.new,
            &mut self.coming,
        ];
        for list in all {
            list[words.clone()].fill(0);
        }
    }
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

    /// Adds the corners of the path from the root to the job's far end, reached at `level`.
    fn walk(
        &self,
        root: Place,
        job: &Job,
        level: u32,
        answers: &mut Answers,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let mut place = self.plan.places[job.far as usize];
        answers.corner(place);
        let mut ways: &[Direction] = &Direction::ALL;
        for nearer in (1..level).rev() {
            budget.tick()?;
            let (distance, direction) = self.nearest_turn(place, ways, nearer);
            place = place.step(direction, distance);
            ways = match direction {
                Direction::North | Direction::South => &[Direction::East, Direction::West],
                Direction::East | Direction::West => &[Direction::North, Direction::South],
            };
            answers.corner(place);
        }
        answers.corner(root);
        answers.reverse(level);
        Ok(())
    }

    /// The nearest cell in one of these directions, and of equally near ones the
    /// first, that was reached at `level` crosswise. What lies farther than
    /// `level` + 1 along the way was not reached at all yet.
    fn nearest_turn(&self, place: Place, ways: &[Direction], level: u32) -> (usize, Direction) {
        let mut nearest = None;
        for &direction in ways {
            let most = nearest.map_or(usize::MAX, |(distance, _)| distance - 1);
            let turn = match direction {
                Direction::North | Direction::South => {
                    self.turn_along_col(place, direction, level, most)
                }
                Direction::East => self.turn_to_the_east(place, level),
                Direction::West => self.turn_to_the_west(place, level),
            };
            if let Some(distance) = turn.filter(|&distance| distance <= most) {
                nearest = Some((distance, direction));
            }
        }
        nearest.expect("a run of the level before crosses every run of a level")
    }

    fn turn_along_col(
        &self,
        place: Place,
        direction: Direction,
        level: u32,
        most: usize,
    ) -> Option<usize> {
        let (mut index, bit) = self.shape.index(place);
        let rows_left = match direction {
            Direction::North => place.row(),
            _ => self.shape.rows - 1 - place.row(),
        };
        for distance in 1..=rows_left.min(most) {
            match direction {
                Direction::North => index -= self.shape.words,
                _ => index += self.shape.words,
            }
            if self.vertical.reached[index] & bit == 0 {
                return None;
            }
            if self.horizontal.at_level(index, level) & bit != 0 {
                return Some(distance);
            }
        }
        None
    }

    fn turn_to_the_east(&self, place: Place, level: u32) -> Option<usize> {
        let (first, bit) = self.shape.index(place);
        // The cells east of the place in its word, then whole words.
        let mut mask = !(bit | (bit - 1));
        for index in first..self.shape.row(place.row()).end {
            let turns = self.vertical.at_level(index, level) & mask;
            let ends = !self.horizontal.reached[index] & mask;
            if turns | ends != 0 {
                let (turn, end) = (turns.trailing_zeros(), ends.trailing_zeros());
                let word = place.col() / 64 + (index - first);
                return (turn < end).then(|| word * 64 + turn as usize - place.col());
            }
            mask = u64::MAX;
        }
        None
    }

    fn turn_to_the_west(&self, place: Place, level: u32) -> Option<usize> {
        let (first, bit) = self.shape.index(place);
        let mut mask = bit - 1;
        for index in (self.shape.row(place.row()).start..=first).rev() {
            let turns = self.vertical.at_level(index, level) & mask;
            let ends = !self.horizontal.reached[index] & mask;
            if turns | ends != 0 {
                let (turn, end) = (turns.leading_zeros(), ends.leading_zeros());
                let word = place.col() / 64 - (first - index);
                return (turn < end).then(|| place.col() - (word * 64 + 63 - turn as usize));
            }
            mask = u64::MAX;
        }
        None
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

/// The free cells of the framed board.
fn free_cells(tiles: &CellSet, outside: bool, shape: Shape) -> Vec<u64> {
    let size = tiles.size();
    let margin = usize::from(!outside);
    let mut free = vec![0; shape.rows * shape.words];
    for row in margin..size.rows + 2 - margin {
        for (word, cells) in free[shape.row(row)].iter_mut().enumerate() {
            // The bits of the columns below `end`.
            let below = |end: usize| match end.saturating_sub(word * 64) {
                bits @ 0..64 => (1 << bits) - 1,
                _ => u64::MAX,
            };
            *cells = below(size.cols + 2 - margin) & !below(margin);
        }
    }
    for tile in tiles.iter() {
        let (index, bit) = shape.index(Place::of(tile));
        free[index] &= !bit;
    }
    free
}
