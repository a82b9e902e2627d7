"""A match in StatsBomb's own format, and as the table that statsbombpy makes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.clocks import STARTS
from touchline.core.records import Event, Match, Player, Role, Team
from touchline.io.feeds.statsbomb import COUNTERPARTS, FLAGS, INNER_PLAYERS, SET_PIECES
from touchline.sample.exports.files import Files, Row, written

_PLACES = ("zone", "end_zone")  # they follow from the locations
_NAMED = ("type", "team", "player", "possession_team", "play_pattern")


def statsbomb_rows(match: Match) -> Iterator[Row]:
    """Every record; the players of the other side are those of the related records."""
    for event in match.events:
        inner = [other for other in event.others if other.role in INNER_PLAYERS]
        others = (*inner, *_counterparts(event, match))
        yield Row(msgspec.structs.replace(event, others=others), event.type, {})


def _counterparts(event: Event, match: Match) -> Iterator[Role]:
    roles = COUNTERPARTS.get(event.type, {})
    for other in (match.event_by_id[i] for i in event.related if i in match.event_by_id):
        if other.player is not None and other.type in roles:
            yield Role(roles[other.type], other.player)


def write_statsbomb(match: Match, rows: list[Row], folder: Path) -> Files:
    """The events as a list of records."""
    return _written(match, list(_records(match, rows)), folder)


def write_statsbomb_flat(match: Match, rows: list[Row], folder: Path) -> Files:
    """statsbombpy's table as pandas writes it to JSON: a row has every column of the table."""
    table = [_flat(record) for record in _records(match, rows)]
    columns = list(dict.fromkeys(name for row in table for name in row))
    return _written(match, [{name: row.get(name) for name in columns} for row in table], folder)


def _written(match: Match, records: list[dict[str, Any]], folder: Path) -> Files:
    lineups = [_sheet(match, team) for team in match.teams]
    events = written(folder / "events.json", json.dumps(records))
    return Files(events, [written(folder / "lineups.json", json.dumps(lineups))])


def _sheet(match: Match, team: Team) -> dict[str, Any]:
    squad = [
        {"player_id": _number(p.id), "player_name": p.name, "player_nickname": p.nickname,
         "jersey_number": p.shirt}
        for p in match.players if p.team == team
    ]  # fmt: skip
    return {"team_id": _number(team.id), "team_name": team.name, "lineup": squad}


def _records(match: Match, rows: list[Row]) -> Iterator[dict[str, Any]]:
    for index, row in enumerate(rows, 1):
        yield _record(index, row.event)


def _record(index: int, event: Event) -> dict[str, Any]:
    minutes, seconds = divmod(event.time, 60)
    record: dict[str, Any] = {
        "id": event.id, "index": index, "period": event.period,
        "timestamp": f"{int(minutes) // 60:02d}:{int(minutes) % 60:02d}:{seconds:06.3f}",
        "minute": STARTS[event.period] + int(minutes), "second": int(seconds),
        "type": {"id": 1, "name": event.type}, "possession": 1,
        "play_pattern": {"id": 1, "name": "Regular Play"},
    }  # fmt: skip
    if event.team is not None:
        record["team"] = record["possession_team"] = _named(event.team)
    if event.player is not None:
        record["player"] = _named(event.player)
    if event.location is not None:
        record["location"] = list(event.location)
    if event.related:
        record["related_events"] = list(event.related)
    record |= {flag: True for flag in FLAGS if flag in event.arguments}
    if detail := _detail(event):
        record[_key(event.type)] = detail
    return record


def _detail(event: Event) -> dict[str, Any]:
    """The object of a record that is named after its type."""
    detail: dict[str, Any] = {}
    for name, value in event.arguments.items():
        if name not in (*_PLACES, *FLAGS):
            kind = "set_piece" if event.type in SET_PIECES else "kind"
            key = "type" if name == kind else name
            detail[key] = True if value == "yes" else {"id": 1, "name": value}
    if event.end_location is not None:
        detail["end_location"] = list(event.end_location)
    inner = (other for other in event.others if other.role in INNER_PLAYERS)
    return detail | {other.role: _named(other.player) for other in inner}


def _key(kind: str) -> str:
    key = kind.lower().replace("*", "").replace("/", "_").replace(" ", "_")
    return "goalkeeper" if key == "goal_keeper" else key


def _named(one: Team | Player) -> dict[str, Any]:
    return {"id": _number(one.id), "name": one.name}


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """A record as statsbombpy flattens it: names of objects, and ids of teams and players."""
    row: dict[str, Any] = {}
    for key, value in record.items():
        if key in _NAMED:
            row[key] = value["name"]
            row |= {f"{key}_id": value["id"]} if key in ("team", "player") else {}
        elif isinstance(value, dict):
            for name, inner in value.items():
                row[f"{key}_{name}"] = inner["name"] if isinstance(inner, dict) else inner
                if name in INNER_PLAYERS:
                    row[f"{key}_{name}_id"] = inner["id"]
        else:
            row[key] = value
    return row
