"""Clocks as live pages write them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.core.clocks import ENDS, STARTS, Clock, live_clock, parse_clock, parse_period


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("12'", Clock(12)),
        ("12", Clock(12)),
        (" 12 ", Clock(12)),
        ("12’", Clock(12)),
        ("12′", Clock(12)),
        ("12´", Clock(12)),
        ("12`", Clock(12)),
        ("12''", Clock(12)),
        ("12 min", Clock(12)),
        ("12 mins.", Clock(12)),
        ("12 minutes", Clock(12)),
        ("45+2'", Clock(45, 2)),
        ("45'+2'", Clock(45, 2)),
        ("45 + 2", Clock(45, 2)),
        ("45’ + 2’", Clock(45, 2)),
        ("45 min +2", Clock(45, 2)),
        ("90+12'", Clock(90, 12)),
        ("12:34", Clock(12, None, 34)),
        ("12:34.5", Clock(12, None, 34.5)),
        ("102:07", Clock(102, None, 7)),
        ("45:00+2", Clock(45, 2)),
        ("45:00+2:13", Clock(45, 2, 13)),
        ("45+2:13", Clock(45, 2, 13)),
    ],
)
def test_spellings(text: str, clock: Clock) -> None:
    assert parse_clock(text) == clock


def test_a_second_is_cut_and_never_becomes_the_next_minute() -> None:
    assert str(Clock(12, None, 59.9999)) == "12:59.999"
    assert str(Clock(45, 2, 59.9999)) == "45:00+2:59.999"


@pytest.mark.parametrize("text", ["", "HT", "-3'", "1234'", "12:75", "12+", "+2'", "12 men", "2-1"])
def test_what_is_no_clock(text: str) -> None:
    assert parse_clock(text) is None


@pytest.mark.parametrize(
    ("text", "period", "interval"),
    [
        ("12'", 1, (660, 720)),
        ("45+2'", 1, (2760, 2820)),
        ("46'", 2, (0, 60)),
        ("44'", 2, (-120, -60)),
        ("0'", 1, (-60, 0)),
        ("91'", 3, (0, 60)),
        ("105+1'", 3, (900, 960)),
        ("120+2'", 4, (960, 1020)),
        ("12:34", 1, (754, 754)),
        ("45:00", 2, (0, 0)),
        ("45:00+2:13", 1, (2833, 2833)),
    ],
)
def test_interval(text: str, period: int, interval: tuple[float, float]) -> None:
    clock = parse_clock(text)
    assert clock is not None
    assert clock.interval(period) == interval


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("0'", 1),
        ("45'", 1),
        ("46'", 2),
        ("45+9'", 1),
        ("44:59", 1),
        ("45:00", 2),
        ("90'", 2),
        ("90+7'", 2),
        ("91'", 3),
        ("105+1'", 3),
        ("106'", 4),
        ("120+3'", 4),
        ("125'", 4),
    ],
)
def test_period_by_the_minute(text: str, period: int) -> None:
    clock = parse_clock(text)
    assert clock is not None
    assert clock.period() == period


@pytest.mark.parametrize(
    ("period", "time", "shown"),
    [
        (1, 0, "1'"),
        (1, 59.9, "1'"),
        (1, 60, "2'"),
        (1, 2699, "45'"),
        (1, 2700, "45+1'"),
        (2, 0, "46'"),
        (2, -70, "44'"),
        (2, 2760, "90+2'"),
        (3, 0, "91'"),
        (4, 960, "120+2'"),
        (5, 30, "121'"),
        (1, -5, "0'"),
        (1, -500, "0'"),
    ],
)
def test_live_clock(period: int, time: float, shown: str) -> None:
    assert live_clock(period, time) == shown


@settings(deadline=None)
@given(st.integers(1, 4), st.floats(-59, 4000))
def test_the_shown_minute_contains_the_second(period: int, time: float) -> None:
    clock = parse_clock(live_clock(period, time))
    assert clock is not None
    start, end = clock.interval(period)
    assert start <= time < end
    assert end - start == 60


@settings(deadline=None)
@given(
    st.integers(0, 130),
    st.none() | st.integers(1, 30),
    st.none() | st.integers(0, 59_999).map(lambda thousandths: thousandths / 1000),
)
def test_a_clock_reads_back_as_it_was_written(
    minute: int, added: int | None, second: float | None
) -> None:
    clock = Clock(minute, added, second)
    again = parse_clock(str(clock))
    assert again is not None
    assert (again.minute, again.added) == (minute, added)
    assert again.second == pytest.approx(second, abs=0.0011)


@settings(deadline=None)
@given(st.text(max_size=12))
def test_any_text_is_a_clock_or_none(text: str) -> None:
    clock = parse_clock(text)
    assert clock is None or 0 <= clock.minute < 1000


@given(st.integers(1, 4), st.floats(0, 3900), st.floats(0, 3900))
def test_of_two_seconds_of_a_half_the_later_is_never_shown_earlier(
    period: int, one: float, other: float
) -> None:
    first, second = (parse_clock(live_clock(period, t)) for t in sorted((one, other)))
    assert first is not None
    assert second is not None
    assert first.interval(period) <= second.interval(period)
    assert first.running() <= second.running()


@given(st.integers(1, 4), st.floats(0, 3900))
def test_within_its_regular_time_a_clock_gives_its_period(period: int, time: float) -> None:
    regular = 60.0 * (ENDS[period] - STARTS[period])
    clock = parse_clock(live_clock(period, time))
    assert clock is not None
    assert clock.period() == period  # added time stands behind a plus
    assert (clock.added is not None) == (time >= regular)


def test_periods_follow_each_other() -> None:
    assert [ENDS[period] for period in (1, 2, 3, 4)] == [STARTS[period] for period in (2, 3, 4, 5)]


@pytest.mark.parametrize(
    ("value", "period"),
    [
        (1, 1),
        ("2.0", 2),
        (" 2H ", 2),
        ("First half", 1),
        ("ET2", 4),
        ("Penalties", 5),
        ("HT", None),
        ("", None),
        (None, None),
    ],
)
def test_names_of_periods(value: object, period: int | None):
    assert parse_period(value) == period


@pytest.mark.parametrize("value", [-1, "-1", 0, 6, 1.5, True, "third", "nan", "1e400", [1], "2-"])
def test_what_is_no_period(value: object):
    with pytest.raises(ValueError, match="is invalid; expected 1, 2, 3, 4 or 5"):
        parse_period(value)


def test_a_long_run_of_spaces_is_read_in_time():
    began = time.process_time()
    assert parse_clock("12" + " " * 200_000 + "x") is None
    assert time.process_time() - began < 1
