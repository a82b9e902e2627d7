"""What recognisers get wrong: kept, put right, marked and counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from touchline import Match
from touchline.io.commentary import read_comments, with_commentary
from touchline.io.commentary.entries import Entry, Repair
from touchline.io.commentary.slips import LONG, repaired


@pytest.fixture
def heard(tmp_path: Path, small_match: Match):  # type: ignore[no-untyped-def]
    def heard(*rows: Any, **more: Any) -> Match:
        path = tmp_path / "speech.json"
        path.write_text(json.dumps({"segments": [list(row) for row in rows]}))
        return with_commentary(small_match, path, kickoffs={1: 0.0}, **more)

    return heard


def slips_of(match: Match) -> list[str]:
    return [warning for warning in match.warnings if " lines " in warning]


def test_a_loop_is_kept_marked_and_counted(heard) -> None:  # type: ignore[no-untyped-def]
    rows = [(0, 2, "Archer to Reis."), *((i, i + 1, "Thank you.") for i in range(3, 43))]
    match = heard(*rows)
    assert len(match.comments) == 41
    assert [c.repeated for c in match.comments] == [False, False, *[True] * 39]
    assert slips_of(match) == [
        "39 of 41 lines repeat earlier ones, as speech recognition does; trust them less"
    ]


@pytest.mark.parametrize(
    ("texts", "repeated"),
    [
        ("aaa", 0),
        ("aaaa", 3),
        ("aAa.a", 0),
        ("abababab", 6),
        ("ababab", 0),
        ("abcabcabcabc", 9),
        ("aaabaaab", 0),
        ("xaaaay", 3),
    ],
)
def test_what_a_loop_is(heard, texts: str, repeated: int) -> None:  # type: ignore[no-untyped-def]
    """At least four rounds of one, two or three lines; the first round is not marked."""
    match = heard(*((2 * i, 2 * i + 1, text) for i, text in enumerate(texts)))
    assert sum(c.repeated for c in match.comments) == repeated


def test_a_line_of_overlapping_windows_is_marked_once(heard) -> None:  # type: ignore[no-untyped-def]
    match = heard(
        (0, 4, "Archer shoots"), (4, 6, "wide"), (0.5, 4, "Archer shoots."), (8, 9, "wide")
    )
    assert [c.repeated for c in match.comments] == [False, False, True, False]


def test_zero_length_lines_are_moments(heard) -> None:  # type: ignore[no-untyped-def]
    match = heard((5, 5, "Archer"), (5, 5, "Reis"))
    assert [(c.start, c.end, c.repeated) for c in match.comments] == [(5, 5, False)] * 2
    assert match.comments[0].second_at(3) == 5
    assert slips_of(match) == []


def test_ends_before_starts(heard) -> None:  # type: ignore[no-untyped-def]
    match = heard((5, 3, "Archer"), (6, 7, "Reis"))
    assert [(c.start, c.end) for c in match.comments] == [(5, 5), (6, 7)]
    assert slips_of(match) == [
        "1 of 2 lines end before they start; they are taken to end with their last word"
    ]


def test_words_out_of_their_line() -> None:
    words = ((0, 3.0), (1, 9.5), (2, 12.0), (3, 40.0))
    line = Entry(text="abcd", time=10.0, end=14.0, spoken=words)
    assert repaired(line) == msgspec.structs.replace(line, spoken=words[1:3])
    backwards = repaired(msgspec.structs.replace(line, end=4.0, spoken=words[:3]))
    assert (backwards.end, backwards.spoken) == (12.0, words[1:3])
    long = repaired(msgspec.structs.replace(line, end=4000.0, spoken=words[1:3]))
    assert (long.end, long.repair) == (14.0, Repair.OVERLONG)


def test_a_subtitle_that_ends_before_it_starts(tmp_path: Path, small_match: Match) -> None:
    path = tmp_path / "a.srt"
    path.write_text("1\n00:00:05,000 --> 00:00:01,000\nArcher\n")
    match = with_commentary(small_match, path, kickoffs={1: 0.0})
    assert [(c.start, c.end) for c in match.comments] == [(5, 5)]
    assert slips_of(match) == [
        "1 of 1 lines end before they start; they are taken to end with their last word"
    ]


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_lines_without_a_time(heard, nothing: float | None) -> None:  # type: ignore[no-untyped-def]
    match = heard((nothing, 3, "Well"), (5, 7, "Archer"), (nothing, nothing, "Reis"), (9, 10, "x"))
    assert [(c.start, c.end) for c in match.comments] == [(5, 5), (5, 7), (7, 7), (9, 10)]
    assert slips_of(match) == [
        "2 of 4 lines have no time; they are placed after the line before them"
    ]


def test_times_that_jump_back(heard) -> None:  # type: ignore[no-untyped-def]
    match = heard((90, 92, "Archer"), (2, 3, "Reis"), (80, 81, "x"), (30, 31, "a little"))
    assert [c.start for c in match.comments] == [90, 2, 80, 30]
    (warning,) = slips_of(match)
    assert warning.startswith("1 of 4 lines start a minute or more before the last one; if rec")


def test_a_line_cannot_last_for_half_an_hour(heard) -> None:  # type: ignore[no-untyped-def]
    match = heard((10, 1800, "Thanks for watching"), (1801, 1920, "word " * 70))
    first, second = match.comments
    assert (first.start, first.end) == (10, 130)
    assert (second.start, second.end) == (1801, 1920)
    assert slips_of(match)[0] == "1 of 2 lines last longer than their words can; their ends are cut"


def test_a_line_a_minute(heard) -> None:  # type: ignore[no-untyped-def]
    """It stays a line with a warning; asked for sentences, it is split where nothing else does."""
    minutes = [(60 * i, 60 * i + 60, f"archer{i} and reis " * 20) for i in range(3)]
    match = heard(*minutes)
    assert len(match.comments) == 3
    (warning,) = slips_of(match)
    assert warning == (
        "3 of 3 lines are longer than 30 s; what they describe is placed roughly; "
        "--sentences splits them"
    )
    cut = heard(*minutes, sentences=True)
    assert [c.id for c in cut.comments] == ["0.1", "0.2", "1.1", "1.2", "2.1", "2.2"]
    assert all((c.end or 0) - (c.start or 0) <= LONG for c in cut.comments)
    assert slips_of(cut) == []


def test_lines_in_other_languages_and_without_words(heard) -> None:  # type: ignore[no-untyped-def]
    rows = [(0, 2, "Archer shoots"), (2, 4, "Спасибо за просмотр"), (4, 6, "字幕"), (6, 8, "  "),
            (8, 9, "♪"), (9, 10, "and reis with no punctuation at all")]  # fmt: skip
    match = heard(*rows)
    assert [c.id for c in match.comments] == [0, 1, 2, 4, 5]
    assert [c.text for c in match.comments] == [row[2] for row in rows if row[2].strip()]


def test_a_table_of_speech_is_marked_too(tmp_path: Path) -> None:
    path = tmp_path / "comments.jsonl"
    rows = [{"id": i, "period": 1, "time": i, "end": i + 1, "text": "Deeney"} for i in range(5)]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert [c.repeated for c in read_comments(path)] == [False, *[True] * 4]
    live = [{"id": i, "period": 1, "clock": "5'", "text": "Goal!"} for i in range(5)]
    path.write_text("\n".join(map(json.dumps, live)))
    assert not any(c.repeated for c in read_comments(path))
