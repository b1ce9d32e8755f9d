//! Probes, metrics, the command line.

use std::io::Write;
use std::process::Stdio;

use crate::boards::{ROUTE, assert_problem, metric, quick};
use crate::support::{Service, command};

#[test]
fn metrics_count_solves_by_puzzle_and_outcome() {
    let service = Service::start();
    for _ in 0..3 {
        service.post_json(ROUTE, &quick());
    }
    service.post_json("/linkgame", &serde_json::json!({ "board": ["AB", "BA"] }));
    let solved = "boardsolve_solve_seconds_count{puzzle=\"tetris-sg\",outcome=\"solved\"}";
    assert_eq!(metric(&service, solved), 1.0);
    assert_eq!(metric(&service, "boardsolve_cache_lookups_total{result=\"hit\"}"), 2.0);
    let unsolvable = "boardsolve_solve_seconds_count{puzzle=\"linkgame\",outcome=\"unsolvable\"}";
    assert_eq!(metric(&service, unsolvable), 1.0);
    let responses = "boardsolve_responses_total{route=\"/tetris-sg\",status=\"200\"}";
    assert_eq!(metric(&service, responses), 3.0);
}

#[test]
fn metrics_sum_up_the_seconds_and_nodes_of_solves_and_the_bytes_of_bodies() {
    let service = Service::start();
    let body = quick().to_string();
    let answer = service.post(ROUTE, "application/json", body.as_str());
    let stats = answer.json()["stats"].take();
    let milliseconds = stats["time_ms"].as_f64().expect("a number");
    let nodes = stats["nodes"].as_f64().expect("a number");
    assert!(
        milliseconds > 0.0 && nodes > 0.0,
        "what took no time or node was not counted: {stats}"
    );
    assert_eq!(metric(&service, "boardsolve_nodes_total{puzzle=\"tetris-sg\"}"), nodes);
    let seconds = "boardsolve_solve_seconds_sum{puzzle=\"tetris-sg\",outcome=\"solved\"}";
    let seconds = metric(&service, seconds);
    assert!((seconds * 1e3 - milliseconds).abs() < 1e-6, "{seconds} s, {milliseconds} ms");
    service.post(ROUTE, "application/x-ndjson", format!("{body}\n{body}"));
    let bytes = metric(&service, "boardsolve_body_bytes_total");
    assert_eq!(bytes, 3.0 * body.len() as f64);
}

#[test]
fn metrics_stand_at_zero_before_anything_happens_and_paths_are_never_labels() {
    let service = Service::start();
    service.get("/some/raw/path-of-a-stranger");
    let text = service.get("/metrics").text().to_owned();
    for endpoint in boardsolve::puzzles::ALL {
        let name = endpoint.name();
        for metric in ["verification_failures", "panics", "nodes"] {
            let line = format!("boardsolve_{metric}_total{{puzzle=\"{name}\"}} 0");
            assert!(text.contains(&line), "{line} is missing");
        }
    }
    assert!(text.contains("boardsolve_build_info{version="));
    assert!(!text.contains("stranger"), "{text}");
}

#[test]
fn a_listener_for_operators_takes_probes_and_metrics_away_from_the_main_one() {
    let service = Service::start_with(&["--ops-listen", "127.0.0.1:0"]);
    service.wait_until("the second listener", |service| ops_address(service).is_some());
    let ops = ops_address(&service).expect("it was logged");
    for path in ["/livez", "/readyz", "/metrics"] {
        let answer = get(&ops, path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    }
    assert!(get(&ops, ROUTE).starts_with("HTTP/1.1 404"));
    assert_eq!(service.get("/livez").status, 200);
    assert_problem(&service.get("/metrics"), 404, "not_found");
    assert_problem(&service.get("/readyz"), 404, "not_found");
}

#[test]
fn the_listener_for_operators_says_during_a_drain_that_the_service_lives_but_is_not_ready() {
    let options = ["--ops-listen", "127.0.0.1:0", "--places", "1"];
    let service = std::sync::Arc::new(Service::start_with(&options));
    service.wait_until("the second listener", |service| ops_address(service).is_some());
    let ops = ops_address(&service).expect("it was logged");
    assert!(get(&ops, "/readyz").ends_with("\r\n\r\nok\n"));
    let asking = {
        let service = std::sync::Arc::clone(&service);
        let path = format!("{ROUTE}?time_limit_ms=2000");
        std::thread::spawn(move || service.post_json(&path, &crate::boards::hard(0)))
    };
    service.wait_until("a running solve", |_| {
        get(&ops, "/metrics").contains("boardsolve_places_in_use{lane=\"long\"} 1")
    });
    service.terminate();
    service.wait_until("the drain", |_| get(&ops, "/readyz").starts_with("HTTP/1.1 503"));
    assert!(get(&ops, "/readyz").contains("\"code\":\"draining\""));
    assert!(get(&ops, "/livez").starts_with("HTTP/1.1 200"));
    assert_eq!(asking.join().expect("the client ends").status, 200);
}

fn ops_address(service: &Service) -> Option<String> {
    let log = service.log();
    let line =
        log.iter().find(|line| line["fields"]["message"] == "probes and metrics answer here");
    line.and_then(|line| line["fields"]["address"].as_str()).map(str::to_owned)
}

fn get(address: &str, path: &str) -> String {
    let mut stream = std::net::TcpStream::connect(address).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer).expect("it answers");
    answer
}

