//! The plots of `docs/performance.md`: what `cargo bench --bench plots` writes, from
//! the tables that stand there.

use std::fs;
use std::path::Path;

use crate::form::checked;

#[path = "../../benches/support/chart.rs"]
mod chart;
#[path = "../../benches/support/plots.rs"]
mod drawn;

#[test]
fn the_committed_plots_show_what_the_tables_say() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("performance.md")).expect("the page is there");
    let mut names = Vec::new();
    for (name, picture) in drawn::all(&page) {
        checked(&picture);
        assert!(page.contains(&format!("(plots/{name})")), "the page does not show {name}");
        let committed = fs::read_to_string(docs.join("plots").join(name)).unwrap_or_default();
        assert!(committed == picture, "{name}: run `cargo bench --bench plots`");
        names.push(name);
    }
    let files = fs::read_dir(docs.join("plots")).expect("the folder is there").flatten();
    for file in files.map(|entry| entry.file_name()) {
        assert!(names.iter().any(|name| file == *name), "nothing draws {file:?}");
    }
}
