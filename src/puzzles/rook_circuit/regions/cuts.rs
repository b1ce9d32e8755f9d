//! Sets of cells whose border a circuit must cross at least twice, and how sets are
//! found whose border a fractional solution crosses less.
//!
//! A fractional solution is cut through at several heights: the edges above a height
//! join the cells into parts, and a part whose border carries less than two crossings
//! is a violated set. What lies outside such a part may fall into several pieces; the border
//! of each is a piece of the part's border, so the pieces are violated at least as much and
//! are taken in its stead.
//!
//! This misses violated sets that a minimum cut would find. None was seen to matter
//! on boards whose "no" is of this kind, and it costs a few passes over the board.

use rustc_hash::FxHashSet;

use super::field::Field;
use crate::budget::{Budget, Stop};
use crate::grid::Cell;

/// The heights at which a fractional solution is cut through.
const HEIGHTS: [f32; 10] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9];
/// How far below two the crossings of a violated set are at least.
const SHORTFALL: f32 = 0.05;
/// The part of a place that belongs to none.
const NONE: u32 = u32::MAX;

/// A set of free places, neither empty nor all of them.
pub(super) struct Cut {
    members: Vec<u64>,
    /// The edges with one end inside and one outside.
    pub(super) border: Vec<u32>,
}

impl Cut {
    fn new(field: &Field, members: Vec<u64>) -> Self {
        let mut cut = Self { members, border: Vec::new() };
        for place in field.free_places() {
            for (edge, other) in field.onward(place) {
                if cut.contains(place) != cut.contains(other) {
                    cut.border.push(edge as u32);
                }
            }
        }
        cut
    }

    /// The set of these cells, which are free, neither none nor all of them.
    pub(super) fn of_cells(field: &Field, cells: &[Cell]) -> Self {
        let mut members = vec![0; field.places().div_ceil(64)];
        for &cell in cells {
            let place = field.place(cell);
            members[place / 64] |= 1 << (place % 64);
        }
        Self::new(field, members)
    }

    pub(super) fn contains(&self, place: usize) -> bool {
        has(&self.members, place)
    }

    /// The bytes that it takes, in the list of cuts and among the known ones.
    pub(super) fn bytes(&self) -> usize {
        2 * self.members.len() * size_of::<u64>() + self.border.len() * size_of::<u32>()
    }
}

/// Finds violated sets, never one twice.
pub(super) struct Separator {
    known: FxHashSet<Vec<u64>>,
    part: Vec<u32>,
    piece: Vec<u32>,
}

impl Separator {
    pub(super) fn new(field: &Field) -> Self {
        Self {
            known: FxHashSet::default(),
            part: vec![NONE; field.places()],
            piece: vec![NONE; field.places()],
        }
    }

    /// About `most` sets that are new and that `x` violates, the worst of each height
    /// first.
    pub(super) fn violated(
        &mut self,
        field: &Field,
        x: &[f32],
        most: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Cut>, Stop> {
        let mut found = Vec::new();
        for height in HEIGHTS {
            let parts = split(field, &mut self.part, budget, |_, _, edge| x[edge] > height)?;
            if parts < 2 {
                continue;
            }
            for part in self.violated_parts(field, x, parts).into_iter().take(most) {
                self.add_outside_pieces(field, part, &mut found, budget)?;
                if found.len() >= most {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// The parts whose borders `x` crosses less than twice, the least first.
    fn violated_parts(&self, field: &Field, x: &[f32], parts: u32) -> Vec<u32> {
        let mut crossings = vec![0.0_f32; parts as usize];
        for place in field.free_places() {
            for (edge, other) in field.onward(place) {
                if self.part[place] != self.part[other] {
                    crossings[self.part[place] as usize] += x[edge];
                    crossings[self.part[other] as usize] += x[edge];
                }
            }
        }
        let mut order: Vec<u32> =
            (0..parts).filter(|&part| crossings[part as usize] < 2.0 - SHORTFALL).collect();
        order.sort_by(|&one, &other| {
            crossings[one as usize].total_cmp(&crossings[other as usize]).then(one.cmp(&other))
        });
        order
    }

    /// Adds to `found` the pieces of what lies outside `part`, as far as they are new.
    fn add_outside_pieces(
        &mut self,
        field: &Field,
        part: u32,
        found: &mut Vec<Cut>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let part_of = &self.part;
        let is_inside = |place: usize| part_of[place] == part;
        let pieces = split(field, &mut self.piece, budget, |one, other, _| {
            is_inside(one) == is_inside(other)
        })?;
        let mut sets = vec![vec![0_u64; field.places().div_ceil(64)]; pieces as usize];
        for place in field.free_places() {
            sets[self.piece[place] as usize][place / 64] |= 1 << (place % 64);
        }
        // The part is connected, so it is one of the pieces; its border is that of the
        // others together, and where there is one other, it is the same cut.
        let part_set = field.free_places().find(|&place| is_inside(place));
        let skipped = part_set.map_or(NONE, |place| self.piece[place]);
        for (piece, set) in (0..).zip(sets) {
            if piece == skipped {
                continue;
            }
            let members = without_the_first_place(field, set);
            if self.known.insert(members.clone()) {
                found.push(Cut::new(field, members));
            }
        }
        Ok(())
    }
}

/// Of a set and its complement, which have one border, the one without the first free
/// place, so that both count as one.
fn without_the_first_place(field: &Field, set: Vec<u64>) -> Vec<u64> {
    if !field.free_places().next().is_some_and(|first| has(&set, first)) {
        return set;
    }
    let mut complement = vec![0; set.len()];
    for place in field.free_places().filter(|&place| !has(&set, place)) {
        complement[place / 64] |= 1 << (place % 64);
    }
    complement
}

fn has(set: &[u64], place: usize) -> bool {
    set[place / 64] >> (place % 64) & 1 != 0
}

/// Numbers the parts into which the free places fall when only some edges join them;
/// the answer is how many there are.
fn split(
    field: &Field,
    part: &mut [u32],
    budget: &mut Budget,
    joins: impl Fn(usize, usize, usize) -> bool,
) -> Result<u32, Stop> {
    part.fill(NONE);
    let mut parts = 0;
    let mut stack = Vec::new();
    for start in field.free_places() {
        if part[start] != NONE {
            continue;
        }
        part[start] = parts;
        stack.push(start);
        while let Some(place) = stack.pop() {
            budget.tick()?;
            for (edge, other) in field.around(place) {
                if field.is_free(other) && part[other] == NONE && joins(place, other, edge) {
                    part[other] = parts;
                    stack.push(other);
                }
            }
        }
        parts += 1;
    }
    Ok(parts)
}
