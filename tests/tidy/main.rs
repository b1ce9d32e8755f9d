//! The tree's own rules: what a newcomer may rely on, held by machine.
//!
//! Each test is one rule. It collects everything that breaks the rule and fails
//! with one line each: file, line, and what to do.

mod source;
mod tree;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use boardsolve::puzzles;
use source::{lines_with, paths, tokens};
use tree::{all_rust_files, dependencies, root, rust_files, text_files};

/// The crate's modules from the bottom up: each uses only those of rows above its own.
const LAYERS: &[&[&str]] = &[
    &["grid", "budget"],
    &["puzzle", "svg"],
    &["text"],
    &["jobs"],
    &["http"],
    &["puzzles"],
    &["app"],
    &["config"],
    &["telemetry"],
    &["commands"],
    &["main"],
];

/// The files or folders that every puzzle has.
const PUZZLE_PARTS: &[&str] = &["mod", "board", "solve", "verify", "json", "text", "picture"];

/// Further parts that know the rules alone, so that both search and check may use them:
/// what an answer is, how a proof of "no" is checked, and what a board falls apart into.
const RULE_PARTS: &[&str] = &["answer", "certificate", "parts", "reason"];

/// The crates that boards and searches may use.
const PLAIN_CRATES: &[&str] = &["rustc_hash"];

/// The files that may be longer than [`MAX_LINES`], each with its reason.
const LONG_FILES: &[(&str, &str)] = &[
    ("src/config.rs", "a table of all options, a third of its lines, and what reads it"),
    (
        "tests/laws/linkgame.rs",
        "the laws of every option, and an oracle for boards that do not fall",
    ),
    ("tests/laws/mayan.rs", "the laws of both goals, and how boards are planted for them"),
    ("tests/laws/rook_circuit.rs", "the laws of every reason, and those of both of its forms"),
    ("tests/laws/tetris_sg.rs", "the laws of sums, moves and values, told by several methods"),
];

/// What fits a reader's head at once, unit tests left out.
const MAX_LINES: usize = 400;

#[test]
fn every_puzzle_has_the_same_parts_and_a_line_in_the_registry() {
    let mut faults = Faults::new("src/puzzles");
    let registered: BTreeSet<_> =
        puzzles::ALL.iter().map(|endpoint| endpoint.name().replace('-', "_")).collect();
    let folders = puzzle_folders();
    for folder in &folders {
        let path = format!("src/puzzles/{folder}");
        if !registered.contains(folder) {
            faults.add("src/puzzles/mod.rs", 1, &format!("`ALL` has no line for {path}"));
        }
        for part in PUZZLE_PARTS {
            let file = root().join(&path).join(format!("{part}.rs"));
            let folder = root().join(&path).join(part).join("mod.rs");
            if !file.is_file() && !folder.is_file() {
                faults.add(&path, 0, &format!("it has no {part}.rs"));
            }
        }
    }
    for name in registered.difference(&folders) {
        faults.add("src/puzzles/mod.rs", 1, &format!("`{name}` has no folder of its name"));
    }
    faults.report();
}

#[test]
fn no_arrow_between_modules_runs_backwards() {
    let mut faults = Faults::new("LAYERS in tests/tidy/main.rs");
    for file in rust_files("src") {
        let Some(module) = file.module.first() else { continue };
        let Some(own) = layer(module) else {
            faults.add(&file.name, 1, &format!("`{module}` stands in no layer: place it"));
            continue;
        };
        for path in file.inner_paths() {
            let Some(used) = path.segments.first() else { continue };
            if used != module && layer(used).is_some_and(|used| used >= own) {
                faults.add(&file.name, path.line, &format!("`{module}` may not use `{used}`"));
            }
        }
    }
    faults.report();
}

#[test]
fn inside_a_puzzle_arrows_run_from_its_edge_to_its_board() {
    let mut faults =
        Faults::new("mod → json, text, picture → solve | verify → answer, certificate → board");
    for file in rust_files("src/puzzles") {
        let [_, puzzle, part @ ..] = file.module.as_slice() else { continue };
        let part = part.first().map_or("mod", String::as_str);
        for path in file.inner_paths() {
            let [top, used_puzzle, used @ ..] = path.segments.as_slice() else { continue };
            if top != "puzzles" {
                continue;
            }
            if used_puzzle != puzzle {
                let what = "a puzzle uses no other: what two need moves down into grid/";
                faults.add(&file.name, path.line, what);
                continue;
            }
            let used = used.first().map_or("mod", String::as_str);
            if !may_use(part, used) {
                faults.add(&file.name, path.line, &format!("`{part}` may not use `{used}`"));
            }
        }
    }
    faults.report();
}

