"""A match in Wyscout's format; what that loses of it stands in `wyscout_rows`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.clocks import STARTS
from touchline.core.pitch import zoned
from touchline.core.records import Event, Match, Player, Role
from touchline.io.feeds.wyscout import types as wyscout
from touchline.io.feeds.wyscout.reader import MOVES_BALL
from touchline.sample.exports.files import Arguments, Files, Row, written

_SETS = {"Corner": "Corner", "Free Kick": "Free Kick", "Goal Kick": "Goal kick",
         "Throw-in": "Throw in"}  # fmt: skip
_TAGS = {named: tag for tag, named in wyscout.TAGS.items()}
_NAMES = {name: number for number, name in wyscout.EVENT_NAMES.items()}
_SUB_NAMES = {name: number for number, name in wyscout.SUB_EVENT_NAMES.items()}
_ALWAYS = ("through_ball", "card", "body_part")
# What StatsBomb distinguishes and Wyscout does not.
_COARSER: dict[str, tuple[str, dict[str, str]]] = {
    "Ball Recovery": ("Ball Touch", {}),
    "Dispossessed": ("Dribble", {"outcome": "Incomplete"}),
}
_SHOT_TAGS = {
    "Goal": {wyscout.GOAL, wyscout.ACCURATE},
    "Saved": {wyscout.ACCURATE},
    "Blocked": {wyscout.BLOCKED, wyscout.INACCURATE},
    "Post": {1217, wyscout.INACCURATE},
    "Off T": {1210, wyscout.INACCURATE},
}
_SIMPLE: dict[str, tuple[str, str, set[int]]] = {
    "Ball Touch": ("Others on the ball", "Touch", set()),
    "Interception": ("Others on the ball", "Touch", {wyscout.INTERCEPTION}),
    "Miscontrol": ("Others on the ball", "Touch", {wyscout.MISSED_BALL}),
    "Clearance": ("Others on the ball", "Clearance", set()),
    "Dribbled Past": ("Duel", "Ground defending duel", {wyscout.LOST}),
    "Foul Committed": ("Foul", "Foul", set()),
    "Offside": ("Offside", "", set()),
}


def wyscout_rows(match: Match) -> Iterator[Row]:
    """Records of a kind that Wyscout has.

    Lost are the fouled player's record, blocks, starts and ends of halves, stoppages, keepers but
    for shots on goal; a pass that goes out or is offside is just inaccurate; a ball won or lost is
    a touch or a duel; substitutions know only their minute.
    """
    swaps = 0
    for event in sorted(match.events, key=_by_side(match)):
        if event.type == "Substitution":
            swaps += 1
            yield Row(_swap(event, swaps), None, {})
    for event in match.events:
        kind, more = _COARSER.get(event.type, (event.type, {}))
        arguments = {**event.arguments, **more}
        code = _wyscout_code(kind, arguments)
        if code is None:
            continue
        name, sub, tags = code
        tags |= {_TAGS[a] for a in arguments.items() if a[0] in _ALWAYS and a in _TAGS}
        found = wyscout.kind_of(name, sub, tags)
        kept = wyscout.arguments_of(found, tags)
        end = event.end_location if kind in MOVES_BALL else None
        zoned(kept, event.location, end)
        others = tuple(_faced(event, match))
        changed = msgspec.structs.replace(event, type=kind, arguments=kept, others=others)
        yield Row(changed, (name, sub), dict.fromkeys(sorted(tags)))


# Records that Wyscout has of both sides of an action.
_BOTH_SIDES = {
    ("Shot", "Goal Keeper"), ("Goal Keeper", "Shot"), ("Dribble", "Duel"), ("Duel", "Dribble"),
    ("Dribble", "Dribbled Past"), ("Dribbled Past", "Dribble"),
}  # fmt: skip


def _faced(event: Event, match: Match) -> Iterator[Role]:
    """An accurate pass's receiver, and the other side where it has a record of its own."""
    if event.type == "Pass" and "outcome" not in event.arguments:
        yield from event.others
    for other in (match.event_by_id[i] for i in event.related if i in match.event_by_id):
        types = tuple(_COARSER.get(e.type, (e.type, {}))[0] for e in (event, other))
        known = _wyscout_code(types[1], other.arguments) is not None
        if types in _BOTH_SIDES and known and other.player is not None:
            role = {"Shot": "shooter", "Goal Keeper": "keeper"}.get(other.type, "opponent")
            yield Role(role, other.player)


def _by_side(match: Match) -> Callable[[Event], tuple[int, int, float]]:
    teams = [team.id for team in match.teams]
    return lambda e: (teams.index(e.team.id) if e.team else 0, e.period, e.time)


