//! The HTTP boundary, tested against the running binary.
//!
//! One file a concern: what a request may look like and what comes back
//! ([`forms`], [`json_requests`], [`text_requests`], [`pictures`], [`bulk`]), what goes wrong
//! and how it is said ([`problems`]), and how the service behaves over time ([`overload`],
//! [`bulk_flow`], [`cancellation`], [`connections`], [`shutdown`], [`caching`], [`protection`],
//! [`operation`]).

#[path = "../support/mod.rs"]
mod support;

mod boards;
mod bulk;
mod bulk_client;
mod bulk_flow;
mod caching;
mod cancellation;
mod connections;
mod forms;
mod json_requests;
mod limits;
mod operation;
mod overload;
mod pictures;
mod problems;
mod protection;
mod shutdown;
mod text_requests;
