"""Stats Perform MA3 events, JSON or XML, with MA1 or MA2 for first names and shirts.

MA3 itself names players as `S. Khelifi`. The records are Opta's under other names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.errors import InputError
from touchline.core.records import Match, Player
from touchline.io.feeds.opta.log import Record, build, second_of_day, shared
from touchline.io.feeds.opta.types import USED
from touchline.io.feeds.records import (
    RawRecord,
    Source,
    decode_json,
    limited,
    starts_with,
    usable,
    why,
)
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.xml import XmlRecord, elements, records, root_tag

_WHAT = "Stats Perform MA3 events"


class _Qualifier(msgspec.Struct, gc=False):
    qualifierId: int  # noqa: N815
    value: str | None = None


class _Event(msgspec.Struct, gc=False, rename="camel"):
    """The fields of an event, under the names that JSON and XML share."""

    id: int | str
    type_id: int
    period_id: int
    time_min: int
    time_sec: int
    event_id: int | str = ""
    contestant_id: str | None = None
    player_id: str | None = None
    player_name: str | None = None
    outcome: int | None = None
    x: float | None = None
    y: float | None = None
    time_stamp: str | None = None
    last_modified: str = ""
    qualifier: list[_Qualifier] = []


class _Contestant(msgspec.Struct, rename="camel"):
    id: str
    name: str = ""
    short_name: str = ""
    official_name: str = ""


class _Person(msgspec.Struct, rename="camel"):
    player_id: str
    first_name: str = ""
    last_name: str = ""
    short_first_name: str = ""
    short_last_name: str = ""
    match_name: str = ""
    known_name: str | None = None
    shirt_number: int | None = None


class _LineUp(msgspec.Struct, rename="camel"):
    contestant_id: str
    player: list[_Person] = []


class _MatchInfo(msgspec.Struct, rename="camel"):
    contestant: list[_Contestant] = []
    date: str = ""
    local_date: str = ""


class _LiveData(msgspec.Struct, rename="camel"):
    event: list[msgspec.Raw] | None = None
    line_up: list[_LineUp] = []


class _File(msgspec.Struct, rename="camel"):
    live_data: _LiveData
    match_info: _MatchInfo = msgspec.field(default_factory=_MatchInfo)


def recognise(data: bytes) -> bool:
    return _is_ours(data) and (b"typeId" in data)


def is_lineups(data: bytes) -> bool:
    return _is_ours(data) and b"lineUp" in data and not recognise(data)


def _is_ours(data: bytes) -> bool:
    named = b"liveData" in data and b"matchInfo" in data
    return named and (starts_with(data, b"{") or bool(root_tag(data)))


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read an MA3 file; MA1 or MA2 files add the names."""
    squad = Squad()
    notes: list[str] = []
    log, date = (_xml if root_tag(data) else _json)(path, data, squad, notes)
    for source in lineups:
        _read_lineups(source, squad)
    # Names as MA3 has them, for players who are in no line-up.
    for record, name in log:
        squad.player(record.player, name or "", squad.team(record.team))
    return build(path, "statsperform", [record for record, _ in log], squad, notes, date)


Named = tuple[Record, str | None]
Log = tuple[list[Named], str]  # and when it was played


def _json(path: Path, data: bytes, squad: Squad, notes: list[str]) -> Log:
    file: _File = decode_json(path, data, _File, _WHAT)
    if file.live_data.event is None:
        raise InputError(path, f"not {_WHAT} (contains no events)")
    _teams(file.match_info.contestant, squad)

    def named(number: int, raw: msgspec.Raw) -> Named:
        try:
            event = _EVENT.decode(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            raise _broken(path, number, why(error)) from None
        return _record(number, event, RawRecord(raw)), event.player_name

    info = file.match_info
    return usable(path, file.live_data.event, notes, named), info.local_date or info.date


_EVENT = msgspec.json.Decoder(_Event, strict=False)


def _xml(path: Path, data: bytes, squad: Squad, notes: list[str]) -> Log:
    found: list[tuple[dict[str, Any], XmlRecord]] = []
    date = ""
    every = records(path, data, "event", "qualifier", heads=["matchInfo", "contestant"])
    for name, fields, raw in limited(path, every):
        if name == "matchInfo":
            date = fields.get("localDate") or fields.get("date") or ""
        elif name == "contestant":
            _teams([_convert(path, None, fields, _Contestant)], squad)
        else:
            found.append((fields, XmlRecord(raw)))

    def named(number: int, one: tuple[dict[str, Any], XmlRecord]) -> Named:
        event = _convert(path, number, one[0], _Event)
        return _record(number, event, one[1]), event.player_name

    return usable(path, found, notes, named), date


def _convert(path: Path, number: int | None, fields: dict[str, Any], kind: Any) -> Any:
    try:
        return msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise _broken(path, number, str(error)) from None


def _broken(path: Path, number: int | None, problem: str) -> InputError:
    where = f"record {number}" if number else None
    return InputError(path, f"not {_WHAT.removesuffix('s')} ({problem})", where)


def _teams(contestants: Sequence[_Contestant], squad: Squad) -> None:
    for team in contestants:
        squad.team(team.id, team.name, [team.short_name, team.official_name])


def _record(number: int, event: _Event, raw: RawRecord) -> Record:
    return Record(
        number=number,
        id=str(event.id),
        own=str(event.event_id),
        type=event.type_id,
        period=event.period_id,
        clock=60.0 * event.time_min + event.time_sec,
        team=shared(event.contestant_id),
        player=shared(event.player_id),
        success=event.outcome != 0,
        place=(event.x, event.y) if event.x is not None and event.y is not None else None,
        qualifiers={q.qualifierId: q.value for q in event.qualifier if q.qualifierId in USED},
        raw=raw,
        stamp=second_of_day(event.time_stamp),
        version=event.last_modified,
    )


def _read_lineups(source: Source, squad: Squad) -> None:
    path, data = source.path, source.read()
    if root_tag(data):
        found = elements(path, data, ["lineUp"])
        sheets = [_convert(path, None, fields, _LineUp) for _, fields, _ in found]
        names: dict[str, str] = {}
    else:
        file: _File = decode_json(path, data, _File, "Stats Perform line-ups (MA1 or MA2)")
        sheets = file.live_data.line_up
        names = {team.id: team.name for team in file.match_info.contestant}
    given = {sheet.contestant_id: names.get(sheet.contestant_id, "others") for sheet in sheets}
    squad.check_lineups(path, "line-ups", given)
    for sheet in sheets:
        for person in sheet.player:
            squad.add(_player(person), squad.team(sheet.contestant_id))


def _player(person: _Person) -> Player:
    full = f"{person.first_name} {person.last_name}".strip()
    short = f"{person.short_first_name} {person.short_last_name}".strip()
    return Player(
        id=person.player_id,
        name=full or short or person.match_name,
        nickname=person.known_name or short or None,
        short=person.match_name or None,
        shirt=person.shirt_number,
    )
