"""The Opta family: F24 (with F7), packed F24, Stats Perform MA3 and WhoScored share their codes."""

from __future__ import annotations

import xml.etree.ElementTree as Xml  # local files of the user's own
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.verify.records import Log, Record

# Percent of an unknown pitch: one of 100 x 64 metres would put a place this far off, in yards.
SLACK = 2.0
METRE = 1.0936  # in yards
_STARTS = {1: 0, 2: 45, 3: 90, 4: 105, 5: 120}
# The provider's own words for the height of a shot.
_HEIGHTS = {76: "low", 78: "low", 80: "low", 77: "high", 79: "high", 81: "high"}
_SHOTS = {13: "off", 14: "post", 15: "saved", 16: "goal"}
_KINDS = {1: "Pass", 4: "Foul", 17: "Card", 18: "Substitution", 19: "Substitution", 2: "Offside",
          10: "Goal Keeper", 12: "Clearance", 3: "Dribble", 7: "Tackle",
          8: "Interception"}  # fmt: skip
_PIECES = {9: "Penalty", 26: "Free Kick", 6: "Corner", 5: "Free Kick", 107: "Throw-in",
           124: "Goal Kick"}  # fmt: skip
_CARDS = {31: "yellow", 32: "second yellow", 33: "red"}
_PASSES = {2: "cross", 4: "through ball", 195: "cut-back"}
_CLOSE = frozenset(range(83, 88))  # "close left", "close right and high" ...
# A goal is 9.6 % of the pitch wide in Opta's picture and 38 units high.
_HALF_GOAL, _BAR = 4.8, 38.0


class _Event(NamedTuple):
    """What all four have, under one name."""

    id: str
    type: int
    period: int
    minute: int
    second: int
    team: str
    player: str
    outcome: int
    x: float
    y: float
    has: Mapping[int, str]


def read_xml(data: bytes, lineups: Sequence[Path]) -> Log:
    players: dict[str, list[str]] = {}
    squads: dict[str, str] = {}
    named: dict[str, str] = {}
    for path in lineups:
        root = Xml.parse(path).getroot()
        sides = {t.get("TeamRef", ""): t.get("Side", "") for t in root.iter("TeamData")}
        for team in sorted(root.iter("Team"), key=lambda t: sides.get(t.get("uID", "")) != "Home"):
            named[team.get("uID", "").lstrip("t")] = team.findtext("Name") or ""
            for player in team.iter("Player"):
                parts = {part.tag: part.text or "" for part in player.iter()}
                full = f"{parts.get('First', '')} {parts.get('Last', '')}".strip()
                own = player.get("uID", "").lstrip("p")
                players[own] = [name for name in (parts.get("Known", ""), full) if name]
                squads[own] = team.get("uID", "").lstrip("t")
    game = Xml.fromstring(data).find(".//Game")
    assert game is not None
    events = [_from_attributes(dict(e.attrib), [dict(q.attrib) for q in e.iter("Q")])
              for e in game.iter("Event")]  # fmt: skip
    teams = _teams(game.attrib)  # a cut file may lack them
    return _log(events, players, teams if len(teams) == 2 else named, squads)


def read_packed(parts: Sequence[Any]) -> Log:
    players: dict[str, list[str]] = {}
    squads: dict[str, str] = {}
    events: list[_Event] = []
    teams: dict[str, str] = {}
    for part in parts:
        for document in part["data"].get("OptaFeed", {}).get("OptaDocument", []):
            for team in document.get("Team", []):
                for player in team["Player"]:
                    named = player["PersonName"]["nameObj"]
                    own = player["@attributes"]["uID"].lstrip("p")
                    players[own] = [n for n in (named.get("known"), named.get("full")) if n]
                    squads[own] = team["@attributes"]["uID"].lstrip("t")
        game = part["data"].get("Games", {}).get("Game")
        if game:
            teams = _teams(game["@attributes"])
            events = [_from_attributes(e["@attributes"], [q["@attributes"] for q in e.get("Q", [])])
                      for e in game["Event"]]  # fmt: skip
    return _log(events, players, teams, squads)


def read_ma3(data: Mapping[str, Any]) -> Log:
    players: dict[str, list[str]] = {}
    squads: dict[str, str] = {}
    teams = {team["id"]: team["name"] for team in data["matchInfo"]["contestant"]}
    events = []
    for e in data["liveData"]["event"]:
        if e.get("playerId"):
            players[e["playerId"]] = [e.get("playerName", "")]
            squads[e["playerId"]] = e["contestantId"]
        has = {int(q["qualifierId"]): str(q.get("value", "")) for q in e.get("qualifier", [])}
        events.append(
            _Event(str(e["id"]), int(e["typeId"]), int(e["periodId"]), int(e["timeMin"]),
                   int(e["timeSec"]), e.get("contestantId", ""), e.get("playerId", ""),
                   int(e.get("outcome", 0)), float(e.get("x", 0)), float(e.get("y", 0)), has)
        )  # fmt: skip
    return _log(events, players, teams, squads)


