"""StatsBomb events, with or without line-ups."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.verify.records import Log, Record

_OUTCOMES = {
    "Goal": "goal", "Saved": "saved", "Saved to Post": "saved", "Saved Off Target": "saved",
    "Blocked": "blocked", "Off T": "off", "Wayward": "off", "Post": "post",
}  # fmt: skip
# Fields that no line describes, left out of what is printed for readers.
_NOISE = frozenset(["id", "index", "timestamp", "minute", "second", "possession", "possession_team",
                    "duration", "related_events", "period", "off_camera", "type", "team",
                    "player", "position", "location", "under_pressure"])  # fmt: skip


def read(data: Any, lineups: Sequence[Path]) -> Log:
    players: dict[str, list[str]] = defaultdict(list)
    teams: dict[str, str] = {}
    squads: dict[str, str] = {}
    for path in lineups:
        for team in json.loads(path.read_text("utf-8")):
            for player in team["lineup"]:
                names = [player["player_name"], player.get("player_nickname") or ""]
                players[str(player["player_id"])] = [name for name in names if name]
                squads[str(player["player_id"])] = str(team["team_id"])
    events = data if isinstance(data, list) else data.get("events", list(data.values()))
    by_id = {event["id"]: event for event in events}
    records = []
    for event in sorted(events, key=lambda e: (e["period"], e["timestamp"], e.get("index", 0))):
        teams.setdefault(str(event["team"]["id"]), event["team"]["name"])
        if "player" in event:
            own = str(event["player"]["id"])
            players[own] = players[own] or [event["player"]["name"]]
            squads.setdefault(own, str(event["team"]["id"]))
        for person in _others(event):
            own = str(person["id"])
            players[own] = players[own] or [person["name"]]
        records.append(_record(event, by_id))
    return Log(records, dict(players), teams, squads, related=True)


def _others(event: Mapping[str, Any]) -> list[Any]:
    named = [event.get("pass", {}).get("recipient"),
             event.get("substitution", {}).get("replacement")]  # fmt: skip
    return [person for person in named if person]


def _record(event: dict[str, Any], by_id: dict[str, Any]) -> Record:
    shot, kick, foul = event.get("shot", {}), event.get("pass", {}), event.get("foul_committed", {})
    people = [event.get("player"), *_others(event)]
    people += [by_id[i].get("player") for i in event.get("related_events", []) if i in by_id]
    people += [by_id[shot["key_pass_id"]].get("player")] if shot.get("key_pass_id") in by_id else []
    card = foul.get("card") or event.get("bad_behaviour", {}).get("card") or {}
    outcome = shot.get("outcome", {}).get("name", "")
    end = shot.get("end_location", [])
    return Record(
        id=event["id"],
        kind=event["type"]["name"],
        period=event["period"],
        time=_seconds(event["timestamp"]),
        team=str(event["team"]["id"]),
        players=[str(person["id"]) for person in people if person],
        outcome=_OUTCOMES.get(outcome, ""),
        body=_name(shot or kick or event.get("clearance", {}), "body_part"),
        card=card.get("name", "").lower().replace(" card", ""),
        set_piece=_name(shot or kick, "type"),
        pass_kinds=_pass_kinds(kick),
        penalty=bool(foul.get("penalty")) if event["type"]["name"] == "Foul Committed" else None,
        technique=_name(shot, "technique"),
        first_time=bool(shot.get("first_time")) if shot else None,
        place=_place(event.get("location")),
        end=_place(kick.get("end_location")),
        mouth=(end[1] - 40, end[2]) if len(end) == 3 and end[0] >= 119 else None,
        goal=outcome == "Goal" and event["period"] < 5,
        own_goal=event["type"]["name"] == "Own Goal Against",
        raw=_printed(event),
    )


def _seconds(timestamp: str) -> float:
    hour, minute, second = timestamp.split(":")
    return 3600 * int(hour) + 60 * int(minute) + float(second)


def _name(detail: Mapping[str, Any], field: str) -> str:
    return str(detail.get(field, {}).get("name", ""))


def _place(given: Sequence[float] | None) -> tuple[float, float] | None:
    return (given[0], given[1]) if given else None


def _pass_kinds(kick: Mapping[str, Any]) -> frozenset[str]:
    through = kick.get("through_ball") or _name(kick, "technique") == "Through Ball"
    given = {"through ball": through, "cut-back": kick.get("cut_back"), "cross": kick.get("cross")}
    return frozenset(name for name, is_so in given.items() if is_so)


def _printed(event: Mapping[str, Any]) -> str:
    more = {name: _short(value) for name, value in event.items() if name not in _NOISE}
    where = f"{event['timestamp'][3:8]} {event['team']['name']}"
    return f"{where} {event.get('player', {}).get('name', '')} {event['type']['name']} " \
           f"{event.get('location', '')} {more}"  # fmt: skip


def _short(value: Any) -> Any:
    """Names in place of objects with an id, and no freeze frames."""
    if not isinstance(value, dict):
        return value
    if "name" in value:
        return value["name"]
    return {k: _short(v) for k, v in value.items() if k not in ("freeze_frame", "statsbomb_xg")}
