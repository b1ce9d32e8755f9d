//! The run graph: what all searches of one board share.
//!
//! A *run* is a maximal straight line of free cells. A segment of a path lies
//! in one run, and a turn at a cell leads from the horizontal run through that
//! cell to the vertical one or back; so the fewest segments between two tiles
//! are the fewest runs from one that touches the first tile to one that touches
//! the second, where runs that cross are neighbours. Two runs cross in at most
//! one cell, so a row of runs is a row of corners. A run is blocked only at its
//! ends, so it touches at most two tiles end-on: that makes a tile of interest
//! cheap to notice.
//!
//! The board is framed by one ring of cells, free when paths may leave the
//! board: a path that leaves it farther can be pushed back onto the ring without
//! more segments. Every cell is listed twice, row by row with the vertical run
//! through it, and column by column with the horizontal one, so the neighbours
//! of a run always lie side by side in memory. Building costs O(area).

use std::ops::Range;

use super::super::board::Board;
use crate::budget::{Budget, Stop};
use crate::grid::{Cell, Direction};

/// No run: what stands for a blocked cell.
pub(super) const NO_RUN: u32 = u32::MAX;

/// The runs of a board.
#[derive(Debug)]
pub(super) struct Runs {
    rows: usize,
    cols: usize,
    /// The vertical run through each cell, row by row; then the horizontal run
    /// through each cell, column by column.
    crossing: Vec<u32>,
    /// The vertical runs, then the horizontal ones.
    runs: Vec<Run>,
    vertical_count: usize,
    /// What was taken from the budget.
    bytes: usize,
}

/// Where the neighbours of a run lie in [`Runs::crossing`].
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u32,
    end: u32,
}

/// A cell of the framed board: row and column are one greater than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

/// A straight walk from a place (not included) to the end of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    /// The way it goes.
    pub(super) direction: Direction,
    /// The run it walks along.
    pub(super) run: u32,
    /// How many cells it has.
    pub(super) length: usize,
    first: usize,
}

/// The neighbours of a run, as seen from one of its places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'runs> {
    /// The runs that cross it, from its north or west end on.
    pub(super) neighbours: &'runs [u32],
    here: usize,
    is_vertical: bool,
}

impl Line<'_> {
    /// Which neighbours lie so far away, in the order of [`Direction::ALL`]; an
    /// index may be past either end of the line.
    pub(super) const fn both_ways(&self, distance: usize) -> [(usize, Direction); 2] {
        let (before, after) = (self.here.wrapping_sub(distance), self.here + distance);
        if self.is_vertical {
            [(before, Direction::North), (after, Direction::South)]
        } else {
            [(after, Direction::East), (before, Direction::West)]
        }
    }
}

impl Place {
    /// The place of a cell of the board.
    pub(super) const fn of(cell: Cell) -> Self {
        Self::new((cell.row + 1) as usize, (cell.col + 1) as usize)
    }

    /// The cell of the board, or of the ring around it.
    pub(super) const fn cell(self) -> Cell {
        Cell::new(self.row() as i32 - 1, self.col() as i32 - 1)
    }

    /// The place `distance` steps away.
    pub(super) const fn step(self, direction: Direction, distance: usize) -> Self {
        match direction {
            Direction::North => Self(self.0 - ((distance as u32) << 16)),
            Direction::East => Self(self.0 + distance as u32),
            Direction::South => Self(self.0 + ((distance as u32) << 16)),
            Direction::West => Self(self.0 - distance as u32),
        }
    }

    /// The number of its block of 8 × 8 cells along a Z-order curve: blocks near
    /// each other on the curve are near each other on the board.
    pub(super) fn block_on_curve(self) -> usize {
        let spread =
            |value: usize| (0..8).fold(0, |bits, bit| bits | (value >> bit & 1) << (2 * bit));
        spread(self.row() / 8) << 1 | spread(self.col() / 8)
    }

    /// The place as one number.
    pub(super) const fn packed(self) -> u32 {
        self.0
    }

    /// The inverse of [`Place::packed`].
    pub(super) const fn unpacked(packed: u32) -> Self {
        Self(packed)
    }

