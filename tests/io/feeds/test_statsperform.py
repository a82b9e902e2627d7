"""Stats Perform MA3: names with and without line-ups, and the real match."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from touchline import InputError, Match, read_events

EVENT = {"id": 1, "eventId": 1, "typeId": 1, "periodId": 1, "timeMin": 3, "timeSec": 5,
         "contestantId": "reds", "playerId": "ann", "playerName": "A. Archer", "outcome": 1,
         "x": 50, "y": 50}  # fmt: skip
INFO = {"contestant": [
    {"id": "reds", "name": "Redfield City", "shortName": "Redfield", "officialName": "Redfield C."},
    {"id": "blues", "name": "Blueport United"},
]}  # fmt: skip


def read(folder: Path, lineup: dict[str, Any] | None = None, **changes: Any) -> Match:
    log = {"matchInfo": INFO, "liveData": {"event": [EVENT | changes]}}
    (folder / "ma3.json").write_text(json.dumps(log))
    if lineup is None:
        return read_events(folder / "ma3.json")
    sheet = {"contestantId": "reds", "player": [lineup]}
    content = {"matchInfo": INFO, "liveData": {"lineUp": [sheet]}}
    (folder / "ma1.json").write_text(json.dumps(content))
    return read_events(folder / "ma3.json", lineups=[folder / "ma1.json"])


def test_ma3_alone_has_short_names_and_every_name_of_a_team(tmp_path: Path):
    match = read(tmp_path)
    assert match.players[0].names == ("A. Archer",)
    assert match.teams[0].names == ("Redfield City", "Redfield", "Redfield C.")


@pytest.mark.parametrize(
    ("lineup", "names"),
    [
        ({"firstName": "Ann Jo", "lastName": "Archer Byrd", "shortFirstName": "Ann",
          "shortLastName": "Archer", "matchName": "A. Archer", "shirtNumber": "9"},
         ("Ann Archer", "A. Archer", "Ann Jo Archer Byrd")),
        ({"firstName": "Ann", "lastName": "Archer", "knownName": "Annie"}, ("Annie", "Ann Archer")),
        ({"matchName": "A. Archer"}, ("A. Archer",)),
    ],
)  # fmt: skip
def test_line_ups_know_more(tmp_path: Path, lineup: dict[str, Any], names: tuple[str, ...]):
    (player,) = read(tmp_path, {"playerId": "ann", **lineup}).players
    assert player.names == names
    assert player.shirt == (9 if "shirtNumber" in lineup else None)


def test_results_without_events_are_reported(tmp_path: Path):
    (tmp_path / "ma2.json").write_text(json.dumps({"matchInfo": INFO, "liveData": {"goal": []}}))
    with pytest.raises(InputError, match=r"not Stats Perform MA3 events \(contains no events\)"):
        read_events(tmp_path / "ma2.json", "statsperform")


@pytest.mark.parametrize("changes", [{"qualifier": [{"qualifierId": "x"}]}, {"typeId": "x"}])
def test_a_wrong_field_is_named(tmp_path: Path, changes: dict[str, Any]):
    with pytest.raises(InputError, match="record 1: not Stats Perform MA3 event "):
        read(tmp_path, **changes)


@pytest.mark.data
def test_the_real_match(data: Path):
    (path,) = (data / "feeds" / "statsperform-ma3").glob("*.json")
    match = read_events(path)
    assert (len(match.events), len(match.linkable)) == (1955, 1654)
    assert len(match.players) == 28
    assert all(player.name and player.shirt for player in match.players)
    counts = Counter(event.type for event in match.linkable)
    assert (counts["Substitution"], counts["Foul Committed"], counts["50/50"]) == (6, 29, 56)
    cards = [(e.player.name, e.arguments["card"]) for e in match.linkable if "card" in e.arguments]
    assert cards == [("Y. Sallahi", "Yellow Card"), ("Y. Sallahi", "Second Yellow"),
                     ("S. Khelifi", "Yellow Card")]  # fmt: skip
    duels = [e for e in match.linkable if e.type == "Duel"]
    assert all([o.role for o in e.others] == ["opponent"] for e in duels)
