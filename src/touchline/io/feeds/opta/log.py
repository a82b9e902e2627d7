"""From Opta's records to a match, the same for F24, MA3 and WhoScored.

The records of one action are brought together: the two teams' copies of a foul or a duel name each
other's player; a card belongs to the foul that it was given for, as in StatsBomb's logs, and its
own record is not linkable; a player who comes on is part of the record of the one who
goes off; a pass that goes out says so; who received a pass is the team-mate with the next touch.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.clocks import MAX_MATCH, STARTS
from touchline.core.errors import InputError
from touchline.core.pitch import Point, from_percent, zoned
from touchline.core.records import Event, Match, Role
from touchline.io.feeds.opta import types as opta
from touchline.io.feeds.opta.types import Kind, kind_of
from touchline.io.feeds.records import day, distinct, numbered, shirt_number, stem
from touchline.io.feeds.sequence import Step, fouls_of_cards, receivers
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.statsbomb import COUNTERPARTS

# Opta's breaks between periods; what is written down in one belongs to the end of the period.
BREAKS = {10: 1, 11: 2, 12: 3, 13: 4}
BEFORE, AFTER = (15, 16, 17, 18), 14
# The two teams' copies of a record without a player may differ by so many seconds.
COPY_WITHIN = 10.0
# How far the wall clock may be from minute and second and still say when within the second.
AGREES = 1.5
# Who the other side is, by the two types, where Opta has more pairs than StatsBomb.
OTHER_SIDE = {
    **COUNTERPARTS,
    "Duel": {**COUNTERPARTS["Duel"], "Duel": "opponent"},
    "Dribbled Past": {"Dribble": "opponent", "Duel": "opponent"},
    "Pass": {"Block": "blocker"},
    "Corner Awarded": {"Corner Awarded": "opponent"},
}


class Record(msgspec.Struct, gc=False):
    """A record of any of the three files, with its kind and, once placed, its time.

    `own` is the number that other records of the match refer to: those of the other team as
    their `opposite`, those of its own as the `same`. `clock` is in seconds of the match clock,
    `stamp` of the day. Of two records with one id, the one of the later `version` counts.
    """

    number: int
    id: str
    own: str
    type: int
    period: int
    clock: float
    team: str | None
    player: str | None
    success: bool
    place: tuple[float, float] | None
    qualifiers: dict[int, str | None]
    raw: Mapping[str, Any]
    stamp: float | None = None
    name: str | None = None
    version: str = ""
    time: float = 0.0
    in_play: bool = True
    kind: Kind = Kind("")
    linkable: bool = True
    arguments: dict[str, str] = {}
    end: Point | None = None
    opposite: str | None = None
    same: str | None = None
    caught: str | None = None
    related: tuple[str, ...] = ()


def shared(key: int | str | None) -> str | None:
    """An id that many records have, as one text for all of them."""
    return None if key is None else sys.intern(str(key))


def second_of_day(stamp: str | None) -> float | None:
    """Seconds of `2018-08-20T21:00:31.35`; F24 writes thousandths without leading zeros."""
    if not stamp:
        return None
    try:
        hours, minutes, seconds = int(stamp[11:13]), int(stamp[14:16]), int(stamp[17:19])
        fraction = stamp[20:].rstrip("Z")
        return 3600 * hours + 60 * minutes + seconds + int(fraction or 0) / 1000
    except ValueError:
        return None


def build(
    path: Path,
    provider: str,
    records: Sequence[Record],
    squad: Squad,
    notes: Sequence[str] = (),
    date: object = None,
) -> Match:
    """The match of a file's records; `notes` are what its reader has to say of them."""
    notes = list(notes)
    by_id = distinct(path, records, notes, attrgetter("id"), numbered, attrgetter("version"))
    records = list(by_id.values())
    _place(path, records)
    _join(records, squad)
    # A card of the same moment comes after its foul, wherever the file has it.
    records.sort(key=lambda r: (r.period, r.time, r.type == opta.CARD, r.number))
    for record in records:
        _read_qualifiers(record)
    links = _join_records(records)
    return Match(
        name=stem(path),
        provider=provider,
        events=tuple(_event(record, links, squad) for record in records),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
        warnings=tuple(notes),
        date=day(date),
    )


def _join(records: Sequence[Record], squad: Squad) -> None:
    """Everybody who acts is of the squad; the line-up records know the shirts, by id alone."""
    for record in records:
        squad.player(record.player, team=squad.team(record.team))
    for record in records:
        if record.type == opta.LINE_UP:
            listed = (record.qualifiers.get(n) or "" for n in (opta.INVOLVED, opta.SHIRTS))
            players, numbers = (text.replace(" ", "").split(",") for text in listed)
            for player, text in zip(players, numbers, strict=False):
                if (shirt := shirt_number(text)) is not None:
                    squad.wears(player, shirt)


