"""Live text as copied from a page: a clock, then words, one entry a line or a paragraph.

Understands `12' ...`, `45+2' ...`, `45'+2' ...`, `90 + 4: ...`, `12:34 ...`, `[12] ...`,
`12 min: ...`, a clock on a line of its own, and headings (HT, FT, Second half ...). Where there is
no clock at all, each line is an entry.
"""

from __future__ import annotations

import re

from touchline.core.clocks import CLOCK, ENDS, clock_of
from touchline.io.commentary.entries import SHOOTOUT, Entry, Heading, has_clock

LATEST = 130  # no number beyond this is a minute
_BULLETS = r"""[^\w\s'"’‘“”+(\[-]{0,4} | -"""  # list marks and pictures in front of the clock
# `*+` keeps what it took: two runs of spaces side by side must not share them out in all ways.
_LINE = re.compile(
    rf"""
    \s*+ (?:{_BULLETS}) \s*+ (?P<open>[\[(])? \s*+ (?P<word>min(?:ute)?\.?\s*+)? (?P<clock>{CLOCK})
    \s* (?P<close>[\])])?
    (?P<mark> \s*[:|–—-]+ | \.(?=\s) )?
    (?P<text> \s.* | $ | (?<=[:|])[^\W\d].* | (?<=[^\w\s:|.–—-])(?-i:[^\da-z]).* )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SCORE_LINE = re.compile(r"\W*\d\s*[-–—:]\s*\d(?:\D|$)")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))

_HALF = r"(?:\s*[:,–-]\s*|\s+)(?:{})[\s-]+half"
_FIRST, _SECOND = r"(?:the\s+)?(?:first|1st)", r"(?:the\s+)?(?:second|2nd)"
_EXTRA = r"(?:ET|extra[\s-]*time)"
_SHOOTOUT, _BEGINS = r"shoot[\s-]*outs?", r"(?:begins|starts|(?:is\s+)?under\s*way)"
# What pages write between the halves, alone or before a score; 0 starts no period. A title stands
# above its half, the others between two.
_HEADINGS = (
    (Heading(4), rf"half[\s-]*time\s+(?:in|of)\s+{_EXTRA}|(?:AET|ET)\s*HT"),
    (Heading(4, title=True), _EXTRA + _HALF.format(_SECOND)),
    (Heading(3, title=True), _EXTRA + rf"(?:{_HALF.format(_FIRST)})?"),
    (
        Heading(5, title=True),
        rf"(?:the\s+)?(?:pen(?:alties|alty\s+{_SHOOTOUT}|s)?|{_SHOOTOUT})(?:\s+{_BEGINS})?",
    ),
    (Heading(2), r"HT|half[\s-]*time"),
    (
        Heading(2, title=True),
        rf"{_SECOND}[\s-]+half(?:\s+{_BEGINS})?",
    ),
    (Heading(1, title=True), rf"{_FIRST}[\s-]+half(?:\s+{_BEGINS})?"),
    (
        Heading(0),
        r"FT|full[\s-]*time|KO|kick[\s-]*off|AET|(?:second|match|game)\s+(?:half\s+)?ends",
    ),
)
# `120'+3' Penalty shoot-out begins, City 1, Athletic 1` is a heading and an entry as well.
_SHOOTOUT_BEGINS = re.compile(
    rf"[\W_]{{0,12}}(?:the\s+)?penalty\s+{_SHOOTOUT}\s+{_BEGINS}\b", re.IGNORECASE
)
_MAX_HEADING = 120
_TEAM = r"[^\W\d][\w .&'’-]{0,30}"
_SCORE = rf"(?:\s*[:,|–—-]?\s*(?:{_TEAM}\s)?\d{{1,2}}\s*[-–:]\s*\d{{1,2}}(?:\s{_TEAM})?)?"
_HEADING = [
    (
        heading,
        re.compile(rf"[\W_]{{0,12}}(?:{words}){_SCORE}[\W_]{{0,12}}", re.IGNORECASE),
        re.compile(rf"[\W_]{{0,12}}(?:{words})\s*[:–—|-]+\s", re.IGNORECASE),
    )
    for heading, words in _HEADINGS
]


def recognise(text: str) -> bool:
    """Whether enough of the first lines start with a clock."""
    lines = [line for line in text.translate(_INVISIBLE).split("\n")[:400] if line.strip()]
    if not lines or lines[0].lstrip().startswith("<") or any("-->" in line for line in lines):
        return False  # a web page's source or subtitles, full of clocks as they are
    page = _Page(lines)
    clocks = [found for line in lines if (found := page.clock_line(line))]
    marked = [found for found in clocks if found["text"].strip() or found["added"] or _unit(found)]
    return bool(marked) and 20 * len(clocks) >= len(lines)


def read(text: str) -> list[Entry | Heading]:
    """The entries and headings of a live text, in the order of the page."""
    lines = text.translate(_INVISIBLE).split("\n")
    page = _Page(lines)
    for number, line in enumerate(lines, 1):
        page.add(line.strip(), f"line {number}")
    page.end_entry()
    return page.items


class _Page:
    """A live text read line by line: what it says so far, and the entry that is being read."""

    def __init__(self, lines: list[str]) -> None:
        found = [found for line in lines if (found := _clock_line(line))]
        # A page that writes 12' does not write 12. as well: there, `3. Rovers` is no clock.
        self.has_units = 5 * sum(map(_unit, found)) > len(found)
        self.is_timed = bool(found)  # otherwise each line is an entry
        self.is_late = any(int(one["minute"]) >= ENDS[2] for one in found)
        self.in_shootout = False  # below its heading, an entry without a clock is a line
        self.items: list[Entry | Heading] = []
        self.clock: str | None = None  # written, but its entry's words are still to come
        self.words: list[str] = []
        self.where = ""

    def clock_line(self, line: str) -> re.Match[str] | None:
        """The line as clock and text, by the way this page writes its clocks."""
        found = _clock_line(line)
        return found if found and (_unit(found) or not self.has_units or found["added"]) else None

    def add(self, line: str, where: str) -> None:
        heading = _heading(line)
        found = None if heading else self.clock_line(line)
        if heading:
            starts, words = heading
            if self.clock and not self.words:
                self.words, words = [line], ""  # the words of a clock on a line of its own
            self.end_entry(of_shootout=starts.starts == 5)
            self.items += [Entry(text=words, where=where)] if words else []
            self.items += [starts] if starts.starts else []
            self.in_shootout = starts.starts == 5 and self.is_late
        elif found:
            clock = _written(found)
            if self.clock != clock or self.words:
                self.end_entry()
            self.clock, self.where, self.in_shootout = clock, where, False
            self.words = [words] if (words := found["text"].strip(" \t|")) else []
            if begins_shootout(words):
                self.end_entry()
                self.in_shootout = self.is_late
        elif line:
            self.where = self.where if self.words or self.clock else where
            self.words.append(line)
            if not self.is_timed or (self.in_shootout and not self.clock):
                self.end_entry()
        elif self.words:
            self.end_entry()  # a blank line ends a paragraph, but not a clock without words yet

    def end_entry(self, of_shootout: bool = False) -> None:
        """Add the entry; kicks that stand above their heading are an entry each line."""
        texts = [" ".join(self.words)] if self.words or self.clock else []
        newest_first = of_shootout and self.is_late and not any(map(has_clock, self.items))
        if newest_first and self.clock is None:
            texts = self.words
        for text in texts:
            self.items += [SHOOTOUT] if begins_shootout(text) else []
            self.items.append(Entry(text=text, clock=self.clock, where=self.where))
        self.clock, self.words = None, []


def is_heading(text: str) -> bool:
    """Whether a text is nothing but a heading such as HT or `Second half`."""
    return len(text) < _MAX_HEADING and any(alone.fullmatch(text) for _, alone, _ in _HEADING)


def begins_shootout(text: str) -> bool:
    """Whether an entry says that the shoot-out begins, or is nothing but its heading."""
    found = _heading(text)
    alone = found is not None and (found[0] == SHOOTOUT or not found[1])
    return found is not None and alone and found[0].starts == SHOOTOUT.starts


def _heading(line: str) -> tuple[Heading, str] | None:
    """The heading that a line is or starts with, and the words that follow it."""
    start = line[:_MAX_HEADING]
    for heading, alone, before_words in _HEADING:
        if len(line) < _MAX_HEADING and alone.fullmatch(line):
            return heading, ""
        if before_words.match(start):
            return heading, line
    return (SHOOTOUT, line) if _SHOOTOUT_BEGINS.match(start) else None


def _clock_line(line: str) -> re.Match[str] | None:
    """The line as clock and text, if something besides the number marks it as a clock."""
    found = _LINE.fullmatch(line.strip())
    if found is None or int(found["minute"]) > LATEST:
        return None
    if _unit(found):
        return found if not _counts_minutes(found) else None
    if _SCORE_LINE.match(line):
        return None
    marked = any(found[name] for name in ("second", "added", "close", "mark"))
    return found if marked or not found["text"].strip() else None


def _unit(found: re.Match[str]) -> bool:
    """Whether an apostrophe or "min" marks the number as a minute."""
    return any(found[name] for name in ("word", "unit", "added_unit"))


def _counts_minutes(found: re.Match[str]) -> bool:
    """Whether the words go on after the minutes: "20 minutes gone", "5 mins of added time"."""
    unit = (found["added_unit"] or found["unit"] or "").lower()
    plural = unit.startswith(("mins", "minute"))
    return plural and not found["mark"] and not found["close"] and bool(found["text"].strip())


def _written(found: re.Match[str]) -> str:
    """The clock in one spelling, whatever the page's was."""
    return str(clock_of(found))
