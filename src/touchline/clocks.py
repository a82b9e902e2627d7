"""A live page's clock: `12'`, `45+2'`, `45'+2'`, `12:34`, and the seconds of a period behind it.

`12'` is the twelfth minute, the 60 seconds that start at 11:00; `45+2'` is the second added
minute, 46:00 to 47:00 of the first half. The clock of a later half starts at its nominal minute
(45 for the second half) however long the half before it took.
"""

from __future__ import annotations

import math
import re

import msgspec

# Nominal minute at which each period starts and ends; 3 and 4 are extra time, 5 the shoot-out.
STARTS = {1: 0, 2: 45, 3: 90, 4: 105, 5: 120}
ENDS = {1: 45, 2: 90, 3: 105, 4: 120}

_QUOTE = r"['’‘′´`]{1,2}"
CLOCK = rf"""
    (?P<minute>\d{{1,3}})
    (?: :(?P<second>[0-5]\d)(?:\.\d+)? )?
    \s*(?:{_QUOTE})?
    (?: \s*\+\s* (?P<added>\d{{1,2}}) (?: :(?P<added_second>[0-5]\d) )? \s*(?:{_QUOTE})? )?
"""
_CLOCK = re.compile(rf"\s*{CLOCK}\s*(?:min(?:ute)?s?\.?)?\s*", re.VERBOSE | re.IGNORECASE)


class Clock(msgspec.Struct, frozen=True):
    """A clock as written: a minute counted from 1, or an exact second of the match clock."""

    minute: int
    added: int | None = None
    second: int | None = None

    def period(self) -> int:
        """The period that the minute alone points to, were there no extra time after 90."""
        if self.added is not None:
            return next((p for p, end in ENDS.items() if self.minute <= end), 4)
        last = self.minute + 1 if self.second is not None else self.minute
        return next((p for p, end in ENDS.items() if last <= end), 4)

    def interval(self, period: int) -> tuple[float, float]:
        """First and last second that the clock can mean, since the kick-off of `period`."""
        start = 60.0 * (self.minute + (self.added or 0) - STARTS.get(period, 0))
        if self.second is not None:
            return start + self.second, start + self.second
        return start - 60, start


def parse_clock(text: str) -> Clock | None:
    """Read a whole string as a clock; None when it is not one."""
    found = _CLOCK.fullmatch(text)
    return clock_of(found) if found else None


def clock_of(found: re.Match[str]) -> Clock:
    """The clock in a match of the `CLOCK` pattern."""
    minute, second, added, added_second = (
        int(found[name]) if found[name] else None
        for name in ("minute", "second", "added", "added_second")
    )
    if second is not None and added_second is not None:  # 45:00+2:13
        second += added_second
    return Clock(minute or 0, added, second)


def live_clock(period: int, time: float) -> str:
    """The clock that a live page shows at a second of a period."""
    minute = STARTS.get(period, 0) + math.floor(time / 60) + 1
    end = ENDS.get(period)
    if end is not None and minute > end:
        return f"{end}+{minute - end}'"
    return f"{minute}'"
