//! boardsolve: an HTTP service that solves five board puzzles.
//!
//! In reading order: [`grid`] is the vocabulary of boards, [`puzzle`] the
//! contract that every puzzle keeps, [`budget`] what a solve may use, [`text`] how
//! the contests' text bodies are read, [`svg`] how pictures are drawn, [`puzzles`] the five of
//! them, [`jobs`] solves that outlive their request, [`http`] what the endpoints share, [`app`]
//! the routes, [`config`] the options,
//! [`telemetry`] the log and the spans, and [`commands`] what the binary does.

#![allow(
    clippy::result_large_err,
    reason = "a problem is built on the rare path, and boxing it would hide that"
)]

pub mod app;
pub mod budget;
pub mod commands;
pub mod config;
pub mod grid;
pub mod http;
pub mod jobs;
pub mod puzzle;
pub mod puzzles;
pub mod svg;
pub mod telemetry;
pub mod text;
