//! Everything at once, for as long as one likes: hard boards, large bodies, large
//! answers, bulk, jobs, bad bodies and hang-ups, and what becomes of memory,
//! threads and descriptors meanwhile.
//!
//! `cargo bench --bench soak` starts the built service with small caps and a
//! SQLite store, lets some thirty clients at it for `BOARDSOLVE_SOAK_SECONDS`
//! (600), and prints a row a minute. Every answer is checked ([`questions`] says
//! how), and every job that was accepted has to end once. It exits with 1 when
//!
//! - an answer was wrong, a request got none, or a job did not end as it should;
//! - resident memory passed the bound, (places + job places) × cap + shared + 64 MB;
//! - resident memory still grew in the second half;
//! - threads or descriptors did not come back to what they were after the first half minute.

#![allow(clippy::print_stdout, reason = "a bench prints its tables")]

#[path = "soak/bulk.rs"]
mod bulk;
#[path = "../tests/support/chunks.rs"]
mod chunks;
#[path = "soak/jobs.rs"]
mod jobs;
#[path = "soak/load.rs"]
mod load;
#[path = "soak/questions.rs"]
mod questions;
#[path = "soak/singles.rs"]
mod singles;
#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use load::Load;
use support::Service;

const PLACES: u64 = 2;
const JOB_PLACES: u64 = 2;
const SOLVE_MEMORY_MB: u64 = 128;
const SHARED_MEMORY_MB: u64 = 128;
const BOUND_MB: u64 = (PLACES + JOB_PLACES) * SOLVE_MEMORY_MB + SHARED_MEMORY_MB + 64;

/// How long the load lasts before the threads and descriptors of an idle service are counted.
const WARM_UP: Duration = Duration::from_secs(30);

/// How long an idle service may take to let go of threads and connections.
const QUIET_WITHIN: Duration = Duration::from_secs(60);

/// SQLite closes a file only when no other connection of the process has it locked, so as many
/// files as it has connections may be open a while longer; nothing else may.
const KEPT_FILES: usize = STORE_CONNECTIONS;

/// The most connections of the service to its store, each a thread: one for renewals, and a pool.
const STORE_CONNECTIONS: usize = 9;

/// How much resident memory may grow from the second quarter of the time to the last.
const GROWTH_MB: u64 = 32;

/// What a client does until the load ends, given its number.
type Client = fn(&Load, u64);

/// The clients: what each does, and how many do it.
const CLIENTS: [(Client, u64); 3] = [(singles::run, 16), (bulk::run, 6), (jobs::run, 10)];

