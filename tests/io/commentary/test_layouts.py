"""Live pages as they are pasted: one text in many layouts, always the same comments and clocks.

Each layout is a small renderer in the form of some site. All of them have both halves, added time,
goals and headings; the words are those of the bundled sample.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from touchline import read_comments
from touchline.core.clocks import parse_clock
from touchline.io.commentary import livetext, recognise
from touchline.io.corpus.layout import LabelledMatch


class Line(NamedTuple):
    """An entry of the page: minute, added minute if any, and words."""

    minute: int
    added: int | None
    text: str

    @property
    def clock(self) -> str:
        return f"{self.minute}+{self.added}'" if self.added else f"{self.minute}'"


Render = Callable[[list[Line], list[Line]], str]
LAYOUTS: dict[str, Render] = {}


def layout(render: Render) -> Render:
    LAYOUTS[render.__name__] = render
    return render


def joined(first: list[str], second: list[str], heading: str, gap: str = "\n") -> str:
    return gap.join([*first, heading, *second]) + "\n"


def each(
    form: Callable[[Line], str], heading: str = "HT", gap: str = "\n", top: str = "", end: str = ""
) -> Render:
    """Entries in the order of play with a heading at the break."""

    def render(first: list[Line], second: list[Line]) -> str:
        body = joined([form(one) for one in first], [form(one) for one in second], heading, gap)
        return top + body + end

    return render


def newest_first(
    form: Callable[[Line], str], heading: str = "Half-time", gap: str = "\n"
) -> Render:
    def render(first: list[Line], second: list[Line]) -> str:
        return joined([form(o) for o in second[::-1]], [form(o) for o in first[::-1]], heading, gap)

    return render


def plus(one: Line, form: str, added: str) -> str:
    return added.format(m=one.minute, a=one.added) if one.added else form.format(m=one.minute)


def is_goal(one: Line) -> bool:
    return "goal" in one.text.lower()


LAYOUTS |= {
    # Clock before the words.
    "ordinals in brackets": each(lambda o: f"{plus(o, '({m}.)', '({m}.+{a})')} {o.text}"),
    "ordinal minutes": each(lambda o: f"{plus(o, '{m}th minute:', '{m}+{a}th minute:')} {o.text}"),
    "flashscore": each(lambda o: f"{o.clock} {o.text}"),
    "bbc": newest_first(lambda o: f"{plus(o, '{m} mins', '{m}+{a} mins')}\n{o.text}", gap="\n\n"),
    "bbc-apostrophes": newest_first(
        lambda o: plus(o, "{m}'", "{m}'+{a}'") + f"\n{o.text}", heading="HALF-TIME", gap="\n\n"
    ),
    "bbc-mins": each(
        lambda o: plus(o, "{m} mins", "{m} (+{a}mins)") + f" {o.text}", heading="HALF TIME"
    ),
    "sky": each(
        lambda o: f"{plus(o, '{m}', '{m}+{a}')}\n{o.text}", heading="HALF-TIME", gap="\n\n"
    ),
    "sky-dash": each(lambda o: f"{o.clock} - {o.text}", heading="HT: 0-0"),
    "guardian": newest_first(
        lambda o: plus(o, "{m} min: ", "{m}+{a} min: ") + o.text, heading="Half time", gap="\n\n"
    ),
    "guardian-mins": each(lambda o: plus(o, "{m} mins: ", "{m}+{a} mins: ") + o.text, gap="\n\n"),
    "espn": each(lambda o: plus(o, "{m}'", "{m}'+{a}'") + f"\t{o.text}"),
    "espn-two-lines": newest_first(lambda o: f"{plus(o, '{m}′', '{m}′+{a}′')}\n{o.text}"),
    "kicker": each(
        lambda o: plus(o, "{m}. ", "{m}. + {a} ") + o.text, heading="Halbzeit", gap="\n\n"
    ),
    "kicker-line": newest_first(
        lambda o: plus(o, "{m}.", "{m}.+{a}") + f"\n{o.text}", heading="Halbzeitpause", gap="\n\n"
    ),
    "kicker-time-of-day": each(
        lambda o: plus(o, "{m}' ", "{m}'+{a} ") + o.text,
        heading="Halbzeit",
        top="18:25 Uhr\nHerzlich willkommen!\n18.11.2026\n\n",
    ),
    "kicker-minute": each(
        lambda o: plus(o, "{m}. Minute: ", "{m}.+{a} Minute: ") + o.text, heading="2. Halbzeit"
    ),
    "marca": newest_first(
        lambda o: plus(o, "Min. {m} ", "Min. {m}+{a} ") + o.text, heading="Descanso"
    ),
    "as": each(lambda o: plus(o, "{m}´ ", "{m}´+{a}´ ") + o.text, heading="Segunda parte"),
    "lequipe": newest_first(
        lambda o: plus(o, "{m}e ", "{m}e+{a} ") + o.text, heading="Mi-temps", gap="\n\n"
    ),
    "gazzetta": each(lambda o: plus(o, "{m}° ", "{m}°+{a} ") + o.text, heading="Intervallo"),
    "uefa": newest_first(
        lambda o: plus(o, "{m}'", "{m}'+{a}'") + f"\n\n{o.text}", heading="Half-time", gap="\n\n"
    ),
    "livescore": each(
        lambda o: (
            f"{o.minute - 1}:30{f'+{o.added - 1}:30' if o.added else ''} {o.text}"
            if not o.added
            else f"{o.minute}:00+{o.added - 1}:30 {o.text}"
        )
    ),
    "onefootball": each(lambda o: f"{'⚽' if is_goal(o) else '📋'} {o.clock} {o.text}"),
    "icons-behind": each(lambda o: f"{o.clock} {'⚽️ ' if is_goal(o) else ''}{o.text}"),
    "bold": each(lambda o: f"**{o.clock}** {o.text}", heading="**HT**"),
    "bold-list": each(lambda o: f"- **{o.clock}** – {o.text}", heading="---\nHalf-time\n---"),
    "bracketed": each(lambda o: plus(o, "[{m}] ", "[{m}+{a}] ") + o.text),
    "round-brackets": each(lambda o: f"({o.clock}) {o.text}"),
    "colon": each(lambda o: plus(o, "{m}: ", "{m}+{a}: ") + o.text),
    "pipes": each(lambda o: f"| {o.clock} | {o.text} |"),
    "spaced": each(lambda o: plus(o, "{m} ' ", "{m} + {a} ' ") + o.text),
    "plus-word": each(lambda o: plus(o, "{m} min ", "{m} plus {a} min ") + o.text),
    "bare": each(lambda o: plus(o, "{m} ", "{m}+{a} ") + o.text),
    "bare-newest-first": newest_first(lambda o: plus(o, "{m} ", "{m}+{a} ") + o.text),
    "mins": newest_first(lambda o: plus(o, "{m} mins ", "{m} (+{a} mins) ") + o.text),
    # Clock behind or below the words.
    "at-end": each(lambda o: f"{o.text} {o.clock}"),
    "at-end-brackets": newest_first(lambda o: f"{o.text} ({o.clock})"),
    "at-end-pipe": each(lambda o: f"{o.text} | {plus(o, '{m} min', '{m}+{a} min')}"),
    "below": each(lambda o: f"{o.text}\n{o.clock}", gap="\n\n"),
    "below-newest-first": newest_first(lambda o: f"{o.text}\n{o.clock}", gap="\n\n"),
    # More on the page.
    "with-menus": each(
        lambda o: f"{o.clock} {o.text}",
        top="Live\nTable\nLine-ups\n1. Rovers\n2. City\n4-4-2\nKick-off 20:45\n\n",
        end="FT\nMore stories\n",
    ),
    "each-half-from-its-title": each(
        lambda o: f"{o.clock} {o.text}",
        heading="SECOND HALF",
        top="FIRST HALF\n",
        end="FULL TIME\n",
    ),
}


@pytest.fixture(scope="module")
def page(sample: list[LabelledMatch]) -> tuple[list[Line], list[Line]]:
    """About twenty lines of each half of the sample, with added time and goals."""
    halves: tuple[list[Line], list[Line]] = ([], [])
    for comment in sample[0].match.comments:
        clock = parse_clock(comment.clock or "")
        assert clock is not None
        text = re.sub(r"\s+", " ", comment.text).strip()
        halves[comment.period - 1].append(Line(clock.minute, clock.added, text))
    picked = []
    for half in halves:
        kept = [o for n, o in enumerate(half) if n % 3 == 0 or o.added or is_goal(o)]
        picked.append(sorted(kept, key=lambda o: (o.minute, o.added or 0)))
    first, second = picked
    assert any(one.added for one in first)
    assert any(one.added for one in second)
    assert any(map(is_goal, first + second))
    return first, second


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_is_read_with_its_clocks(
    name: str, page: tuple[list[Line], list[Line]], tmp_path: Path
):
    text = LAYOUTS[name](*page)
    path = tmp_path / "page.txt"
    path.write_text(text, encoding="utf-8")
    assert recognise(path, text) == "live"
    comments = read_comments(path)
    expected = {}
    for period, half in enumerate(page, 1):
        for one in half:
            expected[one.text] = (period, one.minute, one.added)
    read = {}
    for comment in comments:
        words = re.sub(r"^[⚽️📋\s]+", "", comment.text)
        if words in expected:
            clock = parse_clock(comment.clock or "")
            exact = clock is not None and clock.second is not None
            minute = clock and clock.minute + (exact and clock.added is None)
            added = clock and (clock.added + exact if clock.added is not None else None)
            read[words] = (comment.period, minute, added)
    assert read == expected


def test_there_are_enough_layouts():
    assert len(LAYOUTS) >= 35


NO_CLOCKS = [
    "4-4-2 for Rovers, and City line up in a 3-5-2.",
    "2 goals in 10 minutes have turned this match around.",
    "1-0 to the hosts after a quiet start.",
    "18 November 2026",
    "18. November 2026",
    "18.11.2026",
    "2026-11-18",
    "18/11/2026",
    "18:25 Uhr",
    "7.45 pm kick-off",
    "20:45 CET",
    "3 points for the win, 1 for a draw.",
    "10 men now for Rovers.",
    "100 appearances for Archer today.",
]


@pytest.mark.parametrize("line", NO_CLOCKS)
def test_numbers_that_are_no_clocks(line: str):
    text = f"{line}\n\n12' Foul by Archer.\n13' A corner.\n45+2' A shot.\n"
    found = [item for item in livetext.read(text) if getattr(item, "text", None) == line]
    assert [item.clock for item in found] == [None]


@pytest.mark.parametrize("line", NO_CLOCKS)
def test_nor_do_they_make_a_live_text(line: str):
    assert not livetext.recognise("\n".join([line, "A report.", "Nobody scored."]))


def test_a_list_of_shirts_is_no_page_of_bare_clocks():
    text = "9 Archer\n4 Brook\n11 Cole\n1 Dean\n7 Eve\n22 Fox\n3 Gray\n10 Hill\n"
    assert not livetext.recognise(text)


def test_a_time_of_the_day_above_each_entry_is_no_clock():
    entries = "\n\n".join(f"20:{m:02d}\n{m}'\nA pass by Archer, {m}." for m in (3, 9, 14, 21))
    comments = [item for item in livetext.read(entries) if item.clock]
    assert [one.clock for one in comments] == ["3'", "9'", "14'", "21'"]
