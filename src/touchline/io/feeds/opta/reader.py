"""Opta F24 events, with the F7 results of the match for the players' names and shirts.

F24 knows players by number only: without F7 nobody has a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from touchline.core.errors import InputError
from touchline.core.records import Match, Player
from touchline.io.feeds.opta.log import Record, build, second_of_day, shared
from touchline.io.feeds.opta.types import USED
from touchline.io.feeds.records import Source
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.xml import Element, XmlRecord, elements, records, root_tag

_USED = {str(number): number for number in USED}


def recognise(data: bytes) -> bool:
    return root_tag(data) == b"Games" or (root_tag(data) == b"Game" and b"<Event " in data)


def is_f7(data: bytes) -> bool:
    return root_tag(data) == b"SoccerFeed"


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read an F24 file; F7 files add the names."""
    squad, game = Squad(), ""
    log: list[Record] = []
    for element in records(path, data, "Event", "Q", heads=["Game"]):
        if element.name == "Event":
            log.append(_record(path, len(log) + 1, element))
            continue
        of = element.fields
        if game:
            problem = f"contains the matches {game} and {of.get('id')}; expected one"
            raise InputError(path, problem)
        game = of.get("id") or "?"
        for side in ("home", "away"):
            squad.team(of.get(f"{side}_team_id"), of.get(f"{side}_team_name", ""))
    for source in lineups:
        _read_f7(source, squad, game)
    return build(path, "opta", log, squad)


def _record(path: Path, number: int, element: Element) -> Record:
    of = element.fields
    try:
        x, y = of.get("x"), of.get("y")
        return Record(
            number=number,
            id=of["id"],
            own=of.get("event_id", ""),
            type=int(of["type_id"]),
            period=int(of["period_id"]),
            clock=60.0 * int(of["min"]) + int(of["sec"]),
            team=shared(of.get("team_id")),
            player=shared(of.get("player_id")),
            success=of.get("outcome") != "0",
            place=(float(x), float(y)) if x and y else None,
            qualifiers={
                _USED[q["qualifier_id"]]: q.get("value")
                for q in of["Q"]
                if q["qualifier_id"] in _USED
            },
            raw=XmlRecord(element.raw),
            stamp=second_of_day(of.get("timestamp")),
        )
    except KeyError as error:
        problem = f"not an F24 event (no {error.args[0]})"
    except ValueError as error:
        problem = f"not an F24 event ({error})"
    raise InputError(path, problem, f"record {number}")


def _read_f7(source: Source, squad: Squad, game: str) -> None:
    """Names and shirts; an F7 writes `t174` and `p76012` for the numbers in F24."""
    path = source.path
    shirts: dict[str, int] = {}
    teams: dict[str, dict[str, Any]] = {}
    found = elements(path, source.read(), ["TeamData", "Team"], heads=["SoccerDocument"])
    for name, fields, _ in found:
        if name == "TeamData":
            shirts |= dict(_shirts(fields))
        elif name == "Team":
            teams[_number(fields, "uID")] = fields
        elif game not in ("", "?", _number(fields, "uID") or game):
            problem = f"results of the match {_number(fields, 'uID')}; the events are of {game}"
            raise InputError(path, problem)
    if not teams:
        raise InputError(path, "no team found; expected F7 results")
    names = {key: _text(team, "Name") or key for key, team in teams.items()}
    squad.check_lineups(path, "results", names)
    for key, fields in teams.items():
        for player in _players(fields, shirts):
            squad.add(player, squad.team(key, names[key]))


def _number(fields: dict[str, Any], key: str) -> str:
    return str(fields.get(key, ""))[1:]


def _text(fields: dict[str, Any], name: str) -> str:
    """The text of the first child of that name."""
    children = fields.get(name)
    return str(children[0].get("text", "")).strip() if isinstance(children, list) else ""


def _shirts(team: dict[str, Any]) -> Iterator[tuple[str, int]]:
    for sheet in team.get("PlayerLineUp", ()):
        for player in sheet.get("MatchPlayer", ()):
            shirt = player.get("ShirtNumber", "")
            if shirt.isdecimal():
                yield _number(player, "PlayerRef"), int(shirt)


def _players(team: dict[str, Any], shirts: dict[str, int]) -> Iterator[Player]:
    for player in team.get("Player", ()):
        key = _number(player, "uID")
        person: dict[str, Any] = next(iter(player.get("PersonName", ())), {})
        yield Player(
            id=key,
            name=f"{_text(person, 'First')} {_text(person, 'Last')}".strip(),
            nickname=_text(person, "Known") or None,
            shirt=shirts.get(key),
        )
