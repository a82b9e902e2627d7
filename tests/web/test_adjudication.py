"""Deciding about lines on which annotators disagree."""

from __future__ import annotations

import pytest

HOME = "harrowmere-castlebrook"
API = f"/api/v1/matches/{HOME}"


def revision(client, name, comment):
    found = client.get(f"{API}/labels/{name}").json()["labels"]
    return next((one["revision"] for one in found if one["comment"] == comment), 0)


def act(client, name, comment, action, **more):
    asked = {"comment": comment, "revision": revision(client, name, comment), "action": action}
    return client.post(f"{API}/labels/{name}", json=asked | more)


def decide(client, comment, events, by="Dee", seen=None):
    seen = revision(client, "gold", comment) if seen is None else seen
    asked = {"comment": comment, "revision": seen, "events": events, "by": by}
    return client.post(f"{API}/adjudications", json=asked)


@pytest.fixture
def line(client):
    """A line on which Bo disagrees with Ada and Cy, and the events of both answers."""
    (page,) = client.get(f"{API}/page").json()["matches"]
    one = next(c for c in page["comments"] if len(c.get("events", ())) == 2)
    linked = [page["events"][place]["id"] for place, _ in one["events"]]
    for name in ("Ada", "Cy"):
        act(client, name, one["id"], "accept")
    act(client, "Bo", one["id"], "none")
    return one["id"], linked


def test_every_answer_is_listed_with_those_who_gave_it(client, line):
    comment, linked = line
    act(client, "Ada", comment + 1, "none")
    act(client, "Bo", comment + 1, "none")
    (found,) = client.get(f"{API}/disagreements").json()["disagreements"]
    assert found["comment"] == comment
    assert found["answers"] == [
        {"annotators": ["Ada", "Cy"], "events": linked},
        {"annotators": ["Bo"], "events": []},
    ]
    assert found["adjudicated"] is None


def test_a_decision_says_who_made_it_and_counts_first(client, line):
    comment, linked = line
    got = decide(client, comment, linked[:1])
    assert got.status_code == 200
    act(client, "Ada", comment, "unsure", value=True)  # a later label does not overrule it
    (found,) = client.get(f"{API}/disagreements").json()["disagreements"]
    assert (found["adjudicated"]["events"], found["adjudicated"]["by"]) == (linked[:1], "Dee")
    hits = client.get("/api/v1/search", params={"match": HOME, "limit": 200}).json()["hits"]
    (hit,) = (one for one in hits if one["comment"] == comment)
    assert (hit["by"], [event["id"] for event in hit["events"]]) == ("gold", linked[:1])
    gold = client.get(f"{API}/labels/gold/gold").text
    assert gold.count("\n") == 1
    assert linked[0] in gold
    assert linked[1] not in gold


def test_a_decision_can_be_changed_taken_back_and_undone(client, line):
    comment, linked = line
    decide(client, comment, linked)
    decide(client, comment, [], by="Eve")
    (label,) = client.get(f"{API}/labels/gold").json()["labels"]
    assert (label["none"], label["by"]) == (True, "Eve")
    decide(client, comment, None)
    assert client.get(f"{API}/labels/gold").json()["labels"] == []
    step = client.get(f"{API}/labels/gold").json()["undo"]["id"]
    client.post(f"{API}/labels/gold/undo", json={"step": step})
    (label,) = client.get(f"{API}/labels/gold").json()["labels"]
    assert label["by"] == "Eve"


def test_two_who_decide_at_once_do_not_overwrite_each_other(client, line):
    comment, linked = line
    decide(client, comment, linked, seen=0)
    got = decide(client, comment, [], by="Eve", seen=0)
    assert got.json()["error"]["code"] == "conflict"
    assert got.json()["error"]["label"]["by"] == "Dee"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"events": ["nobody"]}, "no_event"),
        ({"by": "gold"}, "name"),
        ({"comment": "?"}, "no_comment"),
    ],
)
def test_what_is_wrong_is_said(client, line, more, code):
    asked = {"comment": line[0], "revision": 0, "events": [], "by": "Dee"} | more
    assert client.post(f"{API}/adjudications", json=asked).json()["error"]["code"] == code


@pytest.mark.parametrize(("name", "why"), [("gold", "reserved"), ("machine", "is not 'machine'")])
def test_nobody_labels_under_a_reserved_name(client, line, name, why):
    asked = {"comment": line[0], "revision": 0, "action": "none"}
    error = client.post(f"{API}/labels/{name}", json=asked).json()["error"]
    assert error["code"] == "name"
    assert why in error["message"]


def test_the_adjudicator_is_no_annotator_of_the_match(client, line):
    decide(client, line[0], [])
    names = [one["name"] for one in client.get(API).json()["annotators"]]
    assert names == ["Ada", "Bo", "Cy"]