def _swap(event: Event, number: int) -> Event:
    minute = int(event.time // 60)
    return msgspec.structs.replace(
        event, id=f"substitution-{number}", time=60.0 * minute + 30, arguments={}
    )


def _wyscout_code(kind: str, arguments: Arguments) -> tuple[str, str, set[int]] | None:
    outcome = arguments.get("outcome")
    if kind == "Pass":
        accuracy = wyscout.ACCURATE if outcome is None else wyscout.INACCURATE
        return (*_pass_name(arguments), {accuracy})
    if kind == "Shot":
        names = {"Penalty": ("Free Kick", "Penalty"), "Free Kick": ("Free Kick", "Free kick shot")}
        name = names.get(arguments.get("set_piece", ""), ("Shot", "Shot"))
        return (*name, set(_SHOT_TAGS.get(outcome or "", _SHOT_TAGS["Off T"])))
    if kind == "Dribble":
        won = outcome == "Complete"
        return "Duel", "Ground attacking duel", {wyscout.WON if won else wyscout.LOST}
    if kind == "Duel":
        aerial = arguments.get("kind") == "Aerial Lost"
        sub = "Air duel" if aerial else "Ground defending duel"
        return "Duel", sub, {wyscout.LOST if aerial else wyscout.WON}
    if kind == "Goal Keeper" and arguments.get("kind") in ("Shot Saved", "Goal Conceded"):
        conceded = arguments.get("kind") == "Goal Conceded"
        return "Save attempt", "Reflexes", {wyscout.GOAL} if conceded else {wyscout.ACCURATE}
    if kind == "Foul Committed" and arguments.get("kind") == "Handball":
        return "Foul", "Hand foul", set()
    simple = _SIMPLE.get(kind)
    return (simple[0], simple[1], set(simple[2])) if simple else None


def _pass_name(arguments: Arguments) -> tuple[str, str]:
    set_piece, cross = arguments.get("set_piece"), "cross" in arguments
    if set_piece in _SETS:
        crossed = cross and set_piece == "Free Kick"
        return "Free Kick", "Free kick cross" if crossed else _SETS[set_piece]
    if cross:
        return "Pass", "Cross"
    if arguments.get("body_part") == "Head":
        return "Pass", "Head pass"
    return "Pass", "High pass" if arguments.get("height") == "High Pass" else "Simple pass"


def write_wyscout(match: Match, rows: list[Row], folder: Path) -> Files:
    events = [_wyscout_event(row) for row in rows if row.code is not None]
    files = {
        "players.json": [_wyscout_player(player) for player in match.players],
        "teams.json": [{"wyId": int(t.id), "name": t.name, "officialName": t.name, "city": ""}
                       for t in match.teams],
        "matches.json": [{"wyId": 1, "label": match.name, "teamsData": _formations(match, rows)}],
    }  # fmt: skip
    log = written(folder / "events.json", json.dumps(events))
    return Files(log, [written(folder / name, json.dumps(c)) for name, c in files.items()])


def write_wyscout_bundle(match: Match, rows: list[Row], folder: Path) -> Files:
    """Events with numbers for names, teams and players in one file, as the API's tools pack it."""
    events = []
    for row in rows:
        if row.code is not None:
            name, sub = row.code
            numbers = {"eventName": _NAMES[name], "subEventName": _SUB_NAMES.get(sub, "")}
            events.append({**_wyscout_event(row), **numbers})
    bundle = {
        "events": events,
        "teams": {team.id: {"team": {"wyId": int(team.id), "name": team.name}}
                  for team in match.teams},
        "players": {team.id: [{"player": _wyscout_player(p)} for p in match.players
                              if p.team == team] for team in match.teams},
        "match": {"wyId": 1, "label": match.name, "teamsData": _formations(match, rows)},
    }  # fmt: skip
    return Files(written(folder / "bundle.json", json.dumps(bundle)), [])


def _wyscout_event(row: Row) -> dict[str, Any]:
    event, places = row.event, (row.event.location, row.event.end_location)
    return {
        "id": event.id, "matchId": 1, "eventName": row.code[0], "subEventName": row.code[1],
        "matchPeriod": f"{event.period}H", "eventSec": event.time,
        "teamId": int(event.team.id) if event.team else 0,
        "playerId": int(event.player.id) if event.player else 0,
        "tags": [{"id": tag} for tag in row.flags],
        "positions": [{"x": round(p[0] / 1.2, 2), "y": round(p[1] / 0.8, 2)} for p in places if p],
    }  # fmt: skip


def _wyscout_player(player: Player) -> dict[str, Any]:
    first, _, last = player.name.partition(" ")
    return {
        "wyId": int(player.id), "firstName": _spelled(first), "middleName": "",
        "lastName": _spelled(last), "shortName": _spelled(player.nickname or ""),
    }  # fmt: skip


def _spelled(text: str) -> str:
    """With every escape spelled out, as the public release has them."""
    return json.dumps(text)[1:-1]


def _formations(match: Match, rows: list[Row]) -> dict[str, Any]:
    swaps: dict[str, list[dict[str, int]]] = {team.id: [] for team in match.teams}
    for row in rows:
        event = row.event
        if event.type == "Substitution" and event.team and event.player:
            swap = {
                "playerIn": int(event.others[0].player.id),
                "playerOut": int(event.player.id),
                "minute": STARTS[event.period] + int(event.time // 60) + 1,
            }
            swaps[event.team.id].append(swap)
    return {key: {"formation": {"substitutions": s or "null"}} for key, s in swaps.items()}