#[test]
fn healthcheck_tells_a_running_service_from_none() {
    let service = Service::start();
    let check = |listen: &str| {
        let status = command().args(["healthcheck", "--listen", listen]).output();
        status.expect("the binary runs").status.code()
    };
    assert_eq!(check(&service.address().to_string()), Some(0));
    let everywhere = format!("0.0.0.0:{}", service.address().port());
    assert_eq!(check(&everywhere), Some(0));
    drop(service);
    assert_eq!(check(&everywhere), Some(1));
}

/// Runs `boardsolve solve` on an input; its exit code, output and complaints.
fn solve(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut process = command()
        .arg("solve")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = process.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = process.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn solve_answers_text_in_text_and_json_in_json() {
    let (code, out, _) = solve(&["tetris-sg"], "4 4\n0000\n0000\n0000\n0000\n");
    assert_eq!((code, out.as_str()), (Some(0), "Yes\n"));
    let (code, out, _) = solve(&["tetris-sg"], &quick().to_string());
    assert_eq!(code, Some(0));
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["winner"], "first");
    let (code, out, _) = solve(&["linkgame", "--outside"], "2 4\n*DCD\nACA*\n");
    assert_eq!((code, out.as_str()), (Some(0), "yes\n"));
    let (code, out, _) = solve(&["linkgame", "--outside=false", "-"], "2 4\n*DCD\nACA*\n");
    assert_eq!((code, out.as_str()), (Some(0), "no\n"));
}

#[test]
fn solve_exits_with_2_on_bad_input_and_3_when_undecided() {
    let (code, out, complaint) = solve(&["tetris-sg"], "2 2\n00\n0x\n");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(complaint.contains("line 3"), "{complaint}");
    let (code, _, complaint) = solve(&["tetris-sg"], "{\"board\": [\"00\", \"0\"]}");
    assert_eq!(code, Some(2));
    assert!(complaint.contains("/board/1"), "{complaint}");
    let hard = crate::boards::hard(0).to_string();
    let (code, out, _) = solve(&["tetris-sg", "--time-limit-ms", "50"], &hard);
    assert_eq!(code, Some(3));
    assert!(out.contains("\"status\":\"unknown\""), "{out}");
    let (code, _, complaint) =
        solve(&["tetris-sg", "--time-limit-ms", "50", "--output", "text"], &hard);
    assert_eq!(code, Some(3));
    assert!(complaint.contains("not decided"), "{complaint}");
    let (code, _, complaint) = solve(&["linkgame", "/no/such/file"], "");
    assert_eq!(code, Some(1));
    assert!(complaint.contains("/no/such/file"), "{complaint}");
}

