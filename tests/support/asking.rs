//! What tests of several binaries ask: boards, easy and hard, and metrics.

use serde_json::{Value, json};

use crate::support::Service;

/// The route of [`quick`] and [`hard`].
pub(crate) const ROUTE: &str = "/tetris-sg";

/// A board that is decided at once.
pub(crate) fn quick() -> Value {
    json!({ "board": ["0000", "0000", "0000", "0000"] })
}

/// A board that no search decides within minutes: a large empty square, with one
/// cell blocked by `variant`, so that two of them are never the same request.
pub(crate) fn hard(variant: usize) -> Value {
    let mut rows = vec!["0".repeat(17); 17];
    let (row, col) = (variant / 17 % 17, variant % 17);
    rows[row].replace_range(col..=col, "1");
    json!({ "board": rows })
}

/// The value of a metric with these labels, as `/metrics` shows it; 0 when it is absent.
pub(crate) fn metric(service: &Service, name_and_labels: &str) -> f64 {
    let text = service.get("/metrics");
    text.text()
        .lines()
        .find_map(|line| line.strip_prefix(name_and_labels)?.strip_prefix(' ')?.parse().ok())
        .unwrap_or(0.0)
}
