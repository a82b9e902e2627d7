"""Speech cut where the speaker pauses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from touchline.io.commentary.pauses import MIN_WORDS, runs


def test_the_widest_pause_near_the_middle_is_cut() -> None:
    starts = [0, 1, 2, 3, 7, 8, 9, 10, 11, 12]
    ends = [start + 1 for start in starts]
    assert runs(starts, ends, 10) == [range(4), range(4, 10)]
    assert runs(starts, ends, 13) == [range(10)]
    assert runs([], [], 5) == []


def test_even_words_are_cut_in_the_middle() -> None:
    starts = list(range(0, 40, 2))
    assert runs(starts, [start + 2 for start in starts], 20) == [range(10), range(10, 20)]


@given(st.lists(st.floats(0, 20), max_size=60), st.floats(1, 30))
def test_every_word_is_in_one_run(gaps: list[float], longest: float) -> None:
    starts = [sum(gaps[: i + 1]) for i in range(len(gaps))]
    found = runs(starts, starts, longest)
    assert [i for run in found for i in run] == list(range(len(starts)))
    for run in found:
        short = len(run) < 2 * MIN_WORDS
        assert short or starts[run[-1]] - starts[run[0]] <= longest
