"""RoboCup sportscasting events (Chen & Mooney 2008): `start | end | meaning`, one a line.

A meaning is a type with players or a play mode as arguments: `pass ( purple9 , purple2 )`. Times
are steps of the simulator, taken as seconds of one period. The log writes an event down when it
ends, so starts often run backwards; its own order, which ids count, is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from touchline.core.errors import InputError
from touchline.core.records import Event, Match, Player, Role, Team
from touchline.io.feeds.records import NO_EVENTS, Source, limited, text_of

# Which events a commentator can describe at all: every one. Which of them a comment may describe is
# listed by the corpus's training files; `touchline.io.corpus.layout` reads those.
UNLINKABLE: frozenset[str] = frozenset()
# The second player of each meaning that has one.
ROLES = {"pass": "recipient", "badPass": "interceptor", "turnover": "winner", "defense": "opponent"}

# `*+` keeps what it took: two runs of spaces side by side must not share them out in all ways.
_MEANING = r"\s*+(\w++)\s*+(?:\(([^()]*+)\)\s*+)?"
_LINE = re.compile(rf"\s*+(-?\d{{1,9}})\s*+\|\s*+(-?\d{{1,9}})\s*+\|{_MEANING}")
_PLAYER = re.compile(r"([a-z]+)(\d{1,3})")


def recognise(data: bytes) -> bool:
    first = data[:1000].lstrip().partition(b"\n")[0].decode("utf-8", "replace")
    return _LINE.fullmatch(first) is not None


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read one game's events; an event's id is the 0-based number of its line."""
    if lineups:
        raise InputError(lineups[0].path, "RoboCup games have no line-up files")
    squad = _Squad()
    events = []
    for number, line in enumerate(limited(path, text_of(data).rstrip().split("\n"))):
        found = _LINE.fullmatch(line)
        if found is None:
            raise InputError(path, "expected `start | end | meaning`", f"line {number + 1}")
        events.append(_event(number, found, squad))
    if not events:
        raise InputError(path, NO_EVENTS)
    return Match(
        name=path.name.removesuffix(".gz").removesuffix("-processed-events"),
        provider="robocup",
        events=tuple(events),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
    )


def meaning(event: Event) -> str:
    """The event as the corpus's gold files write it, spaces evened out."""
    return _spell(event.type, event.raw["values"])


def parse_meaning(text: str) -> str | None:
    """A gold file's meaning in the same spelling as `meaning`; None when it is not one."""
    found = re.fullmatch(_MEANING, text)
    return _spell(found[1], _values(found[2])) if found else None


def _spell(kind: str, values: Sequence[str]) -> str:
    return f"{kind} ( {' , '.join(values)} )" if values else kind


def _values(inside: str | None) -> list[str]:
    return [value.strip() for value in (inside or "").split(",") if value.strip()]


class _Squad:
    """Teams and players as the meanings name them: `purple9`."""

    def __init__(self) -> None:
        self.teams: dict[str, Team] = {}
        self.players: dict[str, Player] = {}

    def player(self, value: str) -> Player | None:
        """The player of that name; None when it is a play mode."""
        found = _PLAYER.fullmatch(value)
        if found is None:
            return None
        if value not in self.players:
            name = found[1]
            team = self.teams.setdefault(name, Team(id=name, name=name.capitalize()))
            label, shirt = value.capitalize(), int(found[2])
            self.players[value] = Player(id=value, name=label, team=team, shirt=shirt)
        return self.players[value]


def _event(number: int, found: re.Match[str], squad: _Squad) -> Event:
    start, end, kind, values = float(found[1]), float(found[2]), found[3], _values(found[4])
    players = [player for value in values if (player := squad.player(value))]
    modes = [value for value in values if value not in squad.players]
    role = ROLES.get(kind, "other")
    return Event(
        id=str(number),
        type=kind,
        period=1,
        time=start,
        team=players[0].team if players else None,
        player=players[0] if players else None,
        others=tuple(Role(role, player) for player in players[1:]),
        arguments={"value": modes[0]} if modes else {},
        linkable=kind not in UNLINKABLE,
        end=end,
        raw={"start": start, "end": end, "type": kind, "values": values},
    )
