"""StatsBomb: what becomes of a record, files that differ a little, files that are wrong."""

from __future__ import annotations

import contextlib
import gc
import gzip
import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

from touchline import Event, InputError, Match, read_events
from touchline.io.feeds.statsbomb import COUNTERPARTS, INNER_PLAYERS, UNLINKABLE
from touchline.io.feeds.table.reader import ROLES

REDS = {"id": 7, "name": "Redfield City"}
BLUES = {"id": 8, "name": "Blueport United"}
ANN = {"id": 71, "name": "Ann Archer"}
BO = {"id": 72, "name": "Boaventura da Silva Reis"}
CYRIL = {"id": 81, "name": "Cyril van der Meer"}


def record(number: int, kind: str, time: str = "00:00:10.500", **more: Any) -> dict[str, Any]:
    return {
        "id": f"e{number}",
        "index": number,
        "period": 1,
        "timestamp": time,
        "type": {"id": 1, "name": kind},
        "possession_team": REDS,
        "play_pattern": {"id": 1, "name": "Regular Play"},
        "team": REDS,
        **more,
    }


LOG = [
    record(1, "Starting XI", "00:00:00.000", tactics={"formation": 442, "lineup": [
        {"player": ANN, "position": {"id": 1, "name": "Goalkeeper"}, "jersey_number": 9}]}),
    record(2, "Half Start", "00:00:00.000", related_events=["e3"]),
    record(3, "Half Start", "00:00:00.000", team=BLUES, related_events=["e2"]),
    record(4, "Pass", player=ANN, location=[10.0, 5.0], under_pressure=True, **{"pass": {
        "recipient": BO, "length": 30.2, "height": {"id": 3, "name": "High Pass"}, "cross": True,
        "switch": False, "type": {"id": 61, "name": "Corner"}, "end_location": [110.0, 40.0]}}),
    record(5, "Ball Receipt*", "00:00:11", player=BO, location=None, related_events=None),
    record(6, "Shot", "00:00:12.000", player=BO, location=[110.0, 40.0], related_events=["e7"],
           shot={"outcome": {"id": 100, "name": "Saved"}, "end_location": [119.0, 41.0, 1.2],
                 "type": {"id": 87, "name": "Open Play"}, "statsbomb_xg": 0.1}),
    record(7, "Goal Keeper", "00:00:12.400", team=BLUES, player=CYRIL, related_events=["e6"],
           goalkeeper={"type": {"id": 33, "name": "Shot Saved"}}),
    record(8, "Foul Committed", "00:01:02.000", player=ANN, related_events=["e9", "gone"],
           foul_committed={"card": {"id": 7, "name": "Yellow Card"}}),
    record(9, "Foul Won", "00:01:02.000", team=BLUES, player=CYRIL, related_events=["e8"]),
    record(10, "Substitution", "00:02:00.000", player=ANN, substitution={
        "outcome": {"id": 103, "name": "Tactical"}, "replacement": {"id": 73, "name": "Dee Dum"}}),
    record(11, "Half End", "00:47:10.000"),
    record(12, "Half End", "00:47:10.000", team=BLUES),
]  # fmt: skip
LINEUPS = [
    {"team_id": 8, "team_name": "Blueport United", "lineup": [
        {"player_id": 81, "player_name": "Cyril van der Meer", "player_nickname": "Cy",
         "jersey_number": 1},
        {"player_id": 82, "player_name": "Unused Eve", "player_nickname": None,
         "jersey_number": "12"}]},
    {"team_id": 7, "team_name": "Redfield City", "lineup": [
        {"player_id": 72, "player_name": "Boaventura da Silva Reis ",
         "player_nickname": "Bo Reis", "jersey_number": None}]},
]  # fmt: skip


def written(folder: Path, content: Any, name: str = "events.json", **how: Any) -> Path:
    (folder / name).write_text(json.dumps(content, **how), encoding="utf-8")
    return folder / name


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return read_events(written(tmp_path, LOG))


