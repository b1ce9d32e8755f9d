//! A client of bulk that sends and reads piece by piece, as no whole-body client does.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::boards::hard;
use crate::support::chunks::Chunks;
use crate::support::{Answer, Service};

/// The media type of bulk.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// A request with a body that is sent piece by piece.
pub(crate) struct Sending(pub(crate) TcpStream);

/// Its answer, which is read piece by piece.
pub(crate) struct Receiving<Source = BufReader<Chunks>> {
    pub(crate) head: String,
    pub(crate) lines: Source,
}

/// Begins a bulk request whose body goes on until [`Sending::end`].
pub(crate) fn begin(service: &Service, target: &str, headers: &str) -> Sending {
    let mut stream = service.connect();
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: x\r\nContent-Type: {NDJSON}\r\n{headers}\
         Transfer-Encoding: chunked\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("the head is sent");
    Sending(stream)
}

impl Sending {
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend_from_slice(bytes);
        chunk.extend_from_slice(b"\r\n");
        self.0.write_all(&chunk).expect("the chunk is sent");
    }

    pub(crate) fn send_line(&mut self, request: &Value) {
        self.send(format!("{request}\n").as_bytes());
    }

    pub(crate) fn end(&mut self) {
        self.0.write_all(b"0\r\n\r\n").expect("the end is sent");
    }

    /// The answer, from its head on.
    pub(crate) fn receive(&self) -> Receiving {
        let mut stream = BufReader::new(self.0.try_clone().expect("a socket can be shared"));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let length = stream.read_line(&mut head).expect("the head arrives");
            assert!(length > 0, "the head broke off: {head}");
        }
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(head.contains(&format!("content-type: {NDJSON}")), "{head}");
        Receiving { head, lines: BufReader::new(Chunks::new(stream)) }
    }
}

impl<Source: BufRead> Receiving<Source> {
    /// The next line, or `None` at a proper end.
    pub(crate) fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        let length = self.lines.read_line(&mut line).expect("the answer goes on");
        (length > 0).then(|| parse(&line))
    }

    pub(crate) fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.line()).collect()
    }
}

#[track_caller]
pub(crate) fn parse(line: &str) -> Value {
    assert!(line.ends_with('\n'), "a line has an end: {line}");
    serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"))
}

/// Sends a whole bulk body; the lines of the answer.
pub(crate) fn post(service: &Service, target: &str, body: impl Into<Vec<u8>>) -> Vec<Value> {
    let answer = service.post(target, NDJSON, body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), NDJSON);
    lines(&answer)
}

pub(crate) fn lines(answer: &Answer) -> Vec<Value> {
    answer.text().split_inclusive('\n').map(parse).collect()
}

pub(crate) fn line_numbers(answers: &[Value]) -> Vec<u64> {
    answers.iter().map(|answer| answer["line"].as_u64().expect("every line has a number")).collect()
}

/// Fails unless the line is a problem of that code on that line.
#[track_caller]
pub(crate) fn assert_problem_line(answer: &Value, line: usize, code: &str) {
    assert_eq!(answer["type"], format!("/problems/{code}"), "{answer}");
    assert_eq!(answer["code"], code, "{answer}");
    assert_eq!(answer["line"], line, "{answer}");
    for member in ["title", "detail", "request_id"] {
        assert!(answer[member].as_str().is_some_and(|text| !text.is_empty()), "{answer}");
    }
    assert!(answer["status"].is_number(), "{answer}");
}

/// So many hard boards, one a line.
pub(crate) fn hard_lines(count: usize) -> String {
    (0..count).map(|variant| format!("{}\n", hard(variant))).collect()
}
