//! The cycles of a 2-factor, and merging them by flips.
//!
//! Where a unit square has two opposite sides on different cycles, and its other two sides
//! may be chosen, taking those instead joins the two cycles into one. Every flip leaves a
//! 2-factor with one cycle fewer, so the cycles can be kept as a union-find forest;
//! a flip may open others next to it, which are tried again.
//!
//! Cost: O(places) for the labels and about as much for the flips.

use super::lattice::{Lattice, Mask, directions};
use crate::budget::{Budget, Stop};

/// Which cycle of a 2-factor each place is on.
#[derive(Debug)]
pub(super) struct Cycles {
    /// A forest over cycle numbers.
    parent: Vec<u32>,
    label: Vec<u32>,
    count: usize,
}

impl Cycles {
    /// The cycles of the 2-factor `chosen`.
    pub(super) fn of(
        lattice: &Lattice,
        chosen: &[Mask],
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        const NONE: u32 = u32::MAX;
        let mut label = vec![NONE; lattice.places()];
        let mut count = 0;
        for start in lattice.free() {
            if label[start] != NONE {
                continue;
            }
            for (place, _) in walk(lattice, chosen, start) {
                budget.tick()?;
                label[place] = count;
            }
            count += 1;
        }
        Ok(Self { parent: (0..count).collect(), label, count: count as usize })
    }

    /// The number of cycles.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The number of the cycle through `place`.
    pub(super) fn cycle(&mut self, place: usize) -> u32 {
        let mut at = self.label[place];
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// Notes that two cycles became one.
    fn join(&mut self, one: u32, other: u32) {
        self.parent[one as usize] = other;
        self.count -= 1;
    }

    /// Flips unit squares as long as that joins cycles.
    pub(super) fn merge(
        &mut self,
        lattice: &Lattice,
        chosen: &mut [Mask],
        open: &[Mask],
        used: &[Mask],
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let mut queue: Vec<usize> = lattice.free().rev().collect();
        let stride = lattice.stride();
        while let Some(corner) = queue.pop() {
            budget.tick()?;
            if self.count == 1 {
                break;
            }
            let Some(flip) = Flip::at(lattice, corner, chosen, open, used) else { continue };
            let (one, other) = (self.cycle(flip.one), self.cycle(flip.other));
            if one == other {
                continue;
            }
            flip.apply(lattice, chosen);
            self.join(one, other);
            // The squares that share a side with this one.
            for next in [corner - stride, corner - 1, corner + 1, corner + stride] {
                queue.push(next);
            }
        }
        Ok(())
    }
}

/// Two opposite sides of a unit square to be given up for the other two.
#[derive(Clone, Copy, Debug)]
struct Flip {
    corner: usize,
    is_from_rows: bool,
    /// A place on the one side to be given up, and one on the other.
    one: usize,
    other: usize,
}

impl Flip {
    /// The flip of the square whose upper left corner is `corner`, if its sides allow one.
    fn at(
        lattice: &Lattice,
        corner: usize,
        chosen: &[Mask],
        open: &[Mask],
        used: &[Mask],
    ) -> Option<Self> {
        const EAST_AND_SOUTH: Mask = 0b0110;
        const NORTH_AND_WEST: Mask = 0b1001;
        let opposite = corner + lattice.stride() + 1;
        if opposite >= open.len()
            || open[corner] & EAST_AND_SOUTH != EAST_AND_SOUTH
            || open[opposite] & NORTH_AND_WEST != NORTH_AND_WEST
        {
            return None;
        }
        let east = (chosen[corner] >> 1) & 1;
        let south = (chosen[corner] >> 2) & 1;
        let north = chosen[opposite] & 1;
        let west = (chosen[opposite] >> 3) & 1;
        let is_from_rows = match (east, west, south, north) {
            (1, 1, 0, 0) => true,
            (0, 0, 1, 1) => false,
            _ => return None,
        };
        let (ours, theirs) = if is_from_rows { (0b0010, 0b1000) } else { (0b0100, 0b0001) };
        let is_fixed = used[corner] & ours != 0 || used[opposite] & theirs != 0;
        (!is_fixed).then_some(Self { corner, is_from_rows, one: corner, other: opposite })
    }

    /// Takes the other two sides.
    fn apply(self, lattice: &Lattice, chosen: &mut [Mask]) {
        debug_assert!(self.is_from_rows == (chosen[self.corner] & 0b0010 != 0));
        let stride = lattice.stride();
        let corner = self.corner;
        for (place, sides) in [
            (corner, 0b0110),
            (corner + 1, 0b1100),
            (corner + stride, 0b0011),
            (corner + stride + 1, 0b1001),
        ] {
            chosen[place] ^= sides;
        }
    }
}

/// The places of the cycle of `chosen` through `start`, from there on, each with the
/// direction in which the walk leaves it. Where places have fewer than two edges it ends early.
pub(super) fn walk<'a>(
    lattice: &'a Lattice,
    chosen: &'a [Mask],
    start: usize,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let mut next = directions(chosen[start]).next().map(|direction| (start, direction));
    std::iter::from_fn(move || {
        let (place, direction) = next?;
        let ahead = lattice.step(place, direction);
        next = if ahead == start {
            None
        } else {
            let onward = chosen[ahead] & !(1 << (direction ^ 2));
            directions(onward).next().map(|direction| (ahead, direction))
        };
        Some((place, direction))
    })
}
