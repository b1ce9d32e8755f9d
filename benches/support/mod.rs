//! The running service for benches, and a client for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The built service.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_boardsolve");

/// How long a start may take.
const START_TIME: Duration = Duration::from_secs(10);

/// The built service on a port of its own, killed when it is dropped.
pub(crate) struct Service {
    process: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

impl Service {
    /// Starts it with these options.
    pub(crate) fn start(options: &[&str]) -> Self {
        let mut process = Command::new(BINARY)
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
            .args(options)
            .envs(allocator())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(process.stderr.take().expect("it is piped")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| listens_at(&line))
            .expect("the service says where it listens");
        thread::spawn(move || lines.for_each(drop));
        Self { process, address }
    }

    /// Starts it with its default options, its log in a file.
    #[allow(dead_code, reason = "each bench uses its own part of this")]
    pub(crate) fn start_logging_to_file() -> Self {
        let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/bench.log");
        let log = std::fs::File::create(path).expect("the target folder takes a file");
        let process = Command::new(BINARY)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .envs(allocator())
            .stderr(log)
            .spawn()
            .expect("the binary starts");
        let mut service = Self { process, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        let begin = Instant::now();
        while begin.elapsed() < START_TIME {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            if let Some(address) = text.lines().find_map(listens_at) {
                service.address = address;
                return service;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the service does not say where it listens");
    }

    /// The process's id.
    #[allow(dead_code, reason = "each bench uses its own part of this")]
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a request and leaves its connection open.
    pub(crate) fn begin(&self, path: &str, body: &str) -> TcpStream {
        self.begin_with(path, "Content-Type: application/json\r\n", body).expect("it reads")
    }

    /// As [`Service::begin`], with other headers.
    pub(crate) fn begin_with(
        &self,
        path: &str,
        headers: &str,
        body: &str,
    ) -> std::io::Result<TcpStream> {
        let mut stream = TcpStream::connect(self.address)?;
        write_request(&mut stream, "POST", path, headers, body)?;
        Ok(stream)
    }

    /// The value of a metric; 0 where it is absent.
    #[allow(dead_code, reason = "each bench uses its own part of this")]
    pub(crate) fn metric(&self, name_and_labels: &str) -> f64 {
        let mut stream = TcpStream::connect(self.address).expect("it takes connections");
        let request = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("it answers");
        text.lines()
            .find_map(|line| line.strip_prefix(name_and_labels)?.strip_prefix(' ')?.parse().ok())
            .unwrap_or(0.0)
    }
}

/// What the image sets for the C library's allocator.
pub(crate) fn allocator() -> impl Iterator<Item = (&'static str, &'static str)> {
    let variables = include_str!("../../Dockerfile")
        .lines()
        .filter_map(|line| line.strip_prefix("ENV "))
        .find(|variables| variables.starts_with("MALLOC_"))
        .expect("the image sets them");
    variables.split(' ').filter_map(|variable| variable.split_once('='))
}

/// Where the service listens, when this line of its log tells.
fn listens_at(line: &str) -> Option<SocketAddr> {
    let entry: serde_json::Value = serde_json::from_str(line).ok()?;
    entry["fields"]["address"].as_str()?.parse().ok()
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// One kept connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

/// An answer.
#[allow(dead_code, reason = "each bench uses its own part of this")]
pub(crate) struct Reply {
    /// The status.
    pub(crate) status: u16,
    /// The head as it came.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// A header's value; empty when there is none.
    #[allow(dead_code, reason = "each bench uses its own part of this")]
    pub(crate) fn header<'reply>(&'reply self, name: &str) -> &'reply str {
        let value = |line: &'reply str| line.strip_prefix(name)?.strip_prefix(": ");
        self.head.lines().find_map(value).unwrap_or("")
    }
}

impl Client {
    /// Connects.
    pub(crate) fn connect(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Posts a body and reads the answer: its status and body.
    #[allow(dead_code, reason = "each bench uses its own part of this")]
    pub(crate) fn post(&mut self, path: &str, body: &str) -> std::io::Result<(u16, Vec<u8>)> {
        let reply = self.send("POST", path, "Content-Type: application/json\r\n", body)?;
        Ok((reply.status, reply.body))
    }

    /// Sends a request with further headers, and reads the answer.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> std::io::Result<Reply> {
        // A service that refuses a large body may have answered before it was sent.
        let sent = write_request(self.stream.get_mut(), method, path, headers, body);
        self.receive().map_err(|error| sent.err().unwrap_or(error))
    }

    fn receive(&mut self) -> std::io::Result<Reply> {
        let head = read_head(&mut self.stream)?;
        let mut reply = Reply { status: status_of(&head)?, head, body: Vec::new() };
        let length = reply.header("content-length").parse().map_err(|_| broken())?;
        reply.body = vec![0; length];
        self.stream.read_exact(&mut reply.body)?;
        Ok(reply)
    }
}

/// The head of an answer, up to its blank line.
pub(crate) fn read_head(stream: &mut impl BufRead) -> std::io::Result<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Err(broken());
        }
    }
    Ok(head)
}

/// The status that a head tells.
pub(crate) fn status_of(head: &str) -> std::io::Result<u16> {
    head.get(9..12).and_then(|text| text.parse().ok()).ok_or_else(broken)
}

fn broken() -> std::io::Error {
    std::io::Error::from(std::io::ErrorKind::UnexpectedEof)
}

fn write_request(
    stream: &mut TcpStream,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> std::io::Result<()> {
    let length = body.len();
    let head =
        format!("{method} {path} HTTP/1.1\r\nHost: x\r\n{headers}Content-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

/// A board that no search decides soon; two variants are never the same.
pub(crate) fn hard_board(variant: usize) -> String {
    let mut rows = vec!["0".repeat(18); 18];
    for part in [variant % 324, (variant / 324 + variant + 1) % 324] {
        rows[part / 18].replace_range(part % 18..=part % 18, "1");
    }
    serde_json::json!({ "board": rows, "grundy": false }).to_string()
}
