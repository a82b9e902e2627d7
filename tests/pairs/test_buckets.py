"""Buckets: the paper's window, minutes as intervals, borders of periods, listed candidates."""

from __future__ import annotations

import pytest

from touchline import Comment, Event, Match
from touchline.pairs import Window, bucket, buckets


def log(*times: tuple[int, float]) -> Match:
    events = tuple(
        Event(id=f"{period}/{time:g}", type="Pass", period=period, time=time)
        for period, time in times
    )
    return Match(name="m", provider="t", events=events)


def inside(match: Match, window: Window = Window(), **comment: object) -> list[str]:  # noqa: B008
    said = Comment(id=0, text="", **comment)
    return [match.tellable[i].id for i in bucket(match, said, window)]


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
    ids = [small_match.tellable[i].id for b in buckets(small_match, Window()) for i in b]
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
