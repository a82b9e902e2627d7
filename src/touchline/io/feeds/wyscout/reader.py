"""Wyscout v2 events as in the public release (Pappalardo et al. 2019).

One match's list of events; a season's file, of which one match is read; or a bundle
`{"events", "teams", "players"}`, whose objects stand under the ids of teams, with or without a
`team` and `player` around them. Events may be named (`Pass`) or numbered (8). Line-ups are the
release's `players.json`, `teams.json` and `matches_*.json`, or the API's; the matches know the
substitutions, which are no events in Wyscout.

Names are stored there with their escapes spelled out (`Gu\\u00f0johnsen`); they are decoded.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from touchline.core.clocks import MAX_MATCH, Clock, parse_period
from touchline.core.errors import InputError
from touchline.core.pitch import Point, from_percent, zoned
from touchline.core.records import Event, Match, Player, Role
from touchline.io.feeds.records import (
    RawRecord,
    Source,
    day,
    decode_json,
    distinct,
    numbered,
    starts_with,
    stem,
    usable,
    why,
)
from touchline.io.feeds.sequence import Step, receivers
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.wyscout.types import (
    ACCURATE,
    EVENT_NAMES,
    GOAL,
    LOST,
    OWN_GOAL,
    SUB_EVENT_NAMES,
    Kind,
    arguments_of,
    kind_of,
    name_of,
)

# Two records are one duel, or one shot and its save, when they are at most so far apart (seconds).
SAME_ACTION = 5.0
# Which kinds of duel face each other.
FACES = {
    "Ground attacking duel": "Ground defending duel",
    "Ground defending duel": "Ground attacking duel",
    "Ground loose ball duel": "Ground loose ball duel",
    "Air duel": "Air duel",
}
# Corners of the pitch: Wyscout writes them where it knows no place.
NOWHERE = frozenset([(0.0, 0.0), (100.0, 100.0)])
# Whose second place is where the ball went.
MOVES_BALL = frozenset(["Pass", "Clearance", "Acceleration"])
Place = tuple[float, float]  # in percent, seen by the acting team
# `Home - Away, 2-1`, and what follows of extra time and penalties.
_LABEL = re.compile(r"(?P<home>.+?) - (?P<away>.+), *(?P<h>\d+) *- *(?P<a>\d+).*")
T = TypeVar("T")
M = TypeVar("M", "_Match", "_Listed")
_ESCAPE = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


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


class _Team(msgspec.Struct, rename="camel"):
    wy_id: int | str
    name: str = ""
    official_name: str = ""


class _Person(msgspec.Struct, rename="camel"):
    wy_id: int | str
    first_name: str = ""
    middle_name: str = ""
    last_name: str = ""
    short_name: str = ""


class _Swap(msgspec.Struct, rename="camel"):
    player_in: int
    player_out: int
    minute: int


class _Formation(msgspec.Struct):
    substitutions: list[_Swap] | str | None = None  # "null" where there were none


class _Side(msgspec.Struct):
    formation: _Formation | None = None


class _Match(msgspec.Struct, rename="camel"):
    wy_id: int | str
    teams_data: dict[str, _Side]
    dateutc: str = ""


class _Listed(msgspec.Struct, rename="camel"):
    """A match in the API's list of a season: its teams are in its label only."""

    match_id: int | str
    label: str = ""


Objects = dict[str, Any] | list[Any]  # by id, or one after the other


class _Bundle(msgspec.Struct):
    events: list[msgspec.Raw]
    teams: Objects | None = None
    players: Objects | None = None
    match: _Match | None = None


class _Record(msgspec.Struct, gc=False):
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


def recognise(data: bytes) -> bool:
    named = b'"matchPeriod"' in data and b'"eventSec"' in data
    return starts_with(data, b"[{") and named


def is_lineups(data: bytes) -> bool:
    named = b'"wyId"' in data or is_match_list(data)
    return starts_with(data, b"[{") and named and not recognise(data)