def _place(path: Path, records: Sequence[Record]) -> None:
    """Give every record one of the periods of play and its seconds since the kick-off."""
    starts: dict[int, float] = {}
    for record in records:
        if record.type == opta.START and record.stamp is not None:
            starts[record.period] = min(record.stamp, starts.get(record.period, record.stamp))
    ends = dict.fromkeys(STARTS, 0.0)
    last = 1
    for record in records:
        if record.period in STARTS:
            record.time = _time(record, starts.get(record.period))
            if abs(record.time) > MAX_MATCH:
                problem = f"minute {record.clock // 60:g} is out of range for a match"
                raise InputError(path, problem, f"record {record.number}")
            ends[record.period] = max(ends[record.period], record.time)
            last = max(last, record.period)
    for record in records:
        if record.period not in STARTS:
            record.in_play = False
            before = record.period in BEFORE
            record.period = 1 if before else _period_before(path, record, last)
            record.time = 0.0 if before else ends[record.period]


def _time(record: Record, start: float | None) -> float:
    seconds = record.clock - 60 * STARTS[record.period]
    if start is None or record.stamp is None:
        return seconds
    exact = (record.stamp - start) % 86400
    return round(exact, 3) if -AGREES <= exact - seconds <= AGREES else seconds


def _period_before(path: Path, record: Record, last: int) -> int:
    """The period whose end a record of a break, or of after the match, belongs to."""
    if record.period == AFTER:
        return last
    if record.period in BREAKS:
        return BREAKS[record.period]
    problem = f"period {record.period} is invalid; expected 1, 2, 3, 4 or 5"
    raise InputError(path, problem, f"record {record.number}")


_READ: dict[int, str | None] = {}


def _read_qualifiers(record: Record) -> None:
    """Take from the qualifiers whatever is needed, and let them go: they are a log's bulk."""
    qualifiers = record.qualifiers
    record.kind = kind_of(record.type, record.success, qualifiers, record.name)
    marks_period = record.type in (opta.START, opta.END)
    record.linkable = record.kind.linkable and (record.in_play or not marks_period)
    record.arguments = _arguments(record)
    record.end = _end(record)
    record.opposite, record.same = qualifiers.get(opta.OPPOSITE), qualifiers.get(opta.RELATED)
    record.caught = qualifiers.get(opta.CAUGHT_OFFSIDE)
    record.qualifiers = _READ


def _join_records(records: Sequence[Record]) -> _Links:
    """Bring the records of one action together."""
    steps = [_step(record) for record in records if record.linkable]
    _silence_copies(records)
    _give_cards(records, steps)
    _mark_outs(records)
    return _Links(records, dict(receivers(steps)))


def _arguments(record: Record) -> dict[str, str]:
    kind = record.kind
    arguments: dict[str, str] = {}
    if kind.type == "Shot":
        arguments["set_piece"] = "Open Play"  # as StatsBomb says of every shot from play
    if kind.kind:
        arguments["kind"] = kind.kind
    if kind.outcome:
        arguments["outcome"] = kind.outcome
    named = opta.arguments_of(kind.type)
    for number in record.qualifiers:
        if number in named:
            name, value = named[number]
            arguments[name] = value
    return arguments


class _Links:
    """Which records are about one action: found by their numbers, or by what comes next."""

    def __init__(self, records: Sequence[Record], received: Mapping[str, str]) -> None:
        self._received = received
        self._by_number: dict[str | None, dict[str, Record]] = {None: {}}
        for record in records:
            if record.type != opta.DELETED:
                self._by_number.setdefault(record.team, {})[record.own] = record
        self._teams = {r.team for r in records if r.team is not None}
        self._opponents = {team: self._other_team(team) for team in (None, *self._teams)}

    def _other_team(self, team: str | None) -> str | None:
        others = self._teams - {team}
        return others.pop() if len(others) == 1 else None

    def opposite(self, record: Record) -> Record | None:
        """The other team's record of the same action."""
        other = self._opponents[record.team]
        return self._by_number.get(other, {}).get(record.opposite) if record.opposite else None

    def same(self, record: Record) -> Record | None:
        """The record of the same team that this one refers to: an assist, the other of a swap."""
        return self._by_number.get(record.team, {}).get(record.same) if record.same else None

    def receiver(self, record: Record) -> str | None:
        return record.caught or self._received.get(record.id)


