//! The gallery: what `docs/gallery/make` writes, from the requests that lie beside it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::drawn;
use crate::form::checked;

/// The requests, as puzzle and path.
fn requests() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/gallery");
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    entries
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let puzzle = path.parent().and_then(Path::file_name).expect("a folder a puzzle");
            (puzzle.to_string_lossy().into_owned(), path)
        })
        .collect()
}

#[test]
fn the_committed_pictures_are_what_is_drawn_now() {
    let requests = requests();
    for endpoint in boardsolve::puzzles::ALL {
        let name = endpoint.name();
        assert!(requests.iter().any(|(puzzle, _)| puzzle == name), "no picture of {name}");
    }
    for (puzzle, path) in requests {
        let request = fs::read_to_string(&path).expect("the request is text");
        let request = serde_json::from_str(&request).expect("the request is JSON");
        let picture = drawn(&puzzle, &request);
        checked(&picture);
        let committed = fs::read_to_string(path.with_extension("svg")).unwrap_or_default();
        assert!(committed == picture, "{}: run docs/gallery/make", path.display());
    }
}
