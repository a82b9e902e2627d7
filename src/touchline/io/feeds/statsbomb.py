"""StatsBomb events, with line-ups for the players' nicknames and shirt numbers.

https://github.com/statsbomb/open-data describes the format. Nothing is lost: a record's own
sub-object (`pass`, `shot` ...) becomes arguments and other players, `raw` is the whole record.
The file is a list of records; `{"events": [...]}` and `{id: record}`, as some tools store it,
and one record a line are read as well. So are the tables that tools make of them, one row a record
(`statsbomb_flat`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec

from touchline.core.clocks import MAX_MATCH
from touchline.core.errors import InputError
from touchline.core.pitch import Point, zoned
from touchline.core.records import Event, Match, Player, Role, Team
from touchline.io.feeds import statsbomb_flat
from touchline.io.feeds.records import RawRecord, Source, decode_json, distinct, stem, usable, why
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

_TIMESTAMP = re.compile(r"(\d{1,2}):(\d\d):(\d\d(?:\.\d*)?)")


class _Named(msgspec.Struct, gc=False):
    id: int | str
    name: str


class _Starter(msgspec.Struct, gc=False):
    player: _Named | None = None
    jersey_number: int | None = None


class _Tactics(msgspec.Struct, gc=False):
    lineup: list[_Starter] | None = None


class _Head(msgspec.Struct, gc=False):
    """The fields that every event has; checked, so that a wrong file is named with its record."""

    id: int | str
    period: Annotated[int, msgspec.Meta(ge=1, le=5)]
    timestamp: str
    type: _Named
    index: int = 0
    team: _Named | None = None
    player: _Named | None = None
    location: list[float] | None = None
    related_events: list[int | str] | None = None
    tactics: _Tactics | None = None
    under_pressure: Any = None
    counterpress: Any = None
    out: Any = None


class _Detailed(_Head, gc=False, rename={"fifty_fifty": "50_50", "passed": "pass"}):
    """With the sub-objects of all types that StatsBomb documents."""

    bad_behaviour: Any = None
    ball_receipt: Any = None
    ball_recovery: Any = None
    block: Any = None
    carry: Any = None
    clearance: Any = None
    dribble: Any = None
    duel: Any = None
    fifty_fifty: Any = None
    foul_committed: Any = None
    foul_won: Any = None
    goalkeeper: Any = None
    half_end: Any = None
    half_start: Any = None
    injury_stoppage: Any = None
    interception: Any = None
    miscontrol: Any = None
    passed: Any = None
    player_off: Any = None
    pressure: Any = None
    shot: Any = None
    substitution: Any = None


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
    """A record's checked head, its place in the file, its seconds, and the slice it is."""

    number: int
    head: _Detailed
    time: float
    raw: msgspec.Raw


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
    split = _split(path, data)
    records = usable(path, split, notes, lambda number, raw: _decode(path, number, raw))
    records = distinct(path, records, notes, lambda r: (f"record {r.number}", str(r.head.id), ""))
    # A shuffled file gives the same match: `index` is the feed's own order within a second.
    records.sort(key=lambda r: (r.head.period, r.time, r.head.index))
    squad = _Squad(records, lineups)
    return Match(
        name=stem(path),
        provider="statsbomb",
        events=tuple(_events(path, records, squad)),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
        warnings=tuple(notes),
    )


def _split(path: Path, data: bytes) -> list[msgspec.Raw]:
    """The records, each a slice of the file."""
    what = "a list of StatsBomb events"
    if statsbomb_flat.is_flat(data):
        return [msgspec.Raw(msgspec.json.encode(one)) for one in statsbomb_flat.nested(path, data)]
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


_HEAD = msgspec.json.Decoder(_Detailed, strict=False)  # not strict: exports write numbers as text
_FIELDS = msgspec.json.Decoder(dict[str, Any])


def _decode(path: Path, number: int, raw: msgspec.Raw) -> _Record:
    try:
        head = _HEAD.decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        problem = f"not a StatsBomb event ({why(error)})"
        raise InputError(path, problem, f"record {number}") from None
    found = _TIMESTAMP.fullmatch(head.timestamp)
    if found is None:
        problem = f"timestamp {head.timestamp!r}; expected HH:MM:SS.mmm"
        raise InputError(path, problem, f"record {number}")
    time = 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])
    if time > MAX_MATCH:
        problem = f"timestamp {head.timestamp!r} is out of range for a match"
        raise InputError(path, problem, f"record {number}")
    return _Record(number, head, time, raw)


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
        for named in {r.head.team.id: r.head.team for r in records if r.head.team}.values():
            self.team(named.id, named.name)
        for source in lineups:
            add_lineups(source, self)
        # From here on nobody changes, so each is looked up once by the feed's own id.
        self._sides: dict[int | str, Team | None] = {}
        self._people: dict[int | str, Player | None] = {}
        for head in (record.head for record in records if record.head.tactics):
            for starter in (head.tactics and head.tactics.lineup) or ():
                self.person(starter.player, self.side(head.team), starter.jersey_number)

    def side(self, named: _Named | None) -> Team | None:
        if named is None:
            return None
        if named.id not in self._sides:
            self._sides[named.id] = self.team(named.id, named.name)
        return self._sides[named.id]

    def person(
        self, named: _Named | None, team: Team | None, shirt: int | None = None
    ) -> Player | None:
        if named is None:
            return None
        if named.id not in self._people:
            self._people[named.id] = self.player(named.id, named.name, team, shirt)
        return self._people[named.id]