def read_whoscored(data: Mapping[str, Any]) -> Log:
    players = {own: [name] for own, name in data["playerIdNameDictionary"].items()}
    squads = {str(player["playerId"]): str(data[side]["teamId"])
              for side in ("home", "away") for player in data[side]["players"]}  # fmt: skip
    teams = {str(data[side]["teamId"]): data[side]["name"] for side in ("home", "away")}
    events = []
    for e in data["events"]:
        has = {int(q["type"]["value"]): str(q.get("value", "")) for q in e.get("qualifiers", [])}
        events.append(
            _Event(str(e["id"]), int(e["type"]["value"]), int(e["period"]["value"]),
                   int(e["minute"]), int(e.get("second", 0)), str(e["teamId"]),
                   str(e.get("playerId") or ""), int(e["outcomeType"]["value"]),
                   float(e.get("x", 0)), float(e.get("y", 0)), has)
        )  # fmt: skip
    return _log(events, players, teams, squads)


def _teams(game: Mapping[str, Any]) -> dict[str, str]:
    return {str(game.get(f"{side}_team_id", "")): str(game.get(f"{side}_team_name", ""))
            for side in ("home", "away")}  # fmt: skip


def _from_attributes(e: Mapping[str, Any], qualifiers: Iterable[Mapping[str, Any]]) -> _Event:
    has = {int(q["qualifier_id"]): str(q.get("value", "")) for q in qualifiers}
    return _Event(
        str(e.get("id", "")), int(e.get("type_id", 0)), int(e.get("period_id", 0)),
        int(e.get("min", 0)), int(e.get("sec", 0)), str(e.get("team_id", "")),
        str(e.get("player_id", "")), int(e.get("outcome", 0)), float(e.get("x", 0)),
        float(e.get("y", 0)), has,
    )  # fmt: skip


def _log(
    events: Iterable[_Event],
    players: Mapping[str, list[str]],
    teams: Mapping[str, str],
    squads: Mapping[str, str],
) -> Log:
    played = [event for event in events if event.period in _STARTS]
    played.sort(key=lambda e: (e.period, e.minute, e.second))
    records = [_record(event, players, teams) for event in played]
    return Log(records, players, teams, squads, slack=SLACK)


def _record(e: _Event, players: Mapping[str, list[str]], teams: Mapping[str, str]) -> Record:
    own_goal = e.type == 16 and 28 in e.has
    record = Record(
        id=e.id,
        kind="Shot" if e.type in _SHOTS else _KINDS.get(e.type, str(e.type)),
        period=e.period,
        time=60 * (e.minute - _STARTS[e.period]) + e.second,
        team=e.team,
        # Qualifier 7 is the player who was offside.
        players=[own for own in (e.player, e.has.get(7) if e.type == 2 else "") if own],
        outcome=_outcome(e),
        body="Head" if 15 in e.has else "Right Foot" if 20 in e.has else
             "Left Foot" if 72 in e.has else "Other" if 21 in e.has else "",
        card=next((name for number, name in _CARDS.items() if number in e.has), "")
             if e.type == 17 else "",
        # A disputed decision (65) may have the penalty that was not given.
        set_piece="" if e.type == 65 else
                  next((name for number, name in _PIECES.items() if number in e.has), ""),
        pass_kinds=frozenset(name for number, name in _PASSES.items() if number in e.has),
        first_time=328 in e.has if e.type in _SHOTS else None,  # "first touch"
        close=bool(_CLOSE & e.has.keys()) if e.type in _SHOTS else None,
        penalty=None,
        technique="Volley" if 108 in e.has else "Overhead Kick" if 109 in e.has else "",
        place=_yards(e.x, e.y),
        end=_yards(float(e.has[140]), float(e.has[141])) if e.has.get(140) else None,
        goal=e.type == 16 and not own_goal and e.period < 5,
        own_goal=own_goal,
        raw=_printed(e, players, teams),
    )  # fmt: skip
    if e.type in _SHOTS and e.has.get(102):
        across = (50 - float(e.has[102])) / _HALF_GOAL * 4
        height = float(e.has.get(103) or 0) / _BAR * 2.67
        record.mouth = across, height
        record.heights = frozenset(_HEIGHTS[q] for q in e.has if q in _HEIGHTS)
    return record


def _outcome(e: _Event) -> str:
    if e.type not in _SHOTS or 28 in e.has:
        return ""
    return "blocked" if e.type == 15 and 82 in e.has else _SHOTS[e.type]


def _yards(x: float, y: float) -> tuple[float, float]:
    """On 105 x 68 metres, counted from the nearer goal line and from the middle.

    Opta counts from the right-hand touchline, seen by the acting team.
    """
    along = 120 - METRE * 1.05 * (100 - x) if x > 50 else METRE * 1.05 * x
    return along, 40 + METRE * 0.68 * (50 - y)


def _printed(e: _Event, players: Mapping[str, list[str]], teams: Mapping[str, str]) -> str:
    kind = _KINDS.get(e.type) or _SHOTS.get(e.type) or f"type {e.type}"
    who = (players.get(e.player) or [e.player])[0]
    qualifiers = " ".join(f"{k}={v}" if v else str(k) for k, v in sorted(e.has.items())
                          if k not in (56, 212, 213, 233, 286, 285, 307, 154))  # fmt: skip
    return f"{e.minute}:{e.second:02d} {teams.get(e.team, e.team)} {who} {kind}({e.type}) " \
           f"ok={e.outcome} x={e.x} y={e.y} [{qualifiers}]"  # fmt: skip