fn main() -> ExitCode {
    let seconds = std::env::var("BOARDSOLVE_SOAK_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(600);
    let folder = Folder::new();
    let mut load = Load::new(serve(&folder));
    println!(
        "\n### Soak: ({PLACES} + {JOB_PLACES}) places × {SOLVE_MEMORY_MB} MB + {SHARED_MEMORY_MB} MB + 64 MB = {BOUND_MB} MB\n"
    );
    println!(
        "| minute | resident MB | peak MB | threads | descriptors | store MB | answered | lines | jobs | bad | refused | hung up | wrong |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let began = Instant::now();
    let row = |when: &str, load: &Load| {
        let process = Process::read(load.service.process_id());
        process.print(when, load, &folder);
        process
    };
    under(&mut load, WARM_UP, 0, |_| {});
    let before = quiet(&load, None);
    row("idle", &load);
    let mut resident = Vec::new();
    under(&mut load, Duration::from_secs(seconds), 1000, |load| {
        let minute = format!("{:.0}", began.elapsed().as_secs_f64() / 60.0);
        resident.push(row(&minute, load).resident_mb);
    });
    let after = quiet(&load, Some(&before));
    row("idle", &load);
    let ended = all_jobs_ended(&load);
    println!("\n{ended}");

    let mut is_right = load.counts.wrong.load(Ordering::Relaxed) == 0;
    for fault in load.faults() {
        println!("WRONG: {fault:.1000}");
    }
    let mut hold = |holds: bool, what: String| {
        println!("{}: {what}", if holds { "holds" } else { "BROKEN" });
        is_right &= holds;
    };
    hold(after.peak_mb <= BOUND_MB, format!("a peak of {} of {BOUND_MB} MB", after.peak_mb));
    let (early, late) = (quarter(&resident, 1), quarter(&resident, 3));
    hold(
        late <= early + GROWTH_MB,
        format!("{early} MB in the second quarter, {late} in the last"),
    );
    hold(
        after.has_threads_of(&before),
        format!(
            "{} threads and {} of the store's, {} and {} when idle before",
            after.threads, after.store_threads, before.threads, before.store_threads
        ),
    );
    hold(
        after.has_descriptors_of(&before),
        format!(
            "{} files and {} other descriptors, {} and {} when idle before",
            after.files, after.others, before.files, before.others
        ),
    );
    ExitCode::from(u8::from(!is_right))
}

fn serve(folder: &Folder) -> Service {
    let store = format!("sqlite://{}", folder.store().display());
    let number = |number: u64| number.to_string();
    Service::start(&[
        "--places",
        &number(PLACES),
        "--solve-memory-mb",
        &number(SOLVE_MEMORY_MB),
        "--shared-memory-mb",
        &number(SHARED_MEMORY_MB),
        "--queue-wait-ms",
        "2000",
        "--jobs-url",
        &store,
        "--job-places",
        &number(JOB_PLACES),
        "--job-time-limit-ms",
        "60000",
        // So that results come and go while it lasts.
        "--job-keep-s",
        "30",
    ])
}

/// Lets all clients loose for a while; `look` looks on, once a minute.
fn under(load: &mut Load, time: Duration, seed: u64, mut look: impl FnMut(&Load)) {
    *load.stopped.get_mut() = false;
    let load = &*load;
    thread::scope(|scope| {
        for (kind, (run, clients)) in CLIENTS.into_iter().enumerate() {
            for client in 0..clients {
                let seed = seed + 100 * kind as u64 + client;
                scope.spawn(move || run(load, seed));
            }
        }
        let began = Instant::now();
        while began.elapsed() < time {
            thread::sleep(time.saturating_sub(began.elapsed()).min(Duration::from_secs(60)));
            look(load);
        }
        load.stopped.store(true, Ordering::Relaxed);
    });
}

/// The service once it is idle: when threads and descriptors are as few as they were
/// `before`, or become no fewer.
fn quiet(load: &Load, before: Option<&Process>) -> Process {
    let began = Instant::now();
    loop {
        thread::sleep(Duration::from_secs(5));
        let now = Process::read(load.service.process_id());
        let is_quiet = before
            .is_some_and(|before| now.has_threads_of(before) && now.has_descriptors_of(before));
        if is_quiet || began.elapsed() >= QUIET_WITHIN {
            return now;
        }
    }
}

/// That every job which was accepted has ended, by the service's own count.
fn all_jobs_ended(load: &Load) -> String {
    let ended = |state: &str| {
        load.service.metric(&format!("boardsolve_jobs_ended_total{{state=\"{state}\"}}"))
    };
    let accepted = load.service.metric("boardsolve_jobs_accepted_total");
    let [done, failed, cancelled] = ["done", "failed", "cancelled"].map(ended);
    if accepted != done + cancelled || failed != 0.0 {
        load.fault("as many jobs as were accepted have not ended as they should");
    }
    let seen = load.counts.jobs.load(Ordering::Relaxed);
    format!(
        "{accepted} jobs accepted: {done} done, {cancelled} cancelled, {failed} failed; {seen} seen to their end."
    )
}

/// The mean of one quarter of these.
fn quarter(numbers: &[u64], which: usize) -> u64 {
    let from = numbers.len() * which / 4;
    let to = (numbers.len() * (which + 1) / 4).max(from + 1).min(numbers.len());
    let part = &numbers[from.min(to)..to];
    part.iter().sum::<u64>() / part.len().max(1) as u64
}

/// A folder for the store that goes away with the bench.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("boardsolve-soak-{}", std::process::id()));
        std::fs::create_dir(&path).expect("the temporary folder takes a folder");
        Self(path)
    }

    fn store(&self) -> PathBuf {
        self.0.join("jobs.db")
    }

    fn bytes(&self) -> u64 {
        let files = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What the kernel says of a process.
struct Process {
    resident_mb: u64,
    peak_mb: u64,
    /// Threads of SQLite's connections; the store opens them as it needs them.
    store_threads: usize,
    /// All others.
    threads: usize,
    /// Descriptors of files by their path.
    files: usize,
    /// All others: sockets, pipes, and what the runtime waits with.
    others: usize,
}

impl Process {
    fn read(id: u32) -> Self {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
        let open: Vec<_> = std::fs::read_dir(format!("/proc/{id}/fd"))
            .expect("it runs")
            .filter_map(|descriptor| std::fs::read_link(descriptor.ok()?.path()).ok())
            .collect();
        let files = open.iter().filter(|target| target.is_absolute()).count();
        let names: Vec<_> = std::fs::read_dir(format!("/proc/{id}/task"))
            .expect("it runs")
            .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok())
            .collect();
        let store_threads = names.iter().filter(|name| name.starts_with("sqlx-sqlite")).count();
        let field = |name: &str| {
            status
                .lines()
                .find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
                .unwrap_or(0)
        };
        Self {
            resident_mb: field("VmRSS:") / 1024,
            peak_mb: field("VmHWM:") / 1024,
            store_threads,
            threads: names.len() - store_threads,
            files,
            others: open.len() - files,
        }
    }

    /// Whether it has no more threads than it had, but for those that the store may yet open.
    fn has_threads_of(&self, before: &Self) -> bool {
        self.threads <= before.threads && self.store_threads <= STORE_CONNECTIONS
    }

    /// Whether it has no more descriptors than it had, but for files that SQLite may yet close.
    fn has_descriptors_of(&self, before: &Self) -> bool {
        self.others <= before.others && self.files <= before.files + KEPT_FILES
    }

    fn print(&self, when: &str, load: &Load, folder: &Folder) {
        let Self { resident_mb, peak_mb, store_threads, threads, files, others } = self;
        let (threads, descriptors) = (threads + store_threads, files + others);
        let store_mb = folder.bytes() >> 20;
        let counts = &load.counts;
        let counted = [
            &counts.answered,
            &counts.lines,
            &counts.jobs,
            &counts.bad,
            &counts.refused,
            &counts.hung_up,
            &counts.wrong,
        ];
        let counted =
            counted.map(|counter: &AtomicU64| counter.load(Ordering::Relaxed).to_string());
        println!(
            "| {when} | {resident_mb} | {peak_mb} | {threads} | {descriptors} | {store_mb} | {} |",
            counted.join(" | ")
        );
    }
}
