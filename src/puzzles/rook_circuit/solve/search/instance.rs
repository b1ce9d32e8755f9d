//! A part of a board whose edges are to be chosen, the rest being fixed.
//!
//! A *node* is a place that still needs one or two edges. Fixed edges, used ones or those of a
//! 2-factor outside the part, form paths; the two ends of each are *partners*, and what lies
//! between them needs no node. Undecided edges between nodes are numbered. A choice of edges that
//! gives every node what it needs, in one circuit together with the fixed paths, is a
//! circuit through everything the part touches.

use crate::puzzles::rook_circuit::solve::knowledge::Knowledge;
use crate::puzzles::rook_circuit::solve::lattice::{Lattice, Mask, directions};

/// No node, or no edge.
pub(in crate::puzzles::rook_circuit::solve) const NONE: u32 = u32::MAX;

/// Nodes and edges.
#[derive(Debug)]
pub(in crate::puzzles::rook_circuit::solve) struct Instance {
    pub(super) nodes: Vec<Node>,
    /// The two nodes of each edge.
    pub(super) ends: Vec<[u32; 2]>,
    /// The place and direction of each edge.
    sides: Vec<(u32, u8)>,
    /// The number of pieces to be joined: fixed paths, and nodes on none.
    pub(super) pieces: usize,
}

/// A place that needs edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// How many: one or two.
    pub(super) need: u8,
    /// The other end of the fixed path that ends here, or [`NONE`].
    pub(super) partner: u32,
    /// Its edges; [`NONE`] behind the last.
    pub(super) edges: [u32; 4],
}

impl Node {
    /// The edges of the node.
    pub(super) fn edges(&self) -> impl Iterator<Item = usize> + use<> {
        self.edges.into_iter().take_while(|&edge| edge != NONE).map(|edge| edge as usize)
    }
}

impl Instance {
    /// The part of the places in `part`. `open` are the edges that may be chosen, `fixed` those that
    /// are chosen already; `far_end` gives the other end of the path of fixed edges that ends at
    /// a node. `number` holds [`NONE`] a place, and is left so.
    pub(in crate::puzzles::rook_circuit::solve) fn new(
        lattice: &Lattice,
        part: impl Iterator<Item = usize>,
        open: &[Mask],
        fixed: impl Fn(usize) -> Mask,
        far_end: impl Fn(usize) -> usize,
        number: &mut [u32],
    ) -> Self {
        let mut nodes = Vec::new();
        let mut places = Vec::new();
        for place in part {
            let need = 2 - fixed(place).count_ones() as u8;
            if need > 0 {
                number[place] = nodes.len() as u32;
                nodes.push(Node { need, partner: NONE, edges: [NONE; 4] });
                places.push(place);
            }
        }
        let mut ends = Vec::new();
        let mut sides = Vec::new();
        let mut degree = vec![0_usize; nodes.len()];
        let mut pieces = 0;
        for (node, &place) in places.iter().enumerate() {
            // East and south: each edge once.
            for direction in directions(open[place] & !fixed(place) & 0b0110) {
                let other = number[lattice.step(place, direction)];
                if other == NONE {
                    continue;
                }
                for end in [node, other as usize] {
                    nodes[end].edges[degree[end]] = ends.len() as u32;
                    degree[end] += 1;
                }
                ends.push([node as u32, other]);
                sides.push((place as u32, direction as u8));
            }
            if nodes[node].need == 2 {
                pieces += 2;
            } else {
                pieces += 1;
                nodes[node].partner = number[far_end(place)];
            }
        }
        for place in places {
            number[place] = NONE;
        }
        Self { nodes, ends, sides, pieces: pieces / 2 }
    }

    /// All that is not settled.
    pub(in crate::puzzles::rook_circuit::solve) fn of_all(knowledge: &Knowledge<'_>) -> Self {
        let lattice = knowledge.lattice;
        Self::new(
            lattice,
            lattice.free(),
            knowledge.open(),
            |place| knowledge.used()[place],
            |place| knowledge.far_end(place),
            &mut vec![NONE; lattice.places()],
        )
    }

    /// The number of edges.
    pub(in crate::puzzles::rook_circuit::solve) const fn edges(&self) -> usize {
        self.ends.len()
    }

    /// The place and direction of an edge.
    pub(in crate::puzzles::rook_circuit::solve) fn side(&self, edge: usize) -> (usize, usize) {
        let (place, direction) = self.sides[edge];
        (place as usize, direction as usize)
    }
}