    /// The place at a row and a column of the framed board.
    pub(super) const fn new(row: usize, col: usize) -> Self {
        Self((row as u32) << 16 | col as u32)
    }

    /// Its row on the framed board.
    pub(super) const fn row(self) -> usize {
        (self.0 >> 16) as usize
    }

    /// Its column on the framed board.
    pub(super) const fn col(self) -> usize {
        (self.0 & 0xffff) as usize
    }
}

impl Ray {
    /// Where the crossing run at the `distance`-th cell (from 1) is listed.
    const fn index(&self, distance: usize) -> usize {
        match self.direction {
            Direction::East | Direction::South => self.first + (distance - 1),
            Direction::North | Direction::West => self.first - (distance - 1),
        }
    }
}

impl Runs {
    /// The runs of `board`, with places as on the framed board.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn of(board: &Board, budget: &mut Budget) -> Result<Self, Stop> {
        let (rows, cols) = (board.size().rows + 2, board.size().cols + 2);
        budget.reserve(rows * cols)?;
        let runs = Self::of_cells(&blocked_cells(board), (rows, cols), budget);
        budget.release(rows * cols);
        runs
    }

    /// The runs of a board of which this is known row by row: which cells are blocked.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn of_cells(
        blocked: &[bool],
        (rows, cols): (usize, usize),
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let area = rows * cols;
        // A line with t blocked cells has at most t + 1 runs, and at most every second cell
        // begins one.
        let count = blocked.iter().filter(|&&is_blocked| is_blocked).count();
        let most_vertical = (count + cols).min(cols * rows.div_ceil(2));
        let most_horizontal = (count + rows).min(rows * cols.div_ceil(2));
        let most_runs = most_vertical + most_horizontal;
        let bytes = 2 * area * size_of::<u32>() + most_runs * size_of::<Run>();
        budget.reserve(bytes + area)?;
        budget.poll()?;

        let mut by_col = vec![false; area];
        for (row, cells) in blocked.chunks_exact(cols).enumerate() {
            for (col, _) in cells.iter().enumerate().filter(|&(_, &is_blocked)| is_blocked) {
                by_col[col * rows + row] = true;
            }
        }
        let mut crossing = vec![NO_RUN; 2 * area];
        let mut runs = Vec::with_capacity(most_runs);
        let (at_row_major, at_col_major) = crossing.split_at_mut(area);
        number_runs(blocked, (rows, cols), area, at_row_major, &mut runs, budget)?;
        let vertical_count = runs.len();
        number_runs(&by_col, (cols, rows), 0, at_col_major, &mut runs, budget)?;
        budget.release(area);
        Ok(Self { rows, cols, crossing, runs, vertical_count, bytes })
    }

    /// Gives the memory back to the budget.
    pub(super) fn release(self, budget: &mut Budget) {
        budget.release(self.bytes);
    }

    /// The number of runs.
    pub(super) const fn count(&self) -> usize {
        self.runs.len()
    }

    /// The runs that cross this one, from its north or west end on.
    pub(super) fn neighbours(&self, run: u32) -> &[u32] {
        &self.crossing[self.span(run)]
    }

    /// The runs that a tile touches end-on, as rays that begin beside it: north, east, south, west.
    pub(super) fn around(&self, tile: Place) -> [Option<Ray>; 4] {
        Direction::ALL.map(|direction| {
            let beside = self.listed(tile.step(direction, 1), is_vertical(direction));
            let run = self.through(tile.step(direction, 1), is_vertical(direction));
            (run != NO_RUN).then(|| Ray {
                direction,
                run,
                length: self.span(run).len(),
                first: beside,
            })
        })
    }

    /// The two ways along `run` from a place on it, in the order of [`Direction::ALL`].
    pub(super) fn both_ways(&self, run: u32, from: Place) -> [Ray; 2] {
        let is_vertical = self.is_vertical(run);
        let here = self.listed(from, is_vertical);
        let span = self.span(run);
        let (before, after) = (here - span.start, span.end - here - 1);
        // An empty ray may begin one place before the first cell of all.
        let lower = |direction| Ray { direction, run, length: before, first: here.wrapping_sub(1) };
        let upper = |direction| Ray { direction, run, length: after, first: here + 1 };
        if is_vertical {
            [lower(Direction::North), upper(Direction::South)]
        } else {
            [upper(Direction::East), lower(Direction::West)]
        }
    }

    /// The neighbours of `run`, as seen from a place on it.
    pub(super) fn line(&self, run: u32, from: Place) -> Line<'_> {
        let is_vertical = self.is_vertical(run);
        let span = self.span(run);
        let here = self.listed(from, is_vertical) - span.start;
        Line { neighbours: &self.crossing[span], here, is_vertical }
    }

    /// The run that crosses the ray's run at its `distance`-th cell, from 1.
    pub(super) fn crossing(&self, ray: &Ray, distance: usize) -> u32 {
        self.crossing[ray.index(distance)]
    }

    /// The run through a free place that crosses `run`, a run through it.
    pub(super) fn other_run(&self, run: u32, place: Place) -> u32 {
        self.through(place, !self.is_vertical(run))
    }

    const fn is_vertical(&self, run: u32) -> bool {
        (run as usize) < self.vertical_count
    }

    fn span(&self, run: u32) -> Range<usize> {
        let Run { start, end } = self.runs[run as usize];
        start as usize..end as usize
    }

    /// The vertical or horizontal run through a place.
    pub(super) fn through(&self, place: Place, is_vertical: bool) -> u32 {
        // A vertical run is named where the cells are listed as neighbours of horizontal ones.
        self.crossing[self.listed(place, !is_vertical)]
    }

    /// Where a place is listed among the neighbours of the vertical or horizontal run through it.
    const fn listed(&self, place: Place, among_vertical: bool) -> usize {
        if among_vertical {
            self.rows * self.cols + place.col() * self.rows + place.row()
        } else {
            place.row() * self.cols + place.col()
        }
    }
}

