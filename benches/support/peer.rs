//! Other programs for the same puzzle, run on the same boards: each reads the contest's text
//! from its standard input and prints what it found.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A puzzle's program in the folder that `BOARDSOLVE_PEERS` names, if it names one.
pub(crate) fn program(puzzle: &str) -> Option<PathBuf> {
    std::env::var_os("BOARDSOLVE_PEERS").map(|folder| Path::new(&folder).join(puzzle))
}

/// What the program prints and the time it takes, its start included; `None` when it has to
/// be stopped at the limit.
pub(crate) fn run(program: &Path, text: String, limit: Duration) -> Option<(Duration, String)> {
    run_with(program, &[], text, limit)
}

/// As [`run`], with arguments.
pub(crate) fn run_with(
    program: &Path,
    arguments: &[&str],
    text: String,
    limit: Duration,
) -> Option<(Duration, String)> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let mut input = child.stdin.take().expect("it is piped");
    let mut output = child.stdout.take().expect("it is piped");
    // Both at once, since a pipe holds little. A program that ends early need not read all.
    let writer = thread::spawn(move || drop(input.write_all(text.as_bytes())));
    let reader = thread::spawn(move || {
        let mut printed = Vec::new();
        output.read_to_end(&mut printed).map(|_| String::from_utf8_lossy(&printed).into_owned())
    });
    let ended = loop {
        if child.try_wait().expect("it is our child").is_some() {
            break Some(started.elapsed());
        }
        if started.elapsed() > limit {
            // It may have ended by itself just now.
            let _ = child.kill();
            child.wait().expect("it is our child");
            break None;
        }
        thread::sleep(Duration::from_micros(100));
    };
    writer.join().expect("the writer does not panic");
    let printed = reader.join().expect("the reader does not panic").expect("it can be read");
    ended.map(|time| (time, printed))
}
