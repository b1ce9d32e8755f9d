//! The search: what is a component's Grundy value, or is it a given one?
//!
//! The method of Lemoine and Viennot [1]: instead of all options' values, ask "is
//! the value of G equal to k?". It is when no option has the value k and every
//! smaller number is some option's value. An option is a sum of components; the
//! values of all but the largest are found first, which turns the question about
//! the sum into one about the largest alone.
//!
//! The search keeps its own stack, so a board's size does not decide how deep
//! the thread's stack grows.
//!
//! What the order of things is worth, in nodes (options looked at) of the empty
//! 9×10 board, one step on top of the other. Options whose largest open part is
//! small are searched first: 13.3 million. While a component is opened, the first
//! option that answers the question ends it: 8.3. Its options are looked at from
//! the centre outwards: 6.8. Among parts of one size those with few edges come
//! first: 5.6. The number that was asked about is looked for before smaller ones:
//! 5.2.
//!
//! What was tried and did not help: opening every option before searching any, to
//! begin with the one that has the fewest open options (20.6 instead of 13.3
//! million); ordering by all parts together, by the number of parts, by what is
//! known of the largest, by the length of the game that is left, or by how likely
//! a part has the number wanted. Options in order of how many anchors they take,
//! before the centre's order, save 4 % of the nodes.
//!
//! 44 % of the components of that search are images of others as graphs though
//! not as shapes, mostly because a tail can bend. An exact table of graphs was
//! tried (a hash by four rounds of colours finds the first shape with the graph, a
//! checked mapping proves it equal): nodes fell from 5.1 to 2.9 million, on 10×11
//! (with the 4 % above) from 418 to 198, but the hash cost most of what that saved.
//! The processor's time fell by some 20 % on 10×11, 15 % on 9×11, 17 % on 9×10 (of
//! single runs that vary as much) and not at all on 8×11, for 200 lines, so it was
//! left out; a cheaper hash would change that. Depth-first proof numbers, untuned,
//! took 4321 nodes for 1641 on 7×8 and did not decide 7×9 (24 thousand nodes here)
//! in 50 million. A table of small parts in the binary would answer a third of the
//! look-ups at most (33 % of the parts fit 5×4), and those are the cheap ones. There
//! is little left to order: with the table of graphs 59 thousand components of 9×10
//! were searched beyond a look at their options, at most 17 thousand of them in vain.
//!
//! Two threads on one table of 256 MB, the second with another order among equals,
//! are 1.1 to 1.5 times as fast for twice the work (the first thread's own time until
//! one of them ends, single runs): 86 to 78 ms on 9×9, 0.85 to 0.68 s on 8×11, 1.33 to
//! 1.08 s on 9×10, 11.2 to 7.5 s on 9×11. A solve has one place, which another request
//! could have had, so this was left out.
//!
//! [1] Lemoine, Viennot: Nimbers are inevitable. Theoretical Computer Science
//! 462 (2012), arXiv 1011.5841.

use std::cmp::Reverse;

use crate::budget::{Budget, Stop};

use super::anchors::AnchorSet;
use super::below::Below;
use super::component::{cancel_pairs, expected_cost, members, split};
use super::shared;
use super::symmetry::by_symmetry;
use super::table::{Known, Table};

/// What is asked of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Its value.
    Value,
    /// Whether its value is this number.
    Is(u32),
}

/// A search with its table, over sets of one size.
#[derive(Debug)]
pub(super) struct Search<S> {
    table: Table<S>,
    frames: Vec<Frame<S>>,
    options: Vec<Choice>,
    parts: Vec<S>,
    /// Bytes of the three stacks that were taken from the budget.
    reserved: usize,
}

/// One component under examination.
#[derive(Clone, Copy, Debug)]
struct Frame<S> {
    component: S,
    goal: Goal,
    /// Bit `v` says that some option has the value `v`, or the table said so.
    excluded: u64,
    /// The number that some option is looked for to have.
    target: u32,
    /// Where this frame's options begin, and the one being looked at.
    options_start: usize,
    option: usize,
    /// Where the open parts of that option begin; the largest comes first.
    parts_start: usize,
    /// The value of its closed parts.
    closed: u32,
    /// Nodes counted when the frame was opened.
    nodes_before: u64,
}

/// An option: the anchor played and what it is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Choice {
    cost: u32,
    row: u8,
    col: u8,
}

