"""When the lines of a transcript were said, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from touchline import Comment, Match
from touchline.text.speech import SPOKEN_PACE, laid_out, words_per_minute


def line(words: int, start: float | None, end: float | None = None, **more: Any) -> Comment:
    """A line of so many words; one without an end is exact."""
    times = {"period": 1, "start": start, "end": start if end is None else end, **more}
    return Comment(id=0, text=" ".join(["word"] * words), **times)


def minute(words: int, number: int, period: int = 1) -> Comment:
    """A line of which only the minute is known."""
    return line(words, 60.0 * number, 60.0 * number + 60, period=period, anywhere=True)


def match_of(lines: Sequence[Comment]) -> Match:
    numbered = (msgspec.structs.replace(c, id=i) for i, c in enumerate(lines))
    return Match(name="spoken", provider="test", events=(), comments=tuple(numbered))


def spans(lines: Sequence[Comment]) -> list[tuple[float | None, float | None]]:
    """From when to when each line is said."""
    return [(comment.start, comment.end) for comment in laid_out(match_of(lines)).comments]


def test_a_line_lasts_as_long_as_its_words_take():
    """A word takes a second here, in the median; nobody speaks all through the pause at 10."""
    lines = [line(4, 0), line(6, 4), line(9, 10), line(6, 25), line(9, 31)]
    assert spans(lines)[:4] == [(0, 4), (4, 10), (10, 19), (25, 31)]


def test_a_line_lasts_at_most_until_the_next():
    lines = [line(4, 0), line(6, 4), line(9, 10), line(9, 12), line(6, 21), line(6, 27)]
    assert spans(lines)[2] == (10, 12)


def test_the_last_line_of_a_period_has_no_length():
    """Nor has one before a line that lies earlier; neither says how fast people speak."""
    first = [line(4, 0), line(6, 4), line(3, 10)]
    second = [line(4, 500, period=2), line(4, 504, period=2), line(5, 503, period=2)]
    assert spans(first + second) == [(0, 4), (4, 10), (10, 10), (500, 504), (504, 504), (503, 503)]


def test_lines_of_a_minute_follow_each_other_through_it():
    lines = [minute(60, 1), minute(30, 1), minute(50, 2), minute(0, 3), minute(99, 3)]
    assert spans(lines) == [
        (60, pytest.approx(100)),
        (pytest.approx(100), pytest.approx(120)),
        (120, pytest.approx(180)),
        (180, pytest.approx(180.6)),  # without a word it counts as one
        (pytest.approx(180.6), pytest.approx(240)),
    ]
    assert not any(c.anywhere for c in laid_out(match_of(lines)).comments)


def test_the_same_minute_of_two_periods_is_two_minutes():
    lines = [minute(90, 46, period=1), minute(90, 46, period=2)]
    assert spans(lines) == [(2760, pytest.approx(2820))] * 2


def test_times_that_are_known_better_or_not_at_all_are_kept():
    """A subtitle has its span, and a line without a time belongs to no minute."""
    lines = [line(9, 0, 3), line(9, None), minute(70, 1), line(9, None), minute(70, 1)]
    found = spans(lines)
    assert found[:2] == [(0, 3), (None, None)]
    assert found[2:] == [(60, pytest.approx(120)), (None, None), (60, pytest.approx(120))]


def test_words_keep_their_own_times():
    timed = line(4, 0, spoken=((0, 0.5), (5, 2.0)))
    (found, _) = laid_out(match_of([timed, line(9, 4)])).comments
    assert (found.end, found.spoken) == (4, timed.spoken)


def test_written_comments_are_left_alone():
    """A live page has a few sentences a minute, however exact its times are."""
    for some in ([line(30, 60.0 * i) for i in range(9)], [minute(30, i) for i in range(9)]):
        assert laid_out(match_of(some)) == match_of(some)
    assert spans([line(9, None), line(9, None)]) == [(None, None)] * 2


@pytest.mark.parametrize(("words", "spoken"), [(SPOKEN_PACE - 1, False), (SPOKEN_PACE, True)])
def test_speech_has_a_word_a_second(words, spoken):
    match = match_of([minute(int(words), number) for number in range(3)])
    assert (laid_out(match) != match) == spoken


def test_the_break_between_periods_is_not_silence():
    """Each period counts from its first line to its last."""
    first, second = [line(30, 0, 30), line(30, 30, 60)], [line(90, 900, 960, period=2)] * 2
    assert words_per_minute([*first, *second]) == pytest.approx((60 + 180) / 2)
    assert words_per_minute([line(5, None), line(5, None)]) == 0
    assert words_per_minute([line(5, 3)]) == 0


def test_what_is_laid_out_stays_so():
    lines = [line(4, 0), line(6, 4), minute(90, 1), minute(90, 1), line(8, 120), line(4, 126)]
    once = laid_out(match_of(lines))
    assert laid_out(once) == once != match_of(lines)
