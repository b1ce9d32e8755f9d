//! The running service for benches, and a client for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;

const BINARY: &str = env!("CARGO_BIN_EXE_boardsolve");

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
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(process.stderr.take().expect("it is piped")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let entry: serde_json::Value = serde_json::from_str(&line).ok()?;
                entry["fields"]["address"].as_str()?.parse().ok()
            })
            .expect("the service says where it listens");
        thread::spawn(move || lines.for_each(drop));
        Self { process, address }
    }

    /// The process's id.
    #[allow(dead_code, reason = "each bench uses its own part of this")]
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a request and leaves its connection open.
    pub(crate) fn begin(&self, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("it takes connections");
        write_request(&mut stream, path, body).expect("it reads");
        stream
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

impl Client {
    /// Connects.
    pub(crate) fn connect(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Posts a body and reads the answer: its status and body.
    pub(crate) fn post(&mut self, path: &str, body: &str) -> std::io::Result<(u16, Vec<u8>)> {
        write_request(self.stream.get_mut(), path, body)?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let broken = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let status = line.get(9..12).and_then(|text| text.parse().ok()).ok_or_else(broken)?;
        let mut length = 0;
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(broken());
            }
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().map_err(|_| broken())?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        Ok((status, answer))
    }
}

fn write_request(stream: &mut TcpStream, path: &str, body: &str) -> std::io::Result<()> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
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
