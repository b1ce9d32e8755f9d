//! The running service for tests: the built binary on a port of its own, an
//! HTTP client for it, and its log.
//!
//! ```text
//! let service = Service::start();
//! let answer = service.post("/linkgame", "application/json", r#"{"board":["AA"]}"#);
//! assert_eq!(answer.status, 200);
//! ```
//!
//! The service is killed when its [`Service`] is dropped. It starts in a few
//! milliseconds, so every test starts its own and no test sees another's load.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use http::{HeaderMap, Request};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

pub(crate) mod asking;
pub(crate) mod chunks;

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_boardsolve");

/// How long anything that should be quick may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running service.
#[derive(Debug)]
pub(crate) struct Service {
    process: Child,
    address: SocketAddr,
    log: Arc<Mutex<Vec<Value>>>,
    agent: ureq::Agent,
}

impl Service {
    /// Starts a service with its default options.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a service with further options, such as `&["--places", "1"]`.
    pub(crate) fn start_with(options: &[&str]) -> Self {
        let mut process = command()
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
            .args(options)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let log = Arc::default();
        let addresses = follow_log(&mut process, Arc::clone(&log));
        let address = match addresses.recv_timeout(PATIENCE) {
            Ok(address) => address,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                let _ = process.kill();
                panic!("the service did not start with {options:?}; its log: {log:?}");
            }
        };
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .max_redirects(0)
            .accept("")
            .timeout_global(Some(PATIENCE))
            .build()
            .into();
        Self { process, address, log, agent }
    }

    /// Where it listens.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends `GET path`.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path).body(Vec::new()).expect("the request is well-formed"))
    }

    /// Sends `POST path` with a body.
    pub(crate) fn post(&self, path: &str, content_type: &str, body: impl Into<Vec<u8>>) -> Answer {
        let request = self.request("POST", path).header("Content-Type", content_type);
        self.send(request.body(body.into()).expect("the request is well-formed"))
    }

    /// Sends `POST path` with a JSON body.
    pub(crate) fn post_json(&self, path: &str, body: &Value) -> Answer {
        self.post(path, "application/json", body.to_string())
    }

    /// A request to add headers and a body to; no header stands in it yet.
    pub(crate) fn request(&self, method: &str, path: &str) -> http::request::Builder {
        Request::builder().method(method).uri(self.url(path))
    }

    /// Sends a request and reads the whole answer, whatever its status.
    pub(crate) fn send(&self, request: Request<Vec<u8>>) -> Answer {
        let what = format!("{} {}", request.method(), request.uri());
        self.try_send(request, PATIENCE).unwrap_or_else(|error| panic!("{what}: {error}"))
    }

    /// As [`Service::send`], to a service that may not answer, or not within `time`.
    pub(crate) fn try_send(
        &self,
        request: Request<Vec<u8>>,
        time: Duration,
    ) -> Result<Answer, ureq::Error> {
        let request = self.agent.configure_request(request).timeout_global(Some(time)).build();
        let mut response = self.agent.run(request)?;
        Ok(Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.body_mut().with_config().limit(u64::MAX).read_to_vec()?,
        })
    }

    /// A bare connection, for what no well-behaved client sends.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the service takes connections");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket takes a timeout");
        stream.set_write_timeout(Some(PATIENCE)).expect("a socket takes a timeout");
        stream
    }

    /// The log lines so far, oldest first.
    pub(crate) fn log(&self) -> Vec<Value> {
        self.log.lock().expect("nothing panics under this lock").clone()
    }

    /// Waits until `is_so` holds, such as for a log line or a metric.
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let started = Instant::now();
        while !is_so(self) {
            let waited = started.elapsed();
            assert!(waited < PATIENCE, "waited {waited:?} for {what}; log: {:#?}", self.log());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        let process = Pid::from_child(&self.process);
        kill_process(process, Signal::TERM).expect("the service still runs");
    }

    /// Sends SIGINT, as Ctrl+C does.
    pub(crate) fn interrupt(&self) {
        let process = Pid::from_child(&self.process);
        kill_process(process, Signal::INT).expect("the service still runs");
    }

    /// Sends SIGHUP.
    pub(crate) fn hang_up(&self) {
        let process = Pid::from_child(&self.process);
        kill_process(process, Signal::HUP).expect("the service still runs");
    }

    /// The process's id.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Waits for the process to end.
    pub(crate) fn wait_for_exit(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().expect("the process can be waited for") {
                return status;
            }
            let waited = started.elapsed();
            assert!(waited < PATIENCE, "waited {waited:?} for the exit; log: {:#?}", self.log());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The binary as a command, untouched by the variables of whoever runs the tests.
pub(crate) fn command() -> Command {
    let mut command = Command::new(BINARY);
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("BOARDSOLVE_") {
            command.env_remove(variable);
        }
    }
    command.env_remove("RUST_LOG");
    command
}

/// Collects the log of a service, and passes on the address that it names.
fn follow_log(process: &mut Child, log: Arc<Mutex<Vec<Value>>>) -> Receiver<SocketAddr> {
    let lines = BufReader::new(process.stderr.take().expect("standard error is piped")).lines();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let entry = serde_json::from_str(&line).unwrap_or(Value::String(line));
            if entry["fields"]["message"] == "boardsolve serves"
                && let Some(address) = entry["fields"]["address"].as_str()
            {
                let _ = sender.send(address.parse().expect("the log names an address"));
            }
            log.lock().expect("nothing panics under this lock").push(entry);
        }
    });
    receiver
}

/// What the service answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The headers.
    pub(crate) headers: HeaderMap,
    /// The body as it came.
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// A header's value; empty when there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("the header is text"))
    }

    /// The body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the answer is UTF-8")
    }

    /// The body as JSON, which ends its line.
    pub(crate) fn json(&self) -> Value {
        assert!(self.body.ends_with(b"\n"), "{}", self.text());
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("the answer is not JSON ({error}): {}", self.text()))
    }
}
