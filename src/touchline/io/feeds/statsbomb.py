"""StatsBomb events, with line-ups for the players' nicknames and shirt numbers.

https://github.com/statsbomb/open-data describes the format. Nothing is lost: a record's own
sub-object (`pass`, `shot` ...) becomes arguments and other players, `raw` is the whole record.
The file is a list of records; `{"events": [...]}` and `{id: record}`, as some tools store it,
and one record a line are read as well. So are the tables that tools make of them, one row a record
(`statsbomb_flat`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import time
from functools import lru_cache, partial
from math import isfinite
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from touchline.core.clocks import MAX_MATCH
from touchline.core.errors import InputError
from touchline.core.pitch import Point, zoned
from touchline.core.records import Event, Match, Player, Role, Team
from touchline.io.feeds import statsbomb_flat
from touchline.io.feeds.records import (
    ListedRecord,
    RawList,
    RawRecord,
    Source,
    check_count,
    decode_json,
    distinct,
    numbered,
    stem,
    usable,
    why,
)
from touchline.io.feeds.squad import Squad

# Which events a commentator can describe at all: every type but these. They are either no action
# (line-ups, cameras) or the silent half of another record (a pass is linkable, its receipt is not).
UNLINKABLE = frozenset(
    ["Ball Receipt*", "Carry", "Pressure", "Starting XI", "Tactical Shift", "Camera On",
     "Camera off"]
)  # fmt: skip
# Written once for each team; the second copy is not linkable.
TWICE = frozenset(["Half Start", "Half End"])

# StatsBomb writes many actions once for each side. Who the other side is, by the two types.
COUNTERPARTS = {
    "Foul Committed": {"Foul Won": "fouled"},
    "Foul Won": {"Foul Committed": "fouler"},
    "Shot": {"Goal Keeper": "keeper", "Block": "blocker"},
    "Goal Keeper": {"Shot": "shooter"},
    "Block": {"Shot": "shooter", "Pass": "passer"},
    "Dribble": {"Dribbled Past": "opponent", "Duel": "opponent"},
    "Dribbled Past": {"Dribble": "opponent"},
    "Duel": {"Dribble": "opponent", "Dispossessed": "opponent"},
    "Dispossessed": {"Duel": "opponent"},
    "50/50": {"50/50": "opponent"},
}
# Players named inside a record's sub-object; the key is their role.
INNER_PLAYERS = ("recipient", "replacement")
# The kick that a pass or shot is: their `type` says how it was set up.
SET_PIECES = frozenset(["Pass", "Shot"])
# Flags that stand beside the sub-object.
FLAGS = ("under_pressure", "counterpress", "out")

_TIMESTAMP = re.compile(r"(\d{1,2}):(\d\d):(\d\d(?:\.\d*)?)").fullmatch


class _Named(msgspec.Struct, gc=False):
    id: int | str
    name: str


class _Value(msgspec.Struct, gc=False):
    """An object within a sub-object, such as `{"id": 40, "name": "Right Foot"}`."""

    id: Any = None
    name: Any = UNSET


_ID = (int, str)  # a tuple: `int | str` would be made for each record
_Plain = list[Any] | str | int | float | bool | None
_SubObject = dict[str, _Value | _Plain]
_Detail = _SubObject | _Plain


class _Starter(msgspec.Struct, gc=False):
    player: _Named | None = None
    jersey_number: int | None = None


class _Tactics(msgspec.Struct, gc=False):
    lineup: list[_Starter] | None = None


_NOT_READ = msgspec.Raw()


class _Head(msgspec.Struct, gc=False, kw_only=True):
    """The fields that every event has; checked, so that a wrong file is named with its record.

    They are in the order of StatsBomb's files, in which msgspec finds them soonest. Those that
    nobody reads are here as well: msgspec compares a key that it does not know with all others.
    """

    id: str
    index: int = 0
    period: Annotated[int, msgspec.Meta(ge=1, le=5)]
    timestamp: Annotated[time, msgspec.Meta(tz=False)]  # never beyond MAX_MATCH, a day at most
    minute: Any = None
    second: Any = None
    type: _Named
    possession: Any = None
    possession_team: msgspec.Raw = _NOT_READ
    play_pattern: msgspec.Raw = _NOT_READ
    team: _Named | None = None
    player: _Named | None = None
    position: msgspec.Raw = _NOT_READ
    location: Point | None = None
    duration: Any = None
    under_pressure: Any = None
    related_events: tuple[str, ...] | None = None
    counterpress: Any = None
    out: Any = None
    tactics: _Tactics | None = None


class _Detailed(
    _Head,
    gc=False,
    kw_only=True,
    rename={"ball_drop": "referee_ball-drop", "fifty_fifty": "50_50", "passed": "pass"},
):
    """With the sub-objects of all types that StatsBomb documents, also of those without any."""

    passed: _Detail = None
    carry: _Detail = None
    ball_receipt: _Detail = None
    bad_behaviour: _Detail = None
    ball_drop: _Detail = None
    ball_recovery: _Detail = None
    block: _Detail = None
    camera_off: _Detail = None
    camera_on: _Detail = None
    clearance: _Detail = None
    dispossessed: _Detail = None
    dribble: _Detail = None
    dribbled_past: _Detail = None
    duel: _Detail = None
    error: _Detail = None
    fifty_fifty: _Detail = None
    foul_committed: _Detail = None
    foul_won: _Detail = None
    goalkeeper: _Detail = None
    half_end: _Detail = None
    half_start: _Detail = None
    injury_stoppage: _Detail = None
    interception: _Detail = None
    miscontrol: _Detail = None
    offside: _Detail = None
    own_goal_against: _Detail = None
    own_goal_for: _Detail = None
    player_off: _Detail = None
    player_on: _Detail = None
    pressure: _Detail = None
    shield: _Detail = None
    shot: _Detail = None
    starting_xi: _Detail = None
    substitution: _Detail = None
    tactical_shift: _Detail = None


class _Loose(_Detailed, gc=False, kw_only=True):
    """The same as other tools write it: ids may be numbers, places have any number of axes."""

    id: int | str  # type: ignore[assignment]
    timestamp: str  # type: ignore[assignment]
    location: tuple[float, ...] | None = None  # type: ignore[assignment]
    related_events: tuple[int | str, ...] | None = None  # type: ignore[assignment]


class _LineupPlayer(msgspec.Struct):
    player_id: int | str
    player_name: str
    player_nickname: str | None = None
    jersey_number: int | None = None


class _Lineup(msgspec.Struct):
    team_id: int | str
    team_name: str
    lineup: list[_LineupPlayer]


class _Record(msgspec.Struct, gc=False):
    """A record's checked head, its number in the file, and itself.

    `when` is its period, its second, and the feed's own order within a second.
    """

    number: int
    head: _Detailed
    when: tuple[int, float, int]
    raw: RawRecord


def recognise(data: bytes) -> bool:
    """JSON whose records have StatsBomb's own fields, however far down the first one is."""
    start = data[:1000].lstrip()[:1]
    if start in (b"[", b"{") and (b'"possession_team"' in data or b'"play_pattern"' in data):
        return True
    return statsbomb_flat.is_flat(data)


