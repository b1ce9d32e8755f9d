//! The five puzzles, and the registry that lists them.

pub mod rook_circuit;
