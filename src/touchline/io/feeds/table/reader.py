"""Any log as a table, CSV or JSON (a list of objects, or one a line), with documented columns.

| column | meaning |
|---|---|
| `type` | what happened; required |
| `period` or `half` | 1, 2, 3, 4 (extra time), 5 (shoot-out), or `1H`, `Second half` ... |
| `time` | seconds since the period's kick-off |
| `minute`, `second` | instead of `time`: the match clock, 46 and 30 for 46:30; also 45+2 |
| `id` | the provider's id; the row's number, from 0, when there is no such column |
| `team`, `player` | names; `player_id`, `team_id`, `nickname`, `shirt` where known |
| `x`, `y`, `end_x`, `end_y` | percent of the pitch: x = 100 is the goal attacked, y = 0 the left |
| `recipient`, `replacement` | names of other players of the team |
| `fouled`, `fouler`, `keeper`, `shooter` | names of players of the other team |
| `blocker`, `passer`, `opponent` | names of players of the other team as well |
| `related` | ids of records about the same action, separated by spaces, or a JSON list |
| `linkable` | `no` for an event that no commentator would describe |
| any other | a categorical argument: `outcome`, `body_part`, `set_piece` ... |

`event_type`, `event_id`, `player_name` and `team_name` are read as well. Numbers with a fraction,
lists and objects are no categories; a warning names columns of nothing else.

Column names may be written with capitals, spaces or dashes. A field that is empty or `NaN`, `NA`,
`null` or `None` is not known. Several players of one role are separated by `|`, or a JSON list.

Without a column of periods the match clock gives them. The second half starts at minute 45;
`45+2` is 47:00 of the first half, as is 47 where rows in the order of play fall back to 45 after
it. From minute 90 on it is still the second half, unless some row is later than minute 105: then
90 starts the third period and 105 the fourth. A `time` is a second of the first half, unless one
of them is beyond 65 minutes: then all are on the match clock, and 2700 starts the second half.
Minutes that count from zero in every half need the column.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from touchline.core.clocks import parse_period
from touchline.core.errors import InputError
from touchline.core.pitch import LENGTH, WIDTH, Point, zoned
from touchline.core.records import Event, Match, Player, Role, Team
from touchline.io.feeds.records import Source, distinct, limited, stem
from touchline.io.feeds.table import times as moments
from touchline.io.feeds.table.rows import (
    HEAD,
    column_names,
    delimiter_of,
    first_line,
    is_json,
    plain,
    rows,
)
from touchline.io.feeds.table.times import Moment

TEAM_MATES = ("recipient", "replacement")
OPPONENTS = ("fouled", "fouler", "keeper", "shooter", "blocker", "passer", "opponent")
ROLES = (*TEAM_MATES, *OPPONENTS)
_KNOWN = frozenset(
    ["id", "type", "period", "time", "minute", "second", "team", "team_id", "player", "player_id",
     "nickname", "shirt", "x", "y", "end_x", "end_y", "related", "linkable", *ROLES]
)  # fmt: skip
_SINGLE = _KNOWN - {"related", *ROLES}
# Other names that columns have; they count where the first is not there.
_ALIASES = {
    "type": ("event_type", "event_name"),
    "period": ("half", "period_id", "match_period"),
    "id": ("event_id",),
    "player": ("player_name",),
    "team": ("team_name",),
}
_REQUIRED = ("type", *_ALIASES["type"])
# Numbers with a fraction, lists and objects written as text: no category of events.
_NO_CATEGORY = re.compile(r"-?\d+\.(?!0+$)\d+(?:e-?\d+)?|[\[{(].*[\]})]", re.DOTALL)
# Which events a commentator can describe: every one but those whose `linkable` is one of these.
_NO = frozenset(["no", "false", "0"])
# What tools write where nothing is known; a player called Nan is still a player.
_UNKNOWN = frozenset(["", "NaN", "nan", "NA", "null", "NULL", "None"])
Arguments = dict[str, str]
_JSON_TYPE = re.compile(rb'"(?:event_)?type"\s*:\s*["\d]', re.IGNORECASE)
NO_TYPE = "a table of events without the required column `type`, which says what happened"


class _Row(NamedTuple):
    """Where a row stands, its filled fields under plain column names, and itself as it came."""

    where: str
    fields: dict[str, Any]
    raw: Mapping[str, Any]


def recognise(data: bytes) -> bool:
    """A header with `type` among its columns, or JSON objects with a flat `type`."""
    head = data[:HEAD].lstrip()
    if head.startswith(b"{") and not _first_object_has_type(data):
        return False
    if is_json(data):
        return _JSON_TYPE.search(head) is not None
    return delimiter_of(first_line(head.decode("utf-8", "replace")), _REQUIRED) is not None


def _first_object_has_type(data: bytes) -> bool:
    """Whether the first of some lines is an object with a `type` of its own, not one inside it."""
    line = data.lstrip().partition(b"\n")[0]
    try:
        names = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return line.strip() != b"{" and len(line) < len(data)  # damaged; reading it says where
    return any(plain(name) in _REQUIRED for name in names)


def lacks_type(data: bytes) -> bool:
    """Whether all that keeps the data from being a table of events is the column `type`."""
    names = column_names(data)
    timed, acted = names & {"time", "minute"}, names & {"player", "team", "player_id", "team_id"}
    return bool(timed and acted) and "type" not in names


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read a table of events; its own columns hold all that is known of players."""
    if lineups:
        raise InputError(lineups[0].path, "a table has no line-up files; use its nickname column")
    notes: list[str] = []
    found = limited(path, rows(path, data, _REQUIRED, NO_TYPE))
    table = _distinct(path, [_row(path, where, raw) for where, raw in found], notes)
    notes += _columns(table)
    squad = _Squad()
    # Everybody first, so that an opponent named before their first event is found in their team.
    for row in table:
        with _naming(path, row):
            squad.add(row.fields)
    events = []
    for row, (period, time) in zip(table, _times(path, table), strict=True):
        with _naming(path, row):
            events.append(_event(row, period, time, squad))
    events.sort(key=lambda event: (event.period, event.time))
    return Match(
        name=stem(path),
        provider="table",
        events=tuple(events),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
        warnings=tuple(notes),
    )


