//! The files of the tree, as the rules look at them.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::source::{SpelledPath, paths, tokens, without_tests};

/// A Rust file of the tree.
pub(crate) struct RustFile {
    /// Its path from the root, with slashes.
    pub(crate) name: String,
    /// Its module path inside the crate: `["puzzles", "mayan", "board"]`; empty for `lib.rs`.
    pub(crate) module: Vec<String>,
    /// What it holds.
    pub(crate) text: String,
}

impl RustFile {
    /// The paths into this crate, without its name, outside of unit tests.
    pub(crate) fn inner_paths(&self) -> Vec<SpelledPath> {
        let mut inner = Vec::new();
        for SpelledPath { line, segments } in self.all_paths() {
            let mut base = match segments[0].as_str() {
                "crate" | "boardsolve" => Vec::new(),
                "self" | "super" => self.module.clone(),
                _ => continue,
            };
            let mut rest = &segments[..];
            while let Some((first, after)) = rest.split_first() {
                match first.as_str() {
                    "crate" | "boardsolve" | "self" => {}
                    "super" => drop(base.pop()),
                    _ => break,
                }
                rest = after;
            }
            base.extend_from_slice(rest);
            inner.push(SpelledPath { line, segments: base });
        }
        inner
    }

    /// The paths into other crates (and those that begin at an imported name).
    pub(crate) fn outer_paths(&self) -> Vec<SpelledPath> {
        let is_outer =
            |path: &SpelledPath| !["crate", "self", "super"].contains(&path.segments[0].as_str());
        self.all_paths().into_iter().filter(is_outer).collect()
    }

    /// How long it is without its unit tests.
    pub(crate) fn lines_before_tests(&self) -> usize {
        self.text.lines().take_while(|line| *line != "#[cfg(test)]").count()
    }

    fn all_paths(&self) -> Vec<SpelledPath> {
        paths(&without_tests(&tokens(&self.text)))
    }
}

/// The folder of the manifest.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The names under which the crate's code knows its dependencies.
pub(crate) fn dependencies() -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is there");
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.replace('-', "_"))
        .collect()
}

/// Every Rust file of the library, the binary, the tests, the benches and the fuzzer.
pub(crate) fn all_rust_files() -> Vec<RustFile> {
    ["src", "tests", "benches", "fuzz"].into_iter().flat_map(rust_files).collect()
}

/// The Rust files under a folder, by name.
pub(crate) fn rust_files(folder: &str) -> Vec<RustFile> {
    let files = files_under(&root().join(folder)).into_iter();
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a Rust file is UTF-8");
            let name = name_of(&path);
            let module = name
                .trim_start_matches("src/")
                .trim_end_matches(".rs")
                .split('/')
                .filter(|part| *part != "mod" && *part != "lib")
                .map(str::to_owned)
                .collect();
            RustFile { name, module, text }
        })
        .collect()
}

/// Every text file of the tree, but for what Git ignores.
pub(crate) fn text_files() -> Vec<(String, String)> {
    files_under(&root())
        .into_iter()
        .filter_map(|path| Some((name_of(&path), fs::read_to_string(&path).ok()?)))
        .collect()
}

fn files_under(folder: &Path) -> Vec<PathBuf> {
    let ignored = ["target", ".git", "node_modules", "artifacts"];
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(|entry| !ignored.iter().any(|name| entry.file_name() == *name));
    // A folder that does not exist has no files.
    entries.flatten().map(DirEntry::into_path).filter(|path| path.is_file()).collect()
}

fn name_of(path: &Path) -> String {
    let name = path.strip_prefix(root()).unwrap_or(path);
    name.to_string_lossy().replace('\\', "/")
}
