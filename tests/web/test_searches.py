"""Saved searches, and hits as files."""

from __future__ import annotations

import csv
import io

import pytest

from tests.web.test_matches import code
from touchline.web import hits
from touchline.web.records import Hit, HitEvent, Recorded
from touchline.web.store import searches

API = "/api/v1"
SHOTS = {"q": "post", "kind": "Shot", "from": 10}


def names(client):
    return [one["name"] for one in client.get(f"{API}/searches").json()["searches"]]


def test_a_search_is_saved_for_everybody_and_deleted(start, folder):
    first = start()
    assert names(first) == []
    saved = first.post(f"{API}/searches", json={"name": " Off the  post ", "query": SHOTS})
    assert saved.status_code == 200
    (one,) = saved.json()["searches"]
    assert one["name"] == "Off the post"
    assert {key: value for key, value in one["query"].items() if value is not None} == SHOTS
    first.post(f"{API}/searches", json={"name": "a/b ä", "query": {"q": "x"}})
    first.post(f"{API}/searches", json={"name": "Off the post", "query": {"q": "bar"}})
    assert names(first) == ["a/b ä", "Off the post"]  # in place of the first
    assert code(first.delete(f"{API}/searches/nothing")) == (404, "no_search")
    left = first.delete(f"{API}/searches/Off%20the%20post").json()["searches"]
    assert [one["name"] for one in left] == ["a/b ä"]


@pytest.mark.parametrize("body", [
    {"name": "", "query": {}}, {"name": "x" * 81, "query": {}}, {"name": "  ", "query": {}},
    {"name": "x", "query": {"from": "soon"}}, {"query": {}},
])  # fmt: skip
def test_a_search_that_cannot_be_saved(client, body):
    assert code(client.post(f"{API}/searches", json=body)) == (400, "bad_request")
    assert names(client) == []


def test_there_is_room_for_so_many(client, monkeypatch):
    monkeypatch.setattr(searches, "MAX_SAVED", 1)
    assert client.post(f"{API}/searches", json={"name": "a", "query": {}}).status_code == 200
    assert code(client.post(f"{API}/searches", json={"name": "b", "query": {}}))[0] == 429
    assert client.post(f"{API}/searches", json={"name": "a", "query": {}}).status_code == 200


# Files -------------------------------------------------------------------------------------------


def test_all_hits_as_a_table(client):
    total = client.get(f"{API}/search", params={"kind": "Shot", "limit": 1}).json()["total"]
    got = client.get(f"{API}/hits", params={"kind": "Shot", "format": "csv"})
    assert "hits.csv" in got.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(got.text)))
    assert len(rows) == total
    assert all("Shot" in row["events"] and row["match_time"] for row in rows)
    assert [row["match"] for row in rows] == sorted(row["match"] for row in rows)


def test_all_hits_as_cues(client):
    got = client.get(f"{API}/hits", params={"kind": "Shot", "format": "vtt"})
    assert got.text.startswith("WEBVTT\n\nNOTE harrowmere-castlebrook: the match clock\n")
    assert got.text.count("\nNOTE ") == 2
    total = client.get(f"{API}/search", params={"kind": "Shot", "limit": 1}).json()["total"]
    assert got.text.count(" --> ") == total
    first = got.text.partition("NOTE port")[0]
    starts = [line[:12] for line in first.splitlines() if " --> " in line]
    assert starts == sorted(starts)


def hit(text, **more):
    event = HitEvent(id="e", what="=SUM(A1)", clock="1'", period=2, time=65.0, code="46:05")
    return Hit(match="m", title="A – B", comment=1, clock="46'", minute=47, text=text, marks=[],
               events=[event], by="machine", phase=None, code="46:05", **more)  # fmt: skip


def test_no_cell_is_a_formula_and_no_cue_is_markup():
    (row,) = csv.DictReader(io.StringIO(hits.as_csv([hit("=1+1")]).decode()))
    assert (row["text"], row["events"]) == ("'=1+1", "'=SUM(A1)")
    cues = hits.as_vtt([hit("<b>\n\n00:00:00.000 --> 9")]).decode()
    assert "&lt;b&gt; 00:00:00.000 --&gt; 9" in cues
    assert "00:46:05.000 --> 00:46:09.000" in cues


def test_a_recording_gives_the_times_where_there_is_one():
    cues = hits.as_vtt([hit("Goal!", recorded=Recorded(seconds=4000.5, code="01:06:40.500"))])
    assert b"NOTE m: the recording's clock\n\n01:06:40.500 --> 01:06:44.500\nGoal!" in cues
