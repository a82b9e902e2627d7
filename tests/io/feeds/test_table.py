"""The generic table: the same match from CSV, JSON Lines and a JSON list."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from touchline import InputError, Match, read_events
from touchline.io.feeds.table.reader import ROLES

ROWS: list[dict[str, Any]] = [
    {"id": "a", "type": "Foul", "period": 1, "time": 12.5, "team": "Reds", "player": "Ann",
     "fouled": "Cyril", "card": "Yellow", "x": 50, "y": 10},
    {"id": "b", "type": "Pass", "period": 1, "time": 20, "team": "Reds", "player": "Ann",
     "player_id": "p1", "recipient": "Bo", "end_x": 100, "end_y": 50, "cross": "yes",
     "related": "a c"},
    {"id": "c", "type": "Shot", "period": 2, "time": 3, "team": "Blues", "player": "Cyril",
     "nickname": "Cy", "shirt": 7, "keeper": "Zed", "linkable": "no"},
    {"id": "d", "type": "Pass", "period": 1, "time": 25, "team": "Reds", "player": "Bo",
     "team_id": 31},
]  # fmt: skip


def as_csv(rows: list[dict[str, Any]], delimiter: str = ",") -> str:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def as_lines(rows: list[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, rows)) + "\n"


def read(folder: Path, text: str, provider: str | None = None) -> Match:
    (folder / "match.txt").write_text(text, newline="")
    return read_events(folder / "match.txt", provider)


def without_raw(match: Match) -> tuple[Any, ...]:
    events = [msgspec.structs.replace(event, raw={}) for event in match.events]
    return match.name, events, match.teams, match.players


def test_a_table(tmp_path: Path):
    match = read(tmp_path, as_csv(ROWS))
    assert (match.name, match.provider) == ("match", "table")
    assert [event.id for event in match.events] == ["a", "b", "d", "c"]
    foul, passed, _, shot = match.events
    assert (foul.type, foul.time, foul.team.name, foul.player.name) == ("Foul", 12.5, "Reds", "Ann")
    assert foul.arguments == {"card": "Yellow", "zone": "middle left"}
    assert foul.location == (60.0, 8.0)
    assert passed.end_location == (120.0, 40.0)
    assert passed.arguments == {"cross": "yes", "end_zone": "front centre"}
    assert passed.related == ("a", "c")
    assert not shot.linkable
    assert (shot.player.nickname, shot.player.shirt) == ("Cy", 7)
    assert foul.raw["card"] == "Yellow"


@pytest.mark.parametrize(
    "text",
    [
        as_csv(ROWS, ";"),
        as_csv(ROWS, "\t"),
        as_csv(ROWS, "|"),
        as_csv(ROWS).replace("\r\n", "\r"),
        as_csv(ROWS).replace("id,type,period", '"ID", Type ,PERIOD').replace("end_x", "End X"),
        as_csv(ROWS).replace(",,", ",NaN,").replace(",,", ",nan,"),
        as_csv(ROWS).replace(",,", ",NA,").replace(",,", ",null,"),
        "\n" + as_csv(ROWS),
        as_lines(ROWS),
        as_lines(ROWS).replace("\n", "\n\n"),
        as_lines(ROWS).replace('"a c"', '["a", "c"]').replace('"no"', "false"),
        as_lines(ROWS).replace('"period": 1', '"period": "1"').replace('"cross"', '"Cross"'),
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        json.dumps([{**ROWS[0], "keeper": None, "qualifiers": [1, 2]}, *ROWS[1:]]),
    ],
)
def test_every_form_gives_the_same_match(tmp_path: Path, text: str):
    assert without_raw(read(tmp_path, text)) == without_raw(read(tmp_path, as_csv(ROWS)))


def test_an_opponent_is_found_in_his_own_team_whoever_comes_first(tmp_path: Path):
    match = read(tmp_path, as_csv(ROWS))
    foul, passed, own, shot = match.events
    assert foul.others[0].player == shot.player
    assert foul.others[0].player.team.name == "Blues"
    assert passed.others[0].player == own.player
    assert shot.others[0].player.team.name == "Reds"  # Zed has no event of their own
    assert len([p for p in match.players if p.name == "Cyril"]) == 1


def test_a_name_in_both_teams_is_distinguished_by_the_role(tmp_path: Path):
    rows = [
        {"type": "Pass", "time": 1, "team": "Reds", "player": "Silva", "recipient": "Silva"},
        {"type": "Foul", "time": 2, "team": "Reds", "player": "Ann", "fouled": "Silva"},
        {"type": "Pass", "time": 3, "team": "Blues", "player": "Silva"},
    ]
    passed, foul, _ = read(tmp_path, as_csv(rows)).events
    assert passed.others[0].player.team.name == "Reds"
    assert foul.others[0].player.team.name == "Blues"


def test_what_later_rows_know_of_a_player_is_kept(tmp_path: Path):
    rows = [
        {"type": "Pass", "time": 1, "player": "Ann", "nickname": "", "shirt": 9},
        {"type": "Pass", "time": 2, "player": "Ann", "nickname": "Annie", "shirt": ""},
    ]
    match = read(tmp_path, as_csv(rows))
    assert [(player.nickname, player.shirt) for player in match.players] == [("Annie", 9)]
    assert match.events[0].player is match.players[0]


def test_two_players_of_one_name_and_team_are_distinguished_by_id(tmp_path: Path):
    rows = [
        {"type": "Pass", "time": n, "team": "Reds", "player": "Silva", "player_id": n}
        for n in (1, 2)
    ]
    assert [player.id for player in read(tmp_path, as_csv(rows)).players] == ["1", "2"]


@pytest.mark.parametrize("role", ROLES)
def test_roles(tmp_path: Path, role: str):
    rows = [{"type": "A", "time": 1, "player": "Ann", role: "Bo"}]
    (other,) = read(tmp_path, as_csv(rows)).events[0].others
    assert (other.role, other.player.name) == (role, "Bo")


@pytest.mark.parametrize(
    ("row", "period", "seconds"),
    [
        ({"time": -2.5}, 1, -2.5),
        ({"period": 2, "minute": 46, "second": 30}, 2, 90),
        ({"period": "2.0", "minute": 46}, 2, 60),
        ({"minute": 1, "second": 5}, 1, 65),
        ({"period": 5, "minute": 121}, 5, 60),
        ({"half": "2H", "minute": 46}, 2, 60),
        ({"Half": "First half", "time": 3}, 1, 3),
        ({"match_period": "Second half", "time": 3}, 2, 3),
        ({"period": 2, "minute": 5}, 2, 300),
        ({"minute": 50, "second": 1}, 2, 301),
        ({"minute": "45+2", "second": 10}, 1, 2830),
        ({"minute": "45+2'"}, 1, 2820),
        ({"minute": "12:34"}, 1, 754),
        ({"minute": 12.5}, 1, 750),
        ({"minute": "90+3"}, 2, 2880),
        ({"minute": 95}, 2, 3000),
        ({"minute": 106}, 4, 60),
        ({"minute": "105+1"}, 3, 960),
        ({"minute": "90+16"}, 2, 3660),
        ({"time": 3900}, 1, 3900),
        ({"time": 4000}, 2, 1300),
    ],
)
def test_times(tmp_path: Path, row: dict[str, Any], period: int, seconds: float):
    (event,) = read(tmp_path, as_csv([{"type": "Pass", **row}])).events
    assert (event.period, event.time) == (period, seconds)


def periods(folder: Path, column: str, values: list[Any], **more: Any) -> list[tuple[int, float]]:
    rows = [{"type": "Pass", column: value, **more} for value in values]
    events = {event.id: event for event in read(folder, as_csv(rows)).events}
    return [(events[str(n)].period, events[str(n)].time) for n in range(len(rows))]


def test_without_periods_the_clock_gives_them(tmp_path: Path):
    text = "type,minute,second,player,team\nShot,12,5,Ann Lee,Reds\nFoul,50,1,Jo Day,Blues\n"
    assert [(e.period, e.time) for e in read(tmp_path, text).events] == [(1, 725), (2, 301)]


def test_extra_time_shows_in_the_latest_minute(tmp_path: Path):
    assert periods(tmp_path, "minute", [44, 92, "90+3", 104, 105, 118]) == [
        (1, 2640), (3, 120), (2, 2880), (3, 840), (4, 0), (4, 780)]  # fmt: skip
    assert periods(tmp_path, "minute", [44, 92, "90+3", 104]) == [
        (1, 2640), (2, 2820), (2, 2880), (2, 3540)]  # fmt: skip


def test_a_clock_that_runs_on_and_falls_back(tmp_path: Path):
    minutes = [1, 44, 46, 47, 45, 46, 89, 93, 90, 104, 107, 105, 119]
    assert [period for period, _ in periods(tmp_path, "minute", minutes)] == [
        1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4]  # fmt: skip
    # Not in the order of play, falls say nothing.
    assert periods(tmp_path, "minute", [47, 46, 12]) == [(2, 120), (2, 60), (1, 720)]
    assert periods(tmp_path, "minute", [12, 47, 46, 3])[1] == (2, 120)


def test_times_too_long_for_a_half_are_on_the_match_clock(tmp_path: Path):
    assert periods(tmp_path, "time", [10, 2699, 2700, 5500]) == [
        (1, 10), (1, 2699), (2, 0), (2, 2800)]  # fmt: skip
    assert periods(tmp_path, "time", [10, 2700, 2900]) == [(1, 10), (1, 2700), (1, 2900)]
    assert periods(tmp_path, "time", [10, 5500], period=2) == [(2, 10), (2, 5500)]


@pytest.mark.parametrize(("column", "unit"), [("time", 60), ("minute", 1)])
def test_halves_that_both_count_from_zero_need_their_period(tmp_path: Path, column: str, unit: int):
    minutes = [unit * minute for minute in (1, 20, 46, 1, 30, 48)]
    with pytest.raises(InputError, match=r"line 5: the clock restarts here.*`period`"):
        periods(tmp_path, column, minutes)
    assert periods(tmp_path, column, minutes[3:], period=2)[0] == (2, 60)


def test_a_row_without_the_period_that_others_have(tmp_path: Path):
    text = "type,period,time,minute\nPass,2,3,\nShot,,,50\nFoul,,7,\n"
    with pytest.raises(InputError, match="line 4: no period, although other rows have one"):
        read(tmp_path, text)
    assert [e.period for e in read(tmp_path, text.rpartition("Foul")[0]).events] == [2, 2]


@pytest.mark.parametrize("names", ["Bo|Di", " Bo | Di ", ["Bo", "Di", None]])
def test_several_players_of_one_role(tmp_path: Path, names: Any):
    row = {"type": "Shot", "time": 1, "player": "Ann", "team": "Reds", "blocker": names}
    (event,) = read(tmp_path, json.dumps([row])).events
    assert [(o.role, o.player.name) for o in event.others] == [("blocker", "Bo"), ("blocker", "Di")]


def test_a_very_long_field(tmp_path: Path):
    text = f"type,time,note\nPass,1,{'x' * 600_000}\n"
    assert len(read(tmp_path, text).events[0].arguments["note"]) == 600_000


def test_many_columns_are_checked_in_time(tmp_path: Path):
    header = ",".join(f"c{n}" for n in range(50_000))
    began = time.process_time()
    assert len(read(tmp_path, f"type,time,{header}\nPass,1\n").events) == 1
    assert time.process_time() - began < 5


def test_more_cells_than_a_match_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Cells without a value take no memory, and tables of many columns are mostly empty."""
    monkeypatch.setattr("touchline.io.feeds.table.rows.MAX_CELLS", 6)
    text = "minute,second,type,a,b\n1,0,Pass,,\n2,0,Shot,,\n"
    assert len(read(tmp_path, text).events) == 2
    with pytest.raises(InputError, match=r"line 4.*6 cells with a value; leave out columns"):
        read(tmp_path, text + "3,0,Pass,,\n")
    objects = [{"minute": n, "type": "Pass", "a": "x", "b": None} for n in range(3)]
    with pytest.raises(InputError, match=r"record 3.*6 cells with a value"):
        read(tmp_path, json.dumps(objects))