#[test]
fn boards_and_searches_know_no_server() {
    let mut faults = Faults::new("only json.rs knows serde and http");
    let plain = ["grid", "budget", "puzzle", "svg", "text"];
    let mut server_crates = dependencies();
    server_crates.retain(|name| !PLAIN_CRATES.contains(&name.as_str()));
    assert!(server_crates.iter().any(|name| name == "axum"), "Cargo.toml was not read");
    for file in rust_files("src") {
        let is_plain = match file.module.as_slice() {
            [top] if top == "puzzles" => false,
            [top, ..] if top == "puzzles" => file.module.get(2).is_none_or(|part| part != "json"),
            [top, ..] => plain.contains(&top.as_str()),
            [] => false,
        };
        if !is_plain {
            continue;
        }
        for path in file.outer_paths() {
            if server_crates.contains(&path.segments[0]) {
                let what = format!("this file may not know `{}`", path.segments[0]);
                faults.add(&file.name, path.line, &what);
            }
        }
        for path in file.inner_paths() {
            if path.segments.first().is_some_and(|top| top == "http") {
                faults.add(&file.name, path.line, "this file may not know `crate::http`");
            }
        }
    }
    faults.report();
}

#[test]
fn every_file_says_first_what_it_holds() {
    let mut faults =
        Faults::new("begin with `//!`: what, how, its cost, why it is right, its source");
    for file in all_rust_files() {
        if !file.text.starts_with("//! ") {
            faults.add(&file.name, 1, "it does not open with `//!`");
        }
        for (index, line) in file.text.lines().enumerate() {
            let declares = line.starts_with("mod ") || line.starts_with("pub mod ");
            let documented = index > 0
                && file.text.lines().nth(index - 1).is_some_and(|line| line.starts_with("///"));
            if declares && line.ends_with(';') && documented {
                faults.add(&file.name, index, "a module is described in its own file");
            }
        }
    }
    faults.report();
}

#[test]
fn no_file_is_long_without_a_reason() {
    let mut faults = Faults::new("LONG_FILES in tests/tidy/main.rs");
    let files = all_rust_files();
    let lengths: Vec<_> =
        files.iter().map(|file| (file.name.as_str(), file.lines_before_tests())).collect();
    for &(name, length) in &lengths {
        let is_listed = LONG_FILES.iter().any(|(listed, _)| *listed == name);
        if length > MAX_LINES && !is_listed {
            let what = format!("{length} lines: split it at a seam, or list it with its reason");
            faults.add(name, MAX_LINES + 1, &what);
        }
    }
    for (listed, reason) in LONG_FILES {
        assert!(reason.len() > 20, "{listed} needs a reason that is one");
        let length = lengths.iter().find(|(name, _)| name == listed).map(|&(_, length)| length);
        if length.is_none_or(|length| length <= MAX_LINES) {
            faults.add(listed, 0, "it is not long any more: take it off the list");
        }
    }
    faults.report();
}

#[test]
fn no_test_is_skipped_and_nothing_is_left_to_do() {
    let banned: &[(&[&str], &str)] = &[
        (&["#", "[", "ignore"], "a test that does not run holds nothing"),
        (&["#", "[", "should_panic"], "catch the failure and look at it"),
        (&["todo", "!"], "finish it or open an issue"),
        (&["unimplemented", "!"], "finish it or open an issue"),
        (&["dbg", "!"], "log it or take it out"),
        (&["unsafe"], "the crate forbids unsafe code"),
    ];
    let mut faults = Faults::new("no leftovers");
    for file in all_rust_files() {
        let tokens = tokens(&file.text);
        for (sequence, what) in banned {
            for line in lines_with(&tokens, sequence) {
                faults.add(&file.name, line, &format!("`{}`: {what}", sequence.concat()));
            }
        }
        for lint in ["allow", "expect"] {
            for sequence in [["#", "[", lint, "("].as_slice(), &["#", "!", "[", lint, "("]] {
                for line in lines_with(&tokens, sequence) {
                    let attribute: String =
                        file.text.lines().skip(line - 1).take(4).collect::<Vec<_>>().join(" ");
                    if !attribute.contains("reason = ") {
                        faults.add(&file.name, line, "an allowed lint says its reason");
                    }
                }
            }
        }
    }
    faults.report();
}

