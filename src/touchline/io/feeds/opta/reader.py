"""Opta F24 events, with the F7 results of the match for the players' names and shirts.

F24 knows players by number only: without F7 nobody has a name. Both come as XML, or packed as JSON,
where F9 stands in the place of F7 and one file may contain the two (`packed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from touchline.core.errors import InputError
from touchline.core.records import Match, Player
from touchline.io.feeds.opta import packed
from touchline.io.feeds.opta.log import Record, build, second_of_day, shared
from touchline.io.feeds.opta.types import USED
from touchline.io.feeds.records import RawRecord, Source, limited, shirt_number, usable
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.xml import XmlRecord, elements, records, root_tag

_USED = {str(number): number for number in USED}


class _Results(NamedTuple):
    """What an F7 or F9 file knows: its match, the teams, and the shirts by player."""

    game: str
    teams: dict[str, dict[str, Any]]
    shirts: dict[str, int]


def recognise(data: bytes) -> bool:
    tag = root_tag(data)
    return tag == b"Games" or (tag == b"Game" and b"<Event " in data) or packed.has_events(data)


def is_f7(data: bytes) -> bool:
    return root_tag(data) == b"SoccerFeed" or (packed.is_packed(data) and not recognise(data))


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read an F24 file; F7 files add the names."""
    squad = Squad()
    notes: list[str] = []
    games, found = (_xml if root_tag(data) else _packed)(path, data)
    if len(games) > 1:
        ids = " and ".join(str(of.get("id")) for of in games[:2])
        raise InputError(path, f"contains the matches {ids}; expected one")
    of = games[0] if games else {}
    for side in ("home", "away"):
        squad.team(of.get(f"{side}_team_id"), of.get(f"{side}_team_name", ""))
    log = usable(path, found, notes, lambda number, own: _record(path, number, *own))
    if not squad.teams:  # the match itself has no attributes, but each record names its team
        for record in log:
            squad.team(record.team)
    game = str(of.get("id") or "")
    if packed.is_packed(data):
        for document in packed.results(path, data):
            _take(path, _packed_results(document), squad, game)
    for source in lineups:
        for results in _results(source):
            _take(source.path, results, squad, game)
    return build(path, "opta", log, squad, notes, of.get("game_date"))


Found = tuple[Mapping[str, Any], RawRecord]  # the attributes of a record, and itself


def _xml(path: Path, data: bytes) -> tuple[list[dict[str, Any]], list[Found]]:
    """The attributes of the matches in a file, and their records."""
    games: list[dict[str, Any]] = []
    found: list[Found] = []
    for element in limited(path, records(path, data, "Event", "Q", heads=["Game"])):
        if element.name == "Game":
            games.append(element.fields)
        else:
            found.append((element.fields, XmlRecord(element.raw)))
    return games, found


def _packed(path: Path, data: bytes) -> tuple[list[dict[str, Any]], list[Found]]:
    games = list(packed.games(path, data))
    return [of for of, _ in games], [one for _, found in games for one in found]


def _record(path: Path, number: int, of: Mapping[str, Any], raw: RawRecord) -> Record:
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
            raw=raw,
            stamp=second_of_day(of.get("timestamp")),
            version=of.get("last_modified", ""),
        )
    except KeyError as error:
        problem = f"not an F24 event (no {error.args[0]})"
    except ValueError as error:
        problem = f"not an F24 event ({error})"
    raise InputError(path, problem, f"record {number}")


def _results(source: Source) -> Iterator[_Results]:
    path, data = source.path, source.read()
    if packed.is_packed(data):
        yield from map(_packed_results, packed.results(path, data))
        return
    game = ""
    shirts: dict[str, int] = {}
    teams: dict[str, dict[str, Any]] = {}
    found = elements(path, data, ["TeamData", "Team"], heads=["SoccerDocument"])
    for name, fields, _ in found:
        if name == "TeamData":
            shirts |= dict(_shirts(fields))
        elif name == "Team":
            teams[_number(fields, "uID")] = fields
        else:
            game = _number(fields, "uID") or game
    yield _Results(game, teams, shirts)


def _packed_results(document: dict[str, Any]) -> _Results:
    shirts: dict[str, int] = {}
    for data in document.get("MatchData", ()):
        for team in data.get("TeamData", ()):
            shirts |= dict(_shirts(team))
    teams = {_number(team, "uID"): team for team in document.get("Team", ())}
    return _Results(_number(document, "uID"), teams, shirts)


def _take(path: Path, results: _Results, squad: Squad, game: str) -> None:
    """Names and shirts; an F7 writes `t174` and `p76012` for the numbers in F24."""
    if game and results.game not in ("", game):
        problem = f"results of the match {results.game}; the events are of {game}"
        raise InputError(path, problem)
    if not results.teams:
        raise InputError(path, "no team found; expected F7 results")
    names = {key: _text(team, "Name") or key for key, team in results.teams.items()}
    squad.check_lineups(path, "results", names)
    squad.rename(names)
    for key, fields in results.teams.items():
        for player in _players(fields, results.shirts):
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
            shirt = shirt_number(str(player.get("ShirtNumber", "")))
            if shirt is not None:
                yield _number(player, "PlayerRef"), shirt


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
