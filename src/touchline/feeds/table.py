"""Any log as a table, CSV or JSON Lines, with documented columns.

| column | meaning |
|---|---|
| `type` | what happened; required |
| `period` | 1, 2, 3, 4 (extra time), 5 (shoot-out); 1 when there is no such column |
| `time` | seconds since the period's kick-off; or `minute` and `second` of the match clock |
| `id` | the provider's id; the row's number when there is no such column |
| `team`, `player` | names; `player_id`, `team_id`, `nickname`, `shirt` where known |
| `x`, `y`, `end_x`, `end_y` | percent of the pitch: x = 100 is the goal attacked, y = 0 the left |
| `recipient`, `fouled`, `replacement`, `keeper`, `opponent`, `blocker` | other players' names |
| `related` | ids of records about the same action, separated by spaces |
| `tellable` | `no` for an event that no commentator would tell |
| any other | a categorical argument: `outcome`, `body_part`, `set_piece` ... |
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from touchline.clocks import STARTS
from touchline.errors import InputError
from touchline.feeds.pitch import LENGTH, WIDTH, zone
from touchline.feeds.records import check_events, decode_json
from touchline.files import read_utf8
from touchline.match import Event, Match, Player, Role, Team

ROLES = ("recipient", "fouled", "replacement", "keeper", "opponent", "blocker")
_KNOWN = frozenset(
    ["id", "type", "period", "time", "minute", "second", "team", "team_id", "player", "player_id",
     "nickname", "shirt", "x", "y", "end_x", "end_y", "related", "tellable", *ROLES]
)  # fmt: skip
_NO = frozenset(["no", "false", "0"])


def recognise(head: bytes) -> bool:
    """A header with `type` among its columns, or a first JSON object with it."""
    first = head.lstrip().partition(b"\n")[0]
    if first.startswith(b"{"):
        return b'"type"' in first and first.rstrip().endswith(b"}")
    return _delimiter(first.decode("utf-8", "replace")) is not None


def read(path: Path, lineups: Sequence[Path] = ()) -> Match:
    """Read a table of events; its own columns hold all that is known of players."""
    if lineups:
        raise InputError(lineups[0], "a table has no line-up files; use its nickname column")
    builder = _Builder(path)
    events = [builder.event(number, where, row) for number, (where, row) in enumerate(_rows(path))]
    check_events(path, events)
    events.sort(key=lambda event: (event.period, event.time))
    return Match(
        name=path.name.removesuffix(".gz").rpartition(".")[0] or path.name,
        provider="table",
        events=tuple(events),
        teams=tuple(builder.teams.values()),
        players=tuple(builder.players.values()),
    )


def _delimiter(header: str) -> str | None:
    for delimiter in ",;\t|":
        if "type" in [_plain(name) for name in header.split(delimiter)] and delimiter in header:
            return delimiter
    return None


def _plain(name: str) -> str:
    return name.strip().strip('"').lower().replace(" ", "_").replace("-", "_")


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where each row stands and its filled fields, under plain column names."""
    data = read_utf8(path).removeprefix(b"\xef\xbb\xbf")
    rows = _json_rows(path, data) if data.lstrip().startswith(b"{") else _csv_rows(path, data)
    for where, row in rows:
        yield where, {_plain(k): v for k, v in row.items() if k and v is not None and v != ""}


def _json_rows(path: Path, data: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield f"line {number}", decode_json(path, line, dict[str, Any])
            except InputError as error:
                raise InputError(path, error.problem, f"line {number}") from None


def _csv_rows(path: Path, data: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    text = data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    delimiter = _delimiter(text.partition("\n")[0])
    if delimiter is None:
        raise InputError(path, "no column called `type`; a table of events needs one", "line 1")
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if None in row:
                raise InputError(path, "more fields than the header", f"line {reader.line_num}")
            yield f"line {reader.line_num}", row
    except csv.Error as error:
        raise InputError(path, f"not a valid table ({error})", f"line {reader.line_num}") from None


class _Builder:
    """Turns rows into events and collects the teams and players they name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.teams: dict[str, Team] = {}
        self.players: dict[tuple[str | None, str], Player] = {}

    def event(self, number: int, where: str, row: Mapping[str, Any]) -> Event:
        try:
            return self._event(number, row)
        except ValueError as error:
            raise InputError(self.path, str(error), where) from None

    def _event(self, number: int, row: Mapping[str, Any]) -> Event:
        if "type" not in row:
            raise ValueError("no type")
        period = int(_number(row, "period") or 1)
        team = self._team(row)
        location, end = _place(row, "x", "y"), _place(row, "end_x", "end_y")
        arguments = {key: str(value) for key, value in row.items() if key not in _KNOWN}
        if location:
            arguments["zone"] = zone(location)
        if end:
            arguments["end_zone"] = zone(end)
        others = ((role, self._player(str(row[role]), team, {})) for role in ROLES if role in row)
        return Event(
            id=str(row.get("id", number)),
            type=str(row["type"]),
            period=period,
            time=_time(row, period),
            team=team,
            player=self._player(str(row["player"]), team, row) if "player" in row else None,
            others=tuple(Role(role, player) for role, player in others),
            arguments=arguments,
            location=location,
            end_location=end,
            related=tuple(str(row.get("related", "")).split()),
            tellable=str(row.get("tellable", "yes")).lower() not in _NO,
            raw=dict(row),
        )

    def _team(self, row: Mapping[str, Any]) -> Team | None:
        if "team" not in row and "team_id" not in row:
            return None
        name = str(row.get("team", row.get("team_id")))
        return self.teams.setdefault(name, Team(id=str(row.get("team_id", name)), name=name))

    def _player(self, name: str, team: Team | None, row: Mapping[str, Any]) -> Player:
        """A player by his name and team; an opponent is found under the other team's name."""
        key = (team.name if team else None, name)
        if key not in self.players and not row:
            key = next((known for known in self.players if known[1] == name), key)
        if key not in self.players:
            shirt = _number(row, "shirt")
            self.players[key] = Player(
                id=str(row.get("player_id", name)),
                name=name,
                team=team,
                nickname=str(row["nickname"]) if "nickname" in row else None,
                shirt=int(shirt) if shirt is not None else None,
            )
        return self.players[key]


def _time(row: Mapping[str, Any], period: int) -> float:
    time = _number(row, "time")
    if time is not None:
        return time
    minute = _number(row, "minute")
    if minute is None:
        raise ValueError("no time; expected `time` in seconds or `minute` and `second`")
    return 60 * (minute - STARTS.get(period, 0)) + (_number(row, "second") or 0)


def _place(row: Mapping[str, Any], x: str, y: str) -> tuple[float, float] | None:
    across, down = _number(row, x), _number(row, y)
    if across is None or down is None:
        return None
    if not (-10 <= across <= 110 and -10 <= down <= 110):
        raise ValueError(f"{x} = {across:g}, {y} = {down:g}; expected percent of the pitch, 0-100")
    return across * LENGTH / 100, down * WIDTH / 100


def _number(row: Mapping[str, Any], key: str) -> float | None:
    if key not in row:
        return None
    try:
        value = float(row[key])
    except (TypeError, ValueError):
        raise ValueError(f"{key} {row[key]!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{key} {row[key]!r} is not a number")
    return value
