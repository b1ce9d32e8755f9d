//! Three replicas, a thousand jobs, and everything that can be done to a
//! process: replicas are killed, frozen for longer than a lease and told to end,
//! and the store itself crashes. Every job that was accepted ends once, with the
//! answer that a plain solve gives.

use std::collections::BTreeMap;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::asking::{ROUTE, metric, signal, without_stats};
use crate::cluster::Cluster;
use crate::support::{Answer, Service};

const JOBS: usize = 1000;

/// Jobs that run until their time is up, so that there is always something to interrupt.
const LONG_EVERY: usize = 10;

/// What the replicas are started with.
const OPTIONS: &[&str] = &["--solve-memory-mb", "32"];

/// How long the replicas are tormented.
const TORMENT: Duration = Duration::from_secs(60);

/// How long all jobs may take to end after that.
const REST: Duration = Duration::from_secs(60);

/// How long one request may take.
const REQUEST_TIME: Duration = Duration::from_secs(4);

/// The replicas, each absent while it is being replaced.
struct Replicas<'test> {
    cluster: &'test Cluster,
    running: [RwLock<Service>; 3],
}

impl Replicas<'_> {
    /// Asks any replica until one answers other than that it can't just now.
    fn ask(&self, random: &mut Rng, build: impl Fn(&Service) -> http::Request<Vec<u8>>) -> Answer {
        let started = Instant::now();
        loop {
            // A replica that is being replaced is not waited for; one that is killed or frozen
            // meanwhile is what this is about.
            let Ok(service) = self.running[random.usize(..3)].try_read() else {
                thread::sleep(Duration::from_millis(5));
                continue;
            };
            let request = build(&service);
            let what = request.uri().clone();
            let answer = service.try_send(request, REQUEST_TIME);
            drop(service);
            match answer {
                Ok(answer) if answer.status < 500 => return answer,
                other => {
                    let waited = started.elapsed();
                    assert!(waited < TORMENT + REST, "{what}: {other:?} after {waited:?}");
                    thread::sleep(Duration::from_millis(50));
                }
            }
        }
    }

    /// Does one thing to one replica.
    fn torment(&self, random: &mut Rng, round: usize) {
        let replica = &self.running[random.usize(..3)];
        let send = |kind| signal(&replica.read().expect("nobody panics"), kind);
        if round % 4 == 3 {
            send(Signal::STOP);
            thread::sleep(Duration::from_secs(10));
            send(Signal::CONT);
            return;
        }
        let is_told = round % 4 == 1;
        send(if is_told { Signal::TERM } else { Signal::KILL });
        let mut replica = replica.write().expect("nobody panics");
        let status = replica.wait_for_exit();
        assert!(!is_told || status.code() == Some(0), "{status}: {:#?}", replica.log());
        *replica = self.cluster.serve(OPTIONS);
    }
}

/// The board of a job: no two of a test are the same.
fn board(index: usize) -> Value {
    if index.is_multiple_of(LONG_EVERY) {
        let mut rows = vec!["0".repeat(17); 17];
        let number = index / LONG_EVERY;
        rows[number / 17].replace_range(number % 17..=number % 17, "1");
        return json!({ "board": rows });
    }
    let mut random = Rng::with_seed(index as u64);
    let row =
        |random: &mut Rng| (0..8).map(|_| if random.u8(..6) == 0 { '1' } else { '0' }).collect();
    let rows: Vec<String> = (0..7).map(|_| row(&mut random)).collect();
    json!({ "board": rows })
}

fn path(index: usize) -> String {
    let limit = if index.is_multiple_of(LONG_EVERY) { 1000 } else { 600_000 };
    format!("{ROUTE}?time_limit_ms={limit}")
}

