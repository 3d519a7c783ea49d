"""Hooks of schemathesis: what a valid request needs beside its schema, so that it reaches more than the first check."""

import os

import schemathesis

OWN_KEY = os.environ["FUZZ_KEY_ID"]
USER = "ann"
PAST = "2024-05-06T07:08:09Z"
LATEST = "2026-01-01"


@schemathesis.hook
def filter_case(context, case):
    """The run must not revoke its own key."""
    return (case.path_parameters or {}).get("keyId") != OWN_KEY


@schemathesis.hook
def before_call(context, case, kwargs):
    """
    A valid request names its user, as a server's key must; what it says happened has happened; and the headers of the proxy, which are
    percent-encoded names or nothing, are left to the user's. The query names the user in every request: one that is invalid when this is
    called may be found to be valid afterwards, when a step of a sequence has taken its path from an answer.
    """
    if any(parameter.name == "userId" for parameter in case.operation.query) and isinstance(case.query or {}, dict):
        case.query = {"userId": USER, **(case.query or {})}
    if case.meta is not None and not case.meta.generation.mode.is_positive:
        return
    if takes_user_in_body(case.operation) and not isinstance(case.body, dict):
        # A body that may be left out, and was: the user has to be named all the same.
        case.body = {}
        case.media_type = "application/json"
    if isinstance(case.body, dict):
        in_past(case.body)
        # An erasure names a user, an object or rows.
        if takes_user_in_body(case.operation) and not {"objectId", "ids"} & case.body.keys():
            case.body.setdefault("userId", USER)
    if case.operation.path in ("/v1/chat/completions", "/v1/responses"):
        for name in [name for name in case.headers if name.lower().startswith("x-edgewise-")]:
            del case.headers[name]
        case.headers["x-edgewise-user"] = USER


def in_past(value):
    """Of a time that is far off, the service may say no."""
    if isinstance(value, list):
        for item in value:
            in_past(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in ("occurredAt", "createdAt") and isinstance(item, str) and item > LATEST:
                value[name] = PAST
            else:
                in_past(item)


def takes_user_in_body(operation):
    body = operation.definition.raw.get("requestBody")
    return body is not None and "userId" in names_of(body, operation.schema.raw_schema, set())


def names_of(schema, document, seen):
    """The properties of a body at its top, through references and variants."""
    if "content" in schema:
        # A body that is a file names nobody.
        if "application/json" not in schema["content"]:
            return set()
        schema = schema["content"]["application/json"]["schema"]
    reference = schema.get("$ref")
    if reference is not None:
        if reference in seen:
            return set()
        schema = document
        for part in reference.removeprefix("#/").split("/"):
            schema = schema[part]
        return names_of(schema, document, seen | {reference})
    names = set(schema.get("properties", {}))
    for variant in schema.get("anyOf", []) + schema.get("oneOf", []) + schema.get("allOf", []):
        names |= names_of(variant, document, seen)
    return names