def is_match_list(data: bytes) -> bool:
    """The matches of a season as Wyscout's API lists them, which has no events and no players."""
    return starts_with(data, b"[{") and b'"matchId"' in data and b'"label"' in data


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read one match; players', teams' and matches' files add names and substitutions."""
    notes: list[str] = []
    bundle = _bundle(path, data)
    records = usable(path, bundle.events, notes, lambda number, raw: _decode(path, number, raw))
    records = list(distinct(path, records, notes, attrgetter("id"), numbered).values())
    played = {record.match for record in records}
    if len(played) > 1:
        raise InputError(path, f"contains {len(played)} matches; expected one")
    records.sort(key=lambda r: (r.period, r.time, r.number))
    squad = Squad()
    _take_bundle(path, bundle, squad)
    given = _Given(records, played.pop())
    for source in lineups:
        given.read(source)
    given.fill(squad)
    notes += given.name_sides(squad)
    last = max(record.period for record in records)
    sheet = given.match or bundle.match
    swaps = _substitutions(sheet, squad, last)
    events = [*_events(records, squad), *swaps]
    events.sort(key=lambda event: (event.period, event.time))
    return Match(
        name=stem(path),
        provider="wyscout",
        events=tuple(events),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
        warnings=tuple(notes),
        date=day(sheet.dateutc) if sheet else None,
    )


def _bundle(path: Path, data: bytes) -> _Bundle:
    what = "a list of Wyscout events"
    if starts_with(data, b"["):
        return _Bundle(decode_json(path, data, list[msgspec.Raw], what))
    bundle: _Bundle = decode_json(path, data, _Bundle, "Wyscout events")
    return bundle


_EVENT = msgspec.json.Decoder(_Event, strict=False)