const fn is_vertical(direction: Direction) -> bool {
    matches!(direction, Direction::North | Direction::South)
}

/// Which cells of the framed board are blocked, row by row.
pub(super) fn blocked_cells(board: &Board) -> Vec<bool> {
    let (rows, cols) = (board.size().rows + 2, board.size().cols + 2);
    let mut blocked = vec![false; rows * cols];
    if !board.options().outside {
        blocked[..cols].fill(true);
        blocked[(rows - 1) * cols..].fill(true);
        for row in blocked.chunks_exact_mut(cols) {
            row[0] = true;
            row[cols - 1] = true;
        }
    }
    for tile in board.tiles().iter() {
        let place = Place::of(tile);
        blocked[place.row() * cols + place.col()] = true;
    }
    blocked
}

/// Numbers the runs across `lines` lines of `length` cells each: those that go
/// from line to line. `at` gets the run through each cell; a run's own cells lie
/// in the list that begins at `listed_from`, in which the lines run crosswise.
fn number_runs(
    blocked: &[bool],
    (lines, length): (usize, usize),
    listed_from: usize,
    at: &mut [u32],
    runs: &mut Vec<Run>,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let mut open = vec![NO_RUN; length];
    for line in 0..lines {
        budget.poll()?;
        let cells = line * length..(line + 1) * length;
        for (position, (&is_blocked, at)) in
            blocked[cells.clone()].iter().zip(&mut at[cells]).enumerate()
        {
            let here = (listed_from + position * lines + line) as u32;
            let run = &mut open[position];
            if is_blocked {
                if *run != NO_RUN {
                    runs[*run as usize].end = here;
                    *run = NO_RUN;
                }
                continue;
            }
            if *run == NO_RUN {
                *run = runs.len() as u32;
                runs.push(Run { start: here, end: here });
            }
            *at = *run;
        }
    }
    for (position, &run) in open.iter().enumerate() {
        if run != NO_RUN {
            runs[run as usize].end = (listed_from + (position + 1) * lines) as u32;
        }
    }
    Ok(())
}