def changed(number: int, **fields: Any) -> list[dict[str, Any]]:
    """The log with other fields in one record; ... removes a field."""
    log = [dict(record) for record in LOG]
    log[number - 1] |= fields
    log[number - 1] = {k: v for k, v in log[number - 1].items() if v is not ...}
    return log


def test_a_pass_keeps_who_what_and_where(match: Match):
    event = match.event_by_id["e4"]
    assert (event.type, event.period, event.time) == ("Pass", 1, 10.5)
    assert (event.team.name, event.player.name, event.player.shirt) == (
        "Redfield City", "Ann Archer", 9)  # fmt: skip
    assert [(other.role, other.player.name) for other in event.others] == [
        ("recipient", "Boaventura da Silva Reis")
    ]
    assert event.arguments == {
        "height": "High Pass",
        "cross": "yes",
        "set_piece": "Corner",
        "under_pressure": "yes",
        "zone": "back left",
        "end_zone": "front centre",
    }
    assert (event.location, event.end_location) == ((10.0, 5.0), (110.0, 40.0))
    assert event.raw == LOG[3]


def test_a_shots_end_has_two_axes_and_its_type_is_a_set_piece(match: Match):
    event = match.event_by_id["e6"]
    assert event.end_location == (119.0, 41.0)
    assert event.arguments["set_piece"] == "Open Play"
    assert match.event_by_id["e7"].arguments == {"kind": "Shot Saved"}


def test_the_arguments_of_a_type_that_nobody_documents(tmp_path: Path):
    details = {"Throw Catch": "throw_catch", "Goal Line": "goalline"}
    log = [
        record(number, kind, **{key: {"body_part": {"id": 1, "name": "Chest"}}})
        for number, (kind, key) in enumerate(details.items())
    ]
    path = tmp_path / "events.json"
    path.write_text(json.dumps(log))
    assert [dict(event.arguments) for event in read_events(path).events] == [
        {"body_part": "Chest"},
        {"body_part": "Chest"},
    ]


@pytest.mark.parametrize(
    ("event", "role", "name"),
    [
        ("e6", "keeper", "Cyril van der Meer"),
        ("e7", "shooter", "Boaventura da Silva Reis"),
        ("e8", "fouled", "Cyril van der Meer"),
        ("e9", "fouler", "Ann Archer"),
        ("e10", "replacement", "Dee Dum"),
    ],
)
def test_the_other_side_is_found(match: Match, event: str, role: str, name: str):
    (other,) = match.event_by_id[event].others
    assert (other.role, other.player.name) == (role, name)


@pytest.mark.parametrize(
    ("kind", "other", "role", "back"),
    [
        ("Foul Committed", "Foul Won", "fouled", "fouler"),
        ("Shot", "Goal Keeper", "keeper", "shooter"),
        ("Shot", "Block", "blocker", "shooter"),
        ("Pass", "Block", None, "passer"),
        ("Dribble", "Dribbled Past", "opponent", "opponent"),
        ("Dribble", "Duel", "opponent", "opponent"),
        ("Duel", "Dispossessed", "opponent", "opponent"),
        ("50/50", "50/50", "opponent", "opponent"),
        ("Clearance", "Goal Keeper", None, None),
        ("Shot", "Pass", None, None),
    ],
)
def test_who_the_other_side_of_each_action_is(
    tmp_path: Path, kind: str, other: str, role: str | None, back: str | None
):
    log = [
        record(1, kind, player=BO, related_events=["e2"]),
        record(2, other, team=BLUES, player=CYRIL, related_events=["e1"]),
    ]
    first, second = read_events(written(tmp_path, log)).events
    assert [(o.role, o.player.name) for o in first.others] == [(role, CYRIL["name"])] * bool(role)
    assert [(o.role, o.player.name) for o in second.others] == [(back, BO["name"])] * bool(back)


def test_the_other_side_keeps_its_own_team(match: Match):
    assert match.event_by_id["e8"].others[0].player.team.name == "Blueport United"
    assert match.event_by_id["e10"].others[0].player.team.name == "Redfield City"


