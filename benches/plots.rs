//! Puts the benches' tables into `docs/performance.md` and `docs/scaling.md`, and draws the plots
//! of the former.
//!
//! `cargo bench --bench plots` looks for a line `<!-- NAME, table N -->` in those pages and puts the
//! N-th table of `target/benches/NAME.md`, where `benches/run` has left that file, in the place of
//! the table below it. Then it draws `docs/plots/` from the tables that stand there; a test of
//! `tests/pictures` holds that what is committed is what the tables say.

#![allow(clippy::print_stdout, reason = "it names the files that it wrote")]

#[path = "support/chart.rs"]
mod chart;
#[path = "support/plots.rs"]
mod plots;

use std::fs;
use std::path::Path;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (docs, printed) = (root.join("docs"), root.join("target/benches"));
    for name in ["performance.md", "scaling.md"] {
        let path = docs.join(name);
        let page = fs::read_to_string(&path).expect("the page is there");
        let filled = filled(&page, |bench| fs::read_to_string(printed.join(bench + ".md")).ok());
        if filled != page {
            fs::write(&path, filled).expect("the page takes its tables");
            println!("{}", path.display());
        }
    }
    let page = fs::read_to_string(docs.join("performance.md")).expect("the page is there");
    for (name, picture) in plots::all(&page) {
        let path = docs.join("plots").join(name);
        fs::write(&path, picture).expect("the folder takes files");
        println!("{}", path.display());
    }
}

/// The page with each marked table as the bench printed it; `printed` is what a bench printed, if
/// it has run.
fn filled(page: &str, printed: impl Fn(String) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        filled += line;
        filled.push('\n');
        let Some((bench, number)) = marked(line) else { continue };
        // Tables of peers are not printed where there are none: those of an earlier run stay.
        let table = printed(bench.to_owned()).and_then(|text| table(&text, number));
        let Some(table) = table else { continue };
        filled += &table;
        while lines.next_if(|line| line.starts_with('|')).is_some() {}
    }
    filled
}

/// The bench and the table that a line marks the place of.
fn marked(line: &str) -> Option<(&str, usize)> {
    let mark = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    let (bench, number) = mark.split_once(", table ")?;
    Some((bench, number.parse().ok()?))
}

/// The table of that number, from 1, with its lines' ends.
fn table(text: &str, number: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let blocks = lines.chunk_by(|one, other| one.starts_with('|') == other.starts_with('|'));
    let mut tables = blocks.filter(|block| block[0].starts_with('|'));
    tables.nth(number.checked_sub(1)?).map(|table| table.join("\n") + "\n")
}