def is_lineups(data: bytes) -> bool:
    return data[:1000].lstrip()[:1] == b"[" and b'"lineup"' in data and b'"player_name"' in data


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read an events file; line-ups add nicknames, shirts and unused players."""
    notes: list[str] = []
    records = _records(path, data, notes)
    by_id = distinct(path, records, notes, attrgetter("head.id"), numbered)
    # A shuffled file gives the same match.
    records = sorted(by_id.values(), key=attrgetter("when"))
    squad = _Squad(records, lineups)
    return Match(
        name=stem(path),
        provider="statsbomb",
        events=tuple(_events(path, records, by_id, squad)),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
        warnings=tuple(notes),
    )


_HEADS = msgspec.json.Decoder(list[_Detailed])
_HEAD = msgspec.json.Decoder(_Loose, strict=False)  # not strict: exports write numbers as text
_FIELDS = msgspec.json.Decoder(dict[str, _Detail])


def _records(path: Path, data: bytes, notes: list[str]) -> list[_Record]:
    """The records of a file, decoded at once if it is a list of nothing else, as StatsBomb's are.

    Any other file is decoded record by record, to say which one is wrong.
    """
    try:
        heads = _HEADS.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return usable(path, _split(path, data), notes, partial(_decode, path))
    check_count(path, len(heads))
    return _listed(heads, RawList(data))


def _listed(heads: Sequence[_Detailed], raw: RawList) -> list[_Record]:
    """The records of a list decoded at once; nothing is left in them that could be wrong."""
    records = []
    for number, head in enumerate(heads):
        at = head.timestamp
        # Divided once, it is the number nearest to the text, as float() gives it.
        second = (1_000_000 * at.second + at.microsecond) / 1_000_000
        when = (head.period, 3600 * at.hour + 60 * at.minute + second, head.index)
        records.append(_Record(number + 1, head, when, ListedRecord(raw, number)))
    return records


def _encoded(path: Path, number: int, record: dict[str, Any]) -> msgspec.Raw:
    try:
        return msgspec.Raw(msgspec.json.encode(record))
    except UnicodeEncodeError:  # a list in a cell may escape what is no character
        problem = "a text with an unpaired surrogate, which is not a character"
        raise InputError(path, problem, f"record {number}") from None


def _split(path: Path, data: bytes) -> list[msgspec.Raw]:
    """The records, each a slice of the file."""
    what = "a list of StatsBomb events"
    if statsbomb_flat.is_flat(data):
        rows = statsbomb_flat.nested(path, data)
        return [_encoded(path, number, row) for number, row in enumerate(rows, 1)]
    if data[:1000].lstrip()[:1] != b"{":
        records: list[msgspec.Raw] = decode_json(path, data, list[msgspec.Raw], what)
        return records
    if _is_record(data.lstrip().partition(b"\n")[0]):
        return [msgspec.Raw(line) for line in data.split(b"\n") if line.strip()]
    wrapper: dict[str, msgspec.Raw] = decode_json(path, data, dict[str, msgspec.Raw], what)
    if "events" not in wrapper:
        return list(wrapper.values())
    records = decode_json(path, wrapper["events"], list[msgspec.Raw], what)
    return records


def _is_record(line: bytes) -> bool:
    """Whether a line is a whole record; those around records have no timestamp of their own."""
    try:
        return "timestamp" in msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return False


def _decode(path: Path, number: int, raw: msgspec.Raw) -> _Record:
    try:
        head = _HEAD.decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        problem = f"not a StatsBomb event ({why(error)})"
        raise InputError(path, problem, f"record {number}") from None
    when = (head.period, _second(path, number, head.timestamp), head.index)
    return _Record(number, _tidied(head), when, RawRecord(raw))


def _tidied(head: _Loose) -> _Detailed:
    """A record as StatsBomb would have written it."""
    head.id = str(head.id)
    head.location = _place(head.location)
    head.related_events = tuple(map(str, head.related_events or ()))
    return head


def _second(path: Path, number: int, timestamp: str) -> float:
    found = _TIMESTAMP(timestamp)
    if found is None:
        problem = f"timestamp {timestamp!r}; expected HH:MM:SS.mmm"
        raise InputError(path, problem, f"record {number}")
    second = 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])
    if second > MAX_MATCH:
        problem = f"timestamp {timestamp!r} is out of range for a match"
        raise InputError(path, problem, f"record {number}")
    return second


def add_lineups(source: Source, squad: Squad) -> None:
    """Take in the players of a line-ups file."""
    path = source.path
    lineups = decode_json(path, source.read(), list[_Lineup], "StatsBomb line-ups")
    names = {str(lineup.team_id): lineup.team_name for lineup in lineups}
    squad.check_lineups(path, "line-ups", names)
    squad.rename(names)
    for lineup in lineups:
        team = squad.team(lineup.team_id, lineup.team_name)
        for p in lineup.lineup:
            known = Player(
                id=str(p.player_id),
                name=p.player_name.strip(),
                nickname=(p.player_nickname or "").strip() or None,
                shirt=p.jersey_number,
            )
            squad.add(known, team)


class _Squad(Squad):
    """Teams come in the order of the log, players first from the line-ups, which know most of
    them, then from the starting elevens, which know their shirts."""

    def __init__(self, records: Sequence[_Record], lineups: Sequence[Source]) -> None:
        super().__init__()
        heads = [record.head for record in records]
        teams = {named.id: named for head in heads if (named := head.team)}
        for known in teams.values():
            self.team(known.id, known.name)
        for source in lineups:
            add_lineups(source, self)
        # From here on nobody changes, so each is looked up once by the feed's own id.
        self.sides = {key: self.team(key) for key in teams}
        self._people: dict[int | str, Player | None] = {}
        for head in [head for head in heads if head.tactics]:
            team = self.sides[head.team.id] if head.team else None
            for starter in (head.tactics and head.tactics.lineup) or ():
                self.person(starter.player, team, starter.jersey_number)

    def person(
        self, named: _Named | None, team: Team | None, shirt: int | None = None
    ) -> Player | None:
        if named is None:
            return None
        try:
            return self._people[named.id]
        except KeyError:
            player = self.player(named.id, named.name, team, shirt)
            return self._people.setdefault(named.id, player)


class _Kind(msgspec.Struct, frozen=True):
    """What is known of a type of events; there are some thirty of them.

    `field` has its sub-object if StatsBomb documents the type; else it is under one of `keys`.
    The sub-object's own `type` is the argument `setting`.
    """

    name: str
    field: str | None
    keys: tuple[str, ...]
    counterparts: Mapping[str, str]
    setting: str
    linkable: bool
    twice: bool


_DOCUMENTED = {
    field.encode_name: field.name
    for field in msgspec.structs.fields(_Detailed)
    if field.name not in _Head.__struct_fields__
}


@lru_cache(maxsize=256)
def _kind(name: str) -> _Kind:
    key = name.lower().replace("*", "").replace("/", "_").replace(" ", "_")
    either = dict.fromkeys((key, key.replace("_", "")))  # `goal_keeper` or `goalkeeper`
    return _Kind(
        name=name,
        field=next((_DOCUMENTED[key] for key in either if key in _DOCUMENTED), None),
        keys=tuple(either),
        counterparts=COUNTERPARTS.get(name, {}),
        setting="set_piece" if name in SET_PIECES else "kind",
        linkable=name not in UNLINKABLE,
        twice=name in TWICE,
    )


def _events(
    path: Path, records: Sequence[_Record], by_id: Mapping[str, _Record], squad: _Squad
) -> Iterator[Event]:
    written: set[tuple[str, int]] = set()
    for record in records:
        kind = _kind(record.head.type.name)
        linkable = kind.linkable
        if kind.twice:
            linkable = (kind.name, record.head.period) not in written
            written.add((kind.name, record.head.period))
        yield _event(path, record, kind, by_id, squad, linkable)


def _event(
    path: Path,
    record: _Record,
    kind: _Kind,
    by_id: Mapping[str, _Record],
    squad: _Squad,
    linkable: bool,
) -> Event:
    head = record.head
    team = squad.sides[head.team.id] if head.team else None
    location, end = head.location, None
    related = head.related_events or ()
    arguments: dict[str, str] = {}
    others: list[Role] = []
    detail = _detail(path, record, kind)
    if "end_location" in detail:
        end = _place(detail["end_location"])
        if end is not None:
            del detail["end_location"]  # nothing else is left of a carry
    if detail:
        for role in INNER_PLAYERS:
            if role in detail:
                others += _taken_out(role, detail, team, squad)
        arguments = _arguments(kind, detail)
    # Also players whom the event does not name in the end are of the squad, in this order.
    if related and kind.counterparts:
        others += _counterparts(kind.counterparts, related, by_id, squad)
    if head.under_pressure or head.counterpress or head.out:
        for flag in FLAGS:
            if getattr(head, flag) is True:
                arguments[flag] = "yes"
    return Event(
        id=head.id,
        type=kind.name,
        period=head.period,
        time=record.when[1],
        team=team,
        player=squad.person(head.player, team),
        others=tuple(others),
        arguments=zoned(arguments, location, end),
        location=location,
        end_location=end,
        related=related,
        linkable=linkable,
        raw=record.raw,
    )


def _detail(path: Path, record: _Record, kind: _Kind) -> _SubObject:
    """The sub-object named after the type, which is then let go: they are a log's bulk.

    It is called `foul_committed`, `50_50`, `goalkeeper`.
    """
    if kind.field is not None:
        detail = getattr(record.head, kind.field)
        if detail is None:
            return {}
        setattr(record.head, kind.field, None)
        return detail if isinstance(detail, dict) else {}
    fields = _undocumented(path, record)
    found = (fields.get(key) for key in kind.keys)
    return next((detail for detail in found if isinstance(detail, dict)), {})


def _undocumented(path: Path, record: _Record) -> dict[str, _Detail]:
    """All fields of a record whose type StatsBomb does not document."""
    try:
        return _FIELDS.decode(record.raw.slice)
    except (msgspec.DecodeError, RecursionError) as error:
        problem = f"not a StatsBomb event ({why(error)})"
        raise InputError(path, problem, f"record {record.number}") from None


def _taken_out(role: str, detail: _SubObject, team: Team | None, squad: _Squad) -> tuple[Role, ...]:
    """The player of that role; leaves the sub-object, whose other named values are arguments."""
    inner = detail[role]
    if not isinstance(inner, _Value):
        return ()
    del detail[role]
    if not isinstance(inner.id, _ID):
        return ()
    player = squad.person(_Named(inner.id, str(inner.name or inner.id)), team)
    return () if player is None else (Role(role, player),)


def _counterparts(
    roles: Mapping[str, str], related: Sequence[str], by_id: Mapping[str, _Record], squad: _Squad
) -> Iterator[Role]:
    """Players of the records about the same action."""
    for other in (by_id[i].head for i in related if i in by_id):
        player = squad.person(other.player, squad.sides[other.team.id] if other.team else None)
        if player is not None and other.type.name in roles:
            yield Role(roles[other.type.name], player)


def _arguments(kind: _Kind, detail: _SubObject) -> dict[str, str]:
    """Categorical arguments: every named value and every flag of the sub-object."""
    arguments: dict[str, str] = {}
    for key, value in detail.items():
        if type(value) is _Value:
            if value.name is not UNSET:
                arguments[kind.setting if key == "type" else key] = f"{value.name}"
        elif value is True:
            arguments[kind.setting if key == "type" else key] = "yes"
    return arguments


def _place(value: Any) -> Point | None:
    """A shot's end has a height as well; the pitch has two axes."""
    if value is None:
        return None
    try:
        x, y = float(value[0]), float(value[1])
    except (TypeError, ValueError, LookupError, OverflowError):
        return None
    return (x, y) if isfinite(x) and isfinite(y) else None
