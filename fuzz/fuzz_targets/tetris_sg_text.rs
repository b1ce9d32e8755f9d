//! tetris-sg, text bodies.
#![no_main]

use boardsolve::puzzles::tetris_sg::TetrisSg;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boardsolve_fuzz::text::<TetrisSg>(bytes));
