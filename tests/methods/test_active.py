"""Which comment to label next: where decisions are doubtful, and nothing taught the same."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline.core.links import CommentLinks, Link
from touchline.methods.active import Line, doubts, teaching_order


def answer(events, candidates):
    linked = [tuple(Link(id=str(s), score=s) for s in some) for some in (events, candidates)]
    return CommentLinks(match="m", comment=0, events=linked[0], none=0.0, period=1, time=0.0,
                        span=(0.0, 0.0), candidates=linked[1])  # fmt: skip


def kind(event):
    return "Shot" if event == "0.5" else "Pass"


def test_doubts_are_decisions_expected_to_be_wrong_by_kind():
    found = doubts(answer([0.9], [0.9, 0.5, 0.2]), kind)
    assert found == {"Pass": pytest.approx(0.1 + 0.2), "Shot": 0.5}
    assert doubts(answer([1.0], [1.0, 0.0]), kind) == {"Pass": 0}
    sparse = msgspec.structs.replace(answer([0.9], []), candidates=None)
    assert doubts(sparse, kind) == {"Pass": pytest.approx(0.1)}


def order(lines, labelled=()):
    return [one.line.comment for one in teaching_order(lines, labelled)]


def test_lines_with_one_open_decision_come_before_sure_and_hopeless_ones():
    lines = [Line("m", doubt, {"Pass": doubt}) for doubt in (0.0, 0.01, 0.5, 9.0)]
    assert order(lines) == [0.5, 9.0, 0.01, 0.0]


def test_levels_of_doubt_take_turns():
    lines = [Line("m", number, {"Pass": 0.1 + 0.007 * number}) for number in range(80)]
    first = sorted(order(lines)[:8])
    assert [number // 10 for number in first] == list(range(8))


def test_kinds_take_turns():
    lines = [Line("m", number, {"Pass": 0.5}) for number in range(20)]
    lines += [Line("m", "shot", {"Shot": 0.5})]
    known = [Line("other", number, {"Pass": 0.5}) for number in range(3)]
    assert order(lines, known)[0] == "shot"


def test_matches_take_turns():
    lines = [Line(match, (match, number), {"Pass": 0.5}) for match in "ab" for number in range(40)]
    first = [match for match, _ in order(lines)[:10]]
    assert first.count("a") == first.count("b") == 5
    known = [Line("a", number, {}) for number in range(40)]
    assert {match for match, _ in order(lines, known)[:10]} == {"b"}


def test_lines_as_good_as_each_other_are_taken_from_all_over_a_match():
    first = order([Line("m", number, {"Pass": 0.5}) for number in range(90)])[:3]
    assert sorted(number // 30 for number in first) == [0, 1, 2]


LINES = st.lists(
    st.dictionaries(st.sampled_from("abc"), st.floats(0, 5), max_size=3), max_size=12
)  # fmt: skip


@given(LINES)
def test_each_line_comes_once_and_gains_never_rise(some):
    lines = [Line("m", number, doubts) for number, doubts in enumerate(some)]
    ranked = teaching_order(lines)
    assert sorted(one.line.comment for one in ranked) == list(range(len(lines)))
    assert all(a.gain >= b.gain for a, b in itertools.pairwise(ranked))
