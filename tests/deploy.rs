//! The files under `deploy/` speak of metrics that the service really exports.

mod support;

use std::collections::BTreeSet;

use serde_json::json;
use support::Service;

const DASHBOARD: &str = include_str!("../deploy/grafana/boardsolve.json");
const ALERTS: &str = include_str!("../deploy/prometheus/alerts.yml");

/// The metrics named in a text, label selectors and functions left out.
fn metrics_named(text: &str) -> BTreeSet<String> {
    text.match_indices("boardsolve_")
        .map(|(start, _)| {
            let is_name = |character: char| character.is_ascii_lowercase() || character == '_';
            text[start..].chars().take_while(|&character| is_name(character)).collect()
        })
        .collect()
}

#[test]
fn dashboard_and_alerts_use_only_metrics_that_are_exported() {
    let service = Service::start();
    let answer = service.post_json("/tetris-sg", &json!({ "board": ["00", "00"] }));
    assert_eq!(answer.status, 200);
    service.get("/livez");
    let exported = metrics_named(service.get("/metrics").text());
    for (file, text) in [("dashboard", DASHBOARD), ("alerts", ALERTS)] {
        let named = metrics_named(text);
        assert!(named.len() > 5, "{file} names {named:?}");
        let unknown: Vec<_> = named.difference(&exported).collect();
        assert!(unknown.is_empty(), "{file} names {unknown:?}; there is {exported:?}");
    }
}

#[test]
fn every_metric_is_on_the_dashboard() {
    let service = Service::start();
    let text = service.get("/metrics");
    let families = text.text().lines().filter_map(|line| line.strip_prefix("# TYPE "));
    for family in families.filter_map(|line| line.split(' ').next()) {
        assert!(DASHBOARD.contains(family), "{family} is not on the dashboard");
    }
}

#[test]
fn the_dashboard_is_json_with_panels_that_do_not_overlap() {
    let dashboard: serde_json::Value = serde_json::from_str(DASHBOARD).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let mut taken = BTreeSet::new();
    for panel in panels {
        let side = |name: &str| panel["gridPos"][name].as_u64().expect("a number");
        for row in side("y")..side("y") + side("h") {
            for col in side("x")..side("x") + side("w") {
                assert!(col < 24 && taken.insert((row, col)), "{}", panel["title"]);
            }
        }
    }
}
