"""Live text as users paste it."""

from __future__ import annotations

import time

import pytest

import touchline
from touchline.io.commentary import livetext
from touchline.io.commentary.entries import Entry, Heading


def items(text: str) -> list[tuple[str | None, str] | Heading]:
    return [
        item if isinstance(item, Heading) else (item.clock, item.text)
        for item in livetext.read(text)
    ]


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("12' Foul", "12'"),
        ("12’ Foul", "12'"),
        ("12′ Foul", "12'"),
        ("12´ Foul", "12'"),
        ("12`\tFoul", "12'"),
        ("12': Foul", "12'"),
        ("12' - Foul", "12'"),
        ("12'\u00a0– Foul", "12'"),
        ("12'Foul", "12'"),
        ("\u200e12' Foul", "12'"),
        ("12. Foul", "12'"),
        ("12 - Foul", "12'"),
        ("12: Foul", "12'"),
        ("12:Foul", "12'"),
        ("12 | Foul", "12'"),
        ("(12) Foul", "12'"),
        ("(12') Foul", "12'"),
        ("[12] Foul", "12'"),
        ("[45+2] Foul", "45+2'"),
        ("12min Foul", "12'"),
        ("12 min: Foul", "12'"),
        ("12 minutes: Foul", "12'"),
        ("Min 12: Foul", "12'"),
        ("Min. 45+2 Foul", "45+2'"),
        ("- 12' Foul", "12'"),
        ("• 12' Foul", "12'"),
        ("⚽ 12' Foul", "12'"),
        ("| 12' | Foul |", "12'"),
        ("90+4' | Foul", "90+4'"),
        ("90 + 4: Foul", "90+4'"),
        ("45'+2' Foul", "45+2'"),
        ("45 min +2: Foul", "45+2'"),
        ("45+2 Foul", "45+2'"),
        ("105+1' Foul", "105+1'"),
        ("120+2' Foul", "120+2'"),
        ("12:34 Foul", "12:34"),
        ("45:00+2:13 Foul", "45:00+2:13"),
    ],
)
def test_clock_and_words(line: str, clock: str) -> None:
    assert items(line) == [(clock, "Foul")]


@pytest.mark.parametrize(
    "line",
    [
        "3 corners in a row",
        "10 men now for Rovers",
        "10-man Rovers",
        "1-0 to the hosts",
        "1 - 0 to the hosts",
        "2:1",
        "2 : 1",
        "2-1",
        "4-4-2 for Rovers",
        "20 minutes gone",
        "5 mins of added time",
        "90's nostalgia",
        "5'10 tall",
        "2018 was a good year",
        "200' of rope",
        "£12 a ticket",
        "+3 minutes",
        "12th minute",
        "Half-time change for Rovers",
        "Penalty to Rovers!",
        "Second half of the season",
    ],
)
def test_lines_without_a_clock(line: str) -> None:
    assert items(line) == [(None, line)]


@pytest.mark.parametrize(
    ("line", "period"),
    [
        ("HT", 2),
        ("ht", 2),
        ("--- HALF-TIME ---", 2),
        ("*** Half Time ***", 2),
        ("Halftime", 2),
        ("HT: Rovers 1-0 City", 2),
        ("HALF TIME | Rovers 0-0 City", 2),
        ("Half-time: 1-0", 2),
        ("Second half", 2),
        ("2nd half", 2),
        ("SECOND HALF BEGINS", 2),
        ("First half", 1),
        ("Extra time", 3),
        ("ET", 3),
        ("Extra time, first half", 3),
        ("Extra time: second half", 4),
        ("Half-time in extra time", 4),
        ("PEN", 5),
        ("Penalties", 5),
        ("Penalty shoot-out", 5),
    ],
)
def test_headings(line: str, period: int) -> None:
    heading = livetext.read(line)[0]
    assert isinstance(heading, Heading)
    assert heading.starts == period


@pytest.mark.parametrize(
    "line", ["FT", "Full-time", "FULL TIME 2-1", "FT: Rovers 2-1 City", "Kick-off", "KO", "AET"]
)
def test_headings_that_start_no_period(line: str) -> None:
    assert items(f"12' Foul\n{line}\n13' Goal") == [("12'", "Foul"), ("13'", "Goal")]


