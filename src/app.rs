//! Every route, layer and fallback, on one screen.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::http::endpoint::Endpoint;
use crate::http::service::Service;
use crate::http::{docs, log, openapi, ops, problem, request_id, solve};
use crate::puzzles;

/// The service's routes.
pub fn router(service: Arc<Service>) -> Router {
    let mut routes = Router::new()
        .route("/livez", get(ops::livez))
        .route("/readyz", get(ops::readyz))
        .route("/metrics", get(ops::metrics))
        .route("/info", get(ops::info))
        .route("/problems/{code}", get(problem::page))
        .route("/docs", get(docs::redirect))
        .route("/docs/", get(docs::index))
        .route("/docs/{*file}", get(docs::file))
        .route("/openapi.json", get(openapi_json));
    for &endpoint in puzzles::ALL {
        routes = routes.route(&format!("/{}", endpoint.name()), solve_route(endpoint));
    }
    routes
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::method_not_allowed)
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(Arc::clone(&service), log::requests))
        .layer(from_fn(problem::envelope))
        .layer(from_fn(request_id::assign))
        .with_state(service)
}

/// `POST /{puzzle}`.
fn solve_route(endpoint: &'static dyn Endpoint) -> axum::routing::MethodRouter<Arc<Service>> {
    post(move |state: State<Arc<Service>>, request: Request| solve::solve(state, endpoint, request))
}

/// `GET /openapi.json`: what `boardsolve openapi` prints.
async fn openapi_json() -> impl axum::response::IntoResponse {
    ([(CONTENT_TYPE, "application/json")], openapi::json(puzzles::ALL))
}
