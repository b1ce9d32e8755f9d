//! rook-circuit, text bodies.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boardsolve_fuzz::text("rook-circuit", bytes));
