//! The README stays true: its examples are run as they stand there against the
//! running service, and its tables are the ones of the code.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use boardsolve::config;
use boardsolve::http::problem::Code;
use boardsolve::puzzle::{OptionKind, OptionSpec};
use boardsolve::puzzles;
use serde_json::Value;
use support::Service;

/// The address that stands in the README.
const ADDRESS: &str = "localhost:8080";

/// Fields that differ from one run to the next.
const VARYING: [&str; 6] = ["time_ms", "nodes", "request_id", "id", "waited_ms", "elapsed_ms"];

#[test]
fn every_example_is_answered_as_it_says() {
    let jobs = format!("boardsolve-readme-{}.db", std::process::id());
    let jobs = std::env::temp_dir().join(jobs);
    let service = Service::start_with(&["--jobs-url", &format!("sqlite://{}", jobs.display())]);
    let readme = readme();
    let blocks = blocks(&readme);
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.language == "sh") {
        let place = format!("README.md:{}", block.line);
        let expected = blocks
            .get(index + 1)
            .filter(|next| ["json", "ndjson", "text"].contains(&next.language));
        let expected = expected.unwrap_or_else(|| panic!("{place}: no answer follows"));
        let printed = run(&block.text, &service, &place);
        if expected.language == "ndjson" {
            let lines =
                |text: &str| -> Vec<_> { text.lines().map(|line| parse(line, &place)).collect() };
            assert_eq!(
                lines(&printed),
                lines(&expected.text),
                "{place} is answered with\n{printed}"
            );
        } else if expected.language == "json" {
            let printed = parse(&printed, &place);
            let expected = parse(&expected.text, &place);
            assert_eq!(printed, expected, "{place} is answered with\n{printed:#}");
        } else {
            assert_eq!(printed.trim_end(), expected.text.trim_end(), "{place}");
        }
    }
    drop(service);
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", jobs.display()));
    }
}

#[test]
fn every_puzzle_has_an_example_in_json_in_text_and_without_a_server() {
    let readme = readme();
    let blocks = blocks(&readme);
    let commands: Vec<_> = blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| block.language == "sh")
        .map(|(index, block)| {
            (block.text.as_str(), blocks.get(index + 1).map(|next| next.language))
        })
        .collect();
    for endpoint in puzzles::ALL {
        let name = endpoint.name();
        for language in ["json", "text"] {
            let has_example = commands.iter().any(|(command, answer)| {
                let posts = command.contains(&format!("{ADDRESS}/{name} "))
                    || command.contains(&format!("{ADDRESS}/{name}?"));
                posts && *answer == Some(language)
            });
            assert!(has_example, "README.md has no curl for {name} with a {language} answer");
        }
    }
    assert!(commands.iter().any(|(command, _)| command.contains("boardsolve solve ")));
    for block in blocks.iter().filter(|block| block.language != "sh") {
        let is_example =
            ["curl ", "boardsolve solve "].iter().any(|word| block.text.contains(word));
        assert!(!is_example, "README.md:{}: mark it `sh`, so that it is run", block.line);
    }
}

#[test]
fn the_two_commands_are_there() {
    let readme = readme();
    for command in ["cargo run --release", "./test"] {
        let is_there = blocks(&readme).iter().any(|block| {
            block
                .text
                .lines()
                .any(|line| line == command || line.starts_with(&format!("{command} ")))
        });
        assert!(is_there, "README.md does not tell `{command}`");
    }
    let ci = read(".ci/run");
    assert!(ci.lines().any(|line| line == "step ./test"), ".ci/run does not run the README's test");
}

#[test]
fn the_table_of_options_is_the_one_of_the_code() {
    let mut table = "| flag | variable | default | what |\n|---|---|---|---|\n".to_owned();
    for option in config::arguments() {
        let flag = option.get_long().expect("an option has a flag");
        let variable = option.get_env().expect("an option has a variable").to_string_lossy();
        let help = option.get_help().expect("an option has a help text").to_string();
        let (what, default_of_help) = match help.split_once(" [default: ") {
            Some((what, default)) => (what, default.trim_end_matches(']')),
            None => (help.as_str(), "unset"),
        };
        let default = option.get_default_values().first().map(|value| value.to_string_lossy());
        let default = default.map_or(default_of_help.to_owned(), |default| format!("`{default}`"));
        table += &format!("| `--{flag}` | `{variable}` | {default} | {what} |\n");
    }
    assert_table(&table);
}

