//! Where the boards of a sum stand: beside each other, in rows that are about as wide
//! as all of them are high, with room for a caption above each.

use super::plan::Plan;
use crate::svg::Point;

/// Between two boards, beside and below.
const GAP: f64 = 30.0;

/// The places of the boards.
pub(super) struct Layout {
    /// The upper left corner of each board's drawing.
    pub(super) places: Vec<Point>,
    /// The size of a caption's letters; one board has none.
    pub(super) caption: f64,
    /// The extent of all.
    pub(super) width: f64,
    /// The extent of all.
    pub(super) height: f64,
}

impl Layout {
    /// Places the boards in order.
    pub(super) fn new(plans: &[Plan]) -> Self {
        if let [only] = plans {
            let (width, height) = (only.width(), only.height());
            return Self { places: vec![(0.0, 0.0)], caption: 0.0, width, height };
        }
        // Captions are as large as the sheet's other text, which grows with the sheet.
        let first = Self::with_caption(plans, 18.0);
        let caption = (first.width.max(first.height) / 65.0).max(18.0);
        Self::with_caption(plans, caption)
    }

    fn with_caption(plans: &[Plan], caption: f64) -> Self {
        let above = caption * 1.7;
        // A short caption needs its room, however narrow the board.
        let width_of = |plan: &Plan| plan.width().max(caption * 11.0);
        let area: f64 =
            plans.iter().map(|plan| (width_of(plan) + GAP) * (plan.height() + above + GAP)).sum();
        let widest = plans.iter().map(width_of).fold(0.0, f64::max);
        let most = (area * 1.3).sqrt().max(widest);
        let mut layout = Self { places: Vec::new(), caption, width: 0.0, height: 0.0 };
        let (mut x, mut y, mut row_height) = (0.0, 0.0, 0.0_f64);
        for plan in plans {
            if x > 0.0 && x + width_of(plan) > most {
                (x, y, row_height) = (0.0, y + row_height + GAP, 0.0);
            }
            layout.places.push((x, y + above));
            row_height = row_height.max(above + plan.height());
            layout.width = layout.width.max(x + width_of(plan));
            layout.height = layout.height.max(y + row_height);
            x += width_of(plan) + GAP;
        }
        layout
    }
}
