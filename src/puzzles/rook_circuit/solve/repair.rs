//! Window repair: what is left of several cycles is joined by searching small windows anew.
//!
//! Where two cycles of a 2-factor come next to each other, the edges inside a window
//! around that spot are freed, while all others stay. A circuit through everything that is free in the
//! window, and the paths that lead outside from one of its places to another, joins all the
//! cycles that the window touches; it is sought by `search`. If there is none, or it is
//! not found soon, other spots are tried and then wider windows.
//!
//! Cost: a window takes some microseconds a cell; a success costs a walk along the joined
//! cycle as well, to number its places anew.

use super::cycles::walk;
use super::lattice::{Lattice, Mask, directions};
use super::search::{Instance, NONE, Progress, Search};
use crate::budget::{Budget, Stop};

/// A 2-factor whose cycles are to be joined.
#[derive(Debug)]
pub(super) struct Repair<'a> {
    lattice: &'a Lattice,
    open: &'a [Mask],
    used: &'a [Mask],
    chosen: Vec<Mask>,
    /// The number of the cycle that a place is on.
    cycle: Vec<u32>,
    /// Where on its cycle a place is.
    turn: Vec<u32>,
    /// For each cycle number in use the length and a place of the cycle.
    cycles: Vec<(u32, u32, usize)>,
    next_cycle: u32,
    number: Vec<u32>,
}

/// A box of places, both ends included.
#[derive(Clone, Copy, Debug)]
struct Window {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
}

/// Half the width of a window, and the conflicts that its search may take.
pub(super) type Width = (usize, u64);

/// The most spots tried for one cycle with windows of one width.
const MOST_SPOTS: usize = 12;

impl<'a> Repair<'a> {
    pub(super) fn new(
        lattice: &'a Lattice,
        open: &'a [Mask],
        used: &'a [Mask],
        chosen: Vec<Mask>,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let mut repair = Self {
            lattice,
            open,
            used,
            chosen,
            cycle: vec![NONE; open.len()],
            turn: vec![0; open.len()],
            cycles: Vec::new(),
            next_cycle: 0,
            number: vec![NONE; open.len()],
        };
        for place in lattice.free() {
            if repair.cycle[place] == NONE {
                repair.number_cycle(place, budget)?;
            }
        }
        Ok(repair)
    }

    /// The edges chosen.
    pub(super) fn chosen(&self) -> &[Mask] {
        &self.chosen
    }

    /// Joins cycles as long as windows of these widths do; whether one is left.
    pub(super) fn run(&mut self, widths: &[Width], budget: &mut Budget) -> Result<bool, Stop> {
        for &(radius, conflicts) in widths {
            let mut failed = Vec::new();
            while self.cycles.len() > 1 {
                // The shortest cycle that was not given up at this width.
                let next = self
                    .cycles
                    .iter()
                    .filter(|(cycle, ..)| !failed.contains(cycle))
                    .min_by_key(|&&(cycle, length, _)| (length, cycle));
                let Some(&(cycle, _, place)) = next else { break };
                if !self.join(place, radius, conflicts, budget)? {
                    failed.push(cycle);
                }
            }
        }
        Ok(self.cycles.len() == 1)
    }

