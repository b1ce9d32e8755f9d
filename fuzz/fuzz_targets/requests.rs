//! Whole requests, from the target to the body.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boardsolve_fuzz::requests::send(bytes));
