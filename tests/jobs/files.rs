//! A folder of a test's own, with a SQLite store in it.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::Service;

/// A folder that goes away with its test.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new, empty folder.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("boardsolve-jobs-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("the temporary folder takes a folder");
        Self(path)
    }

    /// Where it lies.
    pub(crate) const fn path(&self) -> &PathBuf {
        &self.0
    }

    /// Starts a service whose jobs lie here.
    pub(crate) fn serve(&self, options: &[&str]) -> Service {
        let url = format!("sqlite://{}", self.0.join("jobs.db").display());
        Service::start_with(&[&["--jobs-url", &url], options].concat())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
