"""Periods and intervals from the sequence of clocks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.core.records import Comment
from touchline.io.commentary import minute_only
from touchline.io.commentary.entries import Entry, Heading
from touchline.io.commentary.timing import place

HT = Heading(2)


def periods(*clocks: str | Heading | None, extra_time: bool | None = None) -> list[int | None]:
    items = [
        clock if isinstance(clock, Heading) else Entry(text="x", clock=clock) for clock in clocks
    ]
    return [comment.period for comment in place(items, extra_time)]


def spans(*entries: Entry, extra_time: bool | None = None) -> list[tuple[object, ...]]:
    return [(c.period, c.start, c.end) for c in place(entries, extra_time)]


@pytest.mark.parametrize(
    ("clocks", "expected"),
    [
        (["12'", "45+2'", "46'", "90+3'"], [1, 1, 2, 2]),
        # A change at the break: 45' after 45+3', but not while the added time is still running.
        (["44'", "45'+3'", "45'", "46'"], [1, 1, 2, 2]),
        (["45+1'", "45'", "45+2'", "46'"], [1, 1, 1, 2]),
        (["90+1'", "90'"], [2, 2]),
        # A clock that runs on past 45 and falls back.
        (["30'", "46'", "47'", "46'", "60'"], [1, 1, 1, 2, 2]),
        (["30:00", "46:10", "45:05", "60:00"], [1, 1, 2, 2]),
        (["30:00", "45:20", "45:05", "60:00"], [1, 2, 2, 2]),  # two comments in the wrong order
        (["40'", "47'", "46'", "48'", "46'", "50'"], [1, 2, 2, 2, 2, 2]),  # no order at all
        # A clock that starts from zero in each half.
        (["1:10", "46:10", "0:30", "44:00", "47:00"], [1, 1, 2, 2, 2]),
        (["5'", "30'", "46'", "2'", "45'", "46'"], [1, 1, 1, 2, 2, 2]),
        (["1'", "46'", "2'", "47'", "1'", "16'", "1'", "15'"], [1, 1, 2, 2, 3, 3, 4, 4]),
        # The final report pinned above the first minute is no half.
        (["90+5'", "1'", "12'", "50'", "90+5'"], [2, 1, 1, 2, 2]),
        # Headings.
        (["44'", "46'", "48'", HT, "46'", "49'"], [1, 1, 1, 2, 2]),
        (["5'", "20'", Heading(2, title=True), "3'", "30'"], [1, 1, 2, 2]),
        ([Heading(2, title=True), "1'", "30'", "50'"], [1, 1, 2]),  # a menu
        ([Heading(2, title=True), None, "1'", "30'"], [1, 1, 1]),
        (["67'", Heading(5), "68'", "88'"], [2, 2, 2]),  # PEN in the middle of the match
        (["67'", Heading(5), None], [2, 2]),
        (["12'", None, "45'", HT, None, "46'"], [1, 1, 1, 2, 2]),
        # Newest first.
        (["90+4'", "60'", "46'", HT, "45+2'", "45'", "1'"], [2, 2, 2, 1, 1, 1]),
        (["60'", "46'", HT, "47'", "46'", "1'"], [2, 2, 1, 1, 1]),
        (
            [Heading(2, title=True), "50'", "47'", Heading(1, title=True), "47'", "46'", "3'"],
            [2, 2, 1, 1, 1],
        ),
    ],
)
def test_periods(clocks: list[str | Heading | None], expected: list[int]) -> None:
    assert periods(*clocks) == expected


@pytest.mark.parametrize(
    ("clocks", "extra_time", "expected"),
    [
        (["89'", "91'", "94'"], False, [2, 2, 2]),
        (["89'", "91'", "94'"], None, [2, 2, 2]),
        (["89'", "90+3'", "91'", "106'"], None, [2, 2, 3, 4]),
        (["89'", "90+3'", "91'", "94'"], True, [2, 2, 3, 3]),
        (["90+3'", "90'", "91'"], True, [2, 3, 3]),
        (["104'", "105+1'", "105'", "106'", "120+2'"], True, [3, 3, 4, 4, 4]),
        (["89'", "93'", Heading(3), "91'", "104'"], None, [2, 2, 3, 3]),
        (["89'", "93'", Heading(3), "91'", "104'"], False, [2, 2, 2, 2]),
        (["91'", Heading(3), "91'", "106'", Heading(4), "106'"], True, [2, 3, 3, 4]),
        (["120+1'", Heading(5), None, "120+1'"], True, [4, 5, 5]),
        (["90+4'", Heading(5), None], False, [2, 5]),
    ],
)
def test_extra_time(
    clocks: list[str | Heading | None], extra_time: bool | None, expected: list[int]
) -> None:
    assert periods(*clocks, extra_time=extra_time) == expected


def test_intervals() -> None:
    assert spans(
        Entry(text="", clock="12'"), Entry(text="", clock="45+2'"), Entry(text="", clock="46'")
    ) == [(1, 660, 720), (1, 2760, 2820), (2, 0, 60)]


def test_a_given_period_is_kept() -> None:
    assert spans(Entry(text="", clock="44'", period=2)) == [(2, -120, -60)]
    assert spans(Entry(text="", clock="47'", period=1)) == [(1, 2760, 2820)]


def test_a_given_period_whose_clock_starts_from_zero() -> None:
    half = [Entry(text="", clock=clock, period=2) for clock in ("2'", "30'", "44'", "45+1'")]
    assert [start for _, start, _ in spans(*half)] == [60, 1740, 2580, 2700]


def test_exact_times() -> None:
    assert spans(
        Entry(text="", time=10.3, period=1),
        Entry(text="", time=-4.5, period=2),
        Entry(text="", time=8, end=11, period=2),
    ) == [(1, 10.3, 10.3), (2, -4.5, -4.5), (2, 8, 11)]


def test_exact_times_on_the_match_clock() -> None:
    assert spans(
        Entry(text="", time=-2.5), Entry(text="", time=754.3), Entry(text="", time=2700)
    ) == [(1, -2.5, -2.5), (1, 754.3, 754.3), (2, 0, 0)]
    # With a period, times that no half reaches show that it is the match clock.
    assert spans(Entry(text="", time=2760, period=2), Entry(text="", time=5400, period=2)) == [
        (2, 60, 60),
        (2, 2700, 2700),
    ]


def test_an_end_on_the_clock_of_its_start() -> None:
    assert spans(Entry(text="", clock="12:34", end=760.0)) == [(1, 754, 760)]
    assert spans(Entry(text="", time=800, end=790)) == [(1, 800, 800)]


def test_without_a_clock_between_the_neighbours() -> None:
    bare = Entry(text="")
    first, second = Entry(text="", clock="12'"), Entry(text="", clock="14'")
    assert spans(bare, first, bare, bare, second, bare) == [
        (1, 660, 720),
        (1, 660, 720),
        (1, 660, 840),
        (1, 660, 840),
        (1, 780, 840),
        (1, 780, 840),
    ]
    assert spans(bare) == [(None, None, None)]


def test_without_a_clock_in_extra_time() -> None:
    items = [
        *(Entry(text="", clock="40'"), HT, Entry(text="", clock="91'")),
        *(Entry(text=""), Entry(text="", clock="93'")),
    ]
    bare = place(items, extra_time=True)[2]
    assert (bare.period, bare.start, bare.end) == (3, 0, 180)


def test_missing_ids_are_numbered_around_the_given_ones() -> None:
    ids = [None, 1, None, "a", None, 2]
    comments = place([Entry(text="", id=id) for id in ids])
    assert [comment.id for comment in comments] == [0, 1, 3, "a", 4, 2]


@settings(deadline=None)
@given(st.lists(st.none() | st.integers(0, 9), max_size=9))
def test_numbers_never_meet_given_ids(ids: list[int | None]) -> None:
    given_ids = [id for i, id in enumerate(ids) if id is not None and id not in ids[:i]]
    entries = [Entry(text="", id=id if id in given_ids else None) for id in dict.fromkeys(ids)]
    entries += [Entry(text="")] * 3
    comments = place([*entries[::-1]])
    assert len({comment.id for comment in comments}) == len(comments)


def test_the_shown_clock() -> None:
    shown = place([Entry(text="", clock="12:34", shown="13'"), Entry(text="", time=800)])
    assert [comment.clock for comment in shown] == ["13'", "14'"]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ((1, 15.0, 15.0, None), (0, 60, "1'")),
        ((1, 754.0, 754.0, "12:34"), (720, 780, "13'")),
        ((2, -70.0, -70.0, "44'"), (-120, -60, "44'")),
        ((1, 754.0, 754.0, "12'"), (660, 720, "12'")),  # the page's minute, right or not
        ((2, 700.0, 700.0, "12'"), (660, 720, "12'")),  # a clock from zero in each half
        ((1, -500.0, -500.0, None), (-60, 0, "0'")),
        ((1, 99_999.0, 99_999.0, None), (99_960, 100_020, "45+1622'")),
        ((1, 690.0, 850.0, None), (660, 900, None)),
        ((None, None, None, None), (None, None, None)),
    ],
)
def test_minute_only(comment: tuple[object, ...], expected: tuple[object, ...]) -> None:
    period, start, end, clock = comment
    known = Comment(id=0, text="", period=period, start=start, end=end, clock=clock)  # type: ignore[arg-type]
    left = minute_only(known)
    assert (left.start, left.end, left.clock) == expected
    assert left.period == period


CLOCKS = st.none() | st.from_regex(r"[0-9]{1,2}(\+[1-9])?'|[0-9]{1,2}:[0-5][0-9]", fullmatch=True)
HEADINGS = st.builds(Heading, st.integers(1, 5), st.booleans())
ENTRIES = st.builds(
    Entry,
    text=st.text(max_size=3),
    period=st.none() | st.integers(1, 5),
    time=st.none() | st.floats(-1e9, 1e9),
    end=st.none() | st.floats(-1e9, 1e9),
    clock=CLOCKS,
)


@settings(deadline=None)
@given(st.lists(ENTRIES | HEADINGS, max_size=12), st.sampled_from([None, True, False]))
def test_any_sequence_keeps_order_and_given_periods(
    items: list[Entry | Heading], extra_time: bool | None
) -> None:
    entries = [item for item in items if isinstance(item, Entry)]
    comments = place(items, extra_time)
    assert [comment.text for comment in comments] == [entry.text for entry in entries]
    assert [comment.id for comment in comments] == list(range(len(entries)))
    for comment, entry in zip(comments, entries, strict=True):
        assert entry.period in (None, comment.period)
        assert (comment.start is None) == (comment.end is None)
        assert comment.start is None or comment.start <= comment.end  # type: ignore[operator]
        minute_only(comment)


@settings(deadline=None)
@given(st.lists(st.integers(0, 2690), min_size=3, unique=True).map(sorted), st.data())
def test_newest_first_is_the_same_match(seconds: list[int], data: st.DataObject) -> None:
    later = data.draw(st.lists(st.integers(2700, 5390), min_size=3, unique=True).map(sorted))
    items = [Entry(text=str(s), time=float(s)) for s in [*seconds, *later]]
    forwards, backwards = place(items), place(items[::-1])
    assert [(c.text, c.period, c.start) for c in forwards] == [
        (c.text, c.period, c.start) for c in backwards[::-1]
    ]
