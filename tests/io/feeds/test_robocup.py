"""RoboCup events: lines of steps and meanings."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from touchline import InputError, read_events
from touchline.io.feeds.robocup import meaning, parse_meaning

LOG = """\
1 | 1 | playmode ( kick_off_l )
3 | 3 | kick ( red9 )
3 | 8 | pass ( red9 , red2 )
9 | 9 | ballstopped
2 | 9 | badPass( red9 , blue10 )
2 | 9 | turnover ( red9 , blue10 )
"""


def read(folder: Path, text: str = LOG):
    path = folder / "2099final-processed-events"
    path.write_text(text)
    return read_events(path)


def test_a_log(tmp_path: Path):
    match = read(tmp_path)
    assert (match.name, match.provider) == ("2099final", "robocup")
    assert [event.id for event in match.events] == ["0", "1", "2", "3", "4", "5"]
    assert [event.time for event in match.events] == [1, 3, 3, 9, 2, 2]
    assert [team.name for team in match.teams] == ["Red", "Blue"]
    assert all(event.linkable for event in match.events)
    mode, _, passed, stopped, lost, turned = match.events
    assert (mode.player, mode.arguments) == (None, {"value": "kick_off_l"})
    assert (passed.time, passed.end) == (3, 8)
    assert (passed.player.name, passed.player.shirt, passed.team.name) == ("Red9", 9, "Red")
    assert [(o.role, o.player.id) for o in passed.others] == [("recipient", "red2")]
    assert [(o.role, o.player.team.name) for o in lost.others] == [("interceptor", "Blue")]
    assert [(o.role, o.player.id) for o in turned.others] == [("winner", "blue10")]
    assert (stopped.player, stopped.others, stopped.arguments) == (None, (), {})
    assert passed.raw == {"start": 3, "end": 8, "type": "pass", "values": ["red9", "red2"]}


def test_meanings_are_compared_without_their_spaces(tmp_path: Path):
    meanings = [meaning(event) for event in read(tmp_path).events]
    assert meanings[2:5] == [
        "pass ( red9 , red2 )",
        "ballstopped",
        "badPass ( red9 , blue10 )",
    ]
    assert parse_meaning(" badPass( red9 ,blue10 ) ") == meanings[4]
    assert parse_meaning("ballstopped") == "ballstopped"
    assert parse_meaning("") is None
    assert parse_meaning("pass ( red9") is None


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_of_other_systems(tmp_path: Path, ends: str):
    path = tmp_path / "2099final-processed-events"
    path.write_bytes(LOG.replace("\n", ends).encode())
    assert read_events(path, "robocup") == read(tmp_path)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (LOG + "10 | 1", 7),
        (LOG.replace("\n9 | 9 |", "\n\n9 | 9 |"), 4),
        (LOG.replace("( red2", "red2").replace(", red2 )", ", red2"), 3),
        (LOG + "9" * 5000 + " | 1 | ballstopped", 7),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, line: int):
    with pytest.raises(InputError, match=f"line {line}: expected `start . end . meaning`"):
        read(tmp_path, text)


def test_there_are_no_line_ups(tmp_path: Path):
    path = tmp_path / "2099final-processed-events"
    path.write_text(LOG)
    with pytest.raises(InputError, match=r"lineups\.json: RoboCup games have no line-up"):
        read_events(path, lineups=["lineups.json"])


@pytest.mark.parametrize("start", ["3 | 4 | pass", "3 | 4", "3", "3 | 4 | pass ( red9 )"])
def test_a_long_run_of_spaces_is_read_in_time(tmp_path: Path, start: str):
    began = time.process_time()
    with pytest.raises(InputError, match="line 7: expected `start"):
        read(tmp_path, LOG + start + " " * 200_000 + "x\n")
    assert parse_meaning("pass" + " " * 200_000 + "x") is None
    assert time.process_time() - began < 2