def _decode(path: Path, number: int, raw: msgspec.Raw) -> _Record:
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
    return _Record(
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


def unescaped(text: str) -> str:
    """A name whose escapes were stored as they are spelled, with their characters."""

    def characters(found: re.Match[str]) -> str:
        units = bytes.fromhex(found[0].replace("\\u", ""))
        return units.decode("utf-16-be", "replace")

    return _ESCAPE.sub(characters, text).strip()


def _player(person: _Person) -> Player:
    parts = (unescaped(part) for part in (person.first_name, person.middle_name, person.last_name))
    short = unescaped(person.short_name)
    name = " ".join(part for part in parts if part)
    return Player(id=str(person.wy_id), name=name or short, short=short or None)


def _take_team(team: _Team, squad: Squad) -> None:
    squad.team(team.wy_id, unescaped(team.name), [unescaped(team.official_name)])


def _take_bundle(path: Path, bundle: _Bundle, squad: Squad) -> None:
    """The teams and players of a bundle: each an object, alone or under `team` and `player`."""
    for key, team in _objects(bundle.teams, "team"):
        if (known := _as(path, team, _Team, key)) is not None:
            _take_team(known, squad)
    for key, person in _objects(bundle.players, "player"):
        side = squad.team(key) if key is not None else None
        if (player := _as(path, person, _Person, None)) is not None:
            squad.add(_player(player), side)


def _objects(given: Objects | None, what: str) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Every object with the key that it stands under; a list has none."""
    keyed = given.items() if isinstance(given, dict) else [(None, given or [])]
    for key, value in keyed:
        for one in value if isinstance(value, list) else [value]:
            inner = one.get(what, one) if isinstance(one, dict) else None
            if isinstance(inner, dict):
                yield key, inner


def _as(path: Path, fields: dict[str, Any], kind: type[T], key: str | None) -> T | None:
    """An object of the bundle; one without an id has the one that it stands under, if any."""
    named = fields if "wyId" in fields else {**fields, "wyId": key}
    if named["wyId"] is None:
        return None
    try:
        return msgspec.convert(named, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(path, f"not Wyscout events ({error})") from None


def _side_file(path: Path, data: bytes, what: str, kind: type[T]) -> list[T]:
    """The objects of a side file: a list of them, one alone, or a list under its name."""
    expected = f"Wyscout {what}"
    if starts_with(data, b"["):
        found: list[T] = decode_json(path, data, list[kind], expected)  # type: ignore[valid-type]
        return found
    content = decode_json(path, data, dict[str, msgspec.Raw], expected)
    if what in content:
        found = decode_json(path, content[what], list[kind], expected)  # type: ignore[valid-type]
        return found
    return [decode_json(path, data, kind, expected)]


def _scorers(records: Sequence[_Record]) -> Iterator[str]:
    """The team that each goal counts for."""
    sides = {record.team for record in records if record.team is not None}
    for record in records:
        if record.period == 5 or record.team is None:
            continue
        if GOAL in record.tags and record.kind.type == "Shot":
            yield record.team
        elif OWN_GOAL in record.tags and record.name != "Save attempt":
            yield from sides - {record.team}


class _Given:
    """What the files beside the events know of this match; they hold the whole season's people."""

    def __init__(self, records: Sequence[_Record], match_id: str) -> None:
        self.match_id = match_id
        self.match: _Match | None = None
        self.label = ""
        self.goals = Counter(_scorers(records))
        self.teams: dict[str, _Team] = {}
        self.people: dict[str, _Person] = {}
        self.sides = {r.player: r.team for r in records if r.player is not None}
        self.playing = {r.team: None for r in records if r.team is not None}

    def read(self, source: Source) -> None:
        path, data = source.path, source.read()
        if b'"teamsData"' in data:
            self.match = self._own(path, _side_file(path, data, "matches", _Match))
        elif is_match_list(data):
            listed = self._own(path, _side_file(path, data, "matches", _Listed))
            self.label = listed.label
        elif b'"officialName"' in data:
            teams = _side_file(path, data, "teams", _Team)
            self.teams |= {str(team.wy_id): team for team in teams}
        else:
            people = _side_file(path, data, "players", _Person)
            known = {str(person.wy_id): person for person in people}
            if self.sides and self.sides.keys().isdisjoint(known):
                raise InputError(path, "contains none of the match's players")
            self.people |= known

    def _own(self, path: Path, matches: Sequence[M]) -> M:
        """The match of the events among those of a season."""
        for match in matches:
            key = match.wy_id if isinstance(match, _Match) else match.match_id
            if str(key) == self.match_id:
                return match
        raise InputError(path, f"contains no match {self.match_id}, which the events belong to")

    def name_sides(self, squad: Squad) -> Iterator[str]:
        """Name the teams by the label `Home - Away, 2-1`, where the goals show which is which."""
        for key in self.playing:
            squad.team(key)
        found = _LABEL.fullmatch(self.label)
        if found is None or all(team.name != key for key, team in squad.teams.items()):
            return
        home, away, score = found["home"], found["away"], (int(found["h"]), int(found["a"]))
        for one, other in permutations(self.playing, 2):
            if (self.goals[one], self.goals[other]) == score != score[::-1]:
                squad.rename({one: home, other: away})
                return
        yield (
            f"the match is {home} against {away}, but its goals do not show which team is which; "
            "give the teams' file with --lineups"
        )

    def fill(self, squad: Squad) -> None:
        for key in self.playing:
            if key in self.teams:
                _take_team(self.teams[key], squad)
        for swap_team, swap in _swaps(self.match):
            self.sides |= {str(swap.player_in): swap_team, str(swap.player_out): swap_team}
        for key, side in self.sides.items():
            if key in self.people:
                squad.add(_player(self.people[key]), squad.team(side))


def _swaps(match: _Match | None) -> Iterator[tuple[str, _Swap]]:
    for team, side in (match.teams_data if match else {}).items():
        swaps = side.formation.substitutions if side.formation else None
        for swap in swaps if isinstance(swaps, list) else ():
            yield team, swap


def _substitutions(match: _Match | None, squad: Squad, last: int) -> Iterator[Event]:
    """Substitutions as events in the middle of their minute, which is all that is known."""
    for number, (side, swap) in enumerate(_swaps(match), 1):
        clock = Clock(swap.minute)
        period = min(clock.period(), last)
        team = squad.team(side)
        new = squad.player(swap.player_in, team=team)
        yield Event(
            id=f"substitution-{number}",
            type="Substitution",
            period=period,
            time=max(sum(clock.interval(period)) / 2, 0.0),
            team=team,
            player=squad.player(swap.player_out, team=team),
            others=(Role("replacement", new),) if new else (),
            raw=msgspec.to_builtins(swap),
        )


def _events(records: Sequence[_Record], squad: Squad) -> Iterator[Event]:
    received = dict(receivers(_step(record) for record in records if record.kind.linkable))
    facing = _facing(records)
    fouled = _fouled(records, facing)
    for record in records:
        team = squad.team(record.team)
        others: list[tuple[str, str | None, str | None]] = []
        if record.id in received:
            others.append(("recipient", received[record.id], record.team))
        if record.id in fouled:
            others.append(("fouled", fouled[record.id].player, fouled[record.id].team))
        other = facing.get(record.id)
        if other is not None:
            others.append((_role(record, other), other.player, other.team))
        roles = [(r, squad.player(key, team=squad.team(side))) for r, key, side in others]
        location, end = _location(record), _end(record)
        yield Event(
            id=record.id,
            type=record.kind.type,
            period=record.period,
            time=record.time,
            team=team,
            player=squad.player(record.player, team=team),
            others=tuple(Role(role, player) for role, player in roles if player is not None),
            arguments=zoned(arguments_of(record.kind, record.tags), location, end),
            location=location,
            end_location=end,
            related=(other.id,) if other else (),
            linkable=record.kind.linkable,
            raw=RawRecord(record.raw),
        )


def _step(record: _Record) -> Step:
    does = "miss" if LOST in record.tags else ""
    if record.kind.type == "Pass":
        does = "pass" if ACCURATE in record.tags else ""
    elif record.kind.type == "Foul Committed":
        does = "foul"
    return Step(record.id, record.period, record.time, record.team, record.player, does)


def _role(record: _Record, other: _Record) -> str:
    pairs = {("Shot", "Goal Keeper"): "keeper", ("Goal Keeper", "Shot"): "shooter"}
    return pairs.get((record.kind.type, other.kind.type), "opponent")


def _facing(records: Sequence[_Record]) -> dict[str, _Record]:
    """The other team's record of the same duel, and the save of a shot; by the ids of both."""
    found: dict[str, _Record] = {}
    open_records: list[_Record] = []
    for record in records:
        open_records = [r for r in open_records if _at_once(r, record)]
        copies = [r for r in open_records if _is_copy(r, record)]
        # Of several duels at one place, the one nearest to the mirrored place, then the latest.
        partner = min(reversed(copies), key=lambda r: _apart(r.place, record.place), default=None)
        if partner is not None:
            found[record.id], found[partner.id] = partner, record
            open_records.remove(partner)
        elif record.name == "Duel" or record.kind.type == "Shot":
            open_records.append(record)
    return found


def _at_once(first: _Record, second: _Record) -> bool:
    apart = second.time - first.time
    return first.period == second.period and apart <= SAME_ACTION


def _is_copy(first: _Record, second: _Record) -> bool:
    if first.team == second.team:
        return False
    if first.kind.type == "Shot":
        return second.name == "Save attempt"
    faces = FACES.get(first.sub) == second.sub
    return faces and _mirrored(first.place, second.place)


def _mirrored(first: Place | None, second: Place | None) -> bool:
    """Whether two places are the same one, each seen by its own team."""
    return _apart(first, second) <= 2


def _apart(first: Place | None, second: Place | None) -> float:
    """How far two places are from being the same one, each seen by its own team."""
    if first is None or second is None:
        return 0.0
    return max(abs(a + b - 100) for a, b in zip(first, second, strict=True))


def _fouled(records: Sequence[_Record], facing: Mapping[str, _Record]) -> dict[str, _Record]:
    """The opponent in the duel that each foul ended, as their record of it."""
    duels: dict[str | None, _Record] = {}
    fouled: dict[str, _Record] = {}
    for record in records:
        if record.name == "Duel":
            duels[record.player] = record
        elif record.kind.type == "Foul Committed" and record.player in duels:
            duel = duels[record.player]
            if _at_once(duel, record) and duel.id in facing:
                fouled[record.id] = facing[duel.id]
    return fouled


def _percent(positions: Sequence[_Position] | None, number: int) -> Place | None:
    if not positions or number >= len(positions):
        return None
    place = positions[number]
    return (place.x, place.y) if place.x is not None and place.y is not None else None


def _location(record: _Record) -> Point | None:
    """Where it happened; a keeper's own place is written second."""
    at = record.place
    if record.kind.type == "Goal Keeper" and at in NOWHERE:
        at = record.end
    return from_percent(*at) if at is not None else None


def _end(record: _Record) -> Point | None:
    if record.kind.type not in MOVES_BALL or record.end is None or record.end in NOWHERE:
        return None
    return from_percent(*record.end)
