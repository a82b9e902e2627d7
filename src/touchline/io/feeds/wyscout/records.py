"""One Wyscout event as its file has it, and as the reader uses it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from touchline.core.clocks import MAX_MATCH, parse_period
from touchline.core.errors import InputError
from touchline.io.feeds.records import why
from touchline.io.feeds.wyscout.types import EVENT_NAMES, SUB_EVENT_NAMES, Kind, kind_of, name_of

Place = tuple[float, float]  # in percent, seen by the acting team


class _Tag(msgspec.Struct, gc=False):
    id: int


class _Position(msgspec.Struct, gc=False):
    x: float | None = None
    y: float | None = None


class _Event(msgspec.Struct, gc=False, rename="camel"):
    id: int | str
    match_period: str
    event_sec: float
    event_name: int | str | None = None
    event_id: int | str | None = None
    sub_event_name: int | str | None = None
    sub_event_id: int | str | None = None
    match_id: int | str = ""
    team_id: int | str | None = None
    player_id: int | str | None = None
    tags: list[_Tag] = []
    positions: list[_Position] | None = None


class Record(msgspec.Struct, gc=False):
    """An event as it is used here: ids as text, nobody as None, tags as a set."""

    number: int
    id: str
    name: str
    sub: str
    period: int
    time: float
    team: str | None
    player: str | None
    kind: Kind
    tags: frozenset[int]
    place: Place | None
    end: Place | None
    match: str
    raw: msgspec.Raw


_EVENT = msgspec.json.Decoder(_Event, strict=False)


def decode(path: Path, number: int, raw: msgspec.Raw) -> Record:
    try:
        event = _EVENT.decode(raw)
        name = name_of(event.event_name, event.event_id, EVENT_NAMES)
        sub = name_of(event.sub_event_name, event.sub_event_id, SUB_EVENT_NAMES)
        if not name and event.event_name is None:
            raise ValueError("Object missing required field `eventName`")
        period = _period(event.match_period)
        if period is None or not abs(event.event_sec) <= MAX_MATCH:
            raise ValueError(
                f"{event.match_period} {event.event_sec:g} is out of range for a match"
            )
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        problem = f"not a Wyscout event ({why(error)})"
        raise InputError(path, problem, f"record {number}") from None
    tags = _set_of(tuple([tag.id for tag in event.tags]))
    return Record(
        number=number,
        id=str(event.id),
        name=name,
        sub=sub,
        period=period,
        time=event.event_sec,
        team=_known(event.team_id),
        player=_known(event.player_id),
        kind=kind_of(name, sub, tags),
        tags=tags,
        place=_percent(event.positions, 0),
        end=_percent(event.positions, 1),
        match=str(event.match_id),
        raw=raw,
    )


_period = lru_cache(maxsize=64)(parse_period)


@lru_cache(maxsize=4096)
def _set_of(tags: tuple[int, ...]) -> frozenset[int]:
    """The same combinations come again and again."""
    return frozenset(tags)


def _known(key: int | str | None) -> str | None:
    """An id; 0 stands for nobody."""
    return None if key in (None, 0, "0", "", "null") else sys.intern(str(key))


def _percent(positions: Sequence[_Position] | None, number: int) -> Place | None:
    if not positions or number >= len(positions):
        return None
    place = positions[number]
    return (place.x, place.y) if place.x is not None and place.y is not None else None