def _events(path: Path, records: Sequence[_Record], squad: _Squad) -> Iterator[Event]:
    heads = {str(record.head.id): record.head for record in records}
    seen: set[tuple[str, int]] = set()
    for record in records:
        kind, period = record.head.type.name, record.head.period
        copy = kind in TWICE and (kind, period) in seen
        seen.add((kind, period))
        yield _event(path, record, heads, squad, kind not in UNLINKABLE and not copy)


def _event(
    path: Path, record: _Record, heads: Mapping[str, _Head], squad: _Squad, linkable: bool
) -> Event:
    head, kind = record.head, record.head.type.name
    related = tuple(map(str, head.related_events)) if head.related_events else ()
    detail = _detail(path, record)
    location, end = _place(head.location), _place(detail.get("end_location"))
    team = squad.side(head.team)
    others = _others(head, detail, related, heads, squad, team)
    return Event(
        id=str(head.id),
        type=kind,
        period=head.period,
        time=record.time,
        team=team,
        player=squad.person(head.player, team),
        others=others,
        arguments=_arguments(kind, detail, head, location, end),
        location=location,
        end_location=end,
        related=related,
        linkable=linkable,
        raw=RawRecord(record.raw),
    )


def _detail(path: Path, record: _Record) -> dict[str, Any]:
    """The sub-object named after the type: `foul_committed`, `50_50`, `goalkeeper`."""
    for key in _detail_keys(record.head.type.name):
        field = _DOCUMENTED.get(key)
        detail = getattr(record.head, field) if field else _undocumented(path, record).get(key)
        if isinstance(detail, dict):
            return detail
    return {}


_DOCUMENTED = {
    field.encode_name: field.name
    for field in msgspec.structs.fields(_Detailed)
    if field.name not in _Head.__struct_fields__
}


@lru_cache(maxsize=256)
def _detail_keys(kind: str) -> tuple[str, ...]:
    """What the sub-object of a type may be called: `50_50`; `goal_keeper` or `goalkeeper`."""
    key = kind.lower().replace("*", "").replace("/", "_").replace(" ", "_")
    either = tuple(dict.fromkeys((key, key.replace("_", ""))))
    return either if _DOCUMENTED.keys().isdisjoint(either) else tuple(_DOCUMENTED.keys() & either)


def _undocumented(path: Path, record: _Record) -> dict[str, Any]:
    """All fields of a record whose type StatsBomb does not document."""
    try:
        return _FIELDS.decode(record.raw)
    except (msgspec.DecodeError, RecursionError) as error:
        problem = f"not a StatsBomb event ({why(error)})"
        raise InputError(path, problem, f"record {record.number}") from None


def _inner(detail: dict[str, Any], team: Team | None, squad: _Squad) -> Iterator[Role]:
    for role in INNER_PLAYERS:
        value = detail.get(role)
        if isinstance(value, dict) and isinstance(value.get("id"), int | str):
            named = _Named(value["id"], str(value.get("name") or value["id"]))
            player = squad.person(named, team)
            if player is not None:
                yield Role(role, player)


def _others(
    head: _Head,
    detail: dict[str, Any],
    related: Sequence[str],
    heads: Mapping[str, _Head],
    squad: _Squad,
    team: Team | None,
) -> tuple[Role, ...]:
    """Players named in the sub-object, then those of the records about the same action."""
    inner = tuple(_inner(detail, team, squad)) if detail else ()
    if not related or head.type.name not in COUNTERPARTS:
        return inner
    return (*inner, *_counterparts(head, related, heads, squad))


def _counterparts(
    head: _Head, related: Sequence[str], heads: Mapping[str, _Head], squad: _Squad
) -> Iterator[Role]:
    roles = COUNTERPARTS[head.type.name]
    for other in (heads[i] for i in related if i in heads):
        player = squad.person(other.player, squad.side(other.team))
        if player is not None and other.type.name in roles:
            yield Role(roles[other.type.name], player)


def _arguments(
    kind: str,
    detail: dict[str, Any],
    head: _Head,
    location: Point | None,
    end: Point | None,
) -> dict[str, str]:
    """Categorical arguments: every named value and every flag of the record's sub-object."""
    arguments: dict[str, str] = {}
    for key, value in detail.items():
        name = key if key != "type" else "set_piece" if kind in SET_PIECES else "kind"
        if value is True:
            arguments[name] = "yes"
        elif isinstance(value, dict) and "name" in value and key not in INNER_PLAYERS:
            arguments[name] = str(value["name"])
    for flag in FLAGS:
        if getattr(head, flag) is True:
            arguments[flag] = "yes"
    return zoned(arguments, location, end)


def _place(value: Any) -> Point | None:
    """A shot's end has a height as well; the pitch has two axes."""
    if value is None:
        return None
    try:
        x, y = float(value[0]), float(value[1])
    except (TypeError, ValueError, LookupError, OverflowError):
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None
