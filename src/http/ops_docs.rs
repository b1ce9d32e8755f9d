//! The part of the OpenAPI document that operators use: probes, metrics, and what explains itself.

use serde_json::json;
use utoipa::openapi::path::{OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Content, RefOr, Required, Schema};

use crate::http::openapi::{problems, request_id_header, string};
use crate::http::problem::Code;

/// The tag of these operations.
pub(crate) const TAG: &str = "operation";

/// What the tag stands for.
pub(crate) const TAG_DESCRIPTION: &str = "Probes and information";

/// Each path and what `GET` does there.
pub(crate) fn operations() -> Vec<(&'static str, OperationBuilder)> {
    let text = || RefOr::T(string("Plain text."));
    let livez = operation("livez", "The process serves requests", "text/plain", text())
        .description(Some("Never runs a solve nor waits for one."));
    let readyz = operation("readyz", "The service takes solves", "text/plain", text())
        .description(Some("503 while it drains, or once its queue has been full for ten seconds."));
    let metrics = operation(
        "metrics",
        "Metrics in Prometheus' text format",
        "application/openmetrics-text",
        text(),
    )
    .description(Some(
        "Solves by puzzle and outcome, waiting, places in use, rejections, memory. Needs a key \
         where the operator has set keys.",
    ));
    let info = operation(
        "info",
        "Version, commit and every limit in force",
        "application/json",
        RefOr::T(limits()),
    )
    .description(Some("Needs a key where the operator has set keys."));
    let page = operation(
        "problem_page",
        "A short page on one error code",
        "text/html",
        RefOr::T(string("An HTML page.")),
    )
    .description(Some("Where the `type` of a problem leads: what it means and what to do."))
    .parameter(code_parameter());
    vec![
        ("/livez", livez),
        ("/readyz", problems(readyz, &[Code::Overloaded, Code::Draining])),
        ("/metrics", problems(metrics, &[Code::Unauthorized])),
        ("/info", problems(info, &[Code::Unauthorized])),
        ("/problems/{code}", problems(page, &[Code::NotFound])),
    ]
}

fn operation(id: &str, summary: &str, media_type: &str, schema: RefOr<Schema>) -> OperationBuilder {
    OperationBuilder::new()
        .tag(TAG)
        .operation_id(Some(id.to_owned()))
        .summary(Some(summary.to_owned()))
        .response(
            "200",
            ResponseBuilder::new()
                .description(summary)
                .content(media_type, Content::new(Some(schema)))
                .header("X-Request-Id", request_id_header())
                .build(),
        )
}

fn limits() -> Schema {
    let limits = ObjectBuilder::new().description(Some("Every option in force."));
    Schema::Object(
        ObjectBuilder::new()
            .property("version", string("The version of the service."))
            .property("commit", string("The git commit of the build."))
            .property("limits", limits)
            .required("version")
            .required("commit")
            .required("limits")
            .build(),
    )
}

fn code_parameter() -> ParameterBuilder {
    ParameterBuilder::new()
        .name("code")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The code of a problem."))
        .schema(Some(
            ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some(Code::ALL.iter().map(|code| code.name()))),
        ))
        .example(Some(json!(Code::InvalidPuzzle.name())))
}
