//! What operators rely on in `Dockerfile`, `.dockerignore` and
//! `docker-compose.yml`, held without a container engine: the facts that they
//! state, and what of them the binary itself can show.

mod support;

use std::fs;
use std::path::Path;

use boardsolve::config;
use saphyr::{LoadableYamlNode, YamlOwned};
use serde_json::Value;
use support::Service;

/// Memory of the process beside solves and what they share, in MB.
const REST_MB: u64 = 64;

#[test]
fn the_image_is_built_with_the_toolchain_of_the_tree() {
    let toolchain = read("rust-toolchain.toml");
    let channel = toolchain
        .lines()
        .find_map(|line| line.strip_prefix("channel = "))
        .expect("the toolchain names its channel")
        .trim_matches('"');
    let stages = instructions("FROM");
    assert_eq!(stages[0], format!("rust:{channel}-slim-bookworm AS build"));
    // The same Debian as the build stage's, so that its C library is there.
    assert_eq!(stages[1], "gcr.io/distroless/cc-debian12:nonroot");
}

#[test]
fn the_image_builds_without_the_files_of_tests_and_benches() {
    let manifest = read("Cargo.toml");
    for (index, section) in manifest.split("\n[").enumerate().skip(1) {
        let is_elsewhere =
            ["[bench]]", "[test]]", "[example]]"].iter().any(|target| section.starts_with(target));
        assert!(
            !is_elsewhere || section.lines().any(|line| line.starts_with("path = ")),
            "Cargo.toml, section {index}: cargo looks for a target's file unless `path` names it, \
             and the image has none\n[{section}"
        );
    }
}

#[test]
fn nothing_is_sent_or_copied_twice() {
    for lines in [read(".dockerignore").lines().map(str::to_owned).collect(), instructions("COPY")]
    {
        for (index, line) in lines.iter().enumerate() {
            assert!(!lines[..index].contains(line), "`{line}` stands there twice");
        }
    }
}

#[test]
fn everything_that_the_source_includes_is_sent_to_the_engine() {
    let sent: Vec<_> = read(".dockerignore")
        .lines()
        .filter_map(|line| line.strip_prefix('!'))
        .filter(|path| instructions("COPY").iter().any(|copy| copy.starts_with(path)))
        .map(|path| root().join(path))
        .collect();
    for entry in walkdir::WalkDir::new(root().join("src")).into_iter().flatten() {
        let Ok(text) = fs::read_to_string(entry.path()) else { continue };
        for (number, line) in text.lines().enumerate() {
            let folder = match line {
                // rust-embed's folders are named from the root, files of the macros from where they stand.
                _ if line.starts_with("#[folder = ") => root(),
                _ if line.contains("include_str!(") || line.contains("include_bytes!(") => {
                    entry.path().parent().expect("a file has a folder")
                }
                _ => continue,
            };
            let included = line.split('"').nth(1).unwrap_or("");
            let Ok(path) = folder.join(included).canonicalize() else { continue };
            assert!(
                sent.iter().any(|sent| path.starts_with(sent)),
                "{}:{}: {included} is not sent: see .dockerignore and COPY",
                entry.path().display(),
                number + 1
            );
        }
    }
}

#[test]
fn the_image_runs_as_nobody_and_asks_itself_how_it_is() {
    let user = &instructions("USER")[0];
    assert!(user.starts_with(|first: char| ('1'..='9').contains(&first)), "{user} may be root");
    let set = instructions("ENV");
    assert_eq!(set[0], "BOARDSOLVE_LISTEN=0.0.0.0:8080");
    assert_eq!(set.len(), 2, "and the allocator's, which another test holds: {set:?}");
    assert_eq!(exec_form(&instructions("ENTRYPOINT")[0]), ["/usr/bin/boardsolve"]);
    let health = &instructions("HEALTHCHECK")[0];
    let (_, command) = health.split_once("CMD ").expect("the health check has a command");
    assert_eq!(exec_form(command), ["/usr/bin/boardsolve", "healthcheck"]);
}

#[test]
fn image_unit_and_readme_set_the_allocator_alike() {
    let allocator = instructions("ENV").into_iter().find(|line| line.starts_with("MALLOC_"));
    let allocator = allocator.expect("the image sets it");
    assert!(
        read("deploy/systemd/boardsolve.service").contains(&format!("Environment={allocator}\n"))
    );
    assert!(read("README.md").contains(&format!("`{allocator}`")));
}

#[test]
fn the_health_check_says_how_the_service_is() {
    let mut service = Service::start();
    let port = service.address().port();
    let check = || {
        let check = support::command()
            .arg("healthcheck")
            .env("BOARDSOLVE_LISTEN", format!("0.0.0.0:{port}"))
            .output();
        check.expect("the binary starts").status.code()
    };
    assert_eq!(check(), Some(0));
    service.terminate();
    assert!(service.wait_for_exit().success(), "SIGTERM ends the service well");
    assert_eq!(check(), Some(1));
}

