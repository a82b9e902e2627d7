"""WhoScored's match centre data, JSON: Opta's records with whole seconds and full names.

The file is the object that the match page contains, by itself or under `matchCentreData`; or the
saved page, or its script, with the object in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from touchline.core.errors import InputError
from touchline.core.records import Match, Player
from touchline.io.feeds.cut_files import TOKEN
from touchline.io.feeds.opta.log import Record, build, shared
from touchline.io.feeds.opta.types import USED
from touchline.io.feeds.records import RawRecord, Source, decode_json, starts_with, usable, why
from touchline.io.feeds.squad import Squad

_WHAT = "WhoScored match data"
# `var matchCentreData = {` in older pages, `matchCentreData: {` in newer ones.
_OBJECT = re.compile(rb'\s*\{\s*"')  # JSON, and no script
_PAGE_DATA = re.compile(rb"\bmatchCentreData[\"']?\s*[:=]\s*\{")


class _Named(msgspec.Struct, gc=False, rename="camel"):
    value: int
    display_name: str = ""


class _Qualifier(msgspec.Struct, gc=False):
    type: _Named
    value: str | None = None


class _Event(msgspec.Struct, gc=False, rename="camel"):
    id: int | float | str
    type: _Named
    period: _Named
    minute: int
    second: float | None = None
    event_id: int | str = ""
    team_id: int | None = None
    player_id: int | None = None
    outcome_type: _Named | None = None
    card_type: _Named | None = None
    x: float | None = None
    y: float | None = None
    qualifiers: list[_Qualifier] = []


class _Person(msgspec.Struct, rename="camel"):
    player_id: int
    name: str
    shirt_no: int | None = None


class _Side(msgspec.Struct, rename="camel"):
    team_id: int
    name: str
    players: list[_Person] = []


class _File(msgspec.Struct, rename="camel"):
    events: list[msgspec.Raw]
    home: _Side
    away: _Side
    player_id_name_dictionary: dict[str, str] = {}
    start_date: str | None = None


class _Page(msgspec.Struct, rename="camel"):
    match_centre_data: _File


def recognise(data: bytes) -> bool:
    named = b'"playerIdNameDictionary"' in data or b'"satisfiedEventsTypes"' in data
    return named and (starts_with(data, b"{") or _PAGE_DATA.search(data) is not None)


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read a match; everybody's name is in it."""
    if lineups:
        raise InputError(
            lineups[0].path, "WhoScored data includes the line-ups; use it without --lineups"
        )
    data = content(data)
    if not _OBJECT.match(data):
        raise InputError(path, f"not {_WHAT} (no matchCentreData in it)")
    wrapped = b'"matchCentreData"' in data
    page = decode_json(path, data, _Page if wrapped else _File, _WHAT)
    file: _File = page.match_centre_data if wrapped else page
    squad = _squad(file)
    notes: list[str] = []
    events = usable(path, file.events, notes, lambda number, raw: _decode(path, number, raw))
    return build(path, "whoscored", list(_records(events)), squad, notes, file.start_date)


def content(data: bytes) -> bytes:
    """The object in the script of a saved match page or in the script alone; JSON as it is."""
    found = None if _OBJECT.match(data) else _PAGE_DATA.search(data)
    if found is None:
        return data
    depth = 0
    for token in TOKEN.finditer(data, found.end() - 1):
        depth += {b"{": 1, b"}": -1}.get(token[0], 0)
        if not depth:
            return data[found.end() - 1 : token.end()]
    return data[found.end() - 1 :]


def _squad(file: _File) -> Squad:
    squad = Squad()
    for side in (file.home, file.away):
        team = squad.team(side.team_id, side.name)
        for person in side.players:
            name = person.name or file.player_id_name_dictionary.get(str(person.player_id), "")
            player = Player(id=str(person.player_id), name=name.strip(), shirt=person.shirt_no)
            squad.add(player, team)
    return squad


_EVENT = msgspec.json.Decoder(_Event, strict=False)


class _Numbered(NamedTuple):
    """An event, its number in the file, and itself as it came."""

    number: int
    event: _Event
    raw: msgspec.Raw


def _decode(path: Path, number: int, raw: msgspec.Raw) -> _Numbered:
    try:
        return _Numbered(number, _EVENT.decode(raw), raw)
    except (msgspec.DecodeError, RecursionError) as error:
        problem = f"not a WhoScored event ({why(error)})"
        raise InputError(path, problem, f"record {number}") from None


def _records(events: Sequence[_Numbered]) -> Iterator[Record]:
    seconds = {_key(event.id): event.second for _, event, _ in events}
    for number, event, raw in events:
        qualifiers = {q.type.value: q.value for q in event.qualifiers if q.type.value in USED}
        if event.card_type is not None:
            qualifiers.setdefault(event.card_type.value, None)
        yield Record(
            number=number,
            id=_key(event.id),
            own=str(event.event_id),
            type=event.type.value,
            period=event.period.value,
            clock=60.0 * event.minute + _second(event, seconds),
            team=shared(event.team_id),
            player=shared(event.player_id),
            success=event.outcome_type is None or event.outcome_type.value != 0,
            place=(event.x, event.y) if event.x is not None and event.y is not None else None,
            qualifiers=qualifiers,
            raw=RawRecord(raw),
            name=event.type.display_name or None,
        )


def _second(event: _Event, seconds: dict[str, float | None]) -> float:
    """A record that WhoScored made of another one, 953887609.1, has only the other's second."""
    if event.second is not None:
        return event.second
    return seconds.get(_key(event.id).partition(".")[0]) or 0.0


def _key(value: int | float | str) -> str:
    """An id as text; large ones are written as 2.34e9 by some tools."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
