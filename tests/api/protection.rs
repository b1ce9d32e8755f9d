//! Keys, rates, origins, page policies: off unless set.

use std::io::Write as _;

use serde_json::json;

use crate::boards::{ROUTE, assert_problem, quick};
use crate::support::{Answer, Service, command};

fn with_key(service: &Service, path: &str, authorization: &str) -> Answer {
    let request = service.request("POST", path).header("Authorization", authorization);
    service.send(request.body(quick().to_string().into()).expect("the request is well-formed"))
}

#[test]
fn keys_guard_solves_metrics_and_info_and_leave_probes_and_pages_open() {
    // A key that is listed twice is a key like any other.
    let service = Service::start_with(&["--api-keys", "alpha,beta~2,alpha"]);
    for path in ["/livez", "/readyz", "/docs/", "/openapi.json", "/problems/unauthorized"] {
        assert_eq!(service.get(path).status, 200, "{path}");
    }
    for path in ["/metrics", "/info"] {
        assert_problem(&service.get(path), 401, "unauthorized");
    }
    let answer = service.post_json(ROUTE, &quick());
    assert_problem(&answer, 401, "unauthorized");
    assert_eq!(answer.header("www-authenticate"), "Bearer");
    for good in ["Bearer alpha", "bearer beta~2"] {
        assert_eq!(with_key(&service, ROUTE, good).status, 200, "{good}");
    }
    for bad in [
        "Bearer alph",
        "Bearer alphaa",
        "Bearer ALPHA",
        "Bearer alpha,beta~2",
        "Basic alpha",
        "alpha",
        "Bearer ",
    ] {
        assert_problem(&with_key(&service, ROUTE, bad), 401, "unauthorized");
    }
    assert_problem(&with_key(&service, "/nothing", "Bearer bad"), 404, "not_found");
    assert_problem(&service.get(ROUTE), 405, "method_not_allowed");
}

#[test]
fn keys_are_never_logged_or_shown() {
    let service = Service::start_with(&["--api-keys", "very-secret-key"]);
    with_key(&service, ROUTE, "Bearer very-secret-key");
    with_key(&service, ROUTE, "Bearer wrong-secret-key");
    let request = service.request("GET", "/info").header("Authorization", "Bearer very-secret-key");
    let info = service.send(request.body(Vec::new()).expect("the request is well-formed"));
    assert_eq!(info.json()["limits"]["api_keys"], "1 keys (redacted)");
    let log = format!("{:?}", service.log());
    assert!(!log.contains("secret-key"), "{log}");
}

#[test]
fn a_file_of_keys_is_read_again_on_sighup() {
    let folder = std::env::temp_dir().join(format!("boardsolve-keys-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder is made");
    let file = folder.join("keys");
    std::fs::File::create(&file).and_then(|mut file| writeln!(file, "old\n")).expect("written");
    let service = Service::start_with(&["--api-keys-file", file.to_str().expect("text")]);
    assert_eq!(with_key(&service, ROUTE, "Bearer old").status, 200);
    std::fs::write(&file, "new\nbad key\n").expect("written");
    service.hang_up();
    service.wait_until("a complaint", |service| {
        format!("{:?}", service.log()).contains("the keys stay as they were")
    });
    assert_eq!(with_key(&service, ROUTE, "Bearer old").status, 200);
    std::fs::write(&file, "new\n").expect("written");
    service.hang_up();
    service
        .wait_until("the new key", |service| with_key(service, ROUTE, "Bearer new").status == 200);
    assert_eq!(with_key(&service, ROUTE, "Bearer old").status, 401);
    std::fs::remove_dir_all(folder).expect("the folder is removed");
}

#[test]
fn a_rate_is_429_with_retry_after_once_it_is_passed() {
    for options in
        [&["--rate-per-address", "3"][..], &["--api-keys", "alpha", "--rate-per-key", "3"]]
    {
        let service = Service::start_with(options);
        let answers: Vec<_> = (0..20).map(|_| with_key(&service, ROUTE, "Bearer alpha")).collect();
        let refused: Vec<_> = answers.iter().filter(|answer| answer.status != 200).collect();
        assert!(answers.len() - refused.len() >= 3, "a burst of three goes through");
        assert!(!refused.is_empty(), "twenty at once do not");
        for answer in refused {
            assert_problem(answer, 429, "rate_limited");
            assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|wait| wait >= 1));
        }
        assert_eq!(service.get("/livez").status, 200, "probes are not counted");
    }
}

