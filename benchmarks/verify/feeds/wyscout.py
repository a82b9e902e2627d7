"""Wyscout's public release (v2): events with tags, places in whole percent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.verify.records import Log, Record

# Whole percent of an unknown pitch: yards by which a place may be off.
SLACK = 2.0
METRE = 1.0936  # in yards
DUEL_BEFORE = 5.5  # the duel that a foul ends is a record of its own, up to so many seconds before
_PERIODS = {"1H": 1, "2H": 2, "E1": 3, "E2": 4, "P": 5}
# Where a shot goes, by Wyscout's names of these tags: side and height.
_TAGS = {
    1201: ("centre", "low"), 1202: ("right", "low"), 1203: ("centre", "middle"),
    1204: ("left", "middle"), 1205: ("left", "low"), 1206: ("right", "middle"),
    1207: ("centre", "high"), 1208: ("left", "high"), 1209: ("right", "high"),
    1210: ("right", "low"), 1211: ("left", "middle"), 1212: ("left", "low"),
    1213: ("right", "middle"), 1214: ("centre", "high"), 1215: ("left", "high"),
    1216: ("right", "high"), 1217: ("right", "low"), 1218: ("left", "middle"),
    1219: ("left", "low"), 1220: ("right", "middle"), 1221: ("centre", "high"),
    1222: ("left", "high"), 1223: ("right", "high"),
}  # fmt: skip
_NUMBERED = {1: "Duel", 2: "Foul", 3: "Free Kick", 4: "Goalkeeper leaving line",
             5: "Interruption", 6: "Offside", 7: "Others on the ball", 8: "Pass",
             9: "Save attempt", 10: "Shot"}  # fmt: skip
_SUB_NUMBERED = {30: "Corner", 31: "Free Kick", 32: "Free kick cross", 33: "Free kick shot",
                 34: "Goal kick", 35: "Penalty", 36: "Throw in", 80: "Cross"}  # fmt: skip
_PIECES = {"Corner": "Corner", "Throw in": "Throw-in", "Penalty": "Penalty",
           "Goal kick": "Goal Kick"}  # fmt: skip


def read(data: Mapping[str, Any]) -> Log:
    players: dict[str, list[str]] = {}
    squads: dict[str, str] = {}
    for team, squad in (data.get("players") or {}).items():
        for entry in squad:
            person = entry.get("player") or {}
            full = f"{person.get('firstName', '')} {person.get('lastName', '')}"
            own = str(person.get("wyId"))
            players[own] = [_unescaped(person.get("shortName", "")), _unescaped(full)]
            squads[own] = str(team)
    teams = {
        str(own): _unescaped((team.get("team") or team).get("name", ""))
        for own, team in (data.get("teams") or {}).items()
    }
    known = [e for e in data["events"] if e.get("matchPeriod") in _PERIODS]
    events = sorted(known, key=lambda e: (_PERIODS[e["matchPeriod"]], e["eventSec"]))
    records = [_record(event, players, teams) for event in events]
    return Log(records, players, teams, squads, slack=SLACK, before=DUEL_BEFORE)


def _unescaped(name: str) -> str:
    """The public release has literal escapes in its names."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda hit: chr(int(hit[1], 16)), name)


def _record(
    event: dict[str, Any], players: Mapping[str, list[str]], teams: Mapping[str, str]
) -> Record:
    tags = {tag["id"] for tag in event.get("tags", [])}
    name = _NUMBERED.get(event.get("eventName", ""), event.get("eventName", ""))
    sub = _SUB_NUMBERED.get(event.get("subEventName", ""), str(event.get("subEventName", "")))
    is_shot = name == "Shot" or sub in ("Free kick shot", "Penalty")
    places = [_yards(place) for place in event.get("positions") or []]
    towards = [_TAGS[tag] for tag in tags if tag in _TAGS]
    free_kick = "Free Kick" if name == "Free Kick" and sub.lower().startswith("free kick") else ""
    return Record(
        id=str(event["id"]),
        kind="Shot" if is_shot else name,
        period=_PERIODS[event["matchPeriod"]],
        time=float(event["eventSec"]),
        team=str(event["teamId"]),
        players=[str(event["playerId"])] if event.get("playerId") else [],
        outcome=_outcome(tags) if is_shot else "",
        body=next((n for t, n in ((403, "Head/body"), (401, "Left Foot"), (402, "Right Foot"))
                   if t in tags), ""),
        card=next((n for t, n in ((1703, "second yellow"), (1701, "red"), (1702, "yellow"))
                   if t in tags), ""),
        set_piece=_PIECES.get(sub, free_kick),
        pass_kinds=frozenset(name for name, is_so in (("through ball", 901 in tags),
                                                      ("cross", "ross" in sub)) if is_so),
        penalty=None,
        place=places[0] if places else None,
        end=places[1] if len(places) > 1 else None,
        sides=frozenset(side for side, _ in towards),
        heights=frozenset(height for _, height in towards),
        goal=is_shot and 101 in tags and event["matchPeriod"] != "P",
        own_goal=102 in tags,
        raw=_printed(event, name, sub, tags, players, teams),
    )  # fmt: skip


def _outcome(tags: set[int]) -> str:
    if 101 in tags:
        return "goal"
    if 2101 in tags:
        return "blocked"
    if tags & set(range(1217, 1224)):
        return "post"
    if tags & set(range(1210, 1217)):
        return "off"
    # A penalty that is saved is not marked accurate, but has its place in the goal.
    return "saved" if 1801 in tags or tags & set(range(1201, 1210)) else ""


def _yards(place: Mapping[str, float]) -> tuple[float, float]:
    """On 105 x 68 metres, counted from the nearer goal line and from the middle."""
    x, y = float(place["x"]), float(place["y"])
    along = 120 - METRE * 1.05 * (100 - x) if x > 50 else METRE * 1.05 * x
    return along, 40 + METRE * 0.68 * (y - 50)


def _printed(
    event: Mapping[str, Any],
    name: str,
    sub: str,
    tags: set[int],
    players: Mapping[str, list[str]],
    teams: Mapping[str, str],
) -> str:
    own = str(event.get("playerId"))
    where = " ".join(f"({p['x']},{p['y']})" for p in event.get("positions") or [])
    return f"{event['matchPeriod']} {event['eventSec']:.0f}s {teams.get(str(event['teamId']))} " \
           f"{players.get(own, [own])[0]} {name}/{sub} {where} {sorted(tags)}"  # fmt: skip
