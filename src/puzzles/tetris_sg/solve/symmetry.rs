//! What a half turn tells without a search.
//!
//! Let a component look the same after a half turn about its centre. When no
//! anchor is equal or near to its own image, the second player answers every
//! square with its image and so wins: the value is 0. When the centre itself is
//! an anchor, the first player takes it; what is left has no anchor near its own
//! image, so it is worth 0 and the component is not.
//!
//! Mirror images need no such rule. An anchor on or next to the axis is near its
//! own image, and without those the two sides are components that cancel.

use super::anchors::AnchorSet;
use super::table::Known;

/// What is known of a settled component by its half turn.
pub(super) fn by_symmetry<S: AnchorSet>(component: S) -> Known {
    let (_, height, width) = component.settled();
    if component.flipped(height).mirrored(width) != component {
        return Known::default();
    }
    let centre = S::single(height / 2, width / 2);
    // The places that are near their own image: one, two or four about the centre.
    let mut near = centre;
    if height % 2 == 0 {
        near = near.or(near.up());
    }
    if width % 2 == 0 {
        near = near.or(near.left());
    }
    if component.and(near).is_empty() {
        Known { excluded: 0, value: Some(0) }
    } else if height % 2 == 1 && width % 2 == 1 {
        Known { excluded: 1, value: None }
    } else {
        Known::default()
    }
}