#[test]
fn one_keys_rate_is_not_anothers() {
    let service = Service::start_with(&["--api-keys", "alpha,beta", "--rate-per-key", "2"]);
    while with_key(&service, ROUTE, "Bearer alpha").status == 200 {}
    assert_eq!(with_key(&service, ROUTE, "Bearer beta").status, 200);
}

#[test]
fn only_listed_origins_may_call_from_a_page() {
    let service = Service::start_with(&["--cors-origins", "https://good.example"]);
    let ask = |method: &str, origin: &str| {
        let request = service
            .request(method, ROUTE)
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type");
        let body = if method == "POST" { quick().to_string() } else { String::new() };
        service.send(request.body(body.into()).expect("the request is well-formed"))
    };
    let preflight = ask("OPTIONS", "https://good.example");
    assert_eq!(preflight.header("access-control-allow-origin"), "https://good.example");
    assert!(preflight.header("access-control-allow-methods").contains("POST"));
    let answer = ask("POST", "https://good.example");
    assert_eq!(answer.header("access-control-allow-origin"), "https://good.example");
    assert!(answer.header("access-control-expose-headers").contains("x-request-id"));
    assert_eq!(ask("POST", "https://bad.example").header("access-control-allow-origin"), "");
    let closed = Service::start();
    let request = closed.request("POST", ROUTE).header("Origin", "https://good.example");
    let answer = closed.send(request.body(quick().to_string().into()).expect("well-formed"));
    assert_eq!(answer.header("access-control-allow-origin"), "");
}

#[test]
fn pages_have_a_policy_and_nothing_is_sniffed() {
    let service = Service::start();
    for path in ["/docs/", "/problems/gone"] {
        let answer = service.get(path);
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
}

#[test]
fn every_faulty_option_is_named_at_once_with_flag_and_variable() {
    let output = command()
        .args(["serve", "--listen", "nowhere", "--places", "0", "--api-keys", "a b"])
        .args(["--cors-origins", "https://x.example/path"])
        .env("BOARDSOLVE_QUEUE", "many")
        .env("BOARDSOLVE_LOG_FORMAT", "xml")
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).expect("text");
    for name in [
        "--listen (BOARDSOLVE_LISTEN)",
        "--places (BOARDSOLVE_PLACES)",
        "--queue (BOARDSOLVE_QUEUE)",
        "--log-format (BOARDSOLVE_LOG_FORMAT)",
        "--api-keys (BOARDSOLVE_API_KEYS)",
        "--cors-origins (BOARDSOLVE_CORS_ORIGINS)",
    ] {
        assert!(text.contains(name), "{name} is missing in:\n{text}");
    }
    assert!(!text.contains("a b"), "a key is never shown: {text}");
}

#[test]
fn info_names_every_limit_in_force() {
    let service = Service::start_with(&["--queue", "7"]);
    let info = service.get("/info").json();
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(info["limits"]["queue"], json!(7));
    for limit in [
        "time_limit_ms",
        "max_time_limit_ms",
        "places",
        "queue_wait_ms",
        "solve_memory_mb",
        "shared_memory_mb",
        "body_limit_kb",
        "body_timeout_ms",
        "idle_timeout_ms",
        "max_connections",
        "drain_ms",
    ] {
        assert!(info["limits"][limit].is_u64(), "{limit}: {info}");
    }
}
