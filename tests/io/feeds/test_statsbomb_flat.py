"""Tables that tools make of StatsBomb's events give the match of the events themselves."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from fuzzing.tables import dotted
from touchline import InputError, Match, read_events

RECORDS: list[dict[str, Any]] = [
    {"id": "a1", "index": 1, "period": 1, "timestamp": "00:00:00.000", "minute": 0, "second": 0,
     "type": {"id": 35, "name": "Starting XI"}, "possession": 1,
     "tactics": {"formation": 442, "lineup": [
         {"player": {"id": 5, "name": "Ann Archer"}, "jersey_number": 9}]}},
    {"id": "a2", "index": 2, "period": 1, "timestamp": "00:00:05.120", "minute": 0, "second": 5,
     "type": {"id": 30, "name": "Pass"}, "player": {"id": 5, "name": "Ann Archer"},
     "location": [60.0, 20.5], "related_events": ["a3"], "under_pressure": True,
     "pass": {"recipient": {"id": 6, "name": "Bo O'Neill"}, "length": 20.5, "cross": True,
              "height": {"id": 3, "name": "High Pass"}, "end_location": [80.0, 40.0],
              "type": {"id": 61, "name": "Corner"}, "assisted_shot_id": "a4"}},
    {"id": "a3", "index": 3, "period": 1, "timestamp": "00:00:07.000", "minute": 0, "second": 7,
     "type": {"id": 42, "name": "Ball Receipt*"}, "player": {"id": 6, "name": "Bo O'Neill"},
     "location": [80.0, 40.0], "related_events": ["a2"]},
    {"id": "a4", "index": 4, "period": 2, "timestamp": "00:10:08.500", "minute": 55, "second": 8,
     "type": {"id": 16, "name": "Shot"}, "player": {"id": 6, "name": "Bo O'Neill"},
     "location": [110.0, 40.0], "related_events": ["a5"],
     "shot": {"outcome": {"id": 100, "name": "Saved"}, "statsbomb_xg": 0.31, "first_time": True,
              "type": {"id": 87, "name": "Open Play"}, "end_location": [119.0, 41.0, 0.5]}},
    {"id": "a5", "index": 5, "period": 2, "timestamp": "00:10:08.900", "minute": 55, "second": 8,
     "type": {"id": 23, "name": "Goal Keeper"}, "player": {"id": 21, "name": "Cyril Cox"},
     "location": [2.0, 40.0], "related_events": ["a4"],
     "goalkeeper": {"type": {"id": 33, "name": "Shot Saved"}}},
    {"id": "a6", "index": 6, "period": 2, "timestamp": "00:20:00.000", "minute": 65, "second": 0,
     "type": {"id": 19, "name": "Substitution"}, "player": {"id": 5, "name": "Ann Archer"},
     "substitution": {"outcome": {"id": 103, "name": "Tactical"},
                      "replacement": {"id": 7, "name": "Dee Dum"}}},
    {"id": "a7", "index": 7, "period": 2, "timestamp": "00:21:00.000", "minute": 66, "second": 0,
     "type": {"id": 33, "name": "50/50"}, "player": {"id": 6, "name": "Bo O'Neill"},
     "50_50": {"outcome": {"id": 108, "name": "Won"}}},
]  # fmt: skip
for one in RECORDS:
    blue = one.get("player", {}).get("id") == 21
    one["team"] = {"id": 2, "name": "Blues"} if blue else {"id": 1, "name": "Reds"}
    one["possession_team"] = {"id": 1, "name": "Reds"}
    one["play_pattern"] = {"id": 1, "name": "Regular Play"}

OWN = {"Goal Keeper": "goalkeeper", "50/50": None}
WITH_IDS = ("possession_team", "player", "team", "pass_recipient", "substitution_replacement")


def as_statsbombpy(record: dict[str, Any]) -> dict[str, Any]:
    """One level of the type's own object, names in the place of objects."""
    kind = record["type"]["name"]
    own = OWN.get(kind, kind.lower().replace(" ", "_"))
    row = {key: value for key, value in record.items() if key != own}
    row |= {f"{own}_{key}": value for key, value in record.get(own, {}).items()}
    for key, value in list(row.items()):
        if isinstance(value, dict) and "name" in value:
            row[key] = value["name"]
            row |= {f"{key}_id": float(value["id"])} if key in WITH_IDS else {}
    return row


