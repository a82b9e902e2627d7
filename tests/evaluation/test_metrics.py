"""Metrics worked out by hand, and the protocol's own numbers on real data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline import CommentLinks, Link
from touchline.evaluation.metrics import Score, average_precision, score_comments, score_lines
from touchline.io.corpus.layout import LabelledMatch


def answer(comment, linked, candidates=None) -> CommentLinks:
    links = tuple(Link(id=i, score=s) for i, s in linked)
    scored = None if candidates is None else tuple(Link(id=i, score=s) for i, s in candidates)
    return CommentLinks(match="small", comment=comment, events=links, none=0.0, period=1,
                        time=None, span=None, candidates=scored)  # fmt: skip


@pytest.fixture
def labelled(small_match) -> LabelledMatch:
    gold = {0: frozenset(["e0", "e1", "e2"]), 1: frozenset(), "x": frozenset(["e4"])}
    return LabelledMatch(match=small_match, gold=gold)


def test_pairs_are_counted_over_labelled_comments_only(labelled):
    answers = [
        answer(0, [("e0", 0.9), ("e1", 0.8)]),  # two of three
        answer(1, [("e3", 0.5)]),  # describes nothing
        answer(3, [("e0", 0.9)]),  # has no label
    ]
    metrics = score_comments(labelled, answers).metrics()
    assert metrics["precision"] == pytest.approx(2 / 3)
    assert metrics["recall"] == pytest.approx(2 / 4)
    assert metrics["f1"] == pytest.approx(4 / 7)
    assert metrics["exact"] == 0
    assert metrics["none_accuracy"] == pytest.approx(1 / 3)
    assert (metrics["predicted"], metrics["gold"], metrics["comments"]) == (3, 4, 3)


def test_silence_is_exact_where_nothing_is_described(labelled):
    metrics = score_comments(labelled, []).metrics()
    assert metrics["exact"] == metrics["none_accuracy"] == pytest.approx(1 / 3)
    assert metrics["f1"] == metrics["precision"] == metrics["pr_auc"] == 0


def test_a_perfect_answer_scores_one(labelled):
    answers = [answer(c, [(e, 1.0) for e in sorted(gold)]) for c, gold in labelled.gold.items()]
    metrics = score_comments(labelled, answers).metrics()
    assert {metrics[k] for k in ("precision", "recall", "f1", "pr_auc", "exact")} == {1.0}


def test_average_precision_by_hand():
    ranked = [(0.9, True), (0.8, False), (0.7, True), (0.1, False)]
    assert average_precision(ranked, gold=2) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(ranked, gold=4) == pytest.approx((1 + 2 / 3) / 4)  # two never scored
    assert average_precision([(0.5, True), (0.5, False)], gold=1) == pytest.approx(0.5)  # a tie
    assert average_precision([], gold=3) == 0


@given(st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.booleans()), max_size=30),
       st.randoms())  # fmt: skip
def test_average_precision_does_not_depend_on_the_order_of_ties(candidates, chance):
    gold = sum(right for _, right in candidates)
    shuffled = candidates[:]
    chance.shuffle(shuffled)
    assert average_precision(candidates, gold) == pytest.approx(average_precision(shuffled, gold))


def test_scores_add_up(labelled):
    one = score_comments(labelled, [answer(0, [("e0", 0.9)])])
    assert (one + Score(candidates=[])).metrics() == one.metrics()
    assert (one + one).metrics()["gold"] == 2 * one.gold


def test_lines_count_the_best_candidate_even_when_no_event_wins(labelled):
    right = answer("x", [], [("e4", 0.4), ("e0", 0.3)])
    assert score_lines(labelled, [right]).right == 1
    wrong = answer("x", [("e4", 0.4)], [("e0", 0.6), ("e4", 0.4)])
    assert score_lines(labelled, [wrong]).right == 0


def test_keys_make_equal_meanings_one_answer(small_match):
    labelled = LabelledMatch(
        match=small_match,
        gold={0: frozenset(["pass"])},
        keys={"e0": "pass", "e3": "pass", "e1": "shot"},
    )
    metrics = score_comments(labelled, [answer(0, [("e0", 0.5), ("e3", 0.4)])]).metrics()
    assert metrics["predicted"] == 1
    assert metrics["f1"] == 1