impl<S: AnchorSet> Search<S> {
    pub(super) const fn new() -> Self {
        Self {
            table: Table::new(),
            frames: Vec::new(),
            options: Vec::new(),
            parts: Vec::new(),
            reserved: 0,
        }
    }

    /// Gives the memory back to the budget.
    pub(super) fn release(self, budget: &mut Budget) {
        self.table.release(budget);
        budget.release(self.reserved);
    }

    /// What is known of a connected component in normal form.
    pub(super) fn look_up(&self, component: S, below: &impl Below<S>) -> Known {
        below.known(component).unwrap_or_else(|| {
            let noted = self.table.get(component);
            if noted == Known::default() { by_symmetry(component) } else { noted }
        })
    }

    /// Reaches the goal for a connected component in normal form.
    pub(super) fn decide(
        &mut self,
        component: S,
        goal: Goal,
        below: &mut impl Below<S>,
        budget: &mut Budget,
    ) -> Result<Known, Stop> {
        self.frames.clear();
        self.options.clear();
        self.parts.clear();
        let mut answer = self.open(component, goal, below, budget)?;
        while let Some(frame) = self.frames.last_mut() {
            if let Some(known) = answer.take() {
                self.parts.pop();
                if self.parts.len() > frame.parts_start {
                    frame.closed ^= u32::from(known.value.expect("a smaller part's value"));
                } else {
                    if let Some(value) = known.value {
                        frame.excluded |= bit(u32::from(value) ^ frame.closed);
                    }
                    frame.option += 1;
                }
            }
            answer = self.advance(below, budget)?;
        }
        Ok(answer.expect("the last frame was closed with an answer"))
    }

    /// Looks a component up, and opens a frame for it if that does not answer.
    fn open(
        &mut self,
        component: S,
        goal: Goal,
        below: &mut impl Below<S>,
        budget: &mut Budget,
    ) -> Result<Option<Known>, Stop> {
        if let Some(known) = below.decide(component, goal, budget)? {
            return Ok(Some(known));
        }
        let mut known = self.look_up(component, below);
        if answers(known, goal) {
            return Ok(Some(known));
        }
        if component.len() >= shared::FEWEST_ANCHORS {
            let shared = component.shared();
            known.excluded |= shared.excluded;
            known.value = shared.value;
            if answers(known, goal) {
                self.table.set(component, known, shared::LEAST_WORK, budget)?;
                return Ok(Some(known));
            }
        }
        let nodes_before = budget.nodes();
        let options_start = self.options.len();
        let parts_start = self.parts.len();
        let mut excluded = known.excluded;
        self.push_anchors(component);
        self.reserve_stacks(budget)?;
        let mut open = options_start;
        for index in options_start..self.options.len() {
            budget.tick()?;
            let Choice { row, col, .. } = self.options[index];
            let closed = self.play(component, row.into(), col.into(), below);
            let cost = self.parts[parts_start..].iter().map(expected_cost).max();
            self.parts.truncate(parts_start);
            match cost {
                Some(cost) => {
                    self.options[open] = Choice { cost, row, col };
                    open += 1;
                }
                None => {
                    excluded |= bit(closed);
                    if goal == Goal::Is(closed) {
                        self.options.truncate(options_start);
                        let known = Known { excluded, value: None };
                        self.note(component, known, budget.nodes() - nodes_before, budget)?;
                        return Ok(Some(known));
                    }
                }
            }
        }
        self.options.truncate(open);
        self.options[options_start..].sort_unstable();
        let mut frame = Frame {
            component,
            goal,
            excluded,
            target: 0,
            options_start,
            option: options_start,
            parts_start,
            closed: 0,
            nodes_before,
        };
        frame.target = match goal {
            Goal::Is(value) if value < 64 => value,
            _ => frame.first_target()?,
        };
        self.frames.push(frame);
        Ok(None)
    }

    /// Takes what the stacks have grown by from the budget.
    fn reserve_stacks(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let bytes = self.options.capacity() * size_of::<Choice>()
            + self.frames.capacity() * size_of::<Frame<S>>()
            + self.parts.capacity() * size_of::<S>();
        if bytes > self.reserved {
            budget.reserve(bytes - self.reserved)?;
            self.reserved = bytes;
        }
        Ok(())
    }

