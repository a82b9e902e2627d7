"""Small matches for the tests of generated commentary, event by event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from touchline import Event, Match, Player, Role, Team

REDS = Team(id="7", name="Redfield City")
BLUES = Team(id="8", name="Blueport United")
ANN = Player(id="1", name="Ann Archer", team=REDS, shirt=9)
BO = Player(id="2", name="Boaventura da Silva Reis", nickname="Bo Reis", team=REDS)
DEE = Player(id="4", name="Dee Dum", team=REDS, shirt=14)
CYRIL = Player(id="3", name="Cyril van der Meer", team=BLUES)
EVA = Player(id="5", name="Eva Ives", team=BLUES, shirt=4)
FAY = Player(id="6", name="Fay Gunn", team=BLUES, shirt=8)
PLAYERS = (ANN, BO, DEE, CYRIL, EVA, FAY)


def event(key: str, type_: str, time: float, player: Player | None = None, **more: Any) -> Event:
    """An event of the first half; roles are given as `recipient=BO`."""
    team = more.pop("team", player.team if player else None)
    fields = {
        name: more.pop(name)
        for name in ("period", "location", "end_location", "related", "linkable", "raw")
        if name in more
    }
    others = tuple(
        Role(name, more.pop(name)) for name in list(more) if isinstance(more[name], Player)
    )
    fields.setdefault("period", 1)
    return Event(id=key, type=type_, time=time, team=team, player=player, others=others,
                 arguments=more, **fields)  # fmt: skip


def match_of(
    *events: Event, provider: str = "test", teams: Sequence[Team] = (REDS, BLUES)
) -> Match:
    return Match(name="small", provider=provider, events=events, teams=tuple(teams),
                 players=PLAYERS)  # fmt: skip


def goal(key: str, time: float, player: Player, **more: Any) -> Event:
    return event(key, "Shot", time, player, outcome="Goal", **more)
