//! The OpenAPI 3.1 document, built from the same endpoints that answer.

use serde_json::Value;
use utoipa::PartialSchema;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::path::{
    OperationBuilder, ParameterBuilder, ParameterIn, PathItem, PathsBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{
    ArrayBuilder, ComponentsBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type,
};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ContactBuilder, Content, HttpMethod, InfoBuilder, License, OpenApi, OpenApiBuilder, Ref, RefOr,
    Required, Response, Schema,
};

use crate::http::endpoint::Endpoint;
use crate::http::job_docs;
use crate::http::ops_docs;
use crate::http::problem::{Code, FieldError, ProblemBody};
use crate::puzzle::{OptionKind, OptionSpec};

const PROBLEM: &str = "application/problem+json";
const SOLVE_TAG: &str = "solve";

const DESCRIPTION: &str = "\
Solves five board puzzles. POST a board as JSON, many as `application/x-ndjson`, or the contest's \
own input as `text/plain`; get moves and verdicts.\n\n\
All of `solved`, `unsolvable` and `unknown` (not decided within the limits) are HTTP 200. Every \
solution was replayed by a check that is independent of the search before it was sent. Everything \
that is not 2xx is `application/problem+json` (RFC 9457).";

/// The document of a service with these endpoints.
pub fn document(endpoints: &[&'static dyn Endpoint]) -> OpenApi {
    let mut components = ComponentsBuilder::new()
        .schema("Problem", <ProblemBody as PartialSchema>::schema())
        .schema("ProblemError", <FieldError as PartialSchema>::schema())
        .security_scheme(
            "bearer",
            SecurityScheme::Http(
                HttpBuilder::new()
                    .scheme(HttpAuthScheme::Bearer)
                    .description(Some("Needed only where the operator has set keys."))
                    .build(),
            ),
        );
    let mut paths = PathsBuilder::new();
    for endpoint in endpoints {
        let schemas = endpoint.schemas();
        for (name, schema) in schemas.all {
            components = components.schema(name, schema);
        }
        let operation = solve_operation(*endpoint, &schemas.request, &schemas.response);
        paths =
            paths.path(format!("/{}", endpoint.name()), PathItem::new(HttpMethod::Post, operation));
    }
    for (name, schema) in job_docs::schemas() {
        components = components.schema(name, schema);
    }
    for (path, method, operation) in job_docs::operations() {
        paths = paths.path(path, PathItem::new(method, operation));
    }
    for (path, operation) in ops_docs::operations() {
        paths = paths.path(path, PathItem::new(HttpMethod::Get, operation));
    }
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("boardsolve")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(DESCRIPTION))
                .contact(Some(
                    ContactBuilder::new()
                        .name(Some("boardsolve"))
                        .url(Some(env!("CARGO_PKG_REPOSITORY")))
                        .build(),
                ))
                .license(Some({
                    let mut license = License::new("MIT OR Apache-2.0");
                    license.identifier = Some("MIT OR Apache-2.0".to_owned());
                    license
                }))
                .build(),
        )
        .servers(Some([utoipa::openapi::Server::new("/")]))
        .tags(Some([
            TagBuilder::new().name(SOLVE_TAG).description(Some("The puzzles")).build(),
            TagBuilder::new()
                .name(job_docs::TAG)
                .description(Some(job_docs::TAG_DESCRIPTION))
                .build(),
            TagBuilder::new()
                .name(ops_docs::TAG)
                .description(Some(ops_docs::TAG_DESCRIPTION))
                .build(),
        ]))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}