    /// Tries to join the cycle through `place` with another one.
    fn join(
        &mut self,
        place: usize,
        radius: usize,
        conflicts: u64,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let spots = self.spots(place, budget)?;
        // Spots from all along the cycle, none in a window that was tried.
        let mut tried: Vec<Window> = Vec::new();
        let stride = spots.len().div_ceil(MOST_SPOTS).max(1);
        for &spot in spots.iter().step_by(stride) {
            let window = self.window(spot, radius);
            if tried.iter().any(|tried| tried.is_near(&window, radius / 2)) {
                continue;
            }
            tried.push(window);
            let mut number = std::mem::take(&mut self.number);
            let is_joined = self.search(window, conflicts, &mut number, budget);
            self.number = number;
            if is_joined? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The places of the cycle through `place` that have an open edge to another cycle.
    fn spots(&self, place: usize, budget: &mut Budget) -> Result<Vec<usize>, Stop> {
        let mut spots = Vec::new();
        for (at, _) in walk(self.lattice, &self.chosen, place) {
            budget.tick()?;
            let leads_out =
                |direction| self.cycle[self.lattice.step(at, direction)] != self.cycle[at];
            if directions(self.open[at]).any(leads_out) {
                spots.push(at);
            }
        }
        Ok(spots)
    }

    fn window(&self, spot: usize, radius: usize) -> Window {
        let stride = self.lattice.stride();
        let rows = self.lattice.places() / stride;
        let (row, col) = (spot / stride, spot % stride);
        Window {
            top: row.saturating_sub(radius).max(1),
            bottom: (row + radius).min(rows - 2),
            left: col.saturating_sub(radius).max(1),
            right: (col + radius).min(stride - 2),
        }
    }

    /// Searches a window for edges that join all the cycles it touches.
    fn search(
        &mut self,
        window: Window,
        conflicts: u64,
        number: &mut [u32],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let stride = self.lattice.stride();
        let fixed =
            |place: usize| self.used[place] | (self.chosen[place] & window.ways_out(place, stride));
        let neighbours = self.lattice.neighbours();
        let places = || window.places(stride).filter(|&place| neighbours[place] != 0);
        // Between two nodes that follow each other on a cycle all edges are fixed, or it is one edge.
        let mut nodes: Vec<(u32, u32, u32)> = places()
            .filter(|&place| fixed(place).count_ones() < 2)
            .map(|place| (self.cycle[place], self.turn[place], place as u32))
            .collect();
        nodes.sort_unstable();
        let mut touched: Vec<u32> = nodes.iter().map(|node| node.0).collect();
        touched.dedup();
        if touched.len() < 2 {
            return Ok(false);
        }
        let far_end = |place: usize| {
            let node = (self.cycle[place], self.turn[place], place as u32);
            let index = nodes.binary_search(&node).unwrap_or(0);
            let first = nodes.partition_point(|other| other.0 < node.0);
            let last = nodes.partition_point(|other| other.0 <= node.0) - 1;
            let after = if index == last { first } else { index + 1 };
            let before = if index == first { last } else { index - 1 };
            let other = if self.leads_on(place, fixed(place)) { after } else { before };
            nodes[other].2 as usize
        };
        let instance = Instance::new(self.lattice, places(), self.open, fixed, far_end, number);
        let chosen = &self.chosen;
        let hint = |place: usize, direction: usize| chosen[place] & (1 << direction) != 0;
        let mut search = Search::new(instance, hint, budget)?;
        let progress = search.run(conflicts, budget);
        let is_found = progress == Ok(Progress::Found);
        if is_found {
            search.write(self.lattice, &mut self.chosen);
            self.cycles.retain(|(cycle, ..)| !touched.contains(cycle));
            let place = nodes[0].2 as usize;
            self.number_cycle(place, budget)?;
        }
        search.end(budget);
        progress?;
        Ok(is_found)
    }

    /// Whether the only fixed edge of a node leads to the next place on its cycle.
    fn leads_on(&self, place: usize, fixed: Mask) -> bool {
        let direction = fixed.trailing_zeros() as usize;
        let other = self.lattice.step(place, direction);
        let (turn, other_turn) = (self.turn[place], self.turn[other]);
        // The last place is followed by the first.
        other_turn == turn + 1 || (other_turn == 0 && turn > 1)
    }

    /// Numbers the places of the cycle through `start`, and the cycle itself.
    fn number_cycle(&mut self, start: usize, budget: &mut Budget) -> Result<(), Stop> {
        let cycle = self.next_cycle;
        self.next_cycle += 1;
        let mut length = 0;
        for (place, _) in walk(self.lattice, &self.chosen, start) {
            budget.tick()?;
            self.cycle[place] = cycle;
            self.turn[place] = length;
            length += 1;
        }
        self.cycles.push((cycle, length, start));
        Ok(())
    }
}

impl Window {
    /// The places in the window, row by row.
    fn places(self, stride: usize) -> impl Iterator<Item = usize> {
        (self.top..=self.bottom)
            .flat_map(move |row| (self.left..=self.right).map(move |col| row * stride + col))
    }

    /// The directions in which a step from `place` leaves the window.
    fn ways_out(self, place: usize, stride: usize) -> Mask {
        let (row, col) = (place / stride, place % stride);
        let leaves = [row == self.top, col == self.right, row == self.bottom, col == self.left];
        leaves
            .into_iter()
            .enumerate()
            .map(|(direction, leaves)| Mask::from(leaves) << direction)
            .fold(0, |mask, bit| mask | bit)
    }

    /// Whether two windows of equal size are no further apart than `distance`.
    fn is_near(&self, other: &Self, distance: usize) -> bool {
        self.top.abs_diff(other.top) <= distance && self.left.abs_diff(other.left) <= distance
    }
}
