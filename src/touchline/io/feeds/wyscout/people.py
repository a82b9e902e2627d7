"""What a bundle and the files beside the events know of teams, players and substitutions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from touchline.core.clocks import Clock
from touchline.core.errors import InputError
from touchline.core.records import Event, Player, Role
from touchline.io.feeds.records import Source, decode_json, starts_with
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.wyscout.records import Record
from touchline.io.feeds.wyscout.types import GOAL, OWN_GOAL

# `Home - Away, 2-1`, and what follows of extra time and penalties.
_LABEL = re.compile(r"(?P<home>.+?) - (?P<away>.+), *(?P<h>\d+) *- *(?P<a>\d+).*")
_ESCAPE = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
T = TypeVar("T")
M = TypeVar("M", "_Match", "_Listed")


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


class Bundle(msgspec.Struct):
    events: list[msgspec.Raw]
    teams: Objects | None = None
    players: Objects | None = None
    match: _Match | None = None


def is_match_list(data: bytes) -> bool:
    """The matches of a season as Wyscout's API lists them, which has no events and no players."""
    return starts_with(data, b"[{") and b'"matchId"' in data and b'"label"' in data


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


def take_bundle(path: Path, bundle: Bundle, squad: Squad) -> None:
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


def _scorers(records: Sequence[Record]) -> Iterator[str]:
    """The team that each goal counts for."""
    sides = {record.team for record in records if record.team is not None}
    for record in records:
        if record.period == 5 or record.team is None:
            continue
        if GOAL in record.tags and record.kind.type == "Shot":
            yield record.team
        elif OWN_GOAL in record.tags and record.name != "Save attempt":
            yield from sides - {record.team}


class SideFiles:
    """What the files beside the events know of this match; they hold the whole season's people."""

    def __init__(self, records: Sequence[Record], match_id: str) -> None:
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


def substitutions(match: _Match | None, squad: Squad, last: int) -> Iterator[Event]:
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
