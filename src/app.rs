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
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::CorsLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::http::endpoint::Endpoint;
use crate::http::request_id::RequestId;
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
        let solve = solve_route(endpoint).route_layer((guarded.clone(), vary_by_accept()));
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
        .method_not_allowed_fallback(problem::method_not_allowed);
    let answers = (
        SetResponseHeaderLayer::if_not_present(
            X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        CatchPanicLayer::custom(problem::panicked),
        CompressionLayer::new(),
    );
    // As few layers as there can be, of several parts each, the outermost first: the router boxes
    // and clones what one layer makes, for every request.
    let envelope = from_fn_with_state(Arc::clone(&service), envelope);
    let routes = match options.cors_origins.as_slice() {
        [] => routes.layer((envelope, answers)),
        origins => routes.layer((envelope, cors(origins), answers)),
    };
    routes.with_state(service)
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
    routes.layer(from_fn_with_state(Arc::clone(&service), envelope)).with_state(service)
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

/// What every request passes first and its answer last: it gets its id, a line of the log, and
/// the body of its problem.
async fn envelope(
    State(service): State<Arc<Service>>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = RequestId::assign(&mut request);
    let response = log::answered(&service, &id, request, next).await;
    id.echo(problem::with_body(response, &id))
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
