//! The puzzles, and the registry that lists them.

use crate::http::endpoint::{Endpoint, Of};

pub mod linkgame;
pub mod mahjong_path;
pub mod mayan;
pub mod rook_circuit;
pub mod tetris_sg;

/// Every puzzle the service solves: one line each.
pub const ALL: &[&dyn Endpoint] = &[
    &Of::<linkgame::Linkgame>::ENDPOINT,
    &Of::<mayan::Mayan>::ENDPOINT,
    &Of::<tetris_sg::TetrisSg>::ENDPOINT,
    &Of::<mahjong_path::MahjongPath>::ENDPOINT,
    &Of::<rook_circuit::RookCircuit>::ENDPOINT,
];
