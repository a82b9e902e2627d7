"""Facets: a count is what a further filter would find, and filters of every facet."""

from __future__ import annotations

import pytest

from touchline.report.data import ReportEvent, ReportMatch, ReportPeriod
from touchline.report.moments import Moment, Scoreboard
from touchline.web.store import index

API = "/api/v1"
PARAMETER = {"players": "player", "teams": "team", "kinds": "kind", "outcomes": "outcome",
             "standings": "standing", "phases": "phase"}  # fmt: skip


def facets(client, **asked):
    got = client.get(f"{API}/search", params={**asked, "facets": True})
    assert got.status_code == 200, got.text
    return got.json()["facets"]


def total(client, **asked):
    return client.get(f"{API}/search", params=asked).json()["total"]


@pytest.mark.parametrize(
    "asked", [{"q": "the"}, {"q": "corner", "kind": "Pass"}, {"kind": "Shot", "standing": "level"}]
)
def test_a_count_is_what_the_filter_finds(client, asked):
    found = facets(client, **asked)
    assert set(found) == set(PARAMETER)
    for facet in ("players", "teams", "kinds", "outcomes", "standings"):
        assert found[facet]
        for one in found[facet][:6]:
            more = {**asked, PARAMETER[facet]: one["value"]}
            assert total(client, **more) == one["count"], (facet, one)
    counts = [one["count"] for one in found["players"]]
    assert counts == sorted(counts, reverse=True)


def test_a_filter_leaves_only_what_goes_with_it(client):
    shots = facets(client, kind="Shot")
    assert [one["value"] for one in shots["kinds"]] == ["Shot"]
    assert "Saved" in {one["value"] for one in shots["outcomes"]}
    player = shots["players"][0]["value"]
    with_team = facets(client, kind="Shot", player=player)["teams"]
    assert len(with_team) == 1


def test_nothing_found_has_no_facets(client):
    assert facets(client, q="§§§") == {name: [] for name in PARAMETER}
    assert facets(client, q="xyzzy")["players"] == []


def test_an_unknown_standing_is_refused(client):
    got = client.get(f"{API}/search", params={"standing": "winning"})
    assert (got.status_code, got.json()["error"]["code"]) == (400, "query")


def test_the_score_is_that_before_the_event():
    def event(team, time):
        return ReportEvent(id=f"{team}{time}", kind=0, what="Shot", period=1, time=time, clock="1'",
                           team=team)  # fmt: skip

    goal = Moment("goal", 1, 0, "Ann", "1'", score=(1, 0))
    match = ReportMatch(
        name="m", title="m", teams=("A", "B"), kinds=("Shot",), players=(), comments=(),
        periods=(ReportPeriod(number=1, name="First half", minute=0, seconds=60.0),),
        events=(event(1, 1.0), event(0, 2.0), event(0, 3.0), event(1, 4.0), event(None, 5.0)),
        result=Scoreboard(score=(1, 0)), moments=(goal,),
    )  # fmt: skip
    assert index._standings(match) == ["level", "level", "leading", "trailing", None]
