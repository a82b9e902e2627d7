"""RoboCup sportscasting events (Chen & Mooney 2008): `start | end | meaning`, one a line.

A meaning is a type with players or a play mode as arguments: `pass ( purple9 , purple2 )`. Times
are steps of the simulator, taken as seconds of one period. Which events a comment may tell is
listed by the corpus's training files; `touchline.corpus` reads those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from touchline.errors import InputError
from touchline.feeds.records import check_events
from touchline.files import read_text
from touchline.match import Event, Match, Player, Role, Team

_LINE = re.compile(r"\s*(-?\d+)\s*\|\s*(-?\d+)\s*\|\s*(\w+)\s*(?:\(([^()]*)\))?\s*")
_PLAYER = re.compile(r"([a-z]+?)(\d+)")
# The second player of each meaning that has one.
ROLES = {"pass": "recipient", "badPass": "interceptor", "turnover": "winner", "defense": "opponent"}


def recognise(head: bytes) -> bool:
    lines = [line for line in head.decode("utf-8", "replace").split("\n")[:-1] if line.strip()]
    return bool(lines) and all(_LINE.fullmatch(line) for line in lines)


def read(path: Path, lineups: Sequence[Path] = ()) -> Match:
    """Read one game's events; an event's id is the 0-based number of its line."""
    if lineups:
        raise InputError(lineups[0], "RoboCup games have no line-up files")
    teams: dict[str, Team] = {}
    players: dict[str, Player] = {}
    events = []
    for number, line in enumerate(read_text(path).rstrip("\n").split("\n")):
        found = _LINE.fullmatch(line)
        if found is None:
            raise InputError(path, "expected `start | end | meaning`", f"line {number + 1}")
        values = [value.strip() for value in (found[4] or "").split(",") if value.strip()]
        events.append(_event(number, found, values, teams, players))
    check_events(path, events)
    return Match(
        name=path.name.removesuffix("-processed-events"),
        provider="robocup",
        events=tuple(events),
        teams=tuple(teams.values()),
        players=tuple(players.values()),
    )


def meaning(event: Event) -> str:
    """The event as the corpus's gold files write it, spaces evened out."""
    return spell(event.type, [str(value) for value in event.raw["values"]])


def parse_meaning(text: str) -> str | None:
    """A gold file's meaning in the same spelling as `meaning`; None when it is not one."""
    found = re.fullmatch(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*", text)
    if found is None:
        return None
    return spell(found[1], [v.strip() for v in (found[2] or "").split(",") if v.strip()])


def spell(kind: str, values: Sequence[str]) -> str:
    return f"{kind} ( {' , '.join(values)} )" if values else kind


def _event(
    number: int,
    found: re.Match[str],
    values: list[str],
    teams: dict[str, Team],
    players: dict[str, Player],
) -> Event:
    named = [_player(value, teams, players) for value in values]
    first = named[0] if named else None
    second = named[1] if len(named) > 1 else None
    modes = [v for v, player in zip(values, named, strict=True) if player is None]
    start, end = float(found[1]), float(found[2])
    return Event(
        id=str(number),
        type=found[3],
        period=1,
        time=start,
        team=first.team if first else None,
        player=first,
        others=(Role(ROLES.get(found[3], "other"), second),) if second else (),
        arguments={"value": modes[0]} if modes else {},
        raw={"start": start, "end": end, "type": found[3], "values": values},
    )


def _player(value: str, teams: dict[str, Team], players: dict[str, Player]) -> Player | None:
    found = _PLAYER.fullmatch(value)
    if found is None:
        return None
    if value not in players:
        name = found[1]
        team = teams.setdefault(name, Team(id=name, name=name.capitalize()))
        label = value.capitalize()
        players[value] = Player(id=value, name=label, team=team, shirt=int(found[2]))
    return players[value]
