"""A live page's clock: `12'`, `45+2'`, `45'+2'`, `12:34`, and the seconds of a period behind it.

`12'` is the twelfth minute, the 60 seconds that start at 11:00; `45+2'` is the second added
minute, 46:00 to 47:00 of the first half. The clock of a later half starts at its nominal minute
(45 for the second half) however long the half before it took.
"""

from __future__ import annotations

import math
import re
from typing import Any

import msgspec

# Nominal minute at which each period starts and ends; 3 and 4 are extra time, 5 the shoot-out.
STARTS = {1: 0, 2: 45, 3: 90, 4: 105, 5: 120}
ENDS = {1: 45, 2: 90, 3: 105, 4: 120}
# No half lasts this long: times beyond it are on the match clock, not on the half's.
MAX_HALF = 65 * 60.0
# No time is farther from the kick-off, in seconds; recordings start hours before it.
MAX_MATCH = 100_000.0

SHOOTOUT_NAMES = ("p", "pen", "pens", "penalties", "penaltyshootout", "shootout", "pso")
# What the periods are called, in lower case without spaces and marks.
_PERIODS = {
    1: ("1h", "h1", "firsthalf", "1sthalf", "half1", "first", "p1", "1st", "period1"),
    2: ("2h", "h2", "secondhalf", "2ndhalf", "half2", "second", "p2", "2nd", "period2"),
    3: ("e1", "1e", "extratimefirsthalf", "firstextra", "et1", "firstperiodofextratime",
        "extrafirsthalf"),
    4: ("e2", "2e", "extratimesecondhalf", "secondextra", "et2", "secondperiodofextratime",
        "extrasecondhalf"),
    5: SHOOTOUT_NAMES,
}  # fmt: skip
NO_PERIOD = ("prematch", "pregame", "halftime", "ht", "fulltime", "ft", "postmatch", "postgame")

# What stands behind a minute: one of the many apostrophes (some pages double it), "min", an ordinal
# as in `32e` and `32°`, or both, as in `32. Minute`.
_ORDINAL = r"(?:er|re|e|è|ème|[°ºª])"
_UNIT = rf"""['’‘‛′´`ʹʼ＇]{{1,2}} | min(?:ut[eoa])?n?s?\b\.?
    | (?<=\d)(?:\.|{_ORDINAL})\s?min(?:ut[eoa])?\b\.? | (?<=\d){_ORDINAL}(?![^\W\d_])"""
# `*+` never gives back what it took, so that a long run of spaces costs no more than its length.
CLOCK = rf"""
    (?P<minute>\d{{1,3}})
    (?: :(?P<second>[0-5]\d(?:\.\d+)?) )?
    (?: \s*+(?P<unit>{_UNIT}) )?
    (?: \.?\s*+(?P<bracket>\()?\s*+(?:\+|plus\b)\s*+
        (?P<added>\d{{1,2}}) (?: :(?P<added_second>[0-5]\d(?:\.\d+)?) )?
        (?: \s*+(?P<added_unit>{_UNIT}) )? (?(bracket)\s*+\)['’′´]?) )?
"""
_CLOCK = re.compile(rf"\s*+{CLOCK}\s*+", re.VERBOSE | re.IGNORECASE)


class Clock(msgspec.Struct, frozen=True):
    """A clock as written: a minute counted from 1, or an exact second of the match clock."""

    minute: int
    added: int | None = None
    second: float | None = None

    def period(self) -> int:
        """The period that the minute alone points to, were there no extra time after 90."""
        passes_end = self.second is not None and self.added is None  # 45:00 is past the 45th
        minute = self.minute + 1 if passes_end else self.minute
        return next((period for period, end in ENDS.items() if minute <= end), 4)

    def interval(self, period: int) -> tuple[float, float]:
        """First and last second that the clock can mean, since the kick-off of `period`."""
        start = 60.0 * (self.minute + (self.added or 0) - STARTS.get(period, 0))
        if self.second is not None:
            return start + self.second, start + self.second
        return start - 60, start

    def running(self) -> float:
        """Seconds of a clock that never stops, to compare clocks of one half."""
        return self.interval(1)[0]

    def later(self, minutes: int) -> Clock:
        """The same clock when it is counted from `minutes` earlier."""
        return msgspec.structs.replace(self, minute=self.minute + minutes)

    def __str__(self) -> str:
        added = "" if self.added is None else f"+{self.added}"
        if self.second is None:
            return f"{self.minute}{added}'"
        thousandths = math.floor(self.second * 1000)  # cut, as 59.9999 must not become 60
        second = f"{thousandths // 1000:02d}"
        second += f".{thousandths % 1000:03d}" if thousandths % 1000 else ""
        return f"{self.minute}:00{added}:{second}" if added else f"{self.minute}:{second}"


def parse_clock(text: str) -> Clock | None:
    """Read a whole string as a clock; None when it is not one."""
    found = _CLOCK.fullmatch(text)
    return clock_of(found) if found else None


def clock_of(found: re.Match[str]) -> Clock:
    """The clock in a match of the `CLOCK` pattern."""
    minute, second = int(found["minute"]), found["second"]
    if found["added"] is None:
        return Clock(minute, None, float(second) if second else None)
    # A clock that stops at the end of the half: `45:00+2` is a minute, `45:00+2:13` a second.
    exact = float(found["added_second"]) if found["added_second"] else None
    return Clock(minute, int(found["added"]), exact)


def clock_at(period: int, time: float) -> Clock:
    """The minute that a live page shows at a second of a period."""
    minute = max(STARTS.get(period, 0) + int(time // 60) + 1, 0)
    end = ENDS.get(period, minute)
    return Clock(end, minute - end) if minute > end else Clock(minute)


def running_minute(period: int, time: float) -> int:
    """The minute of the match clock, counted from 1, that runs on through added time."""
    clock = clock_at(period, time)
    return clock.minute + (clock.added or 0)


def live_clock(period: int, time: float) -> str:
    """The clock that a live page shows at a second of a period; before the match, `0'`."""
    return str(clock_at(period, time))


def parse_period(value: Any) -> int | None:
    """The period that a field names, `2` or `2H` or `Second half`; None between and outside."""
    text = str(value).strip()
    name = "".join(character for character in text.lower() if character.isalnum())
    if value is None or not text or name in NO_PERIOD:
        return None
    try:
        period = float(text)  # tables with gaps make 2.0 of 2
    except ValueError:
        period = next((number for number, names in _PERIODS.items() if name in names), 0)
    if period not in STARTS or isinstance(value, bool):
        raise ValueError(f"period {value!r} is invalid; expected 1, 2, 3, 4 or 5")
    return int(period)
