//! The OpenAPI document holds what clients and their generators rely on, and
//! the service does what the document says.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use boardsolve::http::endpoint::Endpoint;
use boardsolve::http::openapi;
use boardsolve::http::problem::Code;
use boardsolve::puzzle::OptionKind;
use boardsolve::puzzles;
use serde_json::{Value, json};
use support::{Answer, Service};

const NDJSON: &str = "application/x-ndjson";

/// The codes that no solve can be answered with.
const NOT_OF_SOLVES: [Code; 5] =
    [Code::NotFound, Code::MethodNotAllowed, Code::NoAnswer, Code::AnswerTooLarge, Code::Gone];

#[test]
fn the_committed_document_is_the_one_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json");
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == openapi::json(puzzles::ALL),
        "openapi/openapi.json is not what the code says. Rewrite it, and look at what changed:\n\n    \
         cargo run -q -- openapi > openapi/openapi.json && git diff openapi\n"
    );
}

#[test]
fn the_service_serves_the_document() {
    let answer = Service::start().get("/openapi.json");
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    assert_eq!(answer.text(), openapi::json(puzzles::ALL));
}

#[test]
fn the_document_is_openapi_3_1_and_every_operation_has_an_id_of_its_own() {
    let document = document();
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1.")));
    let mut ids = BTreeSet::new();
    for (place, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{place} has no id"));
        assert!(ids.insert(id.to_owned()), "{place}: another operation has the id {id}");
        for field in ["summary", "description", "tags"] {
            assert!(operation.get(field).is_some(), "{place} has no {field}");
        }
    }
}

#[test]
fn every_reference_resolves() {
    let document = document();
    walk(&document, "#", &mut |place, value| {
        if let Some(target) = value.get("$ref").and_then(Value::as_str) {
            let pointer = target.strip_prefix('#');
            let resolved = pointer.and_then(|pointer| document.pointer(pointer));
            assert!(resolved.is_some(), "{place} refers to {target}, which is not there");
        }
    });
}

#[test]
fn no_two_schemas_share_a_name() {
    let mut schemas = BTreeMap::new();
    for endpoint in puzzles::ALL {
        for (name, schema) in endpoint.schemas().all {
            let schema = serde_json::to_value(schema).expect("a schema is plain data");
            let first = schemas.entry(name.clone()).or_insert_with(|| schema.clone());
            assert_eq!(
                *first, schema,
                "two schemas are named {name}: give one `#[schema(as = …)]`"
            );
        }
    }
    let document = document();
    let listed = document["components"]["schemas"].as_object().expect("there are schemas");
    for (name, schema) in &schemas {
        assert_eq!(listed.get(name), Some(schema), "the document has another schema named {name}");
    }
}

#[test]
fn schemas_are_named_after_their_puzzle() {
    for endpoint in puzzles::ALL {
        let words = endpoint.name().split('-');
        let puzzle: String = words
            .map(|word| {
                let (first, rest) = word.split_at(1);
                format!("{}{rest}", first.to_uppercase())
            })
            .collect();
        let schemas = endpoint.schemas();
        assert_eq!(schemas.request, format!("{puzzle}Request"));
        assert_eq!(schemas.response, format!("{puzzle}Response"));
        for (name, _) in schemas.all {
            let is_shared = ["Cell", "Stats", "Status"].contains(&name.as_str());
            assert!(is_shared || name.starts_with(&puzzle), "{name} is a schema of {puzzle}");
        }
    }
}

#[test]
fn every_property_parameter_and_response_is_described() {
    let document = document();
    let is_described = |value: &Value| {
        value["description"].as_str().is_some_and(|description| description.trim().len() > 5)
    };
    walk(&document, "#", &mut |place, value| {
        if let Some(properties) = value.get("properties").and_then(Value::as_object) {
            for (name, property) in properties {
                assert!(is_described(property), "{place}/properties/{name} is not described");
            }
        }
    });
    for (place, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(is_described(parameter), "{place}: {} is not described", parameter["name"]);
        }
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            assert!(is_described(response), "{place}: {status} is not described");
        }
    }
}

#[test]
fn nothing_is_null_in_requests_and_answers() {
    let document = document();
    walk(&document, "#", &mut |place, value| {
        let types = value.get("type").and_then(Value::as_array);
        let is_nullable = types.is_some_and(|types| types.contains(&json!("null")));
        assert!(!is_nullable, "{place} may be null: use `nullable = false`");
    });
}

#[test]
fn every_whole_number_has_a_range() {
    let document = document();
    for endpoint in puzzles::ALL {
        for (name, schema) in endpoint.schemas().all {
            let schema = serde_json::to_value(schema).expect("a schema is plain data");
            for (field, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_whole = property["type"] == "integer";
                let has_range = ["minimum", "enum"].iter().any(|key| property.get(key).is_some());
                assert!(!is_whole || has_range, "{name}.{field} has no range");
            }
        }
    }
    for (place, operation) in solve_operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let schema = &parameter["schema"];
            let is_whole = schema["type"] == "integer";
            let has_range = schema.get("minimum").is_some();
            assert!(!is_whole || has_range, "{place}: {} has no range", parameter["name"]);
        }
    }
}

