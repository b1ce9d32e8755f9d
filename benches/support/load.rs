//! A closed load: connections that ask again as soon as they are answered.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long a load runs before it is measured.
const START: Duration = Duration::from_millis(300);

/// In what Linux tells of processes: the same on all machines, whatever the kernel's own clock.
const CLOCK_TICKS_A_SECOND: f64 = 100.0;

/// What the bodies hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boards {
    /// Boards that were never sent before.
    Distinct,
    /// One board.
    Same,
}

/// What one or several turns came to.
#[derive(Default)]
pub(crate) struct Measured {
    seconds: f64,
    microseconds: Vec<u32>,
    processor: Duration,
    /// Answers other than 200.
    pub(crate) refused: usize,
}

impl Measured {
    /// Adds another turn.
    pub(crate) fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.microseconds.extend(other.microseconds);
        self.microseconds.sort_unstable();
        self.processor += other.processor;
        self.refused += other.refused;
    }

    /// Answers a second.
    pub(crate) fn requests_a_second(&self) -> f64 {
        self.microseconds.len() as f64 / self.seconds
    }

    /// The time within which such a share of the requests was answered.
    pub(crate) fn milliseconds(&self, share: f64) -> f64 {
        let last = self.microseconds.len().saturating_sub(1);
        self.microseconds
            .get((last as f64 * share) as usize)
            .map_or(0.0, |&time| f64::from(time) / 1e3)
    }

    /// What the server's process spent on a processor, a request.
    pub(crate) fn processor_microseconds(&self) -> f64 {
        self.processor.as_secs_f64() * 1e6 / self.microseconds.len() as f64
    }
}

/// Asks one server for as long as a turn lasts.
pub(crate) fn run(
    address: SocketAddr,
    process: u32,
    path: &'static str,
    boards: Boards,
    seed: u64,
    connections: usize,
    turn: Duration,
) -> Measured {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("the system grants what a runtime needs");
    runtime.block_on(async {
        let begin = Instant::now() + START;
        let end = begin + turn;
        let clients: Vec<_> = (0..connections as u64)
            .map(|client| {
                let random = fastrand::Rng::with_seed((seed << 32) | client);
                tokio::spawn(ask(address, path, boards, random, begin, end))
            })
            .collect();
        tokio::time::sleep_until(begin.into()).await;
        let (started, processor) = (Instant::now(), processor_time(process));
        tokio::time::sleep_until(end.into()).await;
        let (elapsed, processor) = (started.elapsed(), processor_time(process) - processor);
        let mut measured =
            Measured { seconds: elapsed.as_secs_f64(), processor, ..Measured::default() };
        for client in clients {
            let (times, refused) =
                client.await.expect("a client ends quietly").expect("every request is answered");
            measured.microseconds.extend(times);
            measured.refused += refused;
        }
        measured
    })
}

/// One connection: the times of its requests that were answered between `begin` and `end`.
async fn ask(
    address: SocketAddr,
    path: &str,
    boards: Boards,
    mut random: fastrand::Rng,
    begin: Instant,
    end: Instant,
) -> io::Result<(Vec<u32>, usize)> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut times, mut refused) = (Vec::new(), 0);
    let mut request = String::new();
    let mut answer = vec![0; 16 << 10];
    loop {
        if boards == Boards::Distinct || request.is_empty() {
            request = request_of(path, &mut random);
        }
        let sent = Instant::now();
        stream.write_all(request.as_bytes()).await?;
        let status = read_answer(&mut stream, &mut answer).await?;
        let now = Instant::now();
        if now >= end {
            return Ok((times, refused));
        }
        if now >= begin {
            times.push((now - sent).as_micros() as u32);
            refused += usize::from(status != *b"200");
        }
    }
}

/// A request with a board of 6×8 of which about three quarters are taken: a few
/// microseconds' solve. So many boards are alike only by an unlikely chance.
fn request_of(path: &str, random: &mut fastrand::Rng) -> String {
    let taken = random.u64(..) | random.u64(..);
    let mut body = String::from("{\"board\":[");
    for row in 0..6 {
        body.push_str(if row == 0 { "\"" } else { "\",\"" });
        body.extend((0..8).map(|col| if (taken >> (8 * row + col)) & 1 == 1 { '1' } else { '0' }));
    }
    body.push_str("\"]}");
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Reads one whole answer and tells its status.
async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> io::Result<[u8; 3]> {
    let mut length = 0;
    loop {
        let read = stream.read(&mut buffer[length..]).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        length += read;
        if let Some(whole) = whole_length(&buffer[..length])? {
            if length == whole {
                return Ok([buffer[9], buffer[10], buffer[11]]);
            }
            if length > whole {
                return Err(io::Error::other("more came than one answer"));
            }
        }
    }
}

/// The length of an answer whose head is complete.
fn whole_length(answer: &[u8]) -> io::Result<Option<usize>> {
    let Some(head) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head_text = std::str::from_utf8(&answer[..head]).map_err(io::Error::other)?;
    let body = head_text
        .lines()
        .find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok())
        .ok_or_else(|| io::Error::other("the answer has no length"))?;
    Ok(Some(head + 4 + body))
}

/// What a process has spent on processors, its threads that ended included.
fn processor_time(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("it runs");
    // The name may hold blanks and brackets, so the fields are counted behind it.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks: u64 = fields[11..=12].iter().filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_secs_f64(ticks as f64 / CLOCK_TICKS_A_SECOND)
}
