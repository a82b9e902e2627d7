"""Wyscout: kinds and tags, duels, escapes, the forms its files come in, a season's file."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from touchline import Event, InputError, Match, read_events
from touchline.io.feeds.wyscout.people import unescaped


def record(number: int, name: str, sub: str = "", tags: tuple[int, ...] = (), **more: Any) -> Any:
    return {
        "id": number, "eventName": name, "subEventName": sub, "tags": [{"id": t} for t in tags],
        "playerId": 71, "teamId": 7, "matchId": 5, "matchPeriod": "1H", "eventSec": 10.0 + number,
        "positions": [{"x": 50, "y": 10}, {"x": 70, "y": 20}],
    } | more  # fmt: skip


def read(folder: Path, *records: Any, **more: Any) -> Match:
    (folder / "events.json").write_text(json.dumps(list(records)))
    return read_events(folder / "events.json", **more)


def written(folder: Path, name: str, content: Any) -> Path:
    (folder / name).write_text(json.dumps(content))
    return folder / name


@pytest.mark.parametrize(
    ("name", "sub", "tags", "kind", "arguments"),
    [
        ("Pass", "Simple pass", (1801,), "Pass", {}),
        ("Pass", "Cross", (1802, 402), "Pass",
         {"cross": "yes", "outcome": "Incomplete", "body_part": "Right Foot"}),
        ("Pass", "Head pass", (1801, 901), "Pass", {"body_part": "Head", "through_ball": "yes"}),
        ("Pass", "Brand new", (1801,), "Pass", {}),
        ("Free Kick", "Corner", (1801, 801), "Pass",
         {"set_piece": "Corner", "height": "High Pass"}),
        ("Free Kick", "Free kick cross", (1801,), "Pass",
         {"set_piece": "Free Kick", "cross": "yes"}),
        ("Free Kick", "Throw in", (1801,), "Pass", {"set_piece": "Throw-in"}),
        ("Free Kick", "Penalty", (101, 1801), "Shot", {"set_piece": "Penalty", "outcome": "Goal"}),
        ("Free Kick", "Free kick shot", (1802,), "Shot",
         {"set_piece": "Free Kick", "outcome": "Off T"}),
        ("Shot", "Shot", (2101, 1802), "Shot", {"set_piece": "Open Play", "outcome": "Blocked"}),
        ("Shot", "Shot", (1217, 1802), "Shot",
         {"set_piece": "Open Play", "outcome": "Post", "goal_mouth": "post low right"}),
        ("Shot", "Shot", (1801,), "Shot", {"set_piece": "Open Play", "outcome": "Saved"}),
        ("Duel", "Air duel", (703, 1801), "Duel", {"kind": "Aerial Won"}),
        ("Duel", "Air duel", (702, 1801), "Duel", {"kind": "Aerial"}),
        ("Duel", "Ground attacking duel", (701, 1802), "Dribble", {"outcome": "Incomplete"}),
        ("Duel", "Ground defending duel", (703, 1801), "Duel",
         {"kind": "Tackle", "outcome": "Won"}),
        ("Duel", "Ground defending duel", (701, 1802), "Dribbled Past", {}),
        ("Duel", "Ground loose ball duel", (703, 1801), "50/50", {"outcome": "Won"}),
        ("Foul", "Foul", (1702,), "Foul Committed", {"card": "Yellow Card"}),
        ("Foul", "Hand foul", (), "Foul Committed", {"kind": "Handball"}),
        ("Foul", "Protest", (1703,), "Bad Behaviour",
         {"card": "Second Yellow", "reason": "protest"}),
        ("Offside", "", (), "Offside", {}),
        ("Save attempt", "Reflexes", (101, 1802), "Goal Keeper", {"kind": "Goal Conceded"}),
        ("Save attempt", "Save attempt", (1801,), "Goal Keeper", {"kind": "Shot Saved"}),
        ("Others on the ball", "Touch", (1401,), "Interception",
         {"outcome": "Won", "interception": "yes"}),
        ("Others on the ball", "Touch", (102,), "Own Goal Against", {}),
        ("Others on the ball", "Clearance", (), "Clearance", {}),
        ("Moonwalk", "", (), "Moonwalk", {}),
    ],
)  # fmt: skip
def test_kinds_and_tags_by_name(
    tmp_path: Path, name: str, sub: str, tags: tuple[int, ...], kind: str, arguments: dict
):
    (event,) = read(tmp_path, record(1, name, sub, tags)).events
    assert (event.type, event.linkable) == (kind, True)
    plain = {k: v for k, v in event.arguments.items() if k not in ("zone", "end_zone")}
    assert plain == arguments


def test_a_ball_out_of_play_is_not_linkable(tmp_path: Path):
    match = read(tmp_path, record(1, "Interruption", "Ball out of the field"), record(2, "Pass"))
    assert [event.id for event in match.linkable] == ["2"]


def test_places(tmp_path: Path):
    nowhere = [{"x": 100, "y": 100}, {"x": 10, "y": 50}]
    match = read(
        tmp_path,
        record(1, "Pass", "Simple pass", (1801,)),
        record(2, "Save attempt", "Reflexes", (), positions=nowhere),
        record(3, "Shot", "Shot", (), positions=[{"x": 90, "y": 50}, {"x": 0, "y": 0}]),
        record(4, "Foul", "Foul", (), positions=[]),
    )
    places = [(event.location, event.end_location) for event in match.events]
    assert places == [((60, 8), (84, 16)), ((12, 40), None), ((108, 40), None), (None, None)]


def facing(event: Event) -> list[tuple[str, str]]:
    return [(other.role, other.player.id) for other in event.others]


def test_two_copies_of_a_duel_name_each_other_and_whom_the_foul_was_on(tmp_path: Path):
    here, there = [{"x": 30, "y": 80}], [{"x": 70, "y": 20}]
    match = read(
        tmp_path,
        record(1, "Duel", "Ground attacking duel", (703,), positions=here),
        record(2, "Duel", "Ground defending duel", (701,), playerId=81, teamId=8,
               positions=[{"x": 10, "y": 10}]),
        record(3, "Duel", "Ground defending duel", (701,), playerId=82, teamId=8, positions=there),
        record(4, "Foul", "Foul", (1702,), playerId=82, teamId=8),
        record(5, "Foul", "Foul", (), playerId=82, teamId=8, eventSec=40.0),  # of another duel
    )  # fmt: skip
    events = match.event_by_id
    assert facing(events["1"]) == [("opponent", "82")]
    assert facing(events["2"]) == []
    assert facing(events["3"]) == [("opponent", "71")]
    assert events["3"].related == ("1",)
    assert facing(events["4"]) == [("fouled", "71")]
    assert facing(events["5"]) == []


def test_of_two_duels_close_together_the_nearer_place_is_the_copy(tmp_path: Path):
    match = read(
        tmp_path,
        record(1, "Duel", "Ground attacking duel", positions=[{"x": 75, "y": 15}]),
        record(2, "Duel", "Ground attacking duel", playerId=72, positions=[{"x": 77, "y": 13}]),
        record(3, "Duel", "Ground defending duel", playerId=81, teamId=8,
               positions=[{"x": 23, "y": 87}]),
        record(4, "Foul", "Foul", (), playerId=81, teamId=8),
    )  # fmt: skip
    assert facing(match.event_by_id["4"]) == [("fouled", "72")]


def test_a_shot_and_its_save_name_each_other(tmp_path: Path):
    save = record(2, "Save attempt", "Reflexes", (1801,), playerId=81, teamId=8)
    events = read(tmp_path, record(1, "Shot", "Shot", (1801,)), save).event_by_id
    assert (facing(events["1"]), facing(events["2"])) == ([("keeper", "81")], [("shooter", "71")])


def test_nobody_is_written_as_0(tmp_path: Path):
    (event,) = read(tmp_path, record(1, "Pass", playerId=0)).events
    assert event.player is None


@pytest.mark.parametrize(
    ("stored", "name"),
    [(r"Gu\u00f0johnsen", "Guðjohnsen"), (r"\u00c1lvaro \u00c9", "Álvaro É"), ("Plain ", "Plain"),
     (r"\ud83d\ude00", "😀"), (r"\ud83d", "\ufffd"), (r"C:\users", r"C:\users")],
)  # fmt: skip
def test_escapes_are_decoded(stored: str, name: str):
    assert unescaped(stored) == name


PLAYERS = [
    {"wyId": 71, "firstName": r"\u00c1nn", "middleName": "", "lastName": "Archer", "shortName":
     r"\u00c1. Archer", "currentTeamId": "null", "role": {"name": "Forward"}},
    {"wyId": 72, "firstName": "Bo", "middleName": "", "lastName": "Reis", "shortName": "B. Reis"},
    {"wyId": 99, "firstName": "Some", "middleName": "", "lastName": "Body", "shortName": "S. B."},
]  # fmt: skip
TEAMS = [
    {"wyId": 7, "name": r"Redf\u00edeld", "officialName": "Redfield City FC", "city": "Redfield"},
    {"wyId": 9, "name": "Elsewhere", "officialName": "Elsewhere FC", "city": ""},
]
MATCHES = [
    {"wyId": 5, "label": "Redfield - Blueport, 1 - 0", "teamsData": {
        "7": {"side": "home", "formation": {"substitutions": [
            {"playerIn": 72, "playerOut": 71, "minute": 46, "assists": "0"}]}},
        "8": {"side": "away", "formation": {"substitutions": "null"}}}},
    {"wyId": 6, "label": "", "teamsData": {}},
]  # fmt: skip


def test_the_files_of_the_public_release(tmp_path: Path):
    files = [written(tmp_path, "players.json", PLAYERS), written(tmp_path, "teams.json", TEAMS),
             written(tmp_path, "matches.json", MATCHES)]  # fmt: skip
    log = [record(1, "Pass", "Simple pass", (1801,)), record(2, "Pass", matchPeriod="2H")]
    match = read(tmp_path, *log, lineups=files)
    assert [player.names for player in match.players] == [
        ("Á. Archer", "Ánn Archer"), ("B. Reis", "Bo Reis")]  # fmt: skip
    assert match.teams[0].names == ("Redfíeld", "Redfield City FC")
    (swap,) = (event for event in match.linkable if event.type == "Substitution")
    assert (swap.period, swap.time, swap.player.id) == (2, 30.0, "71")
    assert facing(swap) == [("replacement", "72")]
    assert swap.player is match.event_by_id["1"].player


def test_the_bundle_gives_the_same_match(tmp_path: Path):
    log = [record(1, "Pass", "Simple pass", (1801,))]
    bundle = {
        "events": log,
        "teams": {"7": {"team": TEAMS[0]}},
        "players": {"7": [{"player": PLAYERS[0]}, None, {"player": None}]},
        "match": MATCHES[0],
    }
    match = read_events(written(tmp_path, "bundle.json", bundle))
    assert match.players[0].names == ("Á. Archer", "Ánn Archer")
    assert [event.type for event in match.linkable] == ["Pass", "Substitution"]


def test_files_of_another_season_are_refused(tmp_path: Path):
    log = [record(1, "Pass")]
    for content, message in (
        (PLAYERS[2:], "none of the match's players"),
        (MATCHES[1:], "no match 5, which the events belong to"),
    ):
        with pytest.raises(InputError, match=message):
            read(tmp_path, *log, lineups=[written(tmp_path, "other.json", content)])


def season(matches: int, events: int) -> list[Any]:
    return [
        record(1000 * match + n, "Pass", "Simple pass", (1801,), matchId=match, odd='"}],[{\\')
        for match in range(1, matches + 1)
        for n in range(events)
    ]


def test_one_match_of_a_season_s_file(tmp_path: Path):
    path = written(tmp_path, "season.json", season(3, 40))
    match = read_events(path, match="2")
    assert [event.id for event in match.events] == [str(2000 + n) for n in range(40)]
    assert match.events[3].raw["odd"] == '"}],[{\\'


def test_a_season_s_file_needs_the_match(tmp_path: Path):
    path = written(tmp_path, "season.json", season(3, 4))
    with pytest.raises(InputError, match=r"contains 3 matches \(1, 2, 3 ...\); choose one"):
        read_events(path)
    with pytest.raises(InputError, match=r"contains 3 matches \(1, 2, 3 ...\); '4' is not one"):
        read_events(path, match="4")


def test_a_single_match_may_be_called_anything(tmp_path: Path):
    path = written(tmp_path, "season.json", season(1, 4))
    assert len(read_events(path, match="the final").events) == 4


def test_spacing_does_not_matter_to_a_season(tmp_path: Path):
    path = written(tmp_path, "season.json", season(3, 40))
    expected = read_events(path, match="2")
    path.write_text("\n " + json.dumps(season(3, 40), indent=3) + " \n")
    assert read_events(path, match="2") == expected


def test_a_large_season_is_never_in_memory(tmp_path: Path):
    """What is kept is a block and one match."""
    one = json.dumps(season(1, 1000))[1:-1]
    matches = [one.replace('"matchId": 1,', f'"matchId": {n},') for n in range(1, 81)]
    path = tmp_path / "season.json.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(f"[{', '.join(matches)}]".encode())
    tracemalloc.start()
    match = read_events(path, match="7")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(match.events) == 1000
    assert 80 * len(one) > 18 << 20 > peak


@pytest.mark.parametrize(("cut", "events"), [(1, 30), (40, 29)])
def test_of_a_season_that_ends_too_early_the_whole_records_are_read(tmp_path, cut, events):
    path = tmp_path / "season.json"
    text = json.dumps(season(2, 30))
    path.write_text(text[:-cut])
    match = read_events(path, match=str(season(2, 30)[-1]["matchId"]))
    assert len(match.events) == events
    assert any("ends too early" in doubt for doubt in match.warnings)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: text.index('}, {"') - 5], "is truncated"),
        (lambda text: text + "]", "not valid JSON after the list"),
        (lambda text: text.replace(", {", ",, {", 1), "not a list of Wyscout events"),
        (lambda text: text[:-1] + ', {"id": "' + "x" * (2 << 20) + '"}]', "one of more than 1 MB"),
        (lambda text: text[:-1] + ', {"id": 3}]', "matchId"),
    ],
)
def test_a_broken_season_is_refused(tmp_path: Path, change: Callable[[str], str], message: str):
    path = tmp_path / "season.json"
    path.write_text(change(json.dumps(season(2, 30))))
    with pytest.raises(InputError, match=message):
        read_events(path, match="1")


ANN = {"wyId": 71, "firstName": "Ann", "middleName": "", "lastName": "Archer"}
REDS = {"wyId": 7, "name": "Reds", "officialName": "Reds FC"}


@pytest.mark.parametrize(
    ("teams", "players"),
    [
        ({"7": {"team": REDS}}, {"7": [{"player": ANN}]}),
        ({"7": REDS}, {"7": [{"playerId": 71, "player": ANN}]}),
        ({"7": {"name": "Reds"}}, {"7": [ANN, None]}),
        ([REDS], {"7": [{"player": ANN}]}),
    ],
)
def test_the_forms_of_a_bundle(tmp_path: Path, teams: Any, players: Any):
    bundle = {"events": [record(1, "Pass")], "teams": teams, "players": players}
    match = read_events(written(tmp_path, "bundle.json", bundle))
    assert [team.name for team in match.teams] == ["Reds"]
    assert match.events[0].player.name == "Ann Archer"
    assert match.events[0].player.team.name == "Reds"


@pytest.mark.parametrize(
    "numbered",
    [
        {"eventName": 8, "subEventName": 82},
        {"eventName": "8", "subEventName": "82"},
        {"eventName": None, "subEventName": None, "eventId": 8, "subEventId": 82},
    ],
)
def test_events_may_be_numbered(tmp_path: Path, numbered: dict[str, Any]):
    (event,) = read(tmp_path, record(1, "", "", (1801,)) | numbered).events
    assert event.type == "Pass"
    assert event.arguments["body_part"] == "Head"


def listed(label: str) -> dict[str, Any]:
    return {"matches": [{"matchId": 5, "label": label}], "season": {"wyId": 3}}


GOALS = [
    record(1, "Shot", "Shot", (101, 1801)),
    record(2, "Shot", "Shot", (101, 1801), teamId=8, playerId=81),
    record(3, "Pass", "Simple pass", (102,), teamId=8, playerId=81),  # into their own goal
]


def test_the_api_s_list_of_matches_names_the_teams(tmp_path: Path):
    matches = written(tmp_path, "matches.json", listed("Blues - Reds, 1-2 (E)"))
    match = read(tmp_path, *GOALS, lineups=[matches])
    assert {team.id: team.name for team in match.teams} == {"7": "Reds", "8": "Blues"}
    assert {event.team.name for event in match.events} == {"Reds", "Blues"}


def test_a_draw_does_not_say_which_team_is_which(tmp_path: Path):
    matches = written(tmp_path, "matches.json", listed("Blues - Reds, 1-1"))
    match = read(tmp_path, *GOALS[:2], lineups=[matches])
    assert {team.name for team in match.teams} == {"7", "8"}
    assert match.warnings[0].startswith("the match is Blues against Reds, but its goals do not")


def test_a_list_without_the_match_is_refused(tmp_path: Path):
    matches = written(
        tmp_path, "matches.json", {"matches": [{"matchId": 9, "label": "A - B, 1-0"}]}
    )
    with pytest.raises(InputError, match="contains no match 5, which the events belong to"):
        read(tmp_path, *GOALS, lineups=[matches])
    with pytest.raises(InputError, match="looks like line-ups"):
        read_events(matches)


def test_side_files_of_the_api_may_be_wrapped(tmp_path: Path):
    players = written(tmp_path, "players.json", {"players": [ANN]})
    teams = written(tmp_path, "teams.json", {"teams": [REDS]})
    match = read(tmp_path, record(1, "Pass"), lineups=[players, teams])
    assert (match.teams[0].name, match.events[0].player.name) == ("Reds", "Ann Archer")


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "events", "goals"),
    [
        ("koenvo_2499719.json", 1768, 7),
        ("koenvo_2499719_v2.json", 1768, 7),
        ("kloppy_wyscout_events_v2.json", 1770, 5),
    ],
)
def test_the_real_bundles(data: Path, name: str, events: int, goals: int):
    match = read_events(data / "feeds-more" / name)
    shots = [event for event in match.linkable if event.type == "Shot"]
    assert len(match.events) == events
    assert sum(shot.arguments["outcome"] == "Goal" for shot in shots) == goals
    assert len(match.players) == 36
    assert not match.warnings


@pytest.mark.data
def test_the_real_match(data: Path):
    (path,) = (data / "feeds" / "wyscout").glob("*.json")
    match = read_events(path)
    assert (len(match.events), len(match.linkable)) == (1470, 1470)
    assert [team.name for team in match.teams] == ["England", "Iceland"]
    assert len(match.players) == 46
    assert not any("\\" in name for player in match.players for name in player.names)
    assert any(player.name == "Eiður Smári Guðjohnsen" for player in match.players)
    counts = Counter(event.type for event in match.linkable)
    assert (counts["Foul Committed"], counts["Bad Behaviour"], counts["Offside"]) == (21, 1, 3)
    assert sum("card" in event.arguments for event in match.linkable) == 3
    goals = [e for e in match.linkable if e.arguments.get("outcome") == "Goal"]
    assert [(e.player.short, e.clock) for e in goals] == [
        ("W. Rooney", "4'"), ("R. Sigurðsson", "6'"), ("K. Sigþórsson", "18'")]  # fmt: skip
    fouls = [e for e in match.linkable if e.type == "Foul Committed"]
    assert sum(any(o.role == "fouled" for o in e.others) for e in fouls) == 20