#[test]
fn every_file_of_tests_is_part_of_a_binary() {
    let mut faults = Faults::new("what no main.rs names is never compiled and never run");
    let files = rust_files("tests");
    for main in files.iter().filter(|file| file.name.ends_with("/main.rs")) {
        let folder = main.name.trim_end_matches("main.rs");
        for file in files.iter().filter(|file| file.name != main.name) {
            let Some(rest) = file.name.strip_prefix(folder) else { continue };
            let module = rest.split('/').next().unwrap_or(rest).trim_end_matches(".rs");
            if !main.text.lines().any(|line| line == format!("mod {module};")) {
                faults.add(&main.name, 1, &format!("it has no `mod {module};`"));
            }
        }
    }
    for puzzle in puzzle_folders() {
        let names = [format!("tests/laws/{puzzle}.rs"), format!("tests/laws/{puzzle}/mod.rs")];
        if !files.iter().any(|file| names.contains(&file.name)) {
            faults.add("tests/laws/main.rs", 1, &format!("{puzzle} has no laws"));
        }
    }
    faults.report();
}

#[test]
fn names_say_what_a_module_holds() {
    let mut faults = Faults::new("a name says what is inside");
    let vague = ["utils", "util", "helpers", "helper", "common", "misc"];
    for file in all_rust_files() {
        let stem = Path::new(&file.name).with_extension("");
        if stem.iter().any(|part| vague.iter().any(|vague| part == *vague)) {
            faults.add(&file.name, 0, "this name says nothing");
        }
        for path in paths(&tokens(&file.text)) {
            let is_glob = path.segments.last().is_some_and(|last| last == "*");
            let line = file.text.lines().nth(path.line - 1).unwrap_or("");
            if is_glob && line.trim_start().starts_with("pub use ") {
                faults.add(&file.name, path.line, "name what is re-exported, one by one");
            }
        }
    }
    faults.report();
}

#[test]
fn no_committed_text_names_a_path_of_one_machine() {
    let mut faults = Faults::new("the tree is the same on every machine");
    let places = ["work", "tmp", "root", "home"].map(|folder| format!("/{folder}/"));
    for (name, text) in text_files() {
        for (index, line) in text.lines().enumerate() {
            for place in &places {
                let is_absolute = line.match_indices(place.as_str()).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    !before
                        .is_some_and(|before| before.is_alphanumeric() || "._-}*".contains(before))
                });
                if is_absolute {
                    faults.add(&name, index + 1, &format!("it names `{place}`"));
                }
            }
        }
    }
    faults.report();
}

/// What breaks one rule.
struct Faults {
    rule: &'static str,
    lines: String,
}

impl Faults {
    fn new(rule: &'static str) -> Self {
        Self { rule, lines: String::new() }
    }

    fn add(&mut self, file: &str, line: usize, what: &str) {
        let _ = writeln!(self.lines, "{file}:{}: {what}", line.max(1));
    }

    #[track_caller]
    fn report(self) {
        assert!(self.lines.is_empty(), "\n{}the rule: {}\n", self.lines, self.rule);
    }
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// Whether one part of a puzzle may name another. A part that is not named here
/// is a piece of the search.
fn may_use(part: &str, used: &str) -> bool {
    let rank = |part: &str| match part {
        "mod" => 4,
        "json" | "text" | "picture" => 3,
        "board" => 0,
        _ if RULE_PARTS.contains(&part) => 1,
        _ => 2,
    };
    let is_search = |part: &str| rank(part) == 2 && part != "verify";
    // What mod.rs declares, such as the puzzle's own type, is named without a part.
    if used.starts_with(char::is_uppercase) {
        return rank(part) >= 3;
    }
    let are_both = |of_kind: &dyn Fn(&str) -> bool| of_kind(part) && of_kind(used);
    part == used
        || are_both(&is_search)
        || are_both(&|part| RULE_PARTS.contains(&part))
        || rank(used) < rank(part)
}

fn puzzle_folders() -> BTreeSet<String> {
    fs::read_dir(root().join("src/puzzles"))
        .expect("src/puzzles is there")
        .map(|entry| entry.expect("src/puzzles can be listed"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
