"""The values in the cells of a table: clocks, times, ids, and what stands for nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from touchline.core.clocks import (
    MAX_MATCH,
    NO_PERIOD,
    SHOOTOUT_NAMES,
    Clock,
    parse_clock,
    parse_period,
)
from touchline.io.commentary.clock_lines import LATEST
from touchline.io.commentary.entries import Entry
from touchline.io.commentary.html_text import plain_text
from touchline.io.commentary.livetext import is_heading

# What stands in place of a clock that does not run.
_NO_CLOCK = frozenset(
    [*NO_PERIOD, *SHOOTOUT_NAMES, "ko", "kickoff", "aet", "et", "extratime", "break", "interval",
     "pre", "post", "live", "start", "end", "final", "preview", "report"]
)  # fmt: skip
# What tools write where nothing is known.
_UNKNOWN = frozenset(["", "NaN", "nan", "NA", "null", "NULL", "None"])
SPAN = re.compile(r"\s*(-)?(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d(?:[.,]\d+)?)\s*")
_DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d{9,}(?:\.\d*)?")


def entry_of(fields: Mapping[str, Any], where: str) -> Entry:
    if isinstance(fields["text"], list | dict):
        raise ValueError(f"the text is a {type(fields['text']).__name__}, not a string")
    period = parse_period(fields.get("period"))
    if period is None and plain(str(fields.get("clock"))) in SHOOTOUT_NAMES:
        period = 5  # PEN in place of a clock
    time, clock = _time(fields)
    shown = _clock(fields.get("clock"))
    text = plain_text(str(fields["text"]))
    return Entry(
        text=text,
        id=_id(fields.get("id")),
        period=period,
        time=time,
        end=_seconds(fields.get("end"), "end"),
        spoken=_spoken(fields.get("spoken"), text),
        anywhere=fields.get("anywhere") is True,
        candidates=() if fields.get("outside") is True else None,
        clock=clock or shown,
        shown=shown,
        where=where,
    )


def _time(fields: Mapping[str, Any]) -> tuple[float | None, str | None]:
    """Exact seconds, or a clock more exact than the column of clocks."""
    written = fields.get("time")
    if isinstance(written, str | int | float) and _DATE.fullmatch(str(written)):
        if "clock" not in fields and "minute" not in fields:
            raise ValueError(f"time {written!r} is a date; expected seconds or a clock like 45+2'")
        written = None  # when it was published
    if isinstance(written, str) and as_float(written) is None:
        return _written_time(written)
    if written is None and "minute" in fields and ("second" in fields or "clock" not in fields):
        return None, _minute(fields)
    return _seconds(written, "time"), None


def _written_time(written: str) -> tuple[float | None, str | None]:
    """`0:12:34` is a time like a number of seconds; `12:34` and `45+2` are clocks."""
    span = SPAN.fullmatch(written)
    if span and (span[1] or span[2]):
        return _seconds(written, "time"), None
    if span:
        return None, written.strip().replace(",", ".")
    return None, _clock(written, "time")


def _minute(fields: Mapping[str, Any]) -> str | None:
    """The clock in the columns for minute, added minutes and seconds."""
    minute = as_float(fields["minute"])
    text = str(fields["minute"]) if minute is None else f"{math.floor(minute)}"
    written = _clock(text, "minute")
    clock = parse_clock(written) if written else None
    if clock is None:
        return None
    added, second = clock.added, _number(fields.get("second"), "second")
    if "added" in fields:
        added = _added(fields["added"]) or None
    if second is None and minute is not None and minute % 1:
        second = 60 * (minute % 1)
    if second is not None and not 0 <= second < 60:
        raise ValueError(f"second must be 0-59, got {fields['second']!r}")
    return str(Clock(clock.minute, added, second))


def _added(value: Any) -> int:
    minutes = _number(str(value).strip("+'’ "), "added minutes") or 0
    if not 0 <= minutes < 100:
        raise ValueError(f"added minutes must be 0-99, got {value!r}")
    return int(minutes)


def _clock(value: Any, what: str = "clock") -> str | None:
    """A clock as it is written; None for words like HT."""
    if value is None:
        return None
    number = as_float(value)
    text = f"{number:.0f}" if number is not None and number.is_integer() else str(value).strip()
    text = text if parse_clock(text) else text.strip("'’. ")
    clock = parse_clock(text)
    if clock is not None and clock.minute <= LATEST:
        return text
    word = plain(text)
    if word and word not in _NO_CLOCK and not is_heading(text):  # a lone dash is no clock either
        raise ValueError(f"{what} {value!r} is invalid; expected 12', 45+2' or 12:34")
    return None


def _id(value: Any) -> int | str | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)  # what tables of numbers with gaps make of whole ones
    if isinstance(value, int | str) and not isinstance(value, bool):
        return value
    return None if value is None else str(value)


def _seconds(value: Any, what: str) -> float | None:
    """Seconds as a number or as `12:34` or `0:12:34`."""
    span = SPAN.fullmatch(value) if isinstance(value, str) else None
    if span is None:
        number = _number(value, what)
        if number is not None and abs(number) > MAX_MATCH:
            raise ValueError(f"{what} {value!r} is out of range for a match")
        return number
    minutes = 60 * int(span[2] or 0) + int(span[3])
    seconds = 60 * minutes + float(span[4].replace(",", "."))
    return -seconds if span[1] else seconds


def _spoken(value: Any, text: str) -> tuple[tuple[int, float], ...]:
    """Words and their seconds, as `Comment.spoken` has them."""
    if value is None:
        return ()
    pairs = value if isinstance(value, list) else [value]
    found = []
    for pair in pairs:
        at, second = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
        second = _seconds(second, "spoken")
        if type(at) is not int or second is None or not 0 <= at < len(text):
            raise ValueError(f"spoken {pair!r} is invalid; expected [offset in the text, second]")
        found.append((at, second))
    found.sort()
    for before, after in pairwise(found):
        if before[0] == after[0] or before[1] > after[1]:
            raise ValueError(f"spoken has {before} and {after}; expected the order of the words")
    return tuple(found)


def _number(value: Any, what: str) -> float | None:
    if value is None:
        return None
    number = as_float(value)
    if number is None:
        raise ValueError(f"{what} {value!r} is not a number")
    return number


def as_float(value: Any) -> float | None:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def is_unknown(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in _UNKNOWN)


@lru_cache(maxsize=1024)
def plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())
