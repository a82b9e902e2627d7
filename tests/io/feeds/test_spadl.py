"""SPADL actions: types by number and name, both directions of play, names beside them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from touchline import InputError, Match, read_events
from touchline.io.feeds.spadl import BODY_PARTS, RESULTS, TYPES


def action(kind: str, result: str = "success", part: str = "foot", **more: Any) -> dict[str, Any]:
    return {
        "game_id": 5, "period_id": 1, "time_seconds": 10.0, "team_id": 7, "player_id": 71.0,
        "start_x": 52.5, "start_y": 34.0, "end_x": 105.0, "end_y": 68.0,
        "type_id": TYPES.index(kind), "result_id": RESULTS.index(result),
        "bodypart_id": BODY_PARTS.index(part),
    } | more  # fmt: skip


def read(folder: Path, *actions: dict[str, Any], **more: Any) -> Match:
    rows = [{"action_id": number, **one} for number, one in enumerate(actions)]
    (folder / "actions.json").write_text(json.dumps(rows))
    return read_events(folder / "actions.json", **more)


@pytest.mark.parametrize(
    ("given", "kind", "arguments"),
    [
        (action("pass"), "Pass", {}),
        (action("pass", "fail", "head"), "Pass", {"outcome": "Incomplete", "body_part": "Head"}),
        (action("cross", "offside"), "Pass", {"cross": "yes", "outcome": "Pass Offside"}),
        (action("corner_crossed"), "Pass", {"set_piece": "Corner", "cross": "yes"}),
        (action("throw_in"), "Pass", {"set_piece": "Throw-in"}),
        (action("goalkick", "fail"), "Pass", {"set_piece": "Goal Kick", "outcome": "Incomplete"}),
        (action("take_on", "fail"), "Dribble", {"outcome": "Incomplete"}),
        (action("foul", "yellow_card"), "Foul Committed", {"card": "Yellow Card"}),
        (action("tackle"), "Duel", {"kind": "Tackle", "outcome": "Won"}),
        (action("shot", "success", "foot_left"), "Shot",
         {"set_piece": "Open Play", "outcome": "Goal", "body_part": "Left Foot"}),
        (action("shot_penalty", "fail"), "Shot", {"set_piece": "Penalty"}),
        (action("bad_touch", "owngoal"), "Own Goal Against", {}),
        (action("keeper_punch"), "Goal Keeper", {"kind": "Punch"}),
    ],
)  # fmt: skip
def test_types_in_statsbombs_words(tmp_path: Path, given, kind, arguments):
    (event,) = read(tmp_path, given).events
    found = {k: v for k, v in event.arguments.items() if "zone" not in k}
    assert (event.type, found, event.linkable) == (kind, arguments, True)
    assert (event.id, event.team.id, event.player.id) == ("0", "7", "71")


def test_dribbles_and_what_is_no_action_are_not_linkable(tmp_path: Path):
    match = read(tmp_path, action("dribble"), action("non_action", time_seconds=11))
    assert not match.linkable
    assert match.events[0].type == "Carry"


def test_names_count_where_there_are_no_numbers(tmp_path: Path):
    rows = [
        {k.replace("_id", "_name") if k in ("type_id", "result_id") else k: v
         for k, v in action("shot").items()}
        | {"type_name": "shot", "result_name": "fail"},
        {"type_name": "keeper_save", "result_name": "success", "team_id": 8, "player_id": 81,
         "time_seconds": 11.5},
    ]  # fmt: skip
    rows[1] = {**rows[0], **rows[1]}
    with (tmp_path / "actions.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    match = read_events(tmp_path / "actions.csv")
    assert match.provider == "spadl"
    assert [e.type for e in match.events] == ["Shot", "Goal Keeper"]
    assert match.events[0].arguments["outcome"] == "Saved"
    assert match.events[0].related == (match.events[1].id,)


def test_a_team_that_attacks_to_the_left_is_turned_round(tmp_path: Path):
    away = {"team_id": 8, "player_id": 81}
    match = read(
        tmp_path,
        action("shot", start_x=95.0, start_y=54.4),
        action("shot", start_x=10.0, start_y=13.6, time_seconds=11, **away),
    )
    home_shot, away_shot = match.events
    assert home_shot.location == pytest.approx((95 * 120 / 105, 16.0))
    assert away_shot.location == pytest.approx((95 * 120 / 105, 16.0))


def test_a_team_without_shots_is_judged_by_its_goal_kicks(tmp_path: Path):
    (event,) = read(tmp_path, action("goalkick", start_x=100.0, start_y=34.0)).events
    assert event.location == pytest.approx((5 * 120 / 105, 40.0))


def test_the_next_touch_receives_a_pass(tmp_path: Path):
    match = read(tmp_path, action("pass"), action("dribble", player_id=72, time_seconds=11),
                 action("shot", player_id=72, time_seconds=12))  # fmt: skip
    assert [(o.role, o.player.id) for o in match.events[0].others] == [("recipient", "72")]


def test_names_come_from_tables_of_players_and_teams(tmp_path: Path):
    (tmp_path / "players.csv").write_text(
        "game_id,team_id,player_id,player_name,nickname,jersey_number\n"
        "5,7,71,Ann Archer,Annie,9\n5,7,75,Eve Not On,,12\n5,99,991,Somebody Else,,1\n"
    )
    (tmp_path / "teams.json").write_text('[{"team_id": 7, "team_name": "Reds"}]')
    match = read(tmp_path, action("pass"),
                 lineups=[tmp_path / "players.csv", tmp_path / "teams.json"])  # fmt: skip
    assert [team.name for team in match.teams] == ["Reds"]
    assert {p.name: p.shirt for p in match.players} == {"Ann Archer": 9, "Eve Not On": 12}
    assert match.events[0].player.names == ("Annie", "Ann Archer")
    assert not match.warnings


def test_names_come_from_statsbombs_line_ups(tmp_path: Path):
    people = [{"player_id": 71, "player_name": "Ann Archer", "jersey_number": 9}]
    (tmp_path / "lineups.json").write_text(
        json.dumps([{"team_id": 7, "team_name": "Reds", "lineup": people}])
    )
    match = read(tmp_path, action("pass"), lineups=[tmp_path / "lineups.json"])
    assert (match.teams[0].name, match.events[0].player.name) == ("Reds", "Ann Archer")
    assert match.events[0].player.team == match.teams[0]


def test_without_names_the_log_is_doubted(tmp_path: Path):
    assert read(tmp_path, action("pass")).warnings == (
        "the log contains no player names; pass them with --lineups",
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type_id": 99}, "record 1: not a SPADL action .type_id 99; expected 0 to 22"),
        ({"type_id": None}, "record 1: not a SPADL action .no type_id"),
        ({"time_seconds": "soon"}, "record 1: not a SPADL action .'soon' is not a number"),
        ({"period_id": 9}, "record 1: not a SPADL action .period 9 is invalid"),
    ],
)
def test_a_wrong_action_is_named(tmp_path: Path, change, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, action("pass", **change))


def test_players_of_another_match_are_refused(tmp_path: Path):
    (tmp_path / "players.csv").write_text("player_id,player_name\n5,Nobody\n")
    with pytest.raises(InputError, match="none of the match's teams and players"):
        read(tmp_path, action("pass"), lineups=[tmp_path / "players.csv"])


@pytest.mark.data
def test_the_real_table(data: Path):
    match = read_events(data / "feeds-more" / "socceraction_spadl.json")
    assert (len(match.events), len(match.linkable), len(match.teams)) == (400, 218, 2)
    shots = [event for event in match.linkable if event.type == "Shot"]
    assert shots
    assert all(shot.location[0] > 60 for shot in shots)
