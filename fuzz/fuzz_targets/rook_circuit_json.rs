//! rook-circuit, json bodies.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boardsolve_fuzz::json("rook-circuit", bytes));
