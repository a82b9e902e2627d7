"""StatsBomb events, with line-ups for the players' nicknames and shirt numbers.

https://github.com/statsbomb/open-data describes the format. Nothing is lost: a record's own
sub-object (`pass`, `shot` ...) becomes arguments and other players, `raw` is the whole record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from touchline.errors import InputError
from touchline.feeds.pitch import zone
from touchline.feeds.records import RawRecord, check_events, decode_json
from touchline.files import read_utf8
from touchline.match import Event, Match, Player, Role, Team

# Which events a commentator can tell at all: every type but these. They are either no action
# (line-ups, cameras) or the silent half of another record (a pass is told, its receipt is not).
UNTELLABLE = frozenset(
    ["Ball Receipt*", "Carry", "Pressure", "Starting XI", "Tactical Shift", "Camera On",
     "Camera off"]
)  # fmt: skip
# Written once for each team; the second copy is not tellable.
TWICE = frozenset(["Half Start", "Half End"])

# StatsBomb writes many actions once for each side. Who the other side is, by the two types.
COUNTERPARTS = {
    ("Foul Committed", "Foul Won"): "fouled",
    ("Foul Won", "Foul Committed"): "fouler",
    ("Shot", "Goal Keeper"): "keeper",
    ("Goal Keeper", "Shot"): "shooter",
    ("Shot", "Block"): "blocker",
    ("Block", "Shot"): "shooter",
    ("Block", "Pass"): "passer",
    ("Dribble", "Dribbled Past"): "opponent",
    ("Dribbled Past", "Dribble"): "opponent",
    ("Dribble", "Duel"): "opponent",
    ("Duel", "Dribble"): "opponent",
    ("Duel", "Dispossessed"): "opponent",
    ("Dispossessed", "Duel"): "opponent",
    ("50/50", "50/50"): "opponent",
}
# Players named inside a record's sub-object.
INNER_PLAYERS = {"recipient": "recipient", "replacement": "replacement"}
# The kick that a pass or shot is: their `type` says how it was set up.
SET_PIECES = frozenset(["Pass", "Shot"])


class _Named(msgspec.Struct):
    id: int | str
    name: str


class _Record(msgspec.Struct):
    """The fields that every event has; checked, so that a wrong file is named with its record."""

    id: str
    period: int
    timestamp: str
    type: _Named
    team: _Named | None = None
    player: _Named | None = None
    location: list[float] | None = None
    related_events: list[str] = []


class _LineupPlayer(msgspec.Struct):
    player_id: int | str
    player_name: str
    player_nickname: str | None = None
    jersey_number: int | None = None


class _Lineup(msgspec.Struct):
    team_id: int | str
    team_name: str
    lineup: list[_LineupPlayer]


def recognise(head: bytes) -> bool:
    """A JSON list whose records have StatsBomb's `play_pattern` and `possession_team`."""
    return head.lstrip().startswith(b"[") and b'"possession_team"' in head


def read(path: Path, lineups: Sequence[Path] = ()) -> Match:
    """Read an events file; line-ups add nicknames, shirts and unused players."""
    data = read_utf8(path)
    pieces: list[msgspec.Raw] = decode_json(path, data, list[msgspec.Raw])
    records = [_decode(path, number, piece) for number, piece in enumerate(pieces, 1)]
    squad = _Squad()
    for lineup in lineups:
        squad.read_lineups(lineup)
    squad.read_events(records)
    events = list(_events(path, records, pieces, squad))
    check_events(path, events)
    events.sort(key=lambda event: (event.period, event.time))  # stable: the feed's order stays
    return Match(
        name=path.name.removesuffix(".gz").removesuffix(".json"),
        provider="statsbomb",
        events=tuple(events),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
    )


_FIELDS = msgspec.json.Decoder(dict[str, Any])


def _decode(path: Path, number: int, piece: msgspec.Raw) -> tuple[_Record, dict[str, Any]]:
    try:
        fields = _FIELDS.decode(piece)
        return msgspec.convert(fields, _Record), fields
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(path, f"not a StatsBomb event ({error})", f"record {number}") from None


