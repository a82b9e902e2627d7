"""Opta's feeds packed as JSON: the same match as from the XML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.io.feeds.test_every_feed import SMALL
from touchline import InputError, Match, read_events
from touchline.sample.exports import write


def packed(element: ElementTree.Element) -> Any:
    """An element as its packed form: attributes apart, an only child as an object."""
    children: dict[str, list[Any]] = {}
    for child in element:
        children.setdefault(child.tag, []).append(packed(child))
    own = {tag: many if len(many) > 1 else many[0] for tag, many in children.items()}
    text = (element.text or "").strip()
    if not own and not element.attrib:
        return text
    values = {"@value": text} if text else {}
    return {"@attributes": dict(element.attrib), **own, **values}


def feeds(folder: Path) -> tuple[Any, Any]:
    """The F24 and the F9 of the small match."""
    files = write(SMALL, "opta", folder)
    games = ElementTree.parse(files.events).getroot()
    results = ElementTree.parse(files.lineups[0]).getroot()
    document = packed(results)["SoccerDocument"]
    return {"Games": packed(games)}, {"OptaFeed": {"OptaDocument": [document]}}


def put(folder: Path, name: str, content: Any) -> Path:
    (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder / name


def content(match: Match) -> list[Any]:
    return [
        (e.id, e.type, e.period, e.time, e.team, e.player, e.others, dict(e.arguments), e.location)
        for e in match.events
    ]


def from_xml(folder: Path) -> Match:
    files = write(SMALL, "opta", folder)
    return read_events(files.events, lineups=files.lineups)


def test_both_feeds_in_one_file(tmp_path: Path):
    f24, f9 = feeds(tmp_path)
    path = put(tmp_path, "match.json", [{"url": "f9", "data": f9}, {"url": "f24", "data": f24}])
    match = read_events(path)
    assert match.provider == "opta"
    assert content(match) == content(from_xml(tmp_path))
    assert match.players == from_xml(tmp_path).players
    assert not match.warnings


def test_a_file_each(tmp_path: Path):
    f24, f9 = feeds(tmp_path)
    log, results = put(tmp_path, "f24.json", f24), put(tmp_path, "f9.json", f9)
    assert content(read_events(log, lineups=[results])) == content(from_xml(tmp_path))
    with pytest.raises(InputError, match="looks like line-ups"):
        read_events(results)


def test_the_raw_record_is_the_packed_one(tmp_path: Path):
    f24, _ = feeds(tmp_path)
    match = read_events(put(tmp_path, "f24.json", f24))
    assert match.event_by_id["e1"].raw["@attributes"]["type_id"] == "1"


def test_nobody_is_number_0_and_the_wall_clock_is_the_whole_one(tmp_path: Path):
    f24, _ = feeds(tmp_path)
    first = f24["Games"]["Game"]["Event"][0]["@attributes"]
    first |= {"player_id": "0", "TimeStamp": {"utc": "2017-08-11T17:44:59.000Z"}}
    match = read_events(put(tmp_path, "f24.json", f24))
    assert match.event_by_id[first["id"]].player is None
    assert "0" not in {player.id for player in match.players}


def test_results_of_another_match_are_refused(tmp_path: Path):
    f24, f9 = feeds(tmp_path)
    f9["OptaFeed"]["OptaDocument"][0]["@attributes"]["uID"] = "g999"
    f24["Games"]["Game"]["@attributes"]["id"] = 5
    with pytest.raises(InputError, match="results of the match 999; the events are of 5"):
        read_events(put(tmp_path, "match.json", [{"data": f9}, {"data": f24}]))


def test_two_matches_are_refused(tmp_path: Path):
    f24, _ = feeds(tmp_path)
    with pytest.raises(InputError, match=r"contains the matches .* expected one"):
        read_events(put(tmp_path, "two.json", [{"data": f24}, {"data": f24}]))


@pytest.mark.data
def test_the_real_file(data: Path):
    match = read_events(data / "feeds-more" / "socceraction_match-2017-8-918893.json")
    assert [team.name for team in match.teams] == ["Arsenal", "Leicester City"]
    assert (len(match.events), len(match.players)) == (1785, 36)
    shots = [e for e in match.linkable if e.type == "Shot"]
    goals = [e.team.name for e in shots if e.arguments["outcome"] == "Goal"]
    assert (goals.count("Arsenal"), goals.count("Leicester City")) == (4, 3)
    assert any("players in the log have no name" in doubt for doubt in match.warnings)
