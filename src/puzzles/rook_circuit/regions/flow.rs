//! The heaviest 2-factor for small integer weights on the edges, by min-cost flow.
//!
//! White cells supply two units, black cells take two, an edge carries one. A primal-dual
//! method: while cells are left over, blocking flows along edges of reduced cost zero,
//! then a shortest-path pass that raises the potentials until a new one opens.
//! The potentials prove that the value is the greatest.

use std::collections::VecDeque;

use super::field::Field;
use crate::budget::{Budget, Stop};

/// The heaviest 2-factor's weight, and integers y on places such that it equals
/// −2 Σ y + Σ max(0, weight + y + y) over all edges.
pub(super) struct Heaviest {
    pub(super) value: i64,
    pub(super) y: Vec<i64>,
}

/// Edges out of `open` that give each place as many as it needs, as a mark on each edge;
/// `None` when there are none.
pub(in crate::puzzles::rook_circuit) fn edges_for_needs(
    field: &Field,
    open: Vec<bool>,
    need: Vec<u8>,
    budget: &mut Budget,
) -> Result<Option<Vec<bool>>, Stop> {
    let weight = vec![0; 2 * field.places()];
    let mut flow = Flow::new(field, &weight, open, need);
    // All weights being equal, one round of blocking flows is the whole of it.
    flow.push_along_tight_edges(budget)?;
    Ok((flow.left == 0 && flow.is_satisfied()).then_some(flow.used))
}

/// The heaviest 2-factor; `None` when there is none at all.
pub(super) fn heaviest_two_factor(
    field: &Field,
    weight: &[i64],
    budget: &mut Budget,
) -> Result<Option<Heaviest>, Stop> {
    let mut open = vec![false; 2 * field.places()];
    let mut need = vec![0; field.places()];
    for place in field.free_places() {
        need[place] = 2;
        for (edge, _) in field.onward(place) {
            open[edge] = true;
        }
    }
    let mut flow = Flow::new(field, weight, open, need);
    loop {
        flow.push_along_tight_edges(budget)?;
        if flow.left == 0 {
            break;
        }
        if !flow.raise_potentials(budget)? {
            return Ok(None);
        }
    }
    if !flow.is_satisfied() {
        return Ok(None);
    }
    let mut value = 0;
    for (edge, &used) in flow.used.iter().enumerate() {
        if used {
            value += weight[edge];
        }
    }
    let y = (0..field.places())
        .map(
            |place| {
                if field.is_white(place) { -flow.potential[place] } else { flow.potential[place] }
            },
        )
        .collect();
    Ok(Some(Heaviest { value, y }))
}

struct Flow<'a> {
    field: &'a Field,
    weight: &'a [i64],
    /// The edges that may be used.
    open: Vec<bool>,
    used: Vec<bool>,
    /// Units that a white place still supplies or a black one still takes.
    need: Vec<u8>,
    potential: Vec<i64>,
    /// Units that white places still supply.
    left: usize,
    level: Vec<u32>,
    next_edge: Vec<u8>,
    distance: Vec<i64>,
}

impl<'a> Flow<'a> {
    fn new(field: &'a Field, weight: &'a [i64], open: Vec<bool>, need: Vec<u8>) -> Self {
        let places = field.places();
        let mut flow = Self {
            field,
            weight,
            open,
            used: vec![false; 2 * places],
            need,
            potential: vec![0; places],
            left: 0,
            level: vec![0; places],
            next_edge: vec![0; places],
            distance: vec![0; places],
        };
        for place in field.free_places().filter(|&place| field.is_white(place)) {
            flow.left += usize::from(flow.need[place]);
            let edges = field.around(place).into_iter().map(|(edge, _)| edge);
            flow.potential[place] =
                edges.filter(|&edge| flow.open[edge]).map(|edge| weight[edge]).max().unwrap_or(0);
        }
        flow
    }

    /// Whether no black place is left in need.
    fn is_satisfied(&self) -> bool {
        self.field.free_places().all(|place| self.need[place] == 0)
    }

    /// The reduced cost of an edge, from its white end `white` to its black end `black`.
    fn reduced(&self, edge: usize, white: usize, black: usize) -> i64 {
        self.potential[white] - self.potential[black] - self.weight[edge]
    }

