//! linkgame, text bodies.
#![no_main]

use boardsolve::puzzles::linkgame::Linkgame;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boardsolve_fuzz::text::<Linkgame>(bytes));
