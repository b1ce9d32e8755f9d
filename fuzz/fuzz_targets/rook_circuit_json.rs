//! rook-circuit, json bodies.
#![no_main]

use boardsolve::puzzles::rook_circuit::RookCircuit;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boardsolve_fuzz::json::<RookCircuit>(bytes));