def as_mplsoccer(record: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, value in as_statsbombpy(record).items():
        if key == "location":
            row["x"], row["y"] = value
        elif key.endswith("end_location"):
            row["end_x"], row["end_y"] = value[:2]
        elif key.endswith("_type") and key != "type":
            row["sub_type_name"] = value
        elif key.endswith("_outcome"):
            row["outcome_name"] = value
        elif isinstance(value, str) and key not in ("id", "timestamp", "pass_assisted_shot_id"):
            row[f"{key}_name"] = value
        else:
            row[key] = value
    return row


def native(tmp_path: Path) -> Match:
    (tmp_path / "native.json").write_text(json.dumps(RECORDS))
    return read_events(tmp_path / "native.json")


def as_csv(tmp_path: Path, rows: list[dict[str, Any]]) -> Path:
    names = sorted({name for row in rows for name in row})
    with (tmp_path / "flat.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    return tmp_path / "flat.csv"


def as_json(tmp_path: Path, rows: list[dict[str, Any]]) -> Path:
    names = sorted({name for row in rows for name in row})
    full = [{name: row.get(name) for name in names} for row in rows]
    (tmp_path / "flat.json").write_text(json.dumps(full))
    return tmp_path / "flat.json"


def content(match: Match) -> list[dict[str, Any]]:
    fields = ("id", "type", "period", "time", "team", "player", "others", "location",
              "end_location", "related", "linkable")  # fmt: skip
    return [
        {name: getattr(event, name) for name in fields} | dict(event.arguments)
        for event in match.events
    ]


@pytest.mark.parametrize("write", [as_csv, as_json])
@pytest.mark.parametrize("flatten", [as_statsbombpy, dotted])
def test_a_table_gives_the_match_of_the_events(tmp_path: Path, flatten, write):
    rows = [flatten(record) for record in reversed(RECORDS)]  # they are grouped by type
    match = read_events(write(tmp_path, rows))
    assert match.provider == "statsbomb"
    assert content(match) == content(native(tmp_path))
    assert match.players == native(tmp_path).players
    assert not match.warnings


def test_a_table_of_mplsoccer_has_types_places_and_outcomes(tmp_path: Path):
    match = read_events(as_csv(tmp_path, [as_mplsoccer(record) for record in RECORDS]))
    expected = native(tmp_path)
    for ours, theirs in zip(match.events, expected.events, strict=True):
        assert (ours.id, ours.type, ours.period, ours.time) == (
            theirs.id, theirs.type, theirs.period, theirs.time
        )  # fmt: skip
        assert ours.location == theirs.location
        assert ours.end_location == theirs.end_location
        assert ours.arguments.get("outcome") == theirs.arguments.get("outcome") or (
            ours.type == "50/50"
        )
        assert ours.arguments.get("set_piece") == theirs.arguments.get("set_piece")
        assert ours.player == theirs.player
    assert [role.player.name for role in match.event_by_id["a2"].others] == ["Bo O'Neill"]


def test_names_without_ids_are_ids(tmp_path: Path):
    rows = [
        {key: value for key, value in as_statsbombpy(record).items() if not key.endswith("_id")}
        for record in RECORDS
    ]
    match = read_events(as_csv(tmp_path, rows))
    assert [event.player.name if event.player else None for event in match.events] == [
        event.player.name if event.player else None for event in native(tmp_path).events
    ]
    assert match.event_by_id["a2"].others[0].player.name == "Bo O'Neill"


def test_a_row_without_what_every_event_needs_is_named(tmp_path: Path):
    rows = [as_statsbombpy(record) for record in RECORDS]
    rows[3]["timestamp"] = "soon"
    with pytest.raises(InputError, match="record 4: timestamp 'soon'; expected HH:MM:SS"):
        read_events(as_csv(tmp_path, rows))


def test_nothing_in_a_cell_is_ever_run(tmp_path: Path):
    rows = [as_statsbombpy(record) for record in RECORDS]
    rows[1]["related_events"] = "[__import__('os').remove('flat.csv')]"
    match = read_events(as_csv(tmp_path, rows))
    assert match.event_by_id["a2"].related == ()
    assert (tmp_path / "flat.csv").exists()


def test_what_is_no_character_is_refused(tmp_path: Path):
    rows = [as_statsbombpy(record) for record in RECORDS]
    rows[1]["related_events"] = r"['\ud800']"
    with pytest.raises(InputError, match="record 2: a text with an unpaired surrogate"):
        read_events(as_csv(tmp_path, rows))
