//! Draws the plots of `docs/performance.md` from the tables that stand there.
//!
//! `cargo bench --bench plots` writes `docs/plots/`; a test of `tests/pictures`
//! holds that what is committed is what the tables say.

#![allow(clippy::print_stdout, reason = "it names the files that it wrote")]

#[path = "support/chart.rs"]
mod chart;
#[path = "support/plots.rs"]
mod plots;

use std::fs;
use std::path::Path;

fn main() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("performance.md")).expect("the page is there");
    for (name, picture) in plots::all(&page) {
        let path = docs.join("plots").join(name);
        fs::write(&path, picture).expect("the folder takes files");
        println!("{}", path.display());
    }
}
