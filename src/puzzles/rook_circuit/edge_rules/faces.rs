//! Pairs of edges without which the board falls apart: a circuit uses both.
//!
//! The edges that a circuit may use form a plane graph. Two of them cut it exactly when they
//! lie between the same two faces (a cut of two edges is a closed walk over two faces in
//! the dual graph); an edge with one face on both sides cuts it alone.
//!
//! Faces are unit squares between four places, joined over edges that are not there, by
//! union-find; O(edges log edges) for the sorting.

use super::EdgeRule;
use crate::puzzles::rook_circuit::regions::{Field, Forest};

/// The edges that lie in cuts of two; `None` when an edge cuts the graph alone.
pub(super) fn edges_in_cuts_of_two(field: &Field, rules: &[EdgeRule]) -> Option<Vec<usize>> {
    let (places, stride) = (field.places(), field.stride());
    // A square has the number of its upper left place. Those that would lie across the ends of two
    // rows join none but squares outside of all edges.
    let sides = |edge: usize| match edge.checked_sub(places) {
        None => (edge.checked_sub(stride), edge),
        Some(upper) => (upper.checked_sub(1), upper),
    };
    let mut squares = Forest::new(places);
    let mut walls = Vec::new();
    for (edge, &rule) in rules.iter().enumerate() {
        if let (Some(one), other) = sides(edge) {
            if rule == EdgeRule::Never {
                squares.join(one, other);
            } else {
                walls.push((one, other, edge));
            }
        }
    }
    let mut between: Vec<((usize, usize), usize)> = walls
        .into_iter()
        .map(|(one, other, edge)| {
            let (one, other) = (squares.root(one), squares.root(other));
            ((one.min(other), one.max(other)), edge)
        })
        .collect();
    if between.iter().any(|&((one, other), _)| one == other) {
        return None;
    }
    between.sort_unstable();
    let groups = between.chunk_by(|one, other| one.0 == other.0);
    Some(groups.filter(|group| group.len() > 1).flatten().map(|&(_, edge)| edge).collect())
}
