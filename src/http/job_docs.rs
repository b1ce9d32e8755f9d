//! The jobs' part of the OpenAPI document.

use utoipa::openapi::content::Content;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::link::LinkBuilder;
use utoipa::openapi::path::{OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{HttpMethod, Ref, RefOr, Required, Response, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::http::job_body::JobBody;
use crate::http::negotiation::AnswerForm;
use crate::http::openapi::{problems, request_id_header, string};
use crate::http::problem::Code;

/// The tag of the jobs' operations.
pub(crate) const TAG: &str = "jobs";

/// What the tag stands for.
pub(crate) const TAG_DESCRIPTION: &str =
    "Long solves that outlive their request, where the operator has switched them on";

/// The operations on a job, by their ids.
const OPERATIONS: [&str; 4] = [JOB, CANCEL, ANSWER, EVENTS];
const JOB: &str = "job";
const CANCEL: &str = "cancel_job";
const ANSWER: &str = "job_answer";
const EVENTS: &str = "job_events";

/// The schemas of the jobs.
pub(crate) fn schemas() -> Vec<(String, RefOr<Schema>)> {
    let mut schemas = Vec::new();
    <JobBody as ToSchema>::schemas(&mut schemas);
    schemas.push(("Job".to_owned(), <JobBody as PartialSchema>::schema()));
    // The document has it as the schema of all problems.
    schemas.retain(|(name, _)| !name.starts_with("Problem"));
    schemas
}

/// Makes a solve one that can be a job.
pub(crate) fn with_preference(operation: OperationBuilder) -> OperationBuilder {
    let header = |name: &str, description: &str, schema: ObjectBuilder| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(description))
            .schema(Some(schema))
    };
    let text = || ObjectBuilder::new().schema_type(Type::String);
    operation
        .parameter(header(
            "Prefer",
            "`respond-async` makes the solve a job, where the operator has switched jobs on; \
             elsewhere it is ignored. A job's time limit is the operator's `--job-time-limit-ms` \
             when it names none.",
            // Preferences that a service does not know are ignored (RFC 7240), so any text will do.
            text(),
        ))
        .parameter(header(
            "Idempotency-Key",
            "Makes a repeated request with `Prefer: respond-async` the same job: 1 to 255 visible \
             characters, such as a UUID.",
            // Without jobs it is ignored, whatever it says.
            text(),
        ))
        .response("202", accepted())
}

fn accepted() -> Response {
    let accepted = ResponseBuilder::new()
        .description("The request was checked and is a job now; `Location` is its path.")
        .content("application/json", job_content())
        .header("X-Request-Id", request_id_header())
        .header("Location", header("The job's path.", "`/jobs/{id}`"))
        .header("Preference-Applied", header("That the job is one.", "`respond-async`"));
    let linked = OPERATIONS.into_iter().fold(accepted, |response, operation| {
        let link = LinkBuilder::new().operation_id(operation);
        response.link(operation, link.parameter("id", "$response.body#/id").build())
    });
    linked.build()
}

/// The operations on jobs, with their paths and methods.
pub(crate) fn operations() -> Vec<(&'static str, HttpMethod, OperationBuilder)> {
    let job = |description: &str| {
        ResponseBuilder::new()
            .description(description)
            .content("application/json", job_content())
            .header("X-Request-Id", request_id_header())
            .build()
    };
    let show = operation(
        JOB,
        "A job, with its answer once it is done",
        "How far the job is: waiting, running, or how it has ended. Any replica answers.",
    );
    let show = show.response("200", job("The job as it stands."));
    let cancel = operation(
        CANCEL,
        "Cancels a job",
        "A job that waits ends at once; one that runs is told to stop. One that has ended stays \
         as it is. The job can still be asked for: its state is then `cancelled`.",
    );
    let cancel = cancel
        .response("200", job("The job has ended: it is cancelled, or had ended before."))
        .response("202", job("The job runs and was told to stop."));
    let answer = operation(
        ANSWER,
        "The answer of a job, as the solve itself would give it",
        "The answer alone, without what is told of the job: as JSON, text, lines or a picture.",
    );
    let answer = answer.response("200", answer_response());
    let events = operation(
        EVENTS,
        "How a job goes, as server-sent events",
        "A stream that lasts until the job has ended. A client that lost it asks again.",
    );
    let events = events.response("200", events_response());
    let common = [Code::InvalidQuery, Code::Unauthorized, Code::NotFound, Code::Gone];
    let common = [&common[..], &[Code::RateLimited, Code::Internal, Code::JobsUnavailable]];
    let with = |more: &[Code]| [&common.concat(), more].concat();
    let of_answer = with(&[
        Code::NotAcceptable,
        Code::NoAnswer,
        Code::AnswerTooLarge,
        Code::Undecided,
        Code::Overloaded,
    ]);
    vec![
        ("/jobs/{id}", HttpMethod::Get, problems(show, &with(&[Code::Overloaded]))),
        ("/jobs/{id}", HttpMethod::Delete, problems(cancel, &with(&[]))),
        ("/jobs/{id}/answer", HttpMethod::Get, problems(answer, &of_answer)),
        ("/jobs/{id}/events", HttpMethod::Get, problems(events, &with(&[]))),
    ]
}

fn operation(id: &str, summary: &str, description: &str) -> OperationBuilder {
    let schema = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9a-f]{32}$"));
    OperationBuilder::new()
        .tag(TAG)
        .operation_id(Some(id))
        .summary(Some(summary))
        .description(Some(description))
        .parameter(
            ParameterBuilder::new()
                .name("id")
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .description(Some("The id of the job."))
                .schema(Some(schema)),
        )
        .security(SecurityRequirement::default())
        .security(SecurityRequirement::new::<_, [&str; 0], &str>("bearer", []))
}

fn answer_response() -> Response {
    let forms = AnswerForm::ALL.into_iter().fold(
        ResponseBuilder::new().description(
            "The answer, in the form that `Accept` asks for; by default the one that the solve \
             would have had.",
        ),
        |response, form| {
            let schema = match form {
                AnswerForm::Json => ObjectBuilder::new()
                    .schema_type(SchemaType::AnyValue)
                    .description(Some("The solve's own answer; an array for a text body."))
                    .into(),
                _ => string("The answer in this form."),
            };
            response.content(form.media_type(), Content::new(Some(RefOr::T(schema))))
        },
    );
    forms.header("X-Request-Id", request_id_header()).build()
}

fn events_response() -> Response {
    ResponseBuilder::new()
        .description(
            "Events named `progress`, and one named `end` after which nothing comes. The data of \
             each is the job, without its answer.",
        )
        // A stream of events is of no JSON schema.
        .content("text/event-stream", Content::builder().build())
        .header("X-Request-Id", request_id_header())
        .build()
}

fn job_content() -> Content {
    Content::new(Some(Ref::from_schema_name("Job")))
}

fn header(description: &str, value: &str) -> Header {
    HeaderBuilder::new().schema(Some(string(value))).description(Some(description)).build()
}