def test_what_a_commentator_can_describe(match: Match):
    linkable = [e.id for e in match.linkable]
    assert linkable == ["e2", "e4", "e6", "e7", "e8", "e9", "e10", "e11"]
    assert {e.type for e in match.events} & UNLINKABLE == {"Starting XI", "Ball Receipt*"}


def test_line_ups_add_names_shirts_and_unused_players(tmp_path: Path):
    lineups = written(tmp_path, LINEUPS, "lineups.json")
    match = read_events(written(tmp_path, LOG), lineups=[lineups])
    players = {player.id: player for player in match.players}
    assert players["72"].names == ("Bo Reis", "Boaventura da Silva Reis")
    assert (players["82"].name, players["82"].shirt) == ("Unused Eve", 12)
    assert players["71"].shirt == 9
    assert [team.name for team in match.teams] == ["Redfield City", "Blueport United"]
    assert match.event_by_id["e6"].player is players["72"]
    assert match.event_by_id["e6"].others[0].player is players["81"]


def test_line_ups_of_another_match_are_refused(tmp_path: Path):
    other = [{"team_id": 1, "team_name": "Greenham", "lineup": []}]
    lineups = written(tmp_path, other, "lineups.json")
    with pytest.raises(InputError, match=r"lineups\.json: line-ups of Greenham; the match is Red"):
        read_events(written(tmp_path, LOG), lineups=[lineups])


@pytest.mark.parametrize(
    "content",
    [{"events": LOG}, {"match_id": 3, "events": LOG}, {r["id"]: r for r in LOG}],
)
def test_wrapped_files_give_the_same_events(tmp_path: Path, match: Match, content: Any):
    assert read_events(written(tmp_path, content)).events == match.events


@pytest.mark.parametrize("how", [{"indent": 4}, {"separators": (",", ":")}, {"sort_keys": True}])
def test_spacing_and_order_of_keys_do_not_matter(tmp_path: Path, match: Match, how: Any):
    assert read_events(written(tmp_path, LOG, **how)).events == match.events


def test_packed_and_in_another_encoding(tmp_path: Path, match: Match):
    path = tmp_path / "events.json.gz"
    path.write_bytes(gzip.compress(json.dumps(LOG, ensure_ascii=False).encode("utf-16")))
    assert read_events(path) == match


def test_a_shuffled_file_gives_the_same_match(tmp_path: Path, match: Match):
    shuffled = LOG[:]
    random.Random(1).shuffle(shuffled)
    again = read_events(written(tmp_path, shuffled))
    assert [e.id for e in again.events] == [e.id for e in match.events]
    assert again.linkable == match.linkable