def test_an_id_is_the_number_of_the_row_where_there_is_none(tmp_path: Path):
    rows = [{"type": "Pass", "time": 9}, {"type": "Shot", "time": 1}]
    assert [event.id for event in read(tmp_path, as_csv(rows)).events] == ["1", "0"]


HEAD = "id,type,time,period,x,y\n1,Pass,1,1,0,0\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "2,Pass,soon,1,0,0\n", "line 3: time 'soon' is not a number"),
        (HEAD + "2,Pass,inf,1,0,0\n", "line 3: time 'inf' is not a number"),
        (HEAD + "2,Pass,1e308,1,0,0\n", r"line 3: time 1e\+308 is out of range for a match"),
        (HEAD + "2,Pass,-1e9,1,0,0\n", r"line 3: time -1e\+09 is out of range for a match"),
        ("type,minute\nPass,754\n", "line 2: minute 754.0 is invalid"),
        ("type,minute\nPass,soon\n", "line 2: minute 'soon' is invalid"),
        ("type,minute,second\nPass,3,75\n", "line 2: second must be 0-59, got 75"),
        ("type,time,half\nPass,1,third\n", "line 2: period 'third' is invalid"),
        ('[{"type": "Pass", "time": 1, "keeper": {"id": 1}}]', "record 1: players of a role"),
        (HEAD + "2,Pass,,1,0,0\n", "line 3: no time; expected `time`"),
        (HEAD + "2,,1,1,0,0\n", "line 3: no type"),
        (
            HEAD + "2,Pass,1,0,0,0\n",
            "line 3: period '0' is invalid; expected 1, 2",
        ),
        (HEAD + "2,Pass,1,1.5,0,0\n", "line 3: period '1.5'"),
        (HEAD + "2,Pass,1,1,120,80\n", "line 3: x = 120, y = 80; expected percent"),
        (HEAD + "1,Pass,1,1,0,0\n" * 4, "line 6: the id '1' is already used by line 2"),
        (HEAD + "2,Pass,1,1,0,0,0\n", "line 3: more fields than the header"),
        (HEAD + '2,"Pass,1,1\n', "line 3: not a valid table"),
        ("\n\n" + HEAD + "2,Pass,x\n", "line 5: time 'x'"),
        ("type,time,outcome,outcome\nPass,1,a,b\n", "line 1: two columns called `outcome`"),
        (HEAD[:24], "no events found"),
        ("type,time,Type\nPass,1,Shot\n", "line 1: two columns called `type`"),
        ('{"type": "Pass", "time": 1}\n{"type": "Pass", "ti', "line 2: the JSON is truncated"),
        ('{"type": "Pass", "time": 1}\n[1]\n', "line 2: Expected `object`, got `array`"),
        ('{"type": "Pass", "time": true}\n', "line 1: time True is not a number"),
        ('{"type": "Pass", "time": 1' + "0" * 400 + "}\n", "line 1: time 1.* is not a number"),
        (
            '{"type": "Pass", "time": 1, "team": {"id": 3}}\n',
            "line 1: `team` is not a single value",
        ),
        ('[{"type": "Pass", "time": 1}, {"type": "Pass"}]', "record 2: no time"),
        ('[{"type": "Pass", "time": 1}, 3]', "not a list of flat objects"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, text: str, message: str):
    with pytest.raises(InputError, match=rf"match\.txt(, |: ){message}"):
        read(tmp_path, text)


