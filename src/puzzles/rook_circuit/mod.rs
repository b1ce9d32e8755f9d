//! A closed tour of the free cells (Greater New York 2003 F, POJ 1670).

pub mod board;
