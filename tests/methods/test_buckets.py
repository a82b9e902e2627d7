"""Buckets: the paper's window, minutes as intervals, borders of periods, listed candidates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline import Comment, Event, Match
from touchline.methods.buckets import Window, bucket, buckets


def log(*times: tuple[int, float]) -> Match:
    events = tuple(
        Event(id=f"{period}/{time:g}", type="Pass", period=period, time=time)
        for period, time in times
    )
    return Match(name="m", provider="t", events=events)


def inside(match: Match, window: Window = Window(), **comment: object) -> list[str]:  # noqa: B008
    said = Comment(id=0, text="", **comment)
    return [match.linkable[i].id for i in bucket(match, said, window)]


MATCH = log((1, 24.9), (1, 25.0), (1, 100.0), (1, 175.0), (1, 175.1), (2, 10.0), (2, 100.0))


def test_the_papers_window_is_150_seconds_in_all():
    assert inside(MATCH, period=1, start=100, end=100) == ["1/25", "1/100", "1/175"]


def test_a_window_may_be_lopsided():
    assert inside(MATCH, Window(80, 0), period=1, start=100, end=100) == [
        "1/24.9",
        "1/25",
        "1/100",
    ]


def test_a_minute_is_an_interval_around_its_middle():
    # 2' is 60 to 120 s, its middle 90: the window reaches from 15 to 165.
    assert inside(MATCH, period=1, start=60, end=120) == ["1/24.9", "1/25", "1/100"]


def test_a_window_is_never_shorter_than_what_is_known_of_the_time():
    assert inside(MATCH, Window(10, 10), period=1, start=20, end=180) == [
        "1/24.9",
        "1/25",
        "1/100",
        "1/175",
        "1/175.1",
    ]


def test_a_bucket_does_not_reach_over_the_border_of_a_period():
    assert inside(MATCH, period=2, start=-30, end=-30) == ["2/10"]


def test_stoppage_time_belongs_to_its_own_half():
    # 45+2' is 2760 to 2820 s of the first half; the second half's clock starts anew.
    stoppage = log((1, 2700), (1, 2790), (2, 5), (2, 90))
    assert inside(stoppage, period=1, start=2760, end=2820) == ["1/2790"]


def test_without_a_time_every_event_of_the_period_is_possible():
    assert inside(MATCH, period=2) == ["2/10", "2/100"]
    assert len(inside(MATCH)) == 7


def test_listed_candidates_are_the_bucket():
    assert inside(MATCH, candidates=("2/10", "1/25", "gone")) == ["1/25", "2/10"]
    assert inside(MATCH, candidates=()) == []


def test_untellable_events_are_in_no_bucket(small_match: Match):
    ids = [small_match.linkable[i].id for b in buckets(small_match, Window()) for i in b]
    assert "e5" not in ids


@pytest.mark.parametrize(
    ("text", "window"), [("150", (75, 75)), ("120:30", (120, 30)), (60, (30, 30)), ("0", (0, 0))]
)
def test_windows_as_written(text, window):
    assert Window.parse(text) == Window(*window)


@pytest.mark.parametrize("text", ["wide", "-4", "10:", "nan", ""])
def test_bad_windows_are_refused(text):
    with pytest.raises(ValueError, match="window"):
        Window.parse(text)


SECONDS = st.integers(-100, 3000).map(lambda tenths: tenths / 10)
EVENTS = st.lists(st.tuples(st.integers(1, 2), SECONDS), max_size=30)
SPAN = st.none() | st.tuples(SECONDS, SECONDS).map(sorted)
WINDOW = st.builds(Window, st.integers(0, 200), st.integers(0, 200))


def placed(span: list[float] | None, period: int | None) -> Comment:
    start, end = span or (None, None)
    return Comment(id=0, text="", period=period, start=start, end=end)


def numbered(times: list[tuple[int, float]]) -> Match:
    events = [Event(id=str(i), type="Pass", period=p, time=t) for i, (p, t) in enumerate(times)]
    return Match(name="m", provider="t", events=tuple(events))


@given(EVENTS, SPAN, st.none() | st.integers(1, 3), WINDOW)
def test_a_bucket_holds_what_the_window_covers_and_nothing_else(times, span, period, window):
    match, said = numbered(times), placed(span, period)
    inside = bucket(match, said, window).tolist()
    middle = None if span is None else sum(span) / 2
    for i, (of, time) in enumerate(times):
        covered = middle is None or (
            min(middle - window.before, span[0]) <= time <= max(middle + window.after, span[1])
        )
        assert (i in inside) == (covered and period in (None, of))
    assert inside == sorted(set(inside))


@given(EVENTS, SPAN, st.none() | st.integers(1, 3), WINDOW, st.integers(0, 60))
def test_a_wider_window_or_a_vaguer_clock_loses_no_event(times, span, period, window, more):
    match = numbered(times)
    inside = set(bucket(match, placed(span, period), window).tolist())
    wider = Window(window.before + more, window.after + more)
    assert inside <= set(bucket(match, placed(span, period), wider).tolist())
    assert inside <= set(bucket(match, placed(None, period), window).tolist())
    assert inside <= set(bucket(match, placed(span, None), window).tolist())


@given(EVENTS, SPAN, WINDOW, st.randoms(use_true_random=False))
def test_the_order_of_the_log_does_not_matter(times, span, window, chance):
    order = list(range(len(times)))
    chance.shuffle(order)
    said = placed(span, 1)
    plain = set(bucket(numbered(times), said, window).tolist())
    moved = bucket(numbered([times[i] for i in order]), said, window).tolist()
    assert {order[i] for i in moved} == plain