def test_a_table_without_a_type_column_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match=r"line 1: .* without the required column `type`"):
        read(tmp_path, "time,player\n1,Ann\n", "table")


def test_a_table_has_no_line_ups(tmp_path: Path):
    (tmp_path / "match.csv").write_text(HEAD)
    with pytest.raises(InputError, match=r"lineups\.json: a table has no line-up files"):
        read_events(tmp_path / "match.csv", lineups=["lineups.json"])


def columns_doubt(tmp_path: Path, text: str) -> str:
    (tmp_path / "match.csv").write_text(text)
    return " ".join(read_events(tmp_path / "match.csv").warnings)


def test_columns_that_are_not_understood_are_named(tmp_path: Path):
    text = 'type,time,player,outcome,xg,spot,frame\nShot,1,Ann,Goal,0.31,"[60, 40]",{}\n'
    doubt = columns_doubt(tmp_path, text + 'Shot,2,Bo,,0.02,"[61, 40]",{}\n')
    assert "columns understood: type, time, player; arguments of events: outcome;" in doubt
    assert "not understood: xg, spot, frame" in doubt
    events = read_events(tmp_path / "match.csv").events
    assert [dict(event.arguments) for event in events] == [{"outcome": "Goal"}, {}]


def test_a_table_without_players_and_teams_is_doubted(tmp_path: Path):
    doubt = columns_doubt(tmp_path, "type,time,spieler\nPass,1,Ann\nShot,2,Bo\n")
    assert "no column `player`; columns understood: type, time; arguments of events: spiel" in doubt


def test_other_names_of_columns_are_known(tmp_path: Path):
    text = "event_type,time,player_name,team_name,event_id\nPass,1,Ann,Reds,x7\n"
    assert columns_doubt(tmp_path, text) == ""
    (event,) = read_events(tmp_path / "match.csv").events
    assert (event.id, event.type, event.player.name, event.team.name) == (
        "x7",
        "Pass",
        "Ann",
        "Reds",
    )


def test_a_table_that_is_understood_is_not_doubted(tmp_path: Path):
    assert columns_doubt(tmp_path, "type,time,player,team,outcome\nPass,1,Ann,Reds,Out\n") == ""