def test_words_behind_a_heading_are_kept() -> None:
    assert items("Half-time: what a half that was") == [
        (None, "Half-time: what a half that was"),
        Heading(2),
    ]
    assert items("45+2'\nHalf-time") == [("45+2'", "Half-time"), Heading(2)]


def test_paragraphs() -> None:
    text = (
        "12'\nFoul by Archer,\nwho is booked\n\n13'\n\nA corner\n\nA song\n14' A shot\nand a save\n"
    )
    assert items(text) == [
        ("12'", "Foul by Archer, who is booked"),
        ("13'", "A corner"),
        (None, "A song"),
        ("14'", "A shot and a save"),
    ]


def test_a_clock_without_words_is_kept_once() -> None:
    assert items("12'\n12' Foul\n13'\n14' Goal\n15'") == [
        ("12'", "Foul"),
        ("13'", ""),
        ("14'", "Goal"),
        ("15'", ""),
    ]


def test_a_page_with_apostrophes_has_no_other_clocks() -> None:
    text = "1. Archer\n9. Reis\n\n12' Foul\n\n19:45 News\n\n45+2 Corner\n\n46' Goal"
    assert items(text) == [
        (None, "1. Archer 9. Reis"),
        ("12'", "Foul"),
        (None, "19:45 News"),
        ("45+2'", "Corner"),
        ("46'", "Goal"),
    ]


def test_where_an_entry_starts() -> None:
    places = [
        item.where for item in livetext.read("\n12'\nFoul\n\nSong") if isinstance(item, Entry)
    ]
    assert places == ["line 2", "line 5"]


@pytest.mark.parametrize(
    "text",
    [
        "12' Foul",
        "Rovers v City, live\n\nWelcome\n12' Foul",
        "45+2\nFoul",
        "[12] Foul\n[13] Goal",
    ],
)
def test_recognised(text: str) -> None:
    assert livetext.recognise(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It was a good day.\nNobody scored.",
        "1\n00:00:01,000 --> 00:00:02,000\nHello",
        "<html>\n12' Foul",
        "1\n2\n3",
        "\n".join(["A report in prose."] * 50 + ["12. Foul"]),
    ],
)
def test_not_recognised(text: str) -> None:
    assert not livetext.recognise(text)


@pytest.mark.parametrize("start", ["-", "12", "12'", "[", "min", "45+", "12 -", "HT", "12:30"])
@pytest.mark.parametrize("run", [" ", "-", "\t", "'", ":"])
def test_a_long_run_in_a_line_is_read_in_time(start: str, run: str) -> None:
    began = time.process_time()
    livetext.read(start + run * 200_000 + "x")
    assert time.process_time() - began < 2


def test_without_any_clock_each_line_is_an_entry() -> None:
    assert items("A foul.\nFree kick.\n\nHT\nA goal.\n") == [
        (None, "A foul."), (None, "Free kick."), Heading(2), (None, "A goal."),
    ]  # fmt: skip


@pytest.mark.parametrize("head", ["[18/11/26, 20:45:10] Ann: ", "18.11.2026, 20:45 - Ann B: "])
def test_a_chat_is_read_by_its_clocks_not_by_the_time_of_day(head, tmp_path):
    lines = ["1' Kick-off.", "23' Goal! 1-0.", "45+1' Half-time soon.", "46' Off again."]
    (tmp_path / "chat.txt").write_text("".join(f"{head}{line}\n" for line in lines))
    comments = touchline.read_comments(tmp_path / "chat.txt")
    assert [f"{c.clock} {c.text}" for c in comments] == lines
    assert [c.period for c in comments] == [1, 1, 1, 2]


@pytest.mark.parametrize(
    "lines",
    [
        ["17 mins A shot is saved.", "32 mins Goal!", "83 mins Another one."],
        ["A shot is saved. 17'", "Goal! 32'", "Another one. 83'"],
        ["A shot is saved. (17')", "Goal! (32')"],
    ],
)
def test_a_few_lines_are_enough_where_each_has_a_clock(lines):
    page = "\n".join(lines)
    assert livetext.recognise(page)
    assert [entry.clock for entry in livetext.read(page)] == ["17'", "32'", "83'"][: len(lines)]


def test_a_few_bare_numbers_are_no_clocks():
    assert not livetext.recognise("5 Titles\n20 Goals\n38 Matches")
