//! mayan, json bodies.
#![no_main]

use boardsolve::puzzles::mayan::Mayan;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boardsolve_fuzz::json::<Mayan>(bytes));