def _columns(table: Sequence[_Row]) -> Iterator[str]:
    """Which columns are understood, where some are not or nobody acts in any."""
    named = dict.fromkeys(name for row in table for name in row.fields)
    named.pop("id", None)  # every row has one
    known = [name for name in named if name in _KNOWN]
    others = [name for name in named if name not in _KNOWN]
    strange = [n for n in others if not any(_is_category(row.fields.get(n)) for row in table)]
    nobody = not {"player", "player_id", "team", "team_id"} & set(known)
    if not strange and not nobody:
        return
    arguments = [name for name in others if name not in strange]
    parts = {"columns understood": known, "arguments of events": arguments}
    parts["not understood"] = strange
    listed = "; ".join(f"{what}: {', '.join(some)}" for what, some in parts.items() if some)
    lacks = "the table has no column `player`; " if nobody else ""
    yield f"{lacks}{listed}"


def _is_category(value: Any) -> bool:
    """Whether a value may be one of a few that a column has."""
    if value is None or isinstance(value, dict | list):
        return False
    return _NO_CATEGORY.fullmatch(str(value)) is None


def _distinct(path: Path, table: Sequence[_Row], notes: list[str]) -> list[_Row]:
    """The rows, each with an id: the number of the row, from 0, where there is none."""
    for number, row in enumerate(table):
        row.fields.setdefault("id", number)
    by_id = distinct(path, table, notes, lambda row: str(row.fields["id"]), attrgetter("where"))
    return list(by_id.values())


@contextlib.contextmanager
def _naming(path: Path, row: _Row) -> Iterator[None]:
    """A value that cannot be used is reported with the row it stands in."""
    try:
        yield
    except ValueError as error:
        raise InputError(path, str(error), row.where) from None


def _row(path: Path, where: str, raw: Mapping[str, Any]) -> _Row:
    fields: dict[str, Any] = {}
    for name, value in raw.items():
        key = plain(name)
        value = value.strip() if isinstance(value, str) else value
        if not key or value is None or (isinstance(value, str) and value in _UNKNOWN):
            continue
        if isinstance(value, dict | list) and key in _SINGLE:
            raise InputError(
                path, f"`{key}` is not a single value; the records of a table must be flat", where
            )
        fields[key] = value
    for known, names in _ALIASES.items():
        given = next((name for name in names if name in fields), None)
        if known not in fields and given is not None:
            fields[known] = fields.pop(given)
    return _Row(where, fields, raw)