#[test]
fn spans_reach_the_collector_that_is_named_and_join_the_callers_trace() {
    let collector = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = collector.local_addr().expect("it has one");
    let received = std::thread::spawn(move || {
        let (mut stream, _) = collector.accept().expect("the service sends");
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        while !bytes.windows(4).any(|window| window == b"list") {
            let length = std::io::Read::read(&mut stream, &mut chunk).expect("it sends all");
            assert!(length > 0, "the body broke off: {:?}", String::from_utf8_lossy(&bytes));
            bytes.extend_from_slice(&chunk[..length]);
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").expect("it reads");
        bytes
    });
    let endpoint = format!("http://{address}/v1/traces");
    let mut service = Service::start_with(&["--otlp-endpoint", &endpoint]);
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let request = service
        .request("GET", "/livez")
        .header("X-Request-Id", "list")
        .header("traceparent", format!("00-{trace}-b7ad6b7169203331-01"))
        .body(Vec::new());
    service.send(request.expect("the request is well-formed"));
    service.terminate();
    assert_eq!(service.wait_for_exit().code(), Some(0));
    let bytes = received.join().expect("the collector ends");
    let id: Vec<u8> = (0..16)
        .map(|index| u8::from_str_radix(&trace[index * 2..][..2], 16).expect("hexadecimal"))
        .collect();
    assert!(bytes.windows(16).any(|window| window == id), "the trace's id is in the spans");
}

/// Writes an input to a file of that name, which the caller removes.
fn file(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("boardsolve-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a file can be written");
    path
}

#[test]
fn solve_reads_lines_and_answers_them_in_order() {
    let hard = crate::boards::hard(0);
    let quick = quick();
    let input = format!("{hard}\n\n{quick}\r\n{{\"board\": [\"00\"\n[]\n{quick}");
    let limit = ["tetris-sg", "--time-limit-ms", "300", "--places", "2"];
    let (code, out, told) = solve(&[&limit[..], &["--input", "ndjson"]].concat(), &input);
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |index: usize, member: &str| lines[index][member].clone();
    assert_eq!(lines.len(), 5, "{out}");
    for (index, (line, word)) in
        [(1, "unknown"), (3, "solved"), (4, "malformed_body"), (5, "invalid_puzzle"), (6, "solved")]
            .into_iter()
            .enumerate()
    {
        assert_eq!(of(index, "line"), line, "{out}");
        let told =
            if of(index, "type").is_null() { of(index, "status") } else { of(index, "code") };
        assert_eq!(told, word, "{out}");
    }
    assert_eq!((code, told.as_str()), (Some(2), ""), "bad lines count before undecided ones");
    let path = file("lines.ndjson", &format!("{hard}\n{quick}\n"));
    let name = path.to_str().expect("the path is UTF-8");
    let (code, out, _) = solve(&[&limit[..], &[name]].concat(), "");
    assert_eq!((code, out.lines().count()), (Some(3), 2));
    std::fs::remove_file(&path).expect("it was written");
    let (code, out, _) = solve(&["tetris-sg", "--input", "ndjson"], "");
    assert_eq!((code, out.as_str()), (Some(0), ""));
    let (code, _, told) = solve(&["tetris-sg", "--input", "ndjson", "--output", "text"], "");
    assert_eq!(code, Some(2));
    assert!(told.contains("NDJSON"), "{told}");
    let (code, _, told) = solve(&["tetris-sg", "--input", "ndjson", "--moves", "all"], "");
    assert_eq!(code, Some(2));
    assert!(told.contains("field of the input"), "{told}");
}

#[test]
fn solve_gives_lines_for_text_on_demand() {
    let text = "4 4\n0000\n0000\n0000\n0000\n2 2\n11\n11\n";
    let (code, out, _) = solve(&["tetris-sg", "--output", "ndjson"], text);
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(code, Some(0));
    assert_eq!((lines[0]["line"].as_u64(), lines[1]["line"].as_u64()), (Some(1), Some(6)));
}

#[test]
fn solve_answers_a_line_before_the_next_comes() {
    let mut process = command()
        .args(["solve", "tetris-sg", "--input", "ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = process.stdin.take().expect("it is piped");
    let mut stdout = std::io::BufReader::new(process.stdout.take().expect("it is piped"));
    for number in 1..=3 {
        writeln!(stdin, "{}", quick()).expect("it reads");
        let mut line = String::new();
        std::io::BufRead::read_line(&mut stdout, &mut line).expect("it answers");
        assert!(line.starts_with(&format!("{{\"line\":{number},")), "{line}");
    }
    drop(stdin);
    assert!(process.wait().expect("it ends").success());
}

#[test]
fn solve_shows_its_progress_on_a_terminal_and_only_there() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&controller).expect("it is ours");
    unlockpt(&controller).expect("it is ours");
    let name = ptsname(&controller, Vec::new()).expect("it has a name");
    let name = name.to_str().expect("the name is UTF-8");
    let terminal = std::fs::OpenOptions::new().read(true).write(true).open(name);
    let path = file("progress.jsonl", &format!("{}\n[]\n", quick()));
    let output = command()
        .args(["solve", "tetris-sg", path.to_str().expect("the path is UTF-8")])
        .env("TERM", "xterm")
        .stderr(terminal.expect("it can be opened"))
        .output()
        .expect("the binary runs");
    std::fs::remove_file(&path).expect("it was written");
    assert_eq!(
        (output.status.code(), output.stdout.split(|byte| *byte == b'\n').count()),
        (Some(2), 3)
    );
    let mut shown = Vec::new();
    // Linux ends the reading of a terminal that nobody has open any more with an error.
    let _ = std::io::Read::read_to_end(&mut std::fs::File::from(controller), &mut shown);
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains("100 %") && shown.contains("2 lines, 1 bad, 0 undecided"), "{shown}");
}
