//! boardsolve: an HTTP service that solves five board puzzles.
//!
//! In reading order: [`grid`] is the vocabulary of boards, [`puzzle`] the
//! contract that every puzzle keeps, [`budget`] what a solve may use, [`text`] how
//! the contests' text bodies are read,
//! [`puzzles`] the five of them, and [`http`] what their endpoints share.

pub mod budget;
pub mod grid;
pub mod http;
pub mod puzzle;
pub mod puzzles;
pub mod text;
