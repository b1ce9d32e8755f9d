//! The puzzles by their statements alone: slow, and right by being plain.
//!
//! The laws compare the solvers with them, and so do the fuzz targets on boards that
//! are small enough. Nothing in the library knows them.

pub(crate) mod linkgame;
pub(crate) mod mahjong_path;
pub(crate) mod mayan;
pub(crate) mod rook_circuit;
pub(crate) mod tetris_sg;
