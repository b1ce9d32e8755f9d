//! `boardsolve solve` on many requests, one a line: solved on several threads,
//! answered in order, as they finish, with a progress bar where there is a terminal.
//!
//! One thread reads, some solve, and the caller's writes. Each line has a channel
//! for its answer, and those channels go through a queue in the order of the lines;
//! the queue's length bounds what is read ahead. Nothing waits for the threads at
//! the end: when the output breaks off, the process ends, whatever they are at.

use std::io::{self, BufRead, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

use crate::commands::solve::{Ending, Limits};
use crate::http::endpoint::Endpoint;
use crate::http::ndjson;
use crate::http::problem::{Code, Problem};
use crate::http::wire::Status;

/// How many lines may be read ahead of the one that is written, a thread.
const WINDOW: usize = 32;

/// Answers are written at this length even while more of them are ready.
const WRITTEN_AT_ONCE: usize = 64 << 10;

/// The `request_id` of problems where there is no request.
const NO_REQUEST: &str = "-";

/// A line to solve.
struct Job {
    number: usize,
    bytes: Vec<u8>,
    answer: Sender<Answer>,
}

/// A line to write.
struct Answer {
    bytes: Vec<u8>,
    ending: Ending,
}

/// A line that was read: where its answer will come, and how far the input was read with it.
struct Pending {
    number: usize,
    read: u64,
    answer: Receiver<Answer>,
}

/// Solves each line of `input`, `threads` at once. `length` is the input's, if it is known.
///
/// # Errors
/// When the input can't be read or the output not be written, and, once everything is
/// answered, when the service failed on a line.
pub fn run(
    endpoint: &'static dyn Endpoint,
    limits: Limits,
    threads: usize,
    input: impl BufRead + Send + 'static,
    length: Option<u64>,
) -> io::Result<Ending> {
    let (jobs, taken) = sync_channel(threads);
    let (order, pending) = sync_channel(WINDOW * threads);
    let taken = Arc::new(Mutex::new(taken));
    for _ in 0..threads {
        let taken = Arc::clone(&taken);
        thread::Builder::new().spawn(move || work(endpoint, limits, &taken))?;
    }
    let reader = thread::Builder::new().spawn(move || read(input, &order, &jobs))?;
    let mut output = Output::new(length);
    let mut ending = Ending::Answered;
    while let Some(next) = output.next(&pending)? {
        // A channel that closes without an answer is that of a thread that is no more.
        let answer = output.next(&next.answer)?.unwrap_or_else(|| failed(next.number));
        ending = ending.max(answer.ending);
        output.write(&answer, next.read)?;
    }
    output.finish()?;
    match reader.join() {
        Ok(read) => read?,
        Err(_) => return Err(io::Error::other("a bug: the reader panicked")),
    }
    match ending {
        Ending::Failed => Err(io::Error::other("a bug: not every line could be answered")),
        ending => Ok(ending),
    }
}

/// Reads lines until the input ends or nobody takes them any more.
fn read(
    mut input: impl BufRead,
    order: &SyncSender<Pending>,
    jobs: &SyncSender<Job>,
) -> io::Result<()> {
    let mut read = 0;
    for number in 1.. {
        let mut bytes = Vec::new();
        let length = input.read_until(b'\n', &mut bytes)?;
        read += length as u64;
        if length == 0 {
            break;
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let (answer, answered) = channel();
        let is_taken = order.send(Pending { number, read, answer: answered }).is_ok()
            && jobs.send(Job { number, bytes, answer }).is_ok();
        if !is_taken {
            break;
        }
    }
    Ok(())
}

/// Solves lines until there are no more.
fn work(endpoint: &dyn Endpoint, limits: Limits, jobs: &Mutex<Receiver<Job>>) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { number, bytes, answer }) = job else { return };
        let solved = catch_unwind(AssertUnwindSafe(|| solve(endpoint, limits, number, &bytes)));
        // Nobody takes the answer where the output has broken off.
        let _ = answer.send(solved.unwrap_or_else(|_| failed(number)));
    }
}

fn solve(endpoint: &dyn Endpoint, limits: Limits, number: usize, bytes: &[u8]) -> Answer {
    let case = match endpoint.read_json(bytes) {
        Ok(case) => case,
        Err(problem) => return refused(number, problem),
    };
    let written = limits.solve(case.as_ref()).and_then(|(finished, stats)| {
        let is_open = finished.status() == Status::Unknown;
        let ending = if is_open { Ending::Undecided } else { Ending::Answered };
        let bytes = ndjson::answer(number, finished.as_ref(), stats)?;
        Ok(Answer { bytes, ending })
    });
    written.unwrap_or_else(|_| failed(number))
}

fn failed(number: usize) -> Answer {
    refused(number, Problem::internal())
}

fn refused(number: usize, problem: Problem) -> Answer {
    let ending = match problem.code() {
        Code::Internal => Ending::Failed,
        _ => Ending::BadInput,
    };
    Answer { bytes: ndjson::problem(number, problem, NO_REQUEST), ending }
}

/// Standard output, and the bar on standard error.
struct Output {
    bytes: Vec<u8>,
    bar: ProgressBar,
    lines: usize,
    bad: usize,
    undecided: usize,
}

impl Output {
    fn new(length: Option<u64>) -> Self {
        let (bar, template) = match length {
            Some(length) => (
                ProgressBar::new(length),
                "{bar:40} {percent:>3} %  {msg}  {elapsed_precise}, {eta} to go",
            ),
            None => (ProgressBar::new_spinner(), "{spinner} {msg}  {elapsed_precise}"),
        };
        if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.expect("the template is well-formed"));
        } else {
            bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
        }
        Self { bytes: Vec::new(), bar, lines: 0, bad: 0, undecided: 0 }
    }

    /// The next of a channel; what was written so far goes out before this waits.
    fn next<T>(&mut self, channel: &Receiver<T>) -> io::Result<Option<T>> {
        match channel.try_recv() {
            Ok(next) => Ok(Some(next)),
            Err(TryRecvError::Disconnected) => Ok(None),
            Err(TryRecvError::Empty) => {
                self.flush()?;
                Ok(channel.recv().ok())
            }
        }
    }

    fn write(&mut self, answer: &Answer, read: u64) -> io::Result<()> {
        self.lines += 1;
        match answer.ending {
            Ending::Answered => {}
            Ending::Undecided => self.undecided += 1,
            Ending::BadInput | Ending::Failed => self.bad += 1,
        }
        self.bytes.extend_from_slice(&answer.bytes);
        self.bar.set_position(read);
        self.bar.set_message(format!(
            "{} lines, {} bad, {} undecided",
            self.lines, self.bad, self.undecided
        ));
        if self.bytes.len() >= WRITTEN_AT_ONCE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        // The bar makes room, since both may be on the same terminal.
        self.bar.suspend(|| {
            let mut out = io::stdout().lock();
            out.write_all(&self.bytes)?;
            out.flush()
        })?;
        self.bytes.clear();
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        self.bar.abandon();
        Ok(())
    }
}
