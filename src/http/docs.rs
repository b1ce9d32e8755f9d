//! The API's documentation: the OpenAPI document and Swagger UI, both served
//! from the binary. The page asks no other host for anything.

use std::sync::{Arc, OnceLock};

use axum::extract::Path;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use bytes::Bytes;
use utoipa_swagger_ui::Config;

use crate::http::problem::{Code, Problem};

/// `GET /docs`: to the page itself, whose files have relative addresses.
pub async fn redirect() -> Redirect {
    Redirect::permanent("/docs/")
}

/// `GET /docs/`: Swagger UI.
///
/// # Errors
/// As [`file()`].
pub async fn index() -> Result<Response, Problem> {
    swagger_file("index.html")
}

/// `GET /docs/{file}`: one of Swagger UI's files.
///
/// # Errors
/// `not_found`.
pub async fn file(Path(path): Path<String>) -> Result<Response, Problem> {
    swagger_file(&path)
}

/// What Swagger UI's page may load and ask: this service alone. Its styles are
/// partly inline, and its icons are data.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);

fn swagger_file(path: &str) -> Result<Response, Problem> {
    static CONFIG: OnceLock<Arc<Config<'static>>> = OnceLock::new();
    let config = CONFIG.get_or_init(|| {
        let config = Config::new(["/openapi.json"])
            .validator_url("none")
            .try_it_out_enabled(true)
            .display_request_duration(true)
            .deep_linking(true);
        Arc::new(config)
    });
    match utoipa_swagger_ui::serve(path, Arc::clone(config)) {
        Ok(Some(file)) => {
            let body = Bytes::from(file.bytes.into_owned());
            let mut response = ([(CONTENT_TYPE, file.content_type)], body).into_response();
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY);
            Ok(response)
        }
        Ok(None) => Err(Problem::new(Code::NotFound, "Swagger UI has no such file.")),
        Err(error) => {
            tracing::error!(%error, path, "Swagger UI's file could not be made");
            Err(Problem::internal())
        }
    }
}