class _Squad:
    """Teams and players of the match, by the provider's ids."""

    def __init__(self) -> None:
        self.teams: dict[str, Team] = {}
        self.players: dict[str, Player] = {}

    def read_lineups(self, path: Path) -> None:
        for lineup in decode_json(path, read_utf8(path), list[_Lineup]):
            team = self.team(_Named(lineup.team_id, lineup.team_name))
            for p in lineup.lineup:
                self.players[str(p.player_id)] = Player(
                    id=str(p.player_id),
                    name=p.player_name.strip(),
                    nickname=p.player_nickname or None,
                    shirt=p.jersey_number,
                    team=team,
                )

    def read_events(self, records: Sequence[tuple[_Record, dict[str, Any]]]) -> None:
        """Teams in the order of the log, shirts from the starting elevens."""
        for record, fields in records:
            if record.team is None:
                continue
            team = self.team(record.team)
            for member in (fields.get("tactics") or {}).get("lineup", ()):
                self.player(member.get("player"), team, member.get("jersey_number"))

    def team(self, named: _Named | None) -> Team | None:
        if named is None:
            return None
        return self.teams.setdefault(str(named.id), Team(id=str(named.id), name=named.name))

    def player(
        self, named: Mapping[str, Any] | None, team: Team | None, shirt: int | None = None
    ) -> Player | None:
        if not isinstance(named, Mapping) or "id" not in named:
            return None
        key = str(named["id"])
        if key not in self.players:
            name = str(named.get("name") or key).strip()
            self.players[key] = Player(id=key, name=name, team=team, shirt=shirt)
        return self.players[key]


def _events(
    path: Path,
    records: Sequence[tuple[_Record, dict[str, Any]]],
    pieces: Sequence[msgspec.Raw],
    squad: _Squad,
) -> Iterator[Event]:
    by_id = {record.id: record for record, _ in records}
    begun: set[tuple[str, int]] = set()
    for number, ((record, fields), piece) in enumerate(zip(records, pieces, strict=True), 1):
        kind = record.type.name
        copy = kind in TWICE and (kind, record.period) in begun
        begun.add((kind, record.period))
        detail = _detail(kind, fields)
        team = squad.team(record.team)
        location = _place(record.location)
        yield Event(
            id=record.id,
            type=kind,
            period=record.period,
            time=_seconds(path, number, record.timestamp),
            team=team,
            player=squad.player(fields.get("player"), team),
            others=tuple(_others(record, detail, by_id, squad)),
            arguments=_arguments(kind, detail, fields, location),
            location=location,
            end_location=_place(detail.get("end_location")),
            related=tuple(record.related_events),
            tellable=kind not in UNTELLABLE and not copy,
            raw=RawRecord(piece),
        )


def _detail(kind: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The sub-object named after the type: `foul_committed`, `50_50`, `goalkeeper`."""
    key = kind.lower().replace("*", "").replace("/", "_").replace(" ", "_")
    detail = fields.get(key, fields.get(key.replace("_", "")))
    return detail if isinstance(detail, Mapping) else {}


def _others(
    record: _Record, detail: Mapping[str, Any], by_id: Mapping[str, _Record], squad: _Squad
) -> Iterator[Role]:
    for key, role in INNER_PLAYERS.items():
        player = squad.player(detail.get(key), squad.team(record.team))
        if player is not None:
            yield Role(role, player)
    for other in (by_id[i] for i in record.related_events if i in by_id):
        counterpart = COUNTERPARTS.get((record.type.name, other.type.name))
        if counterpart and other.player is not None:
            named = {"id": other.player.id, "name": other.player.name}
            player = squad.player(named, squad.team(other.team))
            if player is not None:
                yield Role(counterpart, player)


def _arguments(
    kind: str,
    detail: Mapping[str, Any],
    fields: Mapping[str, Any],
    location: tuple[float, float] | None,
) -> dict[str, str]:
    """Categorical arguments: every named value and every flag of the record's sub-object."""
    arguments: dict[str, str] = {}
    for key, value in detail.items():
        if key in INNER_PLAYERS:
            continue
        name = "set_piece" if key == "type" and kind in SET_PIECES else key
        if isinstance(value, Mapping) and "name" in value:
            arguments[name] = str(value["name"])
        elif value is True:
            arguments[name] = "yes"
    for flag in ("under_pressure", "counterpress", "out"):
        if fields.get(flag) is True:
            arguments[flag] = "yes"
    if location is not None:
        arguments["zone"] = zone(location)
    if end := _place(detail.get("end_location")):
        arguments["end_zone"] = zone(end)
    return arguments


def _place(value: Any) -> tuple[float, float] | None:
    """A shot's end has a height as well; the pitch has two axes."""
    if isinstance(value, list) and len(value) >= 2 and all(_real(v) for v in value[:2]):
        return float(value[0]), float(value[1])
    return None


def _real(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _seconds(path: Path, number: int, timestamp: str) -> float:
    try:
        hours, minutes, seconds = timestamp.split(":")
        return 3600 * int(hours) + 60 * int(minutes) + float(seconds)
    except ValueError:
        problem = f"timestamp {timestamp!r}; expected HH:MM:SS.mmm"
        raise InputError(path, problem, f"record {number}") from None
