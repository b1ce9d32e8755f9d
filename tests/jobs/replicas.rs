//! Two replicas on one PostgreSQL: any of them accepts, solves, shows and
//! cancels; the dead are noticed and the living are left alone.

use std::io::Write;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::asking::{
    ROUTE, accepted, ask, assert_problem, cancel, hard, job, metric, quick, signal, wait_for,
};
use crate::cluster::Cluster;
use crate::support::Service;

/// The bound on noticing a dead worker.
const NOTICED_WITHIN: Duration = Duration::from_secs(15);

fn runs_a_job(service: &Service) -> bool {
    metric(service, "boardsolve_jobs_running") == 1.0
}

#[test]
fn any_replica_shows_streams_and_cancels_what_another_accepted() {
    let cluster = Cluster::start();
    let works = cluster.serve(&[]);
    let idles = cluster.serve(&["--job-places", "0"]);
    let path = accepted(&idles, &format!("{ROUTE}?time_limit_ms=2500"), &hard(0));
    let events = idles.get(&format!("{path}/events"));
    assert!(events.text().contains("event: progress"), "{}", events.text());
    assert!(events.text().contains("event: end"), "{}", events.text());
    assert_eq!(job(&idles, &path)["answer"]["status"], "unknown");
    let path = accepted(&idles, ROUTE, &hard(1));
    wait_for(&idles, &path, "running");
    assert!(runs_a_job(&works));
    assert_eq!(cancel(&idles, &path).status, 202);
    wait_for(&works, &path, "cancelled");
}

#[test]
fn the_dead_are_noticed_and_the_living_are_left_alone() {
    let cluster = Cluster::start();
    let mut first = cluster.serve(&[]);
    let path = accepted(&first, ROUTE, &hard(0));
    wait_for(&first, &path, "running");
    let second = cluster.serve(&[]);
    let epoch = || cluster.query("SELECT epoch FROM boardsolve_jobs");

    // Longer than a lease: the job of a living worker stays its own.
    thread::sleep(Duration::from_secs(12));
    assert!(runs_a_job(&first) && !runs_a_job(&second));
    assert_eq!(epoch(), "1");

    // The death of a worker is noticed.
    let died = Instant::now();
    signal(&first, Signal::KILL);
    first.wait_for_exit();
    second.wait_until("the second claim", runs_a_job);
    let noticed = died.elapsed();
    assert!(noticed <= NOTICED_WITHIN, "it took {noticed:?}");
    assert_eq!(epoch(), "2");

    // A worker that was held up for so long that it was thought dead can change nothing.
    let third = cluster.serve(&[]);
    signal(&second, Signal::STOP);
    third.wait_until("the third claim", runs_a_job);
    assert_eq!(epoch(), "3");
    signal(&second, Signal::CONT);
    second.wait_until("the lost lease", |service| {
        metric(service, "boardsolve_job_leases_lost_total") == 1.0
    });
    assert!(!runs_a_job(&second) && runs_a_job(&third));
    assert_eq!(job(&second, &path)["state"], "running");
    cancel(&second, &path);
    wait_for(&third, &path, "cancelled");
}

#[test]
fn a_solve_stops_once_its_lease_has_run_out_and_its_job_goes_back() {
    let cluster = Cluster::start();
    let service = cluster.serve(&[]);
    let path = accepted(&service, ROUTE, &hard(0));
    wait_for(&service, &path, "running");
    // The store does not answer, as behind a broken line.
    let lock =
        "BEGIN; LOCK TABLE boardsolve_jobs IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(14); COMMIT";
    cluster.query(lock);
    service.wait_until("the put-back", |service| {
        metric(service, "boardsolve_jobs_put_back_total") == 1.0
    });
    wait_for(&service, &path, "running");
    assert_eq!(cluster.query("SELECT epoch, deaths FROM boardsolve_jobs"), "2|0");
    assert!(metric(&service, "boardsolve_job_store_errors_total") > 0.0);
}

#[test]
fn replicas_that_start_at_once_agree_on_the_schema() {
    let cluster = Cluster::start();
    let services: Vec<_> = thread::scope(|scope| {
        let starts: Vec<_> = (0..4).map(|_| scope.spawn(|| cluster.serve(&[]))).collect();
        starts.into_iter().map(|start| start.join().expect("it starts")).collect()
    });
    let path = accepted(&services[0], ROUTE, &quick());
    wait_for(&services[3], &path, "done");
    assert_eq!(cluster.query("SELECT count(*), max(version) FROM boardsolve_schema"), "2|2");
}

#[test]
fn no_more_jobs_wait_than_may_however_many_are_asked_for_at_once() {
    const BOUND: usize = 7;
    let cluster = Cluster::start();
    let options = ["--job-places", "0", "--job-queue", &BOUND.to_string()];
    let replicas = [(); 3].map(|()| cluster.serve(&options));
    for round in 0..5 {
        let callers = 8 * replicas.len();
        let start = Barrier::new(callers);
        let taken: Vec<_> = thread::scope(|scope| {
            let callers: Vec<_> = (0..callers)
                .map(|caller| {
                    let (start, replica) = (&start, &replicas[caller % replicas.len()]);
                    scope.spawn(move || {
                        start.wait();
                        ask(replica, ROUTE, &hard(caller), &[])
                    })
                })
                .collect();
            callers.into_iter().map(|caller| caller.join().expect("it is answered")).collect()
        });
        let (accepted, refused): (Vec<_>, Vec<_>) =
            taken.iter().partition(|answer| answer.status == 202);
        assert_eq!(accepted.len(), BOUND, "in round {round}");
        refused.into_iter().for_each(|answer| assert_problem(answer, 503, "overloaded"));
        let waiting = "SELECT sum(waiting) FROM boardsolve_job_counters";
        assert_eq!(cluster.query(waiting), BOUND.to_string());
        for answer in accepted {
            assert_eq!(cancel(&replicas[0], answer.header("location")).status, 200);
        }
    }
}

#[test]
fn a_job_whose_caller_hangs_up_while_it_is_stored_is_counted_and_ends() {
    let cluster = Cluster::start();
    let service = cluster.serve(&[]);
    thread::scope(|scope| {
        let lock = "BEGIN; LOCK TABLE boardsolve_jobs IN ACCESS EXCLUSIVE MODE; \
                    SELECT pg_sleep(3); COMMIT";
        scope.spawn(|| cluster.query(lock));
        thread::sleep(Duration::from_secs(1));
        let body = quick().to_string();
        let mut caller = service.connect();
        let head = format!(
            "POST {ROUTE} HTTP/1.1\r\nHost: x\r\nPrefer: respond-async\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        caller.write_all((head + &body).as_bytes()).expect("the request is sent");
        thread::sleep(Duration::from_millis(500));
    });
    service.wait_until("the end of the job", |service| {
        metric(service, "boardsolve_jobs_ended_total{state=\"done\"}") == 1.0
    });
    assert_eq!(metric(&service, "boardsolve_jobs_accepted_total"), 1.0);
}
