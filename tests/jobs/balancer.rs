//! The load balancer's own configuration, in front of replicas that come and go.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::asking::{PATIENCE, ROUTE, quick, signal};
use crate::cluster::Cluster;
use crate::files::Folder;
use crate::support::Service;

const CONFIGURATION: &str = include_str!("../../deploy/haproxy/haproxy.cfg");

/// The balancer; it ends with its test.
struct Balancer(Child);

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the balancer on a port, in front of these services instead of those that it finds by name.
fn balance(folder: &Folder, port: u16, services: &[&Service]) -> Balancer {
    let named = CONFIGURATION.lines().find(|line| line.contains("server-template"));
    let named = named.expect("the replicas are found by name");
    let servers: Vec<_> = services
        .iter()
        .enumerate()
        .map(|(number, service)| {
            format!("    server replica{number} {} check inter 1s fall 1 rise 1", service.address())
        })
        .collect();
    let text = CONFIGURATION
        .replace(named, &servers.join("\n"))
        .replace("bind :8080", &format!("bind 127.0.0.1:{port}"));
    let path = folder.path().join("haproxy.cfg");
    fs::write(&path, text).expect("the folder takes a file");
    let mut command = Command::new("haproxy");
    command.arg("-db").arg("-f").arg(path).stdout(Stdio::null()).stderr(Stdio::null());
    Balancer(command.spawn().expect("HAProxy is installed: `./test` does it on Debian"))
}

#[test]
fn the_configuration_itself_is_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/haproxy/haproxy.cfg");
    let output = Command::new("haproxy").args(["-c", "-f", path]).output();
    let output = output.expect("HAProxy is installed: `./test` does it on Debian");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_job_asked_for_through_the_balancer_is_seen_through_it_when_a_replica_is_gone() {
    let cluster = Cluster::start();
    let first = cluster.serve(&[]);
    let second = cluster.serve(&[]);
    let folder = Folder::new();
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let port = port.expect("there is a free port").port();
    let _balancer = balance(&folder, port, &[&first, &second]);
    // While the balancer finds out who is there, it answers 503 or not at all.
    let send = |method: &str, path: &str, body: Vec<u8>| {
        let started = Instant::now();
        loop {
            let request = http::Request::builder()
                .method(method)
                .uri(format!("http://127.0.0.1:{port}{path}"))
                .header("Prefer", "respond-async")
                .header("Idempotency-Key", "through the balancer")
                .body(body.clone())
                .expect("the request is well-formed");
            match first.try_send(request, Duration::from_secs(5)) {
                Ok(answer) if answer.status < 500 => return answer,
                other => assert!(started.elapsed() < PATIENCE, "{other:?}"),
            }
            thread::sleep(Duration::from_millis(50));
        }
    };
    let accepted = send("POST", ROUTE, quick().to_string().into());
    assert_eq!(accepted.status, 202, "{}", accepted.text());
    let location = accepted.header("location").to_owned();
    signal(&second, Signal::KILL);
    let events = send("GET", &format!("{location}/events"), Vec::new());
    assert!(events.text().contains("event: end"), "{}", events.text());
    assert_eq!(send("GET", &location, Vec::new()).json()["state"], "done");
    drop(second);
}
