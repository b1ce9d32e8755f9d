//! mahjong-path, text bodies.
#![no_main]

use boardsolve::puzzles::mahjong_path::MahjongPath;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| boardsolve_fuzz::text::<MahjongPath>(bytes));
