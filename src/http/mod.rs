//! What all endpoints share. Nothing here knows a puzzle.
//!
//! A request passes [`request_id`], [`problem`]'s envelope and [`log`], reaches
//! [`solve`], is read by [`negotiation`], [`query`], [`body`], [`request_body`] and [`endpoint`],
//! and solved by [`run`] in a place of [`admission`], at a glance or on a thread of [`blocking`];
//! [`bulk`] does the same for each of the [`lines`] of a body of many. [`ask`] is what is asked of
//! [`run`] and what it answers, [`wire`] what a puzzle's JSON form implements, [`json`] what the
//! other answers are. [`jobs`], [`job_body`], [`job_work`] and [`job_events`] are for solves that
//! outlive their request; [`openapi`], [`job_docs`] and [`docs`] describe it all, [`playground`] is
//! a page to try it on, [`ops`] and [`metrics`] are for operators, and [`server`] accepts the
//! connections.

pub mod access;
pub mod admission;
pub mod ask;
pub mod blocking;
pub mod body;
pub mod bulk;
pub mod bulk_answer;
pub mod cache;
pub mod docs;
pub mod endpoint;
pub mod flight;
pub mod job_body;
pub mod job_docs;
pub mod job_events;
pub mod job_work;
pub mod jobs;
pub mod json;
pub mod lines;
pub mod log;
pub mod memory;
pub mod metrics;
pub mod ndjson;
pub mod negotiation;
pub mod openapi;
pub mod ops;
pub mod ops_docs;
pub mod playground;
pub mod problem;
pub mod query;
pub mod request_body;
pub mod request_id;
pub mod run;
pub mod server;
pub mod service;
pub mod slices;
pub mod socket;
pub mod solve;
pub mod wire;
