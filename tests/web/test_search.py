"""Search: what a user's text means, filters, and people's labels in what is found."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.waiting import wait_for
from touchline import align
from touchline.io.links.origin import Origin
from touchline.io.links.vtt import time_code
from touchline.report.data import ReportPhase, report
from touchline.web import records
from touchline.web.api import routing
from touchline.web.context import HEAVY
from touchline.web.records import SearchQuery
from touchline.web.store import index, query, search
from touchline.web.store.database import Store

HOME, AWAY = "harrowmere-castlebrook", "port-selwyn-dunveagh"


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("Hazard one-two", ('"Hazard"*', '"one two"*'), ()),
        ('"far post" -corner', ('"far post"',), ('"corner"*',)),
        ('"not closed', ('"not closed"',), ()),
        ("-", (), ()),
        ("-corner -throw", (), ('"corner"*', '"throw"*')),
        ('say "" NEAR(x) OR *', ('"say"*', '"NEAR x"*', '"OR"*'), ()),
        ("a A a -b -B a", ('"a"*',), ('"b"*',)),
        ("text:foul ^a {b} + c", ('"text foul"*', '"a"*', '"b"*', '"c"*'), ()),
    ],
)
def test_a_text_becomes_quoted_words(text, wanted, unwanted):
    assert query.parse(text) == query.Query(wanted, unwanted)


@pytest.mark.parametrize(
    ("text", "phases", "no_phases"),
    [
        ("phase:counter", ("counter",), ()),
        ('corner phase:Build-Up -phase:"Port  Sélwyn', ("build up",), ("port selwyn",)),
        ("phase: phase: -phase:", ("",), ("",)),
        ("x-phase:counter", (), ()),
    ],
)
def test_phases_are_asked_for_by_team_and_kind(text, phases, no_phases):
    found = query.parse(text)
    assert (found.phases, found.no_phases) == (phases, no_phases)
    assert ('"corner"*' in found.wanted) == ("corner" in text)


def test_comments_are_found_by_their_phase(aligned, tmp_path):
    """Two comments of a match about a phase, put in by hand."""
    import shutil

    store = Store(shutil.copytree(aligned, tmp_path / "m"))
    with store.write() as db:
        db.execute("DELETE FROM phases")
        rows = db.execute("SELECT row FROM comments WHERE match = ? ORDER BY place", [HOME])
        first, second, third = (row["row"] for row in rows.fetchall()[:3])
        index.put_phase(db, HOME, first, "Harrowmere City", phase("counter"))
        index.put_phase(db, HOME, second, "Castlebrook Athletic", phase("build-up"))
        index.put_phase(db, HOME, third, "Castlebrook Athletic", phase(None))
    with store.read() as db:

        def found(q: str) -> list[str | None]:
            hits = search.search(db, SearchQuery(q=q, match=HOME)).hits
            return [hit.phase and f"{hit.phase.team} {hit.phase.kind}" for hit in hits]

        counter, build_up = "Harrowmere City counter", "Castlebrook Athletic build-up"
        assert found("phase:counter") == [counter]
        assert found("phase:city") == [counter]
        assert found('phase:"castlebrook ath"') == [build_up, "Castlebrook Athletic None"]
        assert found("phase:build-up") == [build_up]
        assert found("phase:castlebrook phase:build") == [build_up]
        assert found("phase:") == [counter, build_up, "Castlebrook Athletic None"]
        assert found("phase:unter") == []
        assert found("phase: -phase:city") == [build_up, "Castlebrook Athletic None"]
        assert set(found("-phase:")) == {None}
    with store.write() as db:
        index.drop(db, HOME)
        assert db.execute("SELECT COUNT(*) FROM phases").fetchone()[0] == 0
    store.close()


def phase(kind: str | None) -> ReportPhase:
    return ReportPhase(team=0, events=(1, 2), period=1, span=(10.0, 20.0), score=0.6, kind=kind)


@pytest.fixture(scope="module")
def db(aligned, tmp_path_factory):
    import shutil

    store = Store(shutil.copytree(aligned, tmp_path_factory.mktemp("search") / "m"))
    with store.read() as db:
        yield db
    store.close()


@pytest.fixture
def recorded(sample, tmp_path):
    """A match whose halves kick off at 10:00 and 1:10:00 of the recording, and its database."""
    kickoffs = {1: 600.0, 2: 4200.0}
    match = sample[0].match
    comments = [
        msgspec.structs.replace(one, kickoff=kickoffs[one.period], start=one.time, end=one.time)
        for one in match.comments
    ]
    links = align(match.with_comments(comments), method="named-nearest")
    origin = Origin(format=1, touchline="0", method="named-nearest")
    store = Store(tmp_path)
    with store.write() as db:
        index.put(db, match.name, report([links], origin).matches[0], list(links))
        db.execute("INSERT INTO matches (name, title) VALUES (?, 'A')", [match.name])
    with store.read() as db:
        yield links.match, db
    store.close()


def test_a_hit_has_the_time_code_of_its_recording(recorded):
    match, db = recorded
    said = {comment.id: comment for comment in match.comments}
    hits = search.search(db, SearchQuery(q="", limit=100)).hits
    assert len(hits) == 100
    assert {hit.recorded.code[:2] for hit in hits} == {"00", "01"}
    described = 0
    for hit in hits:
        comment = said[hit.comment]
        assert hit.recorded.seconds == pytest.approx(comment.kickoff + comment.start)
        assert hit.recorded.code == time_code(comment.kickoff + comment.start)
        for event in hit.events:
            described += 1
            assert event.recorded.seconds == pytest.approx(comment.kickoff + event.time)
    assert described > 50


def test_a_live_text_has_no_time_code(db):
    hits = search.search(db, SearchQuery(q="corner")).hits
    assert hits
    assert all(hit.recorded is None for hit in hits)
    assert all(event.recorded is None for hit in hits for event in hit.events)


@settings(max_examples=150)
@given(st.text(max_size=30) | st.text("\"*-^+:(){} aAND\x00\x01ORNOTé_\\'", max_size=30))
def test_no_text_is_a_syntax_error(db, text):
    found = search.search(db, SearchQuery(q=text))
    assert found.total >= len(found.hits)


def test_a_page_behind_the_last_hit_still_says_how_many(db):
    everything = search.search(db, SearchQuery(q="the"))
    behind = search.search(db, SearchQuery(q="the", offset=100_000))
    assert (behind.total, behind.hits) == (everything.total, [])


def test_a_search_that_takes_too_long_is_ended(client, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(query, "MAX_SECONDS", 0.0)
        patch.setattr(query, "_STEPS", 1)
        for path in ("search?q=the", "search?q=-the", "choices", "search?q=the&facets=true"):
            got = client.get(f"/api/v1/{path}")
            assert (got.status_code, got.json()["error"]["code"]) == (503, "too_slow")
    assert hits(client, q="the")["total"] > 0  # on the same connections to the database


def test_many_searches_at_once_leave_room_for_everything_else(client, monkeypatch):
    """Far more than there are threads; none ends before all else has been answered."""
    release = threading.Event()
    monkeypatch.setattr(search, "search", lambda *_: release.wait(60) and records.Hits(0, []))
    monkeypatch.setattr(routing, "PATIENCE", 1.0)
    with ThreadPoolExecutor(60) as pool:
        asked = [pool.submit(client.get, "/api/v1/search?q=a") for _ in range(60)]
        try:
            wait_for(lambda: sum(one.done() for one in asked) == 60 - HEAVY)
            action = {"comment": 0, "revision": 0, "action": "none"}
            labelled = client.post(f"/api/v1/matches/{HOME}/labels/Ada", json=action)
            assert labelled.status_code == 200
        finally:
            release.set()
        statuses = [one.result().status_code for one in asked]
    assert (statuses.count(200), statuses.count(503)) == (HEAVY, 60 - HEAVY)
    assert all(one.result().headers["retry-after"] for one in asked if not one.result().is_success)


def hits(client, **asked):
    got = client.get("/api/v1/search", params=asked)
    assert got.status_code == 200, got.text
    return got.json()


def comments(aligned, name):
    import json

    return [json.loads(line) for line in (aligned / name / "comments.jsonl").open()]


def test_words_are_found_by_their_beginning_without_accents(client, aligned):
    wanted = {(HOME, c["id"]) for c in comments(aligned, HOME) if "Gaye-Lambert" in c["text"]}
    found = hits(client, q="gAyé-lamb", limit=200)["hits"]
    assert wanted <= {(hit["match"], hit["comment"]) for hit in found}
    for hit in found:
        assert hit["match"] == HOME
    marked = next(hit for hit in found if "Gaye-Lambert" in hit["text"])
    start, end = marked["marks"][0]
    assert marked["text"][start:end] == "Gaye-Lambert"


def test_exact_phrases_and_unwanted_words(client):
    phrase = hits(client, q='"the bar"', limit=200)
    assert phrase["total"] > 0
    assert all("the bar" in hit["text"].lower() for hit in phrase["hits"])
    without = hits(client, q='"the bar" -over', limit=200)
    assert without["total"] < phrase["total"]
    everything = hits(client)["total"]
    assert hits(client, q="-over")["total"] == everything - hits(client, q="over")["total"]
    nothing = {"total": 0, "hits": [], "meant": None, "facets": None}
    assert hits(client, q="§§§") == nothing


def test_filters_ask_for_one_event_that_fits_them_all(client):
    choices = client.get("/api/v1/choices").json()
    assert "Shot" in choices["kinds"]
    shots = hits(client, kind="Shot", limit=200)["hits"]
    assert shots
    assert all(any("Shot" in e["what"] for e in hit["events"]) for hit in shots)
    player = next(p for p in choices["players"] if hits(client, player=p, kind="Shot")["total"] > 0)
    mine = hits(client, player=player, kind="Shot", limit=200)
    assert 0 < mine["total"] < len(shots)
    for team in choices["teams"]:
        some = hits(client, team=team, player=player, kind="Shot")["total"]
        assert some in (0, mine["total"])  # a player shoots for one team


def test_minutes_and_matches(client):
    some = hits(client, match=HOME, limit=200, **{"from": 30, "to": 35})["hits"]
    assert some
    assert {hit["match"] for hit in some} == {HOME}
    assert all(30 <= hit["minute"] <= 35 for hit in some)
    one = some[0]["minute"]
    assert some[0] in hits(client, match=HOME, limit=200, **{"from": one, "to": one})["hits"]
    pages = [hits(client, q="the", limit=10, offset=at)["hits"] for at in (0, 10)]
    assert not {(h["match"], h["comment"]) for h in pages[0]} & {
        (h["match"], h["comment"]) for h in pages[1]
    }
    assert (
        client.get("/api/v1/choices", params={"match": HOME}).json()
        != client.get("/api/v1/choices", params={"match": AWAY}).json()
    )


@pytest.mark.parametrize("asked", [{"limit": 0}, {"limit": 9999}, {"from": "x"}, {"offset": -1}])
def test_senseless_parameters_are_refused(client, asked):
    got = client.get("/api/v1/search", params=asked)
    assert (got.status_code, got.json()["error"]["code"]) == (400, "query")


def test_a_person_is_believed_over_the_machine(client):
    shot = hits(client, kind="Shot", match=HOME)["hits"][0]
    assert shot["by"] == "machine"
    at = f"/api/v1/matches/{HOME}/labels/Ada"
    asked = {"comment": shot["comment"], "revision": 0, "action": "none"}
    step = client.post(at, json=asked).json()["undo"]["id"]

    def found():
        return {hit["comment"] for hit in hits(client, kind="Shot", match=HOME, limit=200)["hits"]}

    assert shot["comment"] not in found()
    words = hits(client, match=HOME, limit=200)["hits"]
    assert next(h for h in words if h["comment"] == shot["comment"])["by"] == "Ada"
    later = client.post(at.replace("Ada", "Bo"), json={**asked, "action": "accept"}).json()
    assert shot["comment"] in found()  # the latest word counts
    undone = {"step": later["undo"]["id"]}
    client.post(f"{at.replace('Ada', 'Bo')}/undo", json=undone)
    assert shot["comment"] not in found()
    client.post(f"{at}/undo", json={"step": step})
    assert shot["comment"] in found()


def test_an_event_has_its_time_on_the_match_clock(client):
    for hit in hits(client, limit=200)["hits"]:
        for event in hit["events"]:
            minutes, seconds = map(int, event["code"].split(":"))
            late = 60 * minutes + seconds - 2700 * (event["period"] == 2)
            assert late == int(event["time"])
        assert hit["code"] == (hit["events"][0]["code"] if hit["events"] else None)


def test_words_are_marked_though_others_are_only_in_the_events():
    """Not every word of a query has to be in the text, and `AND` in a phrase is a word."""
    text = "Far and Post, then a Kévin-like cross"
    marked = search._marked([(1, text)], ('"far AND post"', '"kev"*', '"elsewhere"*'))
    spans = [text[start:end] for start, end in search.marks(marked[1])]
    assert spans == ["Far and Post", "Kévin"]
    assert search._marked([(1, text)], ('"elsewhere"*',)) == {}


def test_marks_count_as_browsers_do():
    assert search.marks("🏟️ \x01goal\x02 by \x01Bo\x02") == [(4, 8), (12, 14)]