/// The document as it is served and committed: pretty JSON with a final line end.
///
/// # Panics
/// Never: the document is plain data.
pub fn json(endpoints: &[&'static dyn Endpoint]) -> String {
    let mut text = document(endpoints).to_pretty_json().expect("the document is plain data");
    text.push('\n');
    text
}

fn solve_operation(
    endpoint: &dyn Endpoint,
    request_schema: &str,
    response_schema: &str,
) -> OperationBuilder {
    let requests: Vec<_> = endpoint.examples().into_iter().take(2).collect();
    let requests: String =
        requests.iter().map(|example| format!("{}\n", example.request)).collect();
    let ndjson_body = ContentBuilder::new()
        // Of no type: whatever is sent is lines, and a bad one is answered in its place.
        .schema(Some(ObjectBuilder::new().schema_type(SchemaType::AnyValue).description(Some(
            "JSON requests, one a line. The body may be of any length; its limit of size and time \
             holds for each line. Blank lines are skipped.",
        ))))
        .example(Some(Value::from(requests)))
        .build();
    let json_examples = endpoint.examples().into_iter().map(|example| {
        let built = ExampleBuilder::new().summary(example.summary).value(Some(example.request));
        (example.name, RefOr::T(built.build()))
    });
    let json_body = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(request_schema)))
        .examples_from_iter(json_examples)
        .build();
    let text_body = ContentBuilder::new()
        .schema(Some(string("The contest's own input: one case or several.")))
        .example(Some(Value::from(endpoint.text_example())))
        .build();
    let body = RequestBodyBuilder::new()
        .description(Some(
            "One JSON request, many of them one a line, or the contest's own input as text. May \
             come with `Content-Encoding: gzip`. Without a Content-Type, JSON is assumed.",
        ))
        .content("application/json", json_body)
        .content("text/plain", text_body)
        .content("application/x-ndjson", ndjson_body)
        .required(Some(Required::True));
    let operation = OperationBuilder::new()
        .tag(SOLVE_TAG)
        .operation_id(Some(format!("solve_{}", endpoint.name().replace('-', "_"))))
        .summary(Some(endpoint.summary()))
        .description(Some(endpoint.description()))
        .request_body(Some(body.build()))
        .parameter(time_limit_parameter())
        .security(SecurityRequirement::default())
        .security(SecurityRequirement::new::<_, [&str; 0], &str>("bearer", []))
        .response("200", solved(response_schema));
    let operation = endpoint
        .options()
        .iter()
        .fold(operation, |operation, spec| operation.parameter(option_parameter(spec)));
    problems(job_docs::with_preference(operation), SOLVE_PROBLEMS)
}

/// The answer of a solve in each of its forms.
fn solved(response_schema: &str) -> Response {
    let one = Ref::from_schema_name(response_schema);
    let either = OneOfBuilder::new()
        .item(one.clone())
        .item(ArrayBuilder::new().items(one).build())
        .description(Some(
            "One answer; for a `text/plain` body an array with one answer a case, in order.",
        ))
        .build();
    ResponseBuilder::new()
        .description(
            "The board was decided, or not within the limits: see `status`. Text answers are the \
             contest's own output, byte for byte, and the default for `text/plain` bodies. Lines \
             are the default for bodies of lines.",
        )
        .content("application/json", Content::new(Some(RefOr::T(Schema::OneOf(either)))))
        .content("text/plain", Content::new(Some(string("The contest's own output."))))
        .content("application/x-ndjson", Content::new(Some(string(LINES))))
        .content("image/svg+xml", Content::new(Some(string(
            "The board with its answer, or with what its reason names, drawn on it. A `text/plain` \
             body then holds exactly one case.",
        ))))
        .header("X-Request-Id", request_id_header())
        .header(
            "Server-Timing",
            header(
                "The time spent waiting for a place and solving. An answer of many lines has \
                 none; each of them has its own `stats`.",
                string("`queue;dur=…, solve;dur=…`, in milliseconds."),
            ),
        )
        .header(
            "Cache-Status",
            header(
                "Whether the answer was known before (RFC 9211); not on an answer of many lines.",
                string("`boardsolve; hit` or `boardsolve; fwd=miss`."),
            ),
        )
        .build()
}

const LINES: &str = "\
One line a request, or a case of a `text/plain` body, in order, each sent as soon as it is known: \
the JSON answer or, where the line was bad, a `Problem`, which is told from an answer by its \
`type`. Every line tells, as `line`, on which line of the body it was asked. The answer is 200 whatever its lines \
say; read it while you send. A stream that can't go on (a line that does not arrive in time, gzip \
that breaks, a service that shuts down) ends after a `Problem` that says so.";