@pytest.mark.parametrize(
    ("number", "fields", "expected"),
    [
        (4, {"player": None}, {"player": None}),
        (4, {"player": ...}, {"player": None}),
        (4, {"team": None}, {"team": None}),
        (4, {"location": None}, {"location": None}),
        (4, {"location": []}, {"location": None}),
        (4, {"location": ["10.0", "5.0"]}, {"location": (10.0, 5.0)}),
        (4, {"timestamp": "00:01:05"}, {"time": 65.0}),
        (4, {"timestamp": "01:00:05.25"}, {"time": 3605.25}),
        (4, {"period": "2"}, {"period": 2}),
        (4, {"period": 5}, {"period": 5}),
        (4, {"id": 12345}, {"id": "12345"}),
        (4, {"id": "007"}, {"id": "007"}),
        (4, {"index": ...}, {"time": 10.5}),
        (4, {"type": {"id": 99, "name": "Moonwalk"}}, {"type": "Moonwalk", "linkable": True}),
        (4, {"pass": None}, {"others": ()}),
        (4, {"pass": {"recipient": {"id": 5}, "end_location": [10**400, 1]}},
         {"end_location": None}),
        (4, {"brand_new": {"name": "x"}}, {"time": 10.5}),
        (1, {"tactics": None}, {"type": "Starting XI"}),
        (1, {"tactics": {"lineup": None}}, {"type": "Starting XI"}),
        (6, {"related_events": [7, "e7"]}, {"related": ("7", "e7")}),
    ],
)  # fmt: skip
def test_records_that_differ_a_little_are_read(
    tmp_path: Path, number: int, fields: dict[str, Any], expected: dict[str, Any]
):
    match = read_events(written(tmp_path, changed(number, **fields)))
    assert len(match.events) == len(LOG)
    wanted = str(fields.get("id", f"e{number}"))
    event = match.event_by_id[wanted]
    assert {name: getattr(event, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(4, timestamp="nan:00:00"), "record 4: timestamp 'nan:00:00'; expected HH:MM:SS"),
        (changed(4, timestamp="12:30"), "record 4: timestamp '12:30'"),
        (changed(4, period=0), "record 4: not a StatsBomb event .Expected `int` >= 1"),
        (changed(4, type=...), "record 4: not a StatsBomb event .* missing required field `type`"),
        (changed(4, team="Reds"), "record 4: not a StatsBomb event .* at `..team`"),
        ([*LOG, 17], "record 13: not a StatsBomb event"),
        ({"events": 3, "play_pattern": 0}, "not a list of StatsBomb events"),
    ],
)
def test_a_wrong_record_is_named(tmp_path: Path, content: Any, message: str):
    path = written(tmp_path, content)
    with pytest.raises(InputError, match=message) as caught:
        read_events(path)
    assert caught.value.path == str(path)


def test_nothing_in_the_file(tmp_path: Path):
    with pytest.raises(InputError, match="no events found"):
        read_events(written(tmp_path, []), "statsbomb")


def test_a_truncated_file_is_named_with_its_line(tmp_path: Path):
    path = written(tmp_path, LOG, indent=1)
    path.write_text(path.read_text()[:-300])
    last = len(path.read_text().split("\n"))
    match = read_events(path)
    assert 0 < len(match.events) < len(LOG)
    assert f"{path.name} ends too early at line {last}" in match.warnings[0]


def test_a_broken_escape_is_named_with_its_record(tmp_path: Path):
    path = tmp_path / "events.json"
    path.write_text(json.dumps(LOG).replace("Moonwalk", "").replace('"Ann Archer"', r'"\ud800"', 1))
    with pytest.raises(InputError, match=r"events\.json"):
        read_events(path)


def test_records_decoded_one_by_one_are_those_decoded_at_once(tmp_path: Path):
    log = LOG + [record(1000 + n, "Carry", carry={"end_location": [1, 2]}) for n in range(60)]
    path = tmp_path / "events.json"
    path.write_text(json.dumps(log))
    at_once = read_events(path)
    path.write_text(json.dumps([*log, record(2000, "Pass") | {"period": "none"}]))
    one_by_one = read_events(path)
    assert one_by_one.warnings[0].startswith("1 record is left out")
    assert one_by_one.events == at_once.events
    assert one_by_one.players == at_once.players
    assert [dict(event.raw) for event in one_by_one.events] == [dict(e.raw) for e in at_once.events]


@pytest.mark.parametrize("text", [json.dumps(LOG), "[{]"])
def test_the_collector_rests_only_while_a_log_is_read(tmp_path: Path, text: str):
    path = tmp_path / "events.json"
    path.write_text(text)
    with contextlib.suppress(InputError):
        read_events(path, provider="statsbomb")
    assert gc.isenabled()


def test_a_match_survives_pickling(match: Match):
    again = pickle.loads(pickle.dumps(match))
    assert again == match
    assert again.events[3].raw["pass"]["length"] == 30.2


@pytest.mark.data
def test_the_real_matches_have_the_published_number_of_candidates(data: Path):
    logs = sorted((data / "epl-2015").glob("*/events.json"))
    matches = [read_events(log, lineups=[log.with_name("lineups.json")]) for log in logs]
    assert (len(matches), sum(len(match.linkable) for match in matches)) == (6, 9001)
    for match in matches:
        assert len(match.teams) == 2
        assert all(player.team in match.teams for player in match.players)
        assert all(player.shirt is not None for player in match.players)


