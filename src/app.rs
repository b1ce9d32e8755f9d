//! Every route, layer and fallback, on one screen.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, LOCATION, RETRY_AFTER, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::CorsLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::http::endpoint::Endpoint;
use crate::http::service::Service;
use crate::http::{
    access, docs, job_events, jobs, log, openapi, ops, playground, problem, request_id, solve,
};
use crate::puzzles;

/// The service's routes.
pub fn router(service: Arc<Service>, options: &RouterOptions) -> Router {
    let guarded = from_fn_with_state(Arc::clone(&service), access::guard);
    let mut routes = Router::new()
        .route("/livez", get(ops::livez))
        .route("/info", get(ops::info).route_layer(guarded.clone()))
        .route("/problems/{code}", get(problem::page))
        .route("/", get(playground::index))
        .route("/playground/{*file}", get(playground::file))
        .route("/docs", get(docs::redirect))
        .route("/docs/", get(docs::index))
        .route("/docs/{*file}", get(docs::file))
        .route("/openapi.json", get(openapi_json));
    for &endpoint in puzzles::ALL {
        let solve = solve_route(endpoint).layer(vary_by_accept()).route_layer(guarded.clone());
        routes = routes.route(&format!("/{}", endpoint.name()), solve);
    }
    if service.jobs().is_some() {
        routes = routes.merge(job_routes().route_layer(guarded));
    }
    if !options.has_ops_listener {
        routes = routes.merge(ops_routes(&service));
    }
    let routes = routes
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::method_not_allowed)
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(SetResponseHeaderLayer::if_not_present(
            X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ));
    let routes = match options.cors_origins.as_slice() {
        [] => routes,
        origins => routes.layer(cors(origins)),
    };
    enveloped(routes, service)
}

/// What differs between services beyond their limits.
#[derive(Clone, Debug, Default)]
pub struct RouterOptions {
    /// Whether probes and metrics answer on a listener of their own.
    pub has_ops_listener: bool,
    /// The origins whose pages may call the service; none: CORS is off.
    pub cors_origins: Vec<HeaderValue>,
}

/// The routes of the listener for operators.
pub fn ops_router(service: Arc<Service>) -> Router {
    let routes = Router::new()
        .route("/livez", get(ops::livez))
        .merge(ops_routes(&service))
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::method_not_allowed);
    enveloped(routes, service)
}

fn ops_routes(service: &Arc<Service>) -> Router<Arc<Service>> {
    let guarded = from_fn_with_state(Arc::clone(service), access::guard);
    Router::new()
        .route("/readyz", get(ops::readyz))
        .route("/metrics", get(ops::metrics).route_layer(guarded))
}

/// The routes of solves that outlive their request.
fn job_routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/jobs/{id}", get(jobs::show).delete(jobs::cancel))
        .route("/jobs/{id}/answer", get(jobs::answer).layer(vary_by_accept()))
        .route("/jobs/{id}/events", get(job_events::events))
}

/// Tells caches that the form of an answer, refusals included, depends on what is asked for.
fn vary_by_accept() -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::appending(VARY, HeaderValue::from_static("accept"))
}

/// The layers that every answer passes, the outermost last.
fn enveloped(routes: Router<Arc<Service>>, service: Arc<Service>) -> Router {
    routes
        .layer(from_fn_with_state(Arc::clone(&service), log::requests))
        .layer(from_fn(problem::envelope))
        .layer(from_fn(request_id::assign))
        .with_state(service)
}

fn cors(origins: &[HeaderValue]) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origins.to_vec())
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            ACCEPT,
            AUTHORIZATION,
            CONTENT_ENCODING,
            CONTENT_TYPE,
            jobs::IDEMPOTENCY_KEY,
            jobs::PREFER,
            request_id::HEADER,
            TRACEPARENT,
        ])
        .expose_headers([
            request_id::HEADER,
            LOCATION,
            RETRY_AFTER,
            jobs::PREFERENCE_APPLIED,
            solve::SERVER_TIMING,
            solve::CACHE_STATUS,
        ])
        .max_age(Duration::from_secs(600))
}

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// `POST /{puzzle}`.
fn solve_route(endpoint: &'static dyn Endpoint) -> axum::routing::MethodRouter<Arc<Service>> {
    post(move |state: State<Arc<Service>>, request: Request| solve::solve(state, endpoint, request))
}

/// `GET /openapi.json`: what `boardsolve openapi` prints.
async fn openapi_json() -> impl axum::response::IntoResponse {
    ([(CONTENT_TYPE, "application/json")], openapi::json(puzzles::ALL))
}
