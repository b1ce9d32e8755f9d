//! Solvers against truth, one file a puzzle.
//!
//! Naive oracles (`tests/oracles/`) on every tiny board, planted boards beyond their reach,
//! symmetric boards, and the named cases of `tests/cases/`.

mod checks;
mod linkgame;
mod mahjong_path;
mod mayan;
#[path = "../oracles/mod.rs"]
mod oracles;
mod rook_circuit;
mod rook_exact;
mod tetris_sg;