#[test]
fn every_example_of_a_request_is_answered_as_declared() {
    let service = Service::start();
    let document = document();
    assert_eq!(solve_operations(&document).count(), puzzles::ALL.len());
    for endpoint in puzzles::ALL {
        let path = format!("/{}", endpoint.name());
        let operation = &document["paths"][&path]["post"];
        let content = &operation["requestBody"]["content"];
        let request_schema = &content["application/json"]["schema"];
        let examples = content["application/json"]["examples"].as_object();
        let examples = examples.unwrap_or_else(|| panic!("{path} has no examples"));
        for (name, example) in examples {
            let place = format!("{path}, example {name}");
            assert_valid(&document, request_schema, &example["value"], &place);
            let answer = service.post_json(&path, &example["value"]);
            assert_as_declared(&document, operation, &answer, 200, &place);
            let is_first = endpoint.examples()[0].name == name;
            assert!(!is_first || answer.json()["status"] == "solved", "{place} is not solved");
        }
        let text = content["text/plain"]["example"].as_str().expect("there is a text example");
        let answer = service.post(&path, "text/plain", text);
        assert_as_declared(&document, operation, &answer, 200, &format!("{path}, text example"));
        assert!(!answer.text().is_empty());
        let request = service.request("POST", &path).header("Content-Type", "text/plain");
        let request = request.header("Accept", "application/json").body(text.into());
        let answer = service.send(request.expect("the request is well-formed"));
        let place = format!("{path}, text example answered in JSON");
        assert_as_declared(&document, operation, &answer, 200, &place);
        assert!(answer.json().is_array(), "{place} is no array");
        let lines = content[NDJSON]["example"].as_str().expect("there is an example of lines");
        let answer = service.post(&path, NDJSON, lines);
        let place = format!("{path}, example of lines");
        assert_as_declared(&document, operation, &answer, 200, &place);
        assert_eq!(answer.text().lines().count(), lines.lines().count(), "{place}");
        let schema = &document["components"]["schemas"][endpoint.schemas().response];
        for line in answer.text().lines() {
            let mut answer: Value = serde_json::from_str(line).expect("a line is JSON");
            let members = answer.as_object_mut().expect("an answer is an object");
            assert!(members.remove("line").is_some_and(|line| line.is_u64()), "{place}: {line}");
            assert_valid(&document, schema, &answer, &place);
        }
    }
}

