"""A feed: one event a line, `period|second|type|player`, under a first line `#pipes`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from touchline import Event, InputError, Match, Player

what = "pipes"
_HEAD = b"#pipes"


def recognise(data: bytes) -> bool:
    """Whether the bytes are of this feed, by their content alone."""
    return data.startswith(_HEAD)


def read(path: Path, data: bytes, lineups: Sequence[Any]) -> Match:
    """The match; a line that cannot be used is an error that says where it is."""
    if not recognise(data) or not data.endswith(b"#end\n"):
        raise InputError(path, "expected #pipes on the first line and #end on the last")
    players: dict[str, Player] = {}
    events = []
    for number, line in enumerate(data.decode().splitlines()[1:-1], 2):
        try:
            period, second, kind, name = line.split("|")
            player = players.setdefault(name, Player(id=name, name=name))
            event = Event(id=str(number), type=kind, period=int(period), time=float(second),
                          player=player)  # fmt: skip
        except ValueError:
            problem = "expected period|second|type|player"
            raise InputError(path, problem, f"line {number}") from None
        events.append(event)
    return Match(name=path.stem, provider=what, events=tuple(events),
                 players=tuple(players.values()))  # fmt: skip
