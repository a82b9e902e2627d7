"""When the rows of a table happened: periods from the match clock where no column gives them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median_low
from typing import NamedTuple

from touchline.core.clocks import ENDS, MAX_HALF, MAX_MATCH, STARTS, Clock, parse_clock

LATEST = 200  # minutes; shoot-outs run on past 120
# A smaller fall of the clock is two rows in the wrong order, no new period.
DISORDER = 30.0
# Where a clock that starts again for each half ends and starts.
_LATE, _EARLY = 40 * 60.0, 5 * 60.0
# A half may run on this long after its last minute before the clock falls back.
_RUN_ON = 20 * 60.0


class Moment(NamedTuple):
    """A row's time as written: on the match clock, or as `time`, which periods may count anew.

    `period` is given by the row, `added` by a minute like 45+2, which is in the first half.
    """

    seconds: float
    on_match_clock: bool
    period: int | None = None
    added: int | None = None


class RestartError(ValueError):
    """A clock that starts again where no column says that a period does; `row` is where."""

    def __init__(self, row: int) -> None:
        self.row = row
        super().__init__("the clock restarts here; logs of several periods need a `period` column")


def of_time(seconds: float, period: int | None) -> Moment:
    """The moment of a `time`: seconds since the period's kick-off."""
    if abs(seconds) > MAX_MATCH:
        raise ValueError(f"time {seconds:g} is out of range for a match")
    return Moment(seconds, False, period)


def of_minute(minute: float | str, second: float | None, period: int | None) -> Moment:
    """The moment of a `minute`, 46 or 45+2 or 12:34, and the second in it."""
    clock = parse_clock(minute) if isinstance(minute, str) else None
    whole = clock.minute if clock else minute
    if isinstance(whole, str) or not -LATEST <= whole <= LATEST:
        raise ValueError(f"minute {minute!r} is invalid; expected a minute such as 46 or 45+2")
    if second is not None and not 0 <= second < 60:
        raise ValueError(f"second must be 0-59, got {second:g}")
    extra = (clock.added or 0, clock.second or 0) if clock else (0, 0)
    seconds = 60 * (whole + extra[0]) + extra[1] + (second or 0)
    added = Clock(clock.minute, clock.added).period() if clock and clock.added is not None else None
    return Moment(seconds, True, period, added)


def settle(moments: Sequence[Moment]) -> list[tuple[int | None, float]]:
    """Period and seconds since its kick-off; no period where it follows from other rows only.

    Without a column of periods, minutes are on the match clock, and so are times that run on
    too long for one half.
    """
    if any(moment.period is not None for moment in moments):
        return _by_given_periods(moments)
    times = [moment.seconds for moment in moments]
    _check_one_half(times)
    if not any(m.on_match_clock for m in moments) and max(times, default=0) <= MAX_HALF:
        return [(1, time) for time in times]
    periods = _infer(moments)
    return [(p, t - 60 * STARTS[p]) for p, t in zip(periods, times, strict=True)]


def _by_given_periods(moments: Sequence[Moment]) -> list[tuple[int | None, float]]:
    from_zero = _counted_from_zero(moments)
    settled: list[tuple[int | None, float]] = []
    for moment, inferred in zip(moments, _infer(moments), strict=True):
        period = moment.period
        if period is None and moment.on_match_clock:
            period = inferred
        on_match_clock = moment.on_match_clock and period not in from_zero
        start = 60 * STARTS[period] if period and on_match_clock else 0
        settled.append((period, moment.seconds - start))
    return settled


def _counted_from_zero(moments: Sequence[Moment]) -> set[int]:
    """Later periods whose minutes are their own; one alone may be a little early, so the middle
    one decides."""
    minutes: dict[int, list[float]] = {}
    for moment in moments:
        if moment.period and moment.on_match_clock:
            minutes.setdefault(moment.period, []).append(moment.seconds / 60)
    return {p for p, known in minutes.items() if median_low(known) < STARTS[p] - 5}


def _check_one_half(times: Sequence[float]) -> None:
    """Refuse two halves that both count from zero: sorted by time they would be shuffled."""
    falls = _falls(times)
    if len(falls) != 1 or max(times) > MAX_HALF:
        return
    row = falls[0]
    if times[row - 1] > _LATE and times[row] < _EARLY:
        raise RestartError(row)


def _falls(times: Sequence[float]) -> list[int]:
    return [i for i, (a, b) in enumerate(pairwise(times), 1) if a - b > DISORDER]


def _infer(moments: Sequence[Moment]) -> list[int]:
    """The periods by the match clock alone."""
    restarts = _restarts(moments)
    last = 4 if _has_extra_time(moments) or max(restarts.values(), default=2) > 2 else 2
    first, until = 1, dict(_until(restarts, len(moments), last))
    periods = []
    for i, moment in enumerate(moments):
        first = restarts.get(i, first)
        by_clock = max((p for p in range(1, last + 1) if moment.seconds >= 60 * STARTS[p]),
                       default=1)  # fmt: skip
        periods.append(moment.added or min(max(by_clock, first), until[i]))
    return periods


def _until(restarts: dict[int, int], length: int, last: int) -> list[tuple[int, int]]:
    """The last period that each row can be of: the one before the next restart's."""
    until = []
    for i in range(length - 1, -1, -1):
        until.append((i, last))
        last = restarts[i] - 1 if i in restarts else last
    return until


def _has_extra_time(moments: Sequence[Moment]) -> bool:
    ends = 60 * ENDS[3]
    return any(m.added in (3, 4) or (m.added is None and m.seconds > ends) for m in moments)


def _restarts(moments: Sequence[Moment]) -> dict[int, int]:
    """Where a clock that ran on past 45 without the `45+` notation falls back to it.

    Only a table in the order of play can say so: every fall of its clock must be one of these.
    """
    times = [moment.seconds for moment in moments]
    if any(m.added is not None for m in moments) or not times or times[0] >= 60 * STARTS[2]:
        return {}
    restarts: dict[int, int] = {}
    for row in _falls(times):
        starts = {p: 60 * STARTS[p] for p in (2, 3, 4) if p > max(restarts.values(), default=1)}
        period = next((p for p, s in starts.items() if s <= times[row] < s + 120), None)
        if period is None or times[row - 1] > starts[period] + _RUN_ON:
            return {}
        restarts[row] = period
    return restarts