    /// Whether a unit can go from `place` along `edge` to `other`, and at what reduced cost.
    fn residual(&self, place: usize, edge: usize, other: usize) -> Option<i64> {
        if !self.open[edge] {
            return None;
        }
        if self.field.is_white(place) {
            (!self.used[edge]).then(|| self.reduced(edge, place, other))
        } else {
            self.used[edge].then(|| -self.reduced(edge, other, place))
        }
    }

    /// Dinic's blocking flows over edges of reduced cost zero.
    fn push_along_tight_edges(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        while self.left > 0 && self.levels(budget)? {
            self.next_edge.fill(0);
            for start in self.field.free_places() {
                while self.field.is_white(start) && self.need[start] > 0 {
                    if !self.augment(start, budget)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Breadth-first levels from the white places with supply; whether a black place
    /// in need is reached.
    fn levels(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        self.level.fill(u32::MAX);
        let mut queue = VecDeque::new();
        for place in self.field.free_places() {
            if self.need[place] > 0 && self.field.is_white(place) {
                self.level[place] = 0;
                queue.push_back(place);
            }
        }
        let mut reached = false;
        while let Some(place) = queue.pop_front() {
            budget.tick()?;
            if !self.field.is_white(place) && self.need[place] > 0 {
                reached = true;
            }
            for (edge, other) in self.field.around(place) {
                if self.residual(place, edge, other) == Some(0) && self.level[other] == u32::MAX {
                    self.level[other] = self.level[place] + 1;
                    queue.push_back(other);
                }
            }
        }
        Ok(reached)
    }

    /// Sends a unit from `start` to a black place in need along rising levels.
    fn augment(&mut self, start: usize, budget: &mut Budget) -> Result<bool, Stop> {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut place = start;
        loop {
            budget.tick()?;
            if !self.field.is_white(place) && self.need[place] > 0 {
                self.need[place] -= 1;
                self.need[start] -= 1;
                self.left -= 1;
                for (_, edge) in path {
                    self.used[edge] = !self.used[edge];
                }
                return Ok(true);
            }
            let mut step = None;
            while let Some(&(edge, other)) =
                self.field.around(place).get(self.next_edge[place] as usize)
            {
                if self.residual(place, edge, other) == Some(0)
                    && self.level[other] == self.level[place] + 1
                {
                    step = Some((edge, other));
                    break;
                }
                self.next_edge[place] += 1;
            }
            if let Some((edge, other)) = step {
                path.push((place, edge));
                place = other;
            } else if let Some((before, _)) = path.pop() {
                self.next_edge[before] += 1;
                place = before;
            } else {
                return Ok(false);
            }
        }
    }

    /// Shortest paths by reduced cost from the white places with supply; lowers each
    /// potential by its distance, at most by that of the nearest black place in need. `false`
    /// when none is reached.
    fn raise_potentials(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        self.distance.fill(i64::MAX);
        // Distances are small, so a list a distance serves as the queue.
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new()];
        for place in self.field.free_places() {
            if self.need[place] > 0 && self.field.is_white(place) {
                self.distance[place] = 0;
                buckets[0].push(place as u32);
            }
        }
        let mut at = 0;
        let mut nearest = None;
        while at < buckets.len() && nearest.is_none() {
            while let Some(place) = buckets[at].pop() {
                let place = place as usize;
                if self.distance[place] != at as i64 {
                    continue;
                }
                budget.tick()?;
                if !self.field.is_white(place) && self.need[place] > 0 {
                    nearest = Some(at as i64);
                }
                for (edge, other) in self.field.around(place) {
                    let Some(cost) = self.residual(place, edge, other) else { continue };
                    let distance = at as i64 + cost;
                    if distance < self.distance[other] {
                        self.distance[other] = distance;
                        if buckets.len() <= distance as usize {
                            buckets.resize(distance as usize + 1, Vec::new());
                        }
                        buckets[distance as usize].push(other as u32);
                    }
                }
            }
            at += 1;
        }
        let Some(nearest) = nearest else { return Ok(false) };
        for place in self.field.free_places() {
            self.potential[place] += self.distance[place].min(nearest);
        }
        Ok(true)
    }
}
