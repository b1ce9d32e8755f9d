"""What schemathesis' own checks leave open: which problem a request may get that the document allows.

Also what is true of every answer of the service, whatever was sent, and a hook that asks for
every form of an answer.
"""

import re
import zlib

import schemathesis

SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    """Lines are sent as they are."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Asks for each of the answers that an operation can give, as a job too; left alone, all would be JSON at once."""
    responses = case.operation.definition.raw["responses"]
    forms = sorted(responses.get("200", {}).get("content", {}))
    if case.media_type == "application/x-ndjson":
        # Many lines are answered in lines alone.
        forms = [case.media_type]
    if forms and "Accept" not in case.headers:
        # By what is sent, so that the same seed asks the same.
        sent = repr((case.body, case.query)).encode(errors="backslashreplace")
        case.headers["Accept"] = forms[zlib.crc32(sent) % len(forms)]
        # Every third solve is a job.
        if "202" in responses and zlib.crc32(sent[::-1]) % 3 == 0:
            case.headers["Prefer"] = "respond-async"


@schemathesis.check
def refusals_of_valid_requests_are_those_that_no_schema_can_say(ctx, response, case):
    """A request that the document allows is refused for its puzzle, its text form or a misplaced option alone."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code < 400:
        return
    if case.method.upper() not in ("GET", "POST", "DELETE"):
        return
    problem = response.json()
    is_text = case.media_type == "text/plain"
    allowed = {
        # The rows' lengths, a tile that stands in the air, a start that is blocked, …
        "invalid_puzzle": True,
        # The contest's form is no JSON schema.
        "malformed_body": is_text,
        # The puzzle's options stand in the query beside a text body alone.
        "invalid_query": not is_text and "is an option of the puzzle" in problem["detail"],
        # Text can't say "unknown".
        "undecided": True,
        # Any text may stand in the header, and only a job needs it to be a key.
        "idempotency_key": "Idempotency-Key" in case.headers,
        # It was cancelled, or runs still.
        "no_answer": case.path.endswith("/answer"),
        # A made-up id is nobody's job.
        "not_found": "/jobs/" in case.path,
    }
    assert allowed.get(problem["code"], False), f"`{problem['code']}`: {problem['detail']}"


@schemathesis.check
def server_errors_are_undecided_boards_alone(ctx, response, case):
    """One request at a time never finds the service overloaded, and a bug is a 500."""
    if response.status_code >= 500:
        assert response.json()["code"] == "undecided", response.text


@schemathesis.check
def every_fault_is_a_problem_that_explains_itself(ctx, response, case):
    """Also where a path or a method is unknown: RFC 9457, with the status that was sent."""
    if response.status_code < 400 or case.method.upper() == "HEAD":
        return
    assert response.headers["content-type"] == ["application/problem+json"], response.headers
    problem = response.json()
    assert problem["status"] == response.status_code, problem
    assert problem["type"] == f"/problems/{problem['code']}", problem
    assert problem["detail"] and problem["title"], problem


@schemathesis.check
def every_answer_has_a_request_id(ctx, response, case):
    """The header, and the same in a problem."""
    (request_id,) = response.headers["x-request-id"]
    assert SANE_ID.fullmatch(request_id), request_id
    if response.status_code >= 400 and case.method.upper() != "HEAD":
        assert response.json()["request_id"] == request_id
