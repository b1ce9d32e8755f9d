//! Which edges no circuit uses and which every circuit uses, as far as three rules tell.
//!
//! 1. *Degrees.* A circuit gives every cell two edges. Two ways of doing so differ by closed
//!    walks that alternate between their edges. So, given one way, direct its edges from black
//!    cells to white ones and the others from white to black: an edge on no directed cycle —
//!    its ends lie in different strongly connected components — is in all ways or in none.
//! 2. *Cuts.* Two edges without which the board falls apart are both used (`faces`).
//! 3. *Closing.* An edge that would close a circuit of used edges too early is not used.
//!
//! The rules are repeated until none settles another edge.
//!
//! Cost: a flow for the first way and again whenever it breaks a rule; a pass is
//! O(edges log edges).

mod components;
mod faces;

use self::components::components;
use self::faces::edges_in_cuts_of_two;
use super::board::Board;
use super::regions::{Field, Forest, edges_for_needs};
use crate::budget::{Budget, Stop};
use crate::grid::{Cell, Direction};

/// About what a place costs while the rules are applied, in bytes.
const BYTES_A_PLACE: usize = 160;

/// What is known of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeRule {
    /// No circuit uses it.
    Never,
    /// Every circuit uses it.
    Always,
    /// Neither is known.
    Open,
}

/// What is known of each edge of a board.
#[derive(Debug)]
pub(super) struct EdgeRules {
    field: Field,
    rules: Vec<EdgeRule>,
    /// Edges that give each cell two and keep the rules.
    used: Vec<bool>,
}

impl EdgeRules {
    /// By the board alone; `None` when the rules leave no circuit.
    pub(super) fn of_board(board: &Board, budget: &mut Budget) -> Result<Option<Self>, Stop> {
        let mut rules = Self::nothing_settled(board);
        let bytes = rules.field.places() * BYTES_A_PLACE;
        budget.reserve(bytes)?;
        let is_possible = rules.settle(budget);
        budget.release(bytes);
        Ok(is_possible?.then_some(rules))
    }

    /// By the board and one of its circuits, as the order of its cells.
    pub(super) fn of_tour(board: &Board, tour: &[Cell], budget: &mut Budget) -> Result<Self, Stop> {
        let mut rules = Self::nothing_settled(board);
        let field = &rules.field;
        for (&cell, &next) in tour.iter().zip(tour.iter().cycle().skip(1)) {
            let (place, next) = (field.place(cell), field.place(next));
            let edge = field.around(place).into_iter().find(|&(_, other)| other == next);
            if let Some((edge, _)) = edge {
                rules.used[edge] = true;
            }
        }
        rules.settle(budget)?;
        Ok(rules)
    }

    fn nothing_settled(board: &Board) -> Self {
        let field = Field::new(board);
        let mut rules = vec![EdgeRule::Never; 2 * field.places()];
        for place in field.free_places() {
            for (edge, _) in field.onward(place) {
                rules[edge] = EdgeRule::Open;
            }
        }
        let used = vec![false; rules.len()];
        Self { field, rules, used }
    }

    /// The rule of the edge from `cell` in `direction`.
    pub(super) fn of(&self, cell: Cell, direction: Direction) -> EdgeRule {
        let [east, west, south, north] = self.field.around(self.field.place(cell));
        let (edge, _) = match direction {
            Direction::East => east,
            Direction::West => west,
            Direction::South => south,
            Direction::North => north,
        };
        self.rules[edge]
    }

    /// Whether every edge is settled.
    pub(super) fn settle_all(&self) -> bool {
        !self.rules.contains(&EdgeRule::Open)
    }

    /// Applies the rules until none settles another edge; `false` when they leave no circuit.
    fn settle(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        loop {
            if !self.keeps_rules() && !self.find_other_edges(budget)? {
                return Ok(false);
            }
            self.settle_by_degrees(budget)?;
            budget.poll()?;
            let Some(by_cuts) = self.settle_by_cuts() else { return Ok(false) };
            budget.poll()?;
            let Some(by_closing) = self.settle_by_closing() else { return Ok(false) };
            if !by_cuts && !by_closing {
                return Ok(true);
            }
        }
    }

    fn is_open(&self, edge: usize) -> bool {
        self.rules[edge] == EdgeRule::Open
    }

    /// Whether the edges in use keep the rules and give each place two.
    fn keeps_rules(&self) -> bool {
        self.field.free_places().all(|place| {
            let edges = self.field.around(place).map(|(edge, _)| edge);
            edges.iter().filter(|&&edge| self.used[edge]).count() == 2
                && edges.iter().all(|&edge| match self.rules[edge] {
                    EdgeRule::Never => !self.used[edge],
                    EdgeRule::Always => self.used[edge],
                    EdgeRule::Open => true,
                })
        })
    }

    /// Finds edges that keep the rules and give each place two; `false` when there are none.
    fn find_other_edges(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        let open = (0..self.rules.len()).map(|edge| self.is_open(edge)).collect();
        let mut need = vec![0; self.field.places()];
        for place in self.field.free_places() {
            let edges = self.field.around(place).map(|(edge, _)| self.rules[edge]);
            let settled = edges.iter().filter(|&&rule| rule == EdgeRule::Always).count();
            if settled > 2 {
                return Ok(false);
            }
            need[place] = 2 - settled as u8;
        }
        let Some(used) = edges_for_needs(&self.field, open, need, budget)? else {
            return Ok(false);
        };
        self.used = used;
        for (used, &rule) in self.used.iter_mut().zip(&self.rules) {
            *used |= rule == EdgeRule::Always;
        }
        Ok(true)
    }

    fn settle_by_degrees(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let open: Vec<bool> = (0..self.rules.len()).map(|edge| self.is_open(edge)).collect();
        let component = components(&self.field, &open, &self.used, budget)?;
        for place in self.field.free_places() {
            for (edge, other) in self.field.onward(place) {
                if open[edge] && component[place] != component[other] {
                    self.rules[edge] =
                        if self.used[edge] { EdgeRule::Always } else { EdgeRule::Never };
                }
            }
        }
        Ok(())
    }

    /// Whether an edge was settled; `None` when there is no circuit.
    fn settle_by_cuts(&mut self) -> Option<bool> {
        let mut is_new = false;
        for edge in edges_in_cuts_of_two(&self.field, &self.rules)? {
            is_new |= self.is_open(edge);
            self.rules[edge] = EdgeRule::Always;
        }
        Some(is_new)
    }

    /// Whether an edge was settled; `None` when there is no circuit.
    fn settle_by_closing(&mut self) -> Option<bool> {
        let mut paths = Forest::new(self.field.places());
        let (mut always, mut closed) = (0, 0);
        let edges = || {
            self.field.free_places().flat_map(|place| {
                self.field.onward(place).map(move |(edge, other)| (place, edge, other))
            })
        };
        for (place, edge, other) in edges() {
            if self.rules[edge] == EdgeRule::Always {
                always += 1;
                closed += usize::from(!paths.join(place, other));
            }
        }
        let cells = self.field.free_places().count();
        if closed > 0 {
            return (closed == 1 && always == cells).then_some(false);
        }
        if always + 1 == cells {
            // The edge that closes the circuit of all cells is the one that is left.
            return Some(false);
        }
        let closing: Vec<usize> = edges()
            .filter(|&(place, edge, other)| self.is_open(edge) && paths.are_joined(place, other))
            .map(|(_, edge, _)| edge)
            .collect();
        for &edge in &closing {
            self.rules[edge] = EdgeRule::Never;
        }
        Some(!closing.is_empty())
    }
}
