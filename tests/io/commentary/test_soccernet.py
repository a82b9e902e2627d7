"""SoccerNet's captions and what speech recognition writes; the captions are our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from touchline import read_comments
from touchline.core.errors import InputError
from touchline.io.commentary import with_commentary

CAPTIONS = {
    "gameHomeTeam": "Harrowmere City",
    "lineup": {"home": {"players": [{"name": "Field", "number": 6}]}},
    "annotations": [
        {"gameTime": "1 - 12:34", "label": "foul", "description": "Foul by Field &amp; co.",
         "anonymized": "Foul by [PLAYER]", "position": "754600", "important": "false"},
        {"gameTime": "1 - 20:00", "label": "Corner", "position": "1200000"},
        {"gameTime": "2 - 00:05", "label": "", "anonymized": "[PLAYER] again", "position": "abc"},
    ],
}  # fmt: skip
SEGMENTS = {
    "segments": {"0": [0.0, 5.5, " Good evening. "], "7": [5.5, 6, ""], "8": [6, 9.5, "Off!"]}
}
WHISPER = {
    "text": "Good evening. Off!",
    "segments": [
        {"id": 0, "start": 0.0, "end": 5.5, "text": " Good evening."},
        {"id": 1, "start": 6.0, "end": None, "text": " Off!"},
    ],
    "language": "en",
}


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(content: Any, name: str = "talk.json", indent: int | None = 1) -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(content, indent=indent), encoding="utf-8")
        return path

    return write


def spans(path: Path | list[Path], **more: Any) -> list[tuple[object, ...]]:
    return [(c.id, c.period, c.start, c.end, c.text) for c in read_comments(path, **more)]


@pytest.mark.parametrize("indent", [None, 1])
def test_captions(write, indent: int | None) -> None:  # type: ignore[no-untyped-def]
    path = write(CAPTIONS, indent=indent)
    assert spans(path) == [
        (0, 1, 754.6, 754.6, "Foul by Field & co."),
        (2, 2, 5.0, 5.0, "[PLAYER] again"),
    ]
    shifted = spans(path, kickoffs={1: 4.6, 2: -5})
    assert [row[2] for row in shifted] == [750.0, 10.0]


@pytest.mark.parametrize("indent", [None, 1])
def test_segments(write, indent: int | None) -> None:  # type: ignore[no-untyped-def]
    path = write(SEGMENTS, indent=indent)
    assert spans(path) == [(0, 1, 0.0, 5.5, "Good evening."), (8, 1, 6.0, 9.5, "Off!")]
    whisper = spans(write(WHISPER, indent=indent))
    assert whisper == [(0, 1, 0.0, 5.5, "Good evening."), (1, 1, 6.0, 6.0, "Off!")]


def test_a_file_a_half_has_its_number_before_the_ids(write) -> None:  # type: ignore[no-untyped-def]
    halves = [write(SEGMENTS, "1.json"), write(SEGMENTS, "2.json")]
    assert [row[:3] for row in spans(halves, kickoffs={2: 4})] == [
        ("1:0", 1, 0.0),
        ("1:8", 1, 6.0),
        ("2:0", 2, -4.0),
        ("2:8", 2, 2.0),
    ]


def test_one_recording_of_both_halves(write) -> None:  # type: ignore[no-untyped-def]
    rows = {
        "0": [0.0, 5.5, "Good evening."],
        "1": [3000, 3002, "A break."],
        "2": [3871, 3872, "Off!"],
    }
    placed = spans(write({"segments": rows}), kickoffs={1: 1, 2: 3900})
    assert [row[:4] for row in placed] == [(0, 1, -1, 4.5), (1, 1, 2999, 3001), (2, 2, -29, -28)]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"segments": {"0": [0, 1]}}, "segment 0: expected"),
        ({"segments": {"0": ["x", 1, "a"]}}, "segment 0: its start 'x' is not a number"),
        ({"segments": {"0": [1e9, 1, "a"]}}, "segment 0: 1e[+]09 seconds"),
        ({"segments": {}}, "no comments found"),
        ({"annotations": [{"gameTime": "9", "description": "a"}]}, "annotation 1: gameTime '9'"),
        ({"annotations": [{"gameTime": "1 - 00:01"}]}, "no comments found"),
    ],
)
def test_what_is_not_understood(write, content: Any, problem: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=problem):
        read_comments(write(content))
    with pytest.raises(InputError, match="expected"):
        read_comments(write([1]), "segments")


def test_kinds_of_clock_do_not_mix(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    live = tmp_path / "live.txt"
    live.write_text("12' Foul\n")
    with pytest.raises(InputError, match=r"one\.json: is timed by a recording, another"):
        read_comments([live, write(SEGMENTS, "one.json")])
    with pytest.raises(InputError, match=r"live\.txt, line 1: no exact time; kick-offs"):
        read_comments(live, kickoffs={1: 3})


def test_exact_tables_may_be_on_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "talk.csv"
    path.write_text("id,start,end,text\n1,100.0,102.5,Foul\n2,4000,4001,Goal\n")
    assert [row[:4] for row in spans(path, kickoffs={1: 90, 2: 3900})] == [
        (1, 1, 10.0, 12.5),
        (2, 2, 100.0, 101.0),
    ]


@pytest.mark.data
def test_real_speech_recognition(data: Path) -> None:
    from touchline import read_events

    folder = data / "epl-2015" / "man-city-chelsea"
    log = read_events(folder / "events.json", lineups=[folder / "lineups.json"])
    match = with_commentary(log, sorted((folder / "asr").glob("*.json")))
    first, second, *_, suspected = match.kickoffs
    assert first.seconds == pytest.approx(-3, abs=3)
    assert first.sure
    # The second recording jumps by about 70 s between its 7th and 11th minute. What lies before
    # that is too little to be sure of.
    assert second.seconds == pytest.approx(70, abs=5)
    assert suspected.seconds == pytest.approx(0, abs=8)
    assert not suspected.applied
    assert suspected.until is not None
    assert 7 * 60 <= suspected.until <= 11 * 60
    assert match.comments[0].id == "1:0"
    assert len(match.comments) == 1520
