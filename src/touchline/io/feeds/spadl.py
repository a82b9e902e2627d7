"""Actions in SPADL, as socceraction writes them to a table: CSV or JSON, one row an action.

Types, results and body parts have numbers (`type_id`), names (`type_name`) or both. The pitch is
105 by 68 metres. SPADL itself has ids only; names of players and teams are in the columns that
`add_names` adds, or come with `--lineups`: socceraction's tables of players and teams, or
StatsBomb's line-ups where the actions come from StatsBomb.

An event's id is its `action_id`, which is unique within a match, as `original_event_id` is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from touchline.core.clocks import MAX_MATCH, parse_period
from touchline.core.errors import InputError
from touchline.core.pitch import LENGTH, WIDTH, Point, zoned
from touchline.core.records import Event, Match, Player, Role
from touchline.io.feeds import statsbomb
from touchline.io.feeds.records import Source, distinct, shirt_number, stem, usable
from touchline.io.feeds.sequence import Step, receivers
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.table.rows import column_names, plain, rows

_LENGTH, _WIDTH = 105.0, 68.0
TYPES = (
    "pass", "cross", "throw_in", "freekick_crossed", "freekick_short", "corner_crossed",
    "corner_short", "take_on", "foul", "tackle", "interception", "shot", "shot_penalty",
    "shot_freekick", "keeper_save", "keeper_claim", "keeper_punch", "keeper_pick_up", "clearance",
    "bad_touch", "non_action", "dribble", "goalkick",
)  # fmt: skip
RESULTS = ("fail", "success", "offside", "owngoal", "yellow_card", "red_card")
BODY_PARTS = ("foot", "head", "other", "head/other", "foot_left", "foot_right")
# What each type is in StatsBomb's words: the type, and arguments that it always has.
KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "pass": ("Pass", {}),
    "cross": ("Pass", {"cross": "yes"}),
    "throw_in": ("Pass", {"set_piece": "Throw-in"}),
    "freekick_crossed": ("Pass", {"set_piece": "Free Kick", "cross": "yes"}),
    "freekick_short": ("Pass", {"set_piece": "Free Kick"}),
    "corner_crossed": ("Pass", {"set_piece": "Corner", "cross": "yes"}),
    "corner_short": ("Pass", {"set_piece": "Corner"}),
    "goalkick": ("Pass", {"set_piece": "Goal Kick"}),
    "take_on": ("Dribble", {}),
    "foul": ("Foul Committed", {}),
    "tackle": ("Duel", {"kind": "Tackle"}),
    "interception": ("Interception", {}),
    "shot": ("Shot", {"set_piece": "Open Play"}),
    "shot_penalty": ("Shot", {"set_piece": "Penalty"}),
    "shot_freekick": ("Shot", {"set_piece": "Free Kick"}),
    "keeper_save": ("Goal Keeper", {"kind": "Shot Saved"}),
    "keeper_claim": ("Goal Keeper", {"kind": "Collected"}),
    "keeper_punch": ("Goal Keeper", {"kind": "Punch"}),
    "keeper_pick_up": ("Goal Keeper", {"kind": "Keeper Pick-up"}),
    "clearance": ("Clearance", {}),
    "bad_touch": ("Miscontrol", {}),
    "dribble": ("Carry", {}),
}
_SILENT = frozenset(["non_action", "dribble"])
# By what an action is and its result.
OUTCOMES = {
    ("Pass", "fail"): "Incomplete",
    ("Pass", "offside"): "Pass Offside",
    ("Dribble", "success"): "Complete",
    ("Dribble", "fail"): "Incomplete",
    ("Duel", "success"): "Won",
    ("Duel", "fail"): "Lost In Play",
    ("Interception", "success"): "Won",
    ("Interception", "fail"): "Lost In Play",
    ("Shot", "success"): "Goal",
}
PARTS = {"head": "Head", "other": "Other", "head/other": "Other", "foot_left": "Left Foot",
          "foot_right": "Right Foot"}  # fmt: skip
CARDS = {"yellow_card": "Yellow Card", "red_card": "Red Card"}
_WANTED = ("type_id", "type_name")
_COLUMNS = frozenset(["period_id", "time_seconds", "start_x", "start_y"])
_EVENT_COLUMNS = frozenset([*_WANTED, "type", "event_type", "period", "period_id", "timestamp"])
_UNKNOWN = frozenset(["", "NaN", "nan", "NA", "null", "NULL", "None"])
# A shot that a keeper's save follows so soon was saved, in seconds.
_SAVED_WITHIN = 5.0


class _Action(NamedTuple):
    """A row as it is used here: ids as text, names for numbers."""

    number: int
    where: str
    id: str
    type: str
    result: str
    part: str
    period: int
    time: float
    team: str | None
    player: str | None
    start: Point | None
    end: Point | None
    fields: Mapping[str, Any]
    raw: Mapping[str, Any]


def recognise(data: bytes) -> bool:
    names = column_names(data)
    return names >= _COLUMNS and not names.isdisjoint(_WANTED)


def is_lineups(data: bytes) -> bool:
    """A table of players or teams, by their ids."""
    names = column_names(data)
    of_players, of_teams = {"player_id", "player_name"}, {"team_id", "team_name"}
    return (names >= of_players or names >= of_teams) and names.isdisjoint(_EVENT_COLUMNS)


def read(path: Path, data: bytes, lineups: Sequence[Source] = ()) -> Match:
    """Read the actions of one match; line-ups add the names."""
    notes: list[str] = []
    table = list(rows(path, data, _WANTED, "SPADL actions without a column `type_id`"))
    actions = usable(path, table, notes, lambda number, row: _action(path, number, *row))
    by_id = distinct(path, actions, notes, attrgetter("id"), attrgetter("where"))
    actions = list(by_id.values())
    games = {str(a.fields["game_id"]) for a in actions if "game_id" in a.fields}
    if len(games) > 1:
        raise InputError(path, f"contains {len(games)} matches; expected one")
    actions.sort(key=lambda action: (action.period, action.time, action.number))
    squad = Squad()
    for action in actions:
        team = squad.team(action.team, _text(action.fields, "team_name"))
        squad.player(action.player, _text(action.fields, "player_name"), team)
    for source in lineups:
        _read_lineups(source, squad)
    return Match(
        name=stem(path),
        provider="spadl",
        events=tuple(_events(actions, squad)),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
        warnings=tuple(notes),
    )


def _action(path: Path, number: int, where: str, raw: Mapping[str, Any]) -> _Action:
    fields = {
        key: value for name, value in raw.items() if _is_known(value) and (key := plain(name))
    }
    try:
        period, time = parse_period(fields["period_id"]), _number(fields["time_seconds"])
        if period is None or not abs(time) <= MAX_MATCH:
            raise ValueError(f"time_seconds {fields['time_seconds']!r} is out of range for a match")
        return _Action(
            number=number,
            where=where,
            id=_key(fields.get("action_id", number - 1)) or "",
            type=_name(fields, "type", TYPES),
            result=_name(fields, "result", RESULTS),
            part=_name(fields, "bodypart", BODY_PARTS),
            period=period,
            time=time,
            team=_key(fields.get("team_id", fields.get("team_name"))),
            player=_key(fields.get("player_id", fields.get("player_name"))),
            start=_place(fields, "start"),
            end=_place(fields, "end"),
            fields=fields,
            raw=raw,
        )
    except KeyError as error:
        problem = f"not a SPADL action (no {error.args[0]})"
    except ValueError as error:
        problem = f"not a SPADL action ({error})"
    raise InputError(path, problem, where)


def _known_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    return {plain(name): value for name, value in row.items() if _is_known(value)}


def _is_known(value: Any) -> bool:
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return value is not None and not (isinstance(value, str) and value.strip() in _UNKNOWN)


def _number(value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not a number")
    return number


def _key(value: Any) -> str | None:
    """An id; a column of numbers with gaps makes 5.0 of 5."""
    return None if value is None else str(value).strip().removesuffix(".0")


def _text(fields: Mapping[str, Any], key: str) -> str:
    return str(fields.get(key, "")).strip()


def _name(fields: Mapping[str, Any], what: str, names: Sequence[str]) -> str:
    """The name of a type, result or body part, by its name or its number."""
    given = _text(fields, f"{what}_name").lower().replace(" ", "_")
    if given or f"{what}_id" not in fields:
        if not given and what == "type":
            raise KeyError("type_id or type_name")
        return given
    number = _number(fields[f"{what}_id"])
    if not (number.is_integer() and 0 <= number < len(names)):
        raise ValueError(f"{what}_id {fields[f'{what}_id']!r}; expected 0 to {len(names) - 1}")
    return names[int(number)]


def _place(fields: Mapping[str, Any], which: str) -> Point | None:
    """A place in metres; y counts from the right touchline of a team that attacks to the right."""
    if f"{which}_x" not in fields or f"{which}_y" not in fields:
        return None
    return _number(fields[f"{which}_x"]), _number(fields[f"{which}_y"])


def _events(actions: Sequence[_Action], squad: Squad) -> Iterator[Event]:
    turned = _turned(actions)
    received = dict(receivers(_step(a) for a in actions if a.type not in _SILENT))
    saved = _saved(actions)
    for action in actions:
        kind, always = KINDS.get(action.type, (action.type.replace("_", " ").title(), {}))
        if action.result == "owngoal":
            kind = "Own Goal Against"
        team = squad.team(action.team)
        location, end = (_on_pitch(at, action.team in turned) for at in (action.start, action.end))
        recipient = squad.player(received[action.id]) if action.id in received else None
        arguments = {**always, **_arguments(kind, action)}
        if action.id in saved:
            arguments["outcome"] = "Saved"
        yield Event(
            id=action.id,
            type=kind,
            period=action.period,
            time=action.time,
            team=team,
            player=squad.player(action.player, team=team),
            others=(Role("recipient", recipient),) if recipient and kind == "Pass" else (),
            arguments=zoned(arguments, location, end),
            location=location,
            end_location=end,
            related=(saved[action.id],) if action.id in saved else (),
            linkable=action.type not in _SILENT,
            raw=dict(action.raw),
        )


def _arguments(kind: str, action: _Action) -> dict[str, str]:
    arguments: dict[str, str] = {}
    if (kind, action.result) in OUTCOMES:
        arguments["outcome"] = OUTCOMES[kind, action.result]
    if action.part in PARTS:
        arguments["body_part"] = PARTS[action.part]
    if action.result in CARDS:
        arguments["card"] = CARDS[action.result]
    return arguments


def _step(action: _Action) -> Step:
    kind = KINDS.get(action.type, ("", {}))[0]
    does = "pass" if kind == "Pass" and action.result == "success" else ""
    does = "foul" if kind == "Foul Committed" else does
    return Step(action.id, action.period, action.time, action.team, action.player, does)


def _saved(actions: Sequence[_Action]) -> dict[str, str]:
    """Shots that a save of the other team follows, and that save."""
    found: dict[str, str] = {}
    shot: _Action | None = None
    for action in actions:
        if action.type.startswith("shot"):
            shot = action if action.result == "fail" else None
        elif action.type == "keeper_save" and shot is not None:
            soon = shot.period == action.period and action.time - shot.time <= _SAVED_WITHIN
            if soon and shot.team != action.team:
                found[shot.id] = action.id
            shot = None
    return found


def _turned(actions: Sequence[_Action]) -> set[str | None]:
    """Teams whose places must be turned round: SPADL lets the away team attack to the left.

    Where a team attacks shows in where it shoots from, or, without shots, where its keeper acts.
    """
    shots: dict[str | None, list[float]] = {}
    keeping: dict[str | None, list[float]] = {}
    for action in actions:
        if action.start is not None and action.type.startswith("shot"):
            shots.setdefault(action.team, []).append(action.start[0] - _LENGTH / 2)
        elif action.start is not None and action.type in ("goalkick", "keeper_save"):
            keeping.setdefault(action.team, []).append(_LENGTH / 2 - action.start[0])
    return {team for team, ahead in (keeping | shots).items() if sum(ahead) < 0}


def _on_pitch(place: Point | None, turned: bool) -> Point | None:
    if place is None:
        return None
    x, y = (_LENGTH - place[0], _WIDTH - place[1]) if turned else place
    return x * LENGTH / _LENGTH, (_WIDTH - y) * WIDTH / _WIDTH


def _read_lineups(source: Source, squad: Squad) -> None:
    path, data = source.path, source.read()
    if statsbomb.is_lineups(data):
        statsbomb.add_lineups(source, squad)
        return
    names = column_names(data)
    if not names >= {"player_id", "player_name"} and not names >= {"team_id", "team_name"}:
        problem = "expected columns `player_id` and `player_name`, or `team_id` and `team_name`"
        raise InputError(path, problem)
    known = False
    for _, row in rows(path, data, ("player_id", "team_id"), "no column `player_id`"):
        fields = _known_fields(row)
        team, player = _key(fields.get("team_id")), _key(fields.get("player_id"))
        if team in squad.teams and "team_name" in fields:
            squad.rename({str(team): _text(fields, "team_name")})
            known = True
        if player is not None and "player_name" in fields and team in (None, *squad.teams):
            known = known or player in squad.players
            _add(player, team, fields, squad)
    if not known:
        raise InputError(path, "contains none of the match's teams and players")


def _add(key: str, team: str | None, fields: Mapping[str, Any], squad: Squad) -> None:
    """A player of the table; one of another match is left out where the team is not given."""
    old = squad.players.get(key)
    if old is None and team is None:
        return
    side = squad.team(team) if team is not None else old.team if old else None
    squad.add(
        Player(
            id=key,
            name=_text(fields, "player_name"),
            nickname=_text(fields, "nickname") or None,
            shirt=shirt_number(_text(fields, "jersey_number").removesuffix(".0")),
        ),
        side,
    )
