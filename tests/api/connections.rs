//! Connections that stall, idle, or come in numbers.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::boards::{ROUTE, metric, quick};
use crate::support::Service;

/// Reads until the other side closes; a reset counts as closed.
fn read_until_closed(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the connection stayed open: {error}"),
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn silent_half_header_and_half_body_connections_are_closed() {
    let service = Service::start_with(&["--idle-timeout-ms", "300", "--body-timeout-ms", "300"]);
    let mut silent = service.connect();
    let mut half_header = service.connect();
    half_header.write_all(b"POST /tetris-sg HTTP/1.1\r\nHost:").expect("sent");
    let mut half_body = service.connect();
    let head = format!("POST {ROUTE} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{{\"bo");
    half_body.write_all(head.as_bytes()).expect("sent");
    assert_eq!(read_until_closed(&mut silent), "");
    read_until_closed(&mut half_header);
    assert!(read_until_closed(&mut half_body).starts_with("HTTP/1.1 408"));
}

#[test]
fn connections_are_counted_while_they_are_open() {
    let service = Service::start();
    let open = |service: &Service| metric(service, "boardsolve_connections");
    assert_eq!(open(&service), 1.0, "the one that asks");
    let others: Vec<_> = (0..5).map(|_| service.connect()).collect();
    service.wait_until("five more", |service| open(service) == 6.0);
    drop(others);
    service.wait_until("none but the one that asks", |service| open(service) == 1.0);
}

#[test]
fn a_header_that_drips_does_not_hold_its_connection() {
    let service = Service::start_with(&["--idle-timeout-ms", "300"]);
    let mut stream = service.connect();
    stream.write_all(b"GET /livez HTTP/1.1\r\n").expect("sent");
    let dripped = (0..100).take_while(|number| {
        std::thread::sleep(Duration::from_millis(50));
        stream.write_all(format!("X-{number}: 1\r\n").as_bytes()).is_ok()
    });
    assert!(dripped.count() < 100, "five seconds of drips were taken");
}

#[test]
fn a_kept_connection_serves_several_requests_and_closes_when_idle() {
    let service = Service::start_with(&["--idle-timeout-ms", "400"]);
    let mut stream = service.connect();
    for _ in 0..3 {
        stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").expect("sent");
        let mut answer = Vec::new();
        while !answer.ends_with(b"ok\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("it answers");
            answer.push(byte[0]);
        }
    }
    assert_eq!(read_until_closed(&mut stream), "");
}

#[test]
fn connections_over_the_cap_are_told_so_and_a_freed_place_is_taken() {
    let service = Service::start_with(&["--max-connections", "8"]);
    let mut held: Vec<_> = (0..8).map(|_| service.connect()).collect();
    for stream in &mut held {
        stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").expect("sent");
        stream.read_exact(&mut [0; 12]).expect("it answers");
    }
    let mut refused = service.connect();
    let answer = read_until_closed(&mut refused);
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.contains("\"code\":\"overloaded\""), "{answer}");
    assert!(answer.contains("application/problem+json"), "{answer}");
    drop(held);
    service.wait_until("a free connection", |service| {
        let mut stream = service.connect();
        stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").is_ok()
            && read_until_closed(&mut stream).starts_with("HTTP/1.1 200")
    });
}

#[test]
fn ten_thousand_idle_connections_do_not_stop_a_new_one() {
    // The service raises its own limit on descriptors; this end of the connections needs as
    // many. Where the system allows fewer, as many as it allows have to do.
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let raised = rustix::process::Rlimit { current: limit.maximum, maximum: limit.maximum };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, raised).expect("it is allowed");
    let service = Service::start_with(&["--max-connections", "10100"]);
    let count = limit.maximum.map_or(10_000, |maximum| maximum.min(10_200) - 200);
    let idle: Vec<_> = (0..count)
        .map(|_| std::net::TcpStream::connect(service.address()).expect("a connection"))
        .collect();
    assert_eq!(service.post_json(ROUTE, &quick()).status, 200);
    assert!(crate::boards::metric(&service, "boardsolve_connections") >= count as f64);
    drop(idle);
}

#[test]
fn what_is_not_http_is_refused_and_the_service_goes_on() {
    let service = Service::start();
    let long_target = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    let many_headers = format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(1000));
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"NOT HTTP AT ALL\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /tetris-sg HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /tetris-sg HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
        long_target.as_bytes(),
        many_headers.as_bytes(),
    ] {
        let mut stream = service.connect();
        // The service may close before it has taken everything.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let answer = read_until_closed(&mut stream);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1."), "{answer}");
        assert!(!answer.starts_with("HTTP/1.1 2"), "{answer}");
    }
    assert_eq!(service.post_json(ROUTE, &quick()).status, 200);
}
