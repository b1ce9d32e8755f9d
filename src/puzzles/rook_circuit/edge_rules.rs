//! Which edges no circuit uses and which every circuit uses, as far as its degrees tell.
//!
//! A circuit gives every cell two edges: it is a 2-factor. Two 2-factors differ by closed
//! walks that alternate between their edges. So, given one 2-factor, direct its edges from black cells
//! to white ones and the others from white to black: an edge that lies on no directed cycle
//! — whose ends lie in different strongly connected components — is in all 2-factors or
//! in none (the Dulmage–Mendelsohn argument).
//!
//! Cost: a flow for the 2-factor, then O(cells) for the components (Tarjan 1972, without recursion).

use super::board::Board;
use super::regions::{Field, two_factor};
use crate::budget::{Budget, Stop};
use crate::grid::{Cell, Direction};

/// About what a place costs while a flow and its components are at hand, in bytes.
const BYTES_A_PLACE: usize = 96;

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
}

impl EdgeRules {
    /// By a 2-factor of the board; `None` when there is none, and so no circuit.
    pub(super) fn by_degrees(board: &Board, budget: &mut Budget) -> Result<Option<Self>, Stop> {
        let field = Field::new(board);
        let bytes = field.places() * BYTES_A_PLACE;
        budget.reserve(bytes)?;
        let rules = two_factor(&field, budget).and_then(|used| {
            used.map(|used| Self::from_two_factor(field, &used, budget)).transpose()
        });
        budget.release(bytes);
        rules
    }

    /// By a circuit of the board, as the order of its cells.
    pub(super) fn by_tour(board: &Board, tour: &[Cell], budget: &mut Budget) -> Result<Self, Stop> {
        let field = Field::new(board);
        let mut used = vec![false; 2 * field.places()];
        for (&cell, &next) in tour.iter().zip(tour.iter().cycle().skip(1)) {
            let (place, next) = (field.place(cell), field.place(next));
            if let Some(&(edge, _)) = field.around(place).iter().find(|&&(_, other)| other == next)
            {
                used[edge] = true;
            }
        }
        Self::from_two_factor(field, &used, budget)
    }

    fn from_two_factor(field: Field, used: &[bool], budget: &mut Budget) -> Result<Self, Stop> {
        let component = components(&field, used, budget)?;
        let mut rules = vec![EdgeRule::Never; 2 * field.places()];
        for place in field.free_places() {
            for (edge, other) in field.onward(place) {
                rules[edge] = match (component[place] == component[other], used[edge]) {
                    (true, _) => EdgeRule::Open,
                    (false, true) => EdgeRule::Always,
                    (false, false) => EdgeRule::Never,
                };
            }
        }
        Ok(Self { field, rules })
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
}

/// The number of each free place's strongly connected component.
fn components(field: &Field, used: &[bool], budget: &mut Budget) -> Result<Vec<u32>, Stop> {
    /// The number of a place that was not met yet.
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; field.places()];
    let mut lowest = vec![0; field.places()];
    let mut component = vec![NEW; field.places()];
    let mut next_edge = vec![0_u8; field.places()];
    let (mut numbers, mut components) = (0, 0);
    let (mut path, mut open) = (Vec::new(), Vec::new());
    for start in field.free_places() {
        if number[start] != NEW {
            continue;
        }
        path.push(start);
        while let Some(&place) = path.last() {
            budget.tick()?;
            if number[place] == NEW {
                (number[place], lowest[place]) = (numbers, numbers);
                numbers += 1;
                open.push(place);
            }
            let mut deeper = None;
            while let Some(&(edge, other)) = field.around(place).get(next_edge[place] as usize) {
                // An edge leads from its black end when it is used, else from its white end.
                if field.is_free(other) && used[edge] != field.is_white(place) {
                    if number[other] == NEW {
                        deeper = Some(other);
                        break;
                    }
                    if component[other] == NEW {
                        lowest[place] = lowest[place].min(lowest[other]);
                    }
                }
                next_edge[place] += 1;
            }
            if let Some(other) = deeper {
                path.push(other);
                continue;
            }
            path.pop();
            if lowest[place] == number[place] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == place {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    Ok(component)
}
