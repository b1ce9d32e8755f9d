//! A closed tour of the free cells (Greater New York 2003 F, POJ 1670).

pub mod board;
mod certificate;
mod edge_rules;
pub mod frontier;
pub mod reason;
pub mod regions;
pub mod unique;
