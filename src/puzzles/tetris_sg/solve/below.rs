//! What a search of larger sets leaves to the search of the narrowest.
//!
//! The parts that a large component falls into soon fit the narrowest form. They
//! are decided there, so that all searches of a solve share what they find out,
//! and only what is truly large is kept in a large form. A search calls the one
//! below it, which has none: that is as deep as it goes.

use crate::budget::{Budget, Stop};

use super::anchors::{AnchorSet, Narrow};
use super::component::normal_form;
use super::nimber::{Goal, Search};
use super::table::Known;

/// What takes the components that are too small for a search's own table.
pub(super) trait Below<S> {
    /// What it knows of `component`; `None` when that is not its business.
    fn known(&self, component: S) -> Option<Known>;

    /// Decides `component`; `None` when that is not its business.
    fn decide(
        &mut self,
        component: S,
        goal: Goal,
        budget: &mut Budget,
    ) -> Result<Option<Known>, Stop>;
}

/// Nothing is below the search of the narrowest sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nothing;

impl<S> Below<S> for Nothing {
    fn known(&self, _: S) -> Option<Known> {
        None
    }

    fn decide(&mut self, _: S, _: Goal, _: &mut Budget) -> Result<Option<Known>, Stop> {
        Ok(None)
    }
}

impl<S: AnchorSet> Below<S> for Search<Narrow> {
    fn known(&self, component: S) -> Option<Known> {
        Some(self.look_up(normal_form(component.narrowed()?), &Nothing))
    }

    fn decide(
        &mut self,
        component: S,
        goal: Goal,
        budget: &mut Budget,
    ) -> Result<Option<Known>, Stop> {
        let Some(narrow) = component.narrowed() else { return Ok(None) };
        Self::decide(self, normal_form(narrow), goal, &mut Nothing, budget).map(Some)
    }
}
