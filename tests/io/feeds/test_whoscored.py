"""WhoScored: records that it makes of others, cards, and the real match."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from touchline import InputError, Match, read_events


def record(number: float, kind: int, second: int | None = 10, **more: Any) -> dict[str, Any]:
    event = {
        "id": number, "eventId": int(number), "minute": 3, "second": second,
        "period": {"value": 1, "displayName": "FirstHalf"}, "teamId": 7, "playerId": 71,
        "type": {"value": kind, "displayName": "Some"}, "x": 50, "y": 50,
        "outcomeType": {"value": 1}, "qualifiers": [], **more,
    }  # fmt: skip
    return {key: value for key, value in event.items() if value is not None}


def page(*events: dict[str, Any]) -> dict[str, Any]:
    ann = {"playerId": 71, "name": "Ann Archer", "shirtNo": 9}
    return {
        "playerIdNameDictionary": {"71": "Ann Archer"},
        "home": {"teamId": 7, "name": "Redfield City", "players": [ann]},
        "away": {"teamId": 8, "name": "Blueport United", "players": []},
        "events": list(events),
    }


def read(folder: Path, content: Any) -> Match:
    (folder / "match.json").write_text(json.dumps(content))
    return read_events(folder / "match.json")


def test_a_record_made_of_another_has_its_second(tmp_path: Path):
    match = read(tmp_path, page(record(5, 2), record(5.1, 10000, None), record(6, 1, None)))
    times = {event.id: (event.type, event.time) for event in match.events}
    assert times == {"5": ("Pass", 190), "5.1": ("Offside", 190), "6": ("Pass", 180)}


def test_a_card_may_be_known_by_its_type_alone(tmp_path: Path):
    card = record(5, 17, cardType={"value": 32, "displayName": "SecondYellow"})
    (event,) = read(tmp_path, page(card)).events
    assert (event.type, event.arguments["card"]) == ("Bad Behaviour", "Second Yellow")


def test_a_type_that_is_new_is_called_as_the_page_calls_it(tmp_path: Path):
    (event,) = read(tmp_path, page(record(5, 12345))).events
    assert (event.type, event.linkable) == ("Some", True)


def test_the_page_s_data_may_be_wrapped(tmp_path: Path):
    plain = page(record(5, 1))
    assert read(tmp_path, {"matchId": 3, "matchCentreData": plain}) == read(tmp_path, plain)


def test_there_are_no_line_ups_beside_it(tmp_path: Path):
    (tmp_path / "match.json").write_text(json.dumps(page(record(5, 1))))
    with pytest.raises(InputError, match=r"x\.json: WhoScored data includes the line-ups"):
        read_events(tmp_path / "match.json", lineups=["x.json"])


SCRIPT = """<!doctype html><html><script>
    require.config.params["args"] = {
        matchId:1,
        matchCentreData: %s,
        matchCentreEventTypeJson: {"goal": 0},
    };</script></html>"""


@pytest.mark.parametrize(
    "form", [SCRIPT, "var matchCentreData = %s;\nvar matchId = 1;", "{matchCentreData:%s}"]
)
def test_the_data_in_a_page_or_its_script(tmp_path: Path, form: str):
    odd = record(1, 1, qualifiers=[{"type": {"value": 1}, "value": 'a } " { brace'}])
    content = page(odd, record(2, 16))
    (tmp_path / "page.html").write_text(form % json.dumps(content))
    match = read_events(tmp_path / "page.html")
    assert match.provider == "whoscored"
    assert match.events == read(tmp_path, content).events


def test_a_page_without_the_data(tmp_path: Path):
    (tmp_path / "page.html").write_text(SCRIPT % "null")
    with pytest.raises(InputError, match="looks like a web page"):
        read_events(tmp_path / "page.html")
    with pytest.raises(InputError, match="no matchCentreData in it"):
        read_events(tmp_path / "page.html", "whoscored")


@pytest.mark.data
def test_the_real_match(data: Path):
    (path,) = (data / "feeds" / "whoscored").glob("*.json")
    match = read_events(path)
    assert (len(match.events), len(match.linkable)) == (1567, 1544)
    assert [team.name for team in match.teams] == ["Empoli", "Chievo"]
    # One who came on is on no list of names in the file.
    assert [player.id for player in match.players if not player.name] == ["294162"]
    counts = Counter(event.type for event in match.linkable)
    assert (counts["Substitution"], counts["Foul Committed"], counts["Offside"]) == (6, 34, 5)
    assert (counts["Half Start"], counts["Half End"]) == (2, 2)
    assert sum("card" in event.arguments for event in match.linkable) == 3
    offsides = [e for e in match.linkable if e.type == "Offside"]
    passes = {(e.period, e.time) for e in match.linkable
              if e.arguments.get("outcome") == "Pass Offside"}  # fmt: skip
    assert {(e.period, e.time) for e in offsides} == passes
