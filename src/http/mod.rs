//! What all endpoints share. Nothing here knows a puzzle.

pub mod wire;