def test_one_record_a_line(tmp_path: Path):
    path = tmp_path / "events.jsonl"
    path.write_text("".join(json.dumps(row) + "\n\n" for row in LOG))
    assert read_events(path).events == read_events(written(tmp_path, LOG)).events
    path.write_text(path.read_text()[:-20])
    with pytest.raises(InputError, match="record 12: not a StatsBomb event"):
        read_events(path)


def test_a_timestamp_beyond_every_match_is_refused(tmp_path: Path):
    for time in ("99:00:00", "99999999:00:00"):
        with pytest.raises(InputError, match=f"record 2: timestamp '{time}'"):
            read_events(written(tmp_path, [LOG[0], record(2, "Pass", time)]))


def test_a_record_nested_too_deep_is_named(tmp_path: Path):
    deep = json.dumps(LOG[:2])[:-2] + ', "shot": ' + "[" * 100_000 + "]" * 100_000 + "}]"
    (tmp_path / "events.json").write_text(deep)
    with pytest.raises(InputError, match="nested too deeply"):
        read_events(tmp_path / "events.json")


def as_table_row(event: Event) -> dict[str, Any]:
    """An event as a row of the generic table."""
    row = {"id": event.id, "type": event.type, "period": event.period, "time": event.time}
    row |= {"team": event.team and event.team.name, "player": event.player and event.player.name}
    for other in event.others:
        row[other.role] = "|".join([*row.get(other.role, "").split("|"), other.player.name])
    return row


def test_a_table_of_the_log_has_the_same_other_players(match: Match, tmp_path: Path):
    second = record(13, "Goal Keeper", "00:00:12.500", team=BLUES, player={"id": 9, "name": "Z"})
    log = [{**row, "related_events": ["e7", "e13"]} if row["id"] == "e6" else row for row in LOG]
    match = read_events(written(tmp_path, [*log, second]))
    path = written(tmp_path, [as_table_row(event) for event in match.events], "table.json")
    table = read_events(path, "table")
    assert [others(event) for event in table.events] == [others(event) for event in match.events]
    assert len(others(table.event_by_id["e6"])) == 2


def others(event: Event) -> set[tuple[str, str, str | None]]:
    return {(o.role, o.player.name, o.player.team and o.player.team.name) for o in event.others}


def test_a_table_has_every_role_of_this_feed():
    roles = {role for pairs in COUNTERPARTS.values() for role in pairs.values()}
    assert roles | set(INNER_PLAYERS) == set(ROLES)


def test_a_number_too_large_in_a_field_that_nobody_reads_does_no_harm(tmp_path: Path):
    log = json.dumps([*LOG, record(99, "Pressure", odd=-123)]).replace("-123", "1e999")
    path = tmp_path / "events.json"
    path.write_text(log)
    (odd,) = (event for event in read_events(path).events if event.id == "e99")
    assert odd.raw is not None
    assert odd.raw["odd"] == float("inf")


def test_numbers_as_text_and_ids_as_numbers_give_the_same_events(tmp_path: Path, match: Match):
    """Such a file is not decoded at once, but record by record."""
    numbers = {f"e{n}": n for n in range(1, 13)}
    log = [
        row
        | {"id": numbers[row["id"]], "period": "1", "index": str(row["index"])}
        | {"related_events": [numbers.get(i, i) for i in row.get("related_events") or []]}
        | {"location": [*map(str, row["location"]), "0.5"] if row.get("location") else None}
        for row in LOG
    ]
    for ours, theirs in zip(read_events(written(tmp_path, log)).events, match.events, strict=True):
        assert ours.id == theirs.id.removeprefix("e")
        assert ours.related == tuple(i.removeprefix("e") for i in theirs.related)
        assert (ours.others, ours.location) == (theirs.others, theirs.location)
        assert ours.arguments == theirs.arguments
