//! The paths that the chosen edges form, known by their ends.
//!
//! Each end holds the other one, so that joining two paths, and parting them again in the reverse
//! order, takes O(1).

use super::clauses::Literal;
use super::instance::{Instance, NONE};
use super::{Conflict, Search};

/// Paths of chosen edges and fixed ones.
#[derive(Debug)]
pub(super) struct Paths {
    /// For an end of a path, its other end.
    far: Vec<u32>,
    /// Joins in the order in which they were made.
    joins: Vec<Join>,
    /// The number of paths, single nodes included.
    pieces: usize,
}

/// What is needed to undo a join: what the two ends held before.
#[derive(Clone, Copy, Debug)]
struct Join {
    joined: Joined,
    held: [u32; 2],
}

/// What became of two ends that were joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// A path with these ends.
    Path(u32, u32),
    /// A circuit through everything.
    Circuit,
    /// A cycle while there are other paths.
    CycleTooEarly,
}

impl Paths {
    pub(super) fn new(instance: &Instance) -> Self {
        let far = instance
            .nodes
            .iter()
            .enumerate()
            .map(|(number, node)| if node.partner == NONE { number as u32 } else { node.partner })
            .collect();
        Self { far, joins: Vec::new(), pieces: instance.pieces }
    }

    /// Joins the paths that end at two nodes by an edge between them. Where a node is not an end
    /// (it got more edges than it needs), what this says is of no use, but it can be undone.
    pub(super) fn join(&mut self, one: u32, other: u32) {
        let (one_end, other_end) = (self.far[one as usize], self.far[other as usize]);
        let held = [self.far[one_end as usize], self.far[other_end as usize]];
        let joined = if one_end == other {
            if self.pieces == 1 { Joined::Circuit } else { Joined::CycleTooEarly }
        } else {
            self.far[one_end as usize] = other_end;
            self.far[other_end as usize] = one_end;
            self.pieces = self.pieces.wrapping_sub(1);
            Joined::Path(one_end, other_end)
        };
        self.joins.push(Join { joined, held });
    }

    /// Undoes the last join.
    pub(super) fn part(&mut self) {
        let Some(Join { joined, held: [one, other] }) = self.joins.pop() else { return };
        if let Joined::Path(one_end, other_end) = joined {
            self.far[other_end as usize] = other;
            self.far[one_end as usize] = one;
            self.pieces = self.pieces.wrapping_add(1);
        }
    }

    /// What the last join made.
    pub(super) fn last_joined(&self) -> Joined {
        self.joins.last().map_or(Joined::Circuit, |join| join.joined)
    }

    /// Whether one path is left.
    pub(super) const fn is_one_piece(&self) -> bool {
        self.pieces == 1
    }
}

impl Search {
    /// The edges of the path from `start` to `goal` that lie on the trail up to a position.
    pub(super) fn path(&self, start: u32, goal: u32, position: u32, path: &mut Vec<u32>) {
        path.clear();
        let mut at = start;
        let mut behind = NONE;
        // A fixed path that begins at the start is passed first.
        if self.instance.nodes[at as usize].partner != NONE {
            at = self.instance.nodes[at as usize].partner;
        }
        while at != goal {
            let node = &self.instance.nodes[at as usize];
            let onward = node.edges().find(|&edge| {
                edge as u32 != behind
                    && self.value(Literal::chosen(edge)) == 1
                    && self.state[edge].position <= position
            });
            let Some(edge) = onward else { break };
            path.push(edge as u32);
            behind = edge as u32;
            let [one, other] = self.instance.ends[edge];
            at = if one == at { other } else { one };
            if at == goal {
                break;
            }
            let partner = self.instance.nodes[at as usize].partner;
            if partner != NONE {
                at = partner;
                behind = NONE;
            }
        }
    }

    /// Explains a cycle that the edge at a position of the trail has closed too early.
    pub(super) fn explain_cycle(&mut self, edge: usize, position: u32) -> Conflict {
        let [one, other] = self.instance.ends[edge];
        let mut path = std::mem::take(&mut self.analysis.path);
        // The edge itself comes last on the trail; without it the path leads the other way around.
        self.path(one, other, position.saturating_sub(1), &mut path);
        path.push(edge as u32);
        let by_edges: Conflict = path.iter().map(|&edge| Literal::dropped(edge as usize)).collect();
        self.analysis.path = path;
        self.border(&by_edges).unwrap_or(by_edges)
    }

    /// The edges that lead out of a cycle, if all of them are dropped.
    fn border(&mut self, cycle: &[Literal]) -> Option<Conflict> {
        let mut border = Conflict::new();
        let marks = &mut self.analysis.marks;
        marks.begin(self.instance.nodes.len());
        for literal in cycle {
            for node in self.instance.ends[literal.edge()] {
                marks.set(node as usize);
            }
        }
        for literal in cycle {
            for node in self.instance.ends[literal.edge()] {
                for edge in self.instance.nodes[node as usize].edges() {
                    let [one, other] = self.instance.ends[edge];
                    let beyond = if one == node { other } else { one };
                    if marks.is_set(beyond as usize) {
                        continue;
                    }
                    if self.value[Literal::chosen(edge).index()] != -1 {
                        return None;
                    }
                    let literal = Literal::chosen(edge);
                    // A node has its edges of the cycle twice around.
                    border.push(literal);
                }
            }
        }
        border.sort_unstable_by_key(|literal| literal.index());
        border.dedup();
        Some(border)
    }
}
