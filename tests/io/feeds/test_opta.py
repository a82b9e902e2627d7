"""Opta F24 and F7: what its types and qualifiers become, how records of one action are joined."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from touchline import Event, InputError, Match, read_events
from touchline.io.feeds.opta.log import second_of_day
from touchline.io.feeds.opta.types import TYPES, kind_of

HEAD = (
    '<Games><Game id="5" home_team_id="7" home_team_name="Redfield City" '
    'away_team_id="8" away_team_name="Blueport United">'
)
REDS, BLUES = 7, 8


def record(
    number: int, kind: int, clock: str = "0:10", team: int = REDS, player: int | None = 71,
    outcome: int = 1, period: int = 1, flags: dict[int, object] | None = None, more: str = "",
) -> str:  # fmt: skip
    minute, second = clock.split(":")
    who = f'player_id="{player}"' if player else ""
    values = [(f, f' value="{v}"' if v is not None else "") for f, v in (flags or {}).items()]
    inside = "".join(f'<Q id="1" qualifier_id="{f}"{v}/>' for f, v in values)
    return (
        f'<Event id="{number}" event_id="{number}" type_id="{kind}" period_id="{period}" '
        f'min="{minute}" sec="{second}" team_id="{team}" {who} outcome="{outcome}" '
        f'x="50" y="25" {more}>{inside}</Event>'
    )


def read(folder: Path, *records: str, lineups: list[Path] | None = None) -> Match:
    path = folder / "f24.xml"
    path.write_text(HEAD + "".join(records) + "</Game></Games>")
    return read_events(path, lineups=lineups or [])


def only(match: Match) -> Event:
    (event,) = match.events
    return event


@pytest.mark.parametrize(
    ("kind", "outcome", "flags", "name", "arguments"),
    [
        (1, 1, {}, "Pass", {}),
        (1, 0, {2: None}, "Pass", {"outcome": "Incomplete", "cross": "yes"}),
        (1, 1, {6: None, 223: None}, "Pass", {"set_piece": "Corner", "technique": "Inswinging"}),
        (1, 1, {5: None}, "Pass", {"set_piece": "Free Kick"}),
        (1, 1, {107: None}, "Pass", {"set_piece": "Throw-in"}),
        (1, 1, {4: None, 195: None}, "Pass", {"through_ball": "yes", "cut_back": "yes"}),
        (2, 1, {}, "Pass", {"outcome": "Pass Offside"}),
        (3, 0, {}, "Dribble", {"outcome": "Incomplete"}),
        (4, 0, {10: None}, "Foul Committed", {"kind": "Handball"}),
        (4, 0, {9: None}, "Foul Committed", {"penalty": "yes"}),
        (4, 1, {}, "Foul Won", {}),
        (7, 1, {}, "Duel", {"kind": "Tackle", "outcome": "Won"}),
        (10, 1, {94: None}, "Block", {}),
        (10, 1, {173: None, 179: None}, "Goal Keeper",
         {"kind": "Shot Saved", "outcome": "In Play Safe", "technique": "Diving"}),
        (13, 1, {15: None}, "Shot",
         {"outcome": "Off T", "body_part": "Head", "set_piece": "Open Play"}),
        (14, 1, {}, "Shot", {"outcome": "Post", "set_piece": "Open Play"}),
        (15, 1, {82: None}, "Shot", {"outcome": "Blocked", "set_piece": "Open Play"}),
        (15, 1, {26: None}, "Shot", {"outcome": "Saved", "set_piece": "Free Kick"}),
        (16, 1, {9: None}, "Shot", {"outcome": "Goal", "set_piece": "Penalty"}),
        (16, 1, {28: None}, "Own Goal Against", {}),
        (17, 1, {33: None}, "Bad Behaviour", {"card": "Red Card"}),
        (13, 1, {110: None}, "Shot",
         {"outcome": "Off T", "technique": "Half Volley", "set_piece": "Open Play"}),
        (23, 1, {}, "Goalkeeper Becomes Player", {}),
        (44, 0, {}, "Duel", {"kind": "Aerial Lost"}),
        (61, 0, {}, "Miscontrol", {}),
        (65, 1, {33: None}, "Contentious Decision", {}),
        (999, 0, {}, "Type 999", {"outcome": "Unsuccessful"}),
    ],
)  # fmt: skip
def test_types_and_qualifiers_by_name(
    tmp_path: Path, kind: int, outcome: int, flags: dict, name: str, arguments: dict[str, str]
):
    event = only(read(tmp_path, record(1, kind, outcome=outcome, flags=flags)))
    assert event.type == name
    assert event.linkable
    assert dict(event.arguments) == {**arguments, "zone": "middle right"}


def test_what_is_not_linkable():
    silent = {kind.type for number in TYPES for kind in TYPES[number] if not kind.linkable}
    assert {"Out", "Deleted Event", "Starting XI", "Offside Provoked"} <= silent
    assert not silent & {"Pass", "Shot", "Foul Committed", "Substitution", "Duel", "Goal Keeper"}
    assert kind_of(12345, True, {}).linkable


def test_two_copies_of_a_foul_name_each_other(tmp_path: Path):
    match = read(
        tmp_path,
        record(1, 4, outcome=0, flags={233: 2}),
        record(2, 4, team=BLUES, player=81, flags={233: 1}),
    )
    committed, won = match.events
    assert [(o.role, o.player.id) for o in committed.others] == [("fouled", "81")]
    assert [(o.role, o.player.id) for o in won.others] == [("fouler", "71")]
    assert (committed.related, won.related) == (("2",), ("1",))
    assert won.player.team.name == "Blueport United"


def test_a_card_belongs_to_its_foul(tmp_path: Path):
    match = read(
        tmp_path,
        record(1, 4, "3:00", outcome=0),
        record(2, 17, "4:10", flags={31: None, 13: 243}),
        record(3, 17, "50:00", period=2, flags={32: None}),
        record(4, 4, "51:00", period=2, outcome=0),
        record(5, 17, "51:20", period=2, flags={33: None, 35: None}),
    )
    assert [(e.id, e.type, e.arguments.get("card")) for e in match.linkable] == [
        ("1", "Foul Committed", "Yellow Card"),
        ("3", "Bad Behaviour", "Second Yellow"),  # the foul was in another half
        ("4", "Foul Committed", None),
        ("5", "Bad Behaviour", "Red Card"),  # for arguing
    ]
    assert match.event_by_id["2"].type == "Card"
    assert match.event_by_id["2"].related == ("1",)


def test_a_substitution_is_linkable_once_with_both_players(tmp_path: Path):
    match = read(
        tmp_path,
        record(1, 18, flags={55: 2, 42: None}),
        record(2, 19, player=73, flags={55: 1}),
        record(3, 19, "2:00", player=74),
    )
    off, alone = match.linkable
    assert (off.type, off.player.id, off.arguments["outcome"]) == ("Substitution", "71", "Tactical")
    assert [(o.role, o.player.id) for o in off.others] == [("replacement", "73")]
    assert (alone.type, alone.player.id) == ("Player On", "74")


def test_a_pass_that_goes_out_says_so(tmp_path: Path):
    match = read(tmp_path, record(1, 1, outcome=0), record(2, 5, "0:11", outcome=0))
    assert match.event_by_id["1"].arguments["outcome"] == "Out"
    assert not match.event_by_id["2"].linkable
    other = read(tmp_path, record(1, 1, outcome=0), record(2, 5, "0:11", player=72, outcome=0))
    assert other.event_by_id["1"].arguments["outcome"] == "Incomplete"


def test_the_next_touch_receives_the_pass(tmp_path: Path):
    match = read(
        tmp_path,
        record(1, 1, "0:10"),
        record(2, 44, "0:11", team=BLUES, player=81, outcome=0),
        record(3, 1, "0:12", player=72),
        record(4, 8, "0:14", team=BLUES, player=81),
        record(5, 1, "0:20", flags={7: None}),
    )
    assert [[o.player.id for o in match.event_by_id[i].others] for i in "135"] == [["72"], [], []]


def test_each_team_s_copy_of_the_start_is_linkable_once(tmp_path: Path):
    match = read(
        tmp_path,
        record(1, 32, "0:0", player=None),
        record(2, 32, "0:0", player=None, team=BLUES),
        record(3, 30, "45:30", player=None),
        record(4, 30, "45:31", player=None, team=BLUES),
        record(5, 32, "45:0", player=None, period=2),
        record(6, 30, "0:0", player=None, period=14),
        record(7, 34, "0:0", player=None, period=16, flags={30: "71, 72", 59: "9, 10"}),
    )
    assert [e.id for e in match.linkable] == ["1", "3", "5"]
    assert match.event_by_id["7"].time == 0
    assert match.event_by_id["6"].period == 2


def test_the_wall_clock_gives_the_part_of_the_second(tmp_path: Path):
    start = 'timestamp="2018-08-20T21:00:23.635"'
    match = read(
        tmp_path,
        record(1, 32, "0:0", player=None, more=start),
        record(2, 1, "0:3", more='timestamp="2018-08-20T21:00:27.397"'),
        record(3, 1, "0:9", more='timestamp="2018-08-20T22:00:00.1"'),  # corrected later
        record(4, 1, "0:12"),
        record(5, 1, "0:15", more='timestamp="2018-08-20T21:00:41.000"'),  # 2 s late
    )
    assert [event.time for event in match.events] == [0, 3.762, 9, 12, 15]


@pytest.mark.parametrize(
    ("stamp", "seconds"),
    [("2018-08-20T00:00:01.5", 1.005), ("2018-08-20T10:00:00Z", 36000), ("soon", None),
     (None, None), ("2018-08-20T00:00:00.351Z", 0.351)],
)  # fmt: skip
def test_stamps(stamp: str | None, seconds: float | None):
    assert second_of_day(stamp) == seconds


@pytest.mark.parametrize(("period", "expected"), [(10, (1, 600)), (14, (2, 60)), (16, (1, 0))])
def test_a_card_between_the_halves_is_placed_at_their_end(
    tmp_path: Path, period: int, expected: tuple[int, float]
):
    match = read(
        tmp_path,
        record(1, 1, "10:00"),
        record(2, 1, "46:00", period=2),
        record(3, 17, "0:0", period=period, flags={33: None}),
    )
    card = match.event_by_id["3"]
    assert (card.period, card.time) == expected
    assert card.linkable


def test_a_period_that_there_is_not_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="record 1: period 77 is invalid"):
        read(tmp_path, record(1, 1, period=77))


def test_an_f24_of_two_matches_is_refused(tmp_path: Path):
    (tmp_path / "f24.xml").write_text('<Games><Game id="1"/><Game id="2"/></Games>')
    with pytest.raises(InputError, match="contains the matches 1 and 2; expected one"):
        read_events(tmp_path / "f24.xml")


def test_without_f7_players_have_numbers_and_no_names(tmp_path: Path):
    player = only(read(tmp_path, record(1, 1))).player
    assert (player.id, player.names, player.label) == ("71", (), "71")


def test_f7_of_another_match_of_the_same_teams_is_refused(tmp_path: Path):
    f7 = tmp_path / "f7.xml"
    f7.write_text('<SoccerFeed><SoccerDocument uID="f6"><Team uID="t7"><Name>Redfield City</Name>'
                  "</Team></SoccerDocument></SoccerFeed>")  # fmt: skip
    with pytest.raises(InputError, match=r"f7\.xml: results of the match 6; the events are of 5"):
        read(tmp_path, record(1, 1), lineups=[f7])


def test_f7_without_teams_is_refused(tmp_path: Path):
    (tmp_path / "f7.xml").write_text("<SoccerFeed/>")
    with pytest.raises(InputError, match="no team found; expected F7 results"):
        read(tmp_path, record(1, 1), lineups=[tmp_path / "f7.xml"])


def test_an_event_without_qualifiers_may_close_itself(tmp_path: Path):
    text = record(1, 1, more="note='a/&gt;b>c'").replace("></Event>", "/>")
    event = only(read(tmp_path, text))
    assert event.raw["note"] == "a/>b>c"
    assert event.raw["type_id"] == "1"


def test_teams_come_from_the_records_where_the_match_has_no_attributes(tmp_path: Path):
    results = tmp_path / "f7.xml"
    results.write_text(
        '<SoccerFeed><SoccerDocument><Team uID="t7"><Name>Redfield City</Name>'
        '<Player uID="p71"><PersonName><First>Ann</First><Last>Archer</Last></PersonName></Player>'
        "</Team></SoccerDocument></SoccerFeed>"
    )
    log = tmp_path / "f24.xml"
    log.write_text(f"<Games><Game>{record(1, 1)}</Game></Games>")
    match = read_events(log, lineups=[results])
    assert [team.name for team in match.teams] == ["Redfield City"]
    assert match.events[0].player.name == "Ann Archer"
    results.write_text(results.read_text().replace("t7", "t9"))
    with pytest.raises(InputError, match=r"results of Redfield City; the match is 7$"):
        read_events(log, lineups=[results])


def test_of_results_that_end_too_early_the_whole_teams_are_read(tmp_path: Path):
    team = (
        '<Team uID="t{0}"><Name>T{0}</Name><Player uID="p{0}1"><PersonName><First>Ann</First>'
        "<Last>Archer</Last></PersonName></Player></Team>"
    )
    results = tmp_path / "f7.xml"
    results.write_text("<SoccerFeed><SoccerDocument>" + team.format(7) + team.format(8)[:-60])
    match = read(tmp_path, record(1, 1), lineups=[results])
    assert match.events[0].player.name == "Ann Archer"
    assert any(f"{results.name} ends too early" in doubt for doubt in match.warnings)


@pytest.mark.data
def test_a_real_log_without_attributes_and_with_an_id_twice(data: Path):
    folder = data / "feeds-more"
    log, results = folder / "kloppy_opta_f24.xml", folder / "kloppy_opta_f7.xml"
    match = read_events(log, lineups=[results])
    assert [team.name for team in match.teams] == ["FC København", "FC Nordsjælland"]
    assert len(match.events) == 66
    assert "the id '2498907287' of record 42 is already used" in match.warnings[0]


@pytest.mark.data
def test_the_real_match(data: Path):
    folder = data / "feeds" / "opta-f24"
    (f24,), (f7,) = folder.glob("f24*"), folder.glob("f7*")
    match = read_events(f24, lineups=[f7])
    assert (len(match.events), len(match.linkable)) == (1665, 1481)
    assert [team.name for team in match.teams] == ["Athletic Club", "Leganés"]
    assert all(player.name and player.shirt for player in match.players)
    counts = Counter(event.type for event in match.linkable)
    assert (counts["Substitution"], counts["Foul Committed"], counts["Foul Won"]) == (6, 25, 25)
    assert sum("card" in event.arguments for event in match.linkable) == 9
    goals = [e for e in match.linkable if e.arguments.get("outcome") == "Goal"]
    assert [(e.player.label, e.clock) for e in goals] == [
        ("Peru Nolaskoain", "27'"), ("Jonathan Silva", "33'"),
        ("Iker Muniain", "90+3'")]  # fmt: skip
    fouls = [e for e in match.linkable if e.type == "Foul Committed"]
    assert all([o.role for o in e.others] == ["fouled"] for e in fouls)
    assert all(e.others[0].player.team != e.team for e in fouls)
    assert any(name == "Raúl García" for p in match.players for name in p.names)
