"""Where the clocks of a live text stand, and which numbers are none.

Most pages mark a clock: `12' ...`, `45'+2' ...`, `90 (+3mins) ...`, `90 + 4: ...`, `12:34 ...`,
`[12] ...`, `12 min: ...`, `32e ...`, `**32'** ...`, or a clock on a line of its own, above its
words or below them. Some do not: `32 Corner`, `32 mins Corner`. Such a number is a clock only where
the page writes many of them and they run with the match. So is a clock at the end of a line.
Scores, line-ups, dates and times of the day (`18:25 Uhr`) are no clocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from touchline.core.clocks import CLOCK, ENDS, Clock, clock_of

LATEST = 130  # no number beyond this is a minute
# So many unmarked numbers make a page of them, over at least so many minutes.
MIN_LINES, MIN_MINUTES = 4, 10
_BULLETS = r"""[^\w\s'"’‘“”+(\[-]{0,4} | -"""  # list marks and pictures in front of the clock
# Patterns are compiled when they are first used, as most files are no pages.
# `*+` keeps what it took: two runs of spaces side by side must not share them out in all ways.
_LINE = rf"""(?ix)
    \s*+ (?:{_BULLETS}) \s*+ (?P<open>[\[(])? \s*+ (?P<word>min(?:ut[eo])?\.?\s*+)?
    (?P<clock>{CLOCK}) (?:(?:st|nd|rd|th)\s+minute(?=\s*[:|–—-]))? (?:\.(?=[\])]))?
    \s* (?P<close>[\])])?
    (?P<mark> \s*[:|–—-]+ | \.(?=\s|$) )?
    (?P<text> \s.* | $ | (?<=[:|])[^\W\d].* | (?<=[^\w\s:|.–—-])(?-i:[^\da-z]).* )
    """
# `... 12'`, `... (45+2')`; the clock must be marked as one.
_TAIL = rf"(?ix)(?P<before>.*\S)\s*[\s(\[|–—-]\s*(?P<clock>{CLOCK})\s*[)\]]?"
_MAX_TAIL = 2000  # characters of a line that ends with a clock
# `32 Corner`: words that start with a capital, a quotation mark or a picture.
_BARE = r"\W{0,4}?(?P<minute>\d{1,3})\s+(?P<text>(?![-+–—:.,)\]%&/])[^\da-zß-öø-ÿ\s].*)"
# Emphasis of Markdown around a clock, `**32'**`.
_EMPHASIS = r"(?P<before>\W{0,4}?)(?P<mark>\*{1,3}|_{1,3})(?P<clock>[^*_]{1,14})(?P=mark)"
_SCORE_LINE = r"\W*\d\s*[-–—:]\s*\d(?:\D|$)"
_TIME_OF_DAY = (
    r"(?i)\W*\d{1,2}[:.h]\d\d(?:[:.]\d\d)?\s*"
    r"(?:uhr|h|hrs?|hours|gmt|bst|utc|ces?t|ist|e[ds]?t|p[ds]t|[ap]\.?m\.?|ortszeit|local\s+time)\b.*"
)
_DATE = (
    r"(?i)\W*\d{1,2}(?:st|nd|rd|th|\.|,)?[\s./-]*(?:\d{1,2}|(?:de\s+)?[^\W\d]{3,10})[\s.,/-]*(?:de\s+)?"
    r"(?:19|20)\d\d\b.*"
)


class ClockLine(NamedTuple):
    """A line that has a clock: the clock, its words, and whether a unit marks it."""

    clock: Clock
    text: str
    unit: bool = False


class PageStyle:
    """How a page writes its clocks, judged by all of its lines.

    `is_heading` says of a line whether it is a heading, which is never judged.
    """

    def __init__(self, lines: Sequence[str], is_heading: Callable[[str], bool]) -> None:
        self._is_heading = is_heading
        lines = [line.strip() for line in lines if line.strip() and not is_heading(line.strip())]
        found = [match for line in lines if (match := _marked(line))]
        # A page that writes 12' does not write 12. as well: there, `3. Rovers` is no clock.
        self.has_units = 5 * sum(map(_unit, found)) > len(found)
        # Beside minutes, 18:25 is a time of the day.
        seconds = sum(one["second"] is not None for one in found)
        self.has_seconds = seconds > len(found) - seconds
        # `45+2` is marked by its plus on any page, and says nothing of the other clocks.
        kept = [one for one in found if self._fits(one) and one["added"] is None]
        self.is_bare = self.counts_minutes = self.at_end = False
        for style in ("is_bare", "counts_minutes", "at_end"):
            if self._has(style, lines, len(kept)):
                setattr(self, style, True)
                break
        every = [one.clock for line in lines if (one := self.clock_line(line))]
        self.is_timed = bool(every)  # otherwise each line is an entry
        self.is_late = any(clock.minute >= ENDS[2] for clock in every)
        self.is_below = self._clocks_stand_below(lines)

    def clock_line(self, line: str) -> ClockLine | None:
        """The line as clock and words, by the way this page writes its clocks."""
        found = _marked(line)
        if found is not None and self._fits(found):
            text = found["text"].strip(" \t|")
            return ClockLine(clock_of(found), text, _unit(found))
        if self.is_bare:
            return _bare(line)
        if self.counts_minutes:
            return _minutes(line)
        return _at_end(line) if self.at_end else None

    def in_order(self, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, each clock on a line of its own before its words."""
        numbered = list(enumerate(lines, 1))
        if not self.is_below:
            yield from numbered
            return
        waiting: list[tuple[int, str]] = []
        for number, line in numbered:
            found = self.clock_line(line)
            if found is not None and not found.text:
                blank = [one for one in waiting if not one[1].strip()]
                words = [one for one in waiting if one[1].strip()]
                yield from [*blank[:1], (number, line), *words]
                waiting = [(number, "")]
            elif self._is_heading(line.strip()):
                yield from [*waiting, (number, line)]
                waiting = []
            else:
                waiting.append((number, line))
        yield from waiting

    def _fits(self, found: re.Match[str]) -> bool:
        if found["second"] is not None and found["added"] is None and not self.has_seconds:
            return False
        return _unit(found) or not self.has_units or found["added"] is not None

    def _has(self, style: str, lines: Sequence[str], marked: int) -> bool:
        """Whether the unmarked clocks of a style are those of the page, and run with the match."""
        find = {"is_bare": _bare, "counts_minutes": _minutes, "at_end": _at_end}[style]
        found = [one for line in lines if not _marked(line) and (one := find(line))]
        own = sum(one.clock.added is None for one in found)
        many = len(found) >= MIN_LINES and 20 * len(found) >= len(lines)
        # `32 mins` needs no page around it where every line has one.
        every = len(found) == len(lines) > 1 and style != "is_bare"
        return (many or every) and own > marked and _runs([one.clock for one in found])

    def _clocks_stand_below(self, lines: Sequence[str]) -> bool:
        """Whether clocks have lines of their own below the words, as the last line shows."""
        alone = [found is not None and not found.text for found in map(self.clock_line, lines)]
        return bool(lines) and sum(alone) >= MIN_LINES and alone[-1] and not alone[0]


def _runs(clocks: Sequence[Clock]) -> bool:
    """Whether clocks rise through the match, or fall; each half may start anew."""
    times = [clock.running() for clock in clocks]
    steps = [after - before for before, after in pairwise(times)]
    up, down = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
    span = max(times, default=0.0) - min(times, default=0.0)
    return span >= 60 * MIN_MINUTES and min(up, down) <= 1 + len(steps) // 8


def _marked(line: str) -> re.Match[str] | None:
    """The line as clock and words, if something besides the number marks it as a clock."""
    line = re.sub(_EMPHASIS, _plain_clock, line.strip(), count=1)
    found = re.fullmatch(_LINE, line)
    if found is None or int(found["minute"]) > LATEST:
        return None
    if re.fullmatch(_TIME_OF_DAY, line) or re.fullmatch(_DATE, line):
        return None
    if _unit(found):
        return found if not _counts_minutes(found) else None
    if re.match(_SCORE_LINE, line):
        return None
    marked = any(found[name] for name in ("second", "added", "close", "mark"))
    return found if marked or not found["text"].strip() else None


def _plain_clock(found: re.Match[str]) -> str:
    """A clock without its emphasis; anything else stays as it is."""
    inner = found["clock"].strip()
    if not any(map(str.isdigit, inner)):
        return found[0]
    return f"{found['before']}{inner} "


def _unit(found: re.Match[str]) -> bool:
    """Whether an apostrophe or "min" marks the number as a minute."""
    return any(found[name] for name in ("word", "unit", "added_unit"))


def _counts_minutes(found: re.Match[str]) -> bool:
    """Whether the words go on after the minutes: "20 minutes gone", "5 mins of added time"."""
    unit = (found["unit"] or "").lower()
    plural = found["added"] is None and unit.startswith(("mins", "minut"))
    return plural and not found["mark"] and not found["close"] and bool(found["text"].strip())


def _bare(line: str) -> ClockLine | None:
    found = re.fullmatch(_BARE, line.strip())
    if found is None or int(found["minute"]) > LATEST or re.fullmatch(_DATE, line.strip()):
        return None
    return ClockLine(Clock(int(found["minute"])), found["text"].strip())


def _minutes(line: str) -> ClockLine | None:
    """`32 mins Corner`."""
    found = re.fullmatch(_LINE, line.strip())
    if found is None or int(found["minute"]) > LATEST or not _counts_minutes(found):
        return None
    return ClockLine(clock_of(found), found["text"].strip(), unit=True)


def _at_end(line: str) -> ClockLine | None:
    line = line.strip()
    found = re.fullmatch(_TAIL, line) if len(line) <= _MAX_TAIL else None
    if found is None or int(found["minute"]) > LATEST:
        return None
    unit = bool(found["unit"] or found["added_unit"])
    if not unit and found["added"] is None:
        return None
    return ClockLine(clock_of(found), found["before"].rstrip(" \t|(["), unit)
