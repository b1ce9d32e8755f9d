//! Components: what a set of anchors falls apart into, each in a normal form.
//!
//! Anchors that no chain of king's steps joins are independent games, so a set
//! is the sum of its components, and two equal components cancel. Two anchors
//! with the same closed neighbourhood (*twins*) are one move twice, so one of
//! them goes. What is left is moved to the corner, and the least of its mirror
//! images stands for all eight.
//!
//! Twins are adjacent, so they are found by comparing with each of the four
//! neighbours that come later, for all anchors at once. Taking one away makes no
//! new pair: whatever it told apart, its twin still tells apart.

use super::anchors::AnchorSet;

/// The components of `set` in normal form, without those of a single anchor
/// (after twins), which are counted instead: each has the value 1.
pub(super) fn split<S: AnchorSet>(set: S, components: &mut Vec<S>) -> u32 {
    let mut rest = without_twins(set);
    let mut singles = 0;
    while let Some((row, col)) = rest.first() {
        let component = flood(S::single(row, col), rest);
        rest = rest.without(component);
        if component.len() == 1 {
            singles += 1;
        } else {
            components.push(normal_form(component));
        }
    }
    singles
}

/// Takes one of each pair of twins away.
pub(super) fn without_twins<S: AnchorSet>(set: S) -> S {
    let mut set = set;
    // Right neighbours: the columns on either side are empty.
    let columns = set.or(set.up()).or(set.down());
    let pair = set.and(set.left());
    set = set.without(pair.without(columns.right()).without(columns.left().left()).right());
    // Lower neighbours: the rows on either side are empty.
    let rows = set.or(set.left()).or(set.right());
    let pair = set.and(set.up());
    set = set.without(pair.without(rows.down()).without(rows.up().up()).down());
    // Diagonal neighbours: the five places that only one of them reaches are empty,
    // on either side.
    let pair = set.and(set.up().left());
    if !pair.is_empty() {
        let above = set.or(set.left()).or(set.right()).down();
        let left_of = set.or(set.up()).right();
        let own = above.or(left_of);
        let below = set.or(set.left()).or(set.left().left()).up().up();
        let right_of = set.or(set.up()).left().left();
        let others = below.or(right_of);
        set = set.without(pair.without(own).without(others).down().right());
    }
    let pair = set.and(set.up().right());
    if !pair.is_empty() {
        let above = set.or(set.left()).or(set.right()).down();
        let right_of = set.or(set.up()).left();
        let own = above.or(right_of);
        let below = set.or(set.right()).or(set.right().right()).up().up();
        let left_of = set.or(set.up()).right().right();
        let others = below.or(left_of);
        set = set.without(pair.without(own).without(others).down().left());
    }
    set
}

/// The component of `set` that holds `seed`.
pub(super) fn flood<S: AnchorSet>(seed: S, set: S) -> S {
    let mut reached = seed;
    loop {
        let next = reached.spread().and(set);
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// The least of the eight images of a component in the corner, taller than wide.
pub(super) fn normal_form<S: AnchorSet>(component: S) -> S {
    let (mut settled, mut height, mut width) = component.settled();
    if height < width {
        settled = settled.transposed();
        (height, width) = (width, height);
    }
    let least = least_flip(settled, height, width);
    if height == width { least.min(least_flip(settled.transposed(), height, width)) } else { least }
}

fn least_flip<S: AnchorSet>(set: S, height: usize, width: usize) -> S {
    let flipped = set.flipped(height);
    let one = set.min(flipped);
    let other = set.mirrored(width).min(flipped.mirrored(width));
    one.min(other)
}

/// Every member, row by row.
pub(super) fn members<S: AnchorSet>(set: S) -> impl Iterator<Item = (usize, usize)> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let (row, col) = rest.first()?;
        rest = rest.without(S::single(row, col));
        Some((row, col))
    })
}

/// What a part is expected to cost: by its anchors, and by the pairs of them that
/// a square can't both take. That counts for less and decides among the many
/// parts of one size.
pub(super) fn expected_cost<S: AnchorSet>(part: &S) -> u32 {
    let part = *part;
    let across = part.and(part.left()).len() + part.and(part.up()).len();
    let aslant = part.and(part.up().left()).len() + part.and(part.up().right()).len();
    part.len() * 4 + across + aslant
}

/// Takes equal components away two by two: together they are worth nothing.
pub(super) fn cancel_pairs<S: AnchorSet>(parts: &mut Vec<S>, start: usize) {
    let mut index = start;
    while index < parts.len() {
        match (index + 1..parts.len()).find(|&other| parts[other] == parts[index]) {
            Some(other) => {
                parts.swap_remove(other);
                parts.swap_remove(index);
            }
            None => index += 1,
        }
    }
}