#[test]
fn the_limits_of_the_threat_model_are_the_ones_of_the_code() {
    let options = config::arguments();
    let text = read("docs/security.md");
    let rows: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("| `--")).collect();
    let limits = rows.iter().filter_map(|row| {
        let mut cells = row.trim_end_matches(" |").split(" | ");
        let (flag, default) = (cells.next()?.strip_suffix('`')?, cells.next()?);
        // The table of ways in names who comes by them, and no default.
        let is_limit = !flag.ends_with("listen");
        is_limit.then_some((flag, default))
    });
    let mut count = 0;
    for (flag, told) in limits {
        count += 1;
        let option = options.iter().find(|option| option.get_long() == Some(flag));
        let option = option.unwrap_or_else(|| panic!("there is no --{flag}"));
        let help = option.get_help().expect("an option has a help text").to_string();
        let of_help = help.split_once(" [default: ").map(|(_, text)| text.trim_end_matches(']'));
        let default = match option.get_default_values().first() {
            Some(value) => format!("`{}`", value.to_string_lossy()),
            None => of_help.unwrap_or("unset").to_owned(),
        };
        assert_eq!(told, default, "docs/security.md, --{flag}");
    }
    let numbers = options.iter().filter(|option| {
        let flag = option.get_long().unwrap_or("");
        ["limit", "memory", "queue", "rate", "timeout", "connections", "places", "drain", "keep"]
            .iter()
            .any(|word| flag.contains(word))
    });
    // `--time-limit-ms` and `--job-places` are settings, not limits that protect.
    assert_eq!(count, numbers.count() - 2, "docs/security.md leaves a limit out");
}

#[test]
fn the_table_of_puzzle_options_is_the_one_of_the_code() {
    let mut table =
        "| puzzle | option | values | default | what |\n|---|---|---|---|---|\n".to_owned();
    for endpoint in puzzles::ALL {
        for OptionSpec { name, kind, help } in endpoint.options() {
            let (values, default) = match kind {
                OptionKind::Boolean { default } => {
                    ("`true`, `false`".to_owned(), format!("`{default}`"))
                }
                OptionKind::Integer { min, max, default } => (
                    format!("{min} to {max}"),
                    default.map_or("no limit".to_owned(), |default| format!("`{default}`")),
                ),
                OptionKind::Choice { values, default } => {
                    let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
                    (values.join(", "), format!("`{default}`"))
                }
            };
            let puzzle = endpoint.name();
            table += &format!("| `{puzzle}` | `{name}` | {values} | {default} | {help} |\n");
        }
    }
    assert_table(&table);
}

#[test]
fn the_table_of_errors_is_the_one_of_the_code() {
    let mut table = "| status | code | what it means and what to do |\n|---|---|---|\n".to_owned();
    for code in Code::ALL {
        let status = code.status().as_u16();
        let explanation = code.explanation().split_whitespace().collect::<Vec<_>>().join(" ");
        table += &format!("| {status} | `{}` | {explanation} |\n", code.name());
    }
    assert_table(&table);
}

#[test]
fn the_architecture_names_every_part_and_every_dependency() {
    let architecture = read("ARCHITECTURE.md");
    let manifest = read("Cargo.toml");
    let dependencies = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    for line in dependencies.take_while(|line| !line.starts_with('[')) {
        let Some((name, _)) = line.split_once(" = ") else { continue };
        let is_named = architecture.contains(&format!("`{name}`"));
        assert!(is_named, "ARCHITECTURE.md does not say why {name} is used");
    }
    for folder in ["src", "tests"] {
        for entry in fs::read_dir(root().join(folder)).expect("the folder can be listed") {
            let entry = entry.expect("the folder can be listed");
            let end = if entry.path().is_dir() { "/" } else { "" };
            let name = format!("{folder}/{}{end}", entry.file_name().to_string_lossy());
            let is_named = name == "src/lib.rs" || architecture.contains(&format!("`{name}`"));
            assert!(is_named, "ARCHITECTURE.md's code map does not name {name}");
        }
    }
}

#[test]
fn every_file_that_the_texts_link_to_is_there() {
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        for (index, line) in read(name).lines().enumerate() {
            for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let is_local = !link.contains("://") && !link.starts_with('#');
                let file = link.split('#').next().unwrap_or(link);
                assert!(
                    !is_local || root().join(file).exists(),
                    "{name}:{}: there is no {file}",
                    index + 1
                );
            }
        }
    }
}

#[track_caller]
fn assert_table(table: &str) {
    assert!(
        readme().contains(&format!("\n{table}\n")),
        "README.md's table is not the one of the code, which is\n\n{table}"
    );
}

/// Runs a block of shell commands; what it prints.
fn run(commands: &str, service: &Service, place: &str) -> String {
    let folder = Path::new(support::BINARY).parent().expect("the binary lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c"])
        .arg(commands.replace(ADDRESS, &service.address().to_string()))
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("NO_PROXY", "*")
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{place}: bash does not run: {error}"));
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{place} ends with {}: {told}", run.status);
    String::from_utf8(run.stdout).expect("the answer is UTF-8")
}

/// A JSON text without the fields that vary.
fn parse(text: &str, place: &str) -> Value {
    let mut value = serde_json::from_str(text)
        .unwrap_or_else(|error| panic!("{place}: not JSON ({error}): {text}"));
    remove_varying(&mut value);
    value
}

fn remove_varying(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !VARYING.contains(&name.as_str()));
            members.values_mut().for_each(remove_varying);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_varying),
        _ => {}
    }
}

/// A fenced block.
struct Block<'text> {
    line: usize,
    language: &'text str,
    text: String,
}

fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<_> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            blocks.push(Block { line: index + 1, language, text: text.join("\n") });
        }
    }
    blocks
}

fn readme() -> String {
    read("README.md")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
