"""Wyscout v2 events as in the public release (Pappalardo et al. 2019).

One match's list of events; a season's file, of which one match is read; or a bundle
`{"events", "teams", "players"}`, whose objects stand under the ids of teams, with or without a
`team` and `player` around them. Events may be named (`Pass`) or numbered (8). Line-ups are the
release's `players.json`, `teams.json` and `matches_*.json`, or the API's; the matches know the
substitutions, which are no events in Wyscout.

Names are stored there with their escapes spelled out (`Gu\\u00f0johnsen`); they are decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path

import msgspec

from touchline.core.errors import InputError
from touchline.core.pitch import Point, from_percent, zoned
from touchline.core.records import Event, Match, Role
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
)
from touchline.io.feeds.sequence import Step, receivers
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.wyscout.pairing import facing_records, fouled_opponents
from touchline.io.feeds.wyscout.people import (
    Bundle,
    SideFiles,
    is_match_list,
    substitutions,
    take_bundle,
)
from touchline.io.feeds.wyscout.records import Record, decode
from touchline.io.feeds.wyscout.types import ACCURATE, LOST, arguments_of

# Corners of the pitch: Wyscout writes them where it knows no place.
NOWHERE = frozenset([(0.0, 0.0), (100.0, 100.0)])
# Whose second place is where the ball went.
MOVES_BALL = frozenset(["Pass", "Clearance", "Acceleration"])


def recognise(data: bytes) -> bool:
    named = b'"matchPeriod"' in data and b'"eventSec"' in data
    return starts_with(data, b"[{") and named


def is_lineups(data: bytes) -> bool:
    named = b'"wyId"' in data or is_match_list(data)
    return starts_with(data, b"[{") and named and not recognise(data)


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read one match; players', teams' and matches' files add names and substitutions."""
    notes: list[str] = []
    bundle = _bundle(path, data)
    records = usable(path, bundle.events, notes, lambda number, raw: decode(path, number, raw))
    records = list(distinct(path, records, notes, attrgetter("id"), numbered).values())
    played = {record.match for record in records}
    if len(played) > 1:
        raise InputError(path, f"contains {len(played)} matches; expected one")
    records.sort(key=lambda r: (r.period, r.time, r.number))
    squad = Squad()
    take_bundle(path, bundle, squad)
    given = SideFiles(records, played.pop())
    for source in lineups:
        given.read(source)
    given.fill(squad)
    notes += given.name_sides(squad)
    last = max(record.period for record in records)
    sheet = given.match or bundle.match
    swaps = substitutions(sheet, squad, last)
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


def _bundle(path: Path, data: bytes) -> Bundle:
    what = "a list of Wyscout events"
    if starts_with(data, b"["):
        return Bundle(decode_json(path, data, list[msgspec.Raw], what))
    bundle: Bundle = decode_json(path, data, Bundle, "Wyscout events")
    return bundle


def _events(records: Sequence[Record], squad: Squad) -> Iterator[Event]:
    received = dict(receivers(_step(record) for record in records if record.kind.linkable))
    facing = facing_records(records)
    fouled = fouled_opponents(records, facing)
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


def _step(record: Record) -> Step:
    does = "miss" if LOST in record.tags else ""
    if record.kind.type == "Pass":
        does = "pass" if ACCURATE in record.tags else ""
    elif record.kind.type == "Foul Committed":
        does = "foul"
    return Step(record.id, record.period, record.time, record.team, record.player, does)


def _role(record: Record, other: Record) -> str:
    pairs = {("Shot", "Goal Keeper"): "keeper", ("Goal Keeper", "Shot"): "shooter"}
    return pairs.get((record.kind.type, other.kind.type), "opponent")


def _location(record: Record) -> Point | None:
    """Where it happened; a keeper's own place is written second."""
    at = record.place
    if record.kind.type == "Goal Keeper" and at in NOWHERE:
        at = record.end
    return from_percent(*at) if at is not None else None


def _end(record: Record) -> Point | None:
    if record.kind.type not in MOVES_BALL or record.end is None or record.end in NOWHERE:
        return None
    return from_percent(*record.end)
