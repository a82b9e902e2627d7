"""SRT and WebVTT, as players and recognisers write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from touchline import read_comments
from touchline.core.errors import InputError
from touchline.io.commentary import subtitles
from touchline.io.commentary.entries import Entry

FILE = Path("talk")
SRT = """1
00:00:01,500 --> 00:00:03,000
<i>Kick-off</i> at Millrace
Park &amp; away

2
00:12:34,000 --> 00:12:36,250
{\\an8}Foul by Müller
"""
VTT = """WEBVTT - English
Kind: captions

NOTE made by hand
00:00:00.000 is no cue

STYLE
::cue { color: red }

intro
00:01.500 --> 00:03.000 line:0
<v Anna>Kick-off at <c.yellow>Millrace</c> Park &amp; away

00:12:34.000 --> 00:12:36.250
Foul <00:12:35.000>by Müller
"""


def entries(text: str) -> list[tuple[object, ...]]:
    entries = [item for item in subtitles.read(FILE, text) if isinstance(item, Entry)]
    return [(entry.id, entry.time, entry.end, entry.text) for entry in entries]


@pytest.mark.parametrize(("text", "ids"), [(SRT, [1, 2]), (VTT, ["intro", None])])
def test_cues(text: str, ids: list[object]) -> None:
    words = ["Kick-off at Millrace Park & away", "Foul by Müller"]
    assert entries(text) == [(ids[0], 1.5, 3.0, words[0]), (ids[1], 754.0, 756.25, words[1])]


def test_a_number_without_a_blank_line_before_it_is_no_word() -> None:
    text = "1\n00:01,0 --> 00:02,0\nFoul\n2\n00:03,0 --> 00:04,0\nGoal\n"
    assert [(id, words) for id, _, _, words in entries(text)] == [(1, "Foul"), (2, "Goal")]


def test_a_short_fraction_is_one_of_tenths() -> None:
    text = "1\n00:01,5 --> 00:02,25\nFoul\n"
    assert [(start, end) for _, start, end, _ in entries(text)] == [(1.5, 2.25)]


def test_captions_that_roll_say_each_line_once() -> None:
    text = (
        "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n \nfirst words\n\n"
        "00:00:03.000 --> 00:00:03.010\nfirst words\n\n"
        "00:00:03.010 --> 00:00:05.000\nfirst words\nsecond words\n\n"
        "00:00:05.000 --> 00:00:05.010\nsecond words\n\n"
    )
    assert [words for *_, words in entries(text)] == ["first words", "second words"]
    shouted = "WEBVTT\n\n00:01.000 --> 00:02.000\nGoal!\n\n00:02.000 --> 00:03.000\nGoal!\n"
    assert [words for *_, words in entries(shouted)] == ["Goal!", "Goal!"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1\n99:00:05,000 --> 99:00:06,000\nFoul\n", "line 2: the time is out of range"),
        ("WEBVTT\n\nNOTE nothing\n", "no subtitles found"),
    ],
)
def test_broken_subtitles(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        subtitles.read(FILE, text)


def test_files_are_recognised_and_start_with_the_kick_off(tmp_path: Path) -> None:
    for number, text in enumerate((SRT, VTT)):
        path = tmp_path / f"{number}"
        path.write_text(text, encoding="utf-8")
        first, second = read_comments(path)
        assert (first.period, first.start, first.end, first.clock) == (1, 1.5, 3.0, "1'")
        assert second.start == 754.0


def test_cues_without_a_name_take_no_others_number(tmp_path: Path) -> None:
    path = tmp_path / "a.vtt"
    cues = ["00:10.000 --> 00:14.000\nfoo", "0\n00:15.000 --> 00:16.000\nbar",
            "00:17.000 --> 00:18.000\nbaz", "1\n00:19.000 --> 00:20.000\nqux"]  # fmt: skip
    path.write_text("WEBVTT\n\n" + "\n\n".join(cues) + "\n")
    assert [comment.id for comment in read_comments(path)] == [2, 0, 3, 1]
    path.write_text(f"WEBVTT\n\n{cues[0]}\n")
    assert [comment.id for comment in read_comments([path, path])] == ["1:0", "2:0"]


def test_empty_cues_are_no_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.srt"
    path.write_text("1\n00:01,0 --> 00:02,0\n\n2\n00:02,0 --> 00:03,0\n<i></i>\n")
    with pytest.raises(InputError, match="no comments found"):
        read_comments(path)


def test_times_between_words(tmp_path: Path) -> None:
    """As captions made by recognition have them; what rolled up is not said again."""
    path = tmp_path / "a.vtt"
    path.write_text(
        "WEBVTT\n\n00:01.000 --> 00:04.000\n"
        "Here's<00:00:01.500><c> Cole</c><00:00:02.250><c> on the left</c>\n\n"
        "00:04.000 --> 00:06.000\nHere's Cole on the left\nto<00:00:05.000><c> Costa</c>\n\n"
        "00:06.000 --> 00:07.000\nNo times\n"
    )
    first, second, third = read_comments(path)
    assert first.text == "Here's Cole on the left"
    assert first.spoken == ((0, 1.0), (7, 1.5), (12, 2.25))
    assert second.spoken[-1] == (second.text.index("Costa"), 5.0)
    assert third.spoken == ()
