"""Findings and generated commentary of a match on the server."""

from __future__ import annotations

from tests.web.page.conftest import MATCH
from touchline import generate, read_corpus
from touchline.report.data import Report
from touchline.sample import corpus_path
from touchline.web.jobs import align_worker

API = f"/api/v1/matches/{MATCH}"


def test_findings_are_those_of_the_page(start):
    client = start()
    found = client.get(f"{API}/findings").json()
    (match,) = client.get(f"{API}/page").json()["matches"]
    assert match["checked"]
    assert found["comments"] == len(match["comments"])
    shown = {
        c["id"]: [f["says"] for f in c["findings"]] for c in match["comments"] if "findings" in c
    }
    told: dict[int, list[str]] = {}
    for finding in found["findings"]:
        told.setdefault(finding["comment"], []).append(finding["says"])
    assert told == shown
    assert told


def test_the_generated_commentary_is_that_of_generate(start):
    client = start()
    got = client.get(f"{API}/generated")
    (match,) = got.json()["matches"]
    own = next(one.match for one in read_corpus(corpus_path()) if one.match.name == MATCH)
    assert [c["text"] for c in match["comments"]] == [line.text for line in generate(own)]
    again = client.get(f"{API}/generated", headers={"If-None-Match": got.headers["etag"]})
    assert again.status_code == 304
    assert got.headers["etag"] != client.get(f"{API}/page").headers["etag"]


def test_a_match_of_an_older_version_says_what_to_do(start, folder):
    client = start()
    (answer,) = {client.get(API).json()["answer"]}
    for file in (align_worker.FINDINGS, align_worker.GENERATED):
        (folder / ".touchline" / "answers" / answer / file).unlink()
    for what, code in (("findings", "not_checked"), ("generated", "not_generated")):
        error = client.get(f"{API}/{what}").json()["error"]
        assert error["code"] == code
        assert "align the match again" in error["message"]


def test_the_generated_page_is_a_report(start):
    import msgspec

    got = start().get(f"{API}/generated")
    assert msgspec.json.decode(got.content, type=Report).method == "generate"
