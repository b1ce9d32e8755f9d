//! Probes, metrics and information for operators. None of them waits for a solve.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::http::admission::draining;
use crate::http::json::Json;
use crate::http::problem::{Code, Problem};
use crate::http::service::Service;

/// The git commit of this build, where the build was told it.
pub const COMMIT: &str = match option_env!("BOARDSOLVE_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// How long the queue has to be full before `/readyz` says no.
const SATURATED_AFTER: Duration = Duration::from_secs(10);

/// Since when the queue has been full.
#[derive(Debug, Default)]
pub struct Saturation(Mutex<Option<Instant>>);

impl Saturation {
    /// Notes whether the queue is full now; whether it has been for long.
    pub fn observe(&self, is_full: bool) -> bool {
        let mut since = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (is_full, *since) {
            (false, _) => *since = None,
            (true, None) => *since = Some(Instant::now()),
            (true, Some(_)) => {}
        }
        since.is_some_and(|since| since.elapsed() >= SATURATED_AFTER)
    }
}

/// `GET /livez`: the process serves requests.
pub async fn livez() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the service takes solves.
///
/// # Errors
/// `draining`, or `overloaded` once the queue has been full for ten seconds.
pub async fn readyz(State(service): State<Arc<Service>>) -> Result<&'static str, Problem> {
    if service.is_draining() {
        return Err(draining());
    }
    if service.saturation().observe(service.admission().is_saturated()) {
        return Err(Problem::new(Code::Overloaded, "The queue has been full for ten seconds.")
            .retry_after(5));
    }
    Ok("ok\n")
}

/// `GET /metrics`: Prometheus text.
pub async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let text = service.metrics().render(service.admission());
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, content_type)], text).into_response()
}

/// `GET /info`: version, commit, and every limit in force.
pub async fn info(State(service): State<Arc<Service>>) -> Json<Value> {
    Json(service.info().clone())
}

/// Samples the queue twice a second until the drain, so that [`Saturation`] does
/// not depend on how often anybody asks.
pub async fn watch_saturation(service: Arc<Service>) {
    let mut ticks = tokio::time::interval(Duration::from_millis(500));
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                service.saturation().observe(service.admission().is_saturated());
            }
            () = service.drain_started() => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::access::Access;
    use crate::http::admission::{LaneName, Patience};
    use crate::http::body::BodyLimits;
    use crate::http::run::SolveLimits;
    use crate::http::service::ServiceLimits;

    #[test]
    fn a_queue_is_saturated_once_it_has_been_full_for_long_without_a_pause() {
        let saturation = Saturation::default();
        assert!(!saturation.observe(true), "it is full only now");
        let long_ago = Instant::now().checked_sub(SATURATED_AFTER).expect("the machine is up");
        *saturation.0.lock().unwrap() = Some(long_ago);
        assert!(saturation.observe(true));
        assert!(!saturation.observe(false), "it is full no more");
        assert!(!saturation.observe(true), "its time begins anew");
    }

    #[tokio::test]
    async fn the_queue_is_looked_at_without_anybody_asking_until_the_drain() {
        let second = Duration::from_secs(1);
        let limits = ServiceLimits {
            places: 1,
            queue: 0,
            max_wait: second,
            solve: SolveLimits { default_time: second, max_time: second, memory: 1, cache: 1 },
            body: BodyLimits { bytes: 1, time: second },
            shared_memory: 1,
        };
        let open = Access::new(Vec::new(), None, None);
        let service = Arc::new(Service::new(limits, open, [], Value::Null).expect("it starts"));
        let watching = tokio::spawn(watch_saturation(Arc::clone(&service)));
        let held = service.admission().place(LaneName::Long, Patience::Bounded).await;
        let is_noted = || service.saturation().0.lock().unwrap().is_some();
        while !is_noted() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(held);
        while is_noted() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        service.start_drain();
        watching.await.expect("it ends well");
    }
}