    /// Pushes the anchors of a component as options, those in the middle first:
    /// they leave the smallest parts, whose values are the likeliest to be known.
    fn push_anchors(&mut self, component: S) {
        let (_, height, width) = component.settled();
        let start = self.options.len();
        self.options.extend(members(component).map(|(row, col)| {
            let off_centre = (2 * row + 1).abs_diff(height) + (2 * col + 1).abs_diff(width);
            Choice { cost: off_centre as u32, row: row as u8, col: col as u8 }
        }));
        self.options[start..].sort_unstable();
    }

    /// Pushes the parts of an option whose values are not known, in no order,
    /// and gives the value of the others together.
    fn play(&mut self, component: S, row: usize, col: usize, below: &impl Below<S>) -> u32 {
        let start = self.parts.len();
        let left = component.without(S::single(row, col).spread());
        let mut closed = split(left, &mut self.parts) & 1;
        cancel_pairs(&mut self.parts, start);
        let mut open = start;
        for index in start..self.parts.len() {
            let part = self.parts[index];
            match self.look_up(part, below).value {
                Some(value) => closed ^= u32::from(value),
                None => {
                    self.parts[open] = part;
                    open += 1;
                }
            }
        }
        self.parts.truncate(open);
        closed
    }

    /// Takes the last frame a step further: closes it with an answer, or opens
    /// another, or finds an answer for what that would have been about.
    fn advance(
        &mut self,
        below: &mut impl Below<S>,
        budget: &mut Budget,
    ) -> Result<Option<Known>, Stop> {
        let last = self.frames.len() - 1;
        let mut frame = self.frames[last];
        loop {
            if let Goal::Is(value) = frame.goal
                && frame.excluded & bit(value) != 0
            {
                return self.close(frame.excluded, None, budget).map(Some);
            }
            if frame.excluded & bit(frame.target) != 0 {
                self.parts.truncate(frame.parts_start);
                frame.target = frame.first_target()?;
                frame.option = frame.options_start;
            }
            if self.parts.len() == frame.parts_start {
                if frame.option == self.options.len() {
                    let least = frame.first_target()?;
                    if least == frame.target {
                        // Every smaller number is an option's value, and this is none's.
                        return self.close(frame.excluded, Some(least as u8), budget).map(Some);
                    }
                    // No option has the value asked for. Perhaps none has a smaller one.
                    frame.target = least;
                    frame.option = frame.options_start;
                    continue;
                }
                budget.tick()?;
                let Choice { row, col, .. } = self.options[frame.option];
                frame.closed = self.play(frame.component, row.into(), col.into(), below);
                if self.parts.len() == frame.parts_start {
                    frame.excluded |= bit(frame.closed);
                    frame.option += 1;
                    continue;
                }
                let parts = &mut self.parts[frame.parts_start..];
                parts.sort_unstable_by_key(|part| Reverse((part.len(), *part)));
            }
            self.frames[last] = frame;
            let part = *self.parts.last().expect("an open part");
            let goal = match self.parts.len() - frame.parts_start {
                1 => Goal::Is(frame.target ^ frame.closed),
                _ => Goal::Value,
            };
            return self.open(part, goal, below, budget);
        }
    }

    /// Closes the last frame and notes what it found out.
    fn close(
        &mut self,
        excluded: u64,
        value: Option<u8>,
        budget: &mut Budget,
    ) -> Result<Known, Stop> {
        let frame = self.frames.pop().expect("there is a frame");
        self.options.truncate(frame.options_start);
        self.parts.truncate(frame.parts_start);
        let known = Known { excluded, value };
        self.note(frame.component, known, budget.nodes() - frame.nodes_before, budget)?;
        Ok(known)
    }

    fn note(
        &mut self,
        component: S,
        known: Known,
        work: u64,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        if work >= shared::LEAST_WORK {
            component.share(known, work);
        }
        self.table.set(component, known, work, budget)
    }
}

impl<S> Frame<S> {
    /// The least number that is not yet known to be an option's.
    ///
    /// # Errors
    /// Numbers over 63 do not fit here. A component of such a value has games of
    /// 64 moves and more, and none is decided in any time.
    fn first_target(&self) -> Result<u32, Stop> {
        match self.excluded.trailing_ones() {
            64 => Err(Stop::MemoryLimit),
            target => Ok(target),
        }
    }
}

fn answers(known: Known, goal: Goal) -> bool {
    match goal {
        Goal::Value => known.value.is_some(),
        Goal::Is(value) => known.is(value).is_some(),
    }
}

fn bit(value: u32) -> u64 {
    1u64.checked_shl(value).unwrap_or(0)
}
