"""A match in SPADL, as socceraction writes its actions to a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.pitch import LENGTH, WIDTH, Point, zoned
from touchline.core.records import Event, Match
from touchline.io.feeds import spadl
from touchline.sample.exports.files import Files, Row, written

_METRES = (105.0, 68.0)
_SETS = {"Throw-in": "throw_in", "Goal Kick": "goalkick"}
_CROSSED = {"Free Kick": "freekick", "Corner": "corner"}
_SHOTS = {"Penalty": "shot_penalty", "Free Kick": "shot_freekick"}
_KEEPER = {"Shot Saved": "keeper_save", "Collected": "keeper_claim", "Punch": "keeper_punch"}
_SIMPLE = {
    "Dribble": "take_on", "Foul Committed": "foul", "Interception": "interception",
    "Clearance": "clearance", "Miscontrol": "bad_touch", "Carry": "dribble",
}  # fmt: skip
_RESULTS = {(kind, outcome): result for (kind, result), outcome in spadl.OUTCOMES.items()}
_CARDS = {card: result for result, card in spadl.CARDS.items()}
_PARTS = {part: name for name, part in spadl.PARTS.items() if name != "head/other"}


def spadl_rows(match: Match) -> Iterator[Row]:
    """Actions of a type that SPADL has.

    Lost are duels but for tackles, balls won and lost, blocks, fouls won, keepers who touch no
    ball, substitutions, starts and ends of halves; outcomes but for success, and who the other
    side is; receivers of bad passes.
    """
    kept = [(event, kind) for event in match.events if (kind := _type(event)) is not None]
    for event, kind in kept:
        arguments = {**spadl.KINDS[kind][1], **_result_arguments(event)}
        if event.arguments.get("body_part") in _PARTS:
            arguments["body_part"] = event.arguments["body_part"]
        good_pass = event.type == "Pass" and "outcome" not in event.arguments
        others = tuple(o for o in event.others if good_pass and o.role == "recipient")
        end = event.end_location or event.location  # every action ends somewhere
        zoned(arguments, event.location, end)
        changed = msgspec.structs.replace(
            event, arguments=arguments, others=others, end_location=end
        )
        yield Row(changed, kind, {})


def _type(event: Event) -> str | None:
    arguments = event.arguments
    if event.type == "Pass":
        return _pass(arguments.get("set_piece"), "cross" in arguments)
    if event.type == "Shot":
        return _SHOTS.get(arguments.get("set_piece", ""), "shot")
    if event.type == "Goal Keeper":
        return _KEEPER.get(arguments.get("kind", ""))
    if event.type == "Duel":
        return "tackle" if arguments.get("kind") == "Tackle" else None
    return _SIMPLE.get(event.type)


def _pass(set_piece: str | None, cross: bool) -> str:
    if set_piece in _CROSSED:
        return f"{_CROSSED[set_piece]}_{'crossed' if cross else 'short'}"
    return _SETS.get(set_piece or "", "cross" if cross else "pass")


def _result(event: Event) -> str:
    """Success or failure, a card, or who is offside."""
    card = event.arguments.get("card")
    if card in _CARDS:
        return _CARDS[card]
    outcome = event.arguments.get("outcome")
    if event.type in ("Duel", "Interception"):
        return "fail" if (outcome or "").startswith("Lost") else "success"
    if event.type in ("Pass", "Shot", "Dribble"):
        bad = "fail" if outcome or event.type != "Pass" else "success"
        return _RESULTS.get((event.type, outcome or ""), bad)
    return "success"


def _result_arguments(event: Event) -> dict[str, str]:
    result, found = _result(event), dict[str, str]()
    if result in spadl.CARDS:
        found["card"] = spadl.CARDS[result]
    if (event.type, result) in spadl.OUTCOMES:
        found["outcome"] = spadl.OUTCOMES[event.type, result]
    if event.type == "Shot" and event.arguments.get("outcome") == "Saved":
        found["outcome"] = "Saved"  # by the save that follows
    return found


def write_spadl(match: Match, rows: list[Row], folder: Path) -> Files:
    actions = [_action(row, match) for row in rows]
    players = [
        {"player_id": p.id, "player_name": p.name, "nickname": p.nickname,
         "jersey_number": p.shirt, "team_id": p.team and p.team.id}
        for p in match.players
    ]  # fmt: skip
    teams = [{"team_id": team.id, "team_name": team.name} for team in match.teams]
    events = written(folder / "actions.json", json.dumps(actions))
    names = {"players.json": players, "teams.json": teams}
    return Files(events, [written(folder / name, json.dumps(c)) for name, c in names.items()])


def _action(row: Row, match: Match) -> dict[str, Any]:
    event = row.event
    (start_x, start_y), (end_x, end_y) = (
        _metres(place) for place in (event.location, event.end_location)
    )
    return {
        "game_id": 1, "original_event_id": event.id, "action_id": event.id,
        "period_id": event.period, "time_seconds": event.time,
        "team_id": event.team and event.team.id, "player_id": event.player and event.player.id,
        "start_x": start_x, "start_y": start_y, "end_x": end_x, "end_y": end_y,
        "type_name": row.code, "result_name": _result(match.event_by_id[event.id]),
        "bodypart_name": _PARTS.get(event.arguments.get("body_part", ""), "foot"),
    }  # fmt: skip


def _metres(place: Point | None) -> tuple[float | None, float | None]:
    if place is None:
        return None, None
    length, width = _METRES
    return place[0] * length / LENGTH, width - place[1] * width / WIDTH