class _Squad:
    """The teams and players that the rows name."""

    def __init__(self) -> None:
        self.teams: dict[str, Team] = {}
        self.players: dict[tuple[str | None, str], Player] = {}  # by team and id
        self.ids: dict[tuple[str | None, str], str] = {}  # by team and name

    def add(self, fields: Mapping[str, Any]) -> None:
        """Take in the acting player; what later rows add about them is kept as well."""
        team = self.team(fields)
        name = fields.get("player", fields.get("player_id"))
        if name is None:
            return
        shirt = _number(fields, "shirt")
        new = Player(
            id=str(fields.get("player_id", name)),
            name=str(name),
            team=team,
            nickname=str(fields["nickname"]) if "nickname" in fields else None,
            shirt=int(shirt) if shirt is not None else None,
        )
        old = self.players.get(_key(team, new.id), new)
        more = {"nickname": old.nickname or new.nickname, "shirt": old.shirt or new.shirt}
        self._keep(msgspec.structs.replace(old, **more))

    def _keep(self, player: Player) -> Player:
        self.ids.setdefault(_key(player.team, player.name), player.id)
        self.players[_key(player.team, player.id)] = player
        return player

    def team(self, fields: Mapping[str, Any]) -> Team | None:
        name = fields.get("team", fields.get("team_id"))
        if name is None:
            return None
        team = Team(id=str(fields.get("team_id", name)), name=str(name))
        return self.teams.setdefault(team.name, team)

    def acting(self, fields: Mapping[str, Any]) -> Player | None:
        key = fields.get("player_id", fields.get("player"))
        return self.players[_key(self.team(fields), str(key))] if key is not None else None

    def other(self, role: str, name: str, team: Team | None) -> Player:
        """Another player by name, looked for first in the team that the role suggests."""
        rest = [other for other in self.teams.values() if other is not team]
        order = [*rest, team] if role in OPPONENTS else [team, *rest]
        for side in (*order, None):
            if _key(side, name) in self.ids:
                return self.players[_key(side, self.ids[_key(side, name)])]
        # A player without any event: with three teams, theirs is not known.
        side = team if role in TEAM_MATES else rest[0] if len(rest) == 1 else None
        return self._keep(Player(id=name, name=name, team=side))


def _key(team: Team | None, name: str) -> tuple[str | None, str]:
    return (team.name if team else None), name


def _event(row: _Row, period: int, time: float, squad: _Squad) -> Event:
    fields, team = row.fields, squad.team(row.fields)
    location, end = _place(fields, "x", "y"), _place(fields, "end_x", "end_y")
    others = [Role(r, squad.other(r, n, team)) for r in ROLES for n in _names(fields.get(r))]
    return Event(
        id=str(fields["id"]),
        type=str(fields["type"]),
        period=period,
        time=time,
        team=team,
        player=squad.acting(fields),
        others=tuple(others),
        arguments=_arguments(fields, location, end),
        location=location,
        end_location=end,
        related=_related(fields.get("related", "")),
        linkable=str(fields.get("linkable", "yes")).lower() not in _NO,
        raw=dict(row.raw),
    )


def _arguments(fields: Mapping[str, Any], location: Point | None, end: Point | None) -> Arguments:
    """Every other column with a category; the same from CSV and from JSON."""
    arguments = {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in fields.items()
        if key not in _KNOWN and _is_category(value)
    }
    return zoned(arguments, location, end)


def _related(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else tuple(str(value).split())


def _names(value: Any) -> list[str]:
    """The players of one role."""
    if isinstance(value, dict) or (isinstance(value, list) and any(map(_is_nested, value))):
        raise ValueError("players of a role must be given by name")
    names = value if isinstance(value, list) else str(value if value is not None else "").split("|")
    return [name for n in names if n is not None and (name := str(n).strip())]


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list)


def _times(path: Path, rows: Sequence[_Row]) -> list[tuple[int, float]]:
    """Period and time of each row; what a row leaves open, the others may give."""
    written = []
    for row in rows:
        with _naming(path, row):
            written.append(_moment(row.fields))
    try:
        settled = moments.settle(written)
    except moments.RestartError as error:
        raise InputError(path, str(error), rows[error.row].where) from None
    times = []
    for row, (period, time) in zip(rows, settled, strict=True):
        if period is None:
            raise InputError(path, "no period, although other rows have one", row.where)
        times.append((period, time))
    return times


def _moment(fields: Mapping[str, Any]) -> Moment:
    if "type" not in fields:
        raise ValueError("no type; it is required in every row")
    period = parse_period(fields.get("period"))
    if "time" in fields:
        return moments.of_time(_number(fields, "time") or 0.0, period)
    if "minute" not in fields:
        raise ValueError("no time; expected `time` in seconds or `minute` and `second`")
    minute = fields["minute"]
    if isinstance(minute, str) and not _is_number(minute):
        return moments.of_minute(minute, _number(fields, "second"), period)
    return moments.of_minute(_number(fields, "minute") or 0.0, _number(fields, "second"), period)


def _place(fields: Mapping[str, Any], x: str, y: str) -> Point | None:
    across, down = _number(fields, x), _number(fields, y)
    if across is None or down is None:
        return None
    if not (-10 <= across <= 110 and -10 <= down <= 110):
        raise ValueError(f"{x} = {across:g}, {y} = {down:g}; expected percent of the pitch, 0-100")
    return across * LENGTH / 100, down * WIDTH / 100


def _number(fields: Mapping[str, Any], key: str) -> float | None:
    if key not in fields:
        return None
    value = fields[key]
    if not _is_number(value):
        raise ValueError(f"{key} {value!r} is not a number")
    return float(value)


def _is_number(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and math.isfinite(float(value))
    except (TypeError, ValueError, OverflowError):
        return False