#[test]
fn every_fault_of_a_request_is_answered_as_declared() {
    let service = Service::start();
    let document = document();
    for endpoint in puzzles::ALL {
        let path = format!("/{}", endpoint.name());
        let operation = &document["paths"][&path]["post"];
        let faults: [(u16, &str, &str, &str, &str); 8] = [
            (400, "", "application/json", "*/*", "{"),
            (400, "", "text/plain", "*/*", "?"),
            (400, "?no_such_parameter=1", "application/json", "*/*", "{}"),
            (406, "", "application/json", "image/png", "{}"),
            (415, "", "application/xml", "*/*", "<board/>"),
            (422, "", "application/json", "*/*", "{}"),
            (422, "", "application/json", "*/*", r#"{"no_such_field": 1}"#),
            (422, "", "application/json", "*/*", "[]"),
        ];
        for (status, query, content_type, accept, body) in faults {
            let request = service
                .request("POST", &format!("{path}{query}"))
                .header("Content-Type", content_type)
                .header("Accept", accept)
                .body(body.into())
                .expect("the request is well-formed");
            let place = format!("{path}{query} with {content_type} `{body}`");
            assert_as_declared(&document, operation, &service.send(request), status, &place);
        }
    }
}

#[test]
fn every_error_of_a_solve_is_declared() {
    let document = document();
    for (place, operation) in solve_operations(&document) {
        for code in Code::ALL.iter().filter(|code| !NOT_OF_SOLVES.contains(code)) {
            let status = code.status().as_u16().to_string();
            let declared = operation["responses"][&status]["description"].as_str();
            let names_code =
                declared.is_some_and(|text| text.contains(&format!("`{}`", code.name())));
            assert!(names_code, "{place}: {status} does not name {}", code.name());
        }
    }
}

#[test]
fn options_are_the_same_in_the_query_and_in_the_body() {
    let document = document();
    for endpoint in puzzles::ALL {
        let path = format!("/{}", endpoint.name());
        let parameters = document["paths"][&path]["post"]["parameters"].as_array();
        let parameters = parameters.expect("a solve has parameters");
        for option in endpoint.options() {
            let place = format!("{path}, option {}", option.name);
            let parameter = parameters.iter().find(|parameter| parameter["name"] == option.name);
            let parameter = parameter.unwrap_or_else(|| panic!("{place} is no parameter"));
            let field = request_field(&document, *endpoint, option.name);
            let (kind, default) = match option.kind {
                OptionKind::Boolean { default } => ("boolean", Some(json!(default))),
                OptionKind::Integer { default, .. } => ("integer", default.map(Value::from)),
                OptionKind::Choice { default, .. } => ("string", Some(json!(default))),
            };
            // Swagger UI would send a parameter's default beside a JSON body, where it is refused.
            assert_eq!(parameter["schema"].get("default"), None, "{place} in the query");
            assert_eq!(field.get("default"), default.as_ref(), "{place} in the body");
            for (where_, schema) in [("query", &parameter["schema"]), ("body", &field)] {
                assert_eq!(schema["type"], kind, "{place} in the {where_}");
                match option.kind {
                    OptionKind::Boolean { .. } => {}
                    OptionKind::Integer { min, max, .. } => {
                        assert_eq!(schema["minimum"].as_f64(), Some(min as f64), "{place}");
                        assert_eq!(schema["maximum"].as_f64(), Some(max as f64), "{place}");
                    }
                    OptionKind::Choice { values, .. } => {
                        assert_eq!(schema["enum"], json!(values), "{place} in the {where_}");
                    }
                }
            }
        }
    }
}

/// The schema of a field of a request, with what it refers to merged in.
fn request_field(document: &Value, endpoint: &dyn Endpoint, name: &str) -> Value {
    let request = &document["components"]["schemas"][endpoint.schemas().request];
    let required = request["required"].as_array();
    let is_required = required.is_some_and(|required| required.contains(&json!(name)));
    assert!(!is_required, "{}: the option {name} is a required field", endpoint.name());
    let mut field = request["properties"][name].clone();
    assert!(field.is_object(), "{}: no field is named {name}", endpoint.name());
    let target = field.get("$ref").and_then(Value::as_str).map(str::to_owned);
    if let Some(target) = target {
        let referred = document.pointer(&target[1..]).and_then(Value::as_object);
        for (key, value) in referred.into_iter().flatten() {
            field[key] = field.get(key).unwrap_or(value).clone();
        }
    }
    field
}

/// Fails unless the answer has this status, the status is declared, and the
/// body is of the declared schema.
#[track_caller]
fn assert_as_declared(
    document: &Value,
    operation: &Value,
    answer: &Answer,
    status: u16,
    place: &str,
) {
    assert_eq!(answer.status, status, "{place}: {}", answer.text());
    let media_type = answer.header("content-type").split(';').next().unwrap_or("");
    let declared = &operation["responses"][status.to_string()];
    let schema = &declared["content"][media_type]["schema"];
    assert!(schema.is_object(), "{place}: {status} {media_type} is not declared");
    for header in declared["headers"].as_object().into_iter().flatten().map(|(name, _)| name) {
        let is_of_one_solve = header == "Server-Timing" || header == "Cache-Status";
        let may_be_absent = header == "Retry-After" || (is_of_one_solve && media_type == NDJSON);
        assert!(may_be_absent || !answer.header(header).is_empty(), "{place}: no {header}");
    }
    let body = match media_type {
        "text/plain" | NDJSON => Value::from(answer.text()),
        _ => answer.json(),
    };
    assert_valid(document, schema, &body, place);
}

/// Fails unless the value is of the schema and has no property that is not declared.
#[track_caller]
fn assert_valid(document: &Value, schema: &Value, value: &Value, place: &str) {
    let mut root = schema.clone();
    root["components"] = document["components"].clone();
    forbid_undeclared(&mut root);
    let validator = jsonschema::validator_for(&root).expect("the schema is one");
    let faults: Vec<_> = validator
        .iter_errors(value)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{place}: {faults:#?}\n{value:#}");
}

/// Closes every schema that lists its properties.
fn forbid_undeclared(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") && members.get("type") == Some(&json!("object")) {
                members.entry("additionalProperties").or_insert(json!(false));
            }
            members.values_mut().for_each(forbid_undeclared);
        }
        Value::Array(items) => items.iter_mut().for_each(forbid_undeclared),
        _ => {}
    }
}

/// The document as clients see it.
fn document() -> Value {
    serde_json::from_str(&openapi::json(puzzles::ALL)).expect("the document is JSON")
}

fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    let paths = document["paths"].as_object().expect("there are paths");
    paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("a path has methods");
        methods.iter().map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

fn solve_operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    operations(document).filter(|(_, operation)| {
        operation["tags"].as_array().is_some_and(|tags| tags.contains(&json!("solve")))
    })
}

/// Visits every value but the examples, each with its place in the document.
fn walk(value: &Value, place: &str, visit: &mut impl FnMut(&str, &Value)) {
    visit(place, value);
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if !["example", "examples", "default"].contains(&name.as_str()) {
                    walk(member, &format!("{place}/{name}"), visit);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{place}/{index}"), visit);
            }
        }
        _ => {}
    }
}