/// The errors of a solve, and what each status may carry.
const SOLVE_PROBLEMS: &[Code] = &[
    Code::MalformedBody,
    Code::InvalidQuery,
    Code::Unauthorized,
    Code::NotAcceptable,
    Code::BodyTimeout,
    Code::BodyTooLarge,
    Code::UnsupportedMediaType,
    Code::InvalidPuzzle,
    Code::IdempotencyKey,
    Code::RateLimited,
    Code::Internal,
    Code::Overloaded,
    Code::JobsUnavailable,
    Code::Draining,
    Code::Undecided,
];

/// Declares one problem response a status.
pub(crate) fn problems(mut operation: OperationBuilder, codes: &[Code]) -> OperationBuilder {
    let mut statuses: Vec<_> = codes.iter().map(|code| code.status()).collect();
    statuses.sort();
    statuses.dedup();
    for status in statuses {
        let of_status: Vec<_> = codes.iter().filter(|code| code.status() == status).collect();
        let description: Vec<_> = of_status
            .iter()
            .map(|code| format!("`{}`: {}", code.name(), code.explanation().trim()))
            .collect();
        let mut response = ResponseBuilder::new()
            .description(description.join("\n\n"))
            .content(PROBLEM, Content::new(Some(Ref::from_schema_name("Problem"))))
            .header("X-Request-Id", request_id_header());
        response = match status.as_u16() {
            401 => response.header(
                "WWW-Authenticate",
                header("How to prove who one is (RFC 9110).", string("`Bearer`.")),
            ),
            429 | 503 => response.header(
                "Retry-After",
                header("After how many seconds another try makes sense.", integer("Seconds.")),
            ),
            _ => response,
        };
        operation = operation.response(status.as_str(), response.build());
    }
    operation
}

fn time_limit_parameter() -> ParameterBuilder {
    ParameterBuilder::new()
        .name("time_limit_ms")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(
            "The time limit of the solve (of each case or line of a body of several), in milliseconds, from its \
             place to its answer. Above the operator's ceiling it is clamped, and the answer's \
             `stats.time_limit_ms` says so.",
        ))
        .schema(Some(
            ObjectBuilder::new()
                // No format: a number too long for any is clamped too.
                .schema_type(Type::Integer)
                .minimum(Some(1)),
        ))
}

/// An option of the puzzle, as a query parameter beside a text body.
fn option_parameter(spec: &OptionSpec) -> ParameterBuilder {
    // No schema states its `default`: Swagger UI would send it beside a JSON body, where it
    // is refused.
    let (schema, default) = match spec.kind {
        OptionKind::Boolean { default } => {
            (ObjectBuilder::new().schema_type(Type::Boolean), Some(default.to_string()))
        }
        OptionKind::Integer { min, max, default } => (
            ObjectBuilder::new()
                .schema_type(Type::Integer)
                .minimum(Some(min as f64))
                .maximum(Some(max as f64)),
            default.map(|default| default.to_string()),
        ),
        OptionKind::Choice { values, default } => (
            ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some(values.iter().copied())),
            Some(default.to_owned()),
        ),
    };
    let default =
        default.map_or_else(String::new, |default| format!(" `{default}` when left out."));
    ParameterBuilder::new()
        .name(spec.name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(format!(
            "{}{default} Only beside a `text/plain` body; in JSON it is a field of the body.",
            spec.help
        )))
        .schema(Some(schema))
}

pub(crate) fn request_id_header() -> Header {
    header(
        "The request's id: the caller's own when it was sane, made otherwise.",
        string("1 to 64 of `A-Za-z0-9._-`."),
    )
}

fn header(description: &str, schema: Schema) -> Header {
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}

pub(crate) fn string(description: &str) -> Schema {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(description));
    Schema::Object(object.build())
}

fn integer(description: &str) -> Schema {
    let object = ObjectBuilder::new().schema_type(Type::Integer).description(Some(description));
    Schema::Object(object.build())
}
