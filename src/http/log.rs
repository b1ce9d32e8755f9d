//! One log line a request, inside a span that carries the request's id.

use std::collections::HashMap;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::{Instrument, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::http::problem::Problem;
use crate::http::request_id::RequestId;
use crate::http::service::Service;

/// Has a request answered, and logs it then.
pub async fn answered(service: &Service, id: &RequestId, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("unmatched", |path| path.as_str()).to_owned();
    let method = request.method().clone();
    let traceparent = request
        .headers()
        .get("traceparent")
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let span = tracing::info_span!("request", id = id.as_str(), route);
    if let Some(traceparent) = &traceparent {
        join_trace(&span, traceparent);
    }
    let response = next.run(request).instrument(span.clone()).await;
    let status = response.status().as_u16();
    let code = response.extensions().get::<Problem>().map(|problem| problem.code().name());
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    service.metrics().responded(&route, status);
    span.in_scope(|| {
        tracing::info!(%method, route, status, code, milliseconds, traceparent, "answered");
    });
    response
}

/// Makes a span a part of the trace that a `traceparent` header names.
fn join_trace(span: &Span, traceparent: &str) {
    let carrier = HashMap::from([("traceparent".to_owned(), traceparent.to_owned())]);
    let context = TraceContextPropagator::new().extract(&carrier);
    // Without an exporter there is nothing to join.
    let _ = span.set_parent(context);
}