def _step(record: Record) -> Step:
    return Step(record.id, record.period, record.time, record.team, record.player, _does(record))


def _does(record: Record) -> str:
    if record.type == opta.PASS:
        return "pass" if record.success else ""
    if record.type == opta.CARD:
        return "" if "reason" in record.arguments else "card"
    if record.kind.type == "Foul Committed":
        return "foul"
    lost = record.arguments.get("kind") in ("Aerial Lost", "Tackle") and not record.success
    return "miss" if lost or record.kind.type == "Dribbled Past" else ""


def _silence_copies(records: Sequence[Record]) -> None:
    """Link one of two copies only: each team has the kick-off in its log, and swaps are two."""
    seen: dict[tuple[int, int], Record] = {}
    swaps = {(r.team, r.own) for r in records if r.type == opta.PLAYER_OFF}
    for record in records:
        if record.player is None:
            last = seen.get((record.type, record.period))
            if last and last.team != record.team and record.time - last.time <= COPY_WITHIN:
                record.linkable = False
            else:
                seen[record.type, record.period] = record
        if record.type == opta.PLAYER_ON:
            record.linkable &= (record.team, record.same) not in swaps


def _give_cards(records: Sequence[Record], steps: Sequence[Step]) -> None:
    """Move each card to the foul that it was given for; one without a foul stands by itself."""
    by_id = {record.id: record for record in records}
    for card_id, foul_id in fouls_of_cards(steps):
        card, foul = by_id[card_id], by_id[foul_id]
        foul.arguments["card"] = card.arguments.get("card", "Card")
        foul.related += (card_id,)
        card.related += (foul_id,)
        card.kind, card.linkable = Kind("Card"), False


def _mark_outs(records: Sequence[Record]) -> None:
    """A bad pass that the same player's `Out` follows went out."""
    kick: Record | None = None
    for record in records:
        if record.type == opta.OUT and not record.success and kick is not None:
            if kick.player == record.player:
                kick.arguments["outcome"] = "Out"
            kick = None
        elif record.linkable:
            bad = record.type == opta.PASS and not record.success
            kick = record if bad else None


def _event(record: Record, links: _Links, squad: Squad) -> Event:
    team = squad.team(record.team)
    location, end = _location(record), record.end
    opposite, same = links.opposite(record), links.same(record)
    partners = (partner.id for partner in (opposite, same) if partner is not None)
    return Event(
        id=record.id,
        type=record.kind.type,
        period=record.period,
        time=record.time,
        team=team,
        player=squad.player(record.player, team=team),
        others=tuple(_others(record, opposite, same, links.receiver(record), squad)),
        arguments=zoned(record.arguments, location, end),
        location=location,
        end_location=end,
        related=tuple(dict.fromkeys([*record.related, *partners])),
        linkable=record.linkable,
        raw=record.raw,
    )


def _others(
    record: Record,
    opposite: Record | None,
    same: Record | None,
    receiver: str | None,
    squad: Squad,
) -> Iterator[Role]:
    if record.kind.type == "Pass":
        yield from _role("recipient", receiver, record.team, squad)
    if opposite is not None:
        role = OTHER_SIDE.get(record.kind.type, {}).get(opposite.kind.type)
        yield from _role(role, opposite.player, opposite.team, squad)
    if record.type == opta.PLAYER_OFF and same is not None:
        yield from _role("replacement", same.player, same.team, squad)


def _role(role: str | None, key: str | None, side: str | None, squad: Squad) -> Iterator[Role]:
    if role is not None and key is not None:
        player = squad.player(key, team=squad.team(side))
        if player is not None:
            yield Role(role, player)


def _location(record: Record) -> Point | None:
    """Opta writes 0, 0 where an event has no place; y = 0 is the right touchline."""
    if record.place is None or record.place == (0, 0):
        return None
    return from_percent(record.place[0], 100 - record.place[1])


def _end(record: Record) -> Point | None:
    q = record.qualifiers
    if opta.END_X in q:
        x, y = _number(q[opta.END_X]), _number(q.get(opta.END_Y))
    elif opta.BLOCKED_X in q:
        x, y = _number(q[opta.BLOCKED_X]), _number(q.get(opta.BLOCKED_Y))
    elif opta.GOAL_MOUTH_Y in q and record.kind.type == "Shot":
        x, y = 100.0, _number(q[opta.GOAL_MOUTH_Y])
    else:
        return None
    return from_percent(x, 100 - y) if x is not None and y is not None else None


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None
