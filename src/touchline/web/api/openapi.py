"""The OpenAPI description of a table of endpoints, generated from their types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from touchline.core.version import __version__
from touchline.web.api.routing import BASE, PATH_TYPES, Endpoint
from touchline.web.api.security import COOKIE, CSRF_HEADER, SAFE_METHODS
from touchline.web.errors import STATUS
from touchline.web.records import ErrorResponse

_REF = "#/components/schemas/{name}"
Json = dict[str, Any]


def describe(endpoints: Sequence[Endpoint]) -> Json:
    """The whole file."""
    types = [
        ErrorResponse,
        *(kind for one in endpoints for kind in (one.reply, one.body) if _named(kind)),
    ]
    _, components = msgspec.json.schema_components(list(dict.fromkeys(types)), ref_template=_REF)
    paths: dict[str, Json] = {}
    for one in endpoints:
        paths.setdefault(BASE + one.path, {})[one.method.lower()] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {"title": "touchline", "version": __version__},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": _SCHEMES},
        "security": [{"token": []}, {"cookie": []}, {}],
    }


_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
}


def _operation(one: Endpoint) -> Json:
    operation: Json = {
        "operationId": one.run.__name__,
        "summary": one.summary,
        "parameters": [*_path(one), *_query(one), *_headers(one)],
        "responses": {str(one.status): _reply(one), **_errors(one)},
    }
    if one.public:
        operation["security"] = [{}]
    if one.form is not None:
        content = {"multipart/form-data": {"schema": one.form}}
        operation["requestBody"] = {"required": True, "content": content}
    elif one.body is bytes:
        content = {"text/plain": {"schema": {"type": "string"}}}
        operation["requestBody"] = {"required": False, "content": content}
    elif one.body is not None:
        operation["requestBody"] = {"required": True, "content": _json(one.body)}
    return operation


def _path(one: Endpoint) -> Iterable[Json]:
    for name in re.findall(r"\{(\w+)\}", one.path):
        schema = msgspec.json.schema(PATH_TYPES[name])
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _query(one: Endpoint) -> Iterable[Json]:
    if one.query is None:
        return
    _, components = msgspec.json.schema_components([one.query], ref_template=_REF)
    schema = components[one.query.__name__]
    for name, kind in schema["properties"].items():
        needed = name in schema.get("required", ())
        yield {"name": name, "in": "query", "required": needed, "schema": _without_null(kind)}


def _without_null(kind: Json) -> Json:
    """A query parameter has a value or is absent; it cannot be null."""
    choices = [choice for choice in kind.get("anyOf", ()) if choice != {"type": "null"}]
    return choices[0] if len(choices) == 1 else kind


def _headers(one: Endpoint) -> Iterable[Json]:
    if one.method not in SAFE_METHODS and not one.public:
        what = "The value of csrf in GET /session; not needed with a bearer token."
        schema = {"type": "string"}
        yield {"name": CSRF_HEADER, "in": "header", "description": what, "schema": schema}


def _reply(one: Endpoint) -> Json:
    if one.status == 204:
        return {"description": "Done."}
    if isinstance(one.reply, str):
        return {"description": "Done.", "content": {one.reply: {"schema": {}}}}
    return {"description": "Done.", "content": _json(one.reply)}


def _errors(one: Endpoint) -> dict[str, Json]:
    codes = [*one.errors, *([] if one.public else ["token", "too_many"]), "host"]
    codes += ["bad_request", "too_large"] if one.body is not None else []
    codes += ["origin", "csrf"] if one.method not in SAFE_METHODS else []
    codes += ["read_only"] if one.changes else []
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(STATUS[code], []).append(code)
    return {
        str(status): {"description": ", ".join(found), "content": _json(ErrorResponse)}
        for status, found in sorted(by_status.items())
    }


def _json(kind: Any) -> Json:
    return {"application/json": {"schema": {"$ref": _REF.format(name=kind.__name__)}}}


def _named(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)