#[test]
fn compose_gives_the_container_nothing_that_it_does_not_need() {
    let compose = compose();
    let service = &compose["services"]["boardsolve"];
    assert_eq!(service["read_only"].as_bool(), Some(true));
    assert_eq!(texts(&service["cap_drop"]), ["ALL"]);
    assert_eq!(texts(&service["security_opt"]), ["no-new-privileges:true"]);
    assert_eq!(texts(&service["ports"]), ["127.0.0.1:8080:8080"]);
    assert_eq!(texts(&service["healthcheck"]["test"])[1..], ["/usr/bin/boardsolve", "healthcheck"]);
    assert_eq!(service.as_mapping_get("volumes"), None, "the service writes no files");
}

#[test]
fn compose_leaves_time_for_the_drain_and_memory_for_every_place() {
    let compose = compose();
    let service = &compose["services"]["boardsolve"];
    let variable = |name: &str| -> u64 {
        let text = service["environment"][name].as_str().expect("a variable is a quoted text");
        text.parse().expect("it is a number")
    };
    assert_eq!(service["stop_grace_period"].as_str(), Some("30s"));
    assert!(variable("BOARDSOLVE_DRAIN_MS") <= 25_000);
    assert_eq!(service["mem_limit"].as_str(), Some("1g"));
    let most = variable("BOARDSOLVE_PLACES") * variable("BOARDSOLVE_SOLVE_MEMORY_MB")
        + variable("BOARDSOLVE_SHARED_MEMORY_MB")
        + REST_MB;
    assert!(most <= 1024, "{most} MB may be used, and mem_limit is 1 GB");
    assert_eq!(service["cpus"].as_integer(), Some(variable("BOARDSOLVE_PLACES") as i64));
}

#[test]
fn every_variable_that_compose_sets_is_an_option() {
    let compose = compose();
    let environments = ["boardsolve", "replica"]
        .map(|service| compose["services"][service]["environment"].as_mapping());
    let variables: Vec<_> = environments
        .into_iter()
        .flat_map(|environment| environment.expect("the environment is a mapping").keys())
        .map(|name| name.as_str().expect("a variable's name is text").to_owned())
        .collect();
    let options = config::arguments();
    for variable in variables {
        let is_known = options.iter().any(|option| option.get_env() == Some(variable.as_ref()));
        assert!(is_known, "`boardsolve serve` knows no {variable}");
    }
}

#[test]
fn the_replicas_of_compose_are_as_confined_as_the_single_service_and_fit_their_memory() {
    let compose = compose();
    let (single, replica) = (&compose["services"]["boardsolve"], &compose["services"]["replica"]);
    for same in ["read_only", "cap_drop", "security_opt", "stop_grace_period", "pids_limit", "cpus"]
    {
        assert_eq!(single[same], replica[same], "{same}");
    }
    let environment = &replica["environment"];
    let variable = |name: &str| -> u64 {
        let text = environment[name].as_str().expect("a variable is a quoted text");
        text.parse().expect("it is a number")
    };
    assert_eq!(replica["mem_limit"].as_str(), Some("1g"));
    let places = variable("BOARDSOLVE_PLACES") + variable("BOARDSOLVE_JOB_PLACES");
    let most = places * variable("BOARDSOLVE_SOLVE_MEMORY_MB")
        + variable("BOARDSOLVE_SHARED_MEMORY_MB")
        + REST_MB;
    assert!(most <= 1024, "{most} MB may be used, and mem_limit is 1 GB");
    for (name, service) in compose["services"].as_mapping().expect("a mapping") {
        let is_scaled = service.as_mapping_get("profiles").is_some();
        assert_eq!(is_scaled, name.as_str() != Some("boardsolve"), "{name:?}");
    }
}

fn compose() -> YamlOwned {
    let documents = YamlOwned::load_from_str(&read("docker-compose.yml"));
    documents.expect("docker-compose.yml is YAML").remove(0)
}

fn texts(list: &YamlOwned) -> Vec<&str> {
    let list = list.as_sequence().expect("it is a list");
    list.iter().map(|item| item.as_str().expect("its items are texts")).collect()
}

/// The arguments of every instruction of that name, continued lines joined.
fn instructions(name: &str) -> Vec<String> {
    let dockerfile = read("Dockerfile").replace("\\\n", " ");
    dockerfile
        .lines()
        .filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
        .map(|arguments| arguments.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// The words of an exec-form instruction, which is a JSON array.
fn exec_form(arguments: &str) -> Vec<String> {
    let words: Value = serde_json::from_str(arguments).expect("it is in the exec form");
    let words = words.as_array().expect("it is an array");
    words.iter().map(|word| word.as_str().expect("words are texts").to_owned()).collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