#[test]
fn a_thousand_jobs_end_once_and_rightly_whatever_happens_to_replicas_and_store() {
    let seed = 20_260_801;
    let cluster = Cluster::start();
    let running = [(); 3].map(|()| RwLock::new(cluster.serve(OPTIONS)));
    let replicas = Replicas { cluster: &cluster, running };
    // Every end of a job is written down, by the store itself.
    cluster.query(
        "CREATE TABLE ends (id TEXT, state BIGINT); \
         CREATE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN INSERT INTO ends VALUES (NEW.id, NEW.state); RETURN NULL; END $$; \
         CREATE TRIGGER note_end AFTER UPDATE OF state ON boardsolve_jobs FOR EACH ROW \
         WHEN (NEW.state > 1) EXECUTE FUNCTION note_end()",
    );
    let is_over = AtomicBool::new(false);
    let jobs = thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = Rng::with_seed(seed);
            let started = Instant::now();
            for round in 0.. {
                if started.elapsed() >= TORMENT {
                    break;
                }
                thread::sleep(Duration::from_millis(random.u64(300..2500)));
                replicas.torment(&mut random, round);
            }
            is_over.store(true, Ordering::Relaxed);
        });
        scope.spawn(|| {
            for _ in 0..2 {
                thread::sleep(TORMENT / 3);
                cluster.crash();
            }
        });
        // Three clients, each of which repeats a request until it is accepted, under one key.
        let clients: Vec<_> = (0..3)
            .map(|client| {
                let replicas = &replicas;
                scope.spawn(move || {
                    let mut random = Rng::with_seed(seed + 1 + client);
                    let indices = (0..JOBS).skip(client as usize).step_by(3);
                    let submit = |index: usize| {
                        let answer = replicas.ask(&mut random, |service| {
                            let request = service
                                .request("POST", &path(index))
                                .header("Prefer", "respond-async")
                                .header("Idempotency-Key", format!("job {index}"));
                            let body = board(index).to_string().into();
                            request.body(body).expect("the request is well-formed")
                        });
                        assert_eq!(answer.status, 202, "{}", answer.text());
                        // Spread over the torment, most of it.
                        thread::sleep(TORMENT.mul_f64(2.0) / JOBS as u32);
                        (index, answer.header("location").to_owned())
                    };
                    indices.map(submit).collect::<Vec<_>>()
                })
            })
            .collect();
        let joined = clients.into_iter().flat_map(|client| client.join().expect("it ends"));
        joined.collect::<BTreeMap<_, _>>()
    });
    assert!(is_over.load(Ordering::Relaxed));
    assert_eq!(jobs.len(), JOBS);

    let mut random = Rng::with_seed(seed);
    let mut get = |path: &str| {
        replicas.ask(&mut random, |service| {
            service.request("GET", path).body(Vec::new()).expect("the request is well-formed")
        })
    };
    let plain = Service::start();
    let rest = Instant::now();
    let mut given_up = Vec::new();
    for (&index, location) in &jobs {
        let job = loop {
            let job = get(location).json();
            if !["queued", "running"].contains(&job["state"].as_str().expect("a state")) {
                break job;
            }
            assert!(rest.elapsed() < REST, "job {index} has not ended, with seed {seed}: {job}");
            thread::sleep(Duration::from_millis(50));
        };
        if job["state"] == "failed" {
            // Bad luck that a job may have: each of three workers was killed while it had this one.
            given_up.push(job["id"].as_str().expect("an id").to_owned());
            continue;
        }
        assert_eq!(job["state"], "done", "job {index}, with seed {seed}: {job}");
        if index.is_multiple_of(LONG_EVERY) {
            assert_eq!(job["answer"]["reason"]["code"], "time_limit", "{job}");
        } else {
            let solved = plain.post_json(&path(index), &board(index)).json();
            assert_eq!(without_stats(job["answer"].clone()), without_stats(solved), "job {index}");
        }
    }
    // Whoever has lost three workers is given up, and nobody else.
    given_up.sort();
    let unlucky = cluster.query("SELECT id FROM boardsolve_jobs WHERE deaths >= 3 ORDER BY id");
    assert_eq!(given_up, unlucky.lines().collect::<Vec<_>>(), "with seed {seed}");
    assert!(given_up.len() <= 3, "with seed {seed}: {given_up:?}");
    let ends = "SELECT count(*), count(DISTINCT id) FROM ends WHERE state IN (2, 3)";
    assert_eq!(cluster.query(ends), format!("{JOBS}|{JOBS}"), "with seed {seed}");
    assert_eq!(cluster.query("SELECT count(*) FROM ends"), JOBS.to_string(), "with seed {seed}");
    assert_eq!(cluster.query("SELECT count(*) FROM boardsolve_jobs"), JOBS.to_string());
    assert_eq!(cluster.query("SELECT sum(waiting) FROM boardsolve_job_counters"), "0");
    // It was not for nothing.
    let deaths = cluster.query("SELECT sum(deaths) FROM boardsolve_jobs");
    assert_ne!(deaths, "0", "no job was ever interrupted");
    for replica in replicas.running {
        let replica = replica.into_inner().expect("nobody panicked");
        replica.wait_until("idleness", |service| metric(service, "boardsolve_jobs_running") == 0.0);
    }
}
