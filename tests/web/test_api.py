"""The API as a whole: its description, its document, and whatever anybody may send."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from touchline.web import errors
from touchline.web.api.endpoints import TABLE, description

DOCUMENT = Path(__file__).parents[2] / "docs" / "server.md"
MATCH = "harrowmere-castlebrook"
LABELS = f"/api/v1/matches/{MATCH}/labels/Ada"
EXAMPLES = int(os.environ.get("TOUCHLINE_EXAMPLES", "8"))  # of each operation


def test_the_description_has_every_endpoint(client):
    served = client.get("/api/v1/openapi.json").json()
    assert served == json.loads(json.dumps(description()))
    described = {(m, path) for path, by in served["paths"].items() for m in by}
    assert described == {(e.method.lower(), f"/api/v1{e.path}") for e in TABLE.endpoints}
    ids = [one["operationId"] for by in served["paths"].values() for one in by.values()]
    assert len(set(ids)) == len(ids)
    assert all(one["summary"] for by in served["paths"].values() for one in by.values())


def test_every_reference_of_the_description_leads_somewhere():
    def references(node):
        if isinstance(node, dict):
            yield from ([node["$ref"]] if "$ref" in node else [])
            node = list(node.values())
        if isinstance(node, list):
            for child in node:
                yield from references(child)

    known = {f"#/components/schemas/{name}" for name in description()["components"]["schemas"]}
    assert set(references(description())) <= known


def test_the_document_names_every_endpoint_and_code():
    text = DOCUMENT.read_text(encoding="utf-8")
    for endpoint in TABLE.endpoints:
        shown = endpoint.path if not endpoint.path.endswith("/redo") else ".../redo"
        assert re.search(rf"`(?:{endpoint.method} )?{re.escape(shown)}[`?]", text), endpoint.path
    listed = text.partition("## Error codes")[2]
    assert set(re.findall(r"`(\w+)`", listed)) == set(errors.STATUS)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/api/v1/nowhere", 404), ("PUT", "/api/v1/matches", 405), ("GET", "/x", 404),
     ("GET", "/api/v1/matches/", 404), ("POST", "/", 405)],
)  # fmt: skip
def test_what_there_is_not_is_said_in_json(client, method, path, status):
    got = client.request(method, path)
    assert got.status_code == status
    assert got.json()["error"]["code"] in ("not_found", "not_allowed")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"comment": 1e999}', b"\xff", b"[" * 20_000, b"x" * 70_000],
)
def test_a_body_that_is_none_is_refused(client, body):
    got = client.post(LABELS, content=body)
    assert got.status_code in (400, 413)
    assert got.json()["error"]["code"] in ("bad_request", "too_large")


def test_half_a_surrogate_is_no_text(client):
    body = b'{"comment": 0, "revision": 0, "action": "note", "text": "\\ud800"}'
    assert client.post(LABELS, content=body).status_code == 400


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [("a/b", 404, "not_found"), ("x" * 41, 400, "name"), ("a\nb", 400, "name"),
     ("Ada ", 400, "name"), ("machine", 400, "name"), ("MaChine", 400, "name"),
     ("a  b", 400, "name"), ("Ada\n", 400, "name"), ("<b>", 400, "name"), ("%", 400, "name")],
)  # fmt: skip
def test_a_name_of_an_annotator_is_plain(client, name, status, code):
    got = client.get(f"/api/v1/matches/{MATCH}/labels/{quote(name, safe='')}")
    assert (got.status_code, got.json()["error"]["code"]) == (status, code)


@pytest.fixture(scope="module")
def fuzzed(aligned, serve_here, tmp_path_factory):
    """A real server, and the header that its writes need."""
    folder = shutil.copytree(aligned, tmp_path_factory.mktemp("fuzz") / "m")
    with serve_here(folder, "--no-align") as server:
        csrf = httpx.get(f"{server.url}/api/v1/session", timeout=60).json()["csrf"]
        yield server.url, {"X-CSRF-Token": csrf}


def endless(path):
    return path.endswith("/events")


PATHS = {path: by for path, by in description()["paths"].items() if not endless(path)}
SCHEMA = schemathesis.openapi.from_dict({**description(), "paths": PATHS})


@SCHEMA.parametrize()
@settings(max_examples=EXAMPLES, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_nothing_that_is_sent_makes_the_server_fail(case, fuzzed):
    url, headers = fuzzed
    if "match" in (case.path_parameters or {}):
        case.path_parameters["match"] = MATCH
    response = case.call(base_url=url, headers=headers)
    assert response.status_code < 500, response.text


@pytest.mark.parametrize("path", ["/nowhere", "/page/nothing.js", "/match", "/match/a/b"])
def test_a_wrong_path_is_a_page_for_people_and_json_for_programs(client, path):
    page = client.get(path, headers={"Accept": "text/html,*/*"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b'href="/"' in page.content
    assert page.headers["content-security-policy"]
    assert client.get(path).json()["error"]["code"] == "not_found"
    wrong = client.get("/api/v1/nothing", headers={"Accept": "text/html"})
    assert wrong.json()["error"]["code"] == "not_found"
