//! The files under `deploy/` speak of metrics that the service really exports.

mod support;

use std::collections::BTreeSet;

use boardsolve::config;
use saphyr::{LoadableYamlNode, YamlOwned};
use serde_json::json;
use support::Service;

const DASHBOARD: &str = include_str!("../deploy/grafana/boardsolve.json");
const ALERTS: &str = include_str!("../deploy/prometheus/alerts.yml");
const ADAPTER: &str = include_str!("../deploy/prometheus/adapter.yml");
const UNIT: &str = include_str!("../deploy/systemd/boardsolve.service");
const KUBERNETES: &str = include_str!("../deploy/kubernetes/boardsolve.yaml");

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

/// The manifest of that kind.
fn manifest(kind: &str) -> YamlOwned {
    let documents = YamlOwned::load_from_str(KUBERNETES).expect("the manifests are YAML");
    let mut of_kind =
        documents.into_iter().filter(|manifest| manifest["kind"].as_str() == Some(kind));
    of_kind.next().unwrap_or_else(|| panic!("there is no {kind}"))
}

/// The variables of the pod's container, with the values that they are given in place.
fn variables(container: &YamlOwned) -> Vec<(&str, &str)> {
    let variables = container["env"].as_sequence().expect("a list of variables");
    variables
        .iter()
        .map(|variable| {
            let value = variable.as_mapping_get("value").and_then(|value| value.as_str());
            (variable["name"].as_str().expect("a name"), value.unwrap_or(""))
        })
        .collect()
}

#[test]
fn the_pods_have_memory_for_every_place_and_time_for_the_drain() {
    let deployment = manifest("Deployment");
    let pod = &deployment["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    let variables = variables(container);
    let number = |name: &str| -> i64 {
        let value = variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} is no number"))
    };
    let places = number("BOARDSOLVE_PLACES") + number("BOARDSOLVE_JOB_PLACES");
    let most =
        places * number("BOARDSOLVE_SOLVE_MEMORY_MB") + number("BOARDSOLVE_SHARED_MEMORY_MB") + 64;
    assert_eq!(container["resources"]["limits"]["memory"].as_str(), Some("1152Mi"));
    assert!(most <= 1152, "{most} MB may be used");
    let pause = container["lifecycle"]["preStop"]["sleep"]["seconds"].as_integer();
    let grace = pod["terminationGracePeriodSeconds"].as_integer().expect("a grace period");
    assert!(grace > pause.expect("a pause") + number("BOARDSOLVE_DRAIN_MS") / 1000 + 5);
    // The allocator's, which `tests/packaging.rs` compares with the image's, are the C library's.
    for (name, _) in variables.iter().filter(|(name, _)| !name.starts_with("MALLOC_")) {
        let is_known =
            config::arguments().iter().any(|option| option.get_env() == Some((*name).as_ref()));
        assert!(is_known, "`boardsolve serve` knows no {name}");
    }
}

#[test]
fn the_pods_are_confined_as_the_restricted_standard_demands() {
    let deployment = manifest("Deployment");
    let pod = &deployment["spec"]["template"]["spec"];
    assert_eq!(pod["securityContext"]["runAsNonRoot"].as_bool(), Some(true));
    assert_eq!(pod["securityContext"]["seccompProfile"]["type"].as_str(), Some("RuntimeDefault"));
    let container = &pod["containers"][0]["securityContext"];
    assert_eq!(container["allowPrivilegeEscalation"].as_bool(), Some(false));
    assert_eq!(container["readOnlyRootFilesystem"].as_bool(), Some(true));
    assert_eq!(container["capabilities"]["drop"][0].as_str(), Some("ALL"));
}

#[test]
fn everything_in_kubernetes_speaks_of_the_same_pods() {
    let deployment = manifest("Deployment");
    let labels = &deployment["spec"]["template"]["metadata"]["labels"];
    assert_eq!(&deployment["spec"]["selector"]["matchLabels"], labels);
    assert_eq!(&manifest("Service")["spec"]["selector"], labels);
    assert_eq!(&manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"], labels);
    assert_eq!(&manifest("NetworkPolicy")["spec"]["podSelector"]["matchLabels"], labels);
    let scaler = manifest("HorizontalPodAutoscaler");
    assert_eq!(scaler["spec"]["scaleTargetRef"]["name"], deployment["metadata"]["name"]);
}

#[test]
fn the_autoscaler_looks_at_a_metric_that_is_made_from_an_exported_one() {
    let scaler = manifest("HorizontalPodAutoscaler");
    let looked_at = &scaler["spec"]["metrics"][0]["object"]["metric"]["name"];
    let adapter = YamlOwned::load_from_str(ADAPTER).expect("the rule is YAML").remove(0);
    assert_eq!(&adapter["rules"][0]["name"]["as"], looked_at);
    let service = Service::start();
    let exported = metrics_named(service.get("/metrics").text());
    let query = adapter["rules"][0]["metricsQuery"].as_str().expect("a query");
    for name in metrics_named(query) {
        assert!(exported.contains(&name), "{name} is not exported");
    }
}

/// The values of a setting of the unit, in their order.
fn unit_settings(name: &str) -> Vec<&'static str> {
    UNIT.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('=')).collect()
}

#[test]
fn the_unit_has_memory_for_every_place_and_time_for_the_drain() {
    let variables: Vec<_> = unit_settings("Environment")
        .into_iter()
        .map(|setting| setting.split_once('=').expect("a variable has a value"))
        .collect();
    let number = |name: &str| -> u64 {
        let value = variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} is no number"))
    };
    let places = number("BOARDSOLVE_PLACES") + number("BOARDSOLVE_JOB_PLACES");
    let most =
        places * number("BOARDSOLVE_SOLVE_MEMORY_MB") + number("BOARDSOLVE_SHARED_MEMORY_MB") + 64;
    assert_eq!(unit_settings("MemoryMax"), ["1152M"]);
    assert!(most <= 1152, "{most} MB may be used");
    let patience: u64 = unit_settings("TimeoutStopSec")[0].parse().expect("seconds");
    assert!(patience >= number("BOARDSOLVE_DRAIN_MS") / 1000 + 5);
    // The allocator's, which `tests/packaging.rs` compares with the image's, are the C library's.
    for (name, _) in variables.iter().filter(|(name, _)| !name.starts_with("MALLOC_")) {
        let is_known =
            config::arguments().iter().any(|option| option.get_env() == Some((*name).as_ref()));
        assert!(is_known, "`boardsolve serve` knows no {name}");
    }
}
